//! The statistics of every structure against slow counts.

use crate::common::model::Model;
use crate::common::searches::{cloud, grids, ids};
use glam::Vec3;
use proptest::prelude::*;
use sph_core::neighbors::{GridParameters, HISTOGRAM_BINS, HashFunction, NeighborLists, Occupancy, Pairing, Search, Structure};
use std::collections::BTreeSet;

/// Occupancy counted from `model`.
fn occupancy(model: &Model<'_>) -> Occupancy {
    let mut expected = Occupancy { table_size: model.table_size(), spills: model.spills(), ..Occupancy::default() };
    expected.occupied_cells = model.cells.len();
    expected.cell_pairs = model.cells_of_bucket.values().map(|cells| (cells.len() * (cells.len() - 1) / 2) as u64).sum();
    for points in model.cells.values() {
        expected.points_per_cell[points.len().min(HISTOGRAM_BINS - 1)] += 1;
    }
    expected.occupied_buckets = model.buckets.len();
    expected.cells_in_collision = model.cells_of_bucket.values().map(BTreeSet::len).filter(|&cells| cells > 1).sum();
    expected.longest_bucket = model.buckets.values().map(Vec::len).max().unwrap_or(0);
    expected.bucket_histogram[0] = model.table_size() - model.buckets.len();
    for points in model.buckets.values() {
        expected.bucket_histogram[points.len().min(HISTOGRAM_BINS - 1)] += 1;
    }
    expected
}

fn check(points: &[Vec3], queries: &[Vec3], radius: f32) {
    for grid in grids(radius) {
        let mut search = Search::new(&grid, radius);
        // Other points are registered first; the second update must replace them all.
        let others: Vec<Vec3> = points.iter().rev().map(|&point| 0.9 * point + 0.1).chain([Vec3::ZERO]).collect();
        let updated = search.update(&others, &ids(others.len())).and_then(|()| search.update(points, &ids(points.len())));
        if updated.is_err() {
            assert_eq!(grid.structure, Structure::UniformGrid);
            continue;
        }
        check_search(&search, grid, points, queries, radius);
    }
}

fn check_search(search: &Search, grid: GridParameters, points: &[Vec3], queries: &[Vec3], radius: f32) {
    let model = Model::new(grid, radius, points);
    let expected = occupancy(&model);
    let found = search.occupancy();
    assert_eq!(Occupancy { bytes: 0, ..found.clone() }, expected, "{grid:?}");
    assert!(found.bytes > 0 || points.is_empty());
    assert_eq!(found.load_factor(), model.cells.len() as f64 / model.table_size().max(1) as f64);

    let mut lists = NeighborLists::default();
    for (queries, pairing) in [(points, Pairing::Within), (queries, Pairing::Across)] {
        let tally = search.fill(&mut lists, queries, pairing);
        assert_eq!(tally.candidates, model.tested(queries, pairing), "{pairing:?} with {grid:?}");
        let near = |a: usize, b: usize| {
            (pairing == Pairing::Across || a != b) && queries[a].distance_squared(points[b]) < radius * radius
        };
        let neighbors = (0..queries.len()).map(|a| (0..points.len()).filter(|&b| near(a, b)).count() as u64);
        assert_eq!(tally.neighbors, neighbors.sum::<u64>(), "{pairing:?} with {grid:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, ..ProptestConfig::default() })]

    #[test]
    fn statistics_of_random_clouds(
        points in cloud(-1.0..1.0, 0..80),
        queries in cloud(-1.5..1.5, 0..20),
        radius in 0.1f32..0.8,
    ) {
        check(&points, &queries, radius);
    }

    #[test]
    fn statistics_in_the_plane(points in cloud(-3.0..-1.0, 0..80), radius in 0.1f32..0.6) {
        let points: Vec<Vec3> = points.into_iter().map(|point| point.with_z(0.0)).collect();
        check(&points, &points[..points.len() / 4], radius);
    }
}

#[test]
fn statistics_of_a_dense_block() {
    let place = |k: u32| Vec3::new((k * 37 % 101) as f32, (k * 53 % 97) as f32, (k * 29 % 89) as f32) * 0.02 - 0.9;
    let points: Vec<Vec3> = (0..200).map(place).collect();
    check(&points, &[], 0.25);
}

#[test]
fn statistics_without_points() {
    check(&[], &[Vec3::ONE], 0.5);
}

#[test]
fn statistics_of_a_sparse_table() {
    let place = |k: u32| Vec3::new((k * 37 % 101) as f32, (k * 53 % 97) as f32, (k * 29 % 89) as f32) * 0.02 - 0.9;
    let points: Vec<Vec3> = (0..200).map(place).collect();
    let radius = 0.1;
    for structure in Structure::all() {
        // Whole chunks without a point, the last of them short.
        let (table_size, hash) = (100_003, HashFunction::Mix);
        let grid = GridParameters { structure, table_size, cell_size: radius, hash, bucket_capacity: 2 };
        let mut search = Search::new(&grid, radius);
        search.update(&points, &ids(points.len())).expect("the points fit into the uniform grid");
        check_search(&search, grid, &points, &[], radius);
    }
}
