//! Validation of the setup: errors of the simulation as faults of the file, and the memory that the particles need.

use super::error::Fault;
use crate::words::{bytes_in_words, grouped, round, rounded_up};
use sph_core::neighbors::GridParameters;
use sph_core::{
    DomainError, JointError, MAX_PARTICLES, MAX_SPEED, MotionObstacle, OpeningError, ParameterError, ParticleSetError, Rigid,
    Setup, SetupError,
};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// The first fault of a setup, if any. `memory`: bytes that are available, if known.
pub(crate) fn check(setup: &Setup, memory: Option<u64>) -> Option<Fault> {
    if let Err(error) = setup.validate() {
        return Some(fault(setup, &error, memory));
    }
    let count = setup.particle_counts().total();
    let memory = memory.filter(|&memory| setup.memory_estimate() > memory)?;
    Some(too_many(setup, count, format!("{} particles do not fit into memory", grouped(count)), Some(memory)))
}

fn fault(setup: &Setup, error: &SetupError, memory: Option<u64>) -> Fault {
    let message = error.to_string();
    match *error {
        SetupError::Parameter(ParameterError { name: "grid.cell_size", .. }) => {
            let [low, high] = GridParameters::CELL_SIZE_RANGE.map(|ratio| ratio * setup.discretization.support_radius);
            Fault::at_path("grid.cell_size", message, format!("expected {low} to {high} m"))
        }
        SetupError::Parameter(ParameterError { name, ref expected, .. }) => {
            Fault::at_path(name, message, format!("expected {expected}"))
        }
        SetupError::Curve { error: ParameterError { name, ref expected, .. }, .. } => {
            Fault::at_path(name, message, format!("expected {expected}"))
        }
        SetupError::TwoCurves { key } => Fault::at_path(key, message, "expected one"),
        SetupError::Domain(DomainError::Short { axis, extent, least }) => extent_fault("domain", axis, extent, least, message),
        SetupError::Domain(DomainError::Uneven { axis, extent, spacing }) => {
            let whole = (extent / spacing).floor().max(1.0);
            let label = format!("expected {} or {} m above `min`", round(whole * spacing), round((whole + 1.0) * spacing));
            Fault::at_path(format!("domain.max.{}", axis_index(axis)), message, label)
        }
        SetupError::BlockThroughFace { block, axis } => {
            let (min, max) = period(setup, axis);
            Fault::at_path(
                format!("fluid.blocks.{block}"),
                message,
                format!("expected a box from {min} to {max} m along {axis}"),
            )
        }
        SetupError::ContainerPeriod { container, axis } => {
            let (min, max) = period(setup, axis);
            let label = format!("expected a box from {min} to {max} m along {axis}");
            Fault::at_path(format!("containers.{container}"), message, label)
        }
        SetupError::Fluid { fluid } => Fault::at_path(format!("fluids.{fluid}"), message, "expected values in their ranges"),
        SetupError::TooManyFluids { limit, .. } => Fault::at_path("fluids", message, format!("expected at most {limit}")),
        SetupError::DensityRatio { limit, .. } => density_ratio(setup, limit, message),
        SetupError::ReferenceDensity { expected, .. } => {
            Fault::at_path("fluid.rest_density", message, format!("expected {expected} kg/m³"))
        }
        SetupError::UnknownFluid { block, .. } => {
            Fault::at_path(format!("fluid.blocks.{block}.fluid"), message, "expected one of the `[[fluids]]`")
        }
        SetupError::Interface { block } => {
            let label = "expected finite numbers, and a wavelength above 0";
            Fault::at_path(format!("fluid.blocks.{block}.interface"), message, label)
        }
        SetupError::PlanarPoints => Fault::at_path("dimensions", message, "expected 3"),
        SetupError::NoFluid => Fault::at_path(
            "fluid",
            message,
            "expected `[[fluid.blocks]]`, `[[fluid.particles]]`, `[[emitters]]`, `[[cloths]]` or `[[balls]]`",
        ),
        SetupError::Emitter { emitter, error } => {
            Fault::at_path(format!("emitters.{emitter}.{}", key_of(error)), message, "expected another value")
        }
        SetupError::Drain { drain, error } => {
            Fault::at_path(format!("drains.{drain}.{}", key_of(error)), message, "expected another value")
        }
        SetupError::Particles { set, error } => {
            let label = match error {
                ParticleSetError::Outside { .. } => "expected particles inside one of the containers: another `translation`?",
                ParticleSetError::ThroughFace(_) => "expected particles inside the domain",
                _ => "expected another file",
            };
            Fault::at_path(format!("fluid.particles.{set}"), message, label).help("particle files are counted from 0")
        }
        SetupError::Joint { joint, error } => {
            let key = match error {
                JointError::NoBody(_) | JointError::SameBody => ".to",
                JointError::NothingFree => ".body",
                JointError::Axis => ".axis",
                JointError::Limits => ".limits",
                JointError::Number => "",
            };
            let label = match error {
                JointError::NothingFree => "expected a body with `dynamics` at one end",
                _ => "expected another value",
            };
            Fault::at_path(format!("joints.{joint}{key}"), message, label)
        }
        SetupError::Dynamics { body } => Fault::at_path(format!("bodies.{body}.dynamics"), message, "expected other values"),
        SetupError::EmptyBlock { block, axis, extent, spacing } => {
            extent_fault(&format!("fluid.blocks.{block}"), axis, extent, spacing, message)
        }
        SetupError::UnevenBlock { block, extent, spacing, .. } => {
            let whole = (extent / spacing).floor().max(1.0);
            let label = format!("expected {} or {} m", round(whole * spacing), round((whole + 1.0) * spacing));
            Fault::at_path(format!("fluid.blocks.{block}"), message, label)
        }
        SetupError::EmptySolid { block } => small_solid(format!("fluid.blocks.{block}"), message),
        SetupError::SmallSolid { body } => small_solid(format!("bodies.{body}"), message),
        SetupError::SparseBlock { block } => {
            Fault::at_path(format!("fluid.blocks.{block}"), message, "expected a larger `particles.spacing`")
        }
        SetupError::ReleasedFilling { block } => {
            Fault::at_path(format!("fluid.blocks.{block}.filling"), message, "expected \"lattice\"")
        }
        SetupError::BlockInWall { block, container } => {
            let label = format!("expected a box clear of container {container} and of the layers around it");
            Fault::at_path(format!("fluid.blocks.{block}"), message, label).help("blocks and containers are counted from 0")
        }
        SetupError::BlockInBody { block, body } => {
            let label = format!("expected a box clear of body {body}, or `around_bodies = true`");
            Fault::at_path(format!("fluid.blocks.{block}"), message, label).help("blocks and bodies are counted from 0")
        }
        SetupError::EmptyBody { body, axis, extent, spacing } => {
            extent_fault(&format!("bodies.{body}"), axis, extent, spacing, message)
        }
        SetupError::BodyDensity { body } => {
            Fault::at_path(format!("bodies.{body}.density"), message, "expected a positive number (kg/m³)")
        }
        SetupError::RotationAxis { of } => {
            let path = match of {
                Rigid::Body(index) => format!("bodies.{index}"),
                Rigid::Container(index) => format!("containers.{index}"),
            };
            Fault::at_path(format!("{path}.rotation.axis"), message, "expected no `axis`, or one along z")
        }
        SetupError::TooFast { of, .. } => {
            let path = match of {
                Rigid::Body(index) => format!("bodies.{index}"),
                Rigid::Container(index) => format!("containers.{index}"),
            };
            Fault::at_path(path, message, format!("expected at most {MAX_SPEED:e} m/s"))
        }
        SetupError::ContainerMotion { container, obstacle } => {
            let turns = setup.containers[container].motion.rotation().is_some();
            let path = format!("containers.{container}.{}", if turns { "rotation" } else { "velocity" });
            let label = match obstacle {
                MotionObstacle::AnalyticWalls => "expected a container at rest, or `particles.walls = \"layers\"`",
                MotionObstacle::Periodic => "expected a container at rest, or no periodic axes",
                MotionObstacle::MovingFaces => "expected a container at rest, or one without `moving`",
                MotionObstacle::Tilted => "expected the angle 0 at time 0",
            };
            Fault::at_path(path, message, label)
        }
        SetupError::BlockVelocity { block } => {
            Fault::at_path(format!("fluid.blocks.{block}.velocity"), message, format!("expected at most {MAX_SPEED:e} m/s"))
        }
        SetupError::ExternalForce { force } => {
            Fault::at_path(format!("forces.{force}"), message, "expected finite numbers and ascending times")
        }
        SetupError::BlockOutside { block } => block_outside(setup, block, message),
        SetupError::BlocksOverlap { first, second } => {
            let label = format!("expected a box that at most touches block {first}");
            Fault::at_path(format!("fluid.blocks.{second}"), message, label).help("blocks are counted from 0")
        }
        SetupError::SmallContainer { container, axis, extent, least } => {
            extent_fault(&format!("containers.{container}"), axis, extent, least, message)
        }
        SetupError::NoSlipPlanes { container } => {
            let label = "expected \"free\", or `particles.walls = \"layers\"`";
            Fault::at_path(format!("containers.{container}.slip"), message, label).help("containers are counted from 0")
        }
        SetupError::ShapePlanes { container } => {
            let label = "expected a box, or `particles.walls = \"layers\"`";
            Fault::at_path(format!("containers.{container}.shape"), message, label).help("containers are counted from 0")
        }
        SetupError::FaceVelocity { container, .. } => Fault::at_path(
            format!("containers.{container}.moving"),
            message,
            "expected velocities within the planes of the faces",
        ),
        SetupError::TooManyParticles { count, limit } => {
            if count == u64::MAX {
                let message = format!("there are too many particles to count: at most {} are possible", grouped(limit));
                return Fault::at_path("particles.spacing", message, "expected a much larger spacing, or smaller blocks");
            }
            let message = format!("{} particles are too many: at most {} are possible", grouped(count), grouped(limit));
            too_many(setup, count, message, memory)
        }
    }
}

