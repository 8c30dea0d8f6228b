//! Balls as passes over contacts read and write them: rows that tasks change at the same time, each row at most one task.

use glam::Vec3;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Rows of `N` floats, each row a cache line of its own.
///
/// The tasks of a pass share the rows, and no two of them touch the same row: what is read does not depend on threads. Rows are
/// atomic numbers with relaxed order only so that the compiler need not be told of that; they compile to plain moves.
#[derive(Debug, Default)]
pub(super) struct Rows<const N: usize>(Vec<Row<N>>);

#[derive(Debug)]
#[repr(align(64))]
struct Row<const N: usize>([AtomicU32; N]);

impl<const N: usize> Rows<N> {
    /// Replaces all rows by `count` rows of zeros.
    pub fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.resize_with(count, || Row(std::array::from_fn(|_| AtomicU32::new(0))));
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.0.capacity() * size_of::<Row<N>>()
    }

    #[inline(always)]
    fn number(&self, row: usize, place: usize) -> f32 {
        f32::from_bits(self.0[row].0[place].load(Relaxed))
    }

    #[inline(always)]
    fn set_number(&self, row: usize, place: usize, value: f32) {
        self.0[row].0[place].store(value.to_bits(), Relaxed);
    }

    #[inline(always)]
    fn vector(&self, row: usize, place: usize) -> Vec3 {
        Vec3::new(self.number(row, place), self.number(row, place + 1), self.number(row, place + 2))
    }

    #[inline(always)]
    fn set_vector(&self, row: usize, place: usize, value: Vec3) {
        self.set_number(row, place, value.x);
        self.set_number(row, place + 1, value.y);
        self.set_number(row, place + 2, value.z);
    }
}

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
}

/// Rows of balls.
pub(super) type Balls = Rows<16>;

/// Places of the fields in a row.
const DISPLACEMENT: usize = 0;
const VELOCITY: usize = 3;
const SPIN: usize = 6;
const INVERSE_MASS: usize = 9;
const RADIUS: usize = 10;
const MATERIAL: usize = 11;
const STRUCK: usize = 12;
const BRAKE: usize = 13;

impl Balls {
    #[inline(always)]
    pub fn get(&self, row: usize) -> Ball {
        Ball {
            displacement: self.vector(row, DISPLACEMENT),
            velocity: self.vector(row, VELOCITY),
            spin: self.vector(row, SPIN),
            brake: self.vector(row, BRAKE),
            inverse_mass: self.number(row, INVERSE_MASS),
            radius: self.number(row, RADIUS),
            material: self.0[row].0[MATERIAL].load(Relaxed),
        }
    }

    /// Writes all of a ball, and that it was not struck.
    pub fn set(&self, row: usize, ball: &Ball) {
        self.set_displacement(row, ball.displacement);
        self.set_motion(row, ball);
        self.set_number(row, INVERSE_MASS, ball.inverse_mass);
        self.set_number(row, RADIUS, ball.radius);
        self.0[row].0[MATERIAL].store(ball.material, Relaxed);
        self.set_struck(row, false);
    }

    /// Writes velocity, spin and brake.
    #[inline(always)]
    pub fn set_motion(&self, row: usize, ball: &Ball) {
        self.set_vector(row, VELOCITY, ball.velocity);
        self.set_vector(row, SPIN, ball.spin);
        self.set_vector(row, BRAKE, ball.brake);
    }

    #[inline(always)]
    pub fn set_displacement(&self, row: usize, displacement: Vec3) {
        self.set_vector(row, DISPLACEMENT, displacement);
    }

    /// True if the row of [`Strikes`] of a ball is in use in this substep.
    #[inline(always)]
    pub fn struck(&self, row: usize) -> bool {
        self.0[row].0[STRUCK].load(Relaxed) != 0
    }

    #[inline(always)]
    pub fn set_struck(&self, row: usize, struck: bool) {
        self.0[row].0[STRUCK].store(u32::from(struck), Relaxed);
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
pub(super) type Strikes = Rows<9>;

impl Strikes {
    /// The strikes of a ball in this substep.
    #[inline]
    pub fn get(&self, row: usize, balls: &Balls) -> Strike {
        if balls.struck(row) {
            Strike { lag: self.vector(row, 0), velocity: self.vector(row, 3), spin: self.vector(row, 6) }
        } else {
            Strike::default()
        }
    }

    /// Adds a strike.
    pub fn add(&self, row: usize, balls: &Balls, strike: &Strike) {
        let before = self.get(row, balls);
        self.set_vector(row, 0, before.lag + strike.lag);
        self.set_vector(row, 3, before.velocity + strike.velocity);
        self.set_vector(row, 6, before.spin + strike.spin);
        balls.set_struck(row, true);
    }
}
