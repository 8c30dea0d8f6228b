//! Analytic walls: the faces of containers as planes, with integrals over the wall behind them (after Koschier2017).
//!
//! The wall adds the relative density λ(s) to a particle at distance s from a plane, and `∇λ = λ′(s) n` replaces `Σ_b V_b ∇W`.
//! Where planes meet at right angles, the region behind several of them counts once.

use super::smeared_layers::{Layers, Sums};
use super::{Container, Face};
use crate::forces::ExternalForces;
use crate::parameters::{Discretization, WallPressure};
use crate::passes::sweep;
use crate::report::held;
use glam::{Mat3, Vec3};

/// Walls of containers as planes; see [`WallSampling::Analytic`](super::WallSampling::Analytic).
#[derive(Clone, Debug, Default)]
pub struct Planes {
    /// `None` if walls are particles.
    integrals: Option<Integrals>,
}

#[derive(Clone, Debug)]
struct Integrals {
    containers: Vec<Container>,
    layers: Layers,
    /// Number of dimensions.
    axes: usize,
    /// m.
    support_radius: f32,
}

/// Integrals over the wall in reach of a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WallIntegral {
    /// Relative density of the wall: λ = ∫ W.
    pub density: f32,
    /// ∇λ, 1/m: towards the wall.
    pub gradient: Vec3,
    /// `∫ γ·r ∇W`, m/s², with r from the particle to the wall and the external acceleration γ that pressure balances: the
    /// effect of a hydrostatic pressure in the wall, which is ρ γ·r above that at the particle. γ is that at the particle: of a
    /// force linear in the position with slope s (1/s²), the term ½ ρ s r² is left out.
    hydrostatic: Vec3,
    /// `−∫ r·∇W`: the wall's part of the position divergence D in the surface indicator.
    pub filling: f32,
    /// Hydrostatic rise of p/ρ over half a support radius, `½ R |γ|`, m²/s².
    rise: f32,
}

impl Planes {
    /// The faces of `containers`.
    pub(crate) fn new(discretization: &Discretization, containers: Vec<Container>) -> Self {
        let Discretization { dimensions, support_radius, .. } = *discretization;
        let layers = Layers::new(discretization);
        Self { integrals: Some(Integrals { containers, layers, axes: dimensions.count(), support_radius }) }
    }

    /// Wall integrals of a particle at `position`, m. `external` gives γ, which pressure balances in fluid at rest.
    #[inline]
    pub(crate) fn wall_integral(&self, position: Vec3, external: ExternalForces<'_>) -> WallIntegral {
        self.integrals.as_ref().map_or_else(WallIntegral::default, |integrals| integrals.wall_integral(position, external))
    }

    /// Computes the wall integrals of all particles; without planes, leaves `wall_integrals` as it is.
    pub(crate) fn integrate_all(
        &self,
        positions: &[Vec3],
        external: ExternalForces<'_>,
        wall_integrals: &mut Vec<WallIntegral>,
    ) {
        if self.integrals.is_some() {
            sweep::map(positions.len(), wall_integrals, |i| self.wall_integral(positions[i], external));
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.integrals.as_ref().map_or(0, |Integrals { containers, layers, .. }| held(containers) + layers.memory())
    }

    /// True if `position` (m) is in a container with a floor.
    pub(crate) fn has_floor(&self, position: Vec3) -> bool {
        let container = self.integrals.as_ref().and_then(|integrals| integrals.container_of(position));
        container.is_some_and(|container| container.faces.contains(Face::YMin))
    }

    /// Relative density λ of the wall at `position` (m).
    pub fn density(&self, position: Vec3) -> f32 {
        self.wall_integral(position, ExternalForces::NONE).density
    }
}

impl Integrals {
    fn wall_integral(&self, position: Vec3, external: ExternalForces<'_>) -> WallIntegral {
        let Self { axes, support_radius, ref layers, .. } = *self;
        let Some(container) = self.container_of(position) else { return WallIntegral::default() };
        // Walls in reach: axis, normal into the fluid, distance in support radii. At most one for each axis, as containers are
        // wider than two support radii.
        let (mut near, mut count) = ([(0, 0.0, 0.0); 3], 0);
        for axis in 0..axes {
            for (face, normal, room) in [
                (Face::ALL[2 * axis], 1.0, position[axis] - container.min[axis]),
                (Face::ALL[2 * axis + 1], -1.0, container.max[axis] - position[axis]),
            ] {
                let distance = (room / support_radius).max(0.0);
                if distance < 1.0 && container.faces.contains(face) {
                    near[count] = (axis, normal, distance);
                    count += 1;
                    break;
                }
            }
        }
        if count == 0 {
            return WallIntegral::default();
        }
        let gamma = external.balanced_at(position);
        let mut wall_integral = WallIntegral { rise: 0.5 * support_radius * gamma.length(), ..WallIntegral::default() };
        // Inclusion–exclusion over all sets of planes, so that the region behind several of them counts once.
        for set in 1..1u8 << count {
            let (mut planes, mut size) = ([(0, 0.0); 3], 0);
            let mut distances = [0.0; 3];
            for (number, &(axis, normal, distance)) in near[..count].iter().enumerate() {
                if set >> number & 1 == 1 {
                    (planes[size], distances[size]) = ((axis, normal), distance);
                    size += 1;
                }
            }
            let sums = layers.behind(&distances[..size]);
            let sign = if size.is_multiple_of(2) { -1.0 } else { 1.0 };
            wall_integral.add(sign, (&planes[..size], axes), (&sums, support_radius), gamma);
        }
        wall_integral
    }

