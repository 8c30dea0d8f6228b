//! Interpolation between the last two states, for pictures where a step takes longer than a frame: slow water then flows instead of jumping.
//!
//! The picture lags the simulation by one step: it shows the last step, part by part, while the next one is computed. Particles, which change their
//! order, are at `x − (1 − part) Δt v`, on the way that led them to x unless a wall stopped them; points of sets and bodies are between two places.

use std::time::{Duration, Instant};

use crate::session::Snapshot;
use glam::{DMat3, DQuat, Vec3};
use sph_core::probes::Ellipsoid;
use sph_core::{Domain, FoamParticle, Particles, Pose};
use sph_render::{ShownFluid, ShownSets};

/// Shortest time between two states that has pictures between them: in a shorter one the eye sees no jumps.
const LEAST_INTERVAL: Duration = Duration::from_millis(40);

/// When states come, by the clock of the wall.
#[derive(Debug, Default)]
pub struct StepClock {
    latest: Option<Latest>,
    /// Places in the state before, and in the latest one.
    places: [Places; 2],
}

/// Places of what keeps its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// Poses of the bodies.
    poses: Vec<Pose>,
    /// Positions of the points of each set, m.
    points: Vec<Vec<Vec3>>,
}

/// The latest state.
#[derive(Clone, Copy, Debug)]
struct Latest {
    /// What tells histories apart: the scene, and the jumps to other moments.
    history: [u64; 2],
    steps: u64,
    time: f64,
    arrival: Instant,
    /// Time since the state a step before came, and length of that step, s; `None` if the state before was another.
    step: Option<(Duration, f64)>,
}

/// A moment of the last step, before its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepFraction<'a> {
    /// Part of the step that has passed, from 0 to 1.
    pub part: f32,
    /// Time until its end, s.
    pub until_end: f64,
    /// Places at its beginning.
    pub before: &'a Places,
}

impl StepClock {
    /// Takes note of the state that is there at `now`.
    pub fn follow(&mut self, snapshot: &Snapshot, now: Instant) {
        let Snapshot { generation, steps, time, ref timeline, ref poses, ref sets, .. } = *snapshot;
        let history = [generation, timeline.jumps];
        let before = self.latest.filter(|latest| latest.history == history);
        if before.is_some_and(|before| before.steps == steps) {
            return;
        }
        let is_next = |before: &Latest| before.steps + 1 == steps && time > before.time;
        let step = before.filter(is_next).map(|before| (now - before.arrival, time - before.time));
        self.latest = Some(Latest { history, steps, time, arrival: now, step });
        self.places.swap(0, 1);
        let latest = &mut self.places[1];
        latest.poses.clone_from(poses);
        sets.copy_positions(&mut latest.points);
    }

    /// The moment that a picture at `now` shows; `None` for the latest state.
    pub fn moment(&self, now: Instant) -> Option<StepFraction<'_>> {
        let Latest { arrival, step, .. } = self.latest?;
        let (interval, dt) = step.filter(|(interval, _)| *interval >= LEAST_INTERVAL)?;
        let part = (now - arrival).as_secs_f64() / interval.as_secs_f64();
        (part < 1.0).then(|| StepFraction { part: part as f32, until_end: (1.0 - part) * dt, before: &self.places[0] })
    }
}

/// Copies of what moves, at a moment of the last step.
#[derive(Debug, Default)]
pub struct InterpolatedState {
    particles: Particles,
    poses: Vec<Pose>,
    sets: ShownSets,
    foam: Vec<FoamParticle>,
    ellipsoids: Vec<Ellipsoid>,
}

impl InterpolatedState {
    /// What `fluid`, the latest state in this `domain`, was at this `moment`.
    pub fn show<'a>(&'a mut self, fluid: ShownFluid<'a>, domain: &Domain, moment: StepFraction<'_>) -> ShownFluid<'a> {
        let Self { particles, poses, sets, foam, ellipsoids } = self;
        let before_end = moment.until_end as f32;
        particles.copy_shown(fluid.particles);
        let Particles { positions, velocities, .. } = particles;
        let earlier = |position: Vec3, velocity: Vec3| domain.wrap(position - before_end * velocity);
        positions.iter_mut().zip(velocities).for_each(|(position, velocity)| *position = earlier(*position, *velocity));
        ellipsoids.clear();
        let moved = fluid.ellipsoids.iter().zip(&fluid.particles.velocities);
        ellipsoids.extend(moved.map(|(of, velocity)| Ellipsoid { center: earlier(of.center, *velocity), ..*of }));
        foam.clear();
        let moved = fluid.foam.iter();
        foam.extend(moved.map(|of| FoamParticle { position: earlier(of.position, of.velocity), ..*of }));
        sets.copy_between(&moment.before.points, fluid.sets, moment.part);
        poses.clear();
        // One that has been dropped since stays where it is.
        poses.extend(fluid.poses.iter().enumerate().map(|(body, after)| match moment.before.poses.get(body) {
            Some(before) => between(before, after, f64::from(moment.part)),
            None => *after,
        }));
        ShownFluid { particles, poses, sets, foam, ellipsoids, time: fluid.time - moment.until_end, ..fluid }
    }
}

