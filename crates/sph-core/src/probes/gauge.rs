//! Pressure gauges: instruments of finite size and finite rate.

use super::field::pressure_at;
use crate::boundary::Face;
use crate::parameters::Dimensions;
use crate::simulation::View;
use glam::Vec3;

/// Points along the diameter of a gauge at which its pressure is read.
const POINTS: u32 = 5;

/// Size and rate of a pressure gauge. The default is a point that reads at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gauge {
    /// Face of the tank whose wall the gauge is let into: its disc lies in that plane.
    pub face: Option<Face>,
    /// Diameter of the disc, m, in two dimensions the length of a line; 0 for a point.
    pub diameter: f32,
    /// Index of the container that the gauge moves with; `None` for a gauge that is fixed in space.
    pub container: Option<usize>,
    /// Averaging time, s: a reading is the mean over this time up to now. 0 for the present pressure.
    pub averaging: f32,
}

impl Gauge {
    /// Mean of [`pressure_at`] over the gauge, with its middle at `at` (m) at time 0, Pa. A part of the gauge that is dry counts
    /// as 0; `None` if all of it is dry.
    pub fn read(self, fluid: &View<'_>, at: Vec3) -> Option<f64> {
        let pose = self.container.and_then(|index| fluid.containers.get(index)).map(|tank| tank.motion.pose(fluid.time));
        let place = |start: Vec3| pose.map_or(start, |pose| pose.point(start.as_dvec3()).as_vec3());
        let (mut sum, mut count, mut is_wet) = (0.0, 0u32, false);
        self.points(fluid.discretization.dimensions, |offset| {
            let pressure = pressure_at(fluid, place(at + offset));
            sum += pressure.unwrap_or(0.0);
            count += 1;
            is_wet |= pressure.is_some();
        });
        is_wet.then(|| sum / f64::from(count))
    }

    /// Label of its readings, such as `disc_4.2mm.mean_10ms`; empty for a point that reads at once.
    pub fn label(self) -> String {
        let thousandths = |value: f32| (1e6 * f64::from(value)).round() / 1e3;
        let disc = (self.diameter > 0.0).then(|| format!("disc_{}mm", thousandths(self.diameter)));
        let mean = (self.averaging > 0.0).then(|| format!("mean_{}ms", thousandths(self.averaging)));
        disc.into_iter().chain(mean).collect::<Vec<_>>().join(".")
    }

    /// Calls `visit` with the offset of every point from the middle, m: a square lattice cut to the disc.
    fn points(self, dimensions: Dimensions, mut visit: impl FnMut(Vec3)) {
        let Some(face) = self.face.filter(|_| self.diameter > 0.0) else { return visit(Vec3::ZERO) };
        let (first, second) = face.tangents(dimensions);
        let place = |n: u32| self.diameter * ((n as f32 + 0.5) / POINTS as f32 - 0.5);
        let across = if second.is_some() { POINTS } else { 1 };
        for m in 0..across {
            for n in 0..POINTS {
                let offset = place(n) * first + second.map_or(Vec3::ZERO, |second| place(m) * second);
                if offset.length() <= 0.5 * self.diameter {
                    visit(offset);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(gauge: Gauge, dimensions: Dimensions) -> Vec<Vec3> {
        let mut points = Vec::new();
        gauge.points(dimensions, |offset| points.push(offset));
        points
    }

    #[test]
    fn points_fill_the_disc_in_the_plane_of_the_face() {
        let gauge = Gauge { face: Some(Face::XMax), diameter: 2.0, ..Gauge::default() };
        let plane = offsets(gauge, Dimensions::Two);
        assert_eq!(plane.len(), 5);
        assert!(plane.iter().zip([-0.8, -0.4, 0.0, 0.4, 0.8]).all(|(point, y)| (point.y - y).abs() < 1e-6), "{plane:?}");
        let space = offsets(gauge, Dimensions::Three);
        assert_eq!(space.len(), 21, "25 less the corners");
        assert!(space.iter().chain(&plane).all(|point| point.x == 0.0 && point.length() <= 1.0));
        assert!(space.iter().copied().sum::<Vec3>().length() < 1e-5, "the middle is the middle");
        // The second moment of a uniform disc is d²/16.
        let moment = space.iter().map(|point| point.y * point.y).sum::<f32>() / space.len() as f32;
        assert!((moment / 0.25 - 1.0).abs() < 0.2, "{moment}");
        assert_eq!(offsets(Gauge::default(), Dimensions::Three), [Vec3::ZERO]);
    }

    #[test]
    fn the_label_says_size_and_time() {
        assert_eq!(Gauge::default().label(), "");
        let gauge = Gauge { face: Some(Face::XMax), diameter: 0.0042, averaging: 0.01, ..Gauge::default() };
        assert_eq!(gauge.label(), "disc_4.2mm.mean_10ms");
    }
}