    /// Container of a position (m). Beyond an open face, walls extend by a support radius, as layers do. Positions up to a
    /// quarter of that behind a wall, which particles do not reach but predictions of a solver may, also belong to the
    /// container.
    fn container_of(&self, position: Vec3) -> Option<&Container> {
        let within = |container: &Container, [behind, beyond]: [f32; 2]| {
            (0..self.axes).all(|axis| {
                let [low, high] = [Face::ALL[2 * axis], Face::ALL[2 * axis + 1]]
                    .map(|face| if container.faces.contains(face) { behind } else { beyond });
                (container.min[axis] - low..=container.max[axis] + high).contains(&position[axis])
            })
        };
        let find = |slack| self.containers.iter().find(move |container| within(container, slack));
        find([0.0; 2]).or_else(|| find([0.25 * self.support_radius, self.support_radius]))
    }
}

impl WallIntegral {
    /// Adds the sums behind some planes, which are given by axis and normal into the fluid.
    fn add(&mut self, sign: f32, (planes, axes): (&[(usize, f32)], usize), (sums, support_radius): (&Sums, f32), gamma: Vec3) {
        self.density += sign * sums.density;
        // Along axes without a plane, ∫ r ∂W/∂r is −∫ W.
        let mut moments = sums.density * Mat3::IDENTITY;
        for (a, &(i, n_i)) in planes.iter().enumerate() {
            self.gradient[i] -= sign * n_i * sums.slopes[a] / support_radius;
            for (b, &(j, n_j)) in planes.iter().enumerate() {
                moments.col_mut(i)[j] = n_i * n_j * sums.moments[a][b];
            }
        }
        self.hydrostatic += sign * (moments * gamma);
        self.filling += sign * (0..axes).map(|axis| moments.col(axis)[axis]).sum::<f32>();
    }

