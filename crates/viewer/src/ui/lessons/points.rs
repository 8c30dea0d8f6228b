//! The lessons about searches of points: balls of many sizes, and a cloth that keeps from passing through itself.

use super::lesson::{Lesson, Metric, Reading, Requirements, Searched, Step, Task, large_table};
use crate::ui::widgets::format;
use crate::ui::widgets::outline::Control;
use sph_core::neighbors::{Storage, Structure, Walk};

// Lesson: balls of many sizes, in the block map and in the spatial hash.

/// Spacing that counts as small, as a part of the largest distance of two balls that touch, and the tolerance of a slider.
const SMALL: f32 = 0.5;
const TOLERANCE: f32 = 1e-3;

const BALL_METRICS: &[Metric] = &[Metric::CellSize, Metric::CandidatesPerPair, Metric::Memory, Metric::Build, Metric::Query];

pub const BALLS: Lesson = Lesson {
    title: "Search balls of many sizes",
    summary: "A block map registers what a ball covers, a spatial hash only its centre.",
    searched: Searched::Balls,
    requirements: Requirements { spatial_hash: false, usual_cells: false, large_table: false },
    steps: &[
        Step {
            heading: "Registered wherever it reaches",
            text: |now| {
                format!(
                    "Which of {} balls touch? The block map divides space into blocks and registers a ball in every block that it \
                     covers. Two balls that touch share a block, so only balls of the same block are tested: now {} candidates \
                     for each pair that is near enough to touch.",
                    format::count(now.particles as u64),
                    format::significant(now.candidates)
                )
            },
            control: Some(Control::Structure),
            task: Some(Task {
                ask: |_| "Choose the structure Block map.".to_owned(),
                done: |_, now| matches!(now.grid.structure, Structure::BlockMap(..)),
                perform: |_, grid| grid.structure = Structure::BlockMap(Storage::Linked, Walk::Blocks),
                metrics: BALL_METRICS,
                beside: &[],
                outcome: |_| "The next steps compare with these values.".to_owned(),
            }),
        },
        Step {
            heading: "Registered once",
            text: |_| {
                "The spatial hash registers each ball once, in the cell of its centre. Of each pair the larger ball searches, for \
                 centres within its own diameter: small balls search a small range, but a large ball tests every small one near \
                 it."
                .to_owned()
            },
            control: Some(Control::Structure),
            task: Some(Task {
                ask: |_| "Choose the structure Spatial hash.".to_owned(),
                done: |_, now| now.grid.structure == Structure::SpatialHash,
                perform: |_, grid| grid.structure = Structure::SpatialHash,
                metrics: BALL_METRICS,
                beside: &[(0, "blocks")],
                outcome: |columns| {
                    let [(_, blocks), .., (_, hash)] = columns else { return String::new() };
                    let ratio = hash.candidates / blocks.candidates.max(f64::MIN_POSITIVE);
                    format!(
                        "{} times as many candidates for each pair. The pairs are the same, because they are selected by distance.",
                        format::significant(ratio)
                    )
                },
            }),
        },
        Step {
            heading: "One spacing for all sizes",
            text: |_| {
                "Small cells fit small balls, but a large ball visits many of them. Large cells fit large balls, but hold many \
                 small ones that are too far away. No spacing fits both."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| {
                    let length = format::length(f64::from(SMALL * start.support_radius));
                    format!("Spatial hash: drag the cell spacing down to {length} m or less.")
                },
                done: |start, now| {
                    now.grid.structure == Structure::SpatialHash
                        && now.grid.cell_size <= SMALL * start.support_radius * (1.0 + TOLERANCE)
                },
                perform: |start, grid| {
                    grid.structure = Structure::SpatialHash;
                    grid.cell_size = SMALL * start.support_radius;
                },
                metrics: BALL_METRICS,
                beside: &[(0, "blocks"), (1, "hash")],
                outcome: |columns| {
                    let [.., (_, before), (_, after)] = columns else { return String::new() };
                    let candidates =
                        if after.candidates < before.candidates { "Fewer candidates" } else { "No fewer candidates" };
                    let time = if after.query_ms < before.query_ms { "a shorter query" } else { "a longer query" };
                    format!("{candidates}, and {time}: fewer tests do not always take less time.")
                },
            }),
        },
        Step {
            heading: "Summary",
            text: |_| {
                "The wider the range of radii, the more candidates a single spacing costs, and the more of them a block map \
                 saves. That need not save time: to register a ball in many blocks and to count each pair once has its own cost, \
                 while plain cells are tested many at a time. Compare the times of build and query of your own run. The balls \
                 move in the same way in all of them, bit for bit."
                    .to_owned()
            },
            control: Some(Control::Structure),
            task: None,
        },
    ],
};

