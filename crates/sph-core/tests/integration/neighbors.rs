//! Every structure against brute force by definition: the same neighbours, each once.

use crate::common::searches::{by_definition, cloud, grids, ids};
use glam::Vec3;
use proptest::prelude::*;
use sph_core::neighbors::{
    BlockMap, GridParameters, HashFunction, NeighborLists, Pairing, Search, Storage, Structure, Tally, Update, Walk,
};

fn check_across(points: &[Vec3], queries: &[Vec3], radius: f32, pairing: Pairing) {
    let expected = by_definition(points, queries, radius, pairing);
    for grid in grids(radius) {
        let mut search = Search::new(&grid, radius);
        let mut lists = NeighborLists::default();
        // Two updates, because the second must replace the points of the first.
        let updated = search
            .update(&points[..points.len() / 2], &ids(points.len() / 2))
            .and_then(|()| search.update(points, &ids(points.len())));
        if let Err(error) = updated {
            assert!(grid.structure == Structure::UniformGrid && error.needed > error.limit, "{error}");
            continue;
        }
        let tally = search.fill(&mut lists, queries, pairing);
        assert_eq!(lists.len(), queries.len());
        for (query, list) in expected.iter().enumerate() {
            assert_eq!(lists.of(query), list, "query {query} with {grid:?}");
        }
        let neighbors = expected.iter().map(|list| list.len() as u64).sum();
        assert_eq!(tally.neighbors, neighbors);
        // The block map walked block by block tests a pair once for both points.
        let tested_twice = !matches!(grid.structure, Structure::BlockMap(_, Walk::Blocks)) || pairing == Pairing::Across;
        assert!(tally.candidates >= if tested_twice { neighbors } else { neighbors / 2 });
    }
}

fn check(points: &[Vec3], radius: f32) {
    check_across(points, points, radius, Pairing::Within);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn random_clouds(points in cloud(-1.0..1.0, 0..200), radius in 0.05f32..1.0) {
        check(&points, radius);
    }

    #[test]
    fn queries_from_elsewhere(points in cloud(-1.0..1.0, 0..100), queries in cloud(-1.5..1.5, 0..100), radius in 0.05f32..1.0) {
        check_across(&points, &queries, radius, Pairing::Across);
    }

    #[test]
    fn negative_coordinates(points in cloud(-9.0..-8.0, 0..150), radius in 0.05f32..0.5) {
        check(&points, radius);
    }

    /// A million metres from the origin f32 resolves 6 cm: cells, points and radius are all of that order.
    #[test]
    fn far_away(points in cloud(-0.5..0.5, 0..100), corner in prop::array::uniform3(prop::bool::ANY), radius in 0.1f32..0.7) {
        let corner = Vec3::from_array(corner.map(|high| if high { 1e6 } else { -1e6 }));
        let points: Vec<Vec3> = points.into_iter().map(|point| corner + point).collect();
        check(&points, radius);
    }

    #[test]
    fn far_apart(near in cloud(-0.5..0.5, 0..40), scale in 1.0f32..1e6) {
        let points: Vec<Vec3> = near.iter().copied().chain(near.iter().map(|&point| point * scale)).collect();
        check(&points, 0.3);
    }

    /// Points on a coarse lattice: many coincide, and many lie exactly on cell faces.
    #[test]
    fn coincident_points(
        coordinates in prop::collection::vec(prop::array::uniform3(-3i8..3), 0..150),
        radius in prop::sample::select(vec![0.25f32, 0.5, 1.0]),
    ) {
        let points: Vec<Vec3> = coordinates.into_iter().map(|node| 0.25 * Vec3::from_array(node.map(f32::from))).collect();
        check(&points, radius);
    }
}

#[test]
fn no_point_and_one_point() {
    check(&[], 0.5);
    check(&[Vec3::new(-0.3, 2.0, 0.0)], 0.5);
}

