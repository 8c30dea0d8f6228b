//! Statistics of the neighbour search in the latest step.

use super::histogram;
use crate::ui::theme;
use crate::ui::widgets::{format, highlight, hint_ui, value_ui};
use egui::{RichText, Ui};
use sph_core::StepStats;
use sph_core::neighbors::{Audit, Structure};

/// Opacity of outdated numbers.
const OUTDATED: f32 = 0.4;

/// Lays out the statistics and the histogram of bucket lengths. `outdated`: true if the latest step used a different grid.
pub fn grid_numbers_ui(ui: &mut Ui, stats: Option<&StepStats>, audit: Audit, outdated: bool) {
    let Some(stats) = stats else {
        hint_ui(ui, "Available after the first step.");
        return;
    };
    ui.spacing_mut().item_spacing.y = 2.0;
    audit_ui(ui, audit);
    // The line is always present, so that the layout does not move.
    hint_ui(ui, if outdated { "Before the change; updated by the next step:" } else { "In the latest step:" });
    ui.scope(|ui| {
        if outdated {
            ui.multiply_opacity(OUTDATED);
        }
        step_ui(ui, stats);
    });
}

/// Lays out the statistics of one step.
fn step_ui(ui: &mut Ui, stats: &StepStats) {
    if stats.search.parameters.structure != Structure::BruteForce {
        occupancy_ui(ui, stats);
    }
    let search = &stats.search;
    let rows = [
        (
            "Candidates per neighbour",
            format!("{:.2}", search.candidates_per_neighbor()),
            "Distance tests per neighbour found. 1 is the optimum; cells as wide as the support radius give about 6 in three \
             dimensions.",
        ),
        (
            "Neighbours per particle",
            format!("{:.1}", search.tally.neighbors as f64 / stats.particles.max(1) as f64),
            "Mean number of particles within the support radius. Independent of the grid.",
        ),
        ("Memory", format::bytes(search.occupancy.bytes), "Memory of the structure, without the neighbour lists."),
    ];
    for (label, value, tooltip) in rows {
        value_ui(ui, label, &value, tooltip);
    }
    if stats.search.parameters.structure != Structure::BruteForce {
        ui.add_space(4.0);
        histogram::histogram_ui(ui, &stats.search.occupancy, stats.search.parameters.structure.has_table());
    }
}

/// Lays out the result of the audit of neighbour lists.
fn audit_ui(ui: &mut Ui, audit: Audit) {
    let wrong = audit.false_positives > 0;
    let text = match audit {
        Audit { missed, duplicates, false_positives, .. } if wrong => {
            format!("{missed} missed, {duplicates} duplicate, {false_positives} wrong")
        }
        Audit { missed, duplicates, .. } => format!("{missed} missed, {duplicates} duplicate neighbours"),
    };
    let color = if audit.is_clean() { theme::of(ui).good } else { theme::of(ui).error };
    let tooltip = format!(
        "In every step, the neighbour lists of some particles are compared with a brute-force search: {} lists so far. With \
         any grid, no neighbour may be missed or found twice.",
        format::count(audit.queries)
    );
    let badge = ui.label(RichText::new(text).color(color)).on_hover_text(tooltip);
    highlight::note(ui, "Audit", badge.rect);
}

fn occupancy_ui(ui: &mut Ui, stats: &StepStats) {
    let occupancy = &stats.search.occupancy;
    let count = |value: usize| format::count(value as u64);
    let rows = [
        (
            "Load factor",
            format::significant(occupancy.load_factor()),
            "Occupied cells divided by the table size. Above about 1, most cells share their bucket.",
        ),
        ("Occupied cells", count(occupancy.occupied_cells), "Grid cells that contain particles."),
        ("Occupied buckets", count(occupancy.occupied_buckets), "Buckets of the table that contain particles."),
        (
            "Cells in collision",
            count(occupancy.cells_in_collision),
            "Occupied cells that share their bucket with another cell: a query of one also tests the particles of the other.",
        ),
        (
            "Hash quality",
            format!("{:.2}", occupancy.hash_quality()),
            "Cell comparisons needed to find every occupied cell in its bucket, relative to a random hash function: 1 equals \
             random, below 1 is better, 2 means twice the work. Compare hash functions at the same table size.",
        ),
        ("Longest bucket", count(occupancy.longest_bucket), "Number of particles in the fullest bucket."),
        (
            "Spills",
            count(occupancy.spills),
            "Particles beyond the capacity of their bucket. A separate overflow list keeps them, so queries find them.",
        ),
    ];
    let structure = stats.search.parameters.structure;
    let is_shown = |label: &str| match label {
        "Hash quality" => structure.has_table(),
        // Only buckets of fixed capacity overflow.
        "Spills" => structure.has_fixed_buckets(),
        _ => true,
    };
    for (label, value, tooltip) in rows.into_iter().filter(|(label, ..)| is_shown(label)) {
        value_ui(ui, label, &value, tooltip);
    }
}
