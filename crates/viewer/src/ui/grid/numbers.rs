//! What the neighbour search did in the latest step.

use super::histogram;
use crate::ui::theme;
use crate::ui::widgets::{format, highlight, hint_ui, value_ui};
use egui::{RichText, Ui};
use sph_core::StepStats;
use sph_core::neighbors::{Audit, Structure};

/// How much of their brightness outdated numbers keep.
const OUTDATED: f32 = 0.4;

/// The numbers, and the histogram of bucket lengths. `outdated`: whether another grid than the one shown above them made the step.
pub fn grid_numbers_ui(ui: &mut Ui, stats: Option<&StepStats>, audit: Audit, outdated: bool) {
    let Some(stats) = stats else {
        hint_ui(ui, "The first step will show what the grid does.");
        return;
    };
    ui.spacing_mut().item_spacing.y = 2.0;
    audit_ui(ui, audit);
    // The line is always there: nothing jumps when it says something else.
    hint_ui(ui, if outdated { "From before the change; the next step brings new ones." } else { "In the latest step:" });
    ui.scope(|ui| {
        if outdated {
            ui.multiply_opacity(OUTDATED);
        }
        step_ui(ui, stats);
    });
}

/// What the search did in one step.
fn step_ui(ui: &mut Ui, stats: &StepStats) {
    if stats.search.parameters.structure != Structure::BruteForce {
        occupancy_ui(ui, stats);
    }
    let search = &stats.search;
    let rows = [
        (
            "Candidates per neighbour",
            format!("{:.2}", search.candidates_per_neighbor()),
            "Distances tested for each neighbour found. 1 would be perfect; a cell as wide as the support radius gives about 6 \
             in space.",
        ),
        (
            "Neighbours per particle",
            format!("{:.1}", search.tally.neighbors as f64 / stats.particles.max(1) as f64),
            "Particles closer than the support radius, on average. The grid cannot change this number.",
        ),
        ("Memory", format::bytes(search.occupancy.bytes), "What the structure holds, without the neighbour lists."),
    ];
    for (label, value, tooltip) in rows {
        value_ui(ui, label, &value, tooltip);
    }
    if stats.search.parameters.structure != Structure::BruteForce {
        ui.add_space(4.0);
        histogram::histogram_ui(ui, &stats.search.occupancy, stats.search.parameters.structure.has_table());
    }
}

/// Whether the lists were right wherever they were checked.
fn audit_ui(ui: &mut Ui, audit: Audit) {
    let wrong = audit.false_positives > 0;
    let text = match audit {
        Audit { missed, duplicates, false_positives, .. } if wrong => {
            format!("{missed} missed, {duplicates} duplicate, {false_positives} wrong")
        }
        Audit { missed, duplicates, .. } => format!("{missed} missed, {duplicates} duplicate neighbours"),
    };
    let color = if audit.is_clean() { theme::GOOD } else { theme::ERROR };
    let tooltip = format!(
        "In every step some particles' neighbours are searched by brute force as well, and the lists compared: {} so far. Whatever the \
         grid, none may be missed and none found twice.",
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
            format!("{:.3}", occupancy.load_factor()),
            "Occupied cells divided by the table size. Above about 1, sharing of buckets is the rule.",
        ),
        ("Occupied cells", count(occupancy.occupied_cells), "Grid cells that hold a particle."),
        ("Occupied buckets", count(occupancy.occupied_buckets), "Slots of the table that hold a particle."),
        (
            "Cells in collision",
            count(occupancy.cells_in_collision),
            "Occupied cells whose bucket holds another cell too: a query for one tests the other's particles in vain.",
        ),
        (
            "Hash quality",
            format!("{:.2}", occupancy.hash_quality()),
            "Cells compared to find every occupied cell in its bucket, against cells that fell into buckets at random: 1 is as good as \
             random, below 1 better, 2 means twice the work. Compare hash functions at the same table size.",
        ),
        ("Longest bucket", count(occupancy.longest_bucket), "Particles in the fullest slot of the table."),
        (
            "Spills",
            count(occupancy.spills),
            "Particles that did not fit into the fixed places of their bucket. They are found all the same, in a list apart.",
        ),
    ];
    let structure = stats.search.parameters.structure;
    let is_shown = |label: &str| match label {
        "Hash quality" => structure.has_table(),
        // Only fixed places can overflow.
        "Spills" => structure.has_fixed_buckets(),
        _ => true,
    };
    for (label, value, tooltip) in rows.into_iter().filter(|(label, ..)| is_shown(label)) {
        value_ui(ui, label, &value, tooltip);
    }
}
