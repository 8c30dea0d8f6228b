//! Lesson: what buckets and collisions are, and what a small table costs.

use super::basis::{Basis, roomy_table};
use super::lesson::{Lesson, Step, Task};
use super::reading::{Figure, Reading};
use crate::ui::widgets::format;
use crate::ui::widgets::highlight::Control;

/// Load factor that the table is shrunk to.
const CROWDED: usize = 8;

pub const LESSON: Lesson = Lesson {
    title: "Shrink the table",
    summary: "What buckets and collisions are, and what a small table costs.",
    basis: Basis { spatial_hash: true, usual_cells: true, roomy_table: false },
    steps: &[
        Step {
            heading: "Cells and buckets",
            text: |now| {
                format!(
                    "The grid cuts space into cells. A hash function sends each cell to one of {} buckets, where its particles are \
                     listed. At the moment {} cells hold particles, and {} of the buckets do.",
                    buckets(now),
                    count(now.occupied_cells),
                    count(now.occupied_buckets)
                )
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |start| {
                    format!("Begin with a large table: set the hash table size to {} or more.", count(2 * start.occupied_cells))
                },
                done: |start, now| now.grid.table_size as usize >= 2 * start.occupied_cells,
                perform: |start, grid| grid.table_size = roomy_table(start),
                figures: &[Figure::TableSize, Figure::LoadFactor, Figure::Candidates],
                beside: &[],
                outcome: |_| "Now most cells have a bucket to themselves.".to_owned(),
            }),
        },
        Step {
            heading: "How full is the table?",
            text: |now| {
                format!(
                    "The load factor is the number of occupied cells divided by the number of buckets: {} / {} = {}. Cells in one \
                     bucket collide; it happens to some even in a large table, here to {} of {}. To see which, tick Show cells under \
                     Inside the grid, and colour them by Collisions.",
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
                "With fewer buckets, more cells have to share. A query then finds particles of far cells in the buckets it visits: it \
                 tests their distance and turns them down."
                    .to_owned()
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |start| format!("Drag the hash table size down to {} or less.", count(crowded(start) as usize)),
                done: |start, now| now.grid.table_size <= crowded(start),
                perform: |start, grid| grid.table_size = crowded(start),
                figures: &[Figure::TableSize, Figure::LoadFactor, Figure::Candidates, Figure::Query, Figure::Wrong],
                beside: &[],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    format!(
                        "For each neighbour it finds, a query now tests {} times as many distances. What it finds is the same: the \
                         distance decides, not the bucket.",
                        format::significant(after.candidates / before.candidates.max(f64::MIN_POSITIVE))
                    )
                },
            }),
        },
        Step {
            heading: "The water does not notice",
            text: |now| {
                let checked = now.audit;
                format!(
                    "In every step some particles' neighbours are searched by brute force as well, and compared: {} so far, with {} \
                     missed and {} found twice. Neighbours are summed up in one order, whatever the table, so the water moves the \
                     same to the last bit.",
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
                    "In a table with 1 bucket all cells collide, and a query tests every particle there is: brute force in disguise. \
                     With {} particles a step can take long; the window does not wait for it.",
                    count(now.particles)
                )
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |_| "Drag the hash table size down to 1.".to_owned(),
                done: |_, now| now.grid.table_size == 1,
                perform: |_, grid| grid.table_size = 1,
                figures: &[Figure::TableSize, Figure::LoadFactor, Figure::Candidates, Figure::Query, Figure::Wrong],
                beside: &[],
                outcome: |columns| {
                    let [.., (_, after)] = columns else { return String::new() };
                    format!(
                        "Each of the {} particles is now tested against {}, itself included, to find {} neighbours.",
                        count(after.particles),
                        format::count(after.tests().round() as u64),
                        format::count(after.neighbors.round() as u64)
                    )
                },
            }),
        },
        Step {
            heading: "What to remember",
            text: |_| {
                "Too small a table costs time and never a neighbour. With two buckets for each particle collisions are few; a still larger \
                 table only takes memory, and time to clear. The cell hash looks at cells before it tests particles, and so stands a \
                 small table: try it under Structure."
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

/// Buckets with which the load factor is high.
fn crowded(start: &Reading) -> u32 {
    u32::try_from(start.occupied_cells / CROWDED).unwrap_or(u32::MAX).max(1)
}
