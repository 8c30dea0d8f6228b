//! Surroundings of the tests: gravity, a floor and spheres; and runs of cloths in them.

use glam::Vec3;
use sph_core::neighbors::{AuditPlan, GridParameters};
use sph_core::point_sets::{PointDynamics, PointHold, PointReport, PointSet, PointStep, SolidId, Surface, Surfaces};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Cloths, usual_grid};

/// Gravity, m/s².
pub const GRAVITY: f32 = 9.81;

/// Length of a frame, s.
pub const FRAME: f64 = 1.0 / 60.0;

/// Solids of a test, at rest but for the cone.
#[derive(Clone, Debug, Default)]
pub struct Solids {
    /// Height of the floor, m.
    pub floor: Option<f32>,
    /// Centres (m) and radii (m) of spheres.
    pub spheres: Vec<(Vec3, f32)>,
    /// Tip (m) of an endless upright cone, and the angle between its axis and its side, rad.
    pub cone: Option<(Vec3, f32)>,
    /// Way of the cone in the step, m, and its velocity, m/s.
    pub cone_motion: [Vec3; 2],
}

const CONE: SolidId = SolidId::Body(0);

impl Surfaces for Solids {
    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
        let [way, cone_velocity] = self.cone_motion;
        let mut near = |distance: f32, normal: Vec3, solid: SolidId| {
            if distance < reach {
                let velocity = if solid == CONE { cone_velocity } else { Vec3::ZERO };
                visit(Surface { distance, normal, velocity, solid });
            }
        };
        if let Some(floor) = self.floor {
            near(point.y - floor, Vec3::Y, SolidId::Container(0));
        }
        if let Some((tip, angle)) = self.cone {
            let out = point - (tip + part * way);
            let aside = out.with_y(0.0).normalize_or(Vec3::X);
            let (across, up) = (out.dot(aside), out.y);
            let (sin, cos) = angle.sin_cos();
            // Ahead of the tip it is nearest, beside the cone its side.
            if across * sin - up * cos < 0.0 && up > 0.0 {
                near(out.length(), out.normalize_or(Vec3::Y), CONE);
            } else {
                near(across * cos + up * sin, aside * cos + Vec3::Y * sin, CONE);
            }
        }
        for (number, &(center, radius)) in self.spheres.iter().enumerate() {
            let out = point - center;
            near(out.length() - radius, out.normalize_or(Vec3::Y), SolidId::Body(1 + number));
        }
    }
}

/// Cloths and all about them.
pub struct Tank {
    pub cloths: Cloths,
    pub sets: Vec<PointSet>,
    pub solids: Solids,
    pub gravity: Vec3,
    pub grid: GridParameters,
    pub time: f64,
    pub hold: Option<PointHold>,
}

impl Tank {
    /// A tank of cloths in gravity, without solids.
    pub fn new(setups: &[ClothSetup]) -> Self {
        let sheets: Vec<_> = setups.iter().map(|setup| setup.sheet().expect("a valid sheet")).collect();
        let vertices = sheets.iter().map(|sheet| sheet.len()).sum();
        let cloths = Cloths::new(sheets, ClothSettings::default());
        let sets = cloths.point_sets();
        let grid = usual_grid(setups[0].thickness, vertices);
        Self { cloths, sets, solids: Solids::default(), gravity: Vec3::NEG_Y * GRAVITY, grid, time: 0.0, hold: None }
    }

    /// The tank with these longest substeps, s.
    pub fn with_substep(mut self, longest_substep: f64) -> Self {
        let settings = self.cloths.settings();
        self.cloths.set_settings(ClothSettings { longest_substep, ..settings });
        self
    }

    /// Advances by `dt`, s.
    pub fn step(&mut self, dt: f64) -> PointReport {
        let gravity = self.gravity;
        self.solids.cone_motion[0] = dt as f32 * self.solids.cone_motion[1];
        let grids = vec![self.grid; self.sets.len()];
        let step = PointStep {
            time: self.time,
            dt,
            acceleration: &move |_| gravity,
            surfaces: &self.solids,
            fluid: None,
            impulses: &[],
            grids: &grids,
            hold: self.hold,
            audit: AuditPlan::default(),
        };
        self.time += dt;
        let report = self.cloths.advance(&mut self.sets, &step);
        if let Some((tip, _)) = &mut self.solids.cone {
            *tip += self.solids.cone_motion[0];
        }
        report
    }

    /// Advances by frames until `until`, s.
    pub fn run(&mut self, until: f64) {
        while self.time < until - 1e-9 {
            self.step(FRAME);
        }
    }

    /// Kinetic energy and energy in gravity of all vertices that forces move, J.
    pub fn energy(&self) -> f64 {
        let of_set = |set: &PointSet| {
            let each = (0..set.len()).filter(|&k| set.masses[k].is_finite());
            each.map(|k| {
                let height = -set.positions[k].as_dvec3().dot(self.gravity.as_dvec3());
                f64::from(set.masses[k]) * (0.5 * set.velocities[k].as_dvec3().length_squared() + height)
            })
            .sum::<f64>()
        };
        self.sets.iter().map(of_set).sum()
    }
}
