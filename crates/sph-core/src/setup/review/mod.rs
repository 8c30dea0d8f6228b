//! Review of a valid setup: what can be simulated, but is likely not meant.

mod extents;
mod free_bodies;
mod outside;
mod overlaps;
mod speeds;

use super::{Rigid, Setup};
use std::fmt;

/// A remark on a valid setup.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// The spacing does not divide a block.
    UnevenBlock {
        /// Index of the block.
        block: usize,
        /// Axis, extent along it (m), and particles in a row, for each axis that the spacing does not divide.
        rows: Vec<(char, f32, u32)>,
        /// Spacing of the particles, m.
        spacing: f32,
        /// Initial density over rest density, less 1.
        compression: f32,
    },
    /// The spacing does not divide a container.
    UnevenContainer {
        /// Index of the container.
        container: usize,
        /// Axis.
        axis: char,
        /// Extent along the axis, m.
        extent: f32,
        /// Spacing of the particles, m.
        spacing: f32,
        /// Spacing of the container's wall particles along the axis, m.
        of_walls: f32,
    },
    /// A block is one particle thick.
    ThinBlock {
        /// Index of the block.
        block: usize,
        /// Axis.
        axis: char,
    },
    /// A body is thinner than a particle.
    ThinBody {
        /// Index of the body.
        body: usize,
        /// Axis.
        axis: char,
        /// Extent along the axis, m.
        extent: f32,
        /// Spacing of the particles, m.
        spacing: f32,
    },
    /// Two bodies overlap at the start.
    BodiesOverlap {
        /// Index of the first body.
        first: usize,
        /// Index of the second body.
        second: usize,
    },
    /// A body overlaps a wall at the start.
    BodyInWall {
        /// Index of the body.
        body: usize,
        /// Index of the container.
        container: usize,
    },
    /// The walls of two containers stand inside each other.
    ContainersOverlap {
        /// Index of the first container.
        first: usize,
        /// Index of the second container.
        second: usize,
    },
    /// A body is outside every container.
    BodyOutside {
        /// Index of the body.
        body: usize,
    },
    /// The opening of an emitter is outside every container.
    EmitterOutside {
        /// Index of the emitter.
        emitter: usize,
    },
    /// A body that moves by forces is lighter or heavier than coupling with the fluid is known to bear.
    UnusualDensity {
        /// Index of the body.
        body: usize,
        /// Its density over the lightest fluid's if it is lighter than that, else over the heaviest fluid's.
        ratio: f32,
    },
    /// A joint is not as it should be at the start, and pulls.
    StrainedJoint {
        /// Index of the joint.
        joint: usize,
        /// Distance (m) of the ends of a rope; `None` for limits that exclude the start.
        distance: Option<f32>,
    },
    /// The fluid is too fast for the speed of sound.
    FastFluid {
        /// Highest initial speed, m/s.
        speed: f32,
        /// Speed of sound c₀, m/s.
        sound_speed: f32,
    },
    /// A solid is too fast for the speed of sound.
    FastSolid {
        /// The solid.
        of: Rigid,
        /// Its highest speed at any time, m/s.
        speed: f32,
        /// Speed of sound c₀, m/s.
        sound_speed: f32,
    },
}

impl Setup {
    /// Remarks on a valid setup: spacings that do not divide extents, shapes thinner than a particle, solids that overlap or are outside
    /// the containers, bodies and joints that pull too hard, and speeds that are too high for the speed of sound.
    pub fn review(&self) -> Vec<Remark> {
        self.uneven_blocks()
            .chain(self.uneven_containers())
            .chain(self.thin_shapes())
            .chain(self.overlapping_solids())
            .chain(self.outsiders())
            .chain(self.unusual_densities())
            .chain(self.strained_joints())
            .chain(self.fast_motions())
            .collect()
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnevenBlock { block, rows, spacing, compression } => {
                write!(f, "fluid block {block}: the spacing of {spacing} m does not divide it: ")?;
                for (axis, extent, count) in rows {
                    let fitted = rounded(extent / *count as f32);
                    write!(f, "{count} particles {fitted} m apart along {axis}, ")?;
                }
                let (percent, more) = (100.0 * compression.abs(), if *compression < 0.0 { "less" } else { "more" });
                write!(f, "so that it starts {percent:.1} % {more} dense")
            }
            Self::UnevenContainer { container, axis, extent, spacing, of_walls } => {
                let of_walls = rounded(*of_walls);
                write!(f, "container {container}: the spacing of {spacing} m does not divide its {extent} m along {axis}: ")?;
                write!(f, "its wall particles are {of_walls} m apart, those of the fluid are not, and fluid at rest ")?;
                write!(f, "rearranges itself")
            }
            Self::ThinBlock { block, axis } => {
                write!(f, "fluid block {block} is a single particle thick along {axis}")
            }
            Self::ThinBody { body, axis, extent, spacing } => {
                write!(f, "body {body} is {extent} m thick along {axis}, less than a particle ({spacing} m): fluid on its ")?;
                write!(f, "two sides feels each other through it")
            }
            Self::BodiesOverlap { first, second } => {
                write!(f, "bodies {first} and {second} overlap at the start: both have boundary particles there, which ")?;
                write!(f, "count twice in the fluid's density")
            }
            Self::BodyInWall { body, container } => {
                write!(f, "body {body} reaches into a wall of container {container} at the start: both have boundary ")?;
                write!(f, "particles there, which count twice in the fluid's density")
            }
            Self::ContainersOverlap { first, second } => {
                write!(f, "containers {first} and {second} overlap: walls of one stand inside the other or in its walls")
            }
            Self::BodyOutside { body } => write!(f, "body {body} is outside every container: no fluid gets there"),
            Self::EmitterOutside { emitter } => {
                write!(f, "the opening of emitter {emitter} is outside every container: its fluid appears beyond the walls")
            }
            Self::UnusualDensity { body, ratio } => {
                let (ratio, bound) = (rounded(*ratio), if *ratio < 1.0 { "at least 0.1" } else { "at most 10" });
                write!(
                    f,
                    "body {body} has {ratio} times the density of the fluid: bodies of {bound} times are known to be stable"
                )
            }
            Self::StrainedJoint { joint, distance: Some(distance) } => {
                write!(f, "joint {joint}: its ends are {} m apart at the start, more than its length", rounded(*distance))
            }
            Self::StrainedJoint { joint, distance: None } => {
                write!(f, "joint {joint}: its limits exclude 0, where it is at the start")
            }
            Self::FastFluid { speed, sound_speed } => {
                write!(f, "the fluid starts at up to {} m/s, ", rounded(*speed))?;
                too_fast(f, *speed, *sound_speed)
            }
            Self::FastSolid { of, speed, sound_speed } => {
                write!(f, "{of} moves at up to {} m/s, ", rounded(*speed))?;
                too_fast(f, *speed, *sound_speed)
            }
        }
    }
}

fn too_fast(f: &mut fmt::Formatter<'_>, speed: f32, sound_speed: f32) -> fmt::Result {
    let (ratio, sound_speed, enough) = (rounded(speed / sound_speed), rounded(sound_speed), rounded(10.0 * speed));
    write!(f, "{ratio} times the speed of sound ({sound_speed} m/s): impacts would compress the fluid by that squared; ")?;
    write!(f, "`fluid.sound_speed = {enough}` keeps it near 1 %")
}

/// Value with three significant digits.
fn rounded(value: f32) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value.into())
}

#[cfg(test)]
mod tests;
