//! Smoothed particle hydrodynamics (SPH), with neighbour searches and pressure solvers that can be changed between any two
//! steps.
//!
//! SPH represents a fluid by particles of constant mass. A field at a point is a sum over the particles within the *support
//! radius*, weighted by a [`kernel`] W that is zero beyond it; gradients of fields use ∇W. So every step begins with a
//! fixed-radius search for the neighbours of every particle ([`neighbors`]). With the weakly compressible solver then follow
//!
//! 1. density, by the continuity equation `dρ/dt = −ρ ∇·v`,
//! 2. pressure, by a stiff equation of state `p(ρ)`,
//! 3. acceleration, `dv/dt = −∇p/ρ + viscosity + gravity`,
//! 4. a time step within the stability limits, such as that of sound, and with it new velocities.
//!
//! With the same neighbours these are repeated up to [`WcsphParameters::acoustic_steps`] times; then the particles move.
//!
//! The incompressible solvers (PCISPH, IISPH, DFSPH, PBF; see [`Method`]) compute the pressure by iterations instead. Walls are
//! layers of particles too, with pressures extrapolated from the fluid.
//!
//! ```
//! use glam::Vec3;
//! use sph_core::*;
//!
//! // A column of water at the left end of a tank, in particles 0.05 m apart …
//! let column = FluidBlock::new(Vec3::ZERO, Vec3::new(0.5, 1.0, 0.0));
//! let tank = Container::new(Vec3::ZERO, Vec3::new(2.0, 2.0, 0.0));
//! let setup = Setup::new(Discretization::new(Dimensions::Two, 0.05), vec![column], vec![tank]);
//! let mut simulation = Simulation::new(&setup)?;
//! let front = |simulation: &Simulation| simulation.particles().positions.iter().map(|x| x.x).fold(0.0, f32::max);
//! while simulation.time() < 0.2 {
//!     let stats = simulation.step();
//!     assert!(stats.error.is_none() && stats.density_error < 0.01);
//! }
//! // … has begun to run along the floor.
//! assert!(front(&simulation) > 0.55);
//!
//! // The grid can change between any two steps: it changes the cost of a step, not its result.
//! let mut parameters = *simulation.parameters();
//! parameters.grid.structure = "spatial_hash".parse()?;
//! parameters.grid.table_size = 1;
//! simulation.set_parameters(parameters)?;
//! let crowded = simulation.step();
//! assert_eq!(crowded.search.occupancy.occupied_buckets, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate does no file input and no rendering. Lengths are in metres, times in seconds, y points up. Keys such as
//! Monaghan1992 refer to `docs/bibliography.md`.

#![warn(missing_docs)]

mod boundary;
mod forces;
mod particles;
mod passes;
mod report;
mod setup;
mod simd;
mod simulation;
mod solver;
mod space;

pub mod kernel;
pub mod neighbors;
pub mod parameters;
pub mod point_sets;
pub mod probes;
pub mod remedies;
pub mod tuning;

pub use boundary::{
    AngleLaw, Aperture, Body, BodyState, BoundaryParticles, Container, Drain, Dynamics, Emitter, Exchange, Face, Faces,
    FreeAxis, Freedom, Joint, JointEnd, JointError, JointKind, Load, Motion, MotionError, Motor, MovedBody, OpeningError,
    Openings, Planes, Pose, Rate, Reaction, Rotation, Schedule,
};
pub use forces::{CentralLaw, ExternalForce, ExternalForces, Force, Keyframe};
pub use parameters::{
    CoarseCorrection, Curve, CurveError, DensityDiffusion, DfsphParameters, Dimensions, Discretization, Fluid, FluidParameters,
    FoamModel, FoamParameters, ForceParameters, Integration, Iterations, KernelKind, MAX_DENSITY_RATIO, MAX_FLUIDS, Method,
    NegativePressure, ParameterError, Parameters, Preset, PressureSign, REST_DENSITIES, Slip, SolverParameters, StateEquation,
    TimeStepParameters, ViscosityModel, WallPressure, WallSampling, WcsphParameters,
};
pub use particles::{Attribute, Particles, Presence, Values, ValuesMut};
pub use passes::CancelFlag;
pub use report::{
    AccelerationTerm, Accelerations, Ceilings, Memory, Phase, PhaseTimeline, PhaseTimes, Place, PressureSolve, Rounded, Span,
    StepError, StepStats, ViscositySolve,
};
pub use setup::{
    BlockShape, CountsByKind, Filling, FluidBlock, Forecast, InitialPressure, Interface, MAX_PARTICLES, MAX_SPEED,
    MotionObstacle, ParticleCounts, ParticleSet, ParticleSetError, Remark, Rigid, Setup, SetupError, VelocityField,
};
pub use simd::Simd;
pub use simulation::{
    BallPour, DropSite, DroppedBody, DroppedShape, Engine, Foam, FoamKind, FoamParticle, Grab, Hand, HandError, Input,
    InputError, MoveSite, NewParticle, Obstacle, PlacedBody, PointGrab, PopulationError, Pour, Push, Simulation, State, View,
};
pub use solver::{Past, SolverMemory, StepBound, TimeStepLimit, search_radius};
pub use space::geometry::{
    Axis, Heightfield, MeshDiagnosis, MeshError, Nearest, Shape, ShapeError, ShapeKind, Shell, Solid, TriangleMesh,
    Triangulation,
};
pub use space::{Domain, DomainError, Images};
