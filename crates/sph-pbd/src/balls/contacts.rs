//! Contacts of a step, divided among tasks that do not meet.
//!
//! Balls lie in rows by blocks of space, and a contact belongs to the block of its lower row. Blocks are as wide as two of the largest
//! search diameters: the contacts of two blocks that are not neighbours share no ball. Blocks have eight colours, by the parity of
//! their coordinates; those of one colour are not neighbours and are solved at the same time, one colour after the other. Within a
//! block, contacts are solved in order. So the result does not depend on threads.
//!
//! A greedy colouring of the contacts themselves would need as many colours as the largest ball has contacts, some hundreds for radii
//! of 1 : 20, and would take contacts that share balls far apart in memory. Blocks need eight whatever the radii. Only a few balls
//! much larger than all others would make blocks too wide: these come first, and their contacts are solved by one task.

use super::contact::{Contact, Substep};
use super::material::Laws;
use super::rows::{Balls, Strikes};
use glam::{DVec3, IVec3, Vec3};
use rayon::prelude::*;
use sph_core::neighbors::{CellOrder, SphereSearch};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of colours of blocks, and one group before them for the large balls.
const GROUPS: usize = 9;

/// Contacts of a task: enough that starting it costs little.
const CONTACTS_PER_TASK: usize = 512;

/// Fewer contacts are solved by one thread.
const FEW: usize = 2048;

/// Largest part of the surface of all balls that belongs to those that count as large.
const LARGE_PART: f64 = 0.05;

/// Order of the balls in rows.
#[derive(Debug, Default)]
pub(super) struct RowOrder {
    cells: CellOrder,
    /// Ball of each row.
    pub balls: Vec<u32>,
    /// Ranges of rows that are blocks, with their groups, which ascend.
    blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
struct Block {
    group: usize,
    rows: Range<usize>,
}

impl RowOrder {
    /// Sorts balls at `points` with `radii` and radii of search `reaches` ≥ radii, all in m.
    pub fn sort(&mut self, points: &[Vec3], radii: &[f32], reaches: &[f32]) {
        let limit = usual_radius(radii);
        let is_large = |ball: u32| radii[ball as usize] > limit;
        let usual = reaches.iter().zip(radii).filter(|(_, radius)| **radius <= limit);
        let widest = usual.map(|(reach, _)| *reach).fold(0.0, f32::max);
        // Rounding of cells must not bring blocks nearer; any width will do if all radii are 0 or none is a number.
        let width = (4.001 * widest).clamp(f32::MIN_POSITIVE, f32::MAX);
        let Self { cells, balls, blocks } = self;
        let order = cells.sort(points, width);
        let cell_of = |ball: u32| CellOrder::cell_of(points[ball as usize], width);
        let mut found: Vec<Vec<&[u32]>> = vec![Vec::new(); GROUPS - 1];
        for block in order.chunk_by(|&a, &b| cell_of(a) == cell_of(b)) {
            let parity = cell_of(block[0]) & IVec3::ONE;
            found[(parity.x + 2 * parity.y + 4 * parity.z) as usize].push(block);
        }
        balls.clear();
        blocks.clear();
        balls.extend(order.iter().copied().filter(|&ball| is_large(ball)));
        blocks.push(Block { group: 0, rows: 0..balls.len() });
        for (colour, found) in found.into_iter().enumerate() {
            for block in found {
                let start = balls.len();
                balls.extend(block.iter().copied().filter(|&ball| !is_large(ball)));
                blocks.push(Block { group: colour + 1, rows: start..balls.len() });
            }
        }
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.cells.memory() + self.balls.capacity() * size_of::<u32>() + self.blocks.capacity() * size_of::<Block>()
    }
}

/// Radius beyond which balls count as large: as small as possible, with little of the surface, and so of the contacts, beyond.
fn usual_radius(radii: &[f32]) -> f32 {
    let largest = radii.iter().copied().fold(0.0, f32::max);
    let surface = |limit: f32| -> f64 {
        radii.iter().filter(|&&radius| radius > limit).map(|&radius| f64::from(radius) * f64::from(radius)).sum()
    };
    let most = LARGE_PART * surface(0.0);
    let halves = (1..6).map(|k| largest * 0.5f32.powi(k));
    halves.take_while(|&limit| surface(limit) <= most).last().unwrap_or(largest)
}

/// Contacts in the order in which one thread solves them, and their tasks.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    all: Vec<Contact>,
    /// Numbers of contacts of the tasks of each group.
    tasks: [Vec<usize>; GROUPS],
}

