//! Attributes of the selected particle, as rows of its query.

use crate::ui::widgets::{format, value_ui};
use egui::Ui;
use glam::Vec3;
use sph_core::{Attribute, Particles, Values};

/// Attributes that the panel shows elsewhere: the id in its title, the fluid by its name.
const SHOWN_ELSEWHERE: [&str; 2] = ["ids", "fluids"];

/// Lays out a row for each attribute of the particle `id`; none if it is no longer there.
pub(super) fn attributes_ui(ui: &mut Ui, particles: &Particles, id: u32) {
    let Some(index) = particles.ids.iter().position(|&other| other == id) else { return };
    for (attribute, values) in particles.shown().filter(|(attribute, _)| !SHOWN_ELSEWHERE.contains(&attribute.name)) {
        let Some(value) = text(values, index) else { continue };
        let unit = if attribute.unit.is_empty() { String::new() } else { format!(" {}", attribute.unit) };
        value_ui(ui, &label(attribute), &format!("{value}{unit}"), tooltip(values));
    }
}

/// Name of one value, capitalised: `Velocity`.
fn label(attribute: &Attribute) -> String {
    let mut letters = attribute.singular.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

fn tooltip(values: Values<'_>) -> &'static str {
    match values {
        Values::Vectors(_) => "Components x, y and z, in the step that the view shows.",
        _ => "In the step that the view shows.",
    }
}

/// Text of the value at `index`; `None` beyond the last.
fn text(values: Values<'_>, index: usize) -> Option<String> {
    Some(match values {
        Values::Vectors(values) => vector(*values.get(index)?),
        Values::Scalars(values) => format::grouped((*values.get(index)?).into()).replace('-', "−"),
        Values::Integers(values) => format::count((*values.get(index)?).into()),
        Values::Bytes(values) => format::count((*values.get(index)?).into()),
    })
}

/// Components in columns of one width, so that they stand still while they change.
fn vector(value: Vec3) -> String {
    let components = value.to_array().map(|component| {
        let text = match f64::from(component) {
            component if component.abs() < 1e2 => format!("{:.3}", (1e3 * component).round() / 1e3 + 0.0),
            component => format!("{component:.0e}"),
        };
        format!("{:>7}", text.replace('-', "−"))
    });
    components.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_keep_their_columns() {
        assert_eq!(vector(Vec3::new(0.125, -1.5, -0.0001)), "  0.125  −1.500   0.000");
        assert_eq!(vector(Vec3::new(12.0, -12345.6, 0.0)), " 12.000    −1e4   0.000");
    }

    #[test]
    fn scalars_have_thousands_and_a_minus_sign() {
        assert_eq!(text(Values::Scalars(&[1001.4, -0.25]), 0).as_deref(), Some("1,001"));
        assert_eq!(text(Values::Scalars(&[1001.4, -0.25]), 1).as_deref(), Some("−0.250"));
        assert_eq!(text(Values::Scalars(&[]), 0), None);
    }
}
