//! Cloths and balls of one scene, which touch.
//!
//! A step moves the cloths first, among balls that move by their velocities and yield to what the cloths push them with. The same impulses then act
//! on the balls, which move next, from where they began. So linear momentum is kept to rounding, and the state needs no more than what both have by
//! themselves.

use crate::balls::{BallDynamics, SPIN};
use crate::cloth::{Cloths, Mover, Movers, Obstacles};
use glam::Vec3;
use sph_core::neighbors::{GridParameters, Search};
use sph_core::point_sets::{
    ColumnValues, PointDynamics, PointReport, PointSet, PointStep, SolidId, SolidImpulse, Surface, Surfaces,
};

/// Dynamics of cloths and balls. The sets of the sheets come first.
#[derive(Debug)]
pub(super) struct ClothsAndBalls {
    pub sheets: usize,
    pub cloths: Cloths,
    pub balls: BallDynamics,
}

impl PointDynamics for ClothsAndBalls {
    fn advance(&mut self, sets: &mut [PointSet], step: &PointStep<'_>) -> PointReport {
        let Some((sheets, balls)) = sets.split_at_mut_checked(self.sheets) else { return PointReport::default() };
        let split = |count: usize| self.sheets.min(count);
        let (of_sheets, of_balls) = step.grids.split_at(split(step.grids.len()));
        let (on_sheets, on_balls) = step.impulses.split_at(split(step.impulses.len()));
        let grid = of_balls.first().copied().unwrap_or_default();
        let spheres = Spheres::new(balls, sheets, &grid, step.dt as f32);
        let mut around = Around { solids: step.surfaces, spheres };
        let hold = step.hold.and_then(|hold| hold.among(0, self.sheets));
        let cloth_step = PointStep { grids: of_sheets, impulses: on_sheets, hold, ..*step };
        let mut report = self.cloths.advance_among(sheets, &cloth_step, &mut around);
        // The centres at the end of the step by the first velocities; the cloths saw balls that they struck elsewhere.
        let centers: Vec<Vec<Vec3>> = balls.iter().map(|set| centers_after(set, step.dt as f32)).collect();
        report.impulses.retain(|impulse| !push(balls, &centers, impulse));
        let hold = step.hold.and_then(|hold| hold.among(self.sheets, balls.len()));
        let PointReport { searches, impulses } =
            self.balls.advance(balls, &PointStep { grids: of_balls, impulses: on_balls, hold, ..*step });
        report.searches.extend(searches);
        report.impulses.extend(impulses);
        report
    }

    fn triangles(&self, index: usize, set: &PointSet) -> Vec<[u32; 3]> {
        if index < self.sheets { self.cloths.triangles(index, set) } else { Vec::new() }
    }

    fn reaches(&self, index: usize) -> Option<&[f32]> {
        Some(self.balls.balls().reaches(index.checked_sub(self.sheets)?))
    }

    fn fork(&self) -> Box<dyn PointDynamics> {
        Box::new(Self { sheets: self.sheets, cloths: self.cloths.clone(), balls: self.balls.forked() })
    }

    fn memory(&self) -> usize {
        self.cloths.memory() + self.balls.memory()
    }
}

/// Centres of `balls` that have kept their velocities for `dt` (s), m.
fn centers_after(balls: &PointSet, dt: f32) -> Vec<Vec3> {
    balls.positions.iter().zip(&balls.velocities).map(|(&center, &velocity)| center + dt * velocity).collect()
}

/// Gives an impulse to the ball that it acts on, whose centre is among `centers` (m); false if it acts on no ball.
fn push(balls: &mut [PointSet], centers: &[Vec<Vec3>], SolidImpulse { solid, point, impulse }: &SolidImpulse) -> bool {
    let &SolidId::Point { set, index } = solid else { return false };
    let ball = &mut balls[set];
    let inverse_mass = ball.masses[index].recip();
    ball.velocities[index] += inverse_mass * *impulse;
    let radius = ball.radii[index];
    // At the surface of the ball, although the vertex is half a thickness away from it.
    let arm = radius * (*point - centers[set][index]).normalize_or_zero();
    if let Some(ColumnValues::Vectors(spins)) = ball.column_mut(SPIN) {
        spins[index] += 2.5 * inverse_mass / (radius * radius) * arm.cross(*impulse);
    }
    true
}

/// Solids, and balls as solids.
struct Around<'a> {
    solids: &'a dyn Surfaces,
    spheres: Spheres,
}

impl Surfaces for Around<'_> {
    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
        self.solids.each_near(point, reach, part, visit);
        self.spheres.each_near(point, reach, part, visit);
    }
}

impl Obstacles for Around<'_> {
    fn movers(&self) -> &Movers {
        &self.spheres.movers
    }

    fn movers_mut(&mut self) -> &mut Movers {
        &mut self.spheres.movers
    }
}

/// A ball at the beginning of a step.
#[derive(Clone, Copy, Debug)]
struct Sphere {
    center: Vec3,
    radius: f32,
    spin: Vec3,
    solid: SolidId,
}

/// The balls during a step, in the search of its beginning.
struct Spheres {
    all: Vec<Sphere>,
    movers: Movers,
    /// Length of the step, s.
    dt: f32,
    /// Search for centres, and the largest reach that it serves, m; `None` if the structure cannot hold the balls.
    search: Option<(Search, f32)>,
}

