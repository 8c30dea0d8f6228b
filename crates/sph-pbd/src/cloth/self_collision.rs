//! Contact of vertices, of one sheet or of two: pairs found by one search a step, and pushed apart in each substep.
//!
//! Two vertices touch when they are nearer than half the sum of the thicknesses, or than at rest if that is less. A vertex has an *allowance*, the
//! distance that it may move before it is searched again, of which the common motion of all vertices is no part. A pair is kept if the allowances let
//! it touch. So the table is populated once a step: the few vertices that exceed theirs are searched again alone, in the same table. Where many do,
//! as in an impact, all are.

use super::block_pairs::BlockPairs;
use super::blocks::{Blocked, Blocks, Phases, Sides};
use super::pairs::{Between, Over, Pass, TESTED, Within};
use super::reach::Surroundings;
use super::strays::{Known, Strays};
use super::vertices::{PARALLEL_FROM, Vertex};
use glam::{Vec3, Vec3A, Vec4};
use rayon::prelude::*;
use sph_core::Domain;
use sph_core::neighbors::{Audit, CellOrder, GridParameters, NeighborLists, Pairing, Search, SearchStats, SortedCells};
use sph_core::point_sets::SetSearch;
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
    /// Displacement of each vertex when it was last searched, m, without the common one since the search of all; last its allowance, m.
    limits: Vec<Vec4>,
    /// Positions in the order of the search, m, and last allowances, m.
    reaches: Vec<Vec4>,
    strays: Strays,
    /// Pairs of each block with itself and those before it; then those that strays add to them.
    pairs: Vec<BlockPairs>,
    phases: Phases<Group>,
    report: Option<SetSearch>,
}

/// Pairs between two blocks.
#[derive(Clone, Debug)]
struct Group {
    /// Number of the [`BlockPairs`] that has its pairs.
    block: usize,
    pairs: Range<usize>,
    friction: f32,
    /// Pairs that were near in the last pass over all, a bit each.
    near: Vec<u64>,
    /// True if a pair was much too near in the last pass.
    is_loose: bool,
}

impl SelfCollision {
    /// Forgets the report of the last step.
    pub fn begin_step(&mut self) {
        self.report = None;
    }

    /// Finds the pairs that may touch until the end of the step.
    pub fn search(&mut self, around: &Surroundings<'_>) {
        self.limits.clear();
        self.limits.extend((0..around.vertices.len()).map(|vertex| around.limit(vertex)));
        self.find_neighbors(around);
        self.strays.clear();
        self.keep_pairs(around);
        self.group_pairs(around);
    }

    /// Searches those vertices again that have moved farther than their allowances, `frame` (m) being the common displacement since the last search
    /// of all. Returns their number; `None` if they are too many: then all must be searched.
    pub fn search_strays(&mut self, around: &Surroundings<'_>, frame: Vec3A) -> Option<usize> {
        let Self { search, limits, strays, order, places, reaches, pairs, .. } = self;
        let (_, _, search) = search.as_ref()?;
        let is_beyond = |&vertex: &usize| is_beyond(&around.vertices[vertex], limits[vertex], frame);
        let beyond: Vec<usize> = (0..around.vertices.len()).filter(is_beyond).collect();
        if !strays.have_room_for(&beyond, around.vertices.len()) {
            return None;
        }
        let started = Instant::now();
        for &vertex in &beyond {
            let limit = around.limit(vertex);
            limits[vertex] = limit - frame.extend(0.0);
            let sheet = around.blocks.sheet(around.blocks.place(vertex).0 as usize);
            strays.insert(vertex as u32, (around.position(sheet, vertex) - Vec3::from(frame)).extend(limit.w));
        }
        let late = &mut pairs[around.blocks.len()..];
        late.iter_mut().for_each(BlockPairs::clear);
        strays.search(search, &Known { order, places, reaches }, around, late);
        late.iter_mut().enumerate().for_each(|(block, found)| found.sort(block as u32));
        if let Some(report) = &mut self.report {
            report.stats.query += started.elapsed();
        }
        self.group_pairs(around);
        Some(beyond.len())
    }

    /// True if a vertex of the chunk that begins with `first` has moved farther than its allowance, `frame` (m) being the common displacement since
    /// the last search of all.
    #[inline]
    pub fn exceeded(&self, first: usize, vertices: &[Vertex], frame: Vec3A) -> bool {
        vertices.iter().zip(&self.limits[first..]).any(|(vertex, &limit)| is_beyond(vertex, limit, frame))
    }

