//! Lesson: large and small cell spacings.

use super::lesson::{Lesson, Step, Task};
use super::reading::{Metric, Reading};
use super::requirements::{Requirements, has_usual_cells};
use crate::ui::widgets::format;
use crate::ui::widgets::highlight::Control;

/// Spacings that count as large, as small, and as between, in support radii.
const LARGE: f32 = 3.0;
const SMALL: f32 = 0.5;
const BETWEEN: std::ops::Range<f32> = 0.6..2.5;

/// Tolerance for values set by a slider.
const TOLERANCE: f32 = 1e-3;

const METRICS: &[Metric] = &[Metric::Spacing, Metric::CellsPerQuery, Metric::Candidates, Metric::Query, Metric::Wrong];

pub const LESSON: Lesson = Lesson {
    title: "Vary the cell spacing",
    summary: "Few large cells or many small ones: both are slow, for opposite reasons.",
    requirements: Requirements { spatial_hash: true, usual_cells: false, large_table: true },
    steps: &[
        Step {
            heading: "Cells of a query",
            text: |now| {
                format!(
                    "Neighbours lie within the support radius, {} m. With cells of {} m, a query visits up to {} cells and \
                     tests all particles in them: {} per query, of which {} are neighbours.",
                    format::length(now.support_radius.into()),
                    format::length(now.grid.cell_size.into()),
                    format::count(now.cells()),
                    format::significant(now.tests()),
                    format::significant(now.neighbors)
                )
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Start with the usual cells: set the cell spacing to about {}.", radii(start, 1.0)),
                done: |start, now| has_usual_cells(&now.grid, start),
                perform: |start, grid| grid.cell_size = start.support_radius,
                metrics: METRICS,
                beside: &[],
                outcome: |_| "The next steps compare with these values.".to_owned(),
            }),
        },
        Step {
            heading: "Large cells",
            text: |_| {
                "With large cells, a query visits few of them. But they extend far beyond the support radius, and every \
                 particle in them is tested."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Drag the cell spacing up to {} or more.", radii(start, LARGE)),
                done: |_, now| now.ratio() >= LARGE - TOLERANCE,
                perform: |start, grid| grid.cell_size = LARGE * start.support_radius,
                metrics: METRICS,
                beside: &[(0, "usual")],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    format!(
                        "Up to {} cells per query instead of {}, and {} times as many distance tests.",
                        format::count(after.cells()),
                        format::count(before.cells()),
                        format::significant(after.tests() / before.tests().max(1.0))
                    )
                },
            }),
        },
        Step {
            heading: "Small cells",
            text: |_| {
                "Small cells fit the support sphere closely: few particles outside it are tested. But a query must look up \
                 many cells, including empty ones."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Drag the cell spacing down to {} or less.", radii(start, SMALL)),
                done: |_, now| now.ratio() <= SMALL + TOLERANCE,
                perform: |start, grid| grid.cell_size = SMALL * start.support_radius,
                metrics: METRICS,
                beside: &[(0, "usual"), (1, "large")],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    let candidates = if after.candidates < before.candidates {
                        "fewer candidates"
                    } else {
                        "no fewer candidates, because many cells share buckets"
                    };
                    let time = if after.query_ms > before.query_ms { "longer" } else { "less time" };
                    let cells = format::count(after.cells());
                    format!(
                        "Up to {cells} cells per query, and {candidates}. The query takes {time} than with the usual cells."
                    )
                },
            }),
        },
        Step {
            heading: "The fastest spacing",
            text: |_| {
                "The best spacing balances cells against candidates. It depends on the scene and on the machine: watch Query \
                 in the list of phases while you drag."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| {
                    format!(
                        "Find the shortest query time between {} and {}.",
                        radii(start, BETWEEN.start),
                        radii(start, BETWEEN.end)
                    )
                },
                done: |_, now| BETWEEN.contains(&now.ratio()),
                perform: |start, grid| grid.cell_size = start.support_radius,
                metrics: METRICS,
                beside: &[(1, "large"), (2, "small")],
                outcome: |columns| {
                    let by_time = |a: &&(&str, &Reading), b: &&(&str, &Reading)| a.1.query_ms.total_cmp(&b.1.query_ms);
                    let Some((_, fastest)) = columns.iter().min_by(by_time) else { return String::new() };
                    format!(
                        "The fastest of these spacings is {:.2} support radii: {} ms.",
                        fastest.ratio(),
                        format::significant(fastest.query_ms)
                    )
                },
            }),
        },
        Step {
            heading: "Summary",
            text: |_| {
                "A cell spacing far from the support radius usually makes the search slow: too many candidates, or too many \
                 cells. One support radius is a good start: a query visits at most 27 cells in 3D and 9 in 2D. Auto-tune, in \
                 the Grid panel, finds the fastest spacing."
                    .to_owned()
            },
            control: None,
            task: None,
        },
    ],
};

/// Text for a length of `ratio` support radii, in metres and in support radii.
fn radii(reading: &Reading, ratio: f32) -> String {
    let length = format::length(f64::from(ratio * reading.support_radius));
    let noun = if ratio == 1.0 { "support radius" } else { "support radii" };
    format!("{length} m ({ratio} {noun})")
}
