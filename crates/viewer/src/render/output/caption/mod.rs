//! Captions burnt into pictures: the legend of the colours and the simulated time. Plain pixels; no graphics API, no user interface.

mod burn;
mod legend;
mod paint;
mod text;

pub use burn::burn_in;
pub use legend::{Colors, Legend};
