//! Values of particles that the user follows, over time.

use super::readings::{Throttle, new_throttle};
use super::{Curve, Readings};
use glam::Vec3;
use rayon::prelude::*;
use sph_core::View;
use sph_core::probes::Reading;

/// Most particles that are followed.
pub const MAX_FOLLOWED: usize = 12;

/// A quantity of a particle that can be plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParticleQuantity {
    /// Magnitude of the velocity, m/s.
    Speed,
    /// Density, kg/m³.
    Density,
    /// Pressure, Pa.
    Pressure,
    /// Height y, m.
    Height,
    /// Coordinate x, m.
    X,
    /// Coordinate z, m.
    Z,
    /// Particles closer than the support radius.
    Neighbors,
}

impl ParticleQuantity {
    /// Every quantity.
    pub const ALL: [Self; 7] = [Self::Speed, Self::Density, Self::Pressure, Self::Height, Self::X, Self::Z, Self::Neighbors];

    /// Name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Speed => "Speed",
            Self::Density => "Density",
            Self::Pressure => "Pressure",
            Self::Height => "Height y",
            Self::X => "Position x",
            Self::Z => "Position z",
            Self::Neighbors => "Neighbours",
        }
    }

    /// Unit; quantities that share one are plotted together.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Speed => "m/s",
            Self::Density => "kg/m³",
            Self::Pressure => "Pa",
            Self::Height | Self::X | Self::Z => "m",
            Self::Neighbors => "",
        }
    }

    /// Value of the particle at this index of `fluid`.
    fn of(self, fluid: &View<'_>, index: usize) -> f64 {
        let particles = fluid.particles;
        let position = particles.positions[index];
        match self {
            Self::Speed => particles.velocities[index].length().into(),
            Self::Density => particles.densities[index].into(),
            Self::Pressure => particles.pressures[index].into(),
            Self::Height => position.y.into(),
            Self::X => position.x.into(),
            Self::Z => position.z.into(),
            Self::Neighbors => {
                let radius = fluid.discretization.support_radius;
                let is_near = |other: &&Vec3| fluid.minimum_image(position, **other).length_squared() < radius * radius;
                // Itself is none.
                (particles.positions.par_iter().filter(is_near).count() - 1) as f64
            }
        }
    }
}

/// Particles that are followed by their ids, and their values since they were chosen.
#[derive(Debug)]
pub(in crate::session) struct Followed {
    ids: Vec<u32>,
    readings: Readings,
    throttle: Throttle,
}

impl Default for Followed {
    fn default() -> Self {
        Self { ids: Vec::new(), readings: Readings::default(), throttle: new_throttle() }
    }
}

impl Followed {
    /// Follows the first of `ids`; those that were followed before keep their values.
    pub(in crate::session) fn follow(&mut self, ids: &[u32]) {
        let ids: Vec<u32> = ids.iter().copied().take(MAX_FOLLOWED).collect();
        let width = ParticleQuantity::ALL.len();
        let curves = ids.iter().flat_map(|id| {
            ParticleQuantity::ALL
                .map(|quantity| Reading { label: format!("{} of {id}", quantity.label()), unit: quantity.unit() })
        });
        let curves = curves.enumerate().map(|(index, reading)| Curve { reading, index }).collect();
        let before = |curve: usize| {
            let place = self.ids.iter().position(|id| *id == ids[curve / width])?;
            Some(place * width + curve % width)
        };
        self.readings = self.readings.rearranged(curves, before);
        self.ids = ids;
        self.throttle.reset();
    }

    /// Reads the particles, if it is time to; one that has left the fluid has no values.
    pub(in crate::session) fn sample(&mut self, fluid: &View<'_>) {
        let Self { ids, readings, throttle } = self;
        if ids.is_empty() || readings.has(fluid.time) {
            return;
        }
        throttle.attempt(|| {
            let places = ids.iter().map(|id| fluid.particles.ids.par_iter().position_any(|other| other == id));
            let values =
                places.flat_map(|place| ParticleQuantity::ALL.map(|quantity| place.map(|index| quantity.of(fluid, index))));
            readings.add(fluid.time, &values.collect::<Vec<_>>());
        });
    }

    /// Forgets what was read after `time`, s.
    pub(in crate::session) fn forget_after(&mut self, time: f64) {
        self.readings.forget_after(time);
    }

    /// The particles.
    pub(in crate::session) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// What has been read: for each particle, the quantities in the order of [`ParticleQuantity::ALL`].
    pub(in crate::session) fn readings(&self) -> &Readings {
        &self.readings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::probes::Vicinity;
    use sph_core::{Engine as _, Simulation};

    /// A drop; with a period the layers at both ends are neighbours.
    fn fluid(periodic: bool) -> Simulation {
        let domain = "[domain]\nmin = [0.0, -1.0]\nmax = [1.0, 2.0]\nperiodic = [\"x\"]\n";
        let text = format!(
            "format = 1\ndimensions = 2\n{}[particles]\nspacing = 0.1\nsupport_radius = 2.3\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n",
            if periodic { domain } else { "" }
        );
        let scene = sph_io::parse(&text, "drop", &[]).unwrap_or_else(|error| panic!("{}", error.report(false)));
        Simulation::new(&scene.setup).expect("the scene can be simulated")
    }

    #[test]
    fn neighbors_are_those_of_the_search() {
        for periodic in [false, true] {
            let mut simulation = fluid(periodic);
            simulation.step();
            let fluid = simulation.view();
            let (mut vicinity, mut expected) = (Vicinity::default(), Vec::new());
            vicinity.update(&fluid).expect("the grid covers the fluid");
            vicinity.counts(&fluid, &mut expected);
            let counts = (0..fluid.particles.len()).map(|index| ParticleQuantity::Neighbors.of(&fluid, index) as f32);
            assert_eq!(counts.collect::<Vec<_>>(), expected, "periodic: {periodic}");
        }
    }

    #[test]
    fn a_particle_keeps_its_values_until_it_leaves() {
        let mut simulation = fluid(false);
        let mut followed = Followed::default();
        followed.follow(&[7, 999]);
        followed.throttle = Throttle::new(0);
        followed.sample(&simulation.view());
        simulation.step();
        followed.sample(&simulation.view());
        let speeds = |followed: &Followed, rank: usize| -> Vec<f64> {
            followed.readings().samples(rank * ParticleQuantity::ALL.len()).map(|[_, value]| value).collect()
        };
        let before = speeds(&followed, 0);
        assert!(before.len() == 2 && before[0] == 0.0 && before[1] > 0.0, "{before:?}");
        assert!(speeds(&followed, 1).iter().all(|speed| speed.is_nan()), "there is no such particle");
        followed.follow(&[3, 7]);
        assert_eq!(speeds(&followed, 1), before);
        assert!(speeds(&followed, 0).iter().all(|speed| speed.is_nan()));
        followed.forget_after(0.0);
        assert_eq!(speeds(&followed, 1), before[..1]);
        followed.follow(&(0..100).collect::<Vec<_>>());
        assert_eq!(followed.ids().len(), MAX_FOLLOWED);
    }
}
