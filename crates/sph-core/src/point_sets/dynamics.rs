//! The trait of the rules that move point sets, and its input and output in a step.

use std::fmt::Debug;

use super::{PointImpulse, PointSet};
use crate::neighbors::{Audit, AuditPlan, SearchStats, Tally};
use crate::parameters::GridParameters;
use glam::{DVec3, Vec3};

/// Rules that move point sets: constants of a scene, such as the edges of a cloth, and memory that a step writes anew. All that the next steps
/// depend on is in the sets.
///
/// # Bits
/// The motion depends on the sets and on the [`PointStep`], not on threads, nor on [`PointStep::grids`].
pub trait PointDynamics: Debug + Send + Sync {
    /// Advances `sets` by one step. Positions that would not be finite are left to the caller, who then refuses the step.
    fn advance(&mut self, sets: &mut [PointSet], step: &PointStep<'_>) -> PointReport;

    /// Triangles of the sheet that the points of set `index` span, as indices of its points; none for points that span none.
    fn triangles(&self, index: usize, set: &PointSet) -> Vec<[u32; 3]> {
        let _ = (index, set);
        Vec::new()
    }

    /// Columns of set `index` with one value for each point, which exports write beside positions, velocities and radii.
    fn columns_of_points(&self, index: usize) -> &[&'static str] {
        let _ = index;
        &[]
    }

    /// Radii of the spheres as which the points of set `index` were searched last, m; none for points that have not been searched yet. `None` for
    /// points that are searched within one radius.
    fn reaches(&self, index: usize) -> Option<&[f32]> {
        let _ = index;
        None
    }

    /// Largest radius of the balls that [`PointDynamics::pour`] adds to set `index`, m; `None` if it has none that could be poured.
    fn largest_poured(&self, index: usize) -> Option<f32> {
        let _ = index;
        None
    }

    /// Adds a ball to set `index`, which is `set`, where there is room for it in the `disc`, and returns true. Returns false if there is no
    /// room, or if the set has no balls that could be poured.
    fn pour(&self, index: usize, set: &mut PointSet, disc: &PourDisc<'_>) -> bool {
        let _ = (index, set, disc);
        false
    }

    /// An independent copy.
    fn fork(&self) -> Box<dyn PointDynamics>;

    /// Heap memory, bytes.
    fn memory(&self) -> usize;
}

/// Disc through which a user's hand pours balls.
#[derive(Clone, Copy)]
pub struct PourDisc<'a> {
    /// Centre, m.
    pub center: Vec3,
    /// Radius of the disc, within which the balls lie; one that is wider has its centre in the middle, m.
    pub radius: f32,
    /// Velocity with which they appear, across the disc, m/s.
    pub velocity: Vec3,
    /// Number of steps made so far: another one may find room elsewhere.
    pub steps: u64,
    /// True if a ball around this centre (m) with this radius (m) would meet nothing.
    pub has_room: &'a dyn Fn(Vec3, f32) -> bool,
}

/// One step, as the dynamics of point sets see it.
#[derive(Clone, Copy)]
pub struct PointStep<'a> {
    /// Time at the beginning of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub dt: f64,
    /// Acceleration by gravity and all other external forces at a point (m), m/s².
    pub acceleration: &'a (dyn Fn(Vec3) -> Vec3 + Sync),
    /// Walls and bodies.
    pub surfaces: &'a dyn Surfaces,
    /// The fluid; `None` while there is none.
    pub fluid: Option<&'a dyn FluidField>,
    /// Impulses of the fluid on the points during the step: one array for each set, empty for one that the fluid does not meet. A point that
    /// enters in the step has no entry yet.
    pub impulses: &'a [Vec<PointImpulse>],
    /// Parameters of the search of each set.
    pub grids: &'a [GridParameters],
    /// Point that a user's hand holds; never one of infinite mass.
    pub hold: Option<PointHold>,
    /// Lists of neighbours that are compared with brute force.
    pub audit: AuditPlan,
}

/// Point that a user's hand holds in a step: it has the velocity of the hand at the beginning of each substep, whatever else acts on it, and
/// contacts may stop it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointHold {
    /// Index of its set.
    pub set: usize,
    /// Index of the point in the set.
    pub index: usize,
    /// Place p to which it is drawn, m.
    pub target: Vec3,
    /// Time τ in which it comes near the place, s.
    pub time: f32,
    /// Top speed, m/s.
    pub top_speed: f32,
}

