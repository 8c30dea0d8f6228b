//! Structure of the neighbour search, and its options.

use crate::ui::widgets::ParameterRow;
use egui::Ui;
use sph_core::Simd;
use sph_core::neighbors::{MAX_BUCKET_CAPACITY, MAX_PLACES};
use sph_core::parameters::Parameters;

/// Lays out the choice of the structure and the options of the chosen one.
pub fn structure_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    let vectors = format!("Distance tests use {} instructions.", Simd::best().name());
    ParameterRow::of("grid.structure").more(&vectors).ui(ui, parameters, scene);
    for key in ["grid.storage", "grid.update", "grid.registration", "grid.walk"] {
        if Parameters::entry(key).is_used(parameters) {
            ParameterRow::of(key).ui(ui, parameters, scene);
        }
    }
    if parameters.grid.structure.has_fixed_buckets() {
        capacity_ui(ui, parameters, scene);
    }
}

fn capacity_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    let grid = &mut parameters.grid;
    let most = (MAX_PLACES / u64::from(grid.table_size.max(1))).clamp(1, MAX_BUCKET_CAPACITY.into()) as u32;
    grid.bucket_capacity = grid.bucket_capacity.min(most);
    let row = ParameterRow::of("grid.bucket_capacity").slider(1.0..=f64::from(most.min(64))).allowed(1.0..=f64::from(most));
    row.ui(ui, parameters, scene);
}
