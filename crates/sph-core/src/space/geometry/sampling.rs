//! Points in solids, and layers of points at their surfaces.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::measure::layer_volume;
use super::solid::Side;
use super::{Nearest, Solid};
use crate::parameters::Dimensions;
use crate::passes::sweep;
use glam::{DVec3, I64Vec3, IVec3, Vec3};

/// Layers of points behind a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layers {
    pub dimensions: Dimensions,
    /// Distance between points and between layers dx, m.
    pub spacing: f32,
    pub count: u32,
    /// Distance by which they lie deeper, m.
    pub shift: f32,
    pub side: Side,
}

// Sampling of surfaces with even layers of points.
//
// Layer k lies at the depth (k + ½) dx behind the surface. Candidates are points of a fine lattice, moved to that depth along the
// gradient of the distance; of those, points are taken one by one that are not too close to those taken before, and then pushed
// apart within their layer. The volume of a layer is shared among its points, more to those that have more room.

/// Distance between candidates, in spacings.
const PITCH: f64 = 0.5;
/// Least distance of two points of a layer before they are pushed apart, in spacings: in the plane about one point for each dx².
const APART: [f64; 2] = [0.8, 0.84];
/// Least distance of points of different layers, where surfaces face each other closer than their layers are deep, in spacings.
const LAYERS_APART: f64 = 0.7;
/// Reach of the push, in spacings.
const REACH: f64 = 1.6;
/// Rounds of pushing.
const ROUNDS: u32 = 30;
/// Largest error of the depth of a point, in spacings.
const TOLERANCE: f64 = 0.02;

impl Layers {
    /// Number of points, about, from the volume of the layers; a little high.
    pub fn estimate(&self, solid: &Solid) -> u64 {
        solid.estimate(self, || {
            let spacing = f64::from(self.spacing);
            let depths = [0.0, f64::from(self.count) * spacing];
            let sampler = Sampler { solid, layers: *self, spacing };
            let volume = layer_volume(sampler.bounds(depths[1]), self.dimensions, depths, |at| sampler.depth(at));
            let [min, max] = solid.bounds();
            let extent = if self.dimensions == Dimensions::Two { (max - min).with_z(0.0) } else { max - min };
            // A needle can slip through the cells of the sum, but has points from end to end.
            let length = extent.max_element() / spacing;
            ((1.3 * volume / spacing.powi(self.dimensions.count() as i32)).max(length).ceil() as u64).saturating_add(10)
        })
    }
}

/// Points of the layers of a surface, m, and the volume of each, m³ (m² in two dimensions).
pub(crate) fn sample_layers(solid: &Solid, layers: Layers) -> (Vec<Vec3>, Vec<f32>) {
    let sampler = Sampler { solid, layers, spacing: f64::from(layers.spacing) };
    let (mut points, mut volumes) = (Vec::new(), Vec::new());
    let mut taken = PointGrid::new(LAYERS_APART * sampler.spacing);
    for layer in 0..layers.count {
        let mut chosen = sampler.choose(layer, &taken);
        for _ in 0..ROUNDS {
            chosen = sampler.push_apart(layer, &chosen);
        }
        for &point in &chosen {
            taken.insert(0, point);
        }
        let depths = [0, 1].map(|side| f64::from(layer + side) * sampler.spacing);
        let bounds = sampler.bounds(depths[1]);
        let total = layer_volume(bounds, layers.dimensions, depths, |at| sampler.depth(at));
        volumes.extend(sampler.share(total, &chosen).map(|volume| volume as f32));
        points.extend(chosen.into_iter().map(DVec3::as_vec3));
    }
    (points, volumes)
}

struct Sampler<'a> {
    solid: &'a Solid,
    layers: Layers,
    spacing: f64,
}