/// Key of an emitter or a drain that has an error; empty for the whole table.
fn key_of(error: OpeningError) -> &'static str {
    match error {
        OpeningError::Direction => "direction",
        OpeningError::Fluid => "fluid",
        OpeningError::Box => "max",
        OpeningError::Velocity => "velocity",
        OpeningError::Aperture | OpeningError::TooWide { .. } | OpeningError::Rate => "",
    }
}

/// The fault of a density ratio above `limit`, at the lightest fluid.
fn density_ratio(setup: &Setup, limit: f32, message: String) -> Fault {
    let densities = || setup.fluids.iter().map(|fluid| fluid.rest_density);
    let lightest = densities().enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index);
    let densest = densities().fold(0.0, f32::max);
    let label = format!("expected at least {} kg/m³ beside {densest} kg/m³", densest / limit);
    Fault::at_path(format!("fluids.{lightest}.rest_density"), message, label)
}

fn small_solid(path: String, message: String) -> Fault {
    Fault::at_path(path, message, "expected a larger shape, or a smaller `particles.spacing`")
}

/// Index of an axis: 0, 1, 2 for `x`, `y`, `z`.
fn axis_index(axis: char) -> usize {
    "xyz".find(axis).unwrap_or(0)
}

/// The periodic faces along an axis, m.
fn period(setup: &Setup, axis: char) -> (f32, f32) {
    let axis = axis_index(axis);
    (setup.domain.min[axis], setup.domain.max[axis])
}

