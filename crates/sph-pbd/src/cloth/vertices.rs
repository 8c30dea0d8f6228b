//! Vertices of all sheets during a step.

use glam::{Vec3, Vec3A, Vec4};

/// Vertex during a step, by its displacement: a position at 4 m in f32, in steps of 5·10⁻⁷ m, would hold what gravity adds in a substep of 1/960 s
/// (1.1·10⁻⁵ m) to about 5 % only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertex {
    /// Displacement since the beginning of the step, m; last the inverse of the mass, 1/kg, 0 for a vertex that no force moves.
    pub moved: Vec4,
    /// Displacement at the beginning of the substep, m; last the pass over the contacts of the substep up to which the vertex is awake.
    pub before: Vec4,
}

impl Vertex {
    /// Inverse of the mass, 1/kg.
    #[inline(always)]
    pub fn inverse_mass(&self) -> f32 {
        self.moved.w
    }

    /// Displacement since the beginning of the step, m.
    #[inline(always)]
    pub fn displacement(&self) -> Vec3A {
        Vec3A::from_vec4(self.moved)
    }

    /// Displacement in the substep, m.
    #[inline(always)]
    pub fn travel(&self) -> Vec3A {
        Vec3A::from_vec4(self.moved) - Vec3A::from_vec4(self.before)
    }

    /// Begins a substep: there is no pass but the first in which the vertex is awake.
    #[inline(always)]
    pub fn begin_substep(&mut self) {
        self.before = self.moved * XYZ;
    }

    /// True if the vertex is awake in this pass over the contacts.
    #[inline(always)]
    pub fn is_awake_in(&self, pass: f32) -> bool {
        self.before.w >= pass
    }

    /// Lets the vertex be awake up to this pass over the contacts.
    #[inline(always)]
    pub fn awake_in(&mut self, pass: f32) {
        self.before = self.before.with_w(pass);
    }

    /// Moves the vertex by `by`, m.
    #[inline(always)]
    pub fn shift(&mut self, by: Vec3A) {
        self.moved += widened(by);
    }

    /// Moves the vertex by `by` (m) without giving it a velocity.
    #[inline(always)]
    pub fn relocate(&mut self, by: Vec3A) {
        self.moved += widened(by);
        self.before += widened(by);
    }
}

/// The vector with 0 behind it.
#[inline(always)]
pub(super) fn widened(vector: Vec3A) -> Vec4 {
    vector.extend(0.0)
}

/// First three of four numbers, and 0.
pub(super) const XYZ: Vec4 = Vec4::new(1.0, 1.0, 1.0, 0.0);

/// Positions `x` with their rounding errors `error` displaced by `by`, all m: the rounded sum, and its rounding error.
pub(super) fn displaced(x: Vec3, error: Vec3, by: Vec3) -> (Vec3, Vec3) {
    let exact = x.as_dvec3() + error.as_dvec3() + by.as_dvec3();
    let rounded = exact.as_vec3();
    (rounded, (exact - rounded.as_dvec3()).as_vec3())
}

/// Number of vertices from which loops are shared among threads: below, starting tasks takes longer than the loops.
pub(super) const PARALLEL_FROM: usize = 4096;

/// Number of vertices a task.
pub(super) const GRAIN: usize = 1024;