    fn find_neighbors(&mut self, around: &Surroundings<'_>) {
        let started = Instant::now();
        let radius = around.farthest();
        let Self { points, cells, order, places, sorted, search, lists, .. } = self;
        points.clear();
        for (sheet, (set, &first)) in around.sets.iter().zip(around.offsets).enumerate() {
            points.extend((first..first + set.len()).map(|vertex| around.position(sheet, vertex)));
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
        let audit = Audit::of(lists, &Domain::default(), sorted, radius, around.audit);
        let before = self.report.take();
        let sum = |now: Duration, past: fn(&SearchStats) -> Duration| {
            now + before.as_ref().map_or(Duration::ZERO, |report| past(&report.stats))
        };
        let searches = 1 + before.as_ref().map_or(0, |report| report.searches);
        let stats = SearchStats {
            parameters: around.grid,
            occupancy: search.occupancy(),
            tally,
            build: sum(built, |stats| stats.build),
            query: sum(query, |stats| stats.query),
        };
        let audit = before.map_or(audit, |before| before.audit.join(audit));
        self.report = Some(SetSearch { radius, searches, stats, audit, among_others: None });
    }

    /// Takes the pairs that may touch from the neighbour lists.
    fn keep_pairs(&mut self, around: &Surroundings<'_>) {
        let Self { pairs, lists, limits, reaches, sorted, order, places, .. } = self;
        reaches.clear();
        reaches.extend(order.iter().zip(&*sorted).map(|(&vertex, point)| point.extend(limits[vertex as usize].w)));
        let blocks = around.blocks;
        pairs.resize_with(2 * blocks.len(), BlockPairs::default);
        let (kept, late) = pairs.split_at_mut(blocks.len());
        late.iter_mut().for_each(BlockPairs::clear);
        let fill = |(block, kept): (usize, &mut BlockPairs)| {
            kept.clear();
            let mut near = Vec::new();
            for i in blocks.range(block) {
                let own = reaches[places[i] as usize];
                let listed = lists.of(places[i] as usize);
                // Most are too far apart, or pairs of the other vertex, which no processor foresees.
                near.resize(near.len().max(listed.len()), 0);
                let mut count = 0;
                for &place in listed {
                    near[count] = place;
                    count +=
                        usize::from(around.are_near(own, reaches[place as usize]) & ((order[place as usize] as usize) < i));
                }
                let pair = |&place: &u32| around.pair([i, order[place as usize] as usize], [own, reaches[place as usize]]);
                kept.found.extend(near[..count].iter().filter_map(pair));
            }
            kept.sort(block as u32);
        };
        if around.vertices.len() < PARALLEL_FROM {
            kept.iter_mut().enumerate().for_each(fill);
        } else {
            kept.par_iter_mut().enumerate().for_each(fill);
        }
    }

    /// Puts all pairs into groups, those within a block first.
    fn group_pairs(&mut self, around: &Surroundings<'_>) {
        let Self { pairs, phases, .. } = self;
        let Surroundings { sheets, blocks, .. } = *around;
        let friction = |a: usize, b: usize| 0.5 * (sheets[a].setup().friction + sheets[b].setup().friction);
        let groups = pairs.iter().enumerate().flat_map(|(number, kept)| {
            let block = number % blocks.len();
            kept.groups.iter().map(move |(other, range)| {
                let friction = friction(blocks.sheet(block), blocks.sheet(*other as usize));
                let blocked = Blocked { first: block as u32, second: *other };
                let near = vec![0; range.len().div_ceil(TESTED)];
                (blocked, Group { block: number, pairs: range.clone(), friction, near, is_loose: false })
            })
        });
        let (within, between): (Vec<_>, Vec<_>) = groups.partition(|(blocked, _)| blocked.first == blocked.second);
        phases.refill(within.into_iter().chain(between), blocks.len());
    }

    /// Pushes vertices apart that are too near, with friction, in pass number `pass` of a substep, which is over the pairs of all vertices or of
    /// those that are awake. Returns true if two were nearer than `tight` of their least distance.
    pub fn solve(&mut self, blocks: &Blocks, vertices: &mut [Vertex], pass: usize, over: Over, tight: f32) -> bool {
        let Self { pairs: all, phases, .. } = self;
        phases.each(blocks, vertices, |group, sides| {
            let Group { block, pairs, friction, near, is_loose } = group;
            let kept = &all[*block];
            let (pairs, places) = (&kept.pairs[pairs.clone()], &kept.places[pairs.clone()]);
            let pass = Pass { number: pass as f32, over, tight, friction: *friction };
            *is_loose = match sides {
                Sides::One(all) => pass.solve(pairs, places, near, Within(all)),
                Sides::Two(first, second) => pass.solve(pairs, places, near, Between(first, second)),
            };
        });
        phases.groups().any(|group| group.is_loose)
    }

    /// Report of the searches of this step; counts and occupancy are those of the last search of all, the times those of all.
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
            + self.pairs.capacity() * size_of::<BlockPairs>()
            + self.pairs.iter().map(BlockPairs::memory).sum::<usize>()
            + self.strays.memory()
            + self.phases.memory()
            + self.phases.groups().map(|group| size_of_val(&group.near[..])).sum::<usize>()
            + self.cells.memory()
    }
}

/// True if a vertex has moved farther than its allowance, `frame` (m) being the common displacement.
#[inline(always)]
fn is_beyond(vertex: &Vertex, limit: Vec4, frame: Vec3A) -> bool {
    let excursion = vertex.displacement() - Vec3A::from_vec4(limit) - frame;
    excursion.length_squared() > limit.w * limit.w
}

#[cfg(test)]
mod tests {
    use super::super::{ClothSetup, Grid, Sheet, usual_grid};
    use super::*;
    use sph_core::neighbors::AuditPlan;
    use std::collections::BTreeSet;