#[test]
fn a_point_at_the_radius_is_no_neighbor() {
    // 0.5 and 0.25 are exact in binary, hence the distances are exact.
    let points = [
        Vec3::ZERO,
        Vec3::new(0.5, 0.0, 0.0),
        Vec3::new(-0.25, 0.0, 0.0),
        Vec3::new(0.0, f32::from_bits(0.5f32.to_bits() - 1), 0.0),
    ];
    check(&points, 0.5);
    assert_eq!(by_definition(&points, &points, 0.5, Pairing::Within)[0], [2, 3]);
}

/// Cells a million times smaller than the radius: a query must find all neighbours without enumerating the cells.
#[test]
fn a_radius_of_a_million_cells() {
    let points: Vec<Vec3> = (0..50).map(|k| Vec3::new(k as f32, 0.0, -k as f32)).collect();
    let mut search = Search::new(
        &GridParameters {
            structure: Structure::SpatialHash,
            table_size: 64,
            cell_size: 1e-3,
            hash: HashFunction::Muller,
            bucket_capacity: 1,
        },
        1000.0,
    );
    let mut lists = NeighborLists::default();
    search.update(&points, &ids(points.len())).expect("a domain of few cells");
    let tally = search.fill(&mut lists, &points, Pairing::Within);
    assert_eq!(tally, Tally { candidates: 2500, neighbors: 2450 });
}

/// Occupancy and candidates against a slow count with ordered maps.
#[test]
fn occupancy_and_candidates_match_a_slow_count() {
    use std::collections::{BTreeMap, BTreeSet};
    let points: Vec<Vec3> = (0..700u32)
        .map(|k| Vec3::new((k * 37 % 101) as f32, (k * 53 % 97) as f32, (k * 29 % 89) as f32) * 0.02 - 0.9)
        .collect();
    let radius = 0.2;
    for grid in grids(radius).filter(|grid| grid.structure == Structure::SpatialHash) {
        let mut search = Search::new(&grid, radius);
        let mut lists = NeighborLists::default();
        search.update(&points, &ids(points.len())).expect("a domain of few cells");
        let tally = search.fill(&mut lists, &points, Pairing::Within);
        let occupancy = search.occupancy();

        let per_metre = grid.cell_size.recip();
        let cell = |point: Vec3| (point * per_metre).floor().as_ivec3();
        let bucket = |point: Vec3| grid.hash.bucket(cell(point), grid.table_size);
        let mut cells_of: BTreeMap<u32, BTreeSet<[i32; 3]>> = BTreeMap::new();
        let mut length: BTreeMap<u32, usize> = BTreeMap::new();
        for &point in &points {
            cells_of.entry(bucket(point)).or_default().insert(cell(point).to_array());
            *length.entry(bucket(point)).or_default() += 1;
        }
        let occupied_cells: usize = cells_of.values().map(BTreeSet::len).sum();
        assert_eq!(occupancy.table_size, grid.table_size as usize);
        assert_eq!(occupancy.occupied_cells, occupied_cells);
        assert_eq!(occupancy.occupied_buckets, cells_of.len());
        assert_eq!(occupancy.cells_in_collision, cells_of.values().map(BTreeSet::len).filter(|&cells| cells > 1).sum());
        assert_eq!(occupancy.longest_bucket, *length.values().max().expect("points"));
        assert_eq!(occupancy.load_factor(), occupied_cells as f64 / f64::from(grid.table_size));
        let last = occupancy.bucket_histogram.len() - 1;
        let mut histogram = vec![0; last + 1];
        histogram[0] = grid.table_size as usize - length.len();
        for &points in length.values() {
            histogram[points.min(last)] += 1;
        }
        assert_eq!(occupancy.bucket_histogram.as_slice(), histogram);

        let cells = || points.iter().map(|&point| cell(point));
        let lowest = cells().reduce(|a, b| a.min(b)).expect("points");
        let highest = cells().reduce(|a, b| a.max(b)).expect("points");
        // Each query tests all points of every bucket that a cell touched by its cube hashes to, once.
        let candidates = points.iter().map(|&point| {
            // Clipped to the bounding box of the occupied cells.
            let (low, high) = (cell(point - radius).max(lowest), cell(point + radius).min(highest));
            let mut buckets = BTreeSet::new();
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    buckets.extend((low.x..=high.x).map(|x| grid.hash.bucket(glam::IVec3::new(x, y, z), grid.table_size)));
                }
            }
            buckets.iter().filter_map(|bucket| length.get(bucket)).sum::<usize>() as u64
        });
        assert_eq!(tally.candidates, candidates.sum::<u64>(), "{grid:?}");
    }
}

