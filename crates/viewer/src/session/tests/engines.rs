//! A session drives any engine, of which it knows no more than the trait.

use super::{SCENE, start, wait_for, wait_for_notice};
use crate::session::{
    Goal, Inspect, Options, Queried, Request, SceneSource, SearchGrid, Severity, Snapshot, SpeedLimit, Stage,
};
use glam::Vec3;
use sph_commands::engine;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::*;
use std::ops::Range;

/// Length of a step, s, unless another is fixed.
const DT: f32 = 1.0 / 64.0;

/// An engine whose particles fly freely, all with one velocity: it knows neither walls nor neighbours.
#[derive(Clone, Debug)]
struct FreeFlight {
    discretization: Discretization,
    state: State,
    domain: Domain,
    walls: BoundaryParticles,
    planes: Planes,
    /// Report of a step, in which the particles' motion is filled in.
    report: StepStats,
}

impl FreeFlight {
    const VELOCITY: Vec3 = Vec3::new(2.0, 0.0, 0.0);

    /// Length of a step, s, in which it panics.
    const DEFECT: f32 = 0.75;

    fn start(setup: &Setup) -> anyhow::Result<Box<dyn Engine>> {
        let mut other = engine::start(setup)?;
        let mut state = other.snapshot();
        state.particles.velocities.fill(Self::VELOCITY);
        Ok(Box::new(Self {
            discretization: setup.discretization,
            state,
            domain: Domain::default(),
            walls: BoundaryParticles::default(),
            planes: Planes::default(),
            report: other.step(),
        }))
    }
}

impl Engine for FreeFlight {
    fn step(&mut self) -> StepStats {
        let Self { discretization, state, report, .. } = self;
        let dt = state.parameters.time_step.fixed_dt.unwrap_or(DT);
        assert!(dt != Self::DEFECT, "a defect");
        let speed = Self::VELOCITY.length();
        let (particle_id, position) = (state.particles.ids[0], state.particles.positions[0]);
        let refused = speed * dt > 0.5 * discretization.support_radius;
        if !refused {
            state.particles.positions.iter_mut().for_each(|x| *x += dt * Self::VELOCITY);
            state.time += f64::from(dt);
            state.steps += 1;
            state.last_dt = dt;
        }
        report.search.parameters = state.parameters.grid;
        (report.step, report.time, report.dt, report.max_speed) = (state.steps, state.time, dt, speed);
        report.error = refused.then_some(StepError::Runaway { particle_id, position, speed });
        report.clone()
    }

    fn time(&self) -> f64 {
        self.state.time
    }

    fn steps(&self) -> u64 {
        self.state.steps
    }

    fn parameters(&self) -> &Parameters {
        &self.state.parameters
    }

    fn view(&self) -> View<'_> {
        View {
            discretization: &self.discretization,
            parameters: &self.state.parameters,
            domain: &self.domain,
            containers: &[],
            external: ExternalForces::NONE,
            fluids: &[],
            mass: 1.0,
            particles: &self.state.particles,
            walls: &self.walls,
            boundary_of_points: 0,
            planes: &self.planes,
            bodies: &[],
            dropped: &[],
            wall_reaction: None,
            sets: &[],
            set_grids: &[],
            dynamics: None,
            set_searches: &[],
            time: self.state.time,
            steps: self.state.steps,
            last_dt: self.state.last_dt,
            divergence_dt: self.state.solver.divergence_dt,
        }
    }

    fn snapshot(&self) -> State {
        self.state.clone()
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn restore(&mut self, state: State) -> Result<(), PopulationError> {
        self.state = state;
        Ok(())
    }

    fn set_point_grid(&mut self, set: usize, _grid: GridParameters) -> Result<(), ParameterError> {
        unreachable!("there is no set {set}")
    }

    fn set_parameters(&mut self, parameters: Parameters) -> Result<(), ParameterError> {
        parameters.validate(&self.discretization)?;
        self.state.parameters = parameters;
        Ok(())
    }

    fn set_off_curve(&mut self, keys: &[&'static str]) {
        self.state.off_curve = keys.to_vec();
    }

    fn off_curve(&self) -> &[&'static str] {
        &self.state.off_curve
    }

    fn add(&mut self, particles: &[NewParticle]) -> Result<Range<u32>, PopulationError> {
        Err(PopulationError::TooMany { count: particles.len() as u64, limit: 0 })
    }

    fn remove(&mut self, ids: &[u32]) -> Result<(), PopulationError> {
        ids.first().map_or(Ok(()), |&id| Err(PopulationError::UnknownId { id }))
    }

    fn apply_hand(&mut self, _hand: &Hand) -> Result<usize, HandError> {
        Ok(0)
    }

    fn drop_body(&mut self, _dropped: &DroppedBody) -> Result<(), HandError> {
        Ok(())
    }

    fn set_audit(&mut self, _queries: usize) {}

    fn set_cancel_flag(&mut self, _flag: CancelFlag) {}

    fn set_wall_reaction(&mut self, _wanted: bool) {}

    fn set_timeline(&mut self, _wanted: bool) {}

    fn timeline(&self) -> Option<&PhaseTimeline> {
        None
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }
}

/// A session whose fluid flies freely, in the time of the clock.
fn flying() -> (crate::session::Session, Snapshot) {
    let mut session = start(&Options { threads: Some(1), engine: FreeFlight::start, ..Options::default() });
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    session.send(Request::SetSpeedLimit(SpeedLimit::Times(1.0)));
    let flying = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 2);
    (session, flying)
}

