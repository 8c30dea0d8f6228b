//! The pressure of the walls, which they have from the fluid.

use super::BoundaryParticles;
use crate::forces::Outside;
use crate::kernel::SmoothingKernel;
use crate::surroundings::Surroundings;
use crate::sweep;
use glam::{Mat3, Vec3};

/// Where walls have their pressure from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WallPressure {
    /// The mean of the fluid in reach, each particle's pressure continued by what holds fluid at the wall (Adami2012, eq. 27).
    #[default]
    Extrapolated,
    /// The linear field that fits the same, its slopes damped by about half (after Band2018, who does not damp them).
    Mls,
    /// None: walls push by the fluid's own pressure alone (Akinci2012). The motion is right, the pressure next to a wall about twice what it
    /// should be.
    OneSided,
}

/// Added to the spread of the fluid next to a boundary particle, in support radii squared, of which a wall's half of a neighbourhood has 0.01 to
/// 0.05: slopes are damped by about half. Undamped (1e-4), the noise of the slopes feeds itself from iteration to iteration of an implicit solver, and
/// a column of still water swells by a sixth.
const DAMPING: f32 = 0.02;

impl WallPressure {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Extrapolated, Self::Mls, Self::OneSided];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Extrapolated => "extrapolated",
            Self::Mls => "mls",
            Self::OneSided => "one_sided",
        }
    }
}

/// `p_b = max(floor, p̄)`, `p̄ = Σ_f q_f W_bf / Σ_f W_bf` with `q_f = p_f + ρ_f (g − a_b)·(x_b − x_f)`, or the value at x_b of the linear field that
/// fits the q_f best; 0 without fluid in reach.
///
/// `state` is pressure and density of particle f, in Pa and kg/m³ or any other units that go together. `outside` has g, m/s², taken half
/// way between the two: with it the gradient that holds fluid at the wall goes on into the wall; without it the lowest row of fluid feels
/// too little support. `None` for pressures that hold nothing, continued as they are. No pressure is below `floor`.
pub(crate) fn extrapolate<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    fluid: &[Vec3],
    walls: &mut BoundaryParticles,
    outside: Option<Outside<'_>>,
    floor: f32,
    state: impl Fn(usize) -> (f32, f32) + Sync + Send,
) {
    extrapolate_to_planes(kernel, around, fluid, &mut walls.at_planes, outside, floor, &state);
    let radius = around.discretization.support_radius;
    let BoundaryParticles { positions, accelerations, pressures, .. } = walls;
    // What fluid particle f says of the pressure at b.
    let continued = |b: usize, f: usize, x_bf: Vec3| {
        let rise = outside.map_or(0.0, |outside| outside.along(fluid[f], x_bf) - accelerations[b].dot(x_bf));
        let (pressure, density) = state(f);
        pressure + density * rise
    };
    match around.parameters.solver.walls {
        WallPressure::OneSided => {
            pressures.clear();
            pressures.resize(positions.len(), 0.0);
        }
        WallPressure::Extrapolated => sweep::map(positions.len(), pressures, |b| {
            let (mut weighted, mut weight) = (0.0, 0.0);
            for &f in around.fluid_of_walls.of(b) {
                let f = f as usize;
                let x_bf = around.between(positions[b], fluid[f]);
                let w = kernel.w(x_bf.length());
                weighted += continued(b, f, x_bf) * w;
                weight += w;
            }
            if weight > 0.0 { (weighted / weight).max(floor) } else { 0.0 }
        }),
        WallPressure::Mls => sweep::map(positions.len(), pressures, |b| {
            let mut fit = Fit::EMPTY;
            for &f in around.fluid_of_walls.of(b) {
                let x_bf = around.between(positions[b], fluid[f as usize]);
                fit.add(kernel.w(x_bf.length()), -x_bf / radius, continued(b, f as usize, x_bf));
            }
            if fit.weight > 0.0 { fit.at_origin(DAMPING).max(floor) } else { 0.0 }
        }),
    }
}

