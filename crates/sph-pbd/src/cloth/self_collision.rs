//! Contact of vertices, of one sheet or of two: pairs found by one search a step, and pushed apart in each substep.
//!
//! Two vertices touch when they are nearer than half the sum of the thicknesses, or than at rest if that is less. A vertex has an *allowance*, the
//! distance that it may move before it is searched again, of which the common motion of all vertices is no part. A pair is kept if the allowances let
//! it touch. Vertices seldom exceed theirs, so that the table is populated once a step.

use super::Sheet;
use super::block_pairs::{BlockPairs, Found};
use super::blocks::{Blocked, Blocks, Phases, Sides};
use super::constraints::span;
use super::pairs::{Between, Over, Pair, Pass, TESTED, Within};
use super::vertices::{PARALLEL_FROM, Vertex, displaced};
use glam::{Vec3, Vec3A, Vec4};
use rayon::prelude::*;
use sph_core::neighbors::{CellOrder, GridParameters, NeighborLists, Pairing, Search, SearchStats, SortedCells, Tally};
use sph_core::point_sets::{PointSet, SetSearch};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Contacts of all sheets, and the search that finds them.
#[derive(Clone, Debug, Default)]
pub(super) struct SelfCollision {
    search: Option<(GridParameters, f32, Search)>,
    lists: NeighborLists,
    /// Positions of all vertices, m.
    points: Vec<Vec3>,
    cells: CellOrder,
    /// Vertices in the order in which they are searched: by cells as large as the radius whatever the grid is, so that successive queries look into
    /// the same buckets, and the order of the pairs does not depend on the grid.
    order: Vec<u32>,
    /// Place of each vertex in that order.
    places: Vec<u32>,
    /// Positions in that order, m.
    sorted: Vec<Vec3>,
    /// Displacements at the last search, m, and last allowances, m.
    limits: Vec<Vec4>,
    /// Positions in the order of the search, m, and last allowances, m.
    reaches: Vec<Vec4>,
    /// Pairs of each block with itself and those before it.
    pairs: Vec<BlockPairs>,
    phases: Phases<Group>,
    report: Option<SetSearch>,
}

/// Pairs between two blocks.
#[derive(Clone, Debug)]
struct Group {
    block: u32,
    pairs: Range<usize>,
    friction: f32,
    /// Pairs that were near in the last pass over all, a bit each.
    near: Vec<u64>,
    /// True if a pair was much too near in the last pass.
    is_loose: bool,
}

/// Input of the search.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub sheets: &'a [Sheet],
    /// Index of the first vertex of each sheet.
    pub offsets: &'a [usize],
    pub sets: &'a [PointSet],
    pub blocks: &'a Blocks,
    pub grid: GridParameters,
    /// Time until the end of the step, s.
    pub time_left: f32,
    /// Mean velocity of all vertices, m/s.
    pub mean_velocity: Vec3A,
}

/// Allowance of a vertex: what it travels at its present speed until the end of the step, times [`HASTE`], but at least and at most so many
/// thicknesses.
const ALLOWANCE: [f32; 2] = [0.25, 0.4];

/// Factor by which a vertex may become faster before it is searched again.
const HASTE: f32 = 1.2;

/// Part of the thickness that constraints may move a vertex by in a substep before its contacts are solved.
const SLACK: f32 = 0.1;

/// Search radii, thicknesses. They are few, so that a structure seldom has to be made anew.
const RADII: [f32; 9] = [1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.5, 8.0, 10.0];

impl SelfCollision {
    /// Forgets the report of the last step.
    pub fn begin_step(&mut self) {
        self.report = None;
    }

    /// Finds the pairs that may touch until the end of the step.
    pub fn search(&mut self, around: &Surroundings<'_>, vertices: &[Vertex], velocities: &[Vec3A]) {
        let thickness = around.sheets.iter().map(|sheet| sheet.setup().thickness).fold(0.0, f32::max);
        self.set_limits(around, vertices, velocities, thickness);
        let most = self.limits.iter().map(|limit| limit.w).fold(0.0, f32::max);
        let reach = thickness + 2.0 * (most + SLACK * thickness);
        let radius = RADII.into_iter().map(|factor| factor * thickness).find(|&radius| radius >= reach);
        self.find_neighbors(around, vertices, radius.unwrap_or(reach));
        self.keep_pairs(around, vertices, thickness);
    }

