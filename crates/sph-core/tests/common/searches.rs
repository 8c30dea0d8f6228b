//! Structures to test, and the neighbours that they must find.

use glam::Vec3;
use proptest::prelude::*;
use sph_core::neighbors::{GridParameters, HashFunction, Pairing, Structure};

/// Neighbour lists by definition: every other point strictly closer than `radius`, indices ascending.
pub fn by_definition(points: &[Vec3], queries: &[Vec3], radius: f32, pairing: Pairing) -> Vec<Vec<u32>> {
    let near = |query: usize, point: usize| {
        let other = pairing == Pairing::Across || query != point;
        other && queries[query].distance_squared(points[point]) < radius * radius
    };
    (0..queries.len()).map(|query| (0..points.len()).filter(|&point| near(query, point)).map(|p| p as u32).collect()).collect()
}

/// Every structure with every option, for tables from one bucket up and cells from small to large.
pub fn grids(radius: f32) -> impl Iterator<Item = GridParameters> {
    let tables =
        [(1, HashFunction::Muller), (2, HashFunction::Teschner), (97, HashFunction::Morton), (4096, HashFunction::Mix)];
    let ratios = [0.25, 0.5, 1.0, 1.5, 2.5, 4.0];
    Structure::all().into_iter().flat_map(move |structure| {
        tables.into_iter().zip([2, 4, 1, 8]).flat_map(move |((table_size, hash), bucket_capacity)| {
            let grid = move |ratio| GridParameters { structure, table_size, cell_size: ratio * radius, hash, bucket_capacity };
            ratios.map(grid)
        })
    })
}

/// The ids 0, 1, … of `count` points.
pub fn ids(count: usize) -> Vec<u32> {
    (0..count as u32).collect()
}

/// Random points in a cube.
pub fn cloud(coordinates: std::ops::Range<f32>, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec3>> {
    let point = [coordinates.clone(), coordinates.clone(), coordinates].prop_map(Vec3::from_array);
    prop::collection::vec(point, count)
}
