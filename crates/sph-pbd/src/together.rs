//! Cloths and balls of one scene, which touch.
//!
//! Both move in the same substeps: the sheets among balls that move by their velocities and yield to what the sheets push them with, then the balls,
//! which these impulses act on, by gravity and their contacts from where they began. So momentum is kept to rounding, and a ball that another strikes
//! meets the sheet before it has passed it.

use crate::balls::{BallDynamics, Balls, INVERSE_INERTIA, SPIN};
use crate::cloth::{Cloths, Mover, Movers, Obstacles, each_near_until_end, surface_of};
use crate::substep::Substep;
use glam::Vec3;
use sph_core::neighbors::{Audit, AuditPlan, GridParameters, Search, Tally};
use sph_core::point_sets::{
    ColumnValues, PointDynamics, PointHold, PointReport, PointSet, PointStep, PourDisc, SearchAmongOthers, SolidId, Surface,
    Surfaces,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Way of the fastest ball in a substep, parts of the least distance of a ball's centre from the middle of a sheet that it touches: a ball that another
/// strikes, and makes up to twice as fast, has not passed the sheet before the sheet meets it.
const MOST_WAY: f32 = 0.5;

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
        let among = |first: usize, count: usize| step.hold.and_then(|hold| hold.among(first, count));
        let cloth_step = PointStep { grids: of_sheets, impulses: on_sheets, hold: among(0, self.sheets), ..*step };
        let ball_step = PointStep { grids: of_balls, impulses: on_balls, hold: among(self.sheets, balls.len()), ..*step };
        if !self.balls.release(balls, &ball_step) {
            return PointReport::default();
        }
        let longest = longest_substep(sheets, balls, step.dt).max(self.cloths.shortest_substep());
        let counts = [self.cloths.substeps(sheets, &cloth_step, longest), self.balls.substeps(step.dt, longest)];
        let [of_cloth, of_ball] = Substep::in_step(counts);
        let spheres = Spheres::new(balls, sheets, &ball_step);
        if !self.balls.begin_step(balls, &ball_step, of_ball) {
            return PointReport::default();
        }
        let moving = self.balls.balls_mut();
        let mut around = Around { solids: step.surfaces, spheres, balls: moving, step: &ball_step, substeps: [0, of_ball] };
        let mut report = self.cloths.advance_among(sheets, &cloth_step, of_cloth, &mut around);
        around.advance_balls(of_ball);
        let among_balls = around.spheres.report();
        report.searches.iter_mut().for_each(|search| search.among_others = Some(among_balls));
        report.impulses.retain(|impulse| !matches!(impulse.solid, SolidId::Point { .. }));
        self.balls.finish(balls, &mut report);
        report
    }

    fn triangles(&self, index: usize, set: &PointSet) -> Vec<[u32; 3]> {
        if index < self.sheets { self.cloths.triangles(index, set) } else { Vec::new() }
    }

    fn columns_of_points(&self, index: usize) -> &[&'static str] {
        index.checked_sub(self.sheets).map_or(&[], |set| self.balls.columns_of_points(set))
    }

    fn reaches(&self, index: usize) -> Option<&[f32]> {
        Some(self.balls.balls().reaches(index.checked_sub(self.sheets)?))
    }

    fn largest_poured(&self, index: usize) -> Option<f32> {
        self.balls.largest_poured(index.checked_sub(self.sheets)?)
    }

    fn pour(&self, index: usize, set: &mut PointSet, disc: &PourDisc<'_>) -> bool {
        index.checked_sub(self.sheets).is_some_and(|index| self.balls.pour(index, set, disc))
    }

    fn fork(&self) -> Box<dyn PointDynamics> {
        Box::new(Self { sheets: self.sheets, cloths: self.cloths.clone(), balls: self.balls.forked() })
    }

    fn memory(&self) -> usize {
        self.cloths.memory() + self.balls.memory()
    }
}