    fn set_limits(&mut self, around: &Surroundings<'_>, vertices: &[Vertex], velocities: &[Vec3A], thickness: f32) {
        let [least, most] = ALLOWANCE;
        let limit = |(vertex, velocity): (&Vertex, &Vec3A)| {
            let travel = HASTE * (*velocity - around.mean_velocity).length() * around.time_left + least * thickness;
            // `min` turns a speed that is not a number into the largest allowance.
            vertex.displacement().extend(travel.min(most * thickness))
        };
        self.limits.clear();
        self.limits.extend(vertices.iter().zip(velocities).map(limit));
    }

    /// True if a vertex of the chunk that begins with `first` has moved farther than its allowance, `frame` (m) being the common displacement since
    /// the last search.
    #[inline]
    pub fn exceeded(&self, first: usize, vertices: &[Vertex], frame: Vec3A) -> bool {
        let beyond = |(vertex, limit): (&Vertex, &Vec4)| {
            let excursion = vertex.displacement() - Vec3A::from_vec4(*limit) - frame;
            excursion.length_squared() > limit.w * limit.w
        };
        vertices.iter().zip(&self.limits[first..]).any(beyond)
    }

    fn find_neighbors(&mut self, around: &Surroundings<'_>, vertices: &[Vertex], radius: f32) {
        let started = Instant::now();
        let Self { points, cells, order, places, sorted, search, lists, .. } = self;
        points.clear();
        for (set, &offset) in around.sets.iter().zip(around.offsets) {
            let at = |k: usize| {
                let error = set.rounding_errors.get(k).copied().unwrap_or(Vec3::ZERO);
                displaced(set.positions[k], error, vertices[offset + k].displacement().into()).0
            };
            points.extend((0..set.len()).map(at));
        }
        order.clear();
        order.extend(cells.sort(points, radius));
        places.resize(order.len(), 0);
        (0_u32..).zip(&*order).for_each(|(place, &vertex)| places[vertex as usize] = place);
        sorted.clear();
        sorted.extend(order.iter().map(|&vertex| points[vertex as usize]));
        if search.as_ref().is_none_or(|(grid, old, _)| *grid != around.grid || *old != radius) {
            *search = Some((around.grid, radius, Search::new(&around.grid, radius)));
        }
        let Some((_, _, search)) = search else { return };
        if search.update(sorted, order).is_err() {
            // The grid has no room for vertices so far apart; this structure has. The user sees it by its occupancy.
            *search = Search::SortedCells(SortedCells::new(radius, radius));
            // It covers whatever points there are.
            let _ = search.update(sorted, order);
        }
        let built = started.elapsed();
        let tally = search.fill(lists, sorted, Pairing::Within);
        let query = started.elapsed() - built;
        let before = self.report.take();
        let sum = |now: Duration, past: fn(&SearchStats) -> Duration| {
            now + before.as_ref().map_or(Duration::ZERO, |report| past(&report.stats))
        };
        let counted = before.as_ref().map_or(Tally::default(), |report| report.stats.tally);
        let stats = SearchStats {
            parameters: around.grid,
            occupancy: search.occupancy(),
            tally: Tally { candidates: counted.candidates + tally.candidates, neighbors: counted.neighbors + tally.neighbors },
            build: sum(built, |stats| stats.build),
            query: sum(query, |stats| stats.query),
        };
        self.report = Some(SetSearch { radius, stats });
    }

