//! Reactions: impulses of the fluid on bodies and on containers, added up where solids act on the fluid.
//!
//! A stage of the step that changes velocities of the fluid by `a_fb` × duration, by boundary particle b, adds `−m Σ_f a_fb`
//! × duration to the impulse on the solid of b, from the same positions, pressures and velocities. So what the fluid gains is
//! what solids lose, to rounding.

use super::{BoundaryParticles, Load};
use crate::forces::Force;
use crate::passes::{StepContext, sweep};
use crate::report::held;
use crate::space::Wrap;
use glam::{DVec3, Vec3};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Range};

/// Force of the fluid on a solid in a step, N (N/m in two dimensions), by its causes, and the torque of all of them: the
/// reaction to what the solid does to the fluid, on average over the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// Force by pressure.
    pub pressure: DVec3,
    /// Force by laminar viscosity; zero for a solid with free slip.
    pub viscous: DVec3,
    /// Force by particles that are stopped at the surface because pressure alone does not keep them out: droplets, impacts.
    pub contact: DVec3,
    /// Torque of all forces, N m (N in two dimensions, with only a z component): about the centre of a body where it is while
    /// the force acts, its centre of mass if it moves by forces; for containers about the origin.
    pub torque: DVec3,
    /// Forces by adhesion and its like, in the order of [`Force::ALL`].
    forces: [DVec3; Force::COUNT],
}

impl Reaction {
    /// Part by one of the forces between particles, N (N/m in two dimensions). It is zero for a force that does not act on solids, and
    /// adhesion is zero for analytic walls, which have none.
    pub fn by(&self, force: Force) -> DVec3 {
        self.forces[force as usize]
    }

    /// All forces, N (N/m in two dimensions), by the names of their causes: `pressure`, `viscous`, `adhesion`, `contact`.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, DVec3)> + use<> {
        let Self { pressure, viscous, contact, torque: _, forces } = *self;
        let reacting = Force::ALL.iter().filter(|force| force.reacts());
        let reacting = reacting.map(move |&force| (force.key(), forces[force as usize]));
        [("pressure", pressure), ("viscous", viscous)].into_iter().chain(reacting).chain([("contact", contact)])
    }

    /// Sum of all forces, N (N/m in two dimensions).
    pub fn total(&self) -> DVec3 {
        self.parts().fold(DVec3::ZERO, |sum, (_, force)| sum + force)
    }
}

/// Cause of a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Pressure.
    Pressure,
    /// Laminar viscosity.
    Viscosity,
    /// A force between particles.
    Force(Force),
    /// Confinement of velocities at the surface.
    Contact,
}

impl Cause {
    /// Number of causes.
    const COUNT: usize = 3 + Force::COUNT;

    /// Place among the impulses of a solid, which are added up in this order.
    fn index(self) -> usize {
        match self {
            Self::Pressure => 0,
            Self::Viscosity => 1,
            Self::Force(force) => 2 + force as usize,
            Self::Contact => 2 + Force::COUNT,
        }
    }
}

/// Solid with a reaction of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solid {
    /// The body with this index.
    Body(usize),
    /// The ball or triangle with this index among those of point sets that the fluid meets.
    Point(usize),
    /// The walls of all containers.
    Walls,
}

/// Position and velocity of a body's centre at the beginning of the step, m and m/s.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Center {
    pub position: Vec3,
    pub velocity: Vec3,
}

/// Impulses of a step on all bodies, and on the containers if asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reactions {
    bodies: Vec<Account>,
    /// Indices of the boundary particles of containers: of the fixed ones, and of those that move.
    wall_particles: [Range<usize>; 2],
    /// `None` unless asked for.
    walls: Option<Account>,
    points: PointAccount,
    /// Time since the beginning of the step for which moving bodies have been moved, s.
    drifted: f32,
}

/// Impulses of a step on points.
#[derive(Clone, Debug, Default)]
struct PointAccount {
    /// Indices of their boundary particles.
    particles: Range<usize>,
    /// Impulse on each of them in the present step, N s.
    impulses: Vec<DVec3>,
    /// Fluid that they have stopped.
    contacts: Vec<PointContact>,
}

/// Fluid that a ball or triangle of a point set has stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointContact {
    /// Index of the ball or triangle.
    pub index: usize,
    /// Position of the fluid, m.
    pub position: Vec3,
    /// Impulse on the ball or triangle, N s.
    pub impulse: DVec3,
}

