//! The scalar fields of the particles: unit, colour map and values of each.

use super::{ColorMap, Swatches};
use sph_core::parameters::Choice as _;
use sph_core::{Fluid, Parameters, Particles, Setup};
use sph_io::ColorField;

/// Name for legends and menus.
pub fn label(field: ColorField) -> &'static str {
    field.option().label
}

/// Unit of the values; empty for numbers.
pub fn unit(field: ColorField) -> &'static str {
    match field {
        ColorField::Speed => "m/s",
        ColorField::Density => "kg/m³",
        ColorField::DensityError => "%",
        ColorField::Pressure => "Pa",
        ColorField::Vorticity | ColorField::Spin => "1/s",
        ColorField::Age => "s",
        ColorField::Neighbors | ColorField::Bucket | ColorField::Id | ColorField::Fluid | ColorField::Body => "",
    }
}

/// The colour map that suits the field, in a scene with these fluids.
pub fn default_map(field: ColorField, fluids: &[Fluid]) -> ColorMap {
    match field {
        ColorField::Speed => ColorMap::Water,
        ColorField::DensityError => ColorMap::Diverging,
        ColorField::Pressure => ColorMap::Ember,
        ColorField::Density | ColorField::Vorticity | ColorField::Spin | ColorField::Neighbors => ColorMap::Viridis,
        ColorField::Age => ColorMap::Cividis,
        ColorField::Id => ColorMap::Turbo,
        ColorField::Fluid => ColorMap::Swatches(Swatches::of(fluids)),
        ColorField::Bucket | ColorField::Body => ColorMap::Categories,
    }
}

/// True for numbers without an order, whose colours are those of [`default_map`] and whose range is fixed.
pub fn is_category(field: ColorField) -> bool {
    matches!(field, ColorField::Fluid | ColorField::Bucket | ColorField::Body)
}

/// True for fields whose values [`values`] does not know: they are computed from a whole fluid, while they are shown, by a
/// [`FieldReader`](super::FieldReader).
pub fn is_computed(field: ColorField) -> bool {
    use ColorField::{Age, Bucket, Neighbors, Spin, Vorticity};
    matches!(field, Vorticity | Neighbors | Bucket | Spin | Age)
}

/// True if particles of the scene can differ in the field.
pub fn is_offered(field: ColorField, setup: &Setup, parameters: &Parameters) -> bool {
    match field {
        ColorField::Fluid => setup.fluids.len() > 1,
        ColorField::Body => !setup.bodies.is_empty(),
        ColorField::Spin => parameters.forces.vorticity_transfer > 0.0,
        _ => true,
    }
}

/// Replaces `out` by one value a particle of the fluid, in the [unit](unit()) of `field`; by none for fields that are
/// [computed](is_computed) and for [`ColorField::Body`], which particles of the fluid have not. The rest density is that of the
/// particle's fluid among several, or `rest_density` (kg/m³).
pub fn values(field: ColorField, particles: &Particles, fluids: &[Fluid], rest_density: f32, out: &mut Vec<f32>) {
    out.clear();
    let fluid = |i: usize| particles.fluids.get(i).copied().unwrap_or(0);
    let of_fluid = |i: usize| fluids.get(usize::from(fluid(i))).map_or(rest_density, |fluid| fluid.rest_density);
    match field {
        ColorField::Speed => out.extend(particles.velocities.iter().map(|velocity| velocity.length())),
        ColorField::Density => out.extend_from_slice(&particles.densities),
        ColorField::DensityError => {
            let densities = particles.densities.iter().enumerate();
            out.extend(densities.map(|(i, density)| 100.0 * (density / of_fluid(i) - 1.0)));
        }
        ColorField::Pressure => out.extend_from_slice(&particles.pressures),
        ColorField::Id => out.extend(particles.ids.iter().map(|&id| id as f32)),
        ColorField::Fluid => out.extend((0..particles.len()).map(|i| f32::from(fluid(i)))),
        ColorField::Body
        | ColorField::Vorticity
        | ColorField::Neighbors
        | ColorField::Bucket
        | ColorField::Spin
        | ColorField::Age => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn values_have_the_units_they_claim() {
        let particles = Particles {
            positions: vec![Vec3::ZERO; 2],
            velocities: vec![Vec3::new(3.0, 4.0, 0.0), Vec3::ZERO],
            densities: vec![1010.0, 990.0],
            pressures: vec![5.0, -1.0],
            ids: vec![0, 1],
            ..Particles::default()
        };
        let mut out = vec![9.0; 7];
        values(ColorField::Speed, &particles, &[], 1000.0, &mut out);
        assert_eq!(out, [5.0, 0.0]);
        values(ColorField::DensityError, &particles, &[], 1000.0, &mut out);
        assert!((out[0] - 1.0).abs() < 1e-3 && (out[1] + 1.0).abs() < 1e-3);
        values(ColorField::Density, &particles, &[], 1000.0, &mut out);
        assert_eq!(out, [1010.0, 990.0]);
        values(ColorField::Pressure, &particles, &[], 1000.0, &mut out);
        assert_eq!(out, [5.0, -1.0]);
        values(ColorField::Fluid, &particles, &[], 1000.0, &mut out);
        assert_eq!(out, [0.0, 0.0]);
        // With two fluids, the deviation is from the particle's own rest density.
        let fluids = [Fluid::new("water", 1010.0), Fluid::new("oil", 900.0)];
        let particles = Particles { fluids: vec![0, 1], ..particles };
        values(ColorField::Fluid, &particles, &fluids, 1010.0, &mut out);
        assert_eq!(out, [0.0, 1.0]);
        values(ColorField::DensityError, &particles, &fluids, 1010.0, &mut out);
        assert!(out[0] == 0.0 && (out[1] - 10.0).abs() < 1e-3, "{out:?}");
    }
}
