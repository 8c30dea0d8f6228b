//! The cases whose bits are kept: each changes one thing of a small dam break, or of fluid in a periodic box.

use crate::common::{dam_break, setup};
use glam::{BVec3, Mat3, Vec3};
use sph_core::{
    BlockShape, Body, CentralLaw, CoarseCorrection, Container, DensityDiffusion, Dimensions, Domain, ExternalForce, Faces,
    FluidBlock, InitialPressure, Integration, KernelKind, Keyframe, Method, Motion, NegativePressure, PressureSign, Setup,
    Slip, StateEquation, VelocityField, ViscosityModel, WallPressure, WallSampling,
};

/// A run whose final state has a golden hash.
pub struct Case {
    /// Name in `golden.csv`.
    pub name: String,
    /// Initial state.
    pub setup: Setup,
    /// Number of steps.
    pub steps: u32,
}

/// A dam break in two dimensions, 12 particles high.
fn plane() -> Setup {
    small_tank(dam_break(Dimensions::Two, 12))
}

/// A dam break in three dimensions, 8 particles high.
fn space() -> Setup {
    small_tank(dam_break(Dimensions::Three, 8))
}

fn small_tank(mut setup: Setup) -> Setup {
    setup.containers[0].max = Vec3::new(0.96, 0.72, 0.48);
    setup
}

/// Vortices without walls, in a box that is periodic along every axis.
fn vortices(dimensions: Dimensions) -> Setup {
    let (spacing, depth) = match dimensions {
        Dimensions::Two => (0.05, 0.0),
        Dimensions::Three => (0.1, 1.0),
    };
    let max = Vec3::new(1.0, 1.0, depth);
    let block = FluidBlock {
        min: Vec3::ZERO,
        max,
        field: VelocityField::TaylorGreen { speed: 1.0, wavelength: 1.0 },
        initial_pressure: InitialPressure::Zero,
        ..FluidBlock::default()
    };
    let mut setup = setup(dimensions, spacing, vec![block], Vec::new());
    setup.domain = Domain { periodic: BVec3::TRUE, min: Vec3::ZERO, max };
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.fluid.kinematic_viscosity = 1e-2;
    setup
}

/// Still water around a disc that moves to the right, no slip on it.
fn moving_disc() -> Setup {
    let mut setup = plane();
    let block = &mut setup.blocks[0];
    (block.max.x, block.around_bodies) = (0.96, true);
    setup.parameters.fluid.kinematic_viscosity = 1e-2;
    setup.bodies.push(Body {
        min: Vec3::new(0.3, 0.15, 0.0),
        max: Vec3::new(0.5, 0.35, 0.0),
        shape: BlockShape::Ellipsoid,
        slip: Slip::NoSlip,
        motion: Motion::through([(0.0, Vec3::ZERO), (0.1, 0.2 * Vec3::X)]).expect("times ascend"),
        ..Body::default()
    });
    setup
}

/// A drop that floats without gravity, stretched and held together by surface tension.
fn drop(dimensions: Dimensions) -> Setup {
    let mut setup = match dimensions {
        Dimensions::Two => plane(),
        Dimensions::Three => space(),
    };
    let block = &mut setup.blocks[0];
    (block.min, block.max) = (Vec3::new(0.5, 0.3, 0.12), Vec3::new(0.86, 0.66, 0.36));
    (block.shape, block.initial_pressure) = (BlockShape::Ellipsoid, InitialPressure::Zero);
    block.field = VelocityField::Linear { gradient: Mat3::from_diagonal(Vec3::new(0.5, -0.5, 0.0)), center: block.min };
    setup.containers[0].max.z = setup.containers[0].max.z.max(0.6);
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.forces.surface_tension = 5.0;
    setup
}

