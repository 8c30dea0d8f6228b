//! Balls as passes over contacts read and write them: rows that tasks change at the same time, each row at most one task.

use glam::{Vec3, Vec4};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Rows of `2 N` floats, each row a cache line of its own.
///
/// The tasks of a pass share the rows, and no two of them touch the same row: what is read does not depend on threads. Rows are
/// atomic numbers with relaxed order only so that the compiler need not be told of that. Each is two floats, and a row is read and
/// written as a whole, so that this costs eight plain moves.
#[derive(Debug, Default)]
pub(super) struct Rows<const N: usize>(Vec<Row<N>>);

#[derive(Debug)]
#[repr(align(64))]
struct Row<const N: usize>([AtomicU64; N]);

impl<const N: usize> Rows<N> {
    /// Replaces all rows by `count` rows of zeros.
    pub fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.resize_with(count, || Row(std::array::from_fn(|_| AtomicU64::new(0))));
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.0.capacity() * size_of::<Row<N>>()
    }

    /// Any number of a row, so that its cache line comes.
    #[inline(always)]
    pub fn glance(&self, row: usize) -> u64 {
        self.0[row].0[0].load(Relaxed)
    }

    /// Numbers 4 k to 4 k + 3 of a row.
    #[inline(always)]
    fn four(&self, row: usize, k: usize) -> Vec4 {
        let numbers = [0, 1].map(|half| {
            let both = self.0[row].0[2 * k + half].load(Relaxed);
            [f32::from_bits(both as u32), f32::from_bits((both >> 32) as u32)]
        });
        Vec4::from_slice(numbers.as_flattened())
    }

    #[inline(always)]
    fn set_four(&self, row: usize, k: usize, four: Vec4) {
        let numbers = four.to_array().map(|number| u64::from(number.to_bits()));
        for half in [0, 1] {
            self.0[row].0[2 * k + half].store(numbers[2 * half] | numbers[2 * half + 1] << 32, Relaxed);
        }
    }
}

/// A ball during a step, in vectors of four numbers, the last of which says something else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Body {
    /// Velocity, m/s, and the inverse of the mass, 1/kg; 0 for a ball that no force moves.
    pub velocity: Vec4,
    /// Angular velocity, rad/s, and radius, m.
    pub spin: Vec4,
    /// Displacement since the last search, m, and the material.
    pub displacement: Vec4,
    /// Change of the spin by rolling friction in this substep, rad/s, and [`STRUCK`] and [`DEEP`] where they hold.
    pub brake: Vec4,
}

/// The row of [`Strikes`] of a ball is in use in this substep.
const STRUCK: u8 = 1;

/// A task of the ball has balls that overlap deeply.
const DEEP: u8 = 2;

/// Motion of a ball during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ball {
    /// Displacement since the last search, m. A position at 4 m in `f32`, in steps of 5·10⁻⁷ m, would hold what gravity
    /// adds in a substep of 2 ms (4·10⁻⁵ m) to about 1 % only.
    pub displacement: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub spin: Vec3,
    /// Change of the spin by rolling friction in this substep, which is not repeated in the next, rad/s.
    pub brake: Vec3,
    /// Inverse of the mass, 1/kg; 0 for a ball that no force moves.
    pub inverse_mass: f32,
    /// Radius, m.
    pub radius: f32,
    /// Material: place of its set among the sets of balls.
    pub material: u32,
    /// True if the row of [`Strikes`] of the ball is in use in this substep.
    pub is_struck: bool,
    /// True if a task of the ball has balls that overlap deeply.
    pub is_deep: bool,
}

impl Body {
    #[inline(always)]
    pub fn inverse_mass(&self) -> f32 {
        self.velocity.w
    }

    #[inline(always)]
    pub fn radius(&self) -> f32 {
        self.spin.w
    }

    #[inline(always)]
    pub fn material(&self) -> u32 {
        self.displacement.w as u32
    }

    /// Notes that a task of the ball has balls that overlap deeply.
    #[inline(always)]
    pub fn mark_deep(&mut self) {
        self.brake.w = f32::from(self.flags() | DEEP);
    }

    #[inline(always)]
    fn flags(&self) -> u8 {
        self.brake.w as u8
    }
}

