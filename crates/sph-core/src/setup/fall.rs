//! Speed that the fluid of a setup gets from gravity, by the height that it loses until it lies flat.

use super::Setup;
use crate::boundary::Container;
use glam::Vec3;

/// A part of the fluid: its mass over that of the reference fluid's volume, its volume and the height of its middle, along gravity.
#[derive(Clone, Copy, Debug)]
struct Part {
    density: f64,
    /// m³ (m² in two dimensions).
    volume: f64,
    /// m, upwards.
    height: f64,
}

impl Setup {
    /// Speed of the fluid, as it lasts for most of a run, m/s: the highest of its initial one, that of solids, that of fluid from emitters
    /// at the floor, and `√(2 g 2Δ)` for fluid whose centre of mass loses the height Δ until it lies flat in its container.
    ///
    /// A column of the height H that collapses into a wide tank has Δ = H/2, and the `√(2 g H)` of a free fall.
    pub(super) fn lasting_speed(&self) -> f32 {
        let gravity = self.strongest_gravity();
        let axis = (0..3).max_by(|&a, &b| gravity[a].abs().total_cmp(&gravity[b].abs())).unwrap_or(1);
        let (g, up) = (f64::from(gravity.length()), if gravity[axis] > 0.0 { -1.0 } else { 1.0 });
        let height = |at: Vec3| up * f64::from(at[axis]);
        let floor = |container: &Container| height(container.min).min(height(container.max));

        let inflow = f64::from(self.openings.top_speed(&self.discretization));
        let lowest = self.containers.iter().map(floor).fold(f64::INFINITY, f64::min);
        let drops = self.openings.emitters.iter().map(|emitter| height(emitter.center) - lowest);
        let drop = drops.filter(|drop| drop.is_finite()).fold(0.0, f64::max);
        let mut squared = inflow * inflow + 2.0 * g * drop;

        let mut parts: Vec<(Option<usize>, Part)> = Vec::new();
        for block in &self.blocks {
            let (low, high) = (block.min[axis], block.max[axis]);
            let part = |fluid: usize, from: f32, to: f32, share: f64| {
                let volume = share * self.block_count(block) as f64 * f64::from(self.discretization.particle_volume());
                let height = 0.5 * up * f64::from(from + to);
                (self.container_of(block.min, block.max), Part { density: self.rest_density(fluid).into(), volume, height })
            };
            match block.interface.filter(|_| axis == 1 && up > 0.0) {
                Some(interface) => {
                    let level = interface.height.clamp(low, high);
                    let below = f64::from((level - low) / (high - low));
                    parts.extend([part(interface.below, low, level, below), part(block.fluid, level, high, 1.0 - below)]);
                }
                None => parts.push(part(block.fluid, low, high, 1.0)),
            }
        }
        for set in &self.particle_sets {
            let count = set.positions().len() as f64;
            let sum: f64 = set.positions().iter().map(|&at| height(at)).sum();
            let volume = count * f64::from(self.discretization.particle_volume());
            let [min, max] = set.bounds();
            let part = Part { density: self.rest_density(set.fluid).into(), volume, height: sum / count };
            parts.push((self.container_of(min, max), part));
        }
        for (index, container) in self.containers.iter().enumerate() {
            let own: Vec<Part> = parts.iter().filter(|(of, _)| *of == Some(index)).map(|&(_, part)| part).collect();
            let extents = self.extents(container.min, container.max).enumerate();
            let area: f64 = extents.filter(|&(other, _)| other != axis).map(|(_, (_, extent))| f64::from(extent)).product();
            squared = squared.max(4.0 * g * lost_height(own, floor(container), area));
        }
        // Without a container, fluid falls at least through its own height.
        let loose = self.fluid_boxes().filter(|&(min, max)| self.container_of(min, max).is_none());
        let ends = loose.flat_map(|(min, max)| [height(min), height(max)]);
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
        squared = squared.max(2.0 * g * (high - low).max(0.0));
        (squared.sqrt() as f32).max(self.initial_speed()).max(self.solid_speed())
    }

