//! Conversion of the file's tables to a [`Setup`]: defaults that depend on other values, units, dimensions, parameters, curves.

use std::path::Path;

use super::View;
use super::display::{ClipPlane, ColorField};
use super::error::Fault;
use super::tables::{
    NamedProbe, SceneFile, Tank, Vectors, ball_settings, balls, block, body, check_names, cloths, container, domain, drain,
    emitter, fluids, forces, joint, particle_set,
};
use crate::SourceFiles;
use glam::Vec3;
use sph_core::parameters::{Curve, CurveError, Kind, Parameter, Value};
use sph_core::point_sets::PointSetup;
use sph_core::{Body, Container, Dimensions, Discretization, FluidBlock, Openings, Parameters, Setup};
use sph_pbd::{MAX_SUBSTEPS, PbdSetup};
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
    vectors.spacing = discretization.particle_spacing.into();
    let mut parameters = Parameters::usual(&discretization);
    if let Some(preset) = file.preset {
        preset.0.apply(&mut parameters);
    }
    read_parameters(values, Parameters::table(), &mut parameters, &mut vectors);
    let curves = curves(values, &mut vectors);
    curves.iter().for_each(|curve| curve.apply(0.0, &mut parameters));
    reconcile_iterations(values, &mut parameters);
    let fluids = fluids(&file.fluids, value_at(values, "fluid.rest_density").is_some(), &mut vectors);
    let blocks: Vec<FluidBlock> =
        file.fluid.blocks.iter().enumerate().map(|(index, table)| block(table, index, &fluids, folder, &mut vectors)).collect();
    let particle_files = file.fluid.particles.iter().enumerate();
    let particle_sets =
        particle_files.map(|(index, table)| particle_set(table, index, &fluids, folder, &mut vectors)).collect();
    let containers: Vec<Container> =
        file.containers.iter().enumerate().map(|(index, table)| container(table, index, folder, &mut vectors)).collect();
    check_names(&file.bodies, &mut vectors);
    let bodies: Vec<Body> =
        file.bodies.iter().enumerate().map(|(index, table)| body(table, index, folder, &mut vectors)).collect();
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
    let points =
        points(file, parameters.gravity, &Tank { containers: &containers, bodies: &bodies, sheets: &[] }, folder, &mut vectors);
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
        particle_sets,
        containers,
        bodies,
        joints,
        external_forces,
        domain,
        openings,
        wall_sampling,
        points,
    }
    .with_fluids(fluids);
    if value_at(values, "fluid.sound_speed").is_none() {
        setup.parameters.fluid.sound_speed = setup.usual_sound_speed();
    }
    if value_at(values, "grid.table_size").is_none() {
        setup.parameters.grid.table_size = setup.usual_table_size();
    }
    if value_at(values, "grid.bucket_capacity").is_none() {
        setup.parameters.grid.bucket_capacity = setup.parameters.grid.usual_bucket_capacity(&setup.discretization);
    }
    if value_at(values, "foam.speed").is_none() {
        setup.parameters.foam.speed = setup.usual_foam_speed();
    }
    Ok((setup, vectors.remarks))
}

