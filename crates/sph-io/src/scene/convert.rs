//! From the file's types to a [`Setup`]: defaults that depend on other values, units, dimensions.

use super::color_field::ColorField;
use super::error::Fault;
use super::loaded::View;
use super::parameters::{number_at, read, reconcile_iterations, value_at};
use super::tables::{
    BlockTable, ColorName, FaceName, InitialPressureName, NamedProbe, SceneFile, ShapeName, Vectors, WallSamplingName, body,
    container, domain, forces, velocity_field,
};
use glam::Vec3;
use sph_core::neighbors::MAX_TABLE_SIZE;
use sph_core::{BlockShape, Dimensions, Discretization, Face, FluidBlock, InitialPressure, Parameters, Setup, WallSampling};
use std::path::Path;
use toml::Table;

/// The simulation that the file describes, not yet checked for sense; or the vectors that have too few numbers.
///
/// `values` are those of the whole file, for the parameters; `folder` is where files that it names are looked for.
pub(crate) fn setup(file: &SceneFile, values: &Table, folder: Option<&Path>) -> Result<Setup, Vec<Fault>> {
    let mut vectors = Vectors::new(dimensions(file));
    let discretization = discretization(values, &mut vectors);
    let mut parameters = Parameters::usual(&discretization);
    read(values, Parameters::table(), &mut parameters, &mut vectors);
    reconcile_iterations(values, &mut parameters);
    let blocks: Vec<FluidBlock> =
        file.fluid.blocks.iter().enumerate().map(|(index, table)| block(table, index, &mut vectors)).collect();
    let containers = file.containers.iter().enumerate().map(|(index, table)| container(table, index, &mut vectors)).collect();
    let bodies = file.bodies.iter().enumerate().map(|(index, table)| body(table, index, folder, &mut vectors)).collect();
    let external_forces = forces(&file.forces, &mut vectors);
    let domain = domain(&file.domain, &mut vectors);
    if !vectors.faults.is_empty() {
        return Err(vectors.faults);
    }
    if value_at(values, "fluid.sound_speed").is_none() {
        parameters.fluid.sound_speed = default_sound_speed(parameters.gravity, &blocks);
    }
    let wall_sampling = wall_sampling(file.particles.walls);
    let mut setup = Setup { discretization, parameters, blocks, containers, bodies, external_forces, domain, wall_sampling };
    if value_at(values, "grid.table_size").is_none() {
        setup.parameters.grid.table_size = default_table_size(&setup);
    }
    Ok(setup)
}

fn discretization(values: &Table, vectors: &mut Vectors) -> Discretization {
    let mut discretization = Discretization::new(vectors.dimensions, 1.0);
    read(values, Discretization::table(), &mut discretization, vectors);
    // In the file's own precision: the product of two roundings would be another radius.
    let usual = discretization.kernel.usual_support_radius(vectors.dimensions);
    let ratio = number_at(values, "particles.support_radius").unwrap_or(usual);
    let spacing = number_at(values, "particles.spacing").unwrap_or(1.0);
    Discretization { support_radius: (spacing * ratio) as f32, ..discretization }
}

/// The instruments that the file asks for.
pub(crate) fn probes(file: &SceneFile) -> Result<Vec<NamedProbe>, Vec<Fault>> {
    let mut vectors = Vectors::new(dimensions(file));
    let probes = super::tables::probes(&file.probes, &file.bodies, &mut vectors);
    if vectors.faults.is_empty() { Ok(probes) } else { Err(vectors.faults) }
}

/// The first look that the file asks for.
pub(crate) fn view(file: &SceneFile) -> Result<View, Vec<Fault>> {
    let point = |numbers: &[f64; 3]| Vec3::from_array(numbers.map(|number| number as f32));
    let (eye, target) = (file.view.eye.as_ref().map(point), file.view.target.as_ref().map(point));
    if eye.is_some() && eye == target {
        let label = "expected another point than `view.target`";
        return Err(vec![Fault::at_path("view.eye", "the camera cannot look at the point where it is", label)]);
    }
    let color = match file.view.color {
        ColorName::Speed => ColorField::Speed,
        ColorName::Density => ColorField::Density,
        ColorName::Pressure => ColorField::Pressure,
    };
    Ok(View { eye, target, color })
}

fn dimensions(file: &SceneFile) -> Dimensions {
    if file.dimensions == 2 { Dimensions::Two } else { Dimensions::Three }
}

fn wall_sampling(name: WallSamplingName) -> WallSampling {
    match name {
        WallSamplingName::Layers => WallSampling::Layers,
        WallSamplingName::SingleLayer => WallSampling::SingleLayer,
        WallSamplingName::Analytic => WallSampling::Analytic,
    }
}

fn block(table: &BlockTable, index: usize, vectors: &mut Vectors) -> FluidBlock {
    let path = |key| format!("fluid.blocks.{index}.{key}");
    FluidBlock {
        min: vectors.read(&table.min, path("min")),
        max: vectors.read(&table.max, path("max")),
        velocity: table.velocity.as_ref().map_or(Vec3::ZERO, |velocity| vectors.read(velocity, path("velocity"))),
        shape: shape(table.shape),
        around_bodies: table.around_bodies,
        field: velocity_field(&table.velocity_field, &path("velocity_field"), vectors),
        initial_pressure: match table.initial_pressure {
            InitialPressureName::Hydrostatic => InitialPressure::Hydrostatic,
            InitialPressureName::Zero => InitialPressure::Zero,
            InitialPressureName::Released => InitialPressure::Released,
        },
    }
}

pub(crate) fn shape(name: ShapeName) -> BlockShape {
    match name {
        ShapeName::Box => BlockShape::Box,
        ShapeName::Ellipsoid => BlockShape::Ellipsoid,
    }
}

pub(crate) fn face(name: FaceName) -> Face {
    match name {
        FaceName::XMin => Face::XMin,
        FaceName::XMax => Face::XMax,
        FaceName::YMin => Face::YMin,
        FaceName::YMax => Face::YMax,
        FaceName::ZMin => Face::ZMin,
        FaceName::ZMax => Face::ZMax,
    }
}

/// 10·√(2·|g|·H), m/s, at least 1, with H the extent of all the fluid along gravity.
///
/// √(2gH) is the speed of fluid that has fallen through H, and ten times the highest speed keeps the density within 1 %
/// (Monaghan1994).
fn default_sound_speed(gravity: Vec3, blocks: &[FluidBlock]) -> f32 {
    let Some(down) = gravity.try_normalize() else { return 1.0 };
    let corners = |block: &FluidBlock| {
        // The corners lowest and highest along gravity have each coordinate at one end or the other.
        let (a, b) = (block.min * down, block.max * down);
        (a.min(b).element_sum(), a.max(b).element_sum())
    };
    let (low, high) =
        blocks.iter().map(corners).fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
    let speed = 10.0 * (2.0 * gravity.length() * (high - low)).sqrt();
    // Blocks without sense are refused later, and not because of this speed.
    if speed.is_finite() { speed.max(1.0) } else { 1.0 }
}

/// Two buckets a fluid particle: most buckets then hold the particles of one cell or none.
fn default_table_size(setup: &Setup) -> u32 {
    if setup.discretization.validate().is_err() {
        return 1;
    }
    let size = setup.particle_counts().fluid.saturating_mul(2).clamp(1, MAX_TABLE_SIZE.into());
    u32::try_from(size).unwrap_or(MAX_TABLE_SIZE)
}
