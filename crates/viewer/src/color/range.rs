//! The range of each field for its colour map.

use super::Swatches;
use super::category::CATEGORIES;
use glam::Vec3;
use sph_core::{Body, Container, Dimensions, Discretization, Fluid, FluidBlock, Setup, VelocityField};
use sph_io::{ColorField, Scene};
use std::f32::consts::{PI, TAU};

/// Diameter of an eddy at the upper end of the vorticity's range, particle spacings.
const EDDY: f32 = 4.0;

/// The range of a field for its colour map: from the scene alone, so that a colour means the same throughout a run.
///
/// Speed: 0 to √(2gH + v₀²), with the drop height H and the highest initial speed v₀ of fluid or walls, or to the capillary
/// speed if that is higher. Density: ± the deviation (v/c)² that the speed of sound c allows at that speed v. Pressure: 0 to
/// ρ₀gH, or to ρ₀v₀²/2 if that is higher, of the densest fluid. Vorticity: 0 to that speed over four spacings; spin to half of it.
/// Neighbours: 0 to those in a full neighbourhood. Age: 0 to the length of the run. Id: 0 to the number of particles at the start. Each is
/// rounded up. Categories: from the first to the last.
pub fn auto_range(field: ColorField, scene: &Scene) -> [f32; 2] {
    let setup = &scene.setup;
    let gravity = setup.parameters.gravity;
    let drop = drop_height(gravity, setup);
    let initial_speed = highest_initial_speed(setup);
    let speed = (2.0 * gravity.length() * drop + initial_speed * initial_speed).sqrt().max(capillary_speed(setup));
    let Discretization { rest_density, particle_spacing, support_radius, dimensions, .. } = setup.discretization;
    // Weakly compressible fluid deviates by about (v/c)², in percent. Solvers without a speed of sound may have one that is left low.
    let deviation = round_up(100.0 * (speed / setup.parameters.fluid.sound_speed).powi(2)).min(100.0);
    let vorticity = speed / (EDDY * particle_spacing);
    match field {
        ColorField::Speed => [0.0, round_up(speed)],
        ColorField::Density => {
            let densities = setup.fluids.iter().map(|fluid| fluid.rest_density);
            let lowest = densities.clone().fold(rest_density, f32::min);
            let highest = densities.fold(rest_density, f32::max);
            [lowest * (1.0 - deviation / 100.0), highest * (1.0 + deviation / 100.0)]
        }
        ColorField::DensityError => [-deviation, deviation],
        ColorField::Pressure => {
            let head = rest_density * gravity.length() * drop;
            [0.0, round_up(head.max(0.5 * rest_density * initial_speed * initial_speed))]
        }
        ColorField::Vorticity => [0.0, round_up(vorticity)],
        ColorField::Spin => [0.0, round_up(0.5 * vorticity)],
        ColorField::Neighbors => {
            let reach = support_radius / particle_spacing;
            let full = if dimensions == Dimensions::Two { PI * reach.powi(2) } else { 4.0 / 3.0 * PI * reach.powi(3) };
            [0.0, round_up(full)]
        }
        ColorField::Age => [0.0, round_up(scene.duration as f32)],
        ColorField::Fluid => [0.0, Swatches::of(&setup.fluids).last()],
        ColorField::Bucket | ColorField::Body => [0.0, (CATEGORIES - 1) as f32],
        ColorField::Id => [0.0, round_up(setup.particle_counts().fluid as f32)],
    }
}

/// The highest speed of fluid at the start, of containers with their faces, and of bodies, m/s.
fn highest_initial_speed(setup: &Setup) -> f32 {
    let gravity = setup.parameters.gravity.length();
    let fluid = setup.blocks.iter().map(|block| {
        let field_speed = match block.field {
            VelocityField::Still => 0.0,
            VelocityField::Linear { gradient, center } => {
                let corner = |k: usize| {
                    Vec3::from_array(std::array::from_fn(|axis| if k >> axis & 1 == 0 { block.min } else { block.max }[axis]))
                };
                (0..8).map(|k| (gradient * (corner(k) - center)).length()).fold(0.0, f32::max)
            }
            VelocityField::StandingWave { amplitude, wavelength } => amplitude * (gravity * TAU / wavelength).sqrt(),
            VelocityField::TaylorGreen { speed, .. } => speed.abs(),
        };
        block.velocity.length() + field_speed
    });
    let containers = setup.containers.iter().map(Container::top_speed);
    let bodies = setup.bodies.iter().map(Body::top_speed);
    fluid.chain(containers).chain(bodies).fold(0.0, f32::max)
}

/// Capillary speed of the smallest block, √(σ/ρL) with its shortest side L, m/s: the highest of any fluid.
fn capillary_speed(setup: &Setup) -> f32 {
    let axes = setup.discretization.dimensions.count();
    let shortest =
        |block: &FluidBlock| (block.max - block.min).to_array()[..axes].iter().copied().fold(f32::INFINITY, f32::min);
    let length = setup.blocks.iter().map(shortest).fold(f32::INFINITY, f32::min);
    let usual = setup.parameters.forces.surface_tension;
    let ratio = |fluid: &Fluid| fluid.surface_tension.unwrap_or(usual) / fluid.rest_density;
    let highest = setup.fluids.iter().map(ratio).reduce(f32::max);
    (highest.unwrap_or(usual / setup.discretization.rest_density) / length).sqrt()
}