/// The fault of a box that is too small along an axis, at the axis' entry of `max`.
fn extent_fault(path: &str, axis: char, extent: f32, least: f32, message: String) -> Fault {
    let place = format!("{path}.max.{}", axis_index(axis));
    if extent < 0.0 {
        return Fault::at_path(place, message, format!("`max` is below `min` along {axis}: are they swapped?"));
    }
    Fault::at_path(place, message, format!("expected at least {least} m above `min`"))
}

/// The fault of a block outside every container. With one container it is at the coordinate that is outside.
fn block_outside(setup: &Setup, block: usize, message: String) -> Fault {
    let path = format!("fluid.blocks.{block}");
    if let ([container], Some(fluid)) = (setup.containers.as_slice(), setup.blocks.get(block)) {
        let slack = 1e-3 * setup.discretization.particle_spacing;
        for (index, axis) in "xyz".char_indices().take(setup.discretization.dimensions.count()) {
            let ends = [
                ("min", "begins", container.min[index], fluid.min[index] < container.min[index] - slack),
                ("max", "ends", container.max[index], fluid.max[index] > container.max[index] + slack),
            ];
            for (corner, verb, end, outside) in ends {
                if outside {
                    let label = format!("the container {verb} at {axis} = {end} m");
                    return Fault::at_path(format!("{path}.{corner}.{index}"), message, label);
                }
            }
        }
    }
    Fault::at_path(path, message, "expected a box inside one of the containers")
}

