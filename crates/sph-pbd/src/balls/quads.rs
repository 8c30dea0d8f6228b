//! Contacts four at a time: quads, in which no two contacts share a ball.
//!
//! A contact is *held* in a substep if it had an impulse in the one before: its normal and its gap are known from the beginning, and four
//! of them are solved at a time. A contact is *open* if its balls may meet within the substep, and is then solved alone (`contact.rs`).
//! In all others the balls are too far from each other, and are not looked at again before the next substep.

use super::contact::{Contact, DEEP, INVERSE_INERTIA, SLOP, Substep};
use super::material::BallMaterial;
use super::rows::{Ball, Body};
use crate::four::Four;
use glam::{Vec3, Vec4};

/// Part of its gap by which a pair may be said to close in a substep, over what its velocities say when it is looked at: others that strike
/// its balls make them faster. A pair that is faster still overlaps, and is open in the next substep.
const HASTE: f32 = 1.5;

/// Four contacts without a common ball, lane by lane. Lanes without a contact hold zeros.
#[derive(Clone, Debug, Default)]
pub(super) struct Quad {
    /// Places of the first and of the second ball of each contact among the bodies of the task.
    a: [u32; 4],
    b: [u32; 4],
    /// Centres of b less centres of a at the search, m.
    offset: Four,
    /// Impulses on b in the last substep, N s; zero if they did not touch, or met in an impact.
    impulse: Four,
    friction: Vec4,
    rolling_friction: Vec4,
    /// Lanes that hold a contact of which a force can move a ball.
    used: u8,
    held: u8,
    open: u8,
    // Of contacts that are held or open, in this substep.
    /// Unit normals at its beginning, from a to b.
    normal: Four,
    /// Distances between the centres over the sums of the radii.
    nearness: Vec4,
    /// Least normal velocities, b relative to a, so that gaps are not below zero at the end of the substep, m/s. The balls of an open
    /// contact cannot meet unless they are slower.
    least: Vec4,
}

/// Values of a quad's balls, lane by lane.
struct Both {
    a: Four,
    b: Four,
    last_a: Vec4,
    last_b: Vec4,
}

impl Quad {
    /// Adds a contact between the bodies `a` and `b` in a lane that is not in use. `is_fixed` is true if no force moves its balls.
    pub fn put(&mut self, lane: usize, contact: &Contact, law: &BallMaterial, is_fixed: bool) {
        self.a[lane] = contact.a;
        self.b[lane] = contact.b;
        set(&mut self.offset, lane, contact.offset);
        set(&mut self.impulse, lane, contact.impulse);
        self.friction[lane] = law.friction;
        self.rolling_friction[lane] = law.rolling_friction;
        self.used |= u8::from(!is_fixed) << lane;
    }

    /// The contact in a lane.
    pub fn contact(&self, lane: usize) -> Contact {
        Contact { a: self.a[lane], b: self.b[lane], offset: get(&self.offset, lane), impulse: get(&self.impulse, lane) }
    }

    /// Contacts with an impulse.
    pub fn lasting(&self) -> impl Iterator<Item = Contact> {
        lanes(self.used).map(|lane| self.contact(lane)).filter(|contact| contact.impulse != Vec3::ZERO)
    }

    /// True if contacts are held or open in this substep.
    pub fn is_active(&self) -> bool {
        self.held | self.open != 0
    }

    /// True if contacts are open in this substep.
    pub fn is_open(&self) -> bool {
        self.open != 0
    }

    /// True if contacts are held in this substep.
    pub fn is_held(&self) -> bool {
        self.held != 0
    }

    #[inline(always)]
    fn both(&self, bodies: &[Body], of: impl Fn(&Body) -> Vec4) -> Both {
        let (a, last_a) = Four::with_last(self.a.map(|place| of(&bodies[place as usize])));
        let (b, last_b) = Four::with_last(self.b.map(|place| of(&bodies[place as usize])));
        Both { a, b, last_a, last_b }
    }

    /// Adds to the velocities and spins what impulses that last change, with the normals of the search.
    pub fn push(&self, bodies: &mut [Body]) {
        for Contact { a, b, offset, impulse } in self.lasting() {
            let (a, b) = (a as usize, b as usize);
            let (mut ball_a, mut ball_b): (Ball, Ball) = (bodies[a].into(), bodies[b].into());
            let turn = (offset / (ball_a.radius + ball_b.radius)).cross(impulse);
            ball_a.velocity -= ball_a.inverse_mass * impulse;
            ball_b.velocity += ball_b.inverse_mass * impulse;
            ball_a.spin -= ball_a.inverse_inertia() * ball_a.radius * turn;
            ball_b.spin -= ball_b.inverse_inertia() * ball_b.radius * turn;
            (bodies[a], bodies[b]) = (ball_a.into(), ball_b.into());
        }
    }

