//! Range of the colours of quantities with outliers, such as pressure: that of most particles, and steady over time.

use crate::field::{auto_range, round_up};
use sph_io::{ColorField, Scene};

/// Share of the particles that may lie below the range, and above it.
const TAIL: f64 = 0.02;

/// Number of values from which the range is found: those of particles evenly spread over all.
const SAMPLE: usize = 8192;

/// Time over which the range is steadied, s.
const STEADY: f64 = 0.5;

/// Part of an end that the values must fall below before the end follows them.
const SHRINKS: f32 = 0.4;

/// Part of the range that suits the scene below which values count as noise.
const NOISE: f32 = 1e-3;

/// True for the fields whose range follows most of the particles: a few of them would leave all others in one colour.
pub fn is_fitted(field: ColorField) -> bool {
    use ColorField::{Density, DensityError, Pressure, Spin, Stretch, Vorticity};
    matches!(field, Pressure | Density | DensityError | Vorticity | Spin | Stretch)
}

/// Range that follows the values of a field. Its ends are round numbers, and stay until the values leave them or shrink a lot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FittedRange {
    field: ColorField,
    /// Steadied distances of the values below and above the middle of the range, in the unit of the field; `None` at first.
    spread: Option<[f32; 2]>,
    /// The same of the ends of the range.
    ends: Option<[f32; 2]>,
}

impl FittedRange {
    /// Follows the `values` of the particles in `field`, `elapsed` seconds after those before; `None` after a jump to another state.
    pub fn follow(&mut self, field: ColorField, values: &[f32], scene: &Scene, elapsed: Option<f64>) {
        if field != self.field || !is_fitted(field) {
            *self = Self { field, ..Self::default() };
        }
        let Some([low, high]) = most_of(values).filter(|_| is_fitted(field)) else { return };
        let middle = middle(field, scene);
        let now = [middle - low, high - middle].map(|distance| distance.max(0.0));
        let weight = elapsed.map_or(1.0, |elapsed| 1.0 - (-elapsed.max(0.0) / STEADY).exp()) as f32;
        // After a jump nothing of the range before counts.
        if elapsed.is_none() {
            self.ends = None;
        }
        let before = self.spread.unwrap_or(now);
        let spread = [0, 1].map(|end| before[end] + weight * (now[end] - before[end]));
        self.spread = Some(spread);
        let [auto_low, auto_high] = auto_range(field, scene);
        let usual = (auto_high - middle).max(middle - auto_low);
        let largest = spread[0].max(spread[1]);
        if largest <= NOISE * usual {
            self.ends = None;
            return;
        }
        // Deviations have ranges that are symmetric; what is mostly positive begins at 0.
        let is_symmetric = matches!(field, ColorField::Density | ColorField::DensityError);
        let wanted = match spread {
            _ if is_symmetric => [largest; 2],
            [below, above] if below < 0.05 * above => [0.0, above],
            spread => spread,
        };
        let ends = self.ends.unwrap_or_default();
        self.ends = Some([0, 1].map(|end| steady(ends[end], wanted[end])));
    }

    /// The range; `None` where the one that suits the scene is as good.
    pub fn range(&self, field: ColorField, scene: &Scene) -> Option<[f32; 2]> {
        let [below, above] = self.ends.filter(|_| field == self.field)?;
        let middle = middle(field, scene);
        (below + above > 0.0).then_some([middle - below, middle + above])
    }
}

/// Value of undisturbed fluid.
fn middle(field: ColorField, scene: &Scene) -> f32 {
    if field == ColorField::Density { scene.setup.discretization.rest_density } else { 0.0 }
}

/// `end`, unless the value `wanted` lies beyond it or has become much smaller.
fn steady(end: f32, wanted: f32) -> f32 {
    if wanted <= 0.0 {
        0.0
    } else if wanted > end || wanted < SHRINKS * end {
        round_up(wanted)
    } else {
        end
    }
}

/// The values without the [`TAIL`] at either end: the lowest and the highest; `None` without finite values.
fn most_of(values: &[f32]) -> Option<[f32; 2]> {
    let stride = values.len().div_ceil(SAMPLE).max(1);
    let mut sample: Vec<f32> = values.iter().copied().step_by(stride).filter(|value| value.is_finite()).collect();
    let last = sample.len().checked_sub(1)?;
    let tail = (TAIL * last as f64) as usize;
    let [low, high] = [tail, last - tail].map(|rank| *sample.select_nth_unstable_by(rank, f32::total_cmp).1);
    Some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
        sph_io::parse(text, "block", &[]).expect("the scene is valid")
    }

    /// From 0 to `top`, and one outlier.
    fn values(top: f32) -> Vec<f32> {
        (0..1000).map(|number| top * number as f32 / 999.0).chain([1e9, f32::NAN]).collect()
    }

    #[test]
    fn an_outlier_does_not_widen_the_range() {
        let (scene, mut fitted) = (scene(), FittedRange::default());
        assert_eq!(fitted.range(ColorField::Pressure, &scene), None);
        fitted.follow(ColorField::Pressure, &values(700.0), &scene, None);
        let [low, high] = fitted.range(ColorField::Pressure, &scene).expect("it follows the values");
        assert!(low == 0.0 && (650.0..=800.0).contains(&high), "{low} {high}");
        assert_eq!(fitted.range(ColorField::Speed, &scene), None);
        fitted.follow(ColorField::Speed, &values(700.0), &scene, None);
        assert_eq!(fitted.range(ColorField::Speed, &scene), None, "its range follows from the scene");
    }

    #[test]
    fn the_range_is_steady_and_follows_at_last() {
        let (scene, mut fitted) = (scene(), FittedRange::default());
        let range = |fitted: &FittedRange| fitted.range(ColorField::Pressure, &scene).expect("it follows the values");
        fitted.follow(ColorField::Pressure, &values(700.0), &scene, None);
        let before = range(&fitted);
        for number in 0..200 {
            // A step of a wave that comes and goes.
            let top = if number % 10 == 0 { 1400.0 } else { 600.0 };
            fitted.follow(ColorField::Pressure, &values(top), &scene, Some(0.02));
            assert_eq!(range(&fitted), before, "{number}");
        }
        (0..100).for_each(|_| fitted.follow(ColorField::Pressure, &values(70.0), &scene, Some(0.05)));
        assert!(range(&fitted)[1] < 300.0);
        fitted.follow(ColorField::Pressure, &values(7000.0), &scene, None);
        assert!(range(&fitted)[1] > 6000.0, "after a jump at once");
        fitted.follow(ColorField::Pressure, &values(3500.0), &scene, None);
        assert!(range(&fitted)[1] < 4500.0, "also to half of it");
    }

    #[test]
    fn deviations_are_symmetric_and_noise_is_none() {
        let (scene, mut fitted) = (scene(), FittedRange::default());
        let values: Vec<f32> = (0..1000).map(|number| 999.0 + 4e-3 * number as f32).collect();
        fitted.follow(ColorField::Density, &values, &scene, None);
        let [low, high] = fitted.range(ColorField::Density, &scene).expect("it follows the values");
        assert!((low + high - 2000.0).abs() < 1e-2 && (2.9..=3.1).contains(&(high - 1000.0)), "{low} {high}");
        fitted.follow(ColorField::Pressure, &[0.0; 100], &scene, None);
        assert_eq!(fitted.range(ColorField::Pressure, &scene), None, "fluid at rest has no pressure to fit");
    }
}
