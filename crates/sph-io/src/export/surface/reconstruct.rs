//! Reconstruction of the surface of particles by `splashsurf_lib`.

use super::mesh::{SurfaceMesh, vertex_normals};
use super::order;
use super::settings::SurfaceSettings;
use super::size::{Estimate, TooWide};
use super::smoothing::{smooth, weights};
use crate::scene::{available_memory, bytes_in_words, grouped};
use glam::Vec3;
use splashsurf_lib::nalgebra::Vector3;
use splashsurf_lib::sph_interpolation::SphInterpolator;
use splashsurf_lib::{GridDecompositionParameters, Parameters, SpatialDecomposition, reconstruct_surface};

/// Reasons why no surface can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// Nothing says how large particles are.
    #[error("the radius of the particles is not known: give it, half the particle spacing of the scene")]
    NoRadius,
    /// A position is not finite.
    #[error("particle {0} is nowhere: its position is not finite")]
    NotFinite(usize),
    /// Particles are too far apart.
    #[error("the particles are {cubes:.0} cubes apart, where 1,048,576 can be told apart: is one lost?")]
    TooWide {
        /// Cubes along the longest axis.
        cubes: f32,
    },
    /// The surface would not fit into memory.
    #[error(
        "cubes of {cube_size} radii would make about {} triangles, which take {} of memory; {} are available: choose larger cubes",
        grouped(*triangles as u64),
        bytes_in_words(*needed),
        bytes_in_words(*available)
    )]
    TooLarge {
        /// Size of a cube, in radii.
        cube_size: f64,
        /// Estimated number of triangles.
        triangles: f64,
        /// Memory that it needs, bytes.
        needed: u64,
        /// Memory that is available, bytes.
        available: u64,
    },
    /// splashsurf refuses the particles.
    #[error("splashsurf cannot make a surface: {0}")]
    Refused(String),
}

/// Cubes of a subdomain along each axis, the default of splashsurf.
const SUBDOMAIN: u32 = 64;

/// Reconstructs the surface of particles at `positions` (m) with `velocities` (m/s), which may be empty, on the threads of the current pool.
/// The mesh does not depend on how many there are. Without particles it is empty.
///
/// # Errors
/// The radius is not known, a particle is nowhere or lost far away, or the surface would not fit into memory.
pub fn surface(positions: &[Vec3], velocities: &[Vec3], settings: &SurfaceSettings) -> Result<SurfaceMesh, SurfaceError> {
    let SurfaceSettings { radius, smoothing_length, cube_size, threshold, smoothing, weights: full, .. } = *settings;
    // Rounded as the spacing is, so that both ways to give it make the same mesh.
    let radius = f64::from(radius.ok_or(SurfaceError::NoRadius)? as f32);
    let [support_radius, cube] = [2.0 * smoothing_length, cube_size].map(|radii| (radii * radius) as f32);
    if positions.is_empty() {
        return Ok(SurfaceMesh::default());
    }
    if let Some(index) = positions.iter().position(|at| !at.is_finite()) {
        return Err(SurfaceError::NotFinite(index));
    }
    let estimate =
        Estimate::new(positions, support_radius, cube).map_err(|TooWide { cubes }| SurfaceError::TooWide { cubes })?;
    if let Some(available) = available_memory().filter(|&available| estimate.bytes > available as f64) {
        return Err(SurfaceError::TooLarge {
            cube_size,
            triangles: estimate.triangles,
            needed: estimate.bytes as u64,
            available,
        });
    }

    let parameters = Parameters {
        iso_surface_threshold: threshold as f32,
        // Always in subdomains, within which sums are sequential: only then does the mesh not depend on the threads.
        spatial_decomposition: SpatialDecomposition::UniformGrid(GridDecompositionParameters {
            subdomain_num_cubes_per_dim: SUBDOMAIN,
            auto_disable: false,
        }),
        // Vectors round differently at the edge of a subdomain, where two of them meet.
        enable_simd: false,
        global_neighborhood_list: smoothing > 0.0 && full > 0.0,
        ..Parameters::new(radius as f32, support_radius, cube)
    };
    let points: Vec<Vector3<f32>> = positions.iter().map(|at| Vector3::from(at.to_array())).collect();
    let result =
        reconstruct_surface::<i64, f32>(&points, &parameters).map_err(|error| SurfaceError::Refused(with_causes(&error)))?;
    let (densities, neighbors) = (result.particle_densities.unwrap_or_default(), result.particle_neighbors.unwrap_or_default());
    let mut mesh = order::sort(result.mesh);

    let mass = (2.0 * radius as f32).powi(3) * parameters.rest_density;
    let interpolator = SphInterpolator::new(&points, &densities, mass, support_radius);
    if smoothing > 0.0 {
        let weights = if full > 0.0 {
            weights(&interpolator, (&points, &neighbors), &mesh.vertices, support_radius, full as f32)
        } else {
            vec![1.0; mesh.vertices.len()]
        };
        smooth(&mut mesh, smoothing as usize, &weights);
    }
    let velocities: Vec<Vector3<f32>> = velocities.iter().map(|velocity| Vector3::from(velocity.to_array())).collect();
    let vector = |vector: &Vector3<f32>| Vec3::from_array((*vector).into());
    let velocities = if velocities.len() == points.len() {
        interpolator.interpolate_vector_quantity(&velocities, &mesh.vertices, true).iter().map(vector).collect()
    } else {
        Vec::new()
    };
    let vertices: Vec<Vec3> = mesh.vertices.iter().map(vector).collect();
    let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|corners| corners.map(|corner| corner as u32)).collect();
    let normals = vertex_normals(&vertices, &triangles);
    Ok(SurfaceMesh { vertices, normals, velocities, triangles })
}

