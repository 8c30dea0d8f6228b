//! Dam breaks: front and height of the water, pressure of the impact, and fifty perturbed ones that must not fail.

pub mod lobovsky;
pub mod martin_moyce;
pub mod perturbed;