impl Spheres {
    /// The `balls` in a structure with the parameters `grid`, for the vertices of `sheets` in a step of `dt`, s.
    fn new(balls: &[PointSet], sheets: &[PointSet], grid: &GridParameters, dt: f32) -> Self {
        let (mut all, mut movers) = (Vec::new(), Movers::default());
        for (set, balls) in balls.iter().enumerate() {
            let spins = match balls.column(SPIN) {
                Some(ColumnValues::Vectors(spins)) => spins.as_slice(),
                _ => &[],
            };
            all.extend((0..balls.len()).map(|index| Sphere {
                center: balls.positions[index],
                radius: balls.radii[index],
                spin: spins.get(index).copied().unwrap_or(Vec3::ZERO),
                solid: SolidId::Point { set, index },
            }));
            let inverse_mass = |index: usize| balls.masses.get(index).map_or(0.0, |mass| mass.recip());
            movers.add_set((0..balls.len()).map(|index| Mover::new(inverse_mass(index), balls.velocities[index].into(), dt)));
        }
        let way = |(ball, mover): (&Sphere, &Mover)| ball.radius + mover.allowance;
        let spread = all.iter().zip(movers.all()).map(way).fold(0.0, f32::max);
        // As far as a vertex looks around itself: half the thickness, and twice its way.
        let reach = |sheet: &PointSet| {
            let fastest = sheet.velocities.iter().map(|velocity| velocity.length_squared()).fold(0.0, f32::max).sqrt();
            let radius = sheet.radii.iter().copied().fold(0.0, f32::max);
            radius + 2.0 * radius.max(fastest * dt)
        };
        let reach = sheets.iter().map(reach).fold(0.0, f32::max);
        let mut search = Search::new(grid, reach + spread);
        let (centers, ids): (Vec<Vec3>, Vec<u32>) = all.iter().map(|ball| ball.center).zip(0..).unzip();
        let search = search.update(&centers, &ids).is_ok().then_some((search, reach));
        Self { all, movers, dt, search }
    }

    /// Calls `visit` for the balls whose surface may come closer to `point` (m) than `reach` (m) after `part` of the step, in their order.
    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
        let mut see = |index: usize| {
            let mover = &self.movers.all()[index];
            let surface = self.all[index].surface(point, mover);
            // A vertex that rests does not ask again: the ball may come to it in the rest of the step.
            if surface.distance < reach + (1.0 - part) * self.dt * mover.velocity.length() {
                visit(surface);
            }
        };
        match &self.search {
            Some((search, served)) if reach <= *served => {
                let candidates = search.candidates(point);
                // Those that were struck so hard that they are not where the search has them.
                let mut near: Vec<u32> = candidates.indices().iter().chain(self.movers.astray()).copied().collect();
                near.sort_unstable();
                near.dedup();
                near.iter().for_each(|&index| see(index as usize));
            }
            // A vertex that was struck after the search looks farther.
            _ => (0..self.all.len()).for_each(see),
        }
    }
}

impl Sphere {
    /// Its surface as seen from `point`, m, as it is displaced and moves now.
    fn surface(&self, point: Vec3, mover: &Mover) -> Surface {
        let offset = point - (self.center + Vec3::from(mover.moved));
        let distance = offset.length();
        // A vertex in the centre is pushed up.
        let normal = if distance > 0.0 { offset / distance } else { Vec3::Y };
        let velocity = Vec3::from(mover.velocity) + self.spin.cross(self.radius * normal);
        Surface { distance: distance - self.radius, normal, velocity, solid: self.solid }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::parameters::Structure;

    /// Every ball is seen with every structure, in the same order, near and far.
    #[test]
    fn all_structures_see_the_balls_that_are_there() {
        let mut balls = [PointSet::default(), PointSet::default()];
        for i in 0..40_u32 {
            let set = &mut balls[(i % 2) as usize];
            let along = i as f32 * 0.37;
            set.positions.push(Vec3::new(along.sin(), along.cos(), 0.01 * i as f32));
            set.radii.push(0.01 + 0.002 * i as f32);
            set.velocities.push(Vec3::new(0.5, -0.2, 0.01 * i as f32));
        }
        let sheet = PointSet { radii: vec![0.02], velocities: vec![Vec3::X], ..PointSet::default() };
        let dt = 0.02;
        for structure in Structure::all() {
            let grid = GridParameters { structure, cell_size: 0.1, table_size: 16, ..GridParameters::default() };
            for (reach, part) in [(0.03, 0.0), (0.06, 0.7), (0.5, 1.0)] {
                let mut spheres = Spheres::new(&balls, std::slice::from_ref(&sheet), &grid, dt);
                spheres.movers.begin_substep(part * dt);
                for point in [Vec3::new(0.9, 0.3, 0.1), Vec3::ZERO, balls[1].positions[7]] {
                    let mut seen = Vec::new();
                    spheres.each_near(point, reach, part, &mut |surface| seen.push((surface.solid, surface.distance)));
                    let mut expected = Vec::new();
                    for (set, balls) in balls.iter().enumerate() {
                        for index in 0..balls.len() {
                            let center = balls.positions[index] + part * dt * balls.velocities[index];
                            let distance = point.distance(center) - balls.radii[index];
                            if distance < reach + (1.0 - part) * dt * balls.velocities[index].length() {
                                expected.push((SolidId::Point { set, index }, distance));
                            }
                        }
                    }
                    assert_eq!(seen, expected, "{structure:?}, {reach} m around {point}");
                }
            }
        }
    }
}
