//! Fifty perturbed dam breaks, 2D and 3D: no step may be refused, and the fluid must not be compressed much.

use crate::headless::validate::case::{Case, Criterion, Measure, Plan, Unit, scene};
use crate::headless::validate::record::RunRecord;

/// Number of dam breaks.
const COUNT: u64 = 50;
/// Particle spacing of the scene, m, and gravity, m/s².
const SPACING: f64 = 0.01;
const GRAVITY: f64 = 9.81;
/// End of the labels of those with the default speed of sound and Courant factor.
const DEFAULTS: &str = "defaults";

pub const CASE: Case = Case {
    name: "dam_breaks",
    title: "Fifty perturbed dam breaks",
    about: "Columns of water collapse and strike the far wall of a closed tank, for 8 √(H/g) from their depth H. Depth (5 to 40 spacings in \
            2D, 5 to 20 in 3D), width (half to twice the depth), and in 3D thickness (4 to 10 spacings) are drawn from a fixed generator. \
            Two in five have the default speed of sound and Courant factor, and must not be compressed by more than 10 % at any \
            particle in any step; the others have 0.75 to 2 times that speed of sound and Courant factors of 0.1 to 0.5. None may be refused a step.",
    remarks: "",
    scene: scene!("dam_breaks"),
    interval: 0.01,
    plan: Plan::List(dam_breaks),
    measure,
    draw: |_| Vec::new(),
};

/// A generator of uniform numbers: SplitMix64 (Steele2014).
struct Generator(u64);

impl Generator {
    /// A number in [0, 1).
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number between `low` and `high`, each factor as likely.
    fn factor(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.uniform())
    }
}

/// Labels and overrides of all dam breaks.
fn dam_breaks() -> Vec<(String, Vec<String>)> {
    let mut generator = Generator(0);
    (1..=COUNT).map(|number| dam_break(number, &mut generator)).collect()
}

fn dam_break(number: u64, generator: &mut Generator) -> (String, Vec<String>) {
    let is_3d = number.is_multiple_of(3);
    let depth = generator.factor(5.0, if is_3d { 20.0 } else { 40.0 }).round();
    let width = (depth * generator.factor(0.5, 2.0)).round();
    let thickness = if is_3d { generator.factor(4.0, 10.0).round() } else { 1.0 };
    let (stiffness, cfl) = (generator.factor(0.75, 2.0), generator.factor(0.1, 0.5));
    let [x, y, z] = [width, depth, thickness].map(|count| count * SPACING);
    let mut set = vec![
        format!("dimensions={}", if is_3d { 3 } else { 2 }),
        format!("fluid.blocks.0.max=[{x:.3}, {y:.3}, {z:.3}]"),
        format!("containers.0.max=[{:.3}, {:.3}, {z:.3}]", 3.0 * x.max(y), 2.0 * y),
        format!("run.duration={:.3}", 8.0 * (y / GRAVITY).sqrt()),
    ];
    let size = if is_3d { format!("{width} × {depth} × {thickness}") } else { format!("{width} × {depth}") };
    let label = if number % 5 < 2 {
        format!("{number}: {size}, {DEFAULTS}")
    } else {
        set.push(format!("fluid.sound_speed={:.3}", stiffness * 10.0 * (2.0 * GRAVITY * y).sqrt()));
        set.push(format!("time_step.cfl_factor={cfl:.3}"));
        format!("{number}: {size}, {stiffness:.2} c₀, cfl {cfl:.2}")
    };
    (label, set)
}

/// Reason of a compression above the criterion: with two spacings as support radius the damper may not be stronger.
const REASON: &str = "the acoustic damper is limited for support radii below 2.5 spacings";

fn measure(run: &RunRecord) -> Vec<Measure> {
    let compression = Measure::new("highest compression", run.compression, Unit::Percent);
    let is_default = run.label.ends_with(DEFAULTS);
    vec![if is_default { compression.accept(Criterion::AtMost(0.1)).if_missed(REASON) } else { compression }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_dam_breaks_are_fifty_different_ones_of_every_kind() {
        let all = dam_breaks();
        assert_eq!(all, dam_breaks());
        let sets: HashSet<&Vec<String>> = all.iter().map(|(_, set)| set).collect();
        assert_eq!((all.len(), sets.len()), (50, 50));
        let count = |text: &str| all.iter().filter(|(label, _)| label.ends_with(text)).count();
        assert_eq!(count(DEFAULTS), 20);
        assert_eq!(all.iter().filter(|(_, set)| set[0] == "dimensions=3").count(), 16);
    }

    #[test]
    fn numbers_are_those_of_the_generator() {
        // The first two outputs of SplitMix64 from 0 are e220a8397b1dcdaf and 6e789e6aa1b965f4.
        let mut generator = Generator(0);
        assert_eq!(generator.uniform(), (0xe220_a839_7b1d_cdaf_u64 >> 11) as f64 / (1u64 << 53) as f64);
        assert_eq!(generator.uniform(), (0x6e78_9e6a_a1b9_65f4_u64 >> 11) as f64 / (1u64 << 53) as f64);
        assert!((0..1000).map(|_| generator.factor(0.5, 2.0)).all(|factor| (0.5..2.0).contains(&factor)));
    }
}