/// Incremental structures against brute force after each of 500 random moves, insertions and removals.
#[test]
fn incremental_updates_match_brute_force() {
    let radius = 0.4;
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut next = move || {
        // Xorshift (Marsaglia 2003): any fixed sequence will do.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 40) as f32 / (1 << 24) as f32
    };
    let incremental = |structure: &Structure| {
        matches!(structure, Structure::CellHash(Update::Incremental) | Structure::BucketHash(_, Update::Incremental, _))
    };
    let mut searches: Vec<(GridParameters, Search)> = grids(radius)
        .filter(|grid| incremental(&grid.structure) && [0.5, 1.0, 2.5].contains(&(grid.cell_size / radius)))
        .map(|grid| (grid, Search::new(&grid, radius)))
        .collect();
    assert!(searches.len() >= 30);
    // Points with their ids, in an order that is shuffled as sorting particles shuffles it.
    let mut points: Vec<(u32, Vec3)> = Vec::new();
    for change in 0..500 {
        let position = Vec3::new(next(), next(), next()) * 2.0 - 1.0;
        let chosen = (next() * points.len() as f32) as usize;
        match if points.len() < 20 { 0 } else { (next() * 4.0) as u32 } {
            0 => {
                let free = (0..).find(|id| points.iter().all(|(other, _)| other != id)).expect("a free id");
                points.push((free, position));
            }
            1 => drop(points.swap_remove(chosen)),
            2 => points[chosen].1 = position,
            _ => points[chosen].1 += 0.1 * position,
        }
        let positions: Vec<Vec3> = points.iter().map(|&(_, point)| point).collect();
        let ids: Vec<u32> = points.iter().map(|&(id, _)| id).collect();
        // Every change is registered; the lists are compared after every twentieth.
        let expected = (change % 20 == 19).then(|| by_definition(&positions, &positions, radius, Pairing::Within));
        for (grid, search) in &mut searches {
            search.update(&positions, &ids).expect("unbounded");
            if let Some(expected) = &expected {
                let mut lists = NeighborLists::default();
                search.fill(&mut lists, &positions, Pairing::Within);
                for (query, list) in expected.iter().enumerate() {
                    assert_eq!(lists.of(query), list, "after change {change}, query {query} with {grid:?}");
                }
            }
        }
    }
}

/// Spheres of different sizes in the block map: the pairs that touch, each once.
#[test]
fn spheres_of_different_sizes() {
    let place = |k: u32| Vec3::new((k * 37 % 101) as f32, (k * 53 % 97) as f32, (k * 29 % 89) as f32) * 0.02 - 0.9;
    let points: Vec<Vec3> = (0..300).map(place).collect();
    let radii: Vec<f32> = (0..300).map(|k| [0.02, 0.1, 0.3, 0.0][k % 4]).collect();
    let mut expected = Vec::new();
    for j in 0..300 {
        for i in 0..j {
            let radius = radii[i] + radii[j];
            if points[i].distance_squared(points[j]) < radius * radius {
                expected.push((i as u32, j as u32));
            }
        }
    }
    expected.sort_unstable();
    assert!(expected.len() > 100);
    for storage in Storage::ALL {
        for walk in Walk::ALL {
            for (table_size, block_size) in [(1, 0.1), (13, 0.3), (997, 0.05), (4096, 1.0)] {
                let mut map = BlockMap::new(table_size, block_size, HashFunction::Mix, 0.1, (storage, 2), walk);
                map.register(&points, &radii);
                let mut pairs = map.touching_pairs();
                pairs.touching.sort_unstable();
                assert_eq!(pairs.touching, expected, "{storage:?} {walk:?} {table_size} {block_size}");
                assert!(pairs.tested >= expected.len() as u64);
            }
        }
    }
}
