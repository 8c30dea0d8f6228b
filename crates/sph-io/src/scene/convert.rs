//! From the file's types to a [`Setup`]: defaults that depend on other values, units, dimensions.

use super::bodies::body;
use super::containers::container;
use super::document::Fault;
use super::domain::domain;
use super::forces::{force_parameters, forces};
use super::format::{BlockTable, GridTable, SceneFile};
use super::names::{
    ColorName, FaceName, HashName, InitialPressureName, KernelName, RegistrationName, ShapeName, StorageName, StructureName,
    UpdateName, ViscosityModelName, WalkName, WallSamplingName,
};
use super::solver::solver;
use super::velocity_field::velocity_field;
use super::{ColorField, NamedProbe, View};
use glam::Vec3;
use sph_core::neighbors::{
    GridParameters, HashFunction, MAX_TABLE_SIZE, Registration, Storage, Structure, StructureOptions, Update, Walk,
};
use sph_core::{
    BlockShape, Dimensions, Discretization, Face, FluidBlock, FluidParameters, InitialPressure, KernelKind, Parameters, Setup,
    TimeStepParameters, ViscosityModel, WallSampling,
};
use std::path::Path;

/// The simulation that the file describes, not yet checked for sense; or the vectors that have too few numbers.
///
/// `folder` is where files that it names are looked for.
pub(crate) fn setup(file: &SceneFile, folder: Option<&Path>) -> Result<Setup, Vec<Fault>> {
    let mut vectors = Vectors { dimensions: dimensions(file), faults: Vec::new() };
    let gravity = vectors.read(&file.gravity, "gravity");
    let blocks: Vec<FluidBlock> =
        file.fluid.blocks.iter().enumerate().map(|(index, table)| block(table, index, &mut vectors)).collect();
    let containers = file.containers.iter().enumerate().map(|(index, table)| container(table, index, &mut vectors)).collect();
    let bodies = file.bodies.iter().enumerate().map(|(index, table)| body(table, index, folder, &mut vectors)).collect();
    let external_forces = forces(&file.forces, &mut vectors);
    let domain = domain(&file.domain, &mut vectors);
    if !vectors.faults.is_empty() {
        return Err(vectors.faults);
    }
    let discretization = discretization(file);
    let fluid = FluidParameters {
        sound_speed: file.fluid.sound_speed.map_or_else(|| default_sound_speed(gravity, &blocks), |speed| speed as f32),
        kinematic_viscosity: file.fluid.kinematic_viscosity as f32,
        viscosity_model: match file.fluid.viscosity_model {
            ViscosityModelName::Morris => ViscosityModel::Morris,
            ViscosityModelName::Central => ViscosityModel::Central,
            ViscosityModelName::Implicit => ViscosityModel::Implicit,
        },
        artificial_viscosity: file.fluid.artificial_viscosity as f32,
        density_diffusion: file.fluid.density_diffusion as f32,
    };
    let time_step = TimeStepParameters {
        cfl_factor: file.time_step.cfl_factor as f32,
        max_dt: file.time_step.max_dt as f32,
        min_dt: file.time_step.min_dt as f32,
        fixed_dt: file.time_step.fixed_dt.map(|dt| dt as f32),
    };
    let grid = GridParameters {
        structure: structure(&file.grid),
        table_size: file.grid.table_size.unwrap_or(1),
        cell_size: file.grid.cell_size.map_or(discretization.support_radius, |size| size as f32),
        hash: hash(file.grid.hash),
        bucket_capacity: file.grid.bucket_capacity.unwrap_or(16),
    };
    let parameters =
        Parameters { fluid, forces: force_parameters(&file.fluid), gravity, time_step, grid, solver: solver(&file.solver) };
    let mut setup = Setup {
        discretization,
        parameters,
        blocks,
        containers,
        bodies,
        external_forces,
        domain,
        wall_sampling: wall_sampling(file.particles.walls),
    };
    if file.grid.table_size.is_none() {
        setup.parameters.grid.table_size = default_table_size(&setup);
    }
    Ok(setup)
}

