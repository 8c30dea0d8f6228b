//! Balls: impacts, friction, piles, bits. Solids and a stepper that the tests share.

mod bits;
mod descriptions;
mod friction;
mod impacts;
mod piles;

use glam::{DVec3, Vec3};
use sph_core::neighbors::{AuditPlan, GridParameters, HashFunction, Structure};
use sph_core::point_sets::{
    ColumnValues, PointDynamics, PointHold, PointImpulse, PointReport, PointSet, PointStep, SolidId, Surface, Surfaces,
};
use sph_pbd::balls::{BallDynamics, BallMaterial, BallSet, NewBalls, SPIN};

pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// Length of a step, s.
pub const DT: f64 = 1.0 / 60.0;

/// Flat walls, each a point and a normal. Each is a solid of its own, or all are one, of which only the nearest is told.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    pub planes: Vec<(Vec3, Vec3)>,
    pub velocity: Vec3,
    pub is_one: bool,
    /// Height up to which the walls that are not the floor reach, m; 0 for no limit.
    pub height: f32,
}

impl Walls {
    /// A basin whose sides are `height` high; higher up there is nothing.
    pub fn tray(width: f32, height: f32) -> Self {
        Self { height, is_one: false, ..Self::basin(width) }
    }

    /// A level floor at height 0.
    pub fn floor() -> Self {
        Self { planes: vec![(Vec3::ZERO, Vec3::Y)], ..Self::default() }
    }

    /// A box without lid between x and z of 0 and `width`, one container.
    pub fn basin(width: f32) -> Self {
        let far = Vec3::splat(width);
        let sides = [(Vec3::ZERO, Vec3::X), (far, Vec3::NEG_X), (Vec3::ZERO, Vec3::Z), (far, Vec3::NEG_Z)];
        Self { planes: [(Vec3::ZERO, Vec3::Y)].into_iter().chain(sides).collect(), is_one: true, ..Self::default() }
    }
}

impl Surfaces for Walls {
    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
        let surface = |(index, &(on, normal)): (usize, &(Vec3, Vec3))| {
            let on = on + self.velocity * part * DT as f32;
            let solid = SolidId::Container(if self.is_one { 0 } else { index });
            Surface { distance: (point - on).dot(normal), normal, velocity: self.velocity, solid }
        };
        let near = self.planes.iter().enumerate().map(surface).filter(|surface| {
            // A point outside meets no wall, as with containers.
            (0.0..reach).contains(&surface.distance) && (self.height == 0.0 || surface.normal.y > 0.0 || point.y < self.height)
        });
        if self.is_one {
            near.min_by(|a, b| a.distance.total_cmp(&b.distance)).into_iter().for_each(visit);
        } else {
            near.for_each(visit);
        }
    }
}

/// Balls and what is around them.
#[derive(Debug)]
pub struct World {
    pub sets: Vec<PointSet>,
    pub dynamics: BallDynamics,
    pub walls: Walls,
    pub gravity: Vec3,
    pub grid: GridParameters,
    pub time: f64,
    pub report: PointReport,
    pub hold: Option<PointHold>,
}

impl World {
    pub fn new(balls: NewBalls) -> Self {
        let dynamics = BallDynamics::new(vec![balls.set]);
        Self::of(vec![balls.points], dynamics)
    }

    pub fn of(sets: Vec<PointSet>, dynamics: BallDynamics) -> Self {
        let (structure, hash) = (Structure::SortedCells, HashFunction::Mix);
        let grid = GridParameters { structure, table_size: 4096, cell_size: 0.1, hash, bucket_capacity: 16 };
        let (walls, report) = (Walls::default(), PointReport::default());
        Self { sets, dynamics, walls, gravity: Vec3::ZERO, grid, time: 0.0, report, hold: None }
    }

    /// Balls of radius 0.1 m and density 1000 kg/m³ at `centers` with `velocities`.
    pub fn equal(material: BallMaterial, balls: &[(Vec3, Vec3)]) -> Self {
        Self::unequal(material, &balls.iter().map(|&(center, velocity)| (0.1, center, velocity)).collect::<Vec<_>>())
    }

    /// Balls of density 1000 kg/m³ with radii, centres and velocities.
    pub fn unequal(material: BallMaterial, balls: &[(f32, Vec3, Vec3)]) -> Self {
        let points = PointSet {
            name: "balls".to_owned(),
            positions: balls.iter().map(|ball| ball.1).collect(),
            velocities: balls.iter().map(|ball| ball.2).collect(),
            radii: balls.iter().map(|ball| ball.0).collect(),
            masses: balls.iter().map(|ball| 4188.79 * ball.0.powi(3)).collect(),
            ids: (0..balls.len() as u32).collect(),
            ..PointSet::default()
        };
        Self::of(vec![points], BallDynamics::new(vec![BallSet { material, ..BallSet::default() }]))
    }