/// The cloths and balls of the file as point sets; `None` without any, or if one has a fault, which is added to those of `vectors`.
fn points(
    file: &SceneFile,
    gravity: Vec3,
    tank: &Tank<'_>,
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> Option<PointSetup> {
    let cloths = cloths(&file.cloths, &file.cloth, gravity, folder, vectors);
    let sheets = cloths.as_ref().map_or(&[] as &[_], PbdSetup::sheets);
    let names: Vec<String> = sheets.iter().map(|sheet| sheet.setup().name.clone()).collect();
    let balls = balls(&file.balls, &names, &Tank { sheets, ..*tank }, vectors)?;
    let is_empty = file.cloths.is_empty() && file.balls.is_empty();
    let setup = cloths.filter(|_| !is_empty)?.with_balls(balls, ball_settings(&file.ball));
    let [of_cloths, of_balls] = setup.usual_grids();
    let of_cloths = (!file.cloths.is_empty()).then(|| file.cloth.grid.read(&of_cloths, "cloth.grid", vectors));
    let of_balls = (!file.balls.is_empty()).then(|| file.ball.grid.read(&of_balls, "ball.grid", vectors));
    vectors.faults.is_empty().then(|| PointSetup::new(setup.with_grids([of_cloths, of_balls])))
}

/// Remarks on substeps of cloth and balls in a valid setup that are longer than the file says.
pub(crate) fn remarks_on_substeps(setup: &Setup) -> Vec<String> {
    let Some(points) = setup.points.as_ref().and_then(|points| points.source().as_any().downcast_ref::<PbdSetup>()) else {
        return Vec::new();
    };
    let dt = f64::from(setup.forecast().step.dt);
    let remark = |(table, length): (&str, f64)| {
        format!(
            "{table}.substep: a step of {dt:.2e} s is cut into {MAX_SUBSTEPS} substeps at most, of {length:.2e} s; shorten the steps (time_step.max_dt) for \
             shorter ones"
        )
    };
    points.longer_substeps(dt).into_iter().map(remark).collect()
}

fn discretization(values: &Table, vectors: &mut Vectors) -> Discretization {
    let mut discretization = Discretization::new(vectors.dimensions, 1.0);
    read_parameters(values, Discretization::table(), &mut discretization, vectors);
    // In double precision, as the file has them: the product of two rounded factors would be another radius.
    let usual = discretization.kernel.usual_support_radius(vectors.dimensions);
    let ratio = number_at(values, "particles.support_radius").unwrap_or(usual);
    let spacing = number_at(values, "particles.spacing").unwrap_or(1.0);
    Discretization { support_radius: (spacing * ratio) as f32, ..discretization }
}

/// The probes of the file, which may be of one of the fluids or point sets of its `setup`; files that they name are relative to `folder` and added to `files`.
pub(crate) fn probes(
    file: &SceneFile,
    setup: &Setup,
    folder: Option<&Path>,
    files: &mut SourceFiles,
) -> Result<Vec<NamedProbe>, Vec<Fault>> {
    let mut vectors = Vectors { files: std::mem::take(files), ..Vectors::new(dimensions(file)) };
    let solids = (file.bodies.as_slice(), file.containers.len());
    let moving = (setup.fluids.as_slice(), setup.points.as_ref());
    let probes = super::tables::probes(&file.probes, solids, moving, folder, &mut vectors);
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
        let message = "the colour range is empty: its first number must be below its second";
        return Err(vec![Fault::at_path("view.range", message, "expected `[low, high]`")]);
    }
    let clip = file.view.clip.as_ref().map(|table| ClipPlane {
        axis: table.axis.0 as usize,
        position: table.position as f32,
        flipped: table.flipped,
    });
    if dimensions(file) == Dimensions::Two && clip.is_some_and(|clip| clip.axis == 2) {
        let message = "a scene in two dimensions can only be clipped across x or y";
        return Err(vec![Fault::at_path("view.clip.axis", message, "expected `x` or `y`")]);
    }
    let usual = if file.fluids.len() > 1 { ColorField::Fluid } else { ColorField::default() };
    let color = file.view.color.map_or(usual, |color| color.0);
    let (color_map, look) = (file.view.color_map.map(|map| map.0), file.view.look.map(|look| look.0));
    let (walls, bodies) = (file.view.walls.map(|style| style.0), file.view.bodies.map(|style| style.0));
    let point_colors = file.view.point_colors.map(|colors| colors.0);
    Ok(View { eye, target, color, color_map, range, look, clip, arrows: file.view.arrows, walls, bodies, point_colors })
}

fn dimensions(file: &SceneFile) -> Dimensions {
    if file.dimensions == 2 { Dimensions::Two } else { Dimensions::Three }
}

// Values of parameters in scene files, by the keys of `sph_core::parameters`.

/// The value of a dotted key, if the file has it.
pub(crate) fn value_at<'v>(file: &'v Table, key: &str) -> Option<&'v toml::Value> {
    let (tables, name) = key.rsplit_once('.').unwrap_or(("", key));
    let step = |table: &'v Table, name: &str| table.get(name)?.as_table();
    tables.split('.').filter(|name| !name.is_empty()).try_fold(file, step)?.get(name)
}

/// The number of a dotted key, if the file has it.
pub(crate) fn number_at(file: &Table, key: &str) -> Option<f64> {
    value_at(file, key).and_then(number)
}

pub(super) fn number(value: &toml::Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|integer| integer as f64))
}

/// True if the value of a parameter of this kind is a curve: rows of a time and a value.
pub(super) fn is_curve(value: &toml::Value, kind: &Kind) -> bool {
    value.as_array().is_some_and(|items| match kind {
        Kind::Vector => items.first().is_some_and(toml::Value::is_array),
        Kind::Number { .. } | Kind::Count => true,
        Kind::Choice(_) => false,
    })
}