impl PointHold {
    /// Velocity (m/s) in a substep of length `h` (s) of a point that is at x = `position` (m) at its beginning: `(p − x)/τ`, in long substeps
    /// not beyond p. The mass does not matter, so that it is stable for any.
    pub fn velocity(&self, position: DVec3, h: f64) -> Vec3 {
        let wanted = (self.target.as_dvec3() - position) / f64::from(self.time).max(h);
        wanted.clamp_length_max(f64::from(self.top_speed)).as_vec3()
    }

    /// The hold as dynamics see it that move the `count` sets from index `first` on; `None` if its set is none of them.
    #[must_use]
    pub fn among(self, first: usize, count: usize) -> Option<Self> {
        let set = self.set.checked_sub(first).filter(|&set| set < count)?;
        Some(Self { set, ..self })
    }
}

/// Surfaces of everything solid, during a step.
pub trait Surfaces: Sync {
    /// Calls `visit` for the surfaces that are closer to `point` (m) than `reach` (m), in the order of the solids: of each body the nearest,
    /// of a container each wall, or the nearest if it is no box. A point outside a container meets no wall of it.
    /// Solids are where they are after `part` of the step, from 0 to 1.
    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface));

    /// True if `solid` has no surface near a point, on the point's side, besides those that [`Self::each_near`] calls `visit` for: it is a box, or a
    /// convex body. Others may have more in a concave corner.
    fn reports_all_surfaces(&self, solid: SolidId) -> bool {
        let _ = solid;
        false
    }

    /// False if all solids stay where they are during the step.
    fn may_move(&self) -> bool {
        true
    }
}

/// The fluid, as points see it that drift with it. It costs nothing where nobody asks.
pub trait FluidField: Sync {
    /// Velocity (m/s) at which the fluid moves at `point` (m) in the step, from the beginning of the step: that of the solver, before walls stop
    /// particles, interpolated as [`velocity_at`](crate::probes::velocity_at) does. `None` if no fluid is within the support radius.
    fn velocity(&self, point: Vec3) -> Option<Vec3>;
}

/// Surface of a solid next to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Signed distance of the point from the surface, m; negative inside the solid.
    pub distance: f32,
    /// Unit normal, out of the solid.
    pub normal: Vec3,
    /// Velocity of the surface at the point, m/s.
    pub velocity: Vec3,
    /// Solid that it belongs to.
    pub solid: SolidId,
}

/// A solid that points meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SolidId {
    /// Container with this index.
    Container(usize),
    /// Body with this index.
    Body(usize),
    /// Point of another set of the same dynamics, such as a ball that cloth meets. The dynamics settle its impulses themselves.
    Point {
        /// Index of the set, among those that are met.
        set: usize,
        /// Index of the point in the set.
        index: usize,
    },
}

/// Report of a step of point sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointReport {
    /// Searches of the sets, in their order.
    pub searches: Vec<SetSearch>,
    /// Impulses of the points on solids, in an order that depends on the state alone.
    pub impulses: Vec<SolidImpulse>,
}

/// Searches of a point set in one step.
#[derive(Clone, Debug, PartialEq)]
pub struct SetSearch {
    /// Search radius, m: for balls the largest sum of two radii, with the way that they may go in the step.
    pub radius: f32,
    /// Number of searches of all points in the step: more than one if many moved farther than had been allowed for.
    pub searches: u32,
    /// The last of these searches: its counts and the occupancy of its structure. The times for cloth are those of all searches in the step, and of
    /// the vertices that were searched alone.
    pub stats: SearchStats,
    /// Spot checks of what they found.
    pub audit: Audit,
    /// Queries of its points among those of other sets; `None` if they meet none.
    pub among_others: Option<SearchAmongOthers>,
}

/// Queries of points among those of sets that they meet, such as of vertices of cloth among balls, in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchAmongOthers {
    /// Number of queries.
    pub queries: u64,
    /// Numbers of distances tested, each to another point, and of points near enough to be met in the step.
    pub tally: Tally,
    /// Spot checks of what queries find.
    pub audit: Audit,
}

/// Impulse of a point on a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidImpulse {
    /// The solid.
    pub solid: SolidId,
    /// Point at which it acts, m.
    pub point: Vec3,
    /// Impulse, N s.
    pub impulse: Vec3,
}
