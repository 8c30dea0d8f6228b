//! Transposed lists against their definition, and the rows that passes visit.

use super::*;
use crate::neighbors::{BruteForce, NeighborSearch, Pairing};
use glam::Vec3;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A plane of `n`² boundary particles 0.1 m apart, and `far` ones without fluid in reach.
fn plane(n: u16, far: usize) -> Vec<Vec3> {
    let near = (0..n).flat_map(|x| (0..n).map(move |z| 0.1 * Vec3::new(f32::from(x), 0.0, f32::from(z))));
    let far = (0..far).map(|k| Vec3::new(0.1 * k as f32, -50.0, 0.0));
    // Indices of the far ones lie in the middle.
    let mut positions: Vec<Vec3> = near.collect();
    let middle = positions.len() / 2;
    positions.splice(middle..middle, far);
    positions
}

/// `count` fluid particles at random positions above part of the plane.
fn fluid(count: u16) -> Vec<Vec3> {
    let random = |n: u16, factor: f32| (f32::from(n) * factor).fract();
    (0..count).map(|n| Vec3::new(3.0 * random(n, 0.819_17), 0.5 * random(n, 0.671_04), 2.0 * random(n, 0.549_7))).collect()
}

fn lists(fluid: &[Vec3], walls: &[Vec3]) -> NeighborLists {
    let mut search = BruteForce::new(0.25);
    search.update(walls, &(0..walls.len() as u32).collect::<Vec<_>>()).expect("an unbounded structure");
    let mut lists = NeighborLists::default();
    lists.fill(&search, fluid, Pairing::Across);
    lists
}

#[test]
fn rows_agree_with_the_definition_for_any_number_of_threads() {
    let walls = plane(40, 100);
    // Reused for more and for fewer pairs.
    let mut wall_neighbors = WallNeighborLists::default();
    for (count, threads) in [(7000, 1), (3, 1), (7000, 2), (5000, 5), (0, 2), (7000, 8)] {
        let lists = lists(&fluid(count), &walls);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| wall_neighbors.transpose(&lists, walls.len()));
        let mut expected = vec![Vec::new(); walls.len()];
        for query in 0..lists.len() {
            lists.of(query).iter().for_each(|&wall| expected[wall as usize].push(query as u32));
        }
        if count == 7000 {
            assert!(expected.iter().map(Vec::len).sum::<usize>() > LEAST, "enough for several threads");
        }
        let expected: Vec<_> = expected.iter().enumerate().filter(|(_, fluid)| !fluid.is_empty()).collect();
        let found: Vec<_> = (0..wall_neighbors.particles().len()).map(|row| wall_neighbors.row(row)).collect();
        assert!(found.len() == expected.len(), "{count} particles, {threads} threads");
        let same = found.iter().zip(&expected).all(|((wall, fluid), (expected, list))| wall == expected && fluid == list);
        assert!(same, "{count} particles, {threads} threads");
    }
}

#[test]
fn walls_far_from_the_fluid_are_not_visited() {
    let fluid = fluid(500);
    let visited = [0, 3000].map(|far| {
        let walls = plane(40, far);
        let mut wall_neighbors = WallNeighborLists::default();
        wall_neighbors.transpose(&lists(&fluid, &walls), walls.len());
        let (particles, pairs) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut values = vec![0; walls.len()];
        wall_neighbors.update(&mut values, |row, value| {
            *value = wall_neighbors.row(row).0;
            particles.fetch_add(1, Ordering::Relaxed);
        });
        let mut of_pairs: Vec<usize> = Vec::new();
        wall_neighbors.fill_pairs(&mut of_pairs, |row, values| {
            assert_eq!(values.len(), wall_neighbors.row(row).1.len());
            pairs.fetch_add(values.len(), Ordering::Relaxed);
        });
        // Each call of `change` got the value of its own boundary particle.
        assert!(values.iter().enumerate().all(|(b, &value)| value == 0 || value == b));
        assert!(walls.iter().zip(&values).all(|(position, &value)| position.y == 0.0 || value == 0), "far away");
        [particles, pairs].map(AtomicUsize::into_inner)
    });
    assert_eq!(visited[0], visited[1]);
    assert!(visited[0][0] > 400 && visited[0][1] > 1000, "{visited:?}");
}

#[test]
fn rows_of_some_particles() {
    let walls = plane(40, 100);
    let mut wall_neighbors = WallNeighborLists::default();
    wall_neighbors.transpose(&lists(&fluid(500), &walls), walls.len());
    for range in [0..0, 0..walls.len(), 13..700, 790..1200] {
        let rows = wall_neighbors.rows_of(range.clone());
        let inside = wall_neighbors.particles().iter().filter(|&&b| range.contains(&(b as usize))).count();
        assert_eq!(rows.len(), inside);
        assert!(rows.into_iter().all(|row| range.contains(&wall_neighbors.row(row).0)));
    }
}
