//! Parameters: all numbers and choices that a user sets, each with key, unit, range, default, label and documentation in one
//! place.
//!
//! Each file of a group of parameters (`fluid.rs`, `grid.rs`, …) defines structs. The macro `parameters!` generates their defaults
//! and the table of [`Parameter`]s, which checks, scene files, overrides, sliders and the reference in the guide are made from.
//! To add a parameter, add a field to a struct and use it.

mod curve;
mod discretization;
mod fluid;
mod grid;
mod preset;
mod solver;

pub mod table;
pub mod value;

pub use curve::{Curve, CurveError};
pub use discretization::{Dimensions, Discretization, KernelKind, REST_DENSITIES, Slip, WallPressure, WallSampling};
pub use fluid::{
    Fluid, FluidParameters, FoamModel, FoamParameters, ForceParameters, MAX_DENSITY_RATIO, MAX_FLUIDS, ViscosityModel,
};
pub use grid::{
    GridParameters, HashFunction, MAX_BUCKET_CAPACITY, MAX_PLACES, MAX_TABLE_SIZE, Registration, Storage, Structure,
    StructureOptions, Update, Walk,
};
pub use preset::Preset;
pub use solver::{
    CoarseCorrection, DensityDiffusion, DfsphParameters, Integration, Iterations, Method, NegativePressure, PressureSign,
    SolverParameters, StateEquation, TimeStepParameters, WcsphParameters,
};
pub use table::{Group, Parameter, ParameterError};
pub use value::{Bounds, Choice, ChoiceOption, Kind, Slider, UnknownChoice, Value};

pub(crate) use fluid::lightness;
pub(crate) use value::{choice, choice_text};

use std::sync::LazyLock;

use glam::Vec3;
use table::{Spec, parameters, require};

parameters! {
    /// Everything that may change while the simulation runs; a change acts from the next step on.
    pub struct Parameters in Fluid {
        /// Acceleration of the fluid by gravity.
        gravity: Vec3 = Vec3::new(0.0, -9.81, 0.0) => Spec::new("Gravity").basic().unit("m/s²").range(-1e5..=1e5).slider(0.0..=30.0, 0.01)
            .usual(1.0..=10.0)
            .ends("nothing falls", "everything is faster, and steps are shorter");
        tables {
            /// Constants of the fluid.
            "fluid" fluid: FluidParameters = FluidParameters::default();
            /// Forces and motions that are off by default.
            "fluid" forces: ForceParameters = ForceParameters::default();
            /// Bounds on the time step.
            "time_step" time_step: TimeStepParameters = TimeStepParameters::default();
            /// Neighbour search: it changes the cost of a step, never its result.
            "grid" grid: GridParameters = GridParameters::default();
            /// Pressure solver.
            "solver" solver: SolverParameters = SolverParameters::default();
            /// Foam, spray and bubbles.
            "foam" foam: FoamParameters = FoamParameters::default();
        }
    }
}

/// Descriptions of the tables of scene files in which parameters are.
pub const TABLES: [(&str, &str); 11] = [
    ("particles", "Discretisation of the fluid into particles."),
    ("fluid", "Fluid: its constants and its blocks."),
    ("time_step", "Bounds on the time step."),
    ("grid", "Neighbour search. It changes the cost of a step, never its result."),
    ("solver", "Pressure solver."),
    ("solver.wcsph", "Weakly compressible SPH."),
    ("solver.pcisph", "Iterations of PCISPH."),
    ("solver.iisph", "Iterations of IISPH."),
    ("solver.dfsph", "Iterations of DFSPH."),
    ("solver.pbf", "Iterations of PBF."),
    ("foam", "Foam, spray and bubbles. They never act on the fluid."),
];

impl Parameters {
    /// Usual parameters of a discretisation: cells of one support radius. Speed of sound and table size follow from the fluid and are
    /// set by [`Setup::new`](crate::Setup::new).
    pub fn usual(discretization: &Discretization) -> Self {
        let usual = Self::default();
        Self { grid: GridParameters { cell_size: discretization.support_radius, ..usual.grid }, ..usual }
    }