/// Drop height H: distance along gravity from the highest fluid to the lowest point of fluid and containers, m; 0 without
/// gravity.
fn drop_height(gravity: Vec3, setup: &Setup) -> f32 {
    let mut down = gravity.normalize_or_zero();
    if setup.discretization.dimensions == Dimensions::Two {
        down.z = 0.0;
    }
    let extent_along_gravity = |min: Vec3, max: Vec3| {
        let (a, b) = (min * down, max * down);
        (a.min(b).element_sum(), a.max(b).element_sum())
    };
    let blocks = setup.blocks.iter().map(|&FluidBlock { min, max, .. }| extent_along_gravity(min, max));
    let containers = setup.containers.iter().map(|container| extent_along_gravity(container.min, container.max).1);
    let (top, bottom) =
        blocks.fold((f32::INFINITY, f32::NEG_INFINITY), |(top, bottom), (high, low)| (top.min(high), bottom.max(low)));
    let bottom = containers.fold(bottom, f32::max);
    let drop = bottom - top;
    if drop.is_finite() { drop.max(0.0) } else { 0.0 }
}

/// The next round number at or above `value`, for a legend; 1 if `value` is not positive and finite.
fn round_up(value: f32) -> f32 {
    if !(value > 0.0 && value.is_finite()) {
        return 1.0;
    }
    let power = 10f32.powf(value.log10().floor());
    let steps = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let nice = steps.into_iter().map(|step| step * power).find(|&step| step >= 0.999 * value);
    nice.unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The range of speeds of a shipped scene.
    macro_rules! speeds {
        ($name:literal) => {{
            let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/", $name, ".toml"));
            let scene = sph_io::parse(text, $name, &[]).unwrap_or_else(|error| panic!("{error}"));
            auto_range(ColorField::Speed, &scene)
        }};
    }

    #[test]
    fn speed_ranges_cover_fluid_walls_and_bodies() {
        // Capillary speed of the drop: √(0.073/(1000 · 0.027)).
        assert_eq!(speeds!("droplet"), [0.0, 0.06]);
        assert_eq!(speeds!("validation/taylor_green_2d"), [0.0, 1.0]);
        assert_eq!(speeds!("validation/cavity_re100"), [0.0, 1.0]);
        assert_eq!(speeds!("validation/moving_square"), [0.0, 1.0]);
    }

    #[test]
    fn round_up_reads_well() {
        let check = |value: f32, expected: f32| {
            let rounded = round_up(value);
            assert!((rounded / expected - 1.0).abs() < 1e-4, "{value} became {rounded}");
        };
        check(3.13, 4.0);
        check(1.0, 1.0);
        check(0.0117, 0.012);
        check(4905.0, 5000.0);
        check(9.1, 10.0);
        check(0.0, 1.0);
        check(f32::NAN, 1.0);
        check(f32::INFINITY, 1.0);
    }

    #[test]
    fn ranges_follow_from_the_scene() {
        let range = |field, change: &str| {
            let text = format!(
                "format = 1\ntitle = 'Dam'\ngravity = [0.0, {change}, 0.0]\n[particles]\nspacing = 0.05\n[fluid]\nsound_speed = 40.0\n\
                 [[fluid.blocks]]\nmin = [0.0, 0.0, 0.0]\nmax = [0.5, 0.5, 0.5]\nvelocity = [0.0, 0.0, 2.5]\n\
                 [[containers]]\nmin = [0.0, -0.5, 0.0]\nmax = [2.0, 1.0, 0.5]\n"
            );
            let scene = sph_io::parse(&text, "dam", &[]).expect("the scene is valid");
            auto_range(field, &scene)
        };
        let check = |found: [f32; 2], expected: [f32; 2]| {
            assert!((0..2).all(|end| (found[end] - expected[end]).abs() < 1e-4 * expected[1]), "{found:?}");
        };
        // The fluid falls 1 m: √(2 · 9.81 · 1 + 2.5²) = 5.09 m/s, and (5.09 / 40)² = 1.6 %, and 9810 Pa.
        check(range(ColorField::Speed, "-9.81"), [0.0, 6.0]);
        check(range(ColorField::DensityError, "-9.81"), [-2.0, 2.0]);
        check(range(ColorField::Density, "-9.81"), [980.0, 1020.0]);
        // 5.09 m/s over 4 spacings of 0.05 m, half of it, 4/3 π (h/spacing)³, and the usual run of 2 s.
        check(range(ColorField::Vorticity, "-9.81"), [0.0, 30.0]);
        check(range(ColorField::Spin, "-9.81"), [0.0, 15.0]);
        check(range(ColorField::Age, "-9.81"), [0.0, 2.0]);
        check(range(ColorField::Pressure, "-9.81"), [0.0, 10_000.0]);
        // With upward gravity it falls to the ceiling, 1 m as well; without gravity only the initial velocity is left.
        check(range(ColorField::Speed, "9.81"), [0.0, 6.0]);
        check(range(ColorField::Speed, "0.0"), [0.0, 2.5]);
        check(range(ColorField::Pressure, "0.0"), [0.0, 4000.0]);
    }
}