/// Longest substep in which no ball that may come to `sheets` in a step of `dt` (s) goes farther than [`MOST_WAY`] allows, s.
fn longest_substep(sheets: &[PointSet], balls: &[PointSet], dt: f64) -> f64 {
    let (mut low, mut high, mut half) = (Vec3::INFINITY, Vec3::NEG_INFINITY, f32::INFINITY);
    let (mut sum, mut count) = (Vec3::ZERO, 0.0_f32);
    let mut fastest_vertex = 0.0_f32;
    for sheet in sheets {
        for (k, ((&position, &velocity), &radius)) in
            sheet.positions.iter().zip(&sheet.velocities).zip(&sheet.radii).enumerate()
        {
            (low, high, half) = (low.min(position), high.max(position), half.min(radius));
            fastest_vertex = fastest_vertex.max(velocity.length_squared());
            if sheet.masses[k].is_finite() {
                (sum, count) = (sum + velocity, count + 1.0);
            }
        }
    }
    let mean = sum / count.max(1.0);
    let fastest = |of: &PointSet| of.velocities.iter().map(|velocity| velocity.length_squared()).fold(0.0, f32::max);
    let way = dt as f32 * (fastest_vertex.sqrt() + balls.iter().map(fastest).fold(0.0, f32::max).sqrt());
    let (mut speed, mut least) = (0.0_f32, f32::INFINITY);
    for set in balls {
        for ((&center, &velocity), &radius) in set.positions.iter().zip(&set.velocities).zip(&set.radii) {
            let reach = radius + half + way;
            if (center + reach).cmpge(low).all() && (center - reach).cmple(high).all() {
                speed = speed.max((velocity - mean).length());
                least = least.min(radius + half);
            }
        }
    }
    if speed > 0.0 { f64::from(MOST_WAY * least / speed) } else { f64::INFINITY }
}

/// Solids, and balls as solids.
struct Around<'a> {
    solids: &'a dyn Surfaces,
    spheres: Spheres,
    balls: &'a mut Balls,
    /// The step of the balls.
    step: &'a PointStep<'a>,
    /// Number of their substeps so far, and of all in the step.
    substeps: [u32; 2],
}

impl Around<'_> {
    /// Advances the balls to the end of so many substeps of theirs, with what sheets have pushed them with since the last.
    fn advance_balls(&mut self, until: u32) {
        let Self { spheres: Spheres { all, movers, .. }, balls, step, substeps: [done, _], .. } = self;
        if until <= *done {
            return;
        }
        balls.push(|ball| {
            let (mover, radius) = (&movers.all()[ball], all[ball].radius);
            // Impulses act at the surface, although a vertex is half a thickness away from it.
            let turn = mover.turn * (INVERSE_INERTIA * mover.inverse_mass / radius);
            [mover.impulse * mover.inverse_mass, turn].map(Vec3::from)
        });
        movers.forget_impulses();
        for _ in *done..until {
            balls.substep(step);
        }
        *done = until;
        balls.each_motion(|ball, position, velocity, spin| {
            let sphere = &mut all[ball];
            sphere.spin = spin;
            movers.correct(ball, (position - sphere.center.as_dvec3()).as_vec3().into(), velocity.into());
        });
    }
}

impl Obstacles for Around<'_> {
    fn movers(&self) -> &Movers {
        &self.spheres.movers
    }

    fn movers_mut(&mut self) -> &mut Movers {
        &mut self.spheres.movers
    }

    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
        each_near_until_end(self.solids, point, reach, part, visit);
        self.spheres.each_near(point, reach, visit);
    }

    fn surface(&self, solid: SolidId, point: Vec3, reach: f32, part: f32) -> Option<Surface> {
        match self.spheres.movers.index(solid) {
            Some(index) => Some(self.spheres.surface(index, point)).filter(|surface| surface.distance < reach),
            None => surface_of(self.solids, solid, point, reach, part),
        }
    }

    fn end_substep(&mut self, substep: &Substep) {
        let [_, all] = self.substeps;
        // Each of the fewer substeps is a whole number of the others.
        self.advance_balls(all * (substep.number + 1) / substep.count);
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
    /// Search for centres, and the largest reach that it serves, m; `None` if the structure cannot hold the balls.
    search: Option<(Search, f32)>,
    work: Work,
    audit: Audit,
}

