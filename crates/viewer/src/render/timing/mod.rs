//! Times of single passes, for `sph bench --render`.

mod stopwatch;
mod yardstick;

pub use stopwatch::{PassClock, PassTime, Stopwatch};
pub use yardstick::Yardstick;