    /// Pressure force of the wall, N/m³: `−∫ (p + p_wall) ∇W` for fluid of `density` (kg/m³, or 1 for pressures in m²/s²), with
    /// p = `own` (Pa). At the particle p_wall is `continued` (Pa); one-sided walls have p_wall = 0. [`WallPressure::Mls`] is
    /// the same as [`WallPressure::Extrapolated`], because the gradient is known here.
    ///
    /// With `bears`, p_wall is hydrostatic: it rises by ρ γ·r. The rise is scaled down with `continued` where that is less than
    /// the hydrostatic pressure of half a support radius, so that fluid without pressure gets no force.
    #[inline]
    pub fn push(&self, walls: WallPressure, (own, continued): (f32, f32), density: f32, bears: bool) -> Vec3 {
        if walls == WallPressure::OneSided {
            return -own * self.gradient;
        }
        let uniform = -(own + continued) * self.gradient;
        let rise = density * self.rise;
        if !bears || rise <= 0.0 {
            return uniform;
        }
        let fade = (continued / rise).clamp(0.0, 1.0);
        uniform - density * fade * self.hydrostatic
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::BoundaryParticles;
    use crate::kernel::{Kernel, SmoothingKernel};
    use crate::parameters::{Dimensions, KernelKind, WallSampling};
    use crate::space::{Domain, lattice_sum};

    // Analytic walls against the layers of particles that they replace.

    const SPACING: f32 = 0.1;

    /// External acceleration γ, along none of the axes, m/s².
    const GRAVITY: Vec3 = Vec3::new(3.0, -9.0, 2.0);

    fn discretization(dimensions: Dimensions, kernel: KernelKind, ratio: f32) -> Discretization {
        Discretization { dimensions, particle_spacing: SPACING, kernel, support_radius: ratio * SPACING, rest_density: 1000.0 }
    }

    /// A box from 0 to 1 without a lid.
    fn tank() -> Container {
        let faces = Face::ALL.into_iter().filter(|&face| face != Face::YMax).collect();
        Container { max: Vec3::ONE, faces, ..Container::default() }
    }

    fn planes(discretization: &Discretization) -> Planes {
        Planes::new(discretization, vec![tank()])
    }

    /// Sums over layers of particles around the tank: Σ V W, Σ V ∇W and Σ V (γ·r) ∇W.
    fn layers(discretization: &Discretization, position: Vec3, gravity: Vec3) -> (f32, Vec3, Vec3) {
        let Discretization { kernel, dimensions, support_radius, .. } = *discretization;
        let volume = discretization.particle_volume() / lattice_sum(discretization);
        let mut particles = BoundaryParticles::default();
        tank().sample(discretization, (&Domain::default(), WallSampling::Layers), volume, &mut particles);
        let kernel = Kernel::new(kernel, dimensions, support_radius);
        let (mut density, mut gradient, mut hydrostatic) = (0.0, Vec3::ZERO, Vec3::ZERO);
        for r in particles.positions.iter().map(|other| *other - position).filter(|r| r.length() < support_radius) {
            let grad_w = volume * kernel.grad_w(-r);
            density += volume * kernel.w(r.length());
            gradient += grad_w;
            hydrostatic += gravity.dot(r) * grad_w;
        }
        (density, gradient, hydrostatic)
    }

    const CASES: [(Dimensions, KernelKind, f32); 6] = [
        (Dimensions::Two, KernelKind::CubicSpline, 2.0),
        (Dimensions::Two, KernelKind::WendlandC2, 3.0),
        (Dimensions::Two, KernelKind::WendlandC4, 3.0),
        (Dimensions::Three, KernelKind::CubicSpline, 2.0),
        (Dimensions::Three, KernelKind::WendlandC2, 2.6),
        (Dimensions::Three, KernelKind::WendlandC2, 3.0),
    ];

    /// Largest differences between planes and layers at `points`: of the density, the gradient (times the support radius) and the
    /// hydrostatic integral (over |γ|).
    fn differences(discretization: &Discretization, points: &[Vec3]) -> [f32; 3] {
        let planes = planes(discretization);
        let flat = |position: Vec3| if discretization.dimensions == Dimensions::Two { position.with_z(0.0) } else { position };
        let gravity = flat(GRAVITY);
        points.iter().fold([0.0; 3], |[a, b, c], &position| {
            let position = flat(position);
            let wall_integral = planes.wall_integral(position, ExternalForces::new(gravity, &[], 0.0, &Domain::default()));
            let (density, gradient, hydrostatic) = layers(discretization, position, gravity);
            [
                a.max((wall_integral.density - density).abs()),
                b.max((wall_integral.gradient - gradient).length() * discretization.support_radius),
                c.max((wall_integral.hydrostatic - hydrostatic).length() / gravity.length()),
            ]
        })
    }

    /// Lattice point in this column, row and slice, m.
    fn lattice(column: u8, row: u8, slice: u8) -> Vec3 {
        (Vec3::new(column.into(), row.into(), slice.into()) + 0.5) * SPACING
    }

    #[test]
    fn planes_agree_with_layers_beside_one_plane() {
        for (dimensions, kernel, ratio) in CASES {
            let discretization = discretization(dimensions, kernel, ratio);
            let points =
                [lattice(5, 0, 5), lattice(5, 1, 5), lattice(5, 2, 5), lattice(0, 5, 5), lattice(9, 5, 5), lattice(8, 5, 5)];
            let [density, gradient, hydrostatic] = differences(&discretization, &points);
            assert!(
                density < 1e-3 && gradient < 1e-2 && hydrostatic < 2e-2,
                "{kernel:?} {ratio}: {density} {gradient} {hydrostatic}"
            );
        }
    }

    #[test]
    fn planes_agree_roughly_with_layers_in_edges_and_corners() {
        for (dimensions, kernel, ratio) in CASES {
            let discretization = discretization(dimensions, kernel, ratio);
            let mut points = vec![lattice(0, 0, 5), lattice(1, 0, 5), lattice(1, 1, 5), lattice(9, 0, 5), lattice(8, 1, 5)];
            points.extend([lattice(0, 0, 0), lattice(1, 0, 0), lattice(1, 1, 1), lattice(9, 0, 9), lattice(8, 1, 0)]);
            let [density, gradient, hydrostatic] = differences(&discretization, &points);
            assert!(
                density < 2e-2 && gradient < 0.1 && hydrostatic < 0.1,
                "{kernel:?} {ratio}: {density} {gradient} {hydrostatic}"
            );
        }
    }

    /// Off the lattice points, the sums of layers depend on the position along the plane; those of planes are their mean.
    #[test]
    fn planes_are_the_mean_of_layers() {
        for (dimensions, kernel, ratio) in CASES {
            let discretization = discretization(dimensions, kernel, ratio);
            let planes = planes(&discretization);
            for height in [0.02, 0.08, 0.1, 0.15] {
                let (mut density, mut gradient) = (0.0, Vec3::ZERO);
                for n in 0..64u8 {
                    let z = if dimensions == Dimensions::Two { 0.0 } else { 0.5 + SPACING * f32::from(n / 8) / 8.0 };
                    let position = Vec3::new(0.5 + SPACING * f32::from(n % 8) / 8.0, height, z);
                    let sums = layers(&discretization, position, Vec3::ZERO);
                    density += sums.0 / 64.0;
                    gradient += sums.1 / 64.0;
                }
                let wall_integral = planes.wall_integral(
                    Vec3::new(0.5, height, if dimensions == Dimensions::Two { 0.0 } else { 0.5 }),
                    ExternalForces::NONE,
                );
                let error = (wall_integral.gradient - gradient).length() * discretization.support_radius;
                assert!(
                    (wall_integral.density - density).abs() < 1e-2 && error < 8e-2,
                    "{dimensions:?} {kernel:?} {ratio} {height}: {wall_integral:?}"
                );
            }
        }
    }

    #[test]
    fn density_is_zero_at_open_faces_and_in_the_middle() {
        let discretization = discretization(Dimensions::Three, KernelKind::CubicSpline, 2.0);
        let planes = planes(&discretization);
        for position in [Vec3::splat(0.5), Vec3::new(0.5, 0.99, 0.5), Vec3::new(0.5, 3.0, 0.5), Vec3::new(-0.5, 0.5, 0.5)] {
            assert_eq!(planes.density(position), 0.0, "{position}");
        }
        // Above the open face the wall extends by a support radius, as layers do.
        assert!(planes.density(Vec3::new(0.05, 1.1, 0.5)) > 0.1);
        assert_eq!(Planes::default().density(Vec3::ZERO), 0.0);
    }

    /// Predicted positions of a solver may lie a little behind a wall.
    #[test]
    fn density_a_little_behind_a_wall_is_that_at_the_wall() {
        let discretization = discretization(Dimensions::Three, KernelKind::CubicSpline, 2.0);
        let planes = planes(&discretization);
        let at = planes.density(Vec3::new(0.5, 0.0, 0.5));
        assert!(at > 0.3, "{at}");
        assert_eq!(planes.density(Vec3::new(0.5, -0.04, 0.5)), at);
    }

    #[test]
    fn wall_pressure_is_hydrostatic_and_zero_for_fluid_without_pressure() {
        let discretization = discretization(Dimensions::Two, KernelKind::WendlandC2, 3.0);
        let external = ExternalForces::new(Vec3::new(0.0, -9.75, 0.0), &[], 0.0, &Domain::default());
        let wall_integral = planes(&discretization).wall_integral(Vec3::new(0.05, 0.5, 0.0), external);
        assert_eq!(wall_integral.push(WallPressure::Extrapolated, (0.0, 0.0), 1000.0, true), Vec3::ZERO);
        let one_sided = wall_integral.push(WallPressure::OneSided, (50.0, 50.0), 1000.0, true);
        assert_eq!(wall_integral.push(WallPressure::Extrapolated, (50.0, 50.0), 1000.0, false), 2.0 * one_sided);
        // Along a vertical wall, the acceleration is that part of g that the wall is of the neighbourhood: λ g.
        let acceleration = wall_integral.push(WallPressure::Extrapolated, (1e4, 1e4), 1000.0, true).y / 1000.0;
        assert!((acceleration - 9.75 * wall_integral.density).abs() < 1e-3, "{acceleration}");
    }
}
