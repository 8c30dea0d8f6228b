//! Reported contents of structures and traces of queries, against slow counts and against the neighbours found.

use crate::common::model::{Model, cell_of, each};
use crate::common::searches::{by_definition, cloud, grids, ids};
use glam::{IVec3, Vec3};
use proptest::prelude::*;
use sph_core::neighbors::{GridParameters, Pairing, Search, Structure, Trace, Verdict};
use std::collections::HashSet;

/// The structures of all grids that can hold `points`, filled with other points before.
fn searches(points: &[Vec3], radius: f32) -> impl Iterator<Item = (GridParameters, Search)> {
    grids(radius).filter_map(move |grid| {
        let mut search = Search::new(&grid, radius);
        let half: Vec<Vec3> = points[points.len() / 2..].iter().map(|&point| point * 1.2).collect();
        let updated = search.update(&half, &ids(half.len())).and_then(|()| search.update(points, &ids(points.len())));
        assert!(updated.is_ok() || grid.structure == Structure::UniformGrid);
        updated.is_ok().then_some((grid, search))
    })
}

fn check_contents(points: &[Vec3], radius: f32) {
    for (grid, search) in searches(points, radius) {
        let (contents, model) = (search.contents(), Model::new(grid, radius, points));
        assert_eq!(contents.cell_size, if grid.structure == Structure::BruteForce { 0.0 } else { grid.cell_size });
        assert_eq!(contents.bucket_lengths.len(), model.table_size(), "{grid:?}");
        for (bucket, &length) in contents.bucket_lengths.iter().enumerate() {
            assert_eq!(length as usize, model.buckets.get(&(bucket as u32)).map_or(0, Vec::len), "bucket {bucket}, {grid:?}");
        }
        let mut expected = Vec::new();
        for (&bucket, cells) in &model.cells_of_bucket {
            for &[z, y, x] in cells {
                expected.push(([x, y, z], bucket, model.cells[&IVec3::new(x, y, z)].len() as u32, cells.len() as u32));
            }
        }
        let found: Vec<_> =
            contents.cells.iter().map(|cell| (cell.cell.to_array(), cell.bucket, cell.points, cell.sharing)).collect();
        assert_eq!(found, expected, "{grid:?}");
    }
}

fn check_traces(points: &[Vec3], queries: &[Vec3], radius: f32, pairing: Pairing) {
    let neighbors = by_definition(points, queries, radius, pairing);
    for (grid, search) in searches(points, radius) {
        let model = Model::new(grid, radius, points);
        for (query, &center) in queries.iter().enumerate() {
            let itself = (pairing == Pairing::Within).then_some(query as u32);
            let trace = search.trace(center, itself);
            check_trace(&trace, &search, &model, &grid);
            let of = |verdict| -> Vec<u32> {
                let mut ids: Vec<u32> =
                    trace.visited.iter().filter(|point| point.verdict == verdict).map(|point| point.index).collect();
                ids.sort_unstable();
                ids
            };
            assert_eq!(of(Verdict::Itself), itself.into_iter().collect::<Vec<_>>(), "{grid:?}");
            assert_eq!(of(Verdict::Neighbor), neighbors[query], "query {query} with {grid:?}");
            let in_reach: HashSet<IVec3> = each(trace.reach).collect();
            let is_in_reach = |index: &u32| each(model.registered[*index as usize]).any(|cell| in_reach.contains(&cell));
            assert!(of(Verdict::TooFar).iter().all(is_in_reach), "{grid:?}");
            assert!(!of(Verdict::Foreign).iter().any(is_in_reach), "{grid:?}");
        }
    }
}

