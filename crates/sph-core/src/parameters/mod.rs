//! Parameters: all numbers and choices that a user sets, each with key, unit, range, default, label and documentation in one
//! place.
//!
//! The file of a group of parameters (`fluid.rs`, `grid.rs`, …) defines a struct. The macro `parameters!` generates its defaults
//! and the table of [`Parameter`]s, which checks, scene files, overrides, sliders and the reference in the guide are made from.
//! To add a parameter, add a field to a struct and use it.

mod all;
mod curve;
mod dimensions;
mod discretization;
mod fluid;
mod fluids;
mod foam;
mod forces;
mod grid;
mod kernel_kind;
mod solver;
mod table;
mod time_step;
mod walls;
mod wcsph;

pub use all::{Parameters, TABLES};
pub use curve::{Curve, CurveError};
pub use dimensions::Dimensions;
pub use discretization::{Discretization, REST_DENSITIES};
pub use fluid::{FluidParameters, ViscosityModel};
pub use fluids::{Fluid, MAX_DENSITY_RATIO, MAX_FLUIDS};
pub use foam::{FoamModel, FoamParameters};
pub use forces::ForceParameters;
pub use grid::{
    GridParameters, HashFunction, MAX_BUCKET_CAPACITY, MAX_PLACES, MAX_TABLE_SIZE, Registration, Storage, Structure,
    StructureOptions, Update, Walk,
};
pub use kernel_kind::KernelKind;
pub use solver::{DfsphParameters, Iterations, Method, PressureSign, SolverParameters};
pub use table::bounds::{Bounds, Slider};
pub use table::choice::{Choice, ChoiceOption, UnknownChoice};
pub use table::entry::Parameter;
pub use table::error::ParameterError;
pub use table::value::{Kind, Value};
pub use time_step::TimeStepParameters;
pub use walls::{Slip, WallPressure, WallSampling};
pub use wcsph::{DensityDiffusion, Integration, NegativePressure, StateEquation, WcsphParameters};

pub(crate) use fluids::lightness;
pub(crate) use table::choice::{choice, choice_text};
