//! Conversion of the file's tables to a [`Setup`]: defaults that depend on other values, units, dimensions.

use super::curves::curves;
use super::display::{ClipPlane, ColorField};
use super::error::Fault;
use super::loaded::View;
use super::parameters::{number_at, read, reconcile_iterations, value_at};
use super::tables::{
    NamedProbe, SceneFile, Vectors, block, body, check_names, container, domain, drain, emitter, fluids, forces, joint,
};
use crate::SourceFiles;
use glam::Vec3;
use sph_core::{Dimensions, Discretization, Fluid, FluidBlock, Openings, Parameters, Setup};
use std::path::Path;
use toml::Table;

/// The setup of the file, not yet validated, with remarks on it, or the faults of its tables.
///
/// `values` are those of the whole file, for the parameters; files that it names are relative to `folder` and added to `files`.
pub(crate) fn setup(
    file: &SceneFile,
    values: &Table,
    folder: Option<&Path>,
    files: &mut SourceFiles,
) -> Result<(Setup, Vec<String>), Vec<Fault>> {
    let mut vectors = Vectors { files: std::mem::take(files), ..Vectors::new(dimensions(file)) };
    let discretization = discretization(values, &mut vectors);
    let mut parameters = Parameters::usual(&discretization);
    read(values, Parameters::table(), &mut parameters, &mut vectors);
    let curves = curves(values, &mut vectors);
    curves.iter().for_each(|curve| curve.apply(0.0, &mut parameters));
    reconcile_iterations(values, &mut parameters);
    let fluids = fluids(&file.fluids, value_at(values, "fluid.rest_density").is_some(), &mut vectors);
    let blocks: Vec<FluidBlock> =
        file.fluid.blocks.iter().enumerate().map(|(index, table)| block(table, index, &fluids, folder, &mut vectors)).collect();
    let containers =
        file.containers.iter().enumerate().map(|(index, table)| container(table, index, folder, &mut vectors)).collect();
    check_names(&file.bodies, &mut vectors);
    let bodies = file.bodies.iter().enumerate().map(|(index, table)| body(table, index, folder, &mut vectors)).collect();
    let joints = file.joints.iter().enumerate();
    let joints = joints.filter_map(|(index, table)| joint(table, index, &file.bodies, &mut vectors)).collect();
    let external_forces = forces(&file.forces, &mut vectors);
    let openings = Openings {
        emitters: file
            .emitters
            .iter()
            .enumerate()
            .filter_map(|(index, table)| emitter(table, index, &fluids, &mut vectors))
            .collect(),
        drains: file.drains.iter().enumerate().map(|(index, table)| drain(table, index, folder, &mut vectors)).collect(),
        particle_limit: file.particles.limit,
    };
    let domain = domain(&file.domain, &mut vectors);
    *files = std::mem::take(&mut vectors.files);
    if !vectors.faults.is_empty() {
        return Err(vectors.faults);
    }
    let wall_sampling = file.particles.walls.0;
    let mut setup = Setup {
        discretization,
        parameters,
        curves,
        fluids: Vec::new(),
        blocks,
        containers,
        bodies,
        joints,
        external_forces,
        domain,
        openings,
        wall_sampling,
    }
    .with_fluids(fluids);
    if value_at(values, "fluid.sound_speed").is_none() {
        setup.parameters.fluid.sound_speed = setup.usual_sound_speed();
    }
    if value_at(values, "grid.table_size").is_none() {
        setup.parameters.grid.table_size = setup.usual_table_size();
    }
    if value_at(values, "foam.speed").is_none() {
        setup.parameters.foam.speed = setup.usual_foam_speed();
    }
    Ok((setup, vectors.remarks))
}

fn discretization(values: &Table, vectors: &mut Vectors) -> Discretization {
    let mut discretization = Discretization::new(vectors.dimensions, 1.0);
    read(values, Discretization::table(), &mut discretization, vectors);
    // In double precision, as the file has them: the product of two rounded factors would be another radius.
    let usual = discretization.kernel.usual_support_radius(vectors.dimensions);
    let ratio = number_at(values, "particles.support_radius").unwrap_or(usual);
    let spacing = number_at(values, "particles.spacing").unwrap_or(1.0);
    Discretization { support_radius: (spacing * ratio) as f32, ..discretization }
}

/// The probes of the file, which may be of one of the `fluids`; files that they name are relative to `folder` and added to `files`.
pub(crate) fn probes(
    file: &SceneFile,
    fluids: &[Fluid],
    folder: Option<&Path>,
    files: &mut SourceFiles,
) -> Result<Vec<NamedProbe>, Vec<Fault>> {
    let mut vectors = Vectors { files: std::mem::take(files), ..Vectors::new(dimensions(file)) };
    let probes = super::tables::probes(&file.probes, (&file.bodies, file.containers.len()), fluids, folder, &mut vectors);
    *files = std::mem::take(&mut vectors.files);
    if vectors.faults.is_empty() { Ok(probes) } else { Err(vectors.faults) }
}

/// The initial view of the file.
pub(crate) fn view(file: &SceneFile) -> Result<View, Vec<Fault>> {
    let point = |numbers: &[f64; 3]| Vec3::from_array(numbers.map(|number| number as f32));
    let (eye, target) = (file.view.eye.as_ref().map(point), file.view.target.as_ref().map(point));
    if eye.is_some() && eye == target {
        let label = "expected another point than `view.target`";
        return Err(vec![Fault::at_path("view.eye", "the camera is at the point that it looks at", label)]);
    }
    let range = file.view.range.map(|range| range.map(|end| end as f32));
    if range.is_some_and(|[low, high]| low >= high) {
        let message = "the range of the colours has no extent: its first number must be below its second";
        return Err(vec![Fault::at_path("view.range", message, "expected `[low, high]`")]);
    }
    let clip = file.view.clip.as_ref().map(|table| ClipPlane {
        axis: table.axis.0 as usize,
        position: table.position as f32,
        flipped: table.flipped,
    });
    if dimensions(file) == Dimensions::Two && clip.is_some_and(|clip| clip.axis == 2) {
        let message = "a scene in two dimensions can be clipped across x and y only";
        return Err(vec![Fault::at_path("view.clip.axis", message, "expected `x` or `y`")]);
    }
    let usual = if file.fluids.len() > 1 { ColorField::Fluid } else { ColorField::default() };
    let color = file.view.color.map_or(usual, |color| color.0);
    let (color_map, look) = (file.view.color_map.map(|map| map.0), file.view.look.map(|look| look.0));
    let (walls, bodies) = (file.view.walls.map(|style| style.0), file.view.bodies.map(|style| style.0));
    Ok(View { eye, target, color, color_map, range, look, clip, arrows: file.view.arrows, walls, bodies })
}

fn dimensions(file: &SceneFile) -> Dimensions {
    if file.dimensions == 2 { Dimensions::Two } else { Dimensions::Three }
}