/// Impulses of a step on one solid.
#[derive(Clone, Debug, Default)]
struct Account {
    /// Indices of its boundary particles.
    particles: [Range<usize>; 2],
    /// Centre of torque; `None` for the origin.
    center: Option<Center>,
    /// Impulses of the present step, one for each [`Cause`].
    impulses: [Impulse; Cause::COUNT],
    /// Mean forces of the last accepted step.
    reaction: Reaction,
}

/// Impulse, N s, and angular impulse, N m s.
#[derive(Clone, Copy, Debug, Default)]
struct Impulse {
    linear: DVec3,
    angular: DVec3,
}

impl Add for Impulse {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

impl AddAssign for Impulse {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Impulse {
    fn sum<I: Iterator<Item = Self>>(impulses: I) -> Self {
        impulses.fold(Self::default(), Add::add)
    }
}

impl From<Impulse> for Load {
    fn from(impulse: Impulse) -> Self {
        Self { force: impulse.linear, torque: impulse.angular }
    }
}

impl Account {
    /// Impulse `linear` (N s) at `position` (m) after a drift of `drifted` (s), with its moment.
    fn impulse(&self, wrap: Wrap, drifted: f32, position: Vec3, linear: DVec3) -> Impulse {
        let lever = match self.center {
            Some(Center { position: center, velocity }) => wrap.minimum_image(position, center + drifted * velocity),
            None => position,
        };
        Impulse { linear, angular: lever.as_dvec3().cross(linear) }
    }

    /// Ends a step of `dt`, s.
    fn close(&mut self, dt: f32) {
        let force = |cause: Cause| self.impulses[cause.index()].linear / f64::from(dt);
        let all: Impulse = self.impulses.iter().copied().sum();
        self.reaction = Reaction {
            pressure: force(Cause::Pressure),
            viscous: force(Cause::Viscosity),
            contact: force(Cause::Contact),
            torque: all.angular / f64::from(dt),
            forces: std::array::from_fn(|index| force(Cause::Force(Force::ALL[index]))),
        };
    }
}

impl Reactions {
    /// Reactions of bodies with the boundary particles `bodies`, and of containers with `wall_particles`, those of the fixed
    /// ones and those of the ones that move.
    pub fn new(wall_particles: [Range<usize>; 2], bodies: impl Iterator<Item = Range<usize>>) -> Self {
        let bodies = bodies.map(|particles| Account { particles: [particles, 0..0], ..Account::default() }).collect();
        Self { bodies, wall_particles, walls: None, points: PointAccount::default(), drifted: 0.0 }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.bodies) + held(&self.points.impulses) + held(&self.points.contacts)
    }

    /// Sets the boundary particles of points.
    pub fn set_points(&mut self, particles: Range<usize>) {
        let impulses = vec![DVec3::ZERO; particles.len()];
        self.points = PointAccount { particles, impulses, contacts: Vec::new() };
    }

    /// Impulse of the fluid on each boundary particle of points so far in the step, N s.
    pub fn on_points(&self) -> &[DVec3] {
        &self.points.impulses
    }

    /// Fluid that points have stopped in the step.
    pub fn contacts_of_points(&self) -> &[PointContact] {
        &self.points.contacts
    }

    /// Switches the reaction of the walls on or off.
    pub fn set_walls(&mut self, wanted: bool) {
        self.walls = wanted.then(|| Account { particles: self.wall_particles.clone(), ..Account::default() });
    }

    /// Takes over from `before`, of the same walls and at most as many bodies: the reactions of the last step, and whether that of the walls
    /// is wanted.
    pub fn take_over(&mut self, before: &Self) {
        self.set_walls(before.walls.is_some());
        for (account, before) in self.bodies.iter_mut().zip(&before.bodies) {
            account.reaction = before.reaction;
        }
        if let (Some(walls), Some(before)) = (&mut self.walls, &before.walls) {
            walls.reaction = before.reaction;
        }
    }

    /// Sets the reactions of the last step to zero, as before the first.
    pub fn forget(&mut self) {
        self.bodies.iter_mut().chain(&mut self.walls).for_each(|account| account.reaction = Reaction::default());
    }

    /// True if there is a solid whose reaction is wanted.
    pub fn are_wanted(&self) -> bool {
        !self.bodies.is_empty() || self.walls.is_some() || !self.points.particles.is_empty()
    }

