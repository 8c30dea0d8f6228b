//! `[[fluid.particles]]`: fluid of particles from files, at their positions and with their velocities.

use std::path::Path;

use super::fluid::fluid_called;
use super::keep_order;
use super::keys::Vectors;
use super::shapes::{OrientationTable, in_folder, rotation};
use crate::particle_file::{self, Points};
use crate::scene::error::Fault;
use glam::{DMat3, DVec3, Vec3};
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Dimensions, Fluid, MAX_SPEED, ParticleSet};

/// Particles of fluid from a file, at its positions and with its velocities. They start without pressure; `particles.spacing` gives their
/// mass.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ParticleFileTable {
    /// File of particles, relative to the scene's folder: BGEO (version 5, also compressed) or PLY, such as the exports of `sph run`.
    #[schemars(extend("x-range" = format!("a file name; at most {} MiB", crate::mesh::MAX_FILE_BYTES >> 20)))]
    pub file: String,
    /// Name of their fluid among the `[[fluids]]`.
    #[schemars(extend("x-default" = "the first"))]
    pub fluid: Option<String>,
    /// Velocity, added to those of the file.
    #[schemars(length(min = 2, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "0"))]
    pub velocity: Option<Vec<f64>>,
    /// Scale factors of the positions, applied before rotation.
    #[schemars(length(min = 2, max = 3), inner(range(min = 1e-6, max = 1e6)), extend("x-default" = "1"))]
    pub scale: Option<Vec<f64>>,
    /// Orientation: the rotation of positions and velocities about the origin of the file; default: none.
    pub orientation: Option<OrientationTable>,
    /// Displacement, applied after rotation.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m", "x-default" = "0"))]
    pub translation: Option<Vec<f64>>,
}

/// The particles of the table at `fluid.particles.index`. Adds its faults to those of `vectors`.
pub(crate) fn particle_set(
    table: &ParticleFileTable,
    index: usize,
    fluids: &[Fluid],
    folder: Option<&Path>,
    vectors: &mut Vectors,
) -> ParticleSet {
    let path = |key: &str| format!("fluid.particles.{index}.{key}");
    let mut vector = |numbers: &Option<Vec<f64>>, key: &str, default: Vec3| {
        numbers.as_ref().map_or(default, |numbers| vectors.read(numbers, path(key)))
    };
    let scale = vector(&table.scale, "scale", Vec3::ONE).as_dvec3();
    let velocity = vector(&table.velocity, "velocity", Vec3::ZERO).as_dvec3();
    let translation = vector(&table.translation, "translation", Vec3::ZERO).as_dvec3();
    let orientation = table.orientation.as_ref().map(|table| rotation(table, &path("orientation"), vectors));
    let orientation = orientation.unwrap_or(DMat3::IDENTITY);
    let fluid = table.fluid.as_ref().map_or(0, |name| fluid_called(name, fluids, path("fluid"), vectors));
    let read = particle_file::read(&in_folder(folder, &table.file), &mut vectors.files);
    let Points { mut positions, mut velocities } = read.unwrap_or_else(|message| {
        vectors.faults.push(Fault::at_path(path("file"), message, "expected a file of particles"));
        Points::default()
    });
    let flat = |at: Vec3| if vectors.dimensions == Dimensions::Two { at.with_z(0.0) } else { at };
    let place = |at: Vec3| orientation * (scale * flat(at).as_dvec3()) + translation;
    positions.iter_mut().for_each(|at| *at = place(*at).as_vec3());
    velocities.resize(positions.len(), Vec3::ZERO);
    let turned = |of_file: Vec3| orientation * DVec3::from(flat(of_file)) + velocity;
    velocities.iter_mut().for_each(|of_file| *of_file = turned(*of_file).as_vec3());
    ParticleSet::new(fluid, positions, velocities)
}
