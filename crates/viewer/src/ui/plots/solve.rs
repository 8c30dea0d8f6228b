//! Plots of the pressure solve of the last seconds' steps: iterations, and the residual that they left.

use super::costs::{line, plot_ui};
use crate::session::{History, Sample};
use crate::ui::theme;
use egui::{RichText, Ui, vec2};

/// Height of a plot, points.
const HEIGHT: f32 = 96.0;

/// Lays out the plots one below the other.
pub fn solve_plots_ui(ui: &mut Ui, history: &History) {
    let value = |name: &'static str, value: fn(&Sample) -> f64| (name, value);
    let density = value("density solve", |sample| sample.stepping.mean(f64::from(sample.stepping.iterations[0])));
    let divergence = value("divergence solve", |sample| sample.stepping.mean(f64::from(sample.stepping.iterations[1])));
    let residual = value("residual", |sample| 100.0 * sample.stepping.mean(f64::from(sample.stepping.residual)));
    let has_two = history.samples().any(|sample| sample.stepping.iterations[1] > 0);
    let iterations = if has_two { vec![density, divergence] } else { vec![density] };
    let colors = theme::of(ui);
    for (title, curves) in [("Iterations per step", iterations), ("Residual, %", vec![residual])] {
        ui.add_space(0.5 * theme::SPACE);
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).small().color(colors.text_quiet));
            for (number, (name, _)) in curves.iter().enumerate().filter(|_| curves.len() > 1) {
                ui.label(RichText::new(*name).small().color(colors.curve(number)));
            }
        });
        ui.allocate_ui(vec2(ui.available_width(), HEIGHT), |ui| {
            plot_ui(ui, title, |plot| {
                for (number, (name, value)) in curves.into_iter().enumerate() {
                    line(plot, name, history, colors.curve(number), value);
                }
            });
        });
    }
}