/// Sets those parameters of `values` that the file has. The file has been checked against the schema: kinds and ranges are right.
pub(crate) fn read_parameters<T: 'static>(file: &Table, table: &[Parameter<T>], values: &mut T, vectors: &mut Vectors) {
    for parameter in table {
        // Curves are read by themselves.
        let found =
            value_at(file, parameter.key).filter(|value| !is_curve(value, &parameter.kind)).and_then(|value| match &parameter
                .kind
            {
                Kind::Number { .. } => number(value).map(|number| Value::Number(number as f32)),
                Kind::Count => value.as_integer().and_then(|integer| u32::try_from(integer).ok()).map(Value::Count),
                Kind::Choice(options) => {
                    let name = value.as_str()?;
                    options.iter().find(|option| option.name == name).map(|option| Value::Choice(option.name))
                }
                Kind::Vector => {
                    let numbers: Vec<f64> = value.as_array()?.iter().filter_map(number).collect();
                    Some(Value::Vector(vectors.read(&numbers, parameter.key)))
                }
            });
        if let Some(found) = found {
            parameter.set(values, found);
        }
    }
}

/// Adapts the default of one bound of a solver's iterations where the file gives only the other, and beyond it.
pub(crate) fn reconcile_iterations(file: &Table, parameters: &mut Parameters) {
    for (least, most) in Parameters::iteration_bounds() {
        let (Value::Count(low), Value::Count(high)) = (least.get(parameters), most.get(parameters)) else { continue };
        let is_given = |parameter: &Parameter<Parameters>| value_at(file, parameter.key).is_some();
        if low > high && !is_given(most) {
            most.set(parameters, Value::Count(low));
        } else if low > high && !is_given(least) {
            least.set(parameters, Value::Count(high));
        }
    }
}

// Curves of scene files: parameters whose value is a list of rows, each a time and the value then.

/// The curves of the file, which has been checked against the schema. Adds their faults to those of `vectors`.
pub(super) fn curves(file: &Table, vectors: &mut Vectors) -> Vec<Curve> {
    let parameters = Parameters::table().iter();
    parameters.filter_map(|parameter| curve(parameter, value_at(file, parameter.key)?, vectors)).collect()
}

fn curve(parameter: &'static Parameter<Parameters>, value: &toml::Value, vectors: &mut Vectors) -> Option<Curve> {
    let rows = value.as_array().filter(|_| is_curve(value, &parameter.kind))?;
    let mut points = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let numbers: Vec<f64> = row.as_array().into_iter().flatten().filter_map(number).collect();
        let (&time, rest) = numbers.split_first()?;
        let place = format!("{}.{index}", parameter.key);
        let value = match (&parameter.kind, rest) {
            (Kind::Vector, components) => Value::Vector(vectors.read(components, place)),
            (Kind::Count, &[count]) if count.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&count) => {
                Value::Count(count as u32)
            }
            (Kind::Count, rest) => {
                let found = rest.first().copied().unwrap_or_default();
                let message = format!("`{place}.1` must be a whole number, but is {found}");
                vectors.faults.push(Fault::at_path(format!("{place}.1"), message, format!("expected {}", parameter.range())));
                return None;
            }
            (_, rest) => Value::Number(*rest.first()? as f32),
        };
        points.push((time, value));
    }
    match Curve::through(parameter, points) {
        Ok(curve) => Some(curve),
        Err(error) => {
            vectors.faults.push(fault(parameter, &error));
            None
        }
    }
}

fn fault(parameter: &Parameter<Parameters>, error: &CurveError) -> Fault {
    let key = parameter.key;
    match error {
        CurveError::Count(_) => Fault::at_path(key, error.to_string(), "expected rows of a time and a value"),
        CurveError::Time(row) => Fault::at_path(format!("{key}.{row}.0"), error.to_string(), "expected a time (s)"),
        CurveError::NotLater(row) => {
            let message = format!("the time of row {row} of `{key}` is not later than the one before");
            Fault::at_path(format!("{key}.{row}.0"), message, "expected a later time")
        }
        CurveError::Kind(row) => Fault::at_path(format!("{key}.{row}"), error.to_string(), "expected a time and a value"),
        CurveError::Range { point, error } => {
            Fault::at_path(format!("{key}.{point}.1"), error.to_string(), format!("expected {}", error.expected))
        }
    }
}
