//! Walls and bodies of a simulation, made of a setup and of the bodies that have been dropped.

use super::bodies::Bodies;
use super::containers::Containers;
use crate::boundary::{Body, BoundaryParticles, MovedBody, Openings, Planes, Reactions, calibrate};
use crate::neighbors::CellOrder;
use crate::parameters::WallSampling;
use crate::report::held;
use crate::setup::Setup;
use crate::simulation::DroppedBody;
use crate::space::lattice_sum;
use std::ops::Range;
use std::sync::Arc;

/// The setup without fluid, of which walls are sampled again when a body is dropped, or moved for the first time; clones share it.
#[derive(Clone, Debug)]
pub(in crate::simulation) struct SolidSetup(Arc<Setup>);

impl SolidSetup {
    /// What concerns solids of a valid `setup`.
    pub fn of(setup: &Setup) -> Self {
        let Setup { bodies, containers, joints, .. } = setup;
        let (bodies, containers, joints) = (bodies.clone(), containers.clone(), joints.clone());
        let (discretization, parameters) = (setup.discretization, setup.parameters);
        let (domain, wall_sampling) = (setup.domain, setup.wall_sampling);
        Self(Arc::new(Setup {
            discretization,
            parameters,
            curves: Vec::new(),
            fluids: Vec::new(),
            blocks: Vec::new(),
            containers,
            bodies,
            joints,
            external_forces: Vec::new(),
            domain,
            openings: Openings::default(),
            wall_sampling,
        }))
    }

    pub fn setup(&self) -> &Setup {
        &self.0
    }

    /// Bytes on the heap, without the tables of the motions.
    pub fn memory(&self) -> usize {
        let Setup { bodies, containers, joints, .. } = self.setup();
        let counts = 2 * size_of::<usize>();
        counts + size_of::<Setup>() + held(bodies) + held(containers) + held(joints)
    }
}

/// All solids, as they are at time 0 or when they are dropped, and their boundary particles: first those of fixed containers, then of
/// bodies, of moving containers, and of dropped bodies. So those of the setup have the same indices and bits whatever is dropped. Bodies
/// that move only if a user moves them come before the others.
pub(in crate::simulation) struct Solids {
    pub containers: Containers,
    pub planes: Planes,
    pub walls: BoundaryParticles,
    pub bodies: Bodies,
    pub reactions: Reactions,
}

impl Solids {
    /// The solids of a valid `setup`, of which a user has `moved` some bodies, and the bodies that have been `dropped`.
    pub fn new(setup: &Setup, moved: &[MovedBody], dropped: &[DroppedBody]) -> Self {
        let discretization = setup.discretization;
        let domain = setup.domain.flat(discretization.dimensions);
        let mut containers = Containers::new(&setup.containers, &domain);
        // A particle stands for one lattice cell of fluid: the kernel's lattice sum makes its summed density exactly ρ₀.
        let volume = discretization.particle_volume() / lattice_sum(&discretization);
        let mut walls = BoundaryParticles::default();
        let analytic = setup.wall_sampling == WallSampling::Analytic;
        let planes = if analytic { Planes::new(&discretization, containers.all.clone()) } else { Planes::default() };
        let walled = (&domain, setup.wall_sampling);
        if !analytic {
            containers.sample_fixed(&discretization, walled, volume, &mut walls);
        }
        let mut order = CellOrder::default();
        let sorted = order.sort(&walls.positions, discretization.support_radius);
        walls.sort(sorted);
        let fixed = 0..walls.len();
        let mut bodies = Bodies::new((setup, moved), &domain, volume, &mut walls);
        if !analytic {
            containers.sample_moving(&discretization, walled, volume, &mut walls);
        }
        let moving = bodies.particles().map(|particles| particles.end).max().unwrap_or(fixed.end)..walls.len();
        let is_calibrated = setup.wall_sampling == WallSampling::SingleLayer;
        if is_calibrated {
            // Each body that has been moved by itself, as it is no longer beside the others.
            let apart: Vec<Range<usize>> = bodies.moved_particles().collect();
            let is_apart = |b: usize| apart.iter().any(|particles| particles.contains(&b));
            let others: Vec<usize> = (0..walls.len()).filter(|&b| !is_apart(b)).collect();
            for group in std::iter::once(others).chain(apart.iter().map(|particles| particles.clone().collect())) {
                calibrate(&discretization, &domain, &mut walls, &group);
            }
        }
        for body in dropped.iter().map(DroppedBody::body) {
            // By itself: where it is dropped, another body may have been at time 0.
            let mut own = BoundaryParticles::default();
            bodies.sample(&body, (setup, &domain), volume, &mut own, walls.len());
            if is_calibrated {
                let all: Vec<usize> = (0..own.len()).collect();
                calibrate(&discretization, &domain, &mut own, &all);
            }
            walls.append(own);
        }
        walls.finish();
        let all: Vec<Body> = setup.bodies.iter().cloned().chain(dropped.iter().map(DroppedBody::body)).collect();
        bodies.enter_world(setup, &all, moved);
        let reactions = Reactions::new([fixed, moving], bodies.particles());
        Self { containers, planes, walls, bodies, reactions }
    }
}
