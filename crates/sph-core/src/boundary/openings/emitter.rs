//! Emitters: apertures through which fluid comes in.

use super::OpeningError;
use super::schedule::Schedule;
use crate::parameters::{Dimensions, Discretization};
use glam::{Vec2, Vec3};

/// Largest number of particles that an emitter adds at once.
const MAX_SHEET: u64 = 1_000_000;

/// Shape of an emitter's opening, across its direction. In two dimensions both are slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aperture {
    /// A disc.
    Round {
        /// Radius, m.
        radius: f32,
    },
    /// A rectangle.
    Rectangle {
        /// Width and height, m. The width is horizontal; of an emitter along y, it is along x. Two dimensions have no height.
        size: Vec2,
    },
}

/// Amount of fluid that comes out.
#[derive(Clone, Debug, PartialEq)]
pub enum Rate {
    /// Speed of the fluid, m/s.
    Speed(Schedule),
    /// Volume a second, m³/s (m²/s in two dimensions).
    Flow(Schedule),
}

/// An emitter: an opening out of which fluid comes in sheets of particles, a spacing apart.
///
/// Over the first support radius after the opening the fluid keeps the emitter's velocity, as it would in the end of a pipe; while the speed is
/// zero it is let go. Places in which fluid stands already stay empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitter {
    /// Middle of the opening, m.
    pub center: Vec3,
    /// Direction of the flow; its length does not matter.
    pub direction: Vec3,
    /// Shape of the opening.
    pub aperture: Aperture,
    /// Speed or flow.
    pub rate: Rate,
    /// Index of the fluid in [`Setup::fluids`](crate::Setup::fluids); 0 if there is one.
    pub fluid: usize,
}

impl Emitter {
    /// Checks the numbers of the emitter.
    pub(crate) fn validate(&self, discretization: &Discretization) -> Result<(), OpeningError> {
        let direction = self.direction.length();
        let planar = discretization.dimensions == Dimensions::Three || self.direction.z == 0.0;
        if !(self.center.is_finite() && direction.is_finite() && direction > 0.0 && planar) {
            return Err(OpeningError::Direction);
        }
        let sizes = match self.aperture {
            Aperture::Round { radius } => [radius; 2],
            Aperture::Rectangle { size } if discretization.dimensions == Dimensions::Two => [size.x; 2],
            Aperture::Rectangle { size } => size.to_array(),
        };
        if !sizes.iter().all(|size| *size > 0.0 && size.is_finite()) {
            return Err(OpeningError::Aperture);
        }
        let cells = sizes.iter().take(discretization.dimensions.count() - 1);
        let count = cells.map(|size| 2.0 * f64::from(size / discretization.particle_spacing) + 1.0).product::<f64>();
        if count > MAX_SHEET as f64 {
            return Err(OpeningError::TooWide { limit: MAX_SHEET });
        }
        let (Rate::Speed(schedule) | Rate::Flow(schedule)) = &self.rate;
        if schedule.is_negative() { Err(OpeningError::Rate) } else { Ok(()) }
    }

    /// Highest speed at any time, m/s.
    pub(crate) fn top_speed(&self, discretization: &Discretization) -> f32 {
        match &self.rate {
            Rate::Speed(speed) => speed.largest() as f32,
            Rate::Flow(flow) => (flow.largest() / self.area(discretization)) as f32,
        }
    }

    /// Places of a sheet's particles relative to the centre, in the plane of the opening, m.
    pub(super) fn sheet(&self, discretization: &Discretization) -> Vec<Vec3> {
        let spacing = discretization.particle_spacing;
        let [across, up] = self.axes(discretization.dimensions);
        let line = |length: f32| {
            let count = (length / spacing).round().max(1.0) as u32;
            (0..count).map(move |n| spacing * (n as f32 - 0.5 * (count - 1) as f32))
        };
        let size = match self.aperture {
            Aperture::Round { radius } => Vec2::splat(2.0 * radius),
            Aperture::Rectangle { size } => size,
        };
        let rows: Vec<f32> = if discretization.dimensions == Dimensions::Two { vec![0.0] } else { line(size.y).collect() };
        let places = rows.into_iter().flat_map(|y| line(size.x).map(move |x| Vec2::new(x, y)));
        let inside = |place: &Vec2| match self.aperture {
            Aperture::Round { radius } => place.length() <= radius.max(spacing),
            Aperture::Rectangle { .. } => true,
        };
        places.filter(inside).map(|place| place.x * across + place.y * up).collect()
    }

    /// Area that a sheet's particles stand for, m² (m in two dimensions): the speed follows from it, so that the flow is exact.
    pub(super) fn area(&self, discretization: &Discretization) -> f64 {
        let across = discretization.dimensions.count() as i32 - 1;
        self.sheet(discretization).len() as f64 * f64::from(discretization.particle_spacing).powi(across)
    }

    /// Direction of the flow, of length 1.
    pub(super) fn unit(&self) -> Vec3 {
        self.direction.normalize_or_zero()
    }

    /// Axes of the opening's width and height: the width is in the plane of the scene, or horizontal, or along x.
    pub(super) fn axes(&self, dimensions: Dimensions) -> [Vec3; 2] {
        plane_axes(self.unit(), dimensions)
    }
}

/// Axes of the width and the height of an opening across `direction`, a unit vector: the width is in the plane of the scene, or horizontal, or
/// along x.
pub(crate) fn plane_axes(direction: Vec3, dimensions: Dimensions) -> [Vec3; 2] {
    match dimensions {
        Dimensions::Two => [Vec3::new(direction.y, -direction.x, 0.0), Vec3::Z],
        Dimensions::Three => {
            let across = direction.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
            [across, across.cross(direction)]
        }
    }
}
