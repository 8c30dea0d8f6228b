//! `[[fluids]]`: the fluids of a scene with several, and the names by which blocks refer to them.

use super::order::keep_order;
use super::vectors::Vectors;
use crate::scene::error::{Fault, list, nearest};
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Fluid, MAX_DENSITY_RATIO, REST_DENSITIES};

/// One of several fluids.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct NamedFluidTable {
    /// Name by which blocks refer to the fluid; no two fluids have the same.
    #[schemars(extend("x-range" = "text, not empty"))]
    pub name: String,
    /// Density of the undisturbed fluid.
    #[schemars(range(min = REST_DENSITIES[0], max = REST_DENSITIES[1]), extend(
        "x-unit" = "kg/m³",
        "x-range" = format!("{:e} to {:e}; at most {MAX_DENSITY_RATIO} times that of the lightest", REST_DENSITIES[0], REST_DENSITIES[1])
    ))]
    pub rest_density: f64,
    /// Kinematic viscosity.
    #[schemars(range(min = 0.0, max = 1e6), extend("x-unit" = "m²/s", "x-default" = "`fluid.kinematic_viscosity`"))]
    pub kinematic_viscosity: Option<f64>,
    /// Surface tension against air and walls. Between two fluids acts the sum of theirs.
    #[schemars(range(min = 0.0, max = 1e3), extend("x-unit" = "N/m", "x-default" = "`fluid.surface_tension`"))]
    pub surface_tension: Option<f64>,
    /// Colour in pictures.
    #[schemars(extend("x-range" = "`\"#rrggbb\"`: red, green and blue, each 00 to ff", "x-default" = "one of a palette, by number"))]
    pub color: Option<String>,
}

/// The fluids of the file; adds their faults to those of `vectors`. `rest_density` says if the file has `fluid.rest_density`.
pub(crate) fn fluids(tables: &[NamedFluidTable], rest_density: bool, vectors: &mut Vectors) -> Vec<Fluid> {
    if rest_density && !tables.is_empty() {
        let message = "`fluid.rest_density` says nothing beside `[[fluids]]`, each of which has its own";
        vectors.faults.push(Fault::at_path("fluid.rest_density", message, "expected no such key"));
    }
    let fluid = |(index, table): (usize, &NamedFluidTable)| {
        let path = |key: &str| format!("fluids.{index}.{key}");
        let name = table.name.as_str();
        if name.trim().is_empty() {
            let message = format!("`{}` is empty", path("name"));
            vectors.faults.push(Fault::at_path(path("name"), message, "expected a name"));
        } else if tables[..index].iter().any(|earlier| earlier.name == name) {
            let message = format!("there are two fluids called `{name}`");
            vectors.faults.push(Fault::at_path(path("name"), message, "expected another name"));
        }
        let color = table.color.as_deref().map(|text| {
            color(text).unwrap_or_else(|| {
                let message = format!("`{}` is not a colour", path("color"));
                let label = "expected `#` and six hexadecimal digits, as in \"#3b82f6\"";
                vectors.faults.push(Fault::at_path(path("color"), message, label));
                [0; 3]
            })
        });
        Fluid {
            name: name.to_owned(),
            rest_density: table.rest_density as f32,
            kinematic_viscosity: table.kinematic_viscosity.map(|viscosity| viscosity as f32),
            surface_tension: table.surface_tension.map(|tension| tension as f32),
            color,
        }
    };
    tables.iter().enumerate().map(fluid).collect()
}

/// Index of the fluid called `name`. Adds a fault at `path` if there is none, and returns the first.
pub(crate) fn fluid_called(name: &str, fluids: &[Fluid], path: String, vectors: &mut Vectors) -> usize {
    let found = fluids.iter().position(|fluid| fluid.name == name);
    if found.is_none() {
        let names = || fluids.iter().map(|fluid| fluid.name.as_str());
        let label = match nearest(name, names()) {
            _ if fluids.is_empty() => "expected no such key: the scene has no `[[fluids]]`".to_owned(),
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("expected {}", list(names())),
        };
        vectors.faults.push(Fault::at_path(path, format!("no fluid is called `{name}`"), label));
    }
    found.unwrap_or(0)
}

/// Red, green and blue of `#rrggbb`.
fn color(text: &str) -> Option<[u8; 3]> {
    let digits =
        text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}
