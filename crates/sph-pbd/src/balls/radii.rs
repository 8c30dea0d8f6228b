//! Radii of balls: given one by one, or drawn from a distribution.

use super::random::Random;
use super::setup::BallsError;

/// Largest ratio of two radii in a set.
pub const MAX_RADIUS_RATIO: f32 = 20.0;

/// Radii of the balls of a set, m.
#[derive(Clone, Debug, PartialEq)]
pub enum Radii {
    /// One radius for each ball.
    List(Vec<f32>),
    /// The same radius for all.
    Equal(f32),
    /// Uniform distribution between two radii.
    Uniform {
        /// Smallest radius.
        min: f32,
        /// Largest radius.
        max: f32,
    },
    /// Uniform distribution of the logarithm: as many balls between 1 and 2 as between 5 and 10.
    LogUniform {
        /// Smallest radius.
        min: f32,
        /// Largest radius.
        max: f32,
    },
    /// Two sizes.
    TwoSizes {
        /// Radius of the small balls.
        small: f32,
        /// Radius of the large balls.
        large: f32,
        /// Part of the balls that is large, 0 to 1.
        large_part: f32,
    },
}

impl Radii {
    /// Radii of `count` balls, the same for the same `seed`.
    ///
    /// # Errors
    /// A radius is not a positive number, the ratio of two is above [`MAX_RADIUS_RATIO`], or a list has another length.
    pub fn draw(&self, count: usize, seed: u64) -> Result<Vec<f32>, BallsError> {
        let each = |radius: &dyn Fn(f32) -> f32| (0..count).map(|k| radius(Random::new(seed, k as u64, 0).unit())).collect();
        let ends = |limits: &[f32]| {
            check(limits)?;
            let ordered = limits.is_sorted();
            ordered.then_some(()).ok_or(BallsError::RadiiOutOfOrder { min: limits[0], max: limits[1] })
        };
        let radii = match *self {
            Self::List(ref radii) if radii.len() == count => radii.clone(),
            Self::List(ref radii) => return Err(BallsError::Length { what: "radii", found: radii.len(), needed: count }),
            Self::Equal(radius) => vec![radius; count],
            Self::Uniform { min, max } => {
                ends(&[min, max])?;
                each(&|part| min + part * (max - min))
            }
            Self::LogUniform { min, max } => {
                ends(&[min, max])?;
                each(&|part| (min * (max / min).powf(part)).clamp(min, max))
            }
            Self::TwoSizes { small, large, large_part } => {
                ends(&[small, large])?;
                if !(0.0..=1.0).contains(&large_part) {
                    return Err(BallsError::Number { what: "part of large balls", found: large_part, expected: "0 to 1" });
                }
                each(&|part| if part < large_part { large } else { small })
            }
        };
        check(&radii)?;
        Ok(radii)
    }
}

/// Checks that all radii are positive, and within the ratio.
fn check(radii: &[f32]) -> Result<(), BallsError> {
    if let Some(ball) = radii.iter().position(|radius| !(radius.is_finite() && *radius >= f32::MIN_POSITIVE)) {
        return Err(BallsError::Radius { ball, radius: radii[ball] });
    }
    let (min, max) = radii.iter().fold((f32::INFINITY, 0.0f32), |(min, max), radius| (min.min(*radius), max.max(*radius)));
    // Tolerance for radii that were computed.
    if max > MAX_RADIUS_RATIO * 1.0001 * min { Err(BallsError::Ratio { min, max }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean of a function of the radii against that of the distribution.
    fn check_mean(radii: &Radii, of: impl Fn(f32) -> f32, expected: f32) {
        let count = 20_000;
        let drawn = radii.draw(count, 7).expect("valid radii");
        let mean = drawn.iter().map(|&radius| of(radius)).sum::<f32>() / count as f32;
        assert!((mean - expected).abs() < 0.01 * expected, "{mean} is not {expected}");
        assert_eq!(drawn[..50], radii.draw(50, 7).expect("valid radii"), "a radius depends on its ball alone");
        assert_ne!(drawn, radii.draw(count, 8).expect("valid radii"));
    }

    #[test]
    fn distributions_have_their_means() {
        check_mean(&Radii::Uniform { min: 1.0, max: 10.0 }, |radius| radius, 5.5);
        check_mean(&Radii::LogUniform { min: 1.0, max: 10.0 }, |radius| radius, 9.0 / 10f32.ln());
        check_mean(&Radii::LogUniform { min: 2.0, max: 40.0 }, |radius| (radius / 2.0).ln(), 20f32.ln() / 2.0);
        check_mean(&Radii::TwoSizes { small: 1.0, large: 20.0, large_part: 0.1 }, |radius| radius, 2.9);
    }

    #[test]
    fn bad_radii_are_errors() {
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-40] {
            for radii in [
                Radii::List(vec![1.0, bad]),
                Radii::Equal(bad),
                Radii::Uniform { min: bad, max: 1.0 },
                Radii::LogUniform { min: 1.0, max: bad },
                Radii::TwoSizes { small: 1.0, large: bad, large_part: 0.5 },
            ] {
                assert!(matches!(radii.draw(2, 0), Err(BallsError::Radius { .. })), "{radii:?}");
            }
        }
        assert_eq!(Radii::List(vec![1.0, 20.1]).draw(2, 0), Err(BallsError::Ratio { min: 1.0, max: 20.1 }));
        assert!(Radii::LogUniform { min: 0.005, max: 0.1 }.draw(2, 0).is_ok());
        assert!(matches!(Radii::LogUniform { min: 0.1, max: 0.09 }.draw(2, 0), Err(BallsError::RadiiOutOfOrder { .. })));
        assert!(matches!(Radii::List(vec![1.0]).draw(2, 0), Err(BallsError::Length { found: 1, needed: 2, .. })));
        let part = Radii::TwoSizes { small: 1.0, large: 2.0, large_part: f32::NAN };
        assert!(matches!(part.draw(2, 0), Err(BallsError::Number { .. })));
    }
}