fn distance_flown(snapshot: &Snapshot) -> f32 {
    let setup = &snapshot.scene.as_ref().expect("a scene runs").setup;
    let start = engine::start(setup).expect("it can be simulated").view().particles.positions_by_id();
    let moved = snapshot.particles.positions_by_id().into_iter().zip(start).map(|(now, before)| now - before);
    let distances: Vec<f32> = moved.inspect(|moved| assert_eq!(moved.y, 0.0)).map(|moved| moved.x).collect();
    distances.iter().sum::<f32>() / distances.len() as f32
}

#[test]
fn the_window_sees_what_the_engine_computes() {
    let (mut session, flying) = flying();
    assert_eq!(flying.time, f64::from(DT) * flying.steps as f64);
    assert!((f64::from(distance_flown(&flying)) - 2.0 * flying.time).abs() < 1e-3);
    // Grid and query are looked up in the particles of any engine, and trials made on them.
    session.send(Request::Inspect(Inspect { contents: true, queried: Some(Queried::Particle(0)), ..Inspect::default() }));
    session.send(Request::Tune { set: None, structures: vec![Structure::SortedCells] });
    let inspected = wait_for(&mut session, "an inspection and trials", |snapshot| {
        snapshot.inspection.is_some() && snapshot.tuning.as_ref().is_some_and(|tuning| tuning.stage == Stage::Done)
    });
    let inspection = inspected.inspection.expect("asked for");
    let cells = inspection.contents.as_ref().map_or(&[][..], |contents| &contents.cells);
    assert_eq!(cells.iter().map(|cell| cell.points as usize).sum::<usize>(), inspected.particles.len());
    assert!(inspection.query.is_some());
}

#[test]
fn a_rival_is_an_engine_of_the_same_kind() {
    let (mut session, flying) = flying();
    let own = flying.parameters.expect("a scene has parameters").grid;
    let grid = GridParameters { table_size: 7, ..own };
    session.send(Request::Compare { grid: Some(SearchGrid { set: None, grid }), generation: flying.generation, revision: 1 });
    let compared = |snapshot: &Snapshot| snapshot.grid_b.as_ref().is_some_and(|grid_b| grid_b.comparison.steps > 5);
    let later = wait_for(&mut session, "a comparison", compared);
    let grid_b = later.grid_b.as_ref().expect("they are compared");
    assert_eq!((grid_b.grid, grid_b.comparison.first, &grid_b.particles), (grid, None, &later.particles));
}

