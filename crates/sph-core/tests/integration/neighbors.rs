//! Every structure against brute force by definition: the same neighbours, each once; what it says that it holds, costs and does.

use crate::common::searches::{Model, by_definition, cell_of, cloud, each, grids, ids, some_grids};
use glam::{IVec3, Vec3};
use proptest::prelude::*;
use sph_core::neighbors::{
    BlockMap, CellOrder, GridParameters, HISTOGRAM_BINS, HashFunction, NeighborLists, Occupancy, Pairing, Registration, Search,
    SphereSearch, Storage, Structure, Tally, Trace, Update, Verdict, Walk,
};
use sph_core::{Dimensions, Discretization};
use std::collections::{BTreeMap, BTreeSet, HashSet};

fn check_across(points: &[Vec3], queries: &[Vec3], radius: f32, pairing: Pairing) {
    let expected = by_definition(points, queries, radius, pairing);
    for grid in some_grids(radius, points.len()) {
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
                    buckets.extend((low.x..=high.x).map(|x| grid.hash.bucket(IVec3::new(x, y, z), grid.table_size)));
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

/// Pairs of spheres that touch, by definition, the lower index first, ascending.
fn touching(centers: &[Vec3], radii: &[f32]) -> Vec<(u32, u32)> {
    let touch = |i: usize, j: usize| centers[i].distance_squared(centers[j]) < (radii[i] + radii[j]).powi(2);
    let partners = |i: usize| (i + 1..centers.len()).filter(move |&j| touch(i, j)).map(move |j| (i as u32, j as u32));
    (0..centers.len()).flat_map(partners).collect()
}

/// Every structure finds the pairs of spheres, each once and in order, also after a search among fewer and smaller ones.
fn check_spheres(centers: &[Vec3], radii: &[f32], cell_size: f32) {
    let expected = touching(centers, radii);
    let half = centers.len() / 2;
    let smaller: Vec<f32> = radii[..half].iter().map(|radius| 0.4 * radius).collect();
    for grid in some_grids(cell_size, centers.len()) {
        let mut search = SphereSearch::new(&grid);
        for (count, radii) in [(half, &smaller[..]), (centers.len(), radii)] {
            if let Err(error) = search.find(&centers[..count], radii, &ids(count)) {
                assert!(grid.structure == Structure::UniformGrid && error.needed > error.limit, "{error}");
                continue;
            }
            if count == centers.len() {
                let found: Vec<(u32, u32)> =
                    (0..count).flat_map(|i| search.partners(i).iter().map(move |&j| (i as u32, j))).collect();
                assert_eq!(found, expected, "{grid:?}");
                let tally = search.stats().tally;
                assert_eq!(tally.neighbors, expected.len() as u64);
                assert!(tally.candidates >= tally.neighbors, "{grid:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn spheres_of_many_radii(
        centers in cloud(-1.0..1.0, 0..150),
        sizes in prop::collection::vec(0.0f32..1.0, 150),
        largest in 0.02f32..0.5,
        cell_size in 0.05f32..0.3,
    ) {
        // Radii 1 : 20, spread evenly in their logarithm.
        let radii: Vec<f32> = sizes[..centers.len()].iter().map(|size| largest * 20f32.powf(-size)).collect();
        check_spheres(&centers, &radii, cell_size);
    }
}

/// Spheres that touch in one point do not count, nor do points; coincident ones of equal radius do.
#[test]
fn spheres_at_the_limit() {
    let centers: Vec<Vec3> = [0.0, 0.75, 0.75, 0.5, 0.5, 1e6].map(|x| Vec3::new(x, -x, 0.0)).to_vec();
    let flat: Vec<Vec3> = centers.iter().map(|center| center.with_y(0.0)).collect();
    let radii = [0.5, 0.25, 0.25, 0.0, 0.0, 0.5];
    assert_eq!(touching(&flat, &radii), [(1, 2)]);
    for centers in [&centers, &flat, &vec![Vec3::ONE; 6], &vec![Vec3::ZERO; 0]] {
        check_spheres(centers, &radii[..centers.len()], 0.5);
        check_spheres(centers, &vec![0.0; centers.len()], 0.5);
    }
}

/// The larger sphere asks: a few large spheres do not make the queries of all small ones large.
#[test]
fn a_large_sphere_costs_one_large_query() {
    let lattice = |k: u32| Vec3::new((k % 20) as f32, (k / 20 % 20) as f32, (k / 400) as f32) * 0.05;
    let centers: Vec<Vec3> = (0..8000).map(lattice).collect();
    let radii: Vec<f32> = (0..8000).map(|k| if k == 4000 { 0.48 } else { 0.024 }).collect();
    let hash = HashFunction::Mix;
    let grid =
        GridParameters { structure: Structure::SortedCells, table_size: 8192, cell_size: 0.05, hash, bucket_capacity: 8 };
    let mut search = SphereSearch::new(&grid);
    search.find(&centers, &radii, &ids(8000)).expect("few cells");
    let tally = search.stats().tally;
    // Cells within a diameter: at most 3³ for each small sphere, all for the large one.
    assert!(tally.neighbors > 1000 && tally.candidates <= 27 * 8000 + 8000, "{tally:?}");
}

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

fn check_statistics(points: &[Vec3], queries: &[Vec3], radius: f32) {
    for grid in some_grids(radius, points.len()) {
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
        check_statistics(&points, &queries, radius);
    }

    #[test]
    fn statistics_in_the_plane(points in cloud(-3.0..-1.0, 0..80), radius in 0.1f32..0.6) {
        let points: Vec<Vec3> = points.into_iter().map(|point| point.with_z(0.0)).collect();
        check_statistics(&points, &points[..points.len() / 4], radius);
    }
}

#[test]
fn statistics_of_a_dense_block() {
    let place = |k: u32| Vec3::new((k * 37 % 101) as f32, (k * 53 % 97) as f32, (k * 29 % 89) as f32) * 0.02 - 0.9;
    let points: Vec<Vec3> = (0..200).map(place).collect();
    check_statistics(&points, &[], 0.25);
}

#[test]
fn statistics_without_points() {
    check_statistics(&[], &[Vec3::ONE], 0.5);
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

/// A full lattice, in a table so large that hardly two cells share a bucket.
#[test]
fn a_lattice_fits_into_buckets_of_the_usual_capacity() {
    let discretization = Discretization::new(Dimensions::Three, 0.1);
    let radius = discretization.support_radius;
    let points: Vec<Vec3> =
        (0..16 * 16 * 16).map(|k| 0.1 * Vec3::new((k % 16) as f32, (k / 16 % 16) as f32, (k / 256) as f32)).collect();
    for structure in Structure::all().into_iter().filter(|structure| structure.has_fixed_buckets()) {
        for ratio in [1.0, 1.5] {
            let spatial = GridParameters {
                structure: Structure::SpatialHash,
                table_size: 8192,
                cell_size: ratio * radius,
                hash: HashFunction::Morton,
                bucket_capacity: 16,
            };
            let grid = GridParameters { structure, ..spatial }.adapted_from(&spatial, &discretization);
            let mut search = Search::new(&grid, radius);
            search.update(&points, &ids(points.len())).expect("no bound");
            assert_eq!(search.occupancy().spills, 0, "{grid:?}");
            // What a user has chosen stays, and what is usual follows the cell size.
            let chosen = GridParameters { bucket_capacity: 5, ..grid };
            assert_eq!(
                GridParameters { cell_size: 2.0 * radius, ..chosen }.adapted_from(&chosen, &discretization).bucket_capacity,
                5
            );
            let wider = GridParameters { cell_size: 2.0 * grid.cell_size, ..grid }.adapted_from(&grid, &discretization);
            let most = grid.most_places_per_bucket();
            assert!(wider.bucket_capacity > grid.bucket_capacity || grid.bucket_capacity == most, "{wider:?}");
        }
    }
}

/// The structures of all grids that can hold `points`, filled with other points before.
fn searches(points: &[Vec3], radius: f32) -> impl Iterator<Item = (GridParameters, Search)> {
    some_grids(radius, points.len()).filter_map(move |grid| {
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
        let hash = HashFunction::Mix;
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
            Structure::SpatialHash | Structure::CellHash(_) | Structure::BucketHash(_, _, Registration::Once)
        );
        if single {
            let hash = HashFunction::Muller;
            let grid = GridParameters { structure, table_size: 64, cell_size: 1e-3, hash, bucket_capacity: 1 };
            let mut search = Search::new(&grid, 30.0);
            search.update(&points, &ids(points.len())).expect("unbounded");
            let trace = search.trace(points[0], Some(0));
            assert_eq!((trace.candidates(), trace.count(Verdict::Neighbor)), (50, 21), "{structure:?}");
            assert!(trace.lookups.iter().all(|lookup| lookup.points > 0));
        }
    }
}

/// Points in memory in the order of cells, as those of a fluid, in a table with room: hash tables then read whole rows of cells. Two
/// layers, so that stencils are also clipped, and tables in which some cells collide.
#[test]
fn points_in_the_order_of_cells() {
    let radius = 0.25;
    let lattice = |k: u32| Vec3::new((k % 20) as f32, (k / 20 % 14) as f32, (k / 280) as f32) * 0.125 - 1.0;
    let unsorted: Vec<Vec3> =
        (0..1960).map(|k| lattice(k) + 0.01 * Vec3::new((k * 37 % 5) as f32, 0.0, (k * 53 % 3) as f32)).collect();
    let mut order = CellOrder::default();
    let points: Vec<Vec3> = order.sort(&unsorted, radius).iter().map(|&index| unsorted[index as usize]).collect();
    let expected = by_definition(&points, &points, radius, Pairing::Within);
    let bucket_hash = |storage| Structure::BucketHash(storage, Update::Rebuilt, Registration::Once);
    let structures = [Structure::SpatialHash, Structure::CellHash(Update::Rebuilt)];
    for structure in structures.into_iter().chain(Storage::ALL.into_iter().map(bucket_hash)) {
        for (table_size, hash) in [(1200, HashFunction::Muller), (3920, HashFunction::Mix), (4096, HashFunction::Morton)] {
            for ratio in [1.0, 2.0] {
                let grid = GridParameters { structure, table_size, cell_size: ratio * radius, hash, bucket_capacity: 16 };
                let (mut search, mut lists) = (Search::new(&grid, radius), NeighborLists::default());
                search.update(&points, &ids(points.len())).expect("unbounded");
                let tally = search.fill(&mut lists, &points, Pairing::Within);
                for (query, list) in expected.iter().enumerate() {
                    assert_eq!(lists.of(query), list, "query {query} with {grid:?}");
                }
                let model = Model::new(grid, radius, &points);
                assert_eq!(tally.candidates, model.tested(&points, Pairing::Within), "{grid:?}");
                for query in (0..points.len()).step_by(97) {
                    let candidates = search.candidates(points[query]);
                    let near = |index: &&u32| points[**index as usize].distance(points[query]) < radius;
                    let in_order = candidates.indices().iter().filter(near).is_sorted();
                    // The cell hash keeps points in the order of its own cells.
                    assert!(in_order || structure == Structure::CellHash(Update::Rebuilt) && ratio > 1.0, "{grid:?}");
                    check_trace(&search.trace(points[query], Some(query as u32)), &search, &model, &grid);
                }
            }
        }
    }
}