impl From<Body> for Ball {
    #[inline(always)]
    fn from(body: Body) -> Self {
        Self {
            displacement: body.displacement.truncate(),
            velocity: body.velocity.truncate(),
            spin: body.spin.truncate(),
            brake: body.brake.truncate(),
            inverse_mass: body.inverse_mass(),
            radius: body.radius(),
            material: body.material(),
            is_struck: body.flags() & STRUCK != 0,
            is_deep: body.flags() & DEEP != 0,
        }
    }
}

impl From<Ball> for Body {
    #[inline(always)]
    fn from(ball: Ball) -> Self {
        let flags = u8::from(ball.is_struck) * STRUCK + u8::from(ball.is_deep) * DEEP;
        Self {
            velocity: ball.velocity.extend(ball.inverse_mass),
            spin: ball.spin.extend(ball.radius),
            displacement: ball.displacement.extend(ball.material as f32),
            brake: ball.brake.extend(f32::from(flags)),
        }
    }
}

/// Rows of balls.
pub(super) type Balls = Rows<8>;

impl Balls {
    #[inline(always)]
    pub fn body(&self, row: usize) -> Body {
        let [velocity, spin, displacement, brake] = [0, 1, 2, 3].map(|k| self.four(row, k));
        Body { velocity, spin, displacement, brake }
    }

    #[inline(always)]
    pub fn set_body(&self, row: usize, body: &Body) {
        self.set_four(row, 0, body.velocity);
        self.set_four(row, 1, body.spin);
        self.set_four(row, 2, body.displacement);
        self.set_four(row, 3, body.brake);
    }

    #[inline(always)]
    pub fn get(&self, row: usize) -> Ball {
        self.body(row).into()
    }

    #[inline(always)]
    pub fn set(&self, row: usize, ball: &Ball) {
        self.set_body(row, &(*ball).into());
    }
}

/// Effects on a ball of contacts that begin within a substep. They are few, and so have rows of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Strike {
    /// Displacement that impulses would give if they acted from the beginning of the substep, and do not, as they act later, m.
    pub lag: Vec3,
    /// Change of velocity by impacts, which are not repeated in the next substep, m/s.
    pub velocity: Vec3,
    /// Change of spin by impacts, rad/s.
    pub spin: Vec3,
}

/// Rows of strikes; those of balls that were not struck hold what they held.
pub(super) type Strikes = Rows<6>;

impl Strikes {
    /// The strikes of a ball in this substep.
    #[inline]
    pub fn get(&self, row: usize, ball: &Ball) -> Strike {
        if ball.is_struck {
            let [lag, velocity, spin] = [0, 1, 2].map(|k| self.four(row, k).truncate());
            Strike { lag, velocity, spin }
        } else {
            Strike::default()
        }
    }

    /// Adds a strike to those of the `ball` in a row.
    pub fn add(&self, row: usize, ball: &mut Ball, strike: &Strike) {
        let before = self.get(row, ball);
        self.set_four(row, 0, (before.lag + strike.lag).extend(0.0));
        self.set_four(row, 1, (before.velocity + strike.velocity).extend(0.0));
        self.set_four(row, 2, (before.spin + strike.spin).extend(0.0));
        ball.is_struck = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_is_read_as_it_was_written() {
        let mut rows = Balls::default();
        rows.reset(3);
        let [displacement, velocity, spin, brake] = [1.0, 2.0, 3.0, 4.0].map(|k: f32| Vec3::new(k, -k, 0.1 * k));
        let ball = Ball {
            displacement,
            velocity,
            spin,
            brake,
            inverse_mass: 0.5,
            radius: 0.25,
            material: 7,
            is_struck: true,
            is_deep: true,
        };
        rows.set(1, &ball);
        assert_eq!(rows.get(1), ball);
        assert_eq!([rows.get(0), rows.get(2)], [Ball::default(); 2]);
    }

    #[test]
    fn strikes_of_a_substep_add_up() {
        let mut strikes = Strikes::default();
        strikes.reset(1);
        let mut ball = Ball::default();
        let strike = Strike { lag: Vec3::X, velocity: Vec3::Y, spin: Vec3::Z };
        strikes.add(0, &mut ball, &strike);
        strikes.add(0, &mut ball, &strike);
        assert_eq!(strikes.get(0, &ball), Strike { lag: 2.0 * Vec3::X, velocity: 2.0 * Vec3::Y, spin: 2.0 * Vec3::Z });
        assert_eq!(strikes.get(0, &Ball::default()), Strike::default());
    }
}
