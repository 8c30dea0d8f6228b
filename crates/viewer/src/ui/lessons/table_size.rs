//! Lesson: buckets, collisions, and the cost of a small hash table.

use super::lesson::{Lesson, Step, Task};
use super::reading::{Metric, Reading};
use super::requirements::{Requirements, large_table};
use crate::ui::widgets::format;
use crate::ui::widgets::highlight::Control;

/// Load factor of the small table.
const HIGH_LOAD_FACTOR: usize = 8;

pub const LESSON: Lesson = Lesson {
    title: "Shrink the hash table",
    summary: "Buckets, collisions, and the cost of a small table.",
    requirements: Requirements { spatial_hash: true, usual_cells: true, large_table: false },
    steps: &[
        Step {
            heading: "Cells and buckets",
            text: |now| {
                format!(
                    "The grid divides space into cells. A hash function maps each cell to one of {} buckets, which lists the \
                     particles of the cell. Now {} cells and {} buckets contain particles.",
                    buckets(now),
                    count(now.occupied_cells),
                    count(now.occupied_buckets)
                )
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |start| {
                    format!("Start with a large table: set the hash table size to {} or more.", count(2 * start.occupied_cells))
                },
                done: |start, now| now.grid.table_size as usize >= 2 * start.occupied_cells,
                perform: |start, grid| grid.table_size = large_table(start),
                metrics: &[Metric::TableSize, Metric::LoadFactor, Metric::Candidates],
                beside: &[],
                outcome: |_| "Now most cells have their own bucket.".to_owned(),
            }),
        },
        Step {
            heading: "Load factor of the table",
            text: |now| {
                format!(
                    "The load factor is the number of occupied cells divided by the number of buckets: {} / {} = {}. Cells in \
                     the same bucket collide; even in a large table some do, here {} of {}. To see them, tick Show cells in \
                     the Inspector, and set the cell colour to Collisions.",
                    count(now.occupied_cells),
                    buckets(now),
                    format::significant(now.load_factor),
                    count(now.cells_in_collision),
                    count(now.occupied_cells)
                )
            },
            control: Some(Control::LoadFactor),
            task: None,
        },
        Step {
            heading: "Fewer buckets",
            text: |_| {
                "With fewer buckets, more cells share a bucket. The buckets that a query visits then contain particles of \
                 distant cells: the query tests their distance and rejects them."
                    .to_owned()
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |start| format!("Drag the hash table size down to {} or less.", count(small_table(start) as usize)),
                done: |start, now| now.grid.table_size <= small_table(start),
                perform: |start, grid| grid.table_size = small_table(start),
                metrics: &[Metric::TableSize, Metric::LoadFactor, Metric::Candidates, Metric::Query, Metric::Wrong],
                beside: &[],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    format!(
                        "For each neighbour found, a query now tests {} times as many distances. The neighbours are the same, \
                         because they are selected by distance.",
                        format::significant(after.candidates / before.candidates.max(f64::MIN_POSITIVE))
                    )
                },
            }),
        },
        Step {
            heading: "The motion is unchanged",
            text: |now| {
                let checked = now.audit;
                format!(
                    "In every step, the neighbour lists of some particles are compared with a brute-force search: {} lists so \
                     far, with {} missed and {} duplicate neighbours. Sums over neighbours have a fixed order for any table, \
                     so the motion of the fluid is identical, bit for bit.",
                    format::count(checked.queries),
                    format::count(checked.missed),
                    format::count(checked.duplicates)
                )
            },
            control: Some(Control::Audit),
            task: None,
        },
        Step {
            heading: "A single bucket",
            text: |now| {
                format!(
                    "In a table with 1 bucket, all cells collide and a query tests every particle, like brute force. With {} \
                     particles a step can take long; the window stays responsive.",
                    count(now.particles)
                )
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |_| "Drag the hash table size down to 1.".to_owned(),
                done: |_, now| now.grid.table_size == 1,
                perform: |_, grid| grid.table_size = 1,
                metrics: &[Metric::TableSize, Metric::LoadFactor, Metric::Candidates, Metric::Query, Metric::Wrong],
                beside: &[],
                outcome: |columns| {
                    let [.., (_, after)] = columns else { return String::new() };
                    format!(
                        "Each of the {} particles is now tested against {}, including itself, to find {} neighbours.",
                        count(after.particles),
                        format::count(after.tests().round() as u64),
                        format::count(after.neighbors.round() as u64)
                    )
                },
            }),
        },
        Step {
            heading: "Summary",
            text: |_| {
                "A small table costs time, but loses no neighbours. With two buckets per particle, collisions are few; a \
                 larger table only costs memory, and time to clear. The cell hash compares cells before it tests particles, so \
                 it tolerates a small table: try it under Structure."
                    .to_owned()
            },
            control: Some(Control::Structure),
            task: None,
        },
    ],
};

fn count(value: usize) -> String {
    format::count(value as u64)
}

fn buckets(reading: &Reading) -> String {
    format::count(reading.grid.table_size.into())
}

/// Table size with a high load factor.
fn small_table(start: &Reading) -> u32 {
    u32::try_from(start.occupied_cells / HIGH_LOAD_FACTOR).unwrap_or(u32::MAX).max(1)
}