impl Contacts {
    /// Replaces the contacts by those of the pairs found by `search` among balls in the rows of `order`, with centres `bases` (m, by
    /// ball) and `impulse(a, b)` of two balls as the impulse on b (N s).
    pub fn put(
        &mut self,
        order: &RowOrder,
        search: &SphereSearch,
        bases: &[DVec3],
        impulse: impl Fn(usize, usize) -> Vec3 + Sync,
    ) {
        let Self { all, tasks } = self;
        tasks.iter_mut().for_each(Vec::clear);
        let mut parts: Vec<Range<usize>> = Vec::new();
        for blocks in order.blocks.chunk_by(|a, b| a.group == b.group) {
            let (mut start, mut count) = (blocks[0].rows.start, 0);
            let group = &mut tasks[blocks[0].group];
            for (place, block) in blocks.iter().enumerate() {
                count += block.rows.clone().map(|row| search.partners(row).len()).sum::<usize>();
                if count >= CONTACTS_PER_TASK || place + 1 == blocks.len() {
                    parts.push(start..block.rows.end);
                    group.push(count);
                    (start, count) = (block.rows.end, 0);
                }
            }
        }
        let counts = || tasks.iter().flatten().copied();
        all.resize(counts().sum(), Contact { a: 0, b: 0, offset: Vec3::ZERO, impulse: Vec3::ZERO });
        let slices = split(all, counts());
        slices.into_par_iter().zip(parts).for_each(|(contacts, rows)| {
            let pairs = rows.flat_map(|a| search.partners(a).iter().map(move |&b| (a, b as usize)));
            for (contact, (a, b)) in contacts.iter_mut().zip(pairs) {
                let (ball_a, ball_b) = (order.balls[a] as usize, order.balls[b] as usize);
                let offset = (bases[ball_b] - bases[ball_a]).as_vec3();
                *contact = Contact { a: a as u32, b: b as u32, offset, impulse: impulse(ball_a, ball_b) };
            }
        });
    }

    /// All contacts.
    pub fn all(&self) -> &[Contact] {
        &self.all
    }

    /// Solves the velocities of all contacts once. `free` is the velocity of the ball in a row without contacts, m/s.
    pub fn solve(
        &mut self,
        balls: &Balls,
        strikes: &Strikes,
        laws: &Laws,
        substep: &Substep,
        free: impl Fn(u32) -> Vec3 + Sync,
    ) {
        self.each_task(|contacts| {
            for contacts in contacts.chunk_by_mut(|one, other| one.a == other.a) {
                let row = contacts[0].a as usize;
                let mut a = balls.get(row);
                for contact in contacts {
                    let other = contact.b as usize;
                    let mut b = balls.get(other);
                    let law = laws.of(a.material, b.material);
                    if let Some(changes) =
                        contact.solve(&mut a, &mut b, law, substep, |contact| free(contact.b) - free(contact.a))
                    {
                        balls.set_motion(other, &b);
                        if let Some(both) = changes {
                            strikes.add(row, balls, &both.a);
                            strikes.add(other, balls, &both.b);
                        }
                    }
                }
                balls.set_motion(row, &a);
            }
        });
    }

