//! Contact of two balls, and of a ball and a surface, in one substep.

use super::material::BallMaterial;
use super::rows::{Ball, Strike};
use glam::Vec3;

/// Inverse of the moment of inertia of a solid sphere in units of 1 / (mass · radius²).
pub(crate) const INVERSE_INERTIA: f32 = 2.5;

/// Overlap that is left as it is, in radii of the smaller ball: a contact that stays closed is found again without doubt.
pub(super) const SLOP: f32 = 1e-3;

/// Overlap that counts as deep, in radii of the smaller ball.
pub(super) const DEEP: f32 = 0.01;

/// Constants of a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Substep {
    /// Length, s.
    pub dt: f32,
    /// Approach up to which a contact is one that lasts, m/s: twice what gravity adds in a substep (Muller2020, §3.6). Faster ones
    /// are impacts.
    pub slow: f32,
    /// True in the first pass over the contacts, which brakes rolling.
    pub is_first: bool,
    /// True in passes over those tasks alone in which balls overlap deeply.
    pub only_deep: bool,
}

/// Pair of balls that may touch in this step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Row of the first ball, which is the lower.
    pub a: u32,
    /// Row of the second ball.
    pub b: u32,
    /// Centre of b less centre of a at the search, m.
    pub offset: Vec3,
    /// Impulse on b in the last substep, N s; zero if they did not touch, or met in an impact.
    pub impulse: Vec3,
}

/// Geometry of a contact that acts in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Unit normal, from a to b.
    pub normal: Vec3,
    /// Distance between the centres over the sum of the radii, when impulses act.
    pub nearness: f32,
    /// Time in the substep at which impulses act, s.
    pub time: f32,
    /// Least normal velocity, b relative to a, so that the gap is not below zero at the end of the substep, m/s.
    pub least: f32,
    /// Normal velocity that external forces add between the impact and the end of the substep, m/s.
    pub later: f32,
}

/// Changes of both balls that begin within the substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct BothStrikes {
    pub a: Strike,
    pub b: Strike,
}

impl Contact {
    /// True if balls of these radii overlap deeply where they were at the search.
    pub fn is_deep(&self, a: f32, b: f32) -> bool {
        let least = a + b - DEEP * a.min(b);
        self.offset.length_squared() < least * least
    }

    /// The contact at the beginning of a substep, or at the moment in it at which the balls meet on their straight ways; `None` if
    /// they do not.
    ///
    /// Taking the normal at that moment makes impacts exact: angle, energy and angular momentum. With the normal at the end of the
    /// substep, as in Muller2020, the error of the angle is of the order of the way in a substep over the radius.
    #[inline(always)]
    fn touch(&self, a: &Ball, b: &Ball, &Substep { dt, slow, .. }: &Substep) -> Option<Touch> {
        let centers = self.offset + (b.displacement - a.displacement);
        let sum = a.radius + b.radius;
        let squared = centers.length_squared();
        let beyond = squared - sum * sum;
        let lasts = self.impulse != Vec3::ZERO;
        if beyond < 0.0 || lasts {
            let distance = squared.sqrt();
            // Balls with a common centre are pushed apart along the vertical.
            let normal = if distance > 0.0 { centers / distance } else { Vec3::Y };
            let gap = (distance - sum).max(0.0);
            return Some(Touch { normal, nearness: distance / sum, time: 0.0, least: -gap / dt, later: 0.0 });
        }
        let velocity = b.velocity - a.velocity;
        let along = centers.dot(velocity);
        // The squared distance falls at most at the rate −2 along.
        if beyond >= -2.0 * along * dt {
            return None;
        }
        if along * along <= slow * slow * squared {
            // So slow that what is left of the gap is closed within the substep.
            let distance = squared.sqrt();
            let least = (sum - distance) / dt;
            return Some(Touch { normal: centers / distance, nearness: distance / sum, time: 0.0, least, later: 0.0 });
        }
        let discriminant = along * along - velocity.length_squared() * beyond;
        if discriminant <= 0.0 {
            return None;
        }
        // The smaller root of |centers + t velocity| = sum, without cancellation.
        let time = beyond / (discriminant.sqrt() - along);
        let meeting = centers + time * velocity;
        (time < dt).then(|| Touch { normal: meeting / meeting.length(), nearness: 1.0, time, least: 0.0, later: 0.0 })
    }

