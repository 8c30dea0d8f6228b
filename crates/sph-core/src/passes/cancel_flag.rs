//! Flag that cancels the present step.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Flag that cancels steps, shared by whoever raises it and the engines that look at it. Clones are the same flag.
///
/// An engine looks at it between the stages of a step and between the iterations of its solves; a cancelled step is refused with
/// [`StepError::Cancelled`](crate::StepError::Cancelled), and the state is the one before it. Once raised, the flag stays so.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Raises the flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once the flag is raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
