//! Pressure solvers, one file each, reading as the paper.

mod equation_of_state;
mod wcsph;

pub(crate) use equation_of_state::EquationOfState;
pub(crate) use wcsph::{Surroundings, Wcsph};
