//! A paused window without input, which draws nothing.

use super::panels;
use super::window::Window;
use std::time::Duration;

/// Time without input.
const REST: Duration = Duration::from_secs(2);

/// Ticks of the processor (10 ms) that looking after files may take meanwhile. A single frame on a software driver takes as many.
const MOST_TICKS: u64 = 3;

#[test]
fn a_paused_window_draws_nothing() {
    let mut window = Window::open(panels::SCENE);
    // A single step pauses.
    window.until(
        "rest",
        |window| window.press("period"),
        |window| {
            let before = window.ticks();
            std::thread::sleep(REST);
            window.ticks() - before <= MOST_TICKS
        },
    );
    let (status, _folder) = window.quit();
    assert!(status.success(), "{status}");
}