/// Counts of the queries so far, which come from several threads.
#[derive(Debug, Default)]
struct Work {
    queries: AtomicU64,
    candidates: AtomicU64,
    neighbors: AtomicU64,
}

impl Work {
    /// Adds a query that has tested so many candidates and found so many balls near.
    fn add(&self, candidates: usize, neighbors: u64) {
        for (sum, more) in [(&self.queries, 1), (&self.candidates, candidates as u64), (&self.neighbors, neighbors)] {
            sum.fetch_add(more, Ordering::Relaxed);
        }
    }
}

impl Spheres {
    /// The `balls` for the vertices of `sheets` in a `step` of the balls.
    fn new(balls: &[PointSet], sheets: &[PointSet], step: &PointStep<'_>) -> Self {
        let PointStep { acceleration, hold, .. } = *step;
        let (dt, grid) = (step.dt as f32, step.grids.first().copied().unwrap_or_default());
        let (mut all, mut movers) = (Vec::new(), Movers::of_step(dt));
        // Vertices look half of their thickness farther than solids go that nothing pushes.
        let slack = sheets.iter().flat_map(|sheet| &sheet.radii).copied().fold(f32::INFINITY, f32::min);
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
            let held = hold.filter(|hold| hold.set == set);
            movers.add_set((0..balls.len()).map(|index| {
                let own = (balls.velocities[index], balls.masses.get(index).map_or(0.0, |mass| mass.recip()));
                let is_held = |hold: &PointHold| hold.index == index;
                let (velocity, inverse_mass) =
                    held.filter(is_held).map_or(own, |hold| (hold.velocity(balls.exact_position(index), f64::from(dt)), 0.0));
                let fall = dt * dt * acceleration(balls.positions[index]).length();
                Mover::new(inverse_mass, velocity.into(), dt * velocity.length() + fall + slack)
            }));
        }
        let way = |(ball, mover): (&Sphere, &Mover)| ball.radius + mover.allowance();
        let spread = all.iter().zip(movers.all()).map(way).fold(0.0, f32::max);
        // As far as a vertex looks around itself: half the thickness, and twice its way.
        let reach = |sheet: &PointSet| {
            let fastest = sheet.velocities.iter().map(|velocity| velocity.length_squared()).fold(0.0, f32::max).sqrt();
            let radius = sheet.radii.iter().copied().fold(0.0, f32::max);
            radius + 2.0 * radius.max(fastest * dt)
        };
        let reach = sheets.iter().map(reach).fold(0.0, f32::max);
        // Rounding loses none. Cells suit the balls as they touch, but here fast ones are seen from far: a query would visit very many.
        let radius = 1.001 * (reach + spread);
        let mut search = Search::new(&GridParameters { cell_size: grid.cell_size.max(radius), ..grid }, radius);
        let (centers, ids): (Vec<Vec3>, Vec<u32>) = all.iter().map(|ball| ball.center).zip(0..).unzip();
        let search = search.update(&centers, &ids).is_ok().then_some((search, reach));
        let audit = search.as_ref().map(|(search, _)| audit(search, radius, &centers, sheets, step.audit));
        Self { all, movers, search, work: Work::default(), audit: audit.unwrap_or_default() }
    }

    /// The queries so far.
    fn report(&self) -> SearchAmongOthers {
        let Self { work: Work { queries, candidates, neighbors }, audit, .. } = self;
        let [queries, candidates, neighbors] = [queries, candidates, neighbors].map(|sum| sum.load(Ordering::Relaxed));
        SearchAmongOthers { queries, tally: Tally { candidates, neighbors }, audit: *audit }
    }

    /// Calls `visit` for the balls whose surface may come closer to `point` (m) than `reach` (m) in the step, in their order: one that is slow now
    /// may be struck again.
    fn each_near(&self, point: Vec3, reach: f32, visit: &mut dyn FnMut(Surface)) {
        let mut seen = 0;
        let mut see = |index: usize| {
            let Sphere { center, radius, .. } = self.all[index];
            if point.distance(center) - radius < reach + self.movers.all()[index].allowance() {
                seen += 1;
                visit(self.surface(index, point));
            }
        };
        let tested = match &self.search {
            Some((search, served)) if reach <= *served => {
                let candidates = search.candidates(point);
                // Those that were struck so hard that they are not where the search has them.
                let mut near: Vec<u32> = candidates.indices().iter().chain(self.movers.astray()).copied().collect();
                near.sort_unstable();
                near.dedup();
                near.iter().for_each(|&index| see(index as usize));
                near.len()
            }
            // A vertex that was struck after the search looks farther.
            _ => {
                (0..self.all.len()).for_each(see);
                self.all.len()
            }
        };
        self.work.add(tested, seen);
    }

    /// Surface of a ball as seen from `point` (m), as it is displaced and moves now.
    fn surface(&self, index: usize, point: Vec3) -> Surface {
        let (Sphere { center, radius, spin, solid }, mover) = (self.all[index], &self.movers.all()[index]);
        let offset = point - (center + Vec3::from(mover.moved));
        let distance = offset.length();
        // A vertex in the centre is pushed up.
        let normal = if distance > 0.0 { offset / distance } else { Vec3::Y };
        let velocity = Vec3::from(mover.velocity) + spin.cross(radius * normal);
        Surface { distance: distance - radius, normal, velocity, solid }
    }
}

