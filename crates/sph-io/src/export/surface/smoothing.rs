//! Laplacian smoothing of a surface that leaves drops and thin sheets alone.
//!
//! The weights are those of Löschner, Böttcher, Rhys Jeske, Bender: *Weighted Laplacian Smoothing for Surface Reconstruction of
//! Particle-based Fluids* (2023), which the program splashsurf computes in the same way.

use splashsurf_lib::mesh::{Mesh3d, TriMesh3d};
use splashsurf_lib::nalgebra::Vector3;
use splashsurf_lib::postprocessing::par_laplacian_smoothing_inplace;
use splashsurf_lib::sph_interpolation::SphInterpolator;

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