    /// Changes the velocities so that the balls do not approach, with friction, and keeps the impulse if the contact lasts. `free` is the
    /// velocity of b relative to a without contacts in this substep (m/s). `None` if
    /// nothing changes, else the strikes if the contact begins within the substep.
    #[inline(always)]
    pub fn solve(
        &mut self,
        a: &mut Ball,
        b: &mut Ball,
        law: &BallMaterial,
        substep: &Substep,
        free: impl FnOnce() -> Vec3,
    ) -> Option<Option<BothStrikes>> {
        let touch = self.touch(a, b, substep)?;
        let inverse_mass = a.inverse_mass + b.inverse_mass;
        if inverse_mass == 0.0 {
            return None;
        }
        let Touch { normal, nearness, time, .. } = touch;
        // Before friction, which then meets a ball that is at rest if it is held.
        let held = self.impulse.dot(normal);
        if substep.is_first && law.rolling_friction > 0.0 && held > 0.0 {
            let radius = a.radius * b.radius / (a.radius + b.radius);
            let (inverse_a, inverse_b) = (a.inverse_inertia(), b.inverse_inertia());
            let wanted = (b.spin - a.spin) / (inverse_a + inverse_b);
            let brake = wanted.clamp_length_max(law.rolling_friction * radius * held);
            a.slow_down(-inverse_a * brake);
            b.slow_down(inverse_b * brake);
        }
        let velocity = b.velocity - a.velocity;
        let slip = velocity - nearness * (a.radius * a.spin + b.radius * b.spin).cross(normal);
        let response = touch.respond(self.impulse, slip, free, law, substep, Inertia { inverse_mass, nearness })?;
        let Response { impulse, is_impact } = response;
        let change = impulse - self.impulse;
        let (before_a, before_b) = (*a, *b);
        a.velocity -= a.inverse_mass * change;
        b.velocity += b.inverse_mass * change;
        let turn = INVERSE_INERTIA * nearness * normal.cross(change);
        a.spin -= a.inverse_mass / a.radius * turn;
        b.spin -= b.inverse_mass / b.radius * turn;
        self.impulse = if is_impact { Vec3::ZERO } else { impulse };
        Some((time > 0.0 || is_impact).then(|| BothStrikes {
            a: Strike::between(&before_a, a, -a.inverse_mass * time * change, is_impact),
            b: Strike::between(&before_b, b, b.inverse_mass * time * change, is_impact),
        }))
    }
}

/// Inertia of a contact.
#[derive(Clone, Copy, Debug)]
struct Inertia {
    /// Sum of the inverse masses, 1/kg.
    inverse_mass: f32,
    /// Arm of friction over the radius.
    nearness: f32,
}

/// Impulse of a contact.
#[derive(Clone, Copy, Debug)]
struct Response {
    /// Impulse on b during the substep, N s.
    impulse: Vec3,
    /// True if it is not repeated in the next substep.
    is_impact: bool,
}

impl Touch {
    /// Impulse on b in the substep, by Coulomb's law, where `impulse` (N s) of it acts already and `slip` (m/s) is the velocity of b
    /// relative to a at the point of contact. `None` without an impulse.
    #[inline(always)]
    fn respond(
        &self,
        impulse: Vec3,
        slip: Vec3,
        free: impl FnOnce() -> Vec3,
        law: &BallMaterial,
        substep: &Substep,
        Inertia { inverse_mass, nearness }: Inertia,
    ) -> Option<Response> {
        let Self { normal, least, later, .. } = *self;
        let lasts = impulse != Vec3::ZERO;
        let approach = slip.dot(normal);
        let is_impact = !lasts && approach < -substep.slow;
        // While contacts are solved, velocities pass through values that balls never have: an impact is one of velocities that they had.
        // One that follows from another impact comes in the next substep.
        let approach_before = if is_impact { free().dot(normal) } else { 0.0 };
        if is_impact && approach_before >= -substep.slow {
            return None;
        }
        // The smaller of both speeds, so that no energy is gained if another impact has slowed the ball already.
        let approach_before = approach_before.max(approach);
        let wanted = if is_impact { later - law.restitution * (approach_before - later) } else { least };
        let before = impulse.dot(normal);
        let normal_impulse = (before + (wanted - approach) / inverse_mass).max(0.0);
        if normal_impulse == 0.0 && !lasts {
            return None;
        }
        let tangential_inverse_mass = inverse_mass * (1.0 + INVERSE_INERTIA * nearness * nearness);
        let sticking = impulse - before * normal - (slip - approach * normal) / tangential_inverse_mass;
        let friction = sticking.clamp_length_max(law.friction * normal_impulse);
        Some(Response { impulse: normal_impulse * normal + friction, is_impact })
    }
}

