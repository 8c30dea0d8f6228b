//! A cancelled step leaves the state as it was, at whatever stage it is cancelled.

use crate::common::dam_break;
use sph_core::{CancelFlag, Dimensions, Method, Simulation, StepError};
use std::time::{Duration, Instant};

/// Stages of the step, about, at which each solver is cancelled.
const MOMENTS: u32 = 12;

#[test]
fn a_cancelled_step_leaves_the_state_before_it() {
    let mut cancelled = 0;
    for method in Method::ALL {
        let mut setup = dam_break(Dimensions::Two, 16);
        setup.parameters.solver.method = method;
        setup.parameters.forces.xsph = 0.1;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        simulation.step();
        let mut expected = simulation.clone();
        let start = Instant::now();
        expected.step();
        let length = start.elapsed();
        for moment in 0..MOMENTS {
            let mut attempt = simulation.clone();
            let flag = CancelFlag::default();
            attempt.set_cancel_flag(flag.clone());
            let stats = std::thread::scope(|scope| {
                scope.spawn(|| {
                    spin(length * moment / MOMENTS);
                    flag.raise();
                });
                attempt.step()
            });
            // A step that was faster than the other thread is complete.
            if stats.error.is_none() {
                continue;
            }
            cancelled += 1;
            assert_eq!(stats.error, Some(StepError::Cancelled), "{method:?}");
            assert_eq!((stats.step, attempt.time()), (1, simulation.time()), "{method:?}");
            attempt.set_cancel_flag(CancelFlag::default());
            assert_eq!(attempt.step().error, None);
            assert!(attempt.state() == expected.state(), "{method:?}: not the bits of a step that was not cancelled before");
        }
    }
    assert!(cancelled > MOMENTS, "only {cancelled} steps were cancelled");
}

/// Waits more precisely than the system lets a thread sleep.
fn spin(duration: Duration) {
    let start = Instant::now();
    while start.elapsed() < duration {
        std::hint::spin_loop();
    }
}
