//! The threads that compute a step.

use anyhow::Context as _;
use thread_priority::ThreadPriority;

/// Starts `count` threads, or one per core if `None`.
pub(super) fn pool(count: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        // 0 means one per core.
        .num_threads(count.unwrap_or(0))
        .thread_name(|index| format!("simulation {index}"))
        .start_handler(|_| lower_priority())
        .build()
        .context("cannot start the simulation's threads")
}

/// Lowers the thread's priority, so that the window's threads go first if there are fewer cores than threads: otherwise every
/// frame would wait for the simulation.
pub(super) fn lower_priority() {
    let low = ThreadPriority::Crossplatform(20u8.try_into().expect("priorities reach from 0 to 99"));
    if let Err(error) = thread_priority::set_current_thread_priority(low) {
        log::info!("the simulation runs at normal priority: {error:?}");
    }
}