    /// Every parameter, in an order in which they can be set one after the other: a structure before its options.
    pub fn table() -> &'static [Parameter<Self>] {
        static TABLE: LazyLock<Vec<Parameter<Parameters>>> = LazyLock::new(|| {
            let mut table = Parameters::entries();
            table.extend(structure_options());
            table
        });
        &TABLE
    }

    /// The parameters of a group, in the order of their rows in the window.
    pub fn of_group(group: Group) -> Vec<&'static Parameter<Self>> {
        let mut rows: Vec<_> = Self::table().iter().filter(|parameter| parameter.group == Some(group)).collect();
        for parameter in rows.clone() {
            if let Some(above) = parameter.row_after {
                rows.retain(|other| other.key != parameter.key);
                let place = rows.iter().position(|other| other.key == above).map_or(rows.len(), |above| above + 1);
                rows.insert(place, parameter);
            }
        }
        rows
    }

    /// The parameter of a key of scene files, such as `fluid.sound_speed`.
    ///
    /// # Panics
    /// If no parameter has the key, a mistake of the caller.
    pub fn entry(key: &str) -> &'static Parameter<Self> {
        let found = Self::table().iter().find(|parameter| parameter.key == key);
        found.unwrap_or_else(|| panic!("no parameter has the key {key}"))
    }

    /// Minimum and maximum number of iterations of every solve: pairs of which the first must not exceed the second.
    pub fn iteration_bounds() -> impl Iterator<Item = (&'static Parameter<Self>, &'static Parameter<Self>)> {
        let rest = |least: &Parameter<Self>| least.key.split_once(".min_").filter(|(_, rest)| rest.ends_with("iterations"));
        Self::table()
            .iter()
            .filter_map(move |least| rest(least).map(|(table, rest)| (least, Self::entry(&format!("{table}.max_{rest}")))))
    }

    /// Checks every value against its range.
    ///
    /// # Errors
    /// The first value outside its range.
    pub fn validate(&self, discretization: &Discretization) -> Result<(), ParameterError> {
        Self::table().iter().try_for_each(|parameter| parameter.check(self))?;
        if discretization.dimensions == Dimensions::Two {
            require(self.gravity.z == 0.0, "gravity", self.gravity.z, "0 along z in two dimensions")?;
        }
        for (least, most) in Self::iteration_bounds() {
            if let (Value::Count(low), Value::Count(high)) = (least.get(self), most.get(self)) {
                require(low <= high, most.key, high as f32, most.range())?;
            }
        }
        self.time_step.validate()?;
        self.grid.validate(discretization.support_radius)
    }
}

impl Parameter<Parameters> {
    /// True if the parameter has an effect with the values of the others.
    pub fn is_effective(&self, values: &Parameters) -> bool {
        self.is_used(values) && self.condition.is_none_or(|(key, test)| test(Parameters::entry(key).get(values)))
    }
}

/// Options of the structure, which are fields of its enum, as parameters of their own.
fn structure_options() -> impl Iterator<Item = Parameter<Parameters>> {
    StructureOptions::entries().into_iter().map(|option| {
        let parameter = option.within(
            "grid",
            |parameters: &Parameters| parameters.grid.structure.options(),
            |parameters, options| parameters.grid.structure = parameters.grid.structure.with_options(options),
        );
        match parameter.key {
            "grid.storage" => parameter.used_if(|parameters| parameters.grid.structure.has_storage()),
            "grid.update" => parameter.used_if(|parameters| parameters.grid.structure.has_update()),
            "grid.registration" => parameter.used_if(|parameters| parameters.grid.structure.has_registration()),
            "grid.walk" => parameter.used_if(|parameters| parameters.grid.structure.has_walk()),
            key => unreachable!("{key} needs the structures that have it"),
        }
    })
}
