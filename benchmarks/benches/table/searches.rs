//! Neighbour searches alone: sorting and full explicit lists, rebuilt for points that have moved a little.

use crate::record::{Record, median};
use crate::{clouds, peers};
use glam::Vec3;
use rayon::ThreadPool;
use sph_core::neighbors::{CellOrder, NeighborLists, Pairing, Search, Tally};
use sph_core::parameters::{GridParameters, HashFunction, Registration, Storage, Structure, Update};
use std::time::Instant;

/// A point cloud of spacing 1, and the search radius.
struct Case {
    name: &'static str,
    radius: f32,
    points: fn() -> Vec<Vec3>,
    /// True if peers are measured on it as well.
    with_peers: bool,
}

const CASES: [Case; 5] = [
    Case { name: "lattice 2.0 97k", radius: 2.0, points: || clouds::lattice(46), with_peers: false },
    Case { name: "lattice 2.0 1M", radius: 2.0, points: || clouds::lattice(100), with_peers: true },
    Case { name: "lattice 2.4 97k", radius: 2.4, points: || clouds::lattice(46), with_peers: true },
    Case { name: "lattice 2.4 1M", radius: 2.4, points: || clouds::lattice(100), with_peers: false },
    Case { name: "wedge 2.0 1M", radius: 2.0, points: || clouds::wedge(1_000_000), with_peers: true },
];

/// The structures that take turns. The first is what the others are compared with.
const STRUCTURES: [Structure; 5] = [
    Structure::SortedCells,
    Structure::SpatialHash,
    Structure::CellHash(Update::Rebuilt),
    Structure::BucketHash(Storage::Linked, Update::Rebuilt, Registration::Once),
    Structure::UniformGrid,
];

/// Measures every case on the threads of `pool`.
pub fn measure(pool: &ThreadPool, rounds: usize, record: &mut Record) -> anyhow::Result<()> {
    for case in &CASES {
        pool.install(|| case.measure(rounds, record))?;
    }
    Ok(())
}

impl Case {
    fn measure(&self, rounds: usize, record: &mut Record) -> anyhow::Result<()> {
        let threads = rayon::current_num_threads();
        let base = sorted((self.points)(), self.radius);
        let mut ours = STRUCTURES.map(|structure| Ours::new(structure, base.len() as u32, self.radius));
        let mut peer = self.with_peers.then(|| peers::Zelll::new(self.radius));
        let mut peer_times = Vec::new();
        let mut neighbors = 0.0;
        // The first turn allocates and is not counted.
        for round in 0..=rounds {
            let points = clouds::moved(&base, round as u64);
            let each = |seconds: f64| 1e9 * seconds / points.len() as f64;
            for search in &mut ours {
                let (sort, lists, tally) = search.turn(&points)?;
                neighbors = tally.neighbors as f64 / points.len() as f64;
                if round > 0 {
                    search.times.push((each(sort), each(lists)));
                }
            }
            if let Some(peer) = &mut peer {
                let start = Instant::now();
                let pairs = peer.count_pairs(&points);
                if round > 0 {
                    peer_times.push(each(start.elapsed().as_secs_f64()));
                }
                anyhow::ensure!(2.0 * pairs as f64 / points.len() as f64 == neighbors, "{}: other pairs than zelll", self.name);
            }
        }
        record.add(format!("{}: neighbours", self.name), threads, neighbors, "a point");
        for search in &ours {
            let name = format!("{}: {}", self.name, search.structure.name());
            let of = |time: fn(&(f64, f64)) -> f64| median(search.times.iter().map(time).collect());
            record.add(format!("{name}, sort and build"), threads, of(|time| time.0), "ns/point");
            record.add(format!("{name}, lists"), threads, of(|time| time.1), "ns/point");
            record.add(format!("{name}, all"), threads, of(|time| time.0 + time.1), "ns/point");
            if search.structure != STRUCTURES[0] {
                let ratio = ours[0].times.iter().zip(&search.times).map(|(first, own)| (own.0 + own.1) / (first.0 + first.1));
                record.add(format!("{name}, over {}", STRUCTURES[0].name()), threads, median(ratio.collect()), "x");
            }
            if !peer_times.is_empty() {
                let ratio = search.times.iter().zip(&peer_times).map(|(ours, peer)| peer / (ours.0 + ours.1)).collect();
                record.add(format!("{name}, faster than zelll"), threads, median(ratio), "x");
            }
        }
        if !peer_times.is_empty() {
            record.add(format!("{}: zelll, pairs counted", self.name), threads, median(peer_times), "ns/point");
        }
        Ok(())
    }
}

/// The points in the order of their cells.
fn sorted(points: Vec<Vec3>, radius: f32) -> Vec<Vec3> {
    CellOrder::default().sort(&points, radius).iter().map(|&index| points[index as usize]).collect()
}

/// One of our structures, and the times of its turns: sorting and building, filling lists, ns per point.
struct Ours {
    structure: Structure,
    radius: f32,
    search: Search,
    order: CellOrder,
    lists: NeighborLists,
    points: Vec<Vec3>,
    ids: Vec<u32>,
    times: Vec<(f64, f64)>,
}

impl Ours {
    /// For `count` points, with two buckets for each.
    fn new(structure: Structure, count: u32, radius: f32) -> Self {
        let grid = GridParameters {
            structure,
            table_size: 2 * count,
            cell_size: radius,
            hash: HashFunction::Muller,
            bucket_capacity: 16,
        };
        Self {
            structure,
            radius,
            search: Search::new(&grid, radius),
            order: CellOrder::default(),
            lists: NeighborLists::default(),
            points: Vec::new(),
            ids: Vec::new(),
            times: Vec::new(),
        }
    }

    /// Sorts and registers the points, then fills their lists; returns the time of both parts, s, and the tally of pairs.
    fn turn(&mut self, points: &[Vec3]) -> anyhow::Result<(f64, f64, Tally)> {
        use rayon::prelude::*;
        let start = Instant::now();
        let order = self.order.sort(points, self.radius);
        order.par_iter().with_min_len(4096).map(|&index| points[index as usize]).collect_into_vec(&mut self.points);
        self.ids.clear();
        self.ids.extend_from_slice(order);
        self.search.update(&self.points, &self.ids)?;
        let sort = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let tally = self.search.fill(&mut self.lists, &self.points, Pairing::Within);
        Ok((sort, start.elapsed().as_secs_f64(), tally))
    }
}
