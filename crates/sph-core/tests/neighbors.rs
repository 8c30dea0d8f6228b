//! The structures against brute force written out: the same neighbours, none twice.

use glam::Vec3;
use proptest::prelude::*;
use sph_core::neighbors::{GridParameters, HashFunction, NeighborLists, Pairing, Search, Structure, Tally};

/// Neighbour lists by the definition: every other point strictly closer than `radius`, indices ascending.
fn by_definition(points: &[Vec3], queries: &[Vec3], radius: f32, pairing: Pairing) -> Vec<Vec<u32>> {
    let near = |query: usize, point: usize| {
        let other = pairing == Pairing::Across || query != point;
        other && queries[query].distance_squared(points[point]) < radius * radius
    };
    (0..queries.len()).map(|query| (0..points.len()).filter(|&point| near(query, point)).map(|p| p as u32).collect()).collect()
}

/// Every structure and option that is worth telling apart, for points within `radius` of each other.
fn grids(radius: f32) -> impl Iterator<Item = GridParameters> {
    let tables = [1, 2, 97, 4096];
    let ratios = [0.25, 0.5, 1.0, 1.5, 2.5, 4.0];
    let hashed = HashFunction::ALL.into_iter().flat_map(move |hash| {
        tables.into_iter().flat_map(move |table_size| {
            ratios.map(|ratio| GridParameters {
                structure: Structure::SpatialHash,
                table_size,
                cell_size: ratio * radius,
                hash,
            })
        })
    });
    let brute =
        GridParameters { structure: Structure::BruteForce, table_size: 1, cell_size: radius, hash: HashFunction::Muller };
    hashed.chain([brute])
}

fn names(count: usize) -> Vec<u32> {
    (0..count as u32).collect()
}

fn check_across(points: &[Vec3], queries: &[Vec3], radius: f32, pairing: Pairing) {
    let expected = by_definition(points, queries, radius, pairing);
    for grid in grids(radius) {
        let mut search = Search::new(&grid, radius);
        let mut lists = NeighborLists::default();
        // Twice, because a structure must forget what it held before.
        search.update(&points[..points.len() / 2], &names(points.len() / 2));
        search.update(points, &names(points.len()));
        let tally = search.fill(&mut lists, queries, pairing);
        assert_eq!(lists.len(), queries.len());
        for (query, list) in expected.iter().enumerate() {
            assert_eq!(lists.of(query), list, "query {query} with {grid:?}");
        }
        let neighbors = expected.iter().map(|list| list.len() as u64).sum();
        assert_eq!(tally.neighbors, neighbors);
        assert!(tally.candidates >= neighbors);
    }
}

fn check(points: &[Vec3], radius: f32) {
    check_across(points, points, radius, Pairing::Within);
}

fn cloud(coordinates: std::ops::Range<f32>, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec3>> {
    let point = [coordinates.clone(), coordinates.clone(), coordinates].prop_map(Vec3::from_array);
    prop::collection::vec(point, count)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

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
    fn coincident_points(places in prop::collection::vec(prop::array::uniform3(-3i8..3), 0..150), radius in prop::sample::select(vec![0.25f32, 0.5, 1.0])) {
        let points: Vec<Vec3> = places.into_iter().map(|place| 0.25 * Vec3::from_array(place.map(f32::from))).collect();
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
    // 0.5 and 0.25 are exact in binary, so the distances are exact.
    let points = [
        Vec3::ZERO,
        Vec3::new(0.5, 0.0, 0.0),
        Vec3::new(-0.25, 0.0, 0.0),
        Vec3::new(0.0, f32::from_bits(0.5f32.to_bits() - 1), 0.0),
    ];
    check(&points, 0.5);
    assert_eq!(by_definition(&points, &points, 0.5, Pairing::Within)[0], [2, 3]);
}

/// A radius beside which the cells are minute: the query must neither miss anything nor visit them one by one.
#[test]
fn a_radius_of_a_million_cells() {
    let points: Vec<Vec3> = (0..50).map(|k| Vec3::new(k as f32, 0.0, -k as f32)).collect();
    let mut search = Search::new(
        &GridParameters { structure: Structure::SpatialHash, table_size: 64, cell_size: 1e-3, hash: HashFunction::Muller },
        1000.0,
    );
    let mut lists = NeighborLists::default();
    search.update(&points, &names(points.len()));
    let tally = search.fill(&mut lists, &points, Pairing::Within);
    assert_eq!(tally, Tally { candidates: 2500, neighbors: 2450 });
}

/// Occupancy and candidates against a slow count with ordered maps.
#[test]
fn statistics_mean_what_they_say() {
    use std::collections::{BTreeMap, BTreeSet};
    let points: Vec<Vec3> = (0..700u32)
        .map(|k| Vec3::new((k * 37 % 101) as f32, (k * 53 % 97) as f32, (k * 29 % 89) as f32) * 0.02 - 0.9)
        .collect();
    let radius = 0.2;
    for grid in grids(radius).filter(|grid| grid.structure == Structure::SpatialHash) {
        let mut search = Search::new(&grid, radius);
        let mut lists = NeighborLists::default();
        search.update(&points, &names(points.len()));
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

        // Each point tests all points of every bucket that a cell of its cube falls into, once.
        let candidates = points.iter().map(|&point| {
            let (low, high) = (cell(point - radius), cell(point + radius));
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