/// Pose on the way from `a` to `b` after this part of it.
fn between(a: &Pose, b: &Pose, part: f64) -> Pose {
    let [from, to] = [a, b].map(|pose| DQuat::from_mat3(&pose.rotation));
    Pose {
        displacement: a.displacement.lerp(b.displacement, part),
        pivot: b.pivot,
        rotation: DMat3::from_quat(from.slerp(to, part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn snapshot(steps: u64, time: f64) -> Snapshot {
        Snapshot { steps, time, poses: vec![pose(steps as f64)], ..Snapshot::default() }
    }

    /// A turn by so many tenths about z, and a displacement of as many metres.
    fn pose(amount: f64) -> Pose {
        let (rotation, displacement) = (DMat3::from_rotation_z(0.1 * amount), amount * DVec3::X);
        Pose { displacement, rotation, ..Pose::default() }
    }

    #[test]
    fn a_slow_step_is_shown_while_the_next_is_computed() {
        let (mut flow, start) = (StepClock::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        flow.follow(&snapshot(7, 1.0), at(0));
        assert_eq!(flow.moment(at(1)), None, "no step is known");
        flow.follow(&snapshot(7, 1.0), at(50));
        flow.follow(&snapshot(8, 1.02), at(100));
        let moment = flow.moment(at(125)).expect("a moment of the step");
        assert!((moment.part - 0.25).abs() < 1e-6 && (moment.until_end - 0.015).abs() < 1e-9, "{moment:?}");
        assert_eq!(moment.before.poses, [pose(7.0)]);
        assert_eq!(flow.moment(at(200)), None, "the state itself");
        flow.follow(&snapshot(9, 1.03), at(120));
        assert_eq!(flow.moment(at(121)), None, "fast steps have a picture each");
    }

    /// Several steps between two pictures, a step back, another scene and a jump have no way in between.
    #[test]
    fn only_the_next_step_is_shown_in_parts() {
        let start = Instant::now();
        let other_scene = Snapshot { generation: 1, ..snapshot(8, 1.02) };
        let mut jumped = snapshot(8, 1.02);
        jumped.timeline.jumps = 1;
        for next in [snapshot(9, 1.04), snapshot(6, 0.98), other_scene, jumped] {
            let mut flow = StepClock::default();
            flow.follow(&snapshot(7, 1.0), start);
            flow.follow(&next, start + Duration::from_millis(100));
            assert_eq!(flow.moment(start + Duration::from_millis(110)), None);
        }
    }

    #[test]
    fn everything_is_on_its_way() {
        let particles = Particles {
            positions: vec![Vec3::ONE, Vec3::ZERO],
            velocities: vec![Vec3::X, Vec3::NEG_Y],
            ..Particles::default()
        };
        let ellipsoids = [Ellipsoid::sphere(Vec3::splat(0.9)), Ellipsoid::sphere(Vec3::ZERO)];
        let (sets, poses) = (ShownSets::default(), [pose(2.0), pose(5.0)]);
        let fluid = ShownFluid {
            particles: &particles,
            poses: &poses,
            dropped: &[],
            sets: &sets,
            time: 2.0,
            foam: &[],
            values: None,
            ellipsoids: &ellipsoids,
            surfaces: &[],
        };
        let mut copies = InterpolatedState::default();
        let before = Places { poses: vec![pose(1.0)], ..Places::default() };
        let shown = copies.show(fluid, &Domain::default(), StepFraction { part: 0.25, until_end: 0.03, before: &before });
        let near = |a: Vec3, b: Vec3| assert!(a.abs_diff_eq(b, 1e-6), "{a}, not {b}");
        near(shown.particles.positions[0], Vec3::new(0.97, 1.0, 1.0));
        near(shown.particles.positions[1], Vec3::new(0.0, 0.03, 0.0));
        near(shown.ellipsoids[0].center, Vec3::new(0.87, 0.9, 0.9));
        assert!((shown.time - 1.97).abs() < 1e-12);
        let expected = pose(1.25);
        assert!(shown.poses[0].displacement.abs_diff_eq(expected.displacement, 1e-12));
        assert!(shown.poses[0].rotation.abs_diff_eq(expected.rotation, 1e-12));
        assert_eq!(shown.poses[1], pose(5.0), "it came during the step");
    }
}