/// The same for walls that are not particles: the mean of the fluid around each particle that touches one, continued to its place. From there
/// [`Touch::push`](super::Touch::push) continues it into the wall, in closed form. The particle's own pressure alone would answer the noise between two rows
/// with as much noise, and shake an implicit solver.
fn extrapolate_to_planes<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    fluid: &[Vec3],
    pressures: &mut Vec<f32>,
    outside: Option<Outside<'_>>,
    floor: f32,
    state: &(impl Fn(usize) -> (f32, f32) + Sync + Send),
) {
    sweep::map(around.touches.len(), pressures, |i| {
        if around.touches[i].density == 0.0 {
            return 0.0;
        }
        let own = kernel.w(0.0);
        let (mut weighted, mut weight) = (own * state(i).0, own);
        for &j in around.fluid.of(i) {
            let j = j as usize;
            let x_ij = around.between(fluid[i], fluid[j]);
            let (pressure, density) = state(j);
            let rise = outside.map_or(0.0, |outside| outside.along(fluid[j], x_ij));
            let w = kernel.w(x_ij.length());
            weighted += w * (pressure + density * rise);
            weight += w;
        }
        if weight > 0.0 { (weighted / weight).max(floor) } else { 0.0 }
    });
}

/// A linear field through weighted values, by least squares.
#[derive(Clone, Copy, Debug)]
struct Fit {
    weight: f32,
    value: f32,
    place: Vec3,
    value_place: Vec3,
    /// Σ w x xᵀ.
    places: Mat3,
}

impl Fit {
    /// Through nothing. Not `Default`: a matrix' default is the identity.
    const EMPTY: Self = Self { weight: 0.0, value: 0.0, place: Vec3::ZERO, value_place: Vec3::ZERO, places: Mat3::ZERO };

    fn add(&mut self, weight: f32, place: Vec3, value: f32) {
        self.weight += weight;
        self.value += weight * value;
        self.place += weight * place;
        self.value_place += weight * value * place;
        self.places += Mat3::from_cols(place.x * place, place.y * place, place.z * place) * weight;
    }

    /// The field at the origin; 0 without values. Where the places do not spread along an axis, as one row along a wall, it has no slope
    /// there: the mean is all that they tell.
    fn at_origin(&self, damping: f32) -> f32 {
        if self.weight <= 0.0 {
            return 0.0;
        }
        let (value, middle) = (self.value / self.weight, self.place / self.weight);
        let square = |v: Vec3| Mat3::from_cols(v.x * v, v.y * v, v.z * v);
        let spread = self.places * (1.0 / self.weight) - square(middle);
        let slope =
            (spread + Mat3::from_diagonal(Vec3::splat(damping))).inverse() * (self.value_place / self.weight - value * middle);
        value - slope.dot(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_field_is_met() {
        let field = |x: Vec3| 3.0 + x.dot(Vec3::new(1.0, -4.0, 0.5));
        let mut fit = Fit::EMPTY;
        for n in 0..40u16 {
            let random = |factor: f32| (f32::from(n) * factor).fract() - 0.5;
            let place = Vec3::new(random(0.819_172_5), 0.6 + 0.5 * random(0.671_043_6), random(0.549_700_5));
            fit.add(1.0 + random(0.3), place, field(place));
        }
        let value = fit.at_origin(1e-6);
        assert!((value - 3.0).abs() < 1e-3, "{value}");
        // Damped, it is between that and the mean, about 0.8.
        let damped = fit.at_origin(DAMPING);
        assert!((1.5..2.5).contains(&damped), "{damped}");
    }

    #[test]
    fn what_does_not_spread_has_no_slope() {
        let mut row = Fit::EMPTY;
        for x in [-0.5, 0.0, 0.5] {
            row.add(1.0, Vec3::new(x, 0.8, 0.0), 7.0 + x);
        }
        assert!((row.at_origin(DAMPING) - 7.0).abs() < 1e-5, "{}", row.at_origin(DAMPING));
        let mut single = Fit::EMPTY;
        single.add(0.3, Vec3::new(0.1, 0.2, 0.3), 5.0);
        assert!((single.at_origin(DAMPING) - 5.0).abs() < 1e-5);
        assert_eq!(Fit::EMPTY.at_origin(DAMPING), 0.0);
    }
}