/// Compares what `search` finds within `radius` (m) of some vertices of `sheets` with all balls, whose `centers` (m) it has.
fn audit(search: &Search, radius: f32, centers: &[Vec3], sheets: &[PointSet], plan: AuditPlan) -> Audit {
    if plan.queries == 0 {
        return Audit::default();
    }
    let vertices: Vec<Vec3> = sheets.iter().flat_map(|sheet| sheet.positions.iter().copied()).collect();
    Audit::of_queries(vertices.len(), plan, |vertex| {
        let is_near = |ball: &u32| vertices[vertex].distance_squared(centers[*ball as usize]) < radius * radius;
        let candidates = search.candidates(vertices[vertex]);
        let found = candidates.indices().iter().copied().filter(is_near).collect();
        (found, (0..centers.len() as u32).filter(is_near).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::Push;
    use glam::Vec3A;
    use sph_core::parameters::Structure;

    struct Nothing;

    impl Surfaces for Nothing {
        fn each_near(&self, _: Vec3, _: f32, _: f32, _: &mut dyn FnMut(Surface)) {}
    }

    /// Every ball is seen with every structure, in the same order, near and far, those too that sheets have struck.
    #[test]
    fn all_structures_see_the_balls_that_are_there() {
        let mut balls = [PointSet::default(), PointSet::default()];
        for i in 0..40_u32 {
            let set = &mut balls[(i % 2) as usize];
            let along = i as f32 * 0.37;
            set.positions.push(Vec3::new(along.sin(), along.cos(), 0.01 * i as f32));
            set.radii.push(0.01 + 0.002 * i as f32);
            set.masses.push(1.0);
            set.velocities.push(Vec3::new(0.5, -0.2, 0.01 * i as f32));
        }
        let sheet = PointSet { radii: vec![0.02], velocities: vec![Vec3::X], ..PointSet::default() };
        let (dt, struck) = (0.02, SolidId::Point { set: 1, index: 7 });
        let step = PointStep {
            time: 0.0,
            dt: f64::from(dt),
            acceleration: &|_| Vec3::ZERO,
            surfaces: &Nothing,
            fluid: None,
            impulses: &[],
            grids: &[],
            hold: None,
            audit: AuditPlan::default(),
        };
        for structure in Structure::all() {
            let grid = GridParameters { structure, cell_size: 0.1, table_size: 16, ..GridParameters::default() };
            for (reach, part, impulse) in
                [(0.03, 0.0, 0.0), (0.06, 0.7, 0.0), (0.5, 1.0, 0.0), (0.03, 0.3, 40.0), (0.03, 1.0, 40.0)]
            {
                let step = PointStep { grids: &[grid], ..step };
                let mut spheres = Spheres::new(&balls, std::slice::from_ref(&sheet), &step);
                assert_eq!(spheres.audit, Audit::default(), "nobody asks for it");
                let push = Push { solid: struck, normal: Vec3A::Y, impulse: Vec3A::Y * impulse };
                spheres.movers.push([push], dt);
                assert_eq!(spheres.movers.surprises(), u32::from(impulse > 0.0));
                spheres.movers.begin_substep(part * dt);
                let center = |set: usize, index: usize| {
                    let more = if struck == (SolidId::Point { set, index }) { impulse * Vec3::Y } else { Vec3::ZERO };
                    let velocity = balls[set].velocities[index] + more;
                    (balls[set].positions[index] + dt * more + part * dt * velocity, velocity)
                };
                let mut asked = [0; 2];
                for point in [Vec3::new(0.9, 0.3, 0.1), Vec3::ZERO, center(1, 7).0] {
                    let mut seen = Vec::new();
                    spheres.each_near(point, reach, &mut |surface| seen.push(surface.solid));
                    let mut expected = Vec::new();
                    asked[1] += seen.len() as u64;
                    asked[0] += 1;
                    for (set, balls) in balls.iter().enumerate() {
                        for index in 0..balls.len() {
                            let (center, velocity) = center(set, index);
                            let solid = SolidId::Point { set, index };
                            let allowance = spheres.movers.get(solid).expect("a ball").allowance();
                            if point.distance(balls.positions[index]) - balls.radii[index] < reach + allowance {
                                expected.push(solid);
                            }
                            // What may come near as fast as it is now is among them.
                            let may_come =
                                point.distance(center) - balls.radii[index] < reach + (1.0 - part) * dt * velocity.length();
                            assert!(!may_come || seen.contains(&solid), "{structure:?}, {solid:?}");
                        }
                    }
                    assert_eq!(seen, expected, "{structure:?}, {reach} m around {point}");
                }
                let SearchAmongOthers { queries, tally: Tally { candidates, neighbors }, .. } = spheres.report();
                assert_eq!([queries, neighbors], asked, "{structure:?}");
                assert!((neighbors..=queries * 40).contains(&candidates), "{structure:?}: {candidates}");
            }
        }
    }

    /// A search that has lost a ball is caught by the spot checks of the vertices near it.
    #[test]
    fn spot_checks_find_a_lost_ball() {
        let centers: Vec<Vec3> = (0..30).map(|i| 0.05 * Vec3::new(i as f32, (i % 3) as f32, 0.0)).collect();
        let sheet =
            PointSet { positions: centers.iter().map(|center| center + 0.03 * Vec3::Z).collect(), ..PointSet::default() };
        let plan = AuditPlan { queries: 30, round: 3 };
        for structure in Structure::all() {
            let grid = GridParameters { structure, cell_size: 0.1, table_size: 16, ..GridParameters::default() };
            let checked = |known: usize| {
                let mut search = Search::new(&grid, 0.12);
                let ids: Vec<u32> = (0..known as u32).collect();
                search.update(&centers[..known], &ids).expect("few cells");
                audit(&search, 0.12, &centers, std::slice::from_ref(&sheet), plan)
            };
            let (all, one_lost) = (checked(30), checked(29));
            assert!(all.is_clean() && all.queries == 30, "{structure:?}: {all:?}");
            let near = sheet.positions.iter().filter(|vertex| vertex.distance(centers[29]) < 0.12).count() as u64;
            assert!(near > 0 && one_lost == Audit { missed: near, ..all }, "{structure:?}: {one_lost:?}");
        }
    }
}