    pub fn with_walls(self, walls: Walls, gravity: Vec3) -> Self {
        Self { walls, gravity, ..self }
    }

    pub fn step(&mut self) {
        self.step_of(DT, &[]);
    }

    pub fn step_of(&mut self, dt: f64, impulses: &[Vec<PointImpulse>]) {
        let gravity = self.gravity;
        let step = PointStep {
            time: self.time,
            dt,
            acceleration: &|_| gravity,
            surfaces: &self.walls,
            fluid: None,
            impulses,
            grids: &vec![self.grid; self.sets.len()],
            hold: self.hold,
            audit: AuditPlan::default(),
        };
        self.report = self.dynamics.advance(&mut self.sets, &step);
        self.time += dt;
    }

    pub fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / DT).round() as usize {
            self.step();
        }
    }

    pub fn balls(&self) -> &PointSet {
        &self.sets[0]
    }

    pub fn spins(&self) -> &[Vec3] {
        spins(self.balls())
    }

    /// Momentum, kg m/s.
    pub fn momentum(&self) -> DVec3 {
        self.sum(|ball| ball.mass * ball.velocity)
    }

    /// Angular momentum about the origin, kg m²/s.
    pub fn angular_momentum(&self) -> DVec3 {
        self.sum(|ball| ball.mass * ball.position.cross(ball.velocity) + ball.inertia() * ball.spin)
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self) -> f64 {
        self.each()
            .map(|ball| 0.5 * (ball.mass * ball.velocity.length_squared() + ball.inertia() * ball.spin.length_squared()))
            .sum()
    }

    /// Kinetic and potential energy, J.
    pub fn energy(&self) -> f64 {
        let potential: f64 = self.each().map(|ball| -ball.mass * ball.position.dot(self.gravity.as_dvec3())).sum();
        self.kinetic_energy() + potential
    }

    pub fn fastest(&self) -> f32 {
        self.sets.iter().flat_map(|set| &set.velocities).map(|velocity| velocity.length()).fold(0.0, f32::max)
    }

    /// Largest overlap of two balls over the radius of the smaller one, and that of a ball and a wall over its radius.
    pub fn overlaps(&self) -> [f32; 2] {
        let set = self.balls();
        let (centers, radii) = (&set.positions, &set.radii);
        let mut pairs = 0f32;
        let mut order: Vec<usize> = (0..set.len()).collect();
        order.sort_by(|&a, &b| centers[a].x.total_cmp(&centers[b].x));
        let largest = radii.iter().copied().fold(0.0, f32::max);
        for (place, &a) in order.iter().enumerate() {
            for &b in order[place + 1..].iter().take_while(|&&b| centers[b].x - centers[a].x < radii[a] + largest) {
                let overlap = radii[a] + radii[b] - centers[a].distance(centers[b]);
                pairs = pairs.max(overlap / radii[a].min(radii[b]));
            }
        }
        let at_wall = |(center, radius): (&Vec3, &f32)| {
            let planes = &self.walls.planes[..if self.walls.height > 0.0 { 1 } else { self.walls.planes.len() }];
            let deepest = planes.iter().map(|&(on, normal)| radius - (center - on).dot(normal)).fold(0.0, f32::max);
            deepest / radius
        };
        [pairs, centers.iter().zip(radii).map(at_wall).fold(0.0, f32::max)]
    }

    fn sum(&self, of: impl Fn(&Ball) -> DVec3) -> DVec3 {
        self.each().map(|ball| of(&ball)).sum()
    }

    fn each(&self) -> impl Iterator<Item = Ball> {
        self.sets.iter().flat_map(|set| {
            let error = |i: usize| set.rounding_errors.get(i).copied().unwrap_or(Vec3::ZERO).as_dvec3();
            (0..set.len()).map(move |i| Ball {
                mass: set.masses[i].into(),
                radius: set.radii[i].into(),
                position: set.positions[i].as_dvec3() + error(i),
                velocity: set.velocities[i].as_dvec3(),
                spin: spins(set).get(i).copied().unwrap_or(Vec3::ZERO).as_dvec3(),
            })
        })
    }
}

pub fn spins(set: &PointSet) -> &[Vec3] {
    match set.column(SPIN) {
        Some(ColumnValues::Vectors(spins)) => spins,
        _ => &[],
    }
}

struct Ball {
    mass: f64,
    radius: f64,
    position: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl Ball {
    fn inertia(&self) -> f64 {
        0.4 * self.mass * self.radius * self.radius
    }
}

/// A material without friction.
pub const SMOOTH: BallMaterial = BallMaterial { friction: 0.0, rolling_friction: 0.0, restitution: 1.0 };

pub fn assert_near(found: f32, expected: f32, tolerance: f32) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} ± {tolerance}");
}