    /// The first container whose box holds a box (m).
    fn container_of(&self, min: Vec3, max: Vec3) -> Option<usize> {
        let slack = self.slack();
        let (min, max) = (self.flat(min) + slack, self.flat(max) - slack);
        let holds = |of: &Container| min.cmpge(self.flat(of.min) - slack).all() && max.cmple(self.flat(of.max) + slack).all();
        self.containers.iter().position(holds)
    }
}

/// Height that the centre of mass of `parts` loses until they lie in layers over a floor of the height `floor` (m) and that area (m²; m in
/// two dimensions), the densest lowest, m.
fn lost_height(mut parts: Vec<Part>, floor: f64, area: f64) -> f64 {
    parts.sort_by(|a, b| b.density.total_cmp(&a.density));
    let (mut level, mut mass, mut lost) = (floor, 0.0, 0.0);
    for Part { density, volume, height } in parts {
        let thickness = volume / area;
        mass += density * volume;
        lost += density * volume * (height - (level + 0.5 * thickness));
        level += thickness;
    }
    if mass > 0.0 { (lost / mass).max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use crate::parameters::{Dimensions, Discretization, Fluid};
    use crate::setup::{FluidBlock, Setup};
    use crate::{Container, Method};
    use glam::Vec3;

    fn tank(blocks: Vec<FluidBlock>) -> Setup {
        let container = Container::new(Vec3::ZERO, Vec3::new(4.0, 2.0, 0.0));
        Setup::new(Discretization::new(Dimensions::Two, 0.05), blocks, vec![container])
    }

    #[test]
    fn the_speed_is_that_of_the_height_that_is_lost() {
        let block =
            |min: [f32; 2], max: [f32; 2]| FluidBlock::new(Vec3::new(min[0], min[1], 0.0), Vec3::new(max[0], max[1], 0.0));
        let speed = |blocks: Vec<FluidBlock>| tank(blocks).lasting_speed();
        assert!(speed(vec![block([0.0, 0.0], [4.0, 1.0])]) < 1e-3);
        // A column of 1 m by 1 m: its centre falls from 0.5 m to 0.125 m.
        let dam = speed(vec![block([0.0, 0.0], [1.0, 1.0])]);
        assert!((dam - (4.0 * 9.81 * 0.375f32).sqrt()).abs() < 1e-3, "{dam}");
        // It is higher up.
        assert!((speed(vec![block([0.0, 1.0], [1.0, 2.0])]).powi(2) - dam.powi(2) - 4.0 * 9.81).abs() < 1e-2);
        // Heavy fluid on light one changes places with it: each half of the mass by about half a metre.
        let layers = |upper: usize| {
            let blocks = [(0.0, 1 - upper), (0.5, upper)]
                .map(|(low, fluid)| FluidBlock { fluid, ..block([0.0, low], [4.0, low + 0.5]) });
            tank(blocks.to_vec()).with_fluids(vec![Fluid::new("oil", 800.0), Fluid::new("water", 1000.0)]).lasting_speed()
        };
        assert!(layers(0) < 1e-3);
        // The centre of mass loses 0.5 m · (1000 − 800)/1800.
        assert!((layers(1).powi(2) - 4.0 * 9.81 * 0.5 * 200.0 / 1800.0).abs() < 1e-2, "{}", layers(1));
    }

    /// Still water needs the longest steps that are allowed.
    #[test]
    fn still_water_is_forecast_at_the_longest_step() {
        let mut setup = tank(vec![FluidBlock::new(Vec3::ZERO, Vec3::new(4.0, 1.0, 0.0))]);
        setup.parameters.solver.method = Method::Dfsph;
        assert_eq!(setup.forecast().step.dt, setup.parameters.time_step.max_dt);
    }
}
