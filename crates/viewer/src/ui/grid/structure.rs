//! Which structure finds the neighbours, and its options.

use crate::ui::widgets::names::structure_name;
use crate::ui::widgets::{Number, choice_ui, format};
use egui::Ui;
use sph_core::Simd;
use sph_core::neighbors::{GridParameters, MAX_BUCKET_CAPACITY, MAX_PLACES, Registration, Storage, Structure, Update, Walk};

/// The choice, and below it whatever else the chosen structure lets one choose.
pub fn structure_ui(ui: &mut Ui, grid: &mut GridParameters) {
    // Structures are listed by name; choosing another one starts with its usual options.
    let mut usual = Structure::USUAL.into_iter().find(|usual| usual.name() == grid.structure.name()).unwrap_or(grid.structure);
    let tooltip = format!(
        "What finds the neighbours. The water moves the same with all of them; what they cost differs. Sorted cells are the fast path, which \
         scenes have that name no other; distances are tested with {}. Brute force tests every pair: slow, and the reference that the others \
         are tested against.",
        Simd::best().name()
    );
    if choice_ui(
        ui,
        "Structure",
        &tooltip,
        &mut usual,
        &Structure::USUAL.map(|structure| (structure, structure_name(structure))),
    ) {
        grid.structure = usual;
    }
    let mut options = grid.structure.options();
    if grid.structure.has_storage() {
        let all = [(Storage::Fixed, "Fixed places"), (Storage::Linked, "Linked")];
        let tooltip = "Fixed places lie side by side, and what does not fit spills into a list apart. Linked entries refer to each \
                       other: no limit, and nothing side by side.";
        choice_ui(ui, "Bucket storage", tooltip, &mut options.storage, &all);
    }
    if let Structure::CellHash(_) | Structure::BucketHash(..) = grid.structure {
        let all = [(Update::Rebuilt, "Rebuilt"), (Update::Incremental, "Incremental")];
        let tooltip = "Built anew in every step, or only those particles moved that have changed their cells.";
        choice_ui(ui, "Update", tooltip, &mut options.update, &all);
    }
    match grid.structure {
        Structure::BucketHash(..) => {
            let all = [(Registration::Once, "Once"), (Registration::Everywhere, "Everywhere in reach")];
            let tooltip = "In its own cell, and queries go to every cell in reach; or in every cell in reach, and queries go to their own.";
            choice_ui(ui, "Registered", tooltip, &mut options.registration, &all);
        }
        Structure::BlockMap(..) => {
            let all = [(Walk::Blocks, "Block by block"), (Walk::Points, "By particle")];
            let tooltip =
                "Compare within each block, each pair once; or look from each particle into the blocks that it covers.";
            choice_ui(ui, "Pairs found", tooltip, &mut options.walk, &all);
        }
        _ => {}
    }
    grid.structure = grid.structure.with_options(options);
    if grid.structure.has_fixed_buckets() {
        capacity_ui(ui, grid);
    }
}

fn capacity_ui(ui: &mut Ui, grid: &mut GridParameters) {
    let most = (MAX_PLACES / u64::from(grid.table_size.max(1))).clamp(1, MAX_BUCKET_CAPACITY.into()) as u32;
    grid.bucket_capacity = grid.bucket_capacity.min(most);
    let number = Number {
        label: "Bucket capacity",
        tooltip: "Particles that a bucket has places for. What does not fit spills into a list apart: nothing is lost.",
        unit: "",
        slider: 1.0..=f64::from(most.min(64)),
        allowed: 1.0..=f64::from(most),
        logarithmic: true,
        finest: 1.0,
        scene: f64::from(grid.bucket_capacity),
        format: |value| format::count(value.round() as u64),
    };
    let mut value = f64::from(grid.bucket_capacity);
    if number.ui(ui, &mut value) {
        grid.bucket_capacity = (value.round() as u32).clamp(1, most);
    }
}