/// Checks that hold for every trace, whether or not the query point is registered.
fn check_trace(trace: &Trace, search: &Search, model: &Model<'_>, grid: &GridParameters) {
    let mut tested: Vec<u32> =
        trace.visited.iter().filter(|point| point.verdict != Verdict::PassedOver).map(|point| point.index).collect();
    tested.sort_unstable();
    let mut collected = search.candidates(trace.center).indices().to_vec();
    collected.sort_unstable();
    assert_eq!(tested, collected, "{grid:?}");
    assert_eq!(trace.candidates(), tested.len());
    assert_eq!(Verdict::ALL.iter().map(|&verdict| trace.count(verdict)).sum::<usize>(), trace.visited.len());
    assert_eq!(tested, model.candidates(trace.center), "{grid:?}");

    // The buckets of the cells in reach, each once; the points found lie in them.
    // All boxes without a cell count as equal.
    let cells = |(low, high): (IVec3, IVec3)| low.cmple(high).all().then_some((low, high));
    assert_eq!(trace.cell, cell_of(grid, trace.center), "{grid:?}");
    assert_eq!(cells(trace.reach), cells(model.reach(trace.center)), "{grid:?}");
    let mut buckets: Vec<(u32, u32)> = Vec::new();
    for bucket in each(trace.reach).map(|cell| model.bucket(cell)) {
        match buckets.iter_mut().find(|(other, _)| *other == bucket) {
            Some((_, cells)) => *cells += 1,
            None => buckets.push((bucket, 1)),
        }
    }
    let lookups: Vec<(u32, u32)> = trace.lookups.iter().map(|lookup| (lookup.bucket, lookup.cells)).collect();
    assert_eq!(lookups, buckets, "{grid:?}");
    let mut visited = trace.visited.iter();
    for lookup in &trace.lookups {
        let here: Vec<_> = visited.by_ref().take(lookup.points as usize).collect();
        assert!(here.iter().all(|point| point.bucket == lookup.bucket));
        let mut ids: Vec<u32> = here.iter().map(|point| point.index).collect();
        ids.sort_unstable();
        let in_bucket: Vec<u32> = model.buckets.get(&lookup.bucket).into_iter().flatten().copied().collect();
        if matches!(grid.structure, Structure::CellHash(_)) {
            assert!(ids.iter().all(|id| in_bucket.contains(id)), "{grid:?}");
        } else {
            assert_eq!(ids, in_bucket, "bucket {} with {grid:?}", lookup.bucket);
        }
    }
    assert_eq!(visited.len(), 0);
}

#[test]
fn traces_without_points() {
    check_traces(&[], &[Vec3::splat(-7.5), Vec3::ZERO], 0.1, Pairing::Across);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn contents_of_random_clouds(points in cloud(-1.0..1.0, 0..120), radius in 0.1f32..1.0) {
        check_contents(&points, radius);
    }

    #[test]
    fn contents_far_apart(near in cloud(-0.5..0.5, 0..20), scale in 1.0f32..1e4) {
        let points: Vec<Vec3> = near.iter().copied().chain(near.iter().map(|&point| point * scale)).collect();
        check_contents(&points, 0.3);
    }

    #[test]
    fn traces_in_random_clouds(points in cloud(-1.0..1.0, 0..30), radius in 0.1f32..1.0) {
        check_traces(&points, &points, radius, Pairing::Within);
    }

    #[test]
    fn traces_from_elsewhere(points in cloud(-9.0..-8.0, 0..30), queries in cloud(-9.5..-7.5, 0..10), radius in 0.1f32..1.0) {
        check_traces(&points, &queries, radius, Pairing::Across);
    }

    #[test]
    fn traces_in_the_plane(points in cloud(-1.0..1.0, 0..40), radius in 0.1f32..0.5) {
        let points: Vec<Vec3> = points.into_iter().map(|point| point.with_z(0.0)).collect();
        check_traces(&points, &points, radius, Pairing::Within);
        check_contents(&points, radius);
    }
}

/// Particles start on lattices, which may lie on the faces of cells: rounding must not assign a point to a neighbouring cell.
#[test]
fn points_on_faces_lie_in_their_registered_cells() {
    for spacing in [0.05f32, 0.1, 0.07] {
        let points: Vec<Vec3> = (-200..200).map(|k| Vec3::new(k as f32 * spacing, 0.0, -k as f32 * spacing)).collect();
        let hash = sph_core::neighbors::HashFunction::Mix;
        let grid =
            GridParameters { structure: Structure::SpatialHash, table_size: 512, cell_size: spacing, hash, bucket_capacity: 1 };
        let mut search = Search::new(&grid, spacing);
        search.update(&points, &ids(points.len())).expect("unbounded");
        let contents = search.contents();
        let occupied: HashSet<IVec3> = contents.cells.iter().map(|cell| cell.cell).collect();
        let found: HashSet<IVec3> = points.iter().map(|&point| contents.cell_of(point)).collect();
        assert_eq!(found, occupied);
    }
}

/// Cells so small that a query does not enumerate those in reach.
#[test]
fn a_vast_reach_is_traced() {
    let points: Vec<Vec3> = (0..50).map(|k| Vec3::new(k as f32, 0.0, -k as f32)).collect();
    for structure in Structure::all() {
        let single = matches!(
            structure,
            Structure::SpatialHash
                | Structure::CellHash(_)
                | Structure::BucketHash(_, _, sph_core::neighbors::Registration::Once)
        );
        if single {
            let hash = sph_core::neighbors::HashFunction::Muller;
            let grid = GridParameters { structure, table_size: 64, cell_size: 1e-3, hash, bucket_capacity: 1 };
            let mut search = Search::new(&grid, 30.0);
            search.update(&points, &ids(points.len())).expect("unbounded");
            let trace = search.trace(points[0], Some(0));
            assert_eq!((trace.candidates(), trace.count(Verdict::Neighbor)), (50, 21), "{structure:?}");
            assert!(trace.lookups.iter().all(|lookup| lookup.points > 0));
        }
    }
}
