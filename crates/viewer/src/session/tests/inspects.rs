//! Inspections of the grid while the simulation runs or is paused.

use super::{Options, running, running_scene, wait_for};
use crate::session::{Inspect, Inspection, Request, Session, Snapshot, SpeedLimit};
use sph_core::neighbors::{GridParameters, Structure, Verdict};
use sph_core::probes::Vicinity;

/// A drop that falls, in three dimensions.
const FALLING: &str = "format = 1\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0.5, 0]\nmax = [0.4, 0.9, 0.4]\n\
                       [[containers]]\nmin = [-0.2, 0, -0.2]\nmax = [0.6, 2, 0.6]\n";

/// The inspection of a snapshot; panics if there is none.
fn inspection(snapshot: &Snapshot) -> &Inspection {
    snapshot.inspection.as_deref().expect("asked for")
}

fn paused_with(session: &mut Session, asked: Inspect) -> Snapshot {
    wait_for(session, "steps", |snapshot| snapshot.steps > 20);
    session.send(Request::Pause);
    session.send(Request::Inspect(asked));
    wait_for(session, "an inspection", |snapshot| {
        snapshot.paused && snapshot.inspection.as_ref().is_some_and(|inspection| inspection.asked == asked)
    })
}

#[test]
fn a_query_is_traced_over_the_particles_of_its_own_snapshot() {
    let mut session = running(&Options::default());
    let asked = Inspect { contents: true, particle: Some(33), ..Inspect::default() };
    let snapshot = paused_with(&mut session, asked);
    let particles = &snapshot.particles;
    let contents = inspection(&snapshot).contents.as_ref().expect("asked for");
    assert_eq!(contents.cells.iter().map(|cell| cell.points as usize).sum::<usize>(), particles.len());
    let query = inspection(&snapshot).query.as_ref().expect("there is such a particle");
    let index = particles.ids.iter().position(|&id| id == 33).expect("there is such a particle");
    assert_eq!(query.center, particles.positions[index]);
    let support = snapshot.scene.as_ref().expect("a scene runs").setup.discretization.support_radius;
    let near =
        |&(other, place): &(usize, &glam::Vec3)| other != index && (*place - query.center).length_squared() < support * support;
    let expected: Vec<u32> = particles.positions.iter().enumerate().filter(near).map(|(other, _)| other as u32).collect();
    let neighbors = query.visited.iter().filter(|met| met.verdict == Verdict::Neighbor).map(|met| met.index);
    let mut found: Vec<u32> = neighbors.collect();
    found.sort_unstable();
    assert!(!expected.is_empty() && found == expected, "{found:?} {expected:?}");
}

#[test]
fn ellipsoids_are_those_of_the_same_state_without_a_session() {
    let mut session = running_scene(&Options::default(), "small", FALLING);
    let snapshot = paused_with(&mut session, Inspect { ellipsoids: true, ..Inspect::default() });
    let scene = snapshot.scene.as_ref().expect("a scene runs");
    let mut engine = crate::engine::start(&scene.setup).expect("the scene can be simulated");
    while engine.view().steps < snapshot.steps {
        assert_eq!(engine.step().error, None);
    }
    let mut expected = Vec::new();
    Vicinity::default().read_ellipsoids(&engine.view(), &mut expected);
    assert!(!expected.is_empty() && inspection(&snapshot).ellipsoids == expected);
    session.send(Request::Inspect(Inspect::default()));
    wait_for(&mut session, "no inspection", |snapshot| snapshot.inspection.is_none());
}

#[test]
fn a_change_of_the_grid_shows_in_a_pause() {
    let mut session = running(&Options::default());
    let before = paused_with(&mut session, Inspect { contents: true, particle: None, ..Inspect::default() });
    let mut parameters = before.parameters.expect("a scene has parameters");
    parameters.grid.table_size = 3;
    parameters.grid.structure = Structure::SpatialHash;
    session.send(Request::SetParameters { parameters, generation: 1, revision: 5 });
    let after = wait_for(&mut session, "the new grid", |snapshot| snapshot.revision == 5);
    assert_eq!((after.steps, inspection(&after).grid.table_size), (before.steps, 3));
    assert_eq!(inspection(&after).contents.as_ref().map(|contents| contents.bucket_lengths.len()), Some(3));
    // Nothing that the inspection depends on has changed since: the same one is kept.
    session.send(Request::SetSpeedLimit(SpeedLimit::Times(0.5)));
    let same = wait_for(&mut session, "an answer", |snapshot| snapshot.speed_limit == SpeedLimit::Times(0.5));
    assert_eq!(inspection(&same).serial, inspection(&after).serial);
    session.send(Request::Inspect(Inspect::default()));
    wait_for(&mut session, "no inspection", |snapshot| snapshot.inspection.is_none());
}

#[test]
fn a_particle_that_is_not_there_has_no_query() {
    let mut session = running(&Options::default());
    let snapshot = paused_with(&mut session, Inspect { contents: false, particle: Some(1 << 30), ..Inspect::default() });
    assert!(inspection(&snapshot).query.is_none() && inspection(&snapshot).contents.is_none());
    assert!(inspection(&snapshot).refusal.is_none());
}

/// The window shows one of the two inspections, and must notice a switch to the other.
#[test]
fn a_rivals_inspection_is_not_taken_for_the_simulations() {
    let mut session = running(&Options::default());
    let before = wait_for(&mut session, "steps", |snapshot| snapshot.steps > 5);
    session.send(Request::Pause);
    let grid = GridParameters { table_size: 7, ..before.parameters.expect("a scene has parameters").grid };
    session.send(Request::Compare { grid: Some(grid), generation: before.generation, revision: 1 });
    session.send(Request::Inspect(Inspect { contents: true, particle: None, ..Inspect::default() }));
    let rivals = |snapshot: &Snapshot| snapshot.rival.as_ref()?.inspection.clone();
    let both =
        wait_for(&mut session, "two inspections", |snapshot| snapshot.inspection.is_some() && rivals(snapshot).is_some());
    let rival = rivals(&both).expect("there are two");
    assert_eq!(rival.contents.as_ref().map(|contents| contents.bucket_lengths.len()), Some(7));
    assert_ne!(rival.serial, inspection(&both).serial);
}