    /// Finds which contacts are held and which are open in a substep, when its first pass comes to them.
    #[inline(always)]
    pub fn begin(&mut self, bodies: &[Body], substep: &Substep) {
        let place = self.both(bodies, |body| body.displacement);
        let motion = self.both(bodies, |body| body.velocity);
        let spin = self.both(bodies, |body| body.spin);
        let centers = self.offset + (place.b - place.a);
        let velocity = motion.b - motion.a;
        let sum = spin.last_a + spin.last_b;
        let distance = centers.dot(centers).sqrt();
        let gap = distance - sum;
        let way = substep.dt * (HASTE * velocity.dot(velocity).sqrt() + Vec4::splat(substep.slow));
        // What is not a number is open.
        let near = self.used & !(gap.cmpge(way).bitmask() as u8);
        let lasts = self.impulse.dot(self.impulse).cmpgt(Vec4::ZERO);
        self.held = self.used & lasts.bitmask() as u8;
        self.open = near & !self.held;
        if self.is_active() {
            self.normal = direction(centers, distance);
            self.nearness = distance / sum;
            // The squared distance falls at most at the rate −2 distance · normal velocity.
            let beyond = gap * (distance + sum);
            let apart = -beyond / (2.0 * substep.dt * distance);
            let open = Vec4::select(beyond.cmplt(Vec4::ZERO), Vec4::INFINITY, apart);
            self.least = Vec4::select(lasts, -gap.max(Vec4::ZERO) / substep.dt, open);
        }
    }

    /// Solves the velocities of contacts that are held.
    #[inline(always)]
    pub fn solve_held(&mut self, bodies: &mut [Body], substep: &Substep) {
        let Self { normal, nearness, least, impulse: old, .. } = *self;
        let mut spin = self.both(bodies, |body| body.spin);
        let motion = self.both(bodies, |body| body.velocity);
        let (mass_a, mass_b) = (motion.last_a, motion.last_b);
        let (radius_a, radius_b) = (spin.last_a, spin.last_b);
        let before = old.dot(normal);
        if substep.is_first && self.rolling_friction.cmpgt(Vec4::ZERO).any() {
            self.brake(bodies, &mut spin, before.max(Vec4::ZERO), [mass_a, mass_b]);
        }
        let inverse = (mass_a + mass_b).recip();
        let velocity = motion.b - motion.a;
        let slip = velocity - (spin.a * radius_a + spin.b * radius_b).cross(normal) * nearness;
        let approach = velocity.dot(normal);
        let most = (before + (least - approach) * inverse).max(Vec4::ZERO);
        let tangential = inverse / (Vec4::ONE + INVERSE_INERTIA * nearness * nearness);
        let sticking = old - normal * before - (slip - normal * slip.dot(normal)) * tangential;
        let friction = clamped(sticking, self.friction * most);
        let impulse = normal * most + friction;
        let change = impulse - old;
        let turn = normal.cross(change) * (INVERSE_INERTIA * nearness);
        let (velocities_a, velocities_b) = ((change * -mass_a).each(), (change * mass_b).each());
        let (spins_a, spins_b) = ((turn * -(mass_a / radius_a)).each(), (turn * -(mass_b / radius_b)).each());
        for lane in lanes(self.held) {
            let a = &mut bodies[self.a[lane] as usize];
            a.velocity += velocities_a[lane];
            a.spin += spins_a[lane];
            let b = &mut bodies[self.b[lane] as usize];
            b.velocity += velocities_b[lane];
            b.spin += spins_b[lane];
        }
        if self.held == 0b1111 {
            self.impulse = impulse;
        } else {
            lanes(self.held).for_each(|lane| set(&mut self.impulse, lane, get(&impulse, lane)));
        }
    }