fn too_many(setup: &Setup, count: u64, message: String, memory: Option<u64>) -> Fault {
    let estimate = setup.memory_estimate();
    let need = match estimate {
        u64::MAX => format!("more than {}", bytes_in_words(u64::MAX)),
        bytes => format!("about {}", bytes_in_words(bytes)),
    };
    let have = memory.map_or_else(String::new, |memory| format!("; {} are available", bytes_in_words(memory)));
    let label = format!("needs {need} of memory{have}");
    let fault = Fault::at_path("particles.spacing", message, label);
    let bytes_of_particle = (estimate / count.max(1)).max(1);
    let most = memory.map_or(MAX_PARTICLES, |memory| (memory / bytes_of_particle).min(MAX_PARTICLES)).max(1);
    let spacing = f64::from(setup.discretization.particle_spacing);
    let coarser = spacing * (count as f64 / most as f64).powf(1.0 / setup.discretization.dimensions.count() as f64);
    fault.help(format!("a spacing of about {} m would fit", rounded_up(coarser)))
}

// Memory that this process may still take.

/// Address space that each thread takes besides the particles: its stack, and an arena of the allocator.
#[cfg(unix)]
const BYTES_OF_THREAD: u64 = 66 << 20;

/// Memory that is available, bytes: of the machine, of the control group, and of the limits set for this process (`ulimit -v`);
/// `None` if the system tells nothing.
pub fn available_memory() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = system.cgroup_limits().filter(|limits| limits.total_memory > 0).map(|limits| limits.free_memory);
    [machine, group, available_address_space(&mut system)].into_iter().flatten().min()
}

/// Rest of the address space that this process is limited to, bytes; `None` without a limit.
#[cfg(unix)]
fn available_address_space(system: &mut System) -> Option<u64> {
    let limit = |resource: rlimit::Resource| resource.get_soft().ok().filter(|&bytes| bytes != rlimit::INFINITY);
    let limit = [rlimit::Resource::AS, rlimit::Resource::DATA].into_iter().filter_map(limit).min()?;
    let pid = Pid::from_u32(std::process::id());
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, ProcessRefreshKind::nothing().with_memory());
    let taken = system.process(pid).map_or(0, sysinfo::Process::virtual_memory);
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    Some(limit.saturating_sub(taken).saturating_sub(threads * BYTES_OF_THREAD))
}

/// Windows has no such limit; that of a job is in what the system says is available.
#[cfg(not(unix))]
fn available_address_space(_system: &mut System) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_checked_before_particles_are_made() {
        let text = "format = 1\n[particles]\nspacing = 0.01\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
        let setup = crate::parse(text, "cube", &[]).unwrap().setup;
        assert!(check(&setup, None).is_none());
        assert!(check(&setup, Some(1 << 30)).is_none());
        let fault = check(&setup, Some(500 << 20)).unwrap();
        assert_eq!(fault.message, "1,000,000 particles do not fit into memory");
        assert_eq!(fault.label, "needs about 981 MiB of memory; 500 MiB are available");
        assert_eq!(fault.help.as_deref(), Some("a spacing of about 0.013 m would fit"));
    }

    #[test]
    fn a_machine_has_memory() {
        assert!(available_memory().unwrap() > 1 << 24);
    }
}