impl Sampler<'_> {
    /// Points of a layer, none too close to another or to those `taken` by other layers.
    fn choose(&self, layer: u32, taken: &PointGrid) -> Vec<DVec3> {
        let apart = APART[self.layers.dimensions.count() - 2] * self.spacing;
        let (mut grid, mut chosen) = (PointGrid::new(apart), Vec::new());
        for point in self.candidates(layer) {
            if grid.near(point).next().is_none() && taken.near(point).next().is_none() {
                grid.insert(chosen.len() as u32, point);
                chosen.push(point);
            }
        }
        chosen
    }

    /// Points of a fine lattice that are near a layer, moved onto it.
    fn candidates(&self, layer: u32) -> Vec<DVec3> {
        let (pitch, target) = (PITCH * self.spacing, self.target(layer));
        let [min, max] = self.bounds(target + pitch);
        let (counts, corner) = centred_cells(min, max, pitch, self.layers.dimensions);
        let position = |index: I64Vec3| corner + pitch * (index.as_dvec3() + 0.5);
        let level = self.layers.side.depth(target);
        let near = Lattice { counts, position, slant: 0.0 }.near(self.solid, &(level - 0.9 * pitch..=level + 0.9 * pitch));
        near.into_iter().filter_map(|point| self.project(point.position, target)).collect()
    }

    /// Points of a layer after a round of pushing.
    fn push_apart(&self, layer: u32, points: &[DVec3]) -> Vec<DVec3> {
        let reach = REACH * self.spacing;
        let grid = PointGrid::of(reach, points);
        let mut pushed = Vec::new();
        sweep::map(points.len(), &mut pushed, |i| {
            let push = |(j, other): (u32, DVec3)| {
                let offset = points[i] - other;
                let distance = offset.length();
                if j as usize == i || distance == 0.0 { DVec3::ZERO } else { (1.0 - distance / reach) / distance * offset }
            };
            let sum: DVec3 = grid.near(points[i]).map(push).sum();
            let moved = points[i] + 0.25 * self.spacing * sum.clamp_length_max(1.0);
            self.project(moved, self.target(layer)).unwrap_or(points[i])
        });
        pushed
    }

    /// Shares of `total`, inversely to the density of points within their layer.
    fn share(&self, total: f64, points: &[DVec3]) -> impl Iterator<Item = f64> {
        let reach = 2.0 * self.spacing;
        let grid = PointGrid::of(reach, points);
        let mut rooms = Vec::new();
        sweep::map(points.len(), &mut rooms, |i| {
            let weight = |(_, other): (u32, DVec3)| (1.0 - points[i].distance_squared(other) / (reach * reach)).powi(3);
            1.0 / grid.near(points[i]).map(weight).sum::<f64>()
        });
        let all: f64 = rooms.iter().sum();
        rooms.into_iter().map(move |room| total * room / all)
    }

    /// The point at the depth `target` (m) next to `at`, m; none where the distance has a ridge before.
    fn project(&self, mut at: DVec3, target: f64) -> Option<DVec3> {
        for _ in 0..5 {
            let Nearest { distance, normal } = self.solid.nearest(at);
            let missing = target - self.layers.side.depth(distance);
            if missing.abs() <= 1e-3 * TOLERANCE * self.spacing {
                return Some(at);
            }
            at += self.layers.side.depth(missing) * normal;
            if self.layers.dimensions == Dimensions::Two {
                at.z = 0.0;
            }
        }
        ((self.depth(at) - target).abs() <= TOLERANCE * self.spacing).then_some(at)
    }

    /// Box around all that is at most `depth` (m) behind the surface, m.
    fn bounds(&self, depth: f64) -> [DVec3; 2] {
        let margin = if self.layers.side == Side::Outside { depth } else { 0.0 };
        let [min, max] = self.solid.bounds();
        [min - margin, max + margin]
    }

    /// Depth of a layer, m.
    fn target(&self, layer: u32) -> f64 {
        (f64::from(layer) + 0.5) * self.spacing + f64::from(self.layers.shift)
    }

    fn depth(&self, at: DVec3) -> f64 {
        self.layers.side.depth(self.solid.nearest(at).distance)
    }
}

// Points of a lattice that are near a surface or inside it.

/// Lattice points along the side of a block that is looked at or skipped as a whole.
const BLOCK: i64 = 8;

/// Point of a lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LatticePoint {
    pub index: I64Vec3,
    /// Position, m.
    pub position: DVec3,
    /// Signed distance from the surface, m.
    pub distance: f64,
}

/// A lattice over a box: `counts` points along each axis, where `position` (m) is that of each index, at most `slant` (m) from
/// where a lattice of equal steps would have it.
pub(crate) struct Lattice<P> {
    pub counts: I64Vec3,
    pub position: P,
    pub slant: f64,
}

