//! The parameters as a scene file has them: every key that holds one, with its value.

use sph_core::neighbors::Structure;
use sph_core::{Dimensions, Parameters};

/// Table and key. The root has no name; tables in tables are joined by dots.
pub(super) type Key = (&'static str, &'static str);

/// A parameter as files have it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Setting {
    Number(f32),
    Integer(u32),
    Name(&'static str),
    Vector(Vec<f32>),
    /// The key is not there.
    Absent,
}

/// The parameters with their keys: the same keys in the same order, whatever the values.
pub(super) fn settings(parameters: &Parameters, dimensions: Dimensions) -> Vec<(Key, Setting)> {
    let Parameters { fluid, forces, gravity, time_step, grid, solver } = parameters;
    let options = grid.structure.options();
    vec![
        (("", "gravity"), Setting::Vector(gravity.to_array()[..dimensions.count()].to_vec())),
        (("fluid", "sound_speed"), Setting::Number(fluid.sound_speed)),
        (("fluid", "kinematic_viscosity"), Setting::Number(fluid.kinematic_viscosity)),
        (("fluid", "viscosity_model"), Setting::Name(fluid.viscosity_model.name())),
        (("fluid", "viscosity_tolerance"), Setting::Number(forces.viscosity_tolerance)),
        (("fluid", "max_viscosity_iterations"), Setting::Integer(forces.max_viscosity_iterations)),
        (("fluid", "artificial_viscosity"), Setting::Number(fluid.artificial_viscosity)),
        (("fluid", "density_diffusion"), Setting::Number(fluid.density_diffusion)),
        (("fluid", "xsph"), Setting::Number(forces.xsph)),
        (("fluid", "surface_tension"), Setting::Number(forces.surface_tension)),
        (("fluid", "adhesion"), Setting::Number(forces.adhesion)),
        (("fluid", "vorticity_transfer"), Setting::Number(forces.vorticity_transfer)),
        (("fluid", "vorticity_smoothing"), Setting::Number(forces.vorticity_smoothing)),
        (("fluid", "micro_inertia"), Setting::Number(forces.micro_inertia)),
        (("time_step", "cfl_factor"), Setting::Number(time_step.cfl_factor)),
        (("time_step", "max_dt"), Setting::Number(time_step.max_dt)),
        (("time_step", "min_dt"), Setting::Number(time_step.min_dt)),
        (("time_step", "fixed_dt"), time_step.fixed_dt.map_or(Setting::Absent, Setting::Number)),
        (("grid", "structure"), Setting::Name(grid.structure.name())),
        (("grid", "table_size"), Setting::Integer(grid.table_size)),
        (("grid", "cell_size"), Setting::Number(grid.cell_size)),
        (("grid", "hash"), Setting::Name(grid.hash.name())),
        (("grid", "storage"), Setting::Name(options.storage.name())),
        (("grid", "bucket_capacity"), Setting::Integer(grid.bucket_capacity)),
        (("grid", "update"), Setting::Name(options.update.name())),
        (("grid", "registration"), Setting::Name(options.registration.name())),
        (("grid", "walk"), Setting::Name(options.walk.name())),
        (("solver", "method"), Setting::Name(solver.method.name())),
        (("solver", "shifting"), Setting::Number(solver.shifting)),
        (("solver", "walls"), Setting::Name(solver.walls.name())),
        (("solver.wcsph", "equation_of_state"), Setting::Name(solver.wcsph.equation_of_state.name())),
        (("solver.wcsph", "diffusion"), Setting::Name(solver.wcsph.diffusion.name())),
        (("solver.wcsph", "integration"), Setting::Name(solver.wcsph.integration.name())),
        (("solver.wcsph", "negative_pressure"), Setting::Name(solver.wcsph.negative_pressure.name())),
        (("solver.wcsph", "background_pressure"), Setting::Number(solver.wcsph.background_pressure)),
        (("solver.pcisph", "tolerance"), Setting::Number(solver.pcisph.tolerance)),
        (("solver.pcisph", "min_iterations"), Setting::Integer(solver.pcisph.minimum)),
        (("solver.pcisph", "max_iterations"), Setting::Integer(solver.pcisph.maximum)),
        (("solver.iisph", "tolerance"), Setting::Number(solver.iisph.tolerance)),
        (("solver.iisph", "min_iterations"), Setting::Integer(solver.iisph.minimum)),
        (("solver.iisph", "max_iterations"), Setting::Integer(solver.iisph.maximum)),
        (("solver.dfsph", "tolerance"), Setting::Number(solver.dfsph.tolerance)),
        (("solver.dfsph", "min_iterations"), Setting::Integer(solver.dfsph.minimum)),
        (("solver.dfsph", "max_iterations"), Setting::Integer(solver.dfsph.maximum)),
        (("solver.dfsph", "divergence_tolerance"), Setting::Number(solver.dfsph_divergence.tolerance)),
        (("solver.dfsph", "min_divergence_iterations"), Setting::Integer(solver.dfsph_divergence.minimum)),
        (("solver.dfsph", "max_divergence_iterations"), Setting::Integer(solver.dfsph_divergence.maximum)),
        (("solver.pbf", "tolerance"), Setting::Number(solver.pbf.tolerance)),
        (("solver.pbf", "min_iterations"), Setting::Integer(solver.pbf.minimum)),
        (("solver.pbf", "max_iterations"), Setting::Integer(solver.pbf.maximum)),
    ]
}

/// Whether `structure` has a choice that this key makes. A choice that it does not have stays in the file for the structures that do.
pub(super) fn is_used((table, key): Key, structure: Structure) -> bool {
    match (table, key) {
        ("grid", "storage") => structure.has_storage(),
        ("grid", "update") => matches!(structure, Structure::CellHash(_) | Structure::BucketHash(..)),
        ("grid", "registration") => matches!(structure, Structure::BucketHash(..)),
        ("grid", "walk") => matches!(structure, Structure::BlockMap(..)),
        _ => true,
    }
}
