//! Reconstruction of the surface of particles by `splashsurf_lib`: the memory that it takes, smoothing, and an order of vertices that
//! depends on the surface alone.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::settings::SurfaceSettings;
use super::{SurfaceMesh, vertex_normals};
use crate::scene::available_memory;
use crate::words::{bytes_in_words, grouped};
use glam::{IVec3, Vec3};
use splashsurf_lib::mesh::{Mesh3d, TriMesh3d};
use splashsurf_lib::nalgebra::Vector3;
use splashsurf_lib::postprocessing::par_laplacian_smoothing_inplace;
use splashsurf_lib::sph_interpolation::SphInterpolator;
use splashsurf_lib::{GridDecompositionParameters, Parameters, SpatialDecomposition, reconstruct_surface};

/// Reasons why no surface can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// Nothing says how large particles are.
    #[error("the radius of the particles is unknown: give it as half the particle spacing of the scene")]
    NoRadius,
    /// A position is not finite.
    #[error("the position of particle {0} is not finite")]
    NotFinite(usize),
    /// Particles are too far apart.
    #[error("the particles are {cubes:.0} cubes apart, but at most 1,048,576 are possible: has one flown away?")]
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
    let mut mesh = sort_mesh(result.mesh);

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

// Memory that a surface will take, before it is made.

/// Most cubes along an axis: their places are computed in single precision.
const MAX_CUBES: f32 = (1 << 20) as f32;
/// Bytes for each particle: its densities, its neighbours, its place in the tree of the interpolation.
const BYTES_OF_PARTICLE: f64 = 500.0;
/// Bytes for each square of the surface with the side of a cube: vertices with their neighbours and triangles, in patches and as a whole.
const BYTES_OF_SQUARE: f64 = 300.0;

/// Size of a surface that is to be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Triangles.
    pub triangles: f64,
    /// Memory, bytes.
    pub bytes: f64,
}

/// The particles are so far apart that cubes between them cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooWide {
    /// Cubes along the longest axis.
    pub cubes: f32,
}

impl Estimate {
    /// Estimate for particles at finite `positions` (m) with kernels of `support_radius` (m), in cubes of `cube_size` (m).
    ///
    /// The area is that of the cells as wide as a support radius that hold particles, where the cell beside holds none.
    ///
    /// # Errors
    /// The particles are too far apart.
    pub fn new(positions: &[Vec3], support_radius: f32, cube_size: f32) -> Result<Self, TooWide> {
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = positions.iter().fold(start, |(low, high), &at| (low.min(at), high.max(at)));
        let extent = (high - low).max_element().max(0.0) + 2.0 * support_radius;
        let cubes = extent / cube_size;
        if cubes > MAX_CUBES {
            return Err(TooWide { cubes });
        }
        let cell = |at: &Vec3| ((at - low) / support_radius).as_ivec3();
        let cells: HashSet<IVec3> = positions.iter().map(cell).collect();
        let sides = IVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let faces: usize = sides.map(|side| cells.iter().filter(|&&cell| !cells.contains(&(cell + side))).count()).sum();
        let squares = faces as f64 * f64::from(support_radius / cube_size).powi(2);
        let bytes = BYTES_OF_PARTICLE * positions.len() as f64 + BYTES_OF_SQUARE * squares;
        Ok(Self { triangles: 2.0 * squares, bytes })
    }
}

// Laplacian smoothing of a surface that leaves drops and thin sheets alone.
//
// The weights are those of Löschner, Böttcher, Rhys Jeske, Bender: *Weighted Laplacian Smoothing for Surface Reconstruction of
// Particle-based Fluids* (2023), which the program splashsurf computes in the same way.

/// Moves the vertices `iterations` times to the middle of their neighbours, each as far as its weight (0 to 1) says.
pub(super) fn smooth(mesh: &mut TriMesh3d<f32>, iterations: usize, weights: &[f32]) {
    let connectivity = mesh.vertex_vertex_connectivity();
    par_laplacian_smoothing_inplace(mesh, &connectivity, iterations, 1.0, weights);
}