impl<P: Fn(I64Vec3) -> DVec3 + Sync> Lattice<P> {
    /// Its points whose signed distance from the surface of `solid` is in `wanted` (m), block by block; time and memory grow with their
    /// number.
    pub fn near(&self, solid: &Solid, wanted: &RangeInclusive<f64>) -> Vec<LatticePoint> {
        let blocks = (self.counts + BLOCK - 1) / BLOCK;
        let mut near = Vec::new();
        self.divide((I64Vec3::ZERO, blocks - 1), solid, wanted, &mut near);
        near.sort_unstable_by_key(|block| (block.z, block.y, block.x));
        let mut found: Vec<Vec<LatticePoint>> = vec![Vec::new(); near.len()];
        sweep::update(&mut found, |index, found| {
            let [first, last] = self.points_of(near[index], near[index]);
            for z in first.z..=last.z {
                for y in first.y..=last.y {
                    for x in first.x..=last.x {
                        let index = I64Vec3::new(x, y, z);
                        let position = (self.position)(index);
                        let distance = solid.nearest(position).distance;
                        if wanted.contains(&distance) {
                            found.push(LatticePoint { index, position, distance });
                        }
                    }
                }
            }
        });
        found.concat()
    }

    /// Divides the box of blocks from `first` to `last` into single blocks, and adds those to `near` that may have a distance in `wanted`
    /// (m): not all blocks, of which there are too many if two small parts are far apart.
    fn divide(&self, (first, last): (I64Vec3, I64Vec3), solid: &Solid, wanted: &RangeInclusive<f64>, near: &mut Vec<I64Vec3>) {
        let ends = self.points_of(first, last).map(&self.position);
        let (middle, radius) = (0.5 * (ends[0] + ends[1]), 0.5 * ends[0].distance(ends[1]) + self.slant);
        // Distances differ by no more than places do.
        let distance = solid.nearest(middle).distance;
        if distance - radius > *wanted.end() || distance + radius < *wanted.start() {
            return;
        }
        if first == last {
            return near.push(first);
        }
        let extent = last - first;
        let axis = (0..3).max_by_key(|&axis| extent[axis]).unwrap_or(0);
        let (mut below, mut above) = (last, first);
        below[axis] = first[axis] + extent[axis] / 2;
        above[axis] = below[axis] + 1;
        self.divide((first, below), solid, wanted, near);
        self.divide((above, last), solid, wanted, near);
    }

    /// The first and the last point of the blocks from `first` to `last`.
    fn points_of(&self, first: I64Vec3, last: I64Vec3) -> [I64Vec3; 2] {
        [BLOCK * first, (BLOCK * (last + 1)).min(self.counts) - 1]
    }
}

// Grid of points, for those near a place.

/// Points by their cells. Unbounded, and filled point by point.
pub(crate) struct PointGrid {
    radius: f64,
    cells: HashMap<IVec3, Vec<(u32, DVec3)>>,
}

impl PointGrid {
    /// Empty grid for queries of at most `radius`, m.
    pub fn new(radius: f64) -> Self {
        Self { radius, cells: HashMap::new() }
    }

    /// Grid of `points`, m, which are called by their index.
    pub fn of(radius: f64, points: &[DVec3]) -> Self {
        let mut grid = Self::new(radius);
        points.iter().enumerate().for_each(|(index, &point)| grid.insert(index as u32, point));
        grid
    }

    pub fn insert(&mut self, index: u32, point: DVec3) {
        self.cells.entry(self.cell(point)).or_default().push((index, point));
    }

    /// Points closer than the radius to `at` (m), with their indices, in an order that depends on the points only.
    pub fn near(&self, at: DVec3) -> impl Iterator<Item = (u32, DVec3)> + '_ {
        let middle = self.cell(at);
        let around = (-1..=1).flat_map(|z| (-1..=1).flat_map(move |y| (-1..=1).map(move |x| IVec3::new(x, y, z))));
        let squared = self.radius * self.radius;
        around
            // Cells of points that are too far away to be counted are at the ends of the numbers.
            .filter_map(move |step| self.cells.get(&middle.wrapping_add(step)))
            .flatten()
            .copied()
            .filter(move |(_, point)| point.distance_squared(at) < squared)
    }

    fn cell(&self, point: DVec3) -> IVec3 {
        (point / self.radius).floor().as_ivec3()
    }
}

/// Numbers of steps of `pitch` (m) that cover the box from `min` to `max` (m), and the corner of the first cell so that they are
/// centred; one layer in the plane z = 0 in two dimensions.
pub(crate) fn centred_cells(min: DVec3, max: DVec3, pitch: f64, dimensions: Dimensions) -> (I64Vec3, DVec3) {
    let counts = ((max - min) / pitch).ceil().as_i64vec3().max(I64Vec3::ONE);
    let corner = |counts: I64Vec3| 0.5 * (min + max - pitch * counts.as_dvec3());
    match dimensions {
        Dimensions::Two => (counts.with_z(1), corner(counts).with_z(-0.5 * pitch)),
        Dimensions::Three => (counts, corner(counts)),
    }
}
