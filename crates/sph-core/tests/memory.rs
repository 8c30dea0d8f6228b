//! What a simulation says of its memory is so: the allocator itself is asked.

mod common;

use common::dam_break;
use sph_core::neighbors::Structure;
use sph_core::{Dimensions, Method, Setup, Simulation};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, which counts.
struct Counting;

/// Bytes that are held.
static LIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came; counting touches nothing but an atomic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(work)
}

fn simulation_after(setup: &Setup, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(setup).expect("a valid setup");
    for _ in 0..steps {
        assert_eq!(simulation.step().breach, None);
    }
    simulation
}

fn scene(rows: u32, method: Method, structure: Structure) -> Setup {
    let mut setup = dam_break(Dimensions::Three, rows);
    setup.parameters.solver.method = method;
    setup.parameters.grid.structure = structure;
    setup
}

#[test]
fn a_simulation_holds_what_it_says() {
    let mut setups: Vec<Setup> = Method::ALL.map(|method| scene(12, method, Structure::SortedCells)).into();
    setups.extend(Structure::all().into_iter().map(|structure| scene(12, Method::Wcsph, structure)));
    for setup in setups {
        on_threads(2, || {
            // What the threads keep for themselves is there before.
            drop(simulation_after(&setup, 3));
            let before = LIVE.load(Relaxed);
            let simulation = simulation_after(&setup, 3);
            let held = LIVE.load(Relaxed) - before;
            let said = simulation.memory().total();
            let (method, structure) = (setup.parameters.solver.method, setup.parameters.grid.structure);
            // A fiftieth for the hash maps of spilled buckets, whose insides nobody knows.
            assert!(said.abs_diff(held) < held / 50, "{method:?}, {structure:?}: says {said}, holds {held} bytes");
        });
    }
}