/// Weights of the vertices: s(n / `full`), where n is the number of neighbours of the particles around, weighted by their distance, and
/// s the smooth step from 0 to 1.
pub(super) fn weights(
    interpolator: &SphInterpolator<f32>,
    (positions, neighbors): (&[Vector3<f32>], &[Vec<usize>]),
    vertices: &[Vector3<f32>],
    support_radius: f32,
    full: f32,
) -> Vec<f32> {
    let closeness = |i: usize, j: usize| 1.0 - ((positions[i] - positions[j]).norm() / support_radius).min(1.0);
    let count = |(i, neighbors): (usize, &Vec<usize>)| neighbors.iter().map(|&j| closeness(i, j)).sum::<f32>();
    let counts: Vec<f32> = neighbors.iter().enumerate().map(count).collect();
    let at_vertices = interpolator.interpolate_scalar_quantity(&counts, vertices, true);
    let smooth_step = |x: f32| x * x * x * (10.0 + x * (6.0 * x - 15.0));
    // A vertex out of reach of all particles has no count.
    at_vertices
        .into_iter()
        .map(|count| if count.is_nan() { 1.0 } else { smooth_step((count / full).clamp(0.0, 1.0)) })
        .collect()
}

// The order of a mesh's vertices and triangles, which depends on the surface alone.

/// Brings vertices into the order of their coordinates and triangles into that of their vertices; vertices at the same place become one.
///
/// splashsurf makes a mesh of patches, in an order that depends on the threads. Vertices between two patches are computed alike in both.
pub(super) fn sort_mesh(mesh: TriMesh3d<f32>) -> TriMesh3d<f32> {
    let mut order: Vec<usize> = (0..mesh.vertices.len()).collect();
    order.sort_unstable_by(|&a, &b| compare(&mesh.vertices[a], &mesh.vertices[b]));
    let mut new_index = vec![0; order.len()];
    let mut vertices: Vec<Vector3<f32>> = Vec::with_capacity(order.len());
    for old in order {
        let vertex = mesh.vertices[old];
        if vertices.last() != Some(&vertex) {
            vertices.push(vertex);
        }
        new_index[old] = vertices.len() - 1;
    }
    let triangles = mesh.triangles.iter().map(|corners| first_least(corners.map(|corner| new_index[corner])));
    let mut triangles: Vec<_> = triangles.filter(|&[a, b, c]| a != b && b != c && c != a).collect();
    triangles.sort_unstable();
    TriMesh3d { vertices, triangles }
}

fn compare(a: &Vector3<f32>, b: &Vector3<f32>) -> Ordering {
    // -0 and 0 are the same place.
    let key = |vertex: &Vector3<f32>, axis: usize| vertex[axis] + 0.0;
    (0..3).map(|axis| key(a, axis).total_cmp(&key(b, axis))).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The same triangle from its least corner on.
fn first_least([a, b, c]: [usize; 3]) -> [usize; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

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

    #[test]
    fn a_cube_has_six_sides() {
        let positions: Vec<_> = (0..1000).map(|i| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32)).collect();
        // Cells of 2 hold 2 particles along each axis: 5 cells.
        let estimate = Estimate::new(&positions, 2.0, 0.5).unwrap();
        assert_eq!(estimate.triangles, 2.0 * 6.0 * 25.0 * 16.0);
    }

    #[test]
    fn particles_far_apart_are_refused() {
        for far in [1e9, 1e30, f32::MAX] {
            let TooWide { cubes } = Estimate::new(&[Vec3::X * far, Vec3::X * -far], 2.0, 0.5).unwrap_err();
            assert!(cubes > far, "{cubes} cubes");
        }
        assert!(Estimate::new(&[Vec3::ZERO, Vec3::X * 5e5], 2.0, 0.5).is_ok());
    }

    #[test]
    fn two_orders_of_a_mesh_are_one() {
        let at = |x: f32, y: f32| Vector3::new(x, y, 0.0);
        let first = TriMesh3d {
            vertices: vec![at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)],
            triangles: vec![[0, 1, 2], [2, 1, 3]],
        };
        // The shared edge is doubled, as patches have it.
        let vertices = vec![at(1.0, 1.0), at(0.0, 1.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 0.0), at(-0.0, 0.0)];
        let second = TriMesh3d { vertices, triangles: vec![[0, 1, 2], [4, 3, 5]] };
        let [first, second] = [first, second].map(sort_mesh);
        assert_eq!(first.vertices, second.vertices);
        assert_eq!(first.triangles, second.triangles);
        assert_eq!(first.triangles, [[0, 2, 1], [1, 2, 3]]);
    }
}