    /// Brakes rolling, where normal impulses are `held`, N s.
    #[inline(always)]
    fn brake(&self, bodies: &mut [Body], spin: &mut Both, held: Vec4, [mass_a, mass_b]: [Vec4; 2]) {
        let (radius_a, radius_b) = (spin.last_a, spin.last_b);
        let inverse_a = INVERSE_INERTIA * mass_a / (radius_a * radius_a);
        let inverse_b = INVERSE_INERTIA * mass_b / (radius_b * radius_b);
        let radius = radius_a * radius_b / (radius_a + radius_b);
        let wanted = (spin.b - spin.a) * (inverse_a + inverse_b).recip();
        let brake = clamped(wanted, self.rolling_friction * radius * held);
        let (change_a, change_b) = (brake * inverse_a, brake * -inverse_b);
        spin.a = spin.a + change_a;
        spin.b = spin.b + change_b;
        let (changes_a, changes_b) = (change_a.each(), change_b.each());
        for lane in lanes(self.held) {
            for (place, change) in [(self.a[lane], changes_a[lane]), (self.b[lane], changes_b[lane])] {
                let body = &mut bodies[place as usize];
                body.spin += change;
                body.brake += change;
            }
        }
    }

    /// Solves each open contact whose balls may meet alone with `solve`.
    #[inline(always)]
    pub fn solve_open(&mut self, bodies: &mut [Body], mut solve: impl FnMut(&mut Contact, &mut Ball, &mut Ball) -> bool) {
        let motion = self.both(bodies, |body| body.velocity);
        let meets = self.normal.dot(motion.b - motion.a).cmplt(self.least);
        let lasts = self.impulse.dot(self.impulse).cmpgt(Vec4::ZERO);
        for lane in lanes(self.open & (meets | lasts).bitmask() as u8) {
            let mut contact = self.contact(lane);
            let (a, b) = (contact.a as usize, contact.b as usize);
            let (mut ball_a, mut ball_b) = (bodies[a].into(), bodies[b].into());
            if solve(&mut contact, &mut ball_a, &mut ball_b) {
                (bodies[a], bodies[b]) = (ball_a.into(), ball_b.into());
                set(&mut self.impulse, lane, contact.impulse);
            }
        }
    }

    /// Moves overlapping balls apart, shared by their masses, without a change of velocity. Returns the number of pairs that overlap
    /// deeply.
    #[inline(always)]
    pub fn separate(&self, bodies: &mut [Body]) -> u32 {
        let place = self.both(bodies, |body| body.displacement);
        let radii = [self.a, self.b].map(|balls| Vec4::from_array(balls.map(|ball| bodies[ball as usize].radius())));
        let centers = self.offset + (place.b - place.a);
        let smaller = radii[0].min(radii[1]);
        let least = radii[0] + radii[1] - SLOP * smaller;
        let squared = centers.dot(centers);
        let overlapping = (self.held | self.open) & squared.cmplt(least * least).bitmask() as u8;
        if overlapping == 0 {
            return 0;
        }
        let masses = [self.a, self.b].map(|balls| Vec4::from_array(balls.map(|ball| bodies[ball as usize].inverse_mass())));
        let distance = squared.sqrt();
        let overlap = least - distance;
        let way = direction(centers, distance) * (overlap / (masses[0] + masses[1]));
        let (ways_a, ways_b) = ((way * -masses[0]).each(), (way * masses[1]).each());
        for lane in lanes(overlapping) {
            bodies[self.a[lane] as usize].displacement += ways_a[lane];
            bodies[self.b[lane] as usize].displacement += ways_b[lane];
        }
        (overlapping & overlap.cmpgt(DEEP * smaller).bitmask() as u8).count_ones()
    }
}

/// Unit vectors along `centers`, whose lengths are `distance`. Balls with a common centre are pushed apart along the vertical.
#[inline(always)]
fn direction(centers: Four, distance: Vec4) -> Four {
    let at_one_place = distance.cmpeq(Vec4::ZERO);
    let mut direction = centers * Vec4::select(at_one_place, Vec4::ONE, distance).recip();
    direction.y = Vec4::select(at_one_place, Vec4::ONE, direction.y);
    direction
}

/// Vectors that are not longer than `most`.
#[inline(always)]
fn clamped(vectors: Four, most: Vec4) -> Four {
    let squared = vectors.dot(vectors);
    let is_longer = squared.cmpgt(most * most);
    vectors * Vec4::select(is_longer, most / squared.sqrt(), Vec4::ONE)
}

/// Lanes of a mask, ascending.
#[inline(always)]
fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |lane| mask >> lane & 1 != 0)
}

#[inline(always)]
fn get(vectors: &Four, lane: usize) -> Vec3 {
    Vec3::new(vectors.x[lane], vectors.y[lane], vectors.z[lane])
}

