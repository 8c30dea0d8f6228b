//! Groups of the parameters, and the parameters in each.

use super::view::FluidView;
use sph_core::parameters::{Parameter, Parameters};
use sph_core::{FoamModel, FoamParameters, ForceParameters, Method, ViscosityModel};

/// A group of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What flows.
    Fluid,
    /// Pressure solver.
    Solver,
    /// Length of the steps.
    TimeStep,
    /// Walls and bodies.
    Boundary,
    /// Forces and corrections that are off by default.
    Forces,
    /// Foam, spray and bubbles.
    Foam,
}

/// Keys of the parameters that most users change.
const BASIC: [&str; 5] = ["gravity", "fluid.kinematic_viscosity", "fluid.sound_speed", "fluid.surface_tension", "foam.model"];

/// Keys that come first in their groups, in this order; the others follow as in the table.
const FIRST: [&str; 10] = [
    "gravity",
    "fluid.kinematic_viscosity",
    "fluid.viscosity_model",
    "fluid.artificial_viscosity",
    "fluid.sound_speed",
    "solver.method",
    "solver.wcsph.equation_of_state",
    "solver.wcsph.integration",
    "solver.wcsph.diffusion",
    "fluid.density_diffusion",
];

impl Group {
    /// All groups, from the top of the panel down.
    pub const ALL: [Self; 6] = [Self::Fluid, Self::Solver, Self::TimeStep, Self::Boundary, Self::Forces, Self::Foam];

    /// Title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Fluid => "Properties",
            Self::Solver => "Solver",
            Self::TimeStep => "Time step",
            Self::Boundary => "Boundary",
            Self::Forces => "Forces",
            Self::Foam => "Foam, spray and bubbles",
        }
    }

    /// True if the group has a panel of its own; the Fluid panel shows it in a search only.
    pub fn has_panel(self) -> bool {
        matches!(self, Self::Solver | Self::TimeStep)
    }

    /// Group of a parameter; `None` for those of the grid, which have their own panel.
    pub fn of(parameter: &Parameter<Parameters>) -> Option<Self> {
        match parameter.key {
            "solver.walls" | "fluid.adhesion" => Some(Self::Boundary),
            "solver.shifting" => Some(Self::Forces),
            "fluid.viscosity_tolerance" | "fluid.max_viscosity_iterations" => Some(Self::Fluid),
            "fluid.density_diffusion" => Some(Self::Solver),
            _ if parameter.group() == ForceParameters::GROUP => Some(Self::Forces),
            _ if parameter.group() == FoamParameters::GROUP => Some(Self::Foam),
            key if key.starts_with("grid.") => None,
            key if key.starts_with("solver.") => Some(Self::Solver),
            key if key.starts_with("time_step.") => Some(Self::TimeStep),
            _ => Some(Self::Fluid),
        }
    }

    /// Parameters of the group that have an effect with the values of the others and are asked for by `view`.
    pub fn rows(self, parameters: &Parameters, view: &FluidView) -> Vec<&'static Parameter<Parameters>> {
        let shown = |parameter: &&Parameter<Parameters>| {
            Self::of(parameter) == Some(self) && is_effective(parameter.key, parameters) && is_asked_for(parameter, view)
        };
        let mut rows: Vec<_> = Parameters::table().iter().filter(shown).collect();
        rows.sort_by_key(|row| FIRST.iter().position(|key| *key == row.key).unwrap_or(FIRST.len()));
        rows
    }
}

/// True if a search finds the parameter, or without a search, if it is among those shown.
fn is_asked_for(parameter: &Parameter<Parameters>, view: &FluidView) -> bool {
    let search = view.search.trim().to_lowercase();
    if search.is_empty() {
        return view.all || BASIC.contains(&parameter.key) || view.guest == Some(parameter.key);
    }
    let texts = [parameter.label, parameter.key, &parameter.documentation];
    search.split_whitespace().all(|word| texts.iter().any(|text| text.to_lowercase().contains(word)))
}

/// True if the parameter has an effect with the values of the others.
fn is_effective(key: &str, parameters: &Parameters) -> bool {
    let method = parameters.solver.method;
    match key {
        "fluid.viscosity_tolerance" | "fluid.max_viscosity_iterations" => {
            parameters.fluid.viscosity_model == ViscosityModel::Implicit
        }
        "fluid.vorticity_smoothing" | "fluid.micro_inertia" => parameters.forces.vorticity_transfer > 0.0,
        "fluid.sound_speed" | "fluid.density_diffusion" => method == Method::Wcsph,
        "foam.model" => true,
        _ if key.starts_with("foam.") => parameters.foam.model != FoamModel::None,
        "time_step.min_dt" | "time_step.max_dt" => parameters.time_step.fixed_dt.is_none(),
        _ => match key.strip_prefix("solver.").and_then(|rest| rest.split_once('.')) {
            Some((table, _)) => table == method.name(),
            None => true,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_one_place() {
        let all = FluidView { all: true, ..FluidView::default() };
        let mut parameters = Parameters::default();
        parameters.forces.vorticity_transfer = 1.0;
        parameters.foam.model = FoamModel::Ihmsen;
        let rows: Vec<_> = Group::ALL.into_iter().flat_map(|group| group.rows(&parameters, &all)).collect();
        for parameter in Parameters::table().iter().filter(|parameter| is_effective(parameter.key, &parameters)) {
            let count = rows.iter().filter(|row| row.key == parameter.key).count();
            assert_eq!(count, usize::from(!parameter.key.starts_with("grid.")), "{}", parameter.key);
        }
        for key in BASIC.into_iter().chain(FIRST) {
            assert!(rows.iter().any(|row| row.key == key), "{key}");
        }
    }

    #[test]
    fn a_search_finds_names_keys_and_descriptions() {
        let found = |search: &str| {
            let view = FluidView { search: search.to_owned(), ..FluidView::default() };
            let parameters = Parameters::default();
            Group::ALL.into_iter().flat_map(|group| group.rows(&parameters, &view)).map(|row| row.key).collect::<Vec<_>>()
        };
        assert!(found("visco").contains(&"fluid.artificial_viscosity"));
        assert_eq!(found("cfl_fac"), ["time_step.cfl_factor"]);
        assert!(found("monaghan1992").contains(&"fluid.artificial_viscosity"));
        assert!(found("no such thing").is_empty());
    }
}