/// The message of an error, with its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Particles of a lattice of spacing 1 within a distance from the origin.
    fn ball(radius: f32) -> Vec<Vec3> {
        let range = || -(radius.ceil() as i32)..radius.ceil() as i32;
        let points = range()
            .flat_map(|x| range().flat_map(move |y| range().map(move |z| Vec3::new(x as f32, y as f32, z as f32) + 0.5)));
        points.filter(|at| at.length() <= radius).collect()
    }

    fn settings(text: &str) -> SurfaceSettings {
        ["radius=0.5", text].join(",").trim_end_matches(',').parse().unwrap()
    }

    /// True if each edge belongs to two triangles, which have it in opposite directions.
    fn is_closed(mesh: &SurfaceMesh) -> bool {
        let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
        for &[a, b, c] in &mesh.triangles {
            [(a, b), (b, c), (c, a)].into_iter().for_each(|edge| *edges.entry(edge).or_default() += 1);
        }
        edges.iter().all(|(&(a, b), &count)| count == 1 && edges.get(&(b, a)) == Some(&1))
    }

    #[test]
    fn a_ball_has_its_volume() {
        for text in ["smoothing=25", "smoothing=0", "cube_size=1,weights=0,smoothing=1"] {
            let positions = ball(6.0);
            let mesh = surface(&positions, &[], &settings(text)).unwrap();
            let ratio = mesh.volume() / positions.len() as f64;
            assert!((ratio - 1.0).abs() < 0.03, "{text}: {ratio}");
            assert!(is_closed(&mesh), "{text}");
            let outward = mesh.vertices.iter().zip(&mesh.normals).map(|(at, normal)| at.normalize().dot(*normal));
            assert!(outward.fold(f32::INFINITY, f32::min) > 0.8, "{text}");
        }
    }

    #[test]
    fn a_still_tank_has_its_level() {
        let size = [16, 8, 16];
        let positions: Vec<_> = (0..size[0])
            .flat_map(|x| {
                (0..size[1]).flat_map(move |y| (0..size[2]).map(move |z| Vec3::new(x as f32, y as f32, z as f32) + 0.5))
            })
            .collect();
        let mesh = surface(&positions, &[], &settings("smoothing=25")).unwrap();
        let middle = |at: &&Vec3| (at.x - 8.0).abs() < 3.0 && (at.z - 8.0).abs() < 3.0 && at.y > 4.0;
        let levels: Vec<f32> = mesh.vertices.iter().filter(middle).map(|at| at.y).collect();
        assert!(levels.len() > 300);
        let (low, high) = levels.iter().fold((f32::MAX, f32::MIN), |(low, high), &y| (low.min(y), high.max(y)));
        assert!(low > 7.95 && high < 8.05, "{low} to {high}");
    }

    #[test]
    fn the_mesh_does_not_depend_on_the_threads() {
        // Several subdomains along each axis.
        let positions = ball(9.0);
        let velocities: Vec<_> = positions.iter().map(|at| at.cross(Vec3::Y)).collect();
        let make = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| surface(&positions, &velocities, &settings("cube_size=0.5,smoothing=5")).unwrap())
        };
        let one = make(1);
        assert!(one.triangles.len() > 40_000);
        for threads in [2, 7] {
            assert!(make(threads) == one, "{threads} threads");
        }
    }

    #[test]
    fn velocities_are_carried_over() {
        let positions = ball(5.0);
        let velocities = vec![Vec3::new(1.0, -2.0, 0.5); positions.len()];
        let mesh = surface(&positions, &velocities, &settings("smoothing=5")).unwrap();
        assert_eq!(mesh.velocities.len(), mesh.vertices.len());
        assert!(mesh.velocities.iter().all(|velocity| (*velocity - velocities[0]).length() < 1e-5));
    }

    #[test]
    fn what_has_no_surface_is_refused() {
        let error = |positions: &[Vec3], text: &str| surface(positions, &[], &settings(text)).unwrap_err();
        assert_eq!(surface(&[Vec3::ZERO], &[], &SurfaceSettings::default()), Err(SurfaceError::NoRadius));
        assert_eq!(error(&[Vec3::ZERO, Vec3::NAN], ""), SurfaceError::NotFinite(1));
        assert!(matches!(error(&[Vec3::ZERO, 1e7 * Vec3::X], ""), SurfaceError::TooWide { .. }));
        assert_eq!(surface(&[], &[], &settings("")), Ok(SurfaceMesh::default()));
        // Two million drops in cubes a hundred thousandth of their extent: terabytes.
        let drops: Vec<_> =
            (0..2_000_000).map(|i| 5.0 * Vec3::new((i % 130) as f32, (i / 130 % 130) as f32, (i / 16_900) as f32)).collect();
        let refused = error(&drops, "cube_size=0.1");
        assert!(refused.to_string().starts_with("cubes of 0.1 radii would make about "), "{refused}");
    }
}
