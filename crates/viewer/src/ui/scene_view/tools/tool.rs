//! The tools, and what each of them is set to.

use super::hold::Hold;
use super::sampled_bodies::SampledBodies;
use glam::Vec3;
use sph_core::{DroppedShape, Hand, Push};

/// Use of the pointer's left button in the 3D view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tool {
    /// Rotates the view, and selects particles.
    #[default]
    Look,
    /// Pushes fluid away.
    Push,
    /// Pulls fluid to the pointer.
    Pull,
    /// Pours fluid.
    Pour,
    /// Tilts gravity.
    Tilt,
    /// Moves bodies.
    Move,
    /// Drops bodies.
    Drop,
}

impl Tool {
    /// Every tool, in the order of the palette.
    pub const ALL: [Self; 7] = [Self::Look, Self::Push, Self::Pull, Self::Pour, Self::Tilt, Self::Move, Self::Drop];

    /// Name in the palette.
    pub fn label(self) -> &'static str {
        match self {
            Self::Look => "Rotate",
            Self::Push => "Push",
            Self::Pull => "Pull",
            Self::Pour => "Pour",
            Self::Tilt => "Tilt gravity",
            Self::Move => "Move",
            Self::Drop => "Drop",
        }
    }

    /// Description in one or two sentences.
    pub fn tooltip(self) -> &'static str {
        match self {
            Self::Look => "Drag to rotate the view; click a particle to see its neighbour query.",
            Self::Push => "Hold the button to push fluid away from the pointer. Ctrl + wheel sets the radius.",
            Self::Pull => "Hold the button to pull fluid to the pointer, and drag it along. Ctrl + wheel sets the radius.",
            Self::Pour => "Hold the button to pour fluid downwards from the pointer. Ctrl + wheel sets the radius.",
            Self::Tilt => "Drag to turn gravity towards the pointer; its strength stays.",
            Self::Move => {
                "Drag a body, or an arrow at its centre to move it along an axis. Bodies that move by forces are drawn along, all others \
                 stay where you let them go. Going back undoes it."
            }
            Self::Drop => {
                "Click to drop a body where its outline is: at the pointer, or above the fluid and the bodies there. Ctrl + wheel sets the \
                 size. Ctrl+Z takes it back until the next step; going back undoes it."
            }
        }
    }

    /// Name among all commands.
    pub fn command(self) -> &'static str {
        match self {
            Self::Look => "Tool: rotate the view",
            Self::Push => "Tool: push fluid",
            Self::Pull => "Tool: pull fluid",
            Self::Pour => "Tool: pour fluid",
            Self::Tilt => "Tool: tilt gravity",
            Self::Move => "Tool: move a body",
            Self::Drop => "Tool: drop a body",
        }
    }

    /// True if it has a radius.
    pub fn has_radius(self) -> bool {
        matches!(self, Self::Push | Self::Pull | Self::Pour | Self::Drop)
    }
}

/// State of the tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Tools {
    /// Tool in use.
    pub tool: Tool,
    /// Radius, in parts of the scene's height.
    pub radius: f32,
    /// Strength of push and pull, in multiples of gravity, or of 9.81 m/s² where there is none.
    pub strength: f32,
    /// Shape of bodies that are dropped.
    pub shape: DroppedShape,
    /// Their density, in multiples of that of the fluid, of the densest one if there are several.
    pub density: f32,
    /// Particles of the scene's bodies, as far as bodies were moved or dropped near them.
    pub(super) sampled: SampledBodies,
    /// Hand that has been asked for.
    pub(super) hand: Option<Hand>,
    /// Distance from the eye at which the pointer acts while the button is held, along the direction of the view, m.
    pub(super) depth: Option<f32>,
    /// Body that the pointer means, whose gizmo is shown.
    pub(super) target: Option<usize>,
    /// Body that was held last: of several with one centre, it has the gizmo there.
    pub(super) chosen: Option<usize>,
    /// Body that is held.
    pub(super) hold: Option<Hold>,
    /// Place of the pointer in the last frame, m, and its time, s.
    pub(super) last: Option<(Vec3, f64)>,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            tool: Tool::Look,
            radius: 0.15,
            strength: 8.0,
            shape: DroppedShape::Box,
            density: 0.5,
            sampled: SampledBodies::default(),
            hand: None,
            depth: None,
            target: None,
            chosen: None,
            hold: None,
            last: None,
        }
    }
}

impl Tools {
    /// Range of the radius.
    pub const RADII: [f32; 2] = [0.02, 0.6];

    /// Range of the strength.
    pub const STRENGTHS: [f32; 2] = [0.5, 40.0];

    /// Range of the density.
    pub const DENSITIES: [f32; 2] = [0.1, 10.0];

    /// Forgets what was held, and of which body the gizmo was shown: the scene is another.
    pub fn let_go(&mut self) {
        (self.depth, self.target, self.chosen, self.hold, self.last) = (None, None, None, None, None);
    }

    /// Push or pull at `center` (m) of a hand that moves with `velocity`, m/s. `gravity` is the acceleration that strengths are multiples of, m/s².
    pub(super) fn push(&self, center: Vec3, radius: f32, velocity: Vec3, gravity: f32) -> Hand {
        let strength = gravity * self.strength;
        let (strength, drag) = match self.tool {
            // Pulled fluid would swing about the hand: the drag stops it within some radii.
            Tool::Pull => (strength, 2.0 * (strength / radius).sqrt()),
            _ => (-strength, 0.0),
        };
        Hand::Push(Push { center, radius, strength, drag, velocity: velocity.clamp_length_max(20.0) })
    }
}