#[inline(always)]
fn set(vectors: &mut Four, lane: usize, vector: Vec3) {
    (vectors.x[lane], vectors.y[lane], vectors.z[lane]) = vector.into();
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    const SUBSTEP: Substep = Substep { dt: 0.002, slow: 0.04, is_first: true, only_deep: false };

    /// Balls that almost touch the next one, two by two, and the contacts between these.
    fn pairs() -> (Vec<Body>, Vec<Contact>) {
        let vector = |seed, k: usize| Random::new(seed, k as u64, 0).point(Vec3::splat(-1.0), Vec3::ONE);
        let body = |k: usize| Ball {
            displacement: 1e-4 * vector(1, k),
            velocity: 0.01 * vector(2, k),
            spin: vector(3, k),
            inverse_mass: 1.0 + k as f32,
            radius: 0.1 + 0.05 * (k % 3) as f32,
            ..Ball::default()
        };
        let bodies: Vec<Body> = (0..8).map(|k| body(k).into()).collect();
        let contact = |k: usize| {
            let sum = bodies[2 * k].radius() + bodies[2 * k + 1].radius();
            let normal = vector(4, k).normalize();
            let impulse = if k == 2 { Vec3::ZERO } else { 0.01 * normal + 0.004 * vector(5, k) };
            Contact { a: 2 * k as u32, b: 2 * k as u32 + 1, offset: 0.995 * sum * normal, impulse }
        };
        let contacts = (0..4).map(contact).collect();
        (bodies, contacts)
    }

    fn quad(contacts: &[Contact], law: &BallMaterial) -> Quad {
        let mut quad = Quad::default();
        contacts.iter().enumerate().for_each(|(lane, contact)| quad.put(lane, contact, law, false));
        quad
    }

    fn difference(a: &Body, b: &Body) -> f32 {
        let of = |body: &Body| [body.velocity, body.spin, body.displacement, body.brake];
        of(a).into_iter().zip(of(b)).map(|(a, b)| (a - b).abs().max_element()).fold(0.0, f32::max)
    }

    #[test]
    fn four_held_contacts_at_a_time_do_as_each_alone() {
        let law = BallMaterial { friction: 0.3, rolling_friction: 0.02, restitution: 0.5 };
        let (mut together, contacts) = pairs();
        let mut apart = together.clone();
        let mut quad = quad(&contacts, &law);
        quad.begin(&together, &SUBSTEP);
        assert_eq!((quad.held, quad.open), (0b1011, 0b0100));
        quad.solve_held(&mut together, &SUBSTEP);
        quad.solve_open(&mut together, |contact, a, b| contact.solve(a, b, &law, &SUBSTEP, || Vec3::ZERO).is_some());
        for (lane, contact) in contacts.iter().enumerate() {
            let (mut contact, place) = (*contact, 2 * lane);
            let (mut a, mut b) = (apart[place].into(), apart[place + 1].into());
            contact.solve(&mut a, &mut b, &law, &SUBSTEP, || Vec3::ZERO);
            (apart[place], apart[place + 1]) = (a.into(), b.into());
            assert!((quad.contact(lane).impulse - contact.impulse).length() < 1e-7, "impulse of contact {lane}");
        }
        for (k, (together, apart)) in together.iter().zip(&apart).enumerate() {
            assert!(difference(together, apart) < 1e-5, "ball {k}: {together:?}, {apart:?}");
        }
    }

    #[test]
    fn balls_that_overlap_part_by_their_masses() {
        let (mut bodies, mut contacts) = pairs();
        // One pair has a common centre, and one is apart.
        contacts[0].offset = bodies[0].displacement.truncate() - bodies[1].displacement.truncate();
        contacts[1].offset *= 1.1;
        let before = bodies.clone();
        let mut quad = quad(&contacts, &BallMaterial::default());
        quad.held = 0b1111;
        assert_eq!(quad.separate(&mut bodies), 3);
        for (lane, contact) in contacts.iter().enumerate() {
            let [a, b] = [0, 1].map(|k| bodies[2 * lane + k]);
            let moved = [0, 1].map(|k| bodies[2 * lane + k].displacement - before[2 * lane + k].displacement);
            let distance = (contact.offset + (b.displacement - a.displacement).truncate()).length();
            let least = a.radius() + b.radius() - SLOP * a.radius().min(b.radius());
            assert!(distance > 0.9999 * least, "contact {lane}: {distance} of {least}");
            let sum = moved[0] / a.inverse_mass() + moved[1] / b.inverse_mass();
            assert!(sum.length() < 1e-5, "contact {lane}: {sum}");
        }
        assert_eq!(bodies[2..4], before[2..4]);
    }
}
