//! Contacts of a step, divided among tasks that do not meet.
//!
//! The tasks of one group of blocks (`row_order.rs`) share no ball and are worked on at the same time, one group after the other.
//! Within a task, contacts are solved in order. So the result does not depend on threads.

use super::contact::{Contact, Substep};
use super::material::Laws;
use super::memory::Memory;
use super::row_order::{GROUPS, RowOrder};
use super::rows::{Balls, Strikes};
use super::tasks::{Filling, Task};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sph_core::neighbors::SphereSearch;
use std::ops::Range;

/// Contacts of a task: enough that starting it costs little.
const CONTACTS_PER_TASK: usize = 512;

/// Fewer contacts are solved by one thread.
const FEW: usize = 2048;

/// Contacts in the order in which one thread solves them.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    /// Tasks of each group.
    tasks: [Vec<Task>; GROUPS],
    count: usize,
}

impl Contacts {
    /// Replaces the contacts by those of the pairs found by `search` among balls in the rows of `order` that `balls` holds, with `centers`
    /// (m, by row) and the impulses that `memory` holds.
    pub fn put(
        &mut self,
        order: &RowOrder,
        search: &SphereSearch,
        balls: &Balls,
        laws: &Laws,
        centers: &[DVec3],
        memory: &Memory,
    ) {
        let mut parts: [Vec<Range<usize>>; GROUPS] = Default::default();
        self.count = 0;
        for blocks in order.blocks.chunk_by(|a, b| a.group == b.group) {
            let (mut start, mut count) = (blocks[0].rows.start, 0);
            for (place, block) in blocks.iter().enumerate() {
                count += block.rows.clone().map(|row| search.partners(row).len()).sum::<usize>();
                if count >= CONTACTS_PER_TASK || place + 1 == blocks.len() {
                    parts[blocks[0].group].push(start..block.rows.end);
                    self.count += count;
                    (start, count) = (block.rows.end, 0);
                }
            }
        }
        let contact = |a: usize, b: u32| {
            let offset = (centers[b as usize] - centers[a]).as_vec3();
            let impulse = memory.pair(order.balls[a] as usize, order.balls[b as usize] as usize);
            Contact { a: a as u32, b, offset, impulse }
        };
        for (tasks, parts) in self.tasks.iter_mut().zip(&parts) {
            tasks.resize_with(parts.len(), Task::default);
        }
        let all = self.tasks.iter_mut().flatten().zip(parts.into_iter().flatten()).collect::<Vec<_>>();
        all.into_par_iter().for_each(|(task, rows)| {
            memory.glance(&order.balls[rows.clone()]);
            let pairs = rows.flat_map(|a| search.partners(a).iter().map(move |&b| contact(a, b)));
            task.fill(pairs, &Filling { balls, laws });
        });
    }

    /// Number of contacts.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Contacts between rows that have an impulse, as `kept` makes them.
    pub fn lasting<T: Send>(&self, kept: impl Fn(Contact) -> T + Sync) -> Vec<T> {
        let of_task = |task: &Task| task.lasting().map(&kept).collect::<Vec<T>>();
        let tasks: Vec<&Task> = self.tasks.iter().flatten().collect();
        let parts: Vec<Vec<T>> = tasks.par_iter().map(|task| of_task(task)).collect();
        let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
        parts.into_iter().for_each(|part| all.extend(part));
        all
    }

    /// Adds to the velocities and spins of `balls` what their contacts that last change in a substep.
    pub fn push(&mut self, balls: &Balls) {
        self.each_task(|task| task.push(balls));
    }

    /// True if contacts overlapped deeply when balls were last moved apart.
    pub fn are_deep(&self) -> bool {
        self.tasks.iter().flatten().any(Task::is_deep)
    }

    /// Solves the velocities of the contacts once. `free` is the velocity of the ball in a row without
    /// contacts, m/s.
    pub fn solve(
        &mut self,
        balls: &Balls,
        strikes: &Strikes,
        laws: &Laws,
        substep: &Substep,
        free: impl Fn(u32) -> Vec3 + Sync,
    ) {
        self.each_task(|task| {
            if !substep.only_deep || task.is_deep() {
                task.solve(balls, strikes, laws, substep, &free);
            }
        });
    }

    /// Moves overlapping balls apart once.
    pub fn separate(&mut self, balls: &Balls) {
        self.each_task(|task| task.separate(balls));
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        let of_group = |tasks: &Vec<Task>| tasks.capacity() * size_of::<Task>() + tasks.iter().map(Task::memory).sum::<usize>();
        self.tasks.iter().map(of_group).sum()
    }

    /// Calls `work` for each task; those of one group at the same time.
    fn each_task(&mut self, work: impl Fn(&mut Task) + Sync) {
        if self.count < FEW {
            self.tasks.iter_mut().flatten().for_each(work);
            return;
        }
        for group in &mut self.tasks {
            group.par_iter_mut().for_each(&work);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::material::BallMaterial;
    use super::super::memory::KeptPair;
    use super::super::random::Random;
    use super::super::rows::Ball;
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
        let centers: Vec<DVec3> = rows.iter().map(|point| point.as_dvec3()).collect();
        let mut balls = Balls::default();
        balls.reset(points.len());
        for row in 0..points.len() {
            balls.set(row, &Ball { inverse_mass: 1.0, ..Ball::default() });
        }
        let laws = Laws::new(&[BallMaterial::default()]);
        let mut contacts = Contacts::default();
        let partners = |a: usize| search.partners(a).iter().map(move |&b| (a as u32, b));
        let kept = (0..points.len())
            .flat_map(partners)
            .map(|(a, b)| KeptPair::new(order.balls[a as usize], order.balls[b as usize], Vec3::X));
        let mut memory = Memory::default();
        memory.put(points.len(), kept.collect(), std::iter::empty());
        contacts.put(&order, &search, &balls, &laws, &centers, &memory);
        assert_eq!(contacts.count() as u64, search.stats().tally.neighbors);

        let mut found: Vec<(u32, u32)> = contacts.lasting(|contact| (contact.a, contact.b));
        found.sort_unstable();
        assert!((0..points.len()).flat_map(partners).eq(found), "each pair is a contact once");
        for group in &contacts.tasks {
            // Task of each ball that a task of the group touches.
            let mut task_of: HashMap<u32, usize> = HashMap::new();
            for (number, task) in group.iter().enumerate() {
                for row in task.lasting().flat_map(|contact| [contact.a, contact.b]) {
                    assert_eq!(*task_of.entry(row).or_insert(number), number, "row {row} belongs to two tasks");
                }
            }
        }
        contacts.tasks.iter().map(Vec::len).sum()
    }

    #[test]
    fn tasks_of_one_colour_share_no_ball() {
        assert!(check(0.05, 2) > 10);
        // Few balls much larger than all others do not make blocks wide.
        assert!(check(0.3, 3000) > 10);
    }
}
