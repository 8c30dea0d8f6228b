//! Lesson: few wide cells or many narrow ones.

use super::basis::{Basis, has_usual_cells};
use super::lesson::{Lesson, Step, Task};
use super::reading::{Figure, Reading};
use crate::ui::widgets::format;
use crate::ui::widgets::highlight::Control;

/// Spacings, in support radii, that count as wide, as narrow, and as between the two.
const WIDE: f32 = 3.0;
const NARROW: f32 = 0.5;
const BETWEEN: std::ops::Range<f32> = 0.6..2.5;

/// A slider ends near such numbers, not on them.
const NEARLY: f32 = 1e-3;

const FIGURES: &[Figure] = &[Figure::Spacing, Figure::CellsPerQuery, Figure::Candidates, Figure::Query, Figure::Wrong];

pub const LESSON: Lesson = Lesson {
    title: "Widen the spacing",
    summary: "Few wide cells or many narrow ones: both are slow, for opposite reasons.",
    basis: Basis { spatial_hash: true, usual_cells: false, roomy_table: true },
    steps: &[
        Step {
            heading: "What a query visits",
            text: |now| {
                format!(
                    "Neighbours are closer than the support radius, {} m. With cells of {} m, a query visits up to {} cells and tests \
                     the particles in them: {} for each particle, of which {} are neighbours.",
                    format::length(now.support_radius.into()),
                    format::length(now.grid.cell_size.into()),
                    format::count(now.cells()),
                    format::significant(now.tests()),
                    format::significant(now.neighbors)
                )
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Begin with the usual cells: set the cell spacing to about {}.", radii(start, 1.0)),
                done: |start, now| has_usual_cells(&now.grid, start),
                perform: |start, grid| grid.cell_size = start.support_radius,
                figures: FIGURES,
                beside: &[],
                outcome: |_| "That is where the next steps start from.".to_owned(),
            }),
        },
        Step {
            heading: "Wide cells",
            text: |_| {
                "Of wide cells a query visits few. But they reach far beyond the support radius, and every particle in them is tested."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Drag the cell spacing up to {} or more.", radii(start, WIDE)),
                done: |_, now| now.ratio() >= WIDE - NEARLY,
                perform: |start, grid| grid.cell_size = WIDE * start.support_radius,
                figures: FIGURES,
                beside: &[(0, "usual")],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    format!(
                        "Up to {} cells a query instead of {}, and {} times as many distances tested.",
                        format::count(after.cells()),
                        format::count(before.cells()),
                        format::significant(after.tests() / before.tests().max(1.0))
                    )
                },
            }),
        },
        Step {
            heading: "Narrow cells",
            text: |_| {
                "Narrow cells follow the sphere around a particle closely: little is tested that is too far away. But many cells have to be \
                 looked up, the empty ones too."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Drag the cell spacing down to {} or less.", radii(start, NARROW)),
                done: |_, now| now.ratio() <= NARROW + NEARLY,
                perform: |start, grid| grid.cell_size = NARROW * start.support_radius,
                figures: FIGURES,
                beside: &[(0, "usual"), (1, "wide")],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    let candidates = if after.candidates < before.candidates {
                        "fewer candidates"
                    } else {
                        "no fewer candidates, as so many cells share their buckets"
                    };
                    let time = if after.query_ms > before.query_ms { "longer" } else { "less long" };
                    let cells = format::count(after.cells());
                    format!("Up to {cells} cells a query, and {candidates}. The query takes {time} than with the usual cells.")
                },
            }),
        },
        Step {
            heading: "The fastest in between",
            text: |_| {
                "The best spacing weighs cells against candidates. Where it lies depends on the scene and on the machine: watch Query in the \
                 list of phases while you drag."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| {
                    format!(
                        "Look for the shortest query between {} and {}.",
                        radii(start, BETWEEN.start),
                        radii(start, BETWEEN.end)
                    )
                },
                done: |_, now| BETWEEN.contains(&now.ratio()),
                perform: |start, grid| grid.cell_size = start.support_radius,
                figures: FIGURES,
                beside: &[(1, "wide"), (2, "narrow")],
                outcome: |columns| {
                    let by_time = |a: &&(&str, &Reading), b: &&(&str, &Reading)| a.1.query_ms.total_cmp(&b.1.query_ms);
                    let Some((_, fastest)) = columns.iter().min_by(by_time) else { return String::new() };
                    format!(
                        "The fastest of these is a spacing of {:.2} support radii: {} ms.",
                        fastest.ratio(),
                        format::significant(fastest.query_ms)
                    )
                },
            }),
        },
        Step {
            heading: "What to remember",
            text: |_| {
                "Far from the support radius a search usually becomes slow: too many candidates, or too many cells. Cells of one support \
                 radius are a good beginning, with at most 27 to visit in space and 9 in the plane. Auto-tune, \
                 in the Grid panel, looks for the fastest by itself."
                    .to_owned()
            },
            control: None,
            task: None,
        },
    ],
};

/// So many support radii, in metres too.
fn radii(reading: &Reading, ratio: f32) -> String {
    let length = format::length(f64::from(ratio * reading.support_radius));
    let noun = if ratio == 1.0 { "support radius" } else { "support radii" };
    format!("{length} m ({ratio} {noun})")
}
