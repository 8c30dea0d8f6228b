//! Timelines of steps agree with the phase times.

use crate::common::dam_break;
use sph_core::{Dimensions, Method, Phase, Simulation};
use std::time::Duration;

#[test]
fn spans_do_not_overlap_and_add_up_to_the_phase_times() {
    for method in Method::ALL {
        let mut setup = dam_break(Dimensions::Two, 10);
        setup.parameters.solver.method = method;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        simulation.set_timeline(true);
        for _ in 0..5 {
            let stats = simulation.step();
            assert_eq!(stats.error, None);
            let timeline = simulation.timeline().expect("asked for");
            let (mut end, mut iterated) = (Duration::ZERO, 0);
            for span in &timeline.spans {
                assert!(span.start >= end, "{method:?}: {span:?} begins before {end:?}");
                end = span.start + span.length;
                iterated += u32::from(span.phase == Phase::Pressure);
            }
            assert!(end <= timeline.length);
            for phase in Phase::ALL {
                let spans = timeline.spans.iter().filter(|span| span.phase == phase);
                assert_eq!(spans.map(|span| span.length).sum::<Duration>(), stats.phases[phase], "{method:?}: {phase:?}");
            }
            // Every iteration has a span, except for PBF, which measures all its iterations as one.
            let iterations = stats.density_solve.iterations + stats.divergence_solve.iterations;
            assert!(method == Method::Pbf || iterated >= iterations, "{method:?}: {iterated} spans, {iterations} iterations");
        }
        simulation.set_timeline(false);
        simulation.step();
        assert_eq!(simulation.timeline(), None);
    }
}

#[test]
fn a_refused_step_ends_its_timeline() {
    let mut setup = dam_break(Dimensions::Three, 4);
    setup.parameters.grid.structure = sph_core::neighbors::Structure::UniformGrid;
    let mut stray = setup.blocks[0].clone();
    stray.min = glam::Vec3::splat(1e6);
    stray.max = stray.min + setup.discretization.particle_spacing;
    setup.blocks.push(stray);
    setup.containers.clear();
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.set_timeline(true);
    let stats = simulation.step();
    assert!(matches!(stats.error, Some(sph_core::StepError::Search(_))), "{:?}", stats.error);
    let phases: Vec<Phase> = simulation.timeline().expect("asked for").spans.iter().map(|span| span.phase).collect();
    assert_eq!(phases, [Phase::Sort, Phase::Build, Phase::Statistics]);
}