/// Every case.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: &str, steps: u32, mut setup: Setup, change: &dyn Fn(&mut Setup)| {
        change(&mut setup);
        cases.push(Case { name: name.to_owned(), setup, steps });
    };
    for method in Method::ALL {
        let name = |rest: &str| format!("{}_{rest}", method.name());
        let with = move |setup: &mut Setup| setup.parameters.solver.method = method;
        add(&name("2d"), 300, plane(), &with);
        add(&name("3d"), 200, space(), &with);
        for (dimensions, tank) in [("2d", plane()), ("3d", space())] {
            // In space with one solver of each kind.
            if dimensions == "3d" && !matches!(method, Method::Wcsph | Method::Dfsph) {
                continue;
            }
            for sampling in [WallSampling::SingleLayer, WallSampling::Analytic] {
                add(&name(&format!("{dimensions}_{sampling:?}").to_lowercase()), 200, tank.clone(), &|setup| {
                    with(setup);
                    setup.wall_sampling = sampling;
                });
            }
            for walls in [WallPressure::Mls, WallPressure::OneSided] {
                add(&name(&format!("{dimensions}_{}", walls.name())), 200, tank.clone(), &|setup| {
                    with(setup);
                    setup.parameters.solver.walls = walls;
                });
            }
        }
        add(&name("2d_surface_tension"), 200, drop(Dimensions::Two), &with);
        add(&name("2d_periodic"), 200, vortices(Dimensions::Two), &with);
        add(&name("2d_moving_disc"), 200, moving_disc(), &with);
        add(&name("2d_released"), 200, plane(), &|setup| {
            with(setup);
            setup.blocks[0].initial_pressure = InitialPressure::Released;
        });
        add(&name("2d_implicit_viscosity"), 200, plane(), &|setup| {
            with(setup);
            setup.parameters.fluid.viscosity_model = ViscosityModel::Implicit;
            setup.parameters.fluid.kinematic_viscosity = 0.05;
        });
    }
    for (name, integration) in [("2d", plane()), ("3d", space()), ("2d_periodic", vortices(Dimensions::Two))] {
        add(&format!("predictor_corrector_{name}"), 200, integration, &|setup| {
            setup.parameters.solver.wcsph.integration = Integration::PredictorCorrector;
        });
    }
    for kernel in KernelKind::ALL {
        for (name, setup) in [("2d", plane()), ("3d", space())] {
            add(&format!("kernel_{}_{name}", kernel.name()), 200, setup, &|setup| {
                setup.discretization.kernel = kernel;
                setup.discretization.support_radius = 2.6 * setup.discretization.particle_spacing;
            });
        }
    }
    for model in ViscosityModel::ALL {
        for (name, setup) in [("2d", plane()), ("3d", space())] {
            add(&format!("viscosity_{}_{name}", model.name()), 200, setup, &|setup| {
                setup.parameters.fluid.viscosity_model = model;
                setup.parameters.fluid.kinematic_viscosity = 0.02;
                setup.containers[0].slip = Slip::NoSlip;
                setup.containers[0].face_velocities[0] = Vec3::new(0.0, 0.5, 0.0);
            });
        }
    }
    for diffusion in [DensityDiffusion::Molteni, DensityDiffusion::Antuono] {
        add(&format!("diffusion_{}", diffusion.name()), 200, space(), &|setup| {
            setup.parameters.solver.wcsph.diffusion = diffusion;
        });
    }
    add("linear_equation_of_state", 200, space(), &|setup| {
        setup.parameters.solver.wcsph.equation_of_state = StateEquation::Linear;
    });
    for (name, dimensions) in [("2d", Dimensions::Two), ("3d", Dimensions::Three)] {
        add(&format!("surface_tension_{name}"), 200, drop(dimensions), &|_| {});
        add(&format!("kept_negative_pressure_and_shifting_{name}"), 200, vortices(dimensions), &|setup| {
            setup.parameters.solver.wcsph.negative_pressure = NegativePressure::Kept;
            setup.parameters.solver.shifting = 4.0;
        });
        add(&format!("tensile_control_and_shifting_{name}"), 200, vortices(dimensions), &|setup| {
            setup.parameters.solver.wcsph.negative_pressure = NegativePressure::TensileControl;
            setup.parameters.solver.wcsph.background_pressure = 100.0;
            setup.parameters.solver.shifting = 2.0;
        });
    }
    add("adhesion_2d", 200, plane(), &|setup| {
        (setup.parameters.forces.surface_tension, setup.parameters.forces.adhesion) = (2.0, 3.0);
    });
    add("adhesion_3d", 200, space(), &|setup| {
        (setup.parameters.forces.surface_tension, setup.parameters.forces.adhesion) = (2.0, 3.0);
    });
    add("micropolar_2d", 200, plane(), &|setup| setup.parameters.forces.vorticity_transfer = 0.05);
    add("moving_disc_with_tensile_control", 200, moving_disc(), &|setup| {
        setup.parameters.solver.wcsph.negative_pressure = NegativePressure::TensileControl;
    });
    add("moving_ball_3d", 200, space(), &|setup| {
        (setup.blocks[0].max.x, setup.blocks[0].around_bodies) = (0.96, true);
        setup.bodies.push(Body {
            min: Vec3::new(0.3, 0.12, 0.12),
            max: Vec3::new(0.54, 0.36, 0.36),
            shape: BlockShape::Ellipsoid,
            slip: Slip::NoSlip,
            motion: Motion::through([(0.0, Vec3::ZERO), (0.1, 0.2 * Vec3::X)]).expect("times ascend"),
            ..Body::default()
        });
        setup.parameters.fluid.kinematic_viscosity = 1e-2;
    });
    add("micropolar_3d", 200, space(), &|setup| setup.parameters.forces.vorticity_transfer = 0.05);
    add("xsph_3d", 200, space(), &|setup| setup.parameters.forces.xsph = 0.5);
    add("periodic_3d", 150, vortices(Dimensions::Three), &|_| {});
    add("dfsph_periodic_3d", 150, vortices(Dimensions::Three), &|setup| {
        setup.parameters.solver.method = Method::Dfsph;
    });
    for (name, method, tank) in [("iisph_2d", Method::Iisph, plane()), ("dfsph_3d", Method::Dfsph, space())] {
        add(&format!("{name}_with_coarse_correction"), 200, tank, &|setup| {
            setup.parameters.solver.method = method;
            setup.parameters.solver.coarse_correction = CoarseCorrection::On;
        });
    }
    for (name, flow) in [("2d", plane()), ("3d", space()), ("2d_periodic", vortices(Dimensions::Two))] {
        add(&format!("dfsph_signed_{name}"), 200, flow, &|setup| {
            setup.parameters.solver.method = Method::Dfsph;
            setup.parameters.solver.dfsph.pressure = PressureSign::Signed;
        });
    }
    add("channel_with_a_force", 200, plane(), &|setup| {
        // Periodic along x between two plates.
        let container = Container { slip: Slip::NoSlip, max: Vec3::new(0.48, 0.48, 0.0), ..Container::default() };
        setup.containers = vec![container];
        setup.domain = Domain { periodic: BVec3::new(true, false, false), min: Vec3::ZERO, max: Vec3::new(0.48, 0.48, 0.0) };
        setup.parameters.gravity = Vec3::ZERO;
        setup.external_forces = vec![ExternalForce::Constant(Vec3::new(2.0, 0.0, 0.0))];
    });
    add("central_and_scheduled_forces", 200, drop(Dimensions::Two), &|setup| {
        let center = Vec3::new(0.7, 0.5, 0.0);
        let keyframe = |time, x| Keyframe { time, acceleration: Vec3::new(x, 0.0, 0.0) };
        setup.external_forces = vec![
            ExternalForce::Central { center, law: CentralLaw::Linear(4.0) },
            ExternalForce::Scheduled(vec![keyframe(0.0, 0.0), keyframe(0.05, 3.0)]),
        ];
    });
    add("without_walls", 200, drop(Dimensions::Three), &|setup| setup.containers[0].faces = Faces::NONE);
    cases
}