    /// Reaction of a solid in the last accepted step; `None` if it is not wanted.
    pub fn of(&self, solid: Solid) -> Option<&Reaction> {
        let account = match solid {
            Solid::Body(index) => self.bodies.get(index),
            Solid::Walls => self.walls.as_ref(),
            Solid::Point(_) => None,
        };
        account.map(|account| &account.reaction)
    }

    /// Impulse of the fluid on the body of this index so far in the step.
    pub fn impulse(&self, body: usize) -> Load {
        self.bodies[body].impulses.iter().copied().sum::<Impulse>().into()
    }

    /// Part of it by particles that the surface has stopped.
    pub fn contact(&self, body: usize) -> Load {
        self.bodies[body].impulses[Cause::Contact.index()].into()
    }

    /// Begins a step with the bodies at `centers`.
    pub fn begin(&mut self, centers: impl Iterator<Item = Center>) {
        self.drifted = 0.0;
        for (body, center) in self.bodies.iter_mut().zip(centers) {
            body.center = Some(center);
        }
        self.accounts().for_each(|account| account.impulses = Default::default());
        self.points.impulses.fill(DVec3::ZERO);
        self.points.contacts.clear();
    }

    /// Ends an accepted step of `dt`, s.
    pub fn close(&mut self, dt: f32) {
        self.accounts().for_each(|account| account.close(dt));
    }

    /// Follows the boundary particles of moving bodies, which [`BoundaryParticles::drift`] moves on by `dt` (s) within a step.
    pub fn drift(&mut self, dt: f32) {
        self.drifted += dt;
    }

    /// Adds the reaction to accelerations of the fluid by boundary particles: `acceleration(f, b)`, m/s², of particle f by b,
    /// which acts for `duration`, s.
    pub fn add(
        &mut self,
        cause: Cause,
        (ctx, walls): (&StepContext<'_>, &BoundaryParticles),
        duration: f32,
        acceleration: impl Fn(usize, usize) -> Vec3 + Sync,
    ) {
        let (factor, drifted) = (-f64::from(ctx.mass) * f64::from(duration), self.drifted);
        for account in self.accounts() {
            for particles in account.particles.clone() {
                let rows = ctx.wall_neighbors.rows_of(particles);
                let impulse: Impulse = sweep::sum(rows.len(), |index| {
                    let (b, near) = ctx.wall_neighbors.row(rows.start + index);
                    let sum: DVec3 = near.iter().map(|&f| acceleration(f as usize, b).as_dvec3()).sum();
                    account.impulse(ctx.wrap, drifted, walls.positions[b], factor * sum)
                });
                account.impulses[cause.index()] += impulse;
            }
        }
        let PointAccount { particles, impulses, .. } = &mut self.points;
        ctx.wall_neighbors.update_of(particles.clone(), impulses, |row, impulse| {
            let (b, near) = ctx.wall_neighbors.row(row);
            *impulse += factor * near.iter().map(|&f| acceleration(f as usize, b).as_dvec3()).sum::<DVec3>();
        });
    }

    /// Adds the reaction to accelerations of the fluid at `positions` (m) by planes: `acceleration(i)`, m/s², which acts for
    /// `duration`, s.
    pub fn add_planes(
        &mut self,
        cause: Cause,
        (ctx, positions): (&StepContext<'_>, &[Vec3]),
        duration: f32,
        acceleration: impl Fn(usize) -> Vec3 + Sync,
    ) {
        let Some(account) = self.walls.as_mut().filter(|_| !ctx.wall_integrals.is_empty()) else { return };
        let factor = -f64::from(ctx.mass) * f64::from(duration);
        let impulse: Impulse =
            sweep::sum(positions.len(), |i| account.impulse(ctx.wrap, 0.0, positions[i], factor * acceleration(i).as_dvec3()));
        account.impulses[cause.index()] += impulse;
    }

    /// Adds the reaction to an impulse (N s) on fluid that `solid` has stopped at `position` (m).
    pub fn add_contact(&mut self, solid: Solid, wrap: Wrap, position: Vec3, on_fluid: DVec3) {
        let account = match solid {
            Solid::Body(index) => self.bodies.get_mut(index),
            Solid::Walls => self.walls.as_mut(),
            Solid::Point(index) => {
                return self.points.contacts.push(PointContact { index, position, impulse: -on_fluid });
            }
        };
        if let Some(account) = account {
            account.impulses[Cause::Contact.index()] += account.impulse(wrap, 0.0, position, -on_fluid);
        }
    }

    fn accounts(&mut self) -> impl Iterator<Item = &mut Account> {
        self.bodies.iter_mut().chain(&mut self.walls)
    }
}
