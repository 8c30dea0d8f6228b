//! Trials of the built program that take minutes or hours, with chance in them: runs that are killed, a window that is used.

pub mod kill_test;
pub mod soak;

use crate::workspace::{Failure, Workspace};

/// Builds the program that is tried.
fn build(workspace: &Workspace) -> Result<(), Failure> {
    let mut command = workspace.cargo_at_root();
    let status = command.args(["build", "--release", "--locked", "--package", "viewer", "--bin", "sph"]).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Failure::unready("the program cannot be built")),
        Err(error) => Err(Failure::unready(format!("cannot run cargo: {error}"))),
    }
}

/// Numbers by chance, the same for the same seed: a linear congruential generator.
struct Random(u64);

impl Random {
    /// A number from 0 to 1.
    fn part(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number of a range.
    fn whole(&mut self, range: std::ops::Range<u32>) -> u32 {
        range.start + (self.part() * f64::from(range.end - range.start)) as u32
    }

    /// One of several, which must not be none.
    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.whole(0..choices.len() as u32) as usize]
    }
}