impl Ball {
    /// Inverse of the moment of inertia, 1/(kg m²).
    #[inline(always)]
    pub fn inverse_inertia(&self) -> f32 {
        INVERSE_INERTIA * self.inverse_mass / (self.radius * self.radius)
    }

    /// Takes `spin` (rad/s) from the spin, as rolling friction does.
    #[inline(always)]
    fn slow_down(&mut self, spin: Vec3) {
        self.spin -= spin;
        self.brake -= spin;
    }

    /// Adds an impulse (N s) that acts at the end of an `arm` (m) from the centre.
    pub fn push(&mut self, impulse: Vec3, arm: Vec3) {
        self.velocity += self.inverse_mass * impulse;
        self.spin += self.inverse_inertia() * arm.cross(impulse);
    }
}

impl Strike {
    #[inline]
    fn between(before: &Ball, after: &Ball, lag: Vec3, is_impact: bool) -> Self {
        if is_impact {
            let spin = (after.spin - after.brake) - (before.spin - before.brake);
            Self { lag, velocity: after.velocity - before.velocity, spin }
        } else {
            Self { lag, ..Self::default() }
        }
    }
}

/// Contact of a ball with a surface, which is taken for a plane near the ball.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plane {
    /// Unit normal, toward the ball.
    pub normal: Vec3,
    /// Distance of the centre from the surface where the ball had no displacement, m.
    pub distance: f32,
    /// Velocity of the surface, m/s.
    pub velocity: Vec3,
    /// Impulse on the ball in the last substep, N s; zero after an impact.
    pub impulse: Vec3,
    /// External acceleration of the ball, m/s².
    pub acceleration: Vec3,
}

impl Plane {
    #[inline(always)]
    fn gap(&self, ball: &Ball) -> f32 {
        self.distance + self.normal.dot(ball.displacement) - ball.radius
    }

    /// Changes the velocity so that the ball does not approach the surface, with friction. Returns the impulse on the ball that is
    /// added, N s, and the strike. `free` is the velocity without contacts in this substep, m/s.
    pub fn solve(
        &mut self,
        ball: &mut Ball,
        free: impl FnOnce() -> Vec3,
        law: &BallMaterial,
        substep: &Substep,
    ) -> Option<(Vec3, Option<Strike>)> {
        let Substep { dt, slow, is_first, .. } = *substep;
        let gap = self.gap(ball);
        let velocity = ball.velocity - self.velocity;
        let approach = self.normal.dot(velocity);
        let touch = Touch { normal: self.normal, nearness: 1.0, time: 0.0, least: 0.0, later: 0.0 };
        let is_slow = approach >= -slow && gap < -approach * dt;
        let touch = if gap < 0.0 || self.impulse != Vec3::ZERO || is_slow {
            Touch { least: -gap.max(0.0) / dt, ..touch }
        } else if gap < -approach * dt {
            let time = gap / -approach;
            Touch { time, later: (dt - time) * self.normal.dot(self.acceleration), ..touch }
        } else {
            return None;
        };
        if ball.inverse_mass == 0.0 {
            return None;
        }
        let brakes = if is_first { law.rolling_friction } else { 0.0 };
        let most = brakes * ball.radius * self.impulse.dot(self.normal).max(0.0) * ball.inverse_inertia();
        ball.slow_down(ball.spin.clamp_length_max(most));
        let slip = velocity - ball.radius * ball.spin.cross(self.normal);
        let inertia = Inertia { inverse_mass: ball.inverse_mass, nearness: 1.0 };
        let Response { impulse, is_impact } =
            touch.respond(self.impulse, slip, || free() - self.velocity, law, substep, inertia)?;
        let (change, before) = (impulse - self.impulse, *ball);
        ball.push(change, -ball.radius * self.normal);
        self.impulse = if is_impact { Vec3::ZERO } else { impulse };
        let strike = (touch.time > 0.0 || is_impact)
            .then(|| Strike::between(&before, ball, ball.inverse_mass * touch.time * change, is_impact));
        Some((impulse, strike))
    }

    /// Moves the ball out of the surface, without a change of velocity.
    pub fn separate(&self, ball: &mut Ball) -> bool {
        let overlap = -self.gap(ball) - SLOP * ball.radius;
        let moves = overlap > 0.0 && ball.inverse_mass > 0.0;
        if moves {
            ball.displacement += overlap * self.normal;
        }
        moves
    }
}