    /// Takes the pairs that may touch from the neighbour lists.
    fn keep_pairs(&mut self, around: &Surroundings<'_>, vertices: &[Vertex], thickness: f32) {
        let Self { pairs, lists, limits, reaches, phases, sorted, order, places, .. } = self;
        let Surroundings { sheets, offsets, sets, blocks, .. } = *around;
        reaches.clear();
        reaches.extend(order.iter().zip(&*sorted).map(|(&vertex, point)| point.extend(limits[vertex as usize].w)));
        pairs.resize_with(blocks.len(), BlockPairs::default);
        let fill = |(block, kept): (usize, &mut BlockPairs)| {
            kept.clear();
            let sheet = blocks.sheet(block);
            for i in blocks.range(block) {
                let k = i - offsets[sheet];
                let own = reaches[places[i] as usize];
                for &place in lists.of(places[i] as usize) {
                    // Most are too far apart, whatever else is known of them.
                    let other = reaches[place as usize];
                    let apart = own.truncate().distance_squared(other.truncate());
                    let beyond = own.w + other.w + 2.0 * SLACK * thickness;
                    if apart > (thickness + beyond) * (thickness + beyond) {
                        continue;
                    }
                    let j = order[place as usize] as usize;
                    if j >= i {
                        continue;
                    }
                    let (other_block, place) = blocks.place(j);
                    let other = blocks.sheet(other_block as usize);
                    let m = j - offsets[other];
                    let touch = if other == sheet {
                        sheets[sheet].least_distance_squared(k, m)
                    } else {
                        let sum = sets[sheet].radii[k] + sets[other].radii[m];
                        sum * sum
                    };
                    let reach = touch.sqrt() + beyond;
                    let (w_i, w_j) = (vertices[i].inverse_mass(), vertices[j].inverse_mass());
                    if w_i + w_j == 0.0 || apart > reach * reach {
                        continue;
                    }
                    let span = span(&sets[sheet], k, &sets[other], m).extend(touch);
                    let (least, share) = (touch.sqrt(), w_i / (w_i + w_j));
                    let places = [blocks.place(i).1, place];
                    kept.found.push(Found { pair: Pair { span, least, share }, places, block: other_block });
                }
            }
            kept.sort(block as u32);
        };
        if vertices.len() < PARALLEL_FROM {
            pairs.iter_mut().enumerate().for_each(fill);
        } else {
            pairs.par_iter_mut().enumerate().for_each(fill);
        }
        let friction = |a: usize, b: usize| 0.5 * (sheets[a].setup().friction + sheets[b].setup().friction);
        let groups = pairs.iter().enumerate().flat_map(|(block, kept)| {
            kept.groups.iter().map(move |(other, range)| {
                let friction = friction(blocks.sheet(block), blocks.sheet(*other as usize));
                let blocked = Blocked { first: block as u32, second: *other };
                let near = vec![0; range.len().div_ceil(TESTED)];
                (blocked, Group { block: block as u32, pairs: range.clone(), friction, near, is_loose: false })
            })
        });
        let (within, between): (Vec<_>, Vec<_>) = groups.partition(|(blocked, _)| blocked.first == blocked.second);
        phases.refill(within.into_iter().chain(between), blocks.len());
    }

    /// Pushes vertices apart that are too near, with friction, in pass number `pass` of a substep, which is over the pairs of all vertices or of
    /// those that are awake. Returns true if two were much too near.
    pub fn solve(&mut self, blocks: &Blocks, vertices: &mut [Vertex], pass: usize, over: Over) -> bool {
        let Self { pairs: all, phases, .. } = self;
        phases.each(blocks, vertices, |group, sides| {
            let Group { block, pairs, friction, near, is_loose } = group;
            let kept = &all[*block as usize];
            let (pairs, places) = (&kept.pairs[pairs.clone()], &kept.places[pairs.clone()]);
            let pass = Pass { number: pass as f32, over, friction: *friction };
            *is_loose = match sides {
                Sides::One(all) => pass.solve(pairs, places, near, Within(all)),
                Sides::Two(first, second) => pass.solve(pairs, places, near, Between(first, second)),
            };
        });
        phases.groups().any(|group| group.is_loose)
    }

    /// Report of the searches of this step; the occupancy is that of the last.
    pub fn report(&self) -> Option<&SetSearch> {
        self.report.as_ref()
    }

    /// Number of pairs that may touch.
    pub fn pair_count(&self) -> usize {
        self.pairs.iter().map(|kept| kept.pairs.len()).sum()
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.search.as_ref().map_or(0, |(_, _, search)| search.memory())
            + self.lists.memory()
            + self.points.capacity() * size_of::<Vec3>()
            + (self.order.capacity() + self.places.capacity()) * size_of::<u32>()
            + self.sorted.capacity() * size_of::<Vec3>()
            + (self.limits.capacity() + self.reaches.capacity()) * size_of::<Vec4>()
            + self.pairs.iter().map(BlockPairs::memory).sum::<usize>()
            + self.phases.memory()
            + self.phases.groups().map(|group| size_of_val(&group.near[..])).sum::<usize>()
            + self.cells.memory()
    }
}
