//! A way to another moment.

use crate::session::Goal;
use std::time::Instant;

/// A way to another moment.
#[derive(Clone, Copy, Debug)]
pub struct Seek {
    pub goal: Goal,
    pub since: Instant,
    /// True once the fluid is at a moment from which the goal is reached by steps.
    pub is_under_way: bool,
}