    /// Moves overlapping balls apart once. Returns the number of pairs that overlapped deeply.
    pub fn separate(&mut self, balls: &Balls) -> usize {
        let deep = AtomicUsize::new(0);
        self.each_task(|contacts| {
            let mut deep_here = 0;
            for contacts in contacts.chunk_by(|one, other| one.a == other.a) {
                let row = contacts[0].a as usize;
                let mut a = balls.get(row);
                let mut moves = false;
                for contact in contacts {
                    let other = contact.b as usize;
                    let mut b = balls.get(other);
                    if let Some(is_deep) = contact.separate(&mut a, &mut b) {
                        deep_here += usize::from(is_deep);
                        balls.set_displacement(other, b.displacement);
                        moves = true;
                    }
                }
                if moves {
                    balls.set_displacement(row, a.displacement);
                }
            }
            deep.fetch_add(deep_here, Ordering::Relaxed);
        });
        deep.into_inner()
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.all.capacity() * size_of::<Contact>() + self.tasks.iter().map(|tasks| tasks.capacity() * 8).sum::<usize>()
    }

    /// Calls `work` for the contacts of each task; those of one group at the same time.
    fn each_task(&mut self, work: impl Fn(&mut [Contact]) + Sync) {
        let Self { all, tasks } = self;
        if all.len() < FEW {
            work(all);
            return;
        }
        let mut rest = &mut all[..];
        for group in tasks {
            let (here, after) = rest.split_at_mut(group.iter().sum());
            split(here, group.iter().copied()).into_par_iter().for_each(&work);
            rest = after;
        }
    }
}

/// Splits `all` into successive parts of these `lengths`.
fn split(mut all: &mut [Contact], lengths: impl Iterator<Item = usize>) -> Vec<&mut [Contact]> {
    let part = |length| {
        let (part, rest) = std::mem::take(&mut all).split_at_mut(length);
        all = rest;
        part
    };
    lengths.map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;
    use sph_core::neighbors::{GridParameters, HashFunction, Structure};
    use std::collections::HashMap;

    /// Contacts among balls at random places, of which every `rare`-th is `large`, and the number of tasks.
    fn check(large: f32, rare: usize) -> usize {
        let count = 6000;
        let points: Vec<Vec3> = (0..count).map(|k| Random::new(1, k, 0).point(Vec3::splat(-1.0), Vec3::ONE)).collect();
        let radii: Vec<f32> =
            (0..points.len()).map(|k| if k % rare == 0 { large } else { 0.02 + 0.03 / (1 + k % 9) as f32 }).collect();
        let reaches: Vec<f32> = radii.iter().map(|radius| 1.3 * radius).collect();
        let mut order = RowOrder::default();
        order.sort(&points, &radii, &reaches);
        let mut balls = order.balls.clone();
        balls.sort_unstable();
        assert!(balls.iter().copied().eq(0..count as u32), "each ball has one row");

        let of_rows = |values: &[f32]| -> Vec<f32> { order.balls.iter().map(|&ball| values[ball as usize]).collect() };
        let rows: Vec<Vec3> = order.balls.iter().map(|&ball| points[ball as usize]).collect();
        let (structure, hash) = (Structure::SortedCells, HashFunction::Mix);
        let grid = GridParameters { structure, table_size: 1, cell_size: 0.1, hash, bucket_capacity: 1 };
        let mut search = SphereSearch::new(&grid);
        search.find(&rows, &of_rows(&reaches), &order.balls).expect("few cells");
        let bases: Vec<DVec3> = points.iter().map(|point| point.as_dvec3()).collect();
        let mut contacts = Contacts::default();
        contacts.put(&order, &search, &bases, |_, _| Vec3::ZERO);
        assert_eq!(contacts.all.len() as u64, search.stats().tally.neighbors);

        let mut rest = &contacts.all[..];
        for group in &contacts.tasks {
            // Task of each ball that a task of the group touches.
            let mut task_of: HashMap<u32, usize> = HashMap::new();
            for (task, &length) in group.iter().enumerate() {
                let (here, after) = rest.split_at(length);
                for row in here.iter().flat_map(|contact| [contact.a, contact.b]) {
                    assert_eq!(*task_of.entry(row).or_insert(task), task, "row {row} belongs to two tasks");
                }
                rest = after;
            }
        }
        assert!(rest.is_empty());
        contacts.tasks.iter().map(Vec::len).sum()
    }

    #[test]
    fn tasks_of_one_colour_share_no_ball() {
        assert!(check(0.05, 2) > 10);
        // Few balls much larger than all others do not make blocks wide.
        assert!(check(0.3, 3000) > 10);
    }
}