// Lesson: the hash table of a cloth.

/// Vertices per bucket of the small table.
const CROWD: usize = 16;

const CLOTH_METRICS: &[Metric] =
    &[Metric::TableSize, Metric::LoadFactor, Metric::CandidatesPerPair, Metric::Build, Metric::Query];

pub const CLOTH: Lesson = Lesson {
    title: "Shrink the table under a cloth",
    summary: "A sheet that may not pass through itself, searched once a step.",
    searched: Searched::Cloth,
    requirements: Requirements { spatial_hash: true, usual_cells: false, large_table: false },
    steps: &[
        Step {
            heading: "Searched once a step",
            text: |now| {
                format!(
                    "A cloth must not pass through itself: each of its {} vertices stays a thickness away from the others. Once a \
                     step, each looks for vertices within {} m: the thickness, and the way that two vertices may go in the step. \
                     All substeps use the pairs found, and test their true distance.",
                    format::count(now.particles as u64),
                    format::length(now.support_radius.into())
                )
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |start| {
                    format!(
                        "Start with a large table: set the hash table size to {} or more.",
                        format::count(start.particles as u64)
                    )
                },
                done: |start, now| now.grid.table_size as usize >= start.particles,
                perform: |start, grid| grid.table_size = large_table(start),
                metrics: CLOTH_METRICS,
                beside: &[],
                outcome: |_| "Now most cells have their own bucket.".to_owned(),
            }),
        },
        Step {
            heading: "Folds",
            text: |now| {
                format!(
                    "A flat sheet fills one layer of cells. Where it folds, layers lie in the same cells: pairs and candidates grow. \
                     Now a vertex has {} others within reach, in {} occupied cells.",
                    format::significant(now.neighbors),
                    format::count(now.occupied_cells as u64)
                )
            },
            control: Some(Control::LoadFactor),
            task: None,
        },
        Step {
            heading: "A small table",
            text: |_| {
                "With fewer buckets, distant parts of the sheet share them. A vertex then tests vertices that it cannot touch, and \
                 rejects them by their distance."
                .to_owned()
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |start| format!("Drag the hash table size down to {} or less.", format::count(small_table(start).into())),
                done: |start, now| now.grid.table_size <= small_table(start),
                perform: |start, grid| grid.table_size = small_table(start),
                metrics: CLOTH_METRICS,
                beside: &[(0, "large")],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    let ratio = after.candidates / before.candidates.max(f64::MIN_POSITIVE);
                    format!("{} times as many candidates for each pair, and not one contact lost.", format::significant(ratio))
                },
            }),
        },
        Step {
            heading: "Summary",
            text: |_| {
                "A small table costs time, but no contact: the sheet folds in the same way, bit for bit. One search a step is \
                 usually enough: it looks as far as vertices are expected to go, and is repeated if one goes farther."
                    .to_owned()
            },
            control: None,
            task: None,
        },
    ],
};

/// Table size with many vertices in a bucket.
fn small_table(start: &Reading) -> u32 {
    u32::try_from(start.particles / CROWD).unwrap_or(u32::MAX).max(1)
}