#[test]
fn a_step_that_the_engine_refuses_stops_the_session_until_it_can_go_on() {
    let (mut session, flying) = flying();
    let parameters = flying.parameters.expect("a scene has parameters");
    let mut long = parameters;
    long.time_step.fixed_dt = Some(1.0);
    session.send(Request::SetParameters { parameters: long, generation: flying.generation, revision: 1 });
    let failed = wait_for(&mut session, "a refusal", |snapshot| snapshot.failure.is_some());
    assert!(failed.paused && (f64::from(distance_flown(&failed)) - 2.0 * failed.time).abs() < 1e-3);
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Error && notice.details.contains("2 m/s"), "{notice:?}");
    session.send(Request::SetParameters { parameters, generation: flying.generation, revision: 2 });
    session.send(Request::Play);
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > failed.steps + 2 && snapshot.failure.is_none());
    // A reset makes a new engine of the same kind, with the parameters in force.
    session.send(Request::Pause);
    session.send(Request::Reset);
    let reset = wait_for(&mut session, "a reset", |snapshot| snapshot.steps == 0);
    assert_eq!((distance_flown(&reset), reset.parameters), (0.0, Some(parameters)));
    session.send(Request::Play);
    let again = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 2);
    assert!((f64::from(distance_flown(&again)) - 2.0 * again.time).abs() < 1e-3);
}

#[test]
fn an_engine_that_cannot_start_is_reported() {
    let session = start(&Options { engine: |_| anyhow::bail!("there is no such device"), ..Options::default() });
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    let notice = wait_for_notice(&session);
    assert_eq!((notice.severity, notice.details.as_str()), (Severity::Error, "there is no such device"));
}

#[test]
fn a_panic_stops_the_scene_and_not_the_session() {
    let (mut session, flying) = flying();
    let parameters = flying.parameters.expect("a scene has parameters");
    let mut fatal = parameters;
    fatal.time_step.fixed_dt = Some(FreeFlight::DEFECT);
    let crash = |session: &mut crate::session::Session, generation, revision| {
        session.send(Request::SetParameters { parameters: fatal, generation, revision });
        let crashed = wait_for(session, "the crash", |snapshot| snapshot.failure.is_some());
        assert!(crashed.paused && crashed.failure.is_some_and(|reason| reason.contains("a defect")));
        let notice = wait_for_notice(session);
        assert!(notice.severity == Severity::Error && notice.details.contains("Reset"), "{notice:?}");
        assert!(session.is_alive());
    };
    crash(&mut session, flying.generation, 1);
    // The scene anew, with other parameters.
    session.send(Request::SetParameters { parameters, generation: flying.generation, revision: 2 });
    session.send(Request::Reset);
    let again = wait_for(&mut session, "steps", |snapshot| snapshot.failure.is_none() && snapshot.steps > 2);
    assert_eq!((again.parameters, again.generation), (Some(parameters), flying.generation));
    // Another scene.
    crash(&mut session, flying.generation, 3);
    session.send(Request::Load(SceneSource::Text("other", SCENE, Vec::new())));
    let other =
        wait_for(&mut session, "another scene", |snapshot| snapshot.generation > flying.generation && snapshot.steps > 2);
    assert_eq!(other.failure, None);
    session.quit().expect("the thread ends well");
}

#[test]
fn after_a_refused_step_the_fluid_can_be_rewound() {
    let (mut session, flying) = flying();
    let mut long = flying.parameters.expect("a scene has parameters");
    long.time_step.fixed_dt = Some(1.0);
    session.send(Request::SetParameters { parameters: long, generation: flying.generation, revision: 1 });
    let failed = wait_for(&mut session, "a refusal", |snapshot| snapshot.failure.is_some());
    let refusal = failed.refusal.clone().expect("an account of it");
    assert_eq!(refusal.particle.map(|(id, _)| id), failed.particles.ids.first().copied());
    session.send(Request::Seek(Goal::Time(failed.time - 1.0)));
    let back =
        wait_for(&mut session, "an earlier moment", |snapshot| snapshot.failure.is_none() && snapshot.steps < failed.steps);
    assert!(back.paused && back.refusal.is_none() && back.parameters == flying.parameters);
    assert!((f64::from(distance_flown(&back)) - 2.0 * back.time).abs() < 1e-3);
    session.send(Request::Play);
    wait_for(&mut session, "steps", |snapshot| snapshot.steps > back.steps + 2);
}