/// The instruments that the file asks for.
pub(crate) fn probes(file: &SceneFile) -> Result<Vec<NamedProbe>, Vec<Fault>> {
    let mut vectors = Vectors { dimensions: dimensions(file), faults: Vec::new() };
    let probes = super::probes::probes(&file.probes, &file.bodies, &mut vectors);
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

/// Reads vectors of 2 or 3 numbers, and remembers those that are too short.
pub(crate) struct Vectors {
    pub dimensions: Dimensions,
    /// What is wrong with those read so far.
    pub faults: Vec<Fault>,
}

impl Vectors {
    /// The vector at `path`; zeros stand for numbers that are missing.
    pub fn read(&mut self, numbers: &[f64], path: impl Into<String>) -> Vec3 {
        let [x, y, z] = [0, 1, 2].map(|axis| numbers.get(axis).map_or(0.0, |&number| number as f32));
        match self.dimensions {
            Dimensions::Two => Vec3::new(x, y, 0.0),
            Dimensions::Three => {
                if numbers.len() < 3 {
                    let path = path.into();
                    let message = format!("`{path}` has {} numbers in a scene of 3 dimensions", numbers.len());
                    self.faults.push(Fault::at_path(path, message, "expected 3 numbers"));
                }
                Vec3::new(x, y, z)
            }
        }
    }
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

fn discretization(file: &SceneFile) -> Discretization {
    // In the plane fewer neighbours are in reach: with 2.6 spacings pressure gradients come out 3.6 % too small, with 3 0.8 %.
    let wendland_c2 = if file.dimensions == 2 { 3.0 } else { 2.6 };
    let (kernel, default_support) = match file.particles.kernel {
        KernelName::CubicSpline => (KernelKind::CubicSpline, 2.0),
        KernelName::WendlandC2 => (KernelKind::WendlandC2, wendland_c2),
        KernelName::WendlandC4 => (KernelKind::WendlandC4, 3.0),
        KernelName::Poly6 => (KernelKind::Poly6, 2.6),
        KernelName::Spiky => (KernelKind::Spiky, 2.6),
    };
    let spacing = file.particles.spacing;
    Discretization {
        dimensions: dimensions(file),
        particle_spacing: spacing as f32,
        kernel,
        support_radius: (spacing * file.particles.support_radius.unwrap_or(default_support)) as f32,
        rest_density: file.fluid.rest_density as f32,
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

fn structure(grid: &GridTable) -> Structure {
    let options = StructureOptions {
        storage: match grid.storage {
            StorageName::Fixed => Storage::Fixed,
            StorageName::Linked => Storage::Linked,
        },
        update: match grid.update {
            UpdateName::Rebuilt => Update::Rebuilt,
            UpdateName::Incremental => Update::Incremental,
        },
        registration: match grid.registration {
            RegistrationName::Once => Registration::Once,
            RegistrationName::Everywhere => Registration::Everywhere,
        },
        walk: match grid.walk {
            WalkName::Blocks => Walk::Blocks,
            WalkName::Points => Walk::Points,
        },
    };
    let usual = match grid.structure {
        StructureName::BruteForce => Structure::USUAL[0],
        StructureName::UniformGrid => Structure::USUAL[1],
        StructureName::SpatialHash => Structure::USUAL[2],
        StructureName::CellHash => Structure::USUAL[3],
        StructureName::BucketHash => Structure::USUAL[4],
        StructureName::BlockMap => Structure::USUAL[5],
        StructureName::SortedCells => Structure::USUAL[6],
    };
    usual.with_options(options)
}

fn hash(name: HashName) -> HashFunction {
    match name {
        HashName::Muller => HashFunction::Muller,
        HashName::Teschner => HashFunction::Teschner,
        HashName::Morton => HashFunction::Morton,
        HashName::Mix => HashFunction::Mix,
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
