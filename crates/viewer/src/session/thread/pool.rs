//! The threads that compute a step.

use anyhow::Context as _;
use thread_priority::ThreadPriority;

/// Starts them: `count`, or one a core when `None`.
pub(super) fn pool(count: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        // 0 means one a core.
        .num_threads(count.unwrap_or(0))
        .thread_name(|index| format!("simulation {index}"))
        .start_handler(|_| give_way())
        .build()
        .context("cannot start the simulation's threads")
}

/// Lets the window's threads go first when there are fewer cores than threads: the simulation takes what drawing leaves, instead of
/// making every frame wait for its turn.
fn give_way() {
    let low = ThreadPriority::Crossplatform(20u8.try_into().expect("priorities reach from 0 to 99"));
    if let Err(error) = thread_priority::set_current_thread_priority(low) {
        log::info!("the simulation runs at normal priority: {error:?}");
    }
}