    const SIDE: u32 = 24;
    const SPACING: f32 = 0.01;

    /// A flat sheet and one close above it, both of blocks of their own.
    fn sheets() -> Vec<Sheet> {
        let sheet = |name: &str, height: f32| {
            let corner = Vec3::new(0.3 * height, height, 0.0);
            let grid = Grid { corner, along: SPACING * Vec3::X, across: SPACING * Vec3::Z, columns: SIDE, rows: SIDE };
            ClothSetup { thickness: SPACING, ..ClothSetup::grid(name, &grid) }.sheet().expect("a valid sheet")
        };
        vec![sheet("lower", 0.0), sheet("upper", 1.5 * SPACING)]
    }

    /// All pairs of vertices that may touch, by brute force.
    fn expected(contacts: &SelfCollision, around: &Surroundings<'_>) -> BTreeSet<[usize; 2]> {
        let reach = |vertex: usize| {
            let vertex = vertex as u32;
            contacts.strays.reach(vertex).unwrap_or(contacts.reaches[contacts.places[vertex as usize] as usize])
        };
        let all = (0..around.vertices.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
        all.filter(|&pair| around.pair(pair, pair.map(reach)).is_some()).collect()
    }

    /// All pairs that passes are over, each of which is there once.
    fn found(contacts: &SelfCollision, blocks: &Blocks) -> BTreeSet<[usize; 2]> {
        let mut all = BTreeSet::new();
        for (blocked, group) in contacts.phases.each_group() {
            for places in &contacts.pairs[group.block].places[group.pairs.clone()] {
                let vertex = |block: u32, place: u16| blocks.range(block as usize).start + usize::from(place);
                assert!(all.insert([vertex(blocked.first, places[0]), vertex(blocked.second, places[1])]), "a pair twice");
            }
        }
        all
    }

    #[test]
    fn strays_have_all_pairs_that_may_touch_and_none_twice() {
        let sheets = sheets();
        let sets: Vec<_> = sheets.iter().map(Sheet::point_set).collect();
        let offsets = [0, sheets[0].len()];
        let blocks = Blocks::new(sheets.iter().map(Sheet::len));
        let mut vertices = vec![Vertex { moved: Vec4::W, ..Vertex::default() }; blocks.vertex_count()];
        let velocities = vec![Vec3A::ZERO; vertices.len()];
        let around = |vertices: &[Vertex], then: &mut dyn FnMut(&Surroundings<'_>)| {
            then(&Surroundings {
                sheets: &sheets,
                offsets: &offsets,
                sets: &sets,
                blocks: &blocks,
                grid: usual_grid(SPACING, vertices.len()),
                audit: AuditPlan::default(),
                vertices,
                velocities: &velocities,
                time_left: 0.01,
                mean_velocity: Vec3A::ZERO,
                thickness: SPACING,
            });
        };
        let mut contacts = SelfCollision::default();
        around(&vertices, &mut |around| {
            contacts.search(around);
            assert_eq!(found(&contacts, &blocks), expected(&contacts, around));
        });
        // Everything falls; besides, some vertices go to others, to each other and away, and some of them once more.
        let frame = Vec3A::new(0.0, -0.5 * SPACING, 0.0);
        vertices.iter_mut().for_each(|vertex| vertex.shift(frame));
        for (moves, strays) in
            [(vec![(30, 0.5), (31, -0.6), (600, -1.2), (601, -1.1), (1000, 4.0)], 5), (vec![(30, 0.9), (700, -0.7)], 2)]
        {
            for (vertex, by) in moves {
                vertices[vertex].shift(Vec3A::new(0.3, 1.0, 0.2) * (by * SPACING));
            }
            around(&vertices, &mut |around| {
                assert_eq!(contacts.search_strays(around, frame), Some(strays));
                let (found, expected) = (found(&contacts, &blocks), expected(&contacts, around));
                assert!(expected.is_subset(&found), "{:?} are missing", expected.difference(&found).collect::<Vec<_>>());
                assert_eq!(contacts.search_strays(around, frame), Some(0));
            });
        }
        // Too many to search alone.
        vertices.iter_mut().step_by(3).for_each(|vertex| vertex.shift(Vec3A::X * SPACING));
        around(&vertices, &mut |around| assert_eq!(contacts.search_strays(around, frame), None));
        // Searches of one step: what is reported is the last of all vertices, not a sum.
        contacts.begin_step();
        let mut reported = Vec::new();
        around(&vertices, &mut |around| {
            for _ in 0..3 {
                contacts.search(around);
                let report = contacts.report().expect("vertices were searched");
                reported.push((report.searches, report.stats.tally));
            }
        });
        let (_, one) = reported[0];
        assert_eq!(reported, [(1, one), (2, one), (3, one)]);
        assert!(one.neighbors > 0);
        vertices[30].shift(Vec3A::X * SPACING);
        around(&vertices, &mut |around| assert_eq!(contacts.search_strays(around, Vec3A::ZERO), Some(1)));
        assert_eq!(contacts.report().map(|report| (report.searches, report.stats.tally)), Some((3, one)));
    }
}
