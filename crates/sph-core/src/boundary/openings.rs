//! Openings: emitters, by which fluid comes in, and drains, by which it goes out.
//!
//! Both act between two steps, and both guide: fluid just behind an emitter and fluid in a drain with a velocity moves as they say, whatever
//! pushes it. Nothing is remembered but the time of the last exchange: an emitter's sheets are counted by the integral of its
//! speed, so that the flow is right to a sheet after any time, whatever the steps were.

use std::ops::Range;

use super::motion::{MotionError, PiecewiseLinear};
use crate::parameters::{Dimensions, Discretization};
use crate::space::Wrap;
use crate::space::geometry::Solid;
use glam::{Vec2, Vec3};

/// Emitters and drains of a setup, and the number of particles at which emitters stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Openings {
    /// Emitters.
    pub emitters: Vec<Emitter>,
    /// Drains.
    pub drains: Vec<Drain>,
    /// Largest number of fluid particles: emitters hold back what would exceed it. `None`: as many as are possible.
    pub particle_limit: Option<u64>,
}

/// Particles that came and went before a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// Number that emitters added.
    pub emitted: usize,
    /// Number that emitters held back: the limit was reached, or fluid stood in their place.
    pub withheld: usize,
    /// Number that drains removed.
    pub drained: usize,
}

impl Openings {
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.emitters.is_empty() && self.drains.is_empty()
    }

    /// Number of particles that emitters add until `time`, s, if nothing holds them back.
    pub(crate) fn emitted(&self, time: f64, discretization: &Discretization) -> u64 {
        let emitted = |emitter: &Emitter| {
            let inlet = Inlet::new(emitter, discretization);
            inlet.sheets(None, time).end.saturating_mul(inlet.sheet.len() as u64)
        };
        self.emitters.iter().map(emitted).fold(0, u64::saturating_add)
    }

    /// Highest speed of fluid in an opening at any time, m/s.
    pub(crate) fn top_speed(&self, discretization: &Discretization) -> f32 {
        let emitters = self.emitters.iter().map(|emitter| emitter.top_speed(discretization));
        let drains = self.drains.iter().filter_map(|drain| Some(drain.velocity?.length()));
        emitters.chain(drains).fold(0.0, f32::max)
    }
}

// Emitters: apertures through which fluid comes in.

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
        /// Width and height, m. The width is horizontal; for an emitter along y, it is along x. Two dimensions have no height.
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
    fn sheet(&self, discretization: &Discretization) -> Vec<Vec3> {
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
    fn area(&self, discretization: &Discretization) -> f64 {
        let across = discretization.dimensions.count() as i32 - 1;
        self.sheet(discretization).len() as f64 * f64::from(discretization.particle_spacing).powi(across)
    }

    /// Direction of the flow, of length 1.
    fn unit(&self) -> Vec3 {
        self.direction.normalize_or_zero()
    }

    /// Axes of the opening's width and height: the width is in the plane of the scene, or horizontal, or along x.
    fn axes(&self, dimensions: Dimensions) -> [Vec3; 2] {
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

/// A box or a solid that removes the fluid that enters it. With a velocity the fluid moves through it with that, and is removed at the
/// far end: so a channel runs out as fast as it should, and the fluid before the drain feels no fall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drain {
    /// Lowest corner, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// Solid within these corners; `None`: the whole box.
    pub region: Option<Solid>,
    /// Velocity of the fluid in the drain, m/s; `None`: it is removed as it enters.
    pub velocity: Option<Vec3>,
}

impl Drain {
    /// Checks the numbers of the drain.
    pub(crate) fn validate(&self, discretization: &Discretization) -> Result<(), OpeningError> {
        let planar = discretization.dimensions == Dimensions::Two;
        let extents = (self.max - self.min).to_array();
        if !extents.iter().take(discretization.dimensions.count()).all(|extent| *extent > 0.0 && extent.is_finite()) {
            return Err(OpeningError::Box);
        }
        let is_velocity = |velocity: Vec3| velocity.length() > 0.0 && velocity.is_finite() && !(planar && velocity.z != 0.0);
        if self.velocity.is_some_and(|velocity| !is_velocity(velocity)) { Err(OpeningError::Velocity) } else { Ok(()) }
    }

    /// True if a particle at `position` (m) is removed. With a velocity, in the last spacing of its way through.
    pub(crate) fn removes(&self, position: Vec3, discretization: &Discretization) -> bool {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        self.contains(position, dimensions)
            && self
                .velocity
                .is_none_or(|velocity| !self.contains(position + particle_spacing * velocity.normalize_or_zero(), dimensions))
    }

    /// Velocity of a particle at `position` (m), if the drain guides it.
    pub(crate) fn guided(&self, position: Vec3, discretization: &Discretization) -> Option<Vec3> {
        self.velocity.filter(|_| self.contains(position, discretization.dimensions))
    }

    fn contains(&self, position: Vec3, dimensions: Dimensions) -> bool {
        let inside = position.cmpge(self.min) & position.cmplt(self.max);
        let in_box = inside.x && inside.y && (inside.z || dimensions == Dimensions::Two);
        in_box && self.region.as_ref().is_none_or(|solid| solid.contains(position))
    }
}

/// A number over time: linear between its points, constant before the first and after the last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule(PiecewiseLinear<f64>);

impl Schedule {
    /// The same number at all times.
    ///
    /// # Errors
    /// It is not finite.
    pub fn constant(value: f64) -> Result<Self, MotionError> {
        Self::through([(0.0, value)])
    }

    /// Schedule through points: times (s), and the numbers then.
    ///
    /// # Errors
    /// A time is not after the one before it, or a number is not finite.
    pub fn through(points: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, MotionError> {
        Ok(Self(PiecewiseLinear::through(points)?))
    }

    /// Number at `time`, s.
    pub fn at(&self, time: f64) -> f64 {
        self.0.velocity(time)
    }

    /// Integral from time 0 to `time`, s: exact up to rounding.
    pub fn integral(&self, time: f64) -> f64 {
        self.0.displacement(time)
    }

    /// Largest absolute value at any time.
    pub fn largest(&self) -> f64 {
        self.0.top_speed()
    }

    /// True if it is below 0 at some time.
    pub fn is_negative(&self) -> bool {
        self.0.values().any(|value| value < 0.0)
    }
}

/// Reason why an emitter or a drain is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// An emitter's centre or direction.
    #[error("its centre is not finite, or its direction is zero or not within the plane")]
    Direction,
    /// An emitter's radius or size.
    #[error("its opening has no area")]
    Aperture,
    /// An emitter's opening is too wide for its particles.
    #[error("its opening is wider than {limit} particles")]
    TooWide {
        /// Largest number of particles.
        limit: u64,
    },
    /// An emitter's speed or flow.
    #[error("its speed is below 0 or too high at some time")]
    Rate,
    /// An emitter's fluid.
    #[error("its fluid is not in the table of fluids")]
    Fluid,
    /// A drain's corners.
    #[error("its box has no volume")]
    Box,
    /// A drain's velocity.
    #[error("its velocity is 0, too high or not within the plane")]
    Velocity,
}

/// Emitters and drains, prepared for a discretisation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inflow {
    pub inlets: Vec<Inlet>,
    pub drains: Vec<Drain>,
    pub particle_limit: Option<u64>,
    /// Numbers of particles that came and went before the present step.
    pub exchange: Exchange,
}

impl Inflow {
    pub fn new(openings: &Openings, discretization: &Discretization) -> Self {
        let Openings { emitters, drains, particle_limit } = openings;
        Self {
            inlets: emitters.iter().map(|emitter| Inlet::new(emitter, discretization)).collect(),
            drains: drains.clone(),
            particle_limit: *particle_limit,
            exchange: Exchange::default(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.inlets.is_empty() && self.drains.is_empty()
    }
}

// Inlets: emitters as they run, with the places of their particles worked out.

/// An emitter in a discretisation.
#[derive(Clone, Debug)]
pub(crate) struct Inlet {
    center: Vec3,
    /// Direction of the flow, and of the opening's width and height, each of length 1.
    axes: [Vec3; 3],
    aperture: Aperture,
    schedule: Schedule,
    /// Speed of a schedule's 1: 1 for a speed, one over the area of a sheet for a flow.
    scale: f64,
    /// Places of a sheet's particles relative to the centre, m.
    pub sheet: Vec<Vec3>,
    /// Particle spacing, m.
    spacing: f32,
    /// Distance over which the fluid is guided, m.
    reach: f32,
    /// Index of the fluid.
    pub fluid: usize,
}

impl Inlet {
    pub fn new(emitter: &Emitter, discretization: &Discretization) -> Self {
        let [across, up] = emitter.axes(discretization.dimensions);
        let (schedule, scale) = match &emitter.rate {
            Rate::Speed(speed) => (speed, 1.0),
            Rate::Flow(flow) => (flow, emitter.area(discretization).recip()),
        };
        Self {
            center: emitter.center,
            axes: [emitter.unit(), across, up],
            aperture: emitter.aperture,
            schedule: schedule.clone(),
            scale,
            sheet: emitter.sheet(discretization),
            spacing: discretization.particle_spacing,
            reach: discretization.support_radius,
            fluid: emitter.fluid,
        }
    }

    /// Velocity of the fluid at `time` (s), m/s.
    pub fn velocity(&self, time: f64) -> Vec3 {
        (self.scale * self.schedule.at(time)) as f32 * self.axes[0]
    }

    /// Numbers of the sheets that come out after `from` (s; `None`: from the beginning on) until `to`. Each stands for a spacing's
    /// length of fluid, and comes out when the first half of it has.
    pub fn sheets(&self, from: Option<f64>, to: f64) -> Range<u64> {
        let until = |time: f64| (self.moved(time) / f64::from(self.spacing) + 0.5).floor() as u64;
        from.map_or(0, until)..until(to)
    }

    /// Middle of sheet `number` at `time` (s), m.
    pub fn place(&self, number: u64, time: f64) -> Vec3 {
        let ahead = self.moved(time) - (number as f64 + 0.5) * f64::from(self.spacing);
        self.center + ahead as f32 * self.axes[0]
    }

    /// True if the fluid at `position` (m) has just come out, so that its velocity is the inlet's.
    pub fn guides(&self, position: Vec3, wrap: &Wrap) -> bool {
        let [along, across, up] = self.axes.map(|axis| wrap.minimum_image(position, self.center).dot(axis));
        let slack = 0.5 * self.spacing;
        let is_inside = match self.aperture {
            Aperture::Round { radius } => across.hypot(up) <= radius + slack,
            Aperture::Rectangle { size } => across.abs() <= 0.5 * size.x + slack && up.abs() <= 0.5 * size.y + slack,
        };
        // In two dimensions `up` is 0, and the height of no account.
        is_inside && (-slack..self.reach).contains(&along)
    }

    /// True if sheets that come out now can be touched by fluid at `position`, m.
    pub fn is_near(&self, position: Vec3, wrap: &Wrap) -> bool {
        let along = wrap.minimum_image(position, self.center).dot(self.axes[0]);
        along.abs() <= self.reach
    }

    /// Distance that the fluid has moved until `time` (s), m.
    fn moved(&self, time: f64) -> f64 {
        self.scale * self.schedule.integral(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Dimensions, Discretization};
    use crate::space::geometry::{Axis, Shape, ShapeKind, Solid};
    use crate::space::{Domain, Wrap};
    use glam::{Vec2, Vec3};

    // The flow of emitters against its integral, and the geometry of openings.

    fn discretization() -> Discretization {
        Discretization::new(Dimensions::Three, 0.02)
    }

    fn emitter(aperture: Aperture, rate: Rate) -> Emitter {
        Emitter { center: Vec3::new(0.5, 1.0, 0.0), direction: Vec3::new(3.0, 0.0, 0.0), aperture, rate, fluid: 0 }
    }

    /// Particles until `end` (s), exchanged at uneven times.
    fn emitted(inlet: &Inlet, end: f64) -> u64 {
        let (mut from, mut time, mut count) = (None, 0.0, 0);
        while time < end {
            let sheets = inlet.sheets(from, time);
            count += (sheets.end - sheets.start) * inlet.sheet.len() as u64;
            from = Some(time);
            time += 0.001 + 0.0007 * (1000.0 * time).sin();
        }
        count + (inlet.sheets(from, end).end - inlet.sheets(from, end).start) * inlet.sheet.len() as u64
    }

    #[test]
    fn the_flow_is_the_integral_of_its_schedule() {
        let discretization = discretization();
        let volume = f64::from(discretization.particle_volume());
        // From nothing to 2 l/s in 4 s, then constant: 4 l and 12 l in 10 s.
        let flow = Schedule::through([(0.0, 0.0), (4.0, 2e-3)]).expect("a schedule");
        for aperture in [Aperture::Round { radius: 0.05 }, Aperture::Rectangle { size: Vec2::new(0.11, 0.07) }] {
            let emitter = emitter(aperture, Rate::Flow(flow.clone()));
            let inlet = Inlet::new(&emitter, &discretization);
            let out = emitted(&inlet, 10.0) as f64 * volume;
            let sheet = inlet.sheet.len() as f64 * volume;
            assert!((out - 16e-3).abs() <= 0.51 * sheet, "{aperture:?}: {out} m³ in sheets of {sheet} m³");
            assert!((out / 16e-3 - 1.0).abs() < 0.005, "{aperture:?}: {out} m³");
        }
    }

    #[test]
    fn a_sheet_fills_its_opening() {
        let speed = || Rate::Speed(Schedule::constant(1.0).expect("a schedule"));
        let disc = emitter(Aperture::Round { radius: 0.2 }, speed());
        let area = disc.area(&discretization());
        assert!((area / (std::f64::consts::PI * 0.04) - 1.0).abs() < 0.03, "{area} m²");
        let slot = emitter(Aperture::Rectangle { size: Vec2::new(0.2, 0.1) }, speed());
        assert!((slot.area(&discretization()) - 0.02).abs() < 1e-8);
        // The width is horizontal.
        let places = slot.sheet(&discretization());
        let extent = |axis: usize| places.iter().map(|place| place[axis].abs()).fold(0.0, f32::max);
        assert_eq!([extent(0), (1e3 * extent(1)).round(), (1e3 * extent(2)).round()], [0.0, 40.0, 90.0]);
    }

    #[test]
    fn openings_guide_what_is_inside() {
        let rate = Rate::Speed(Schedule::constant(1.0).expect("a schedule"));
        let inlet = Inlet::new(&emitter(Aperture::Round { radius: 0.1 }, rate), &discretization());
        let wrap = Wrap::new(&Domain::default());
        let guides = |x: f32, y: f32| inlet.guides(Vec3::new(x, y, 0.0), &wrap);
        assert!(guides(0.51, 1.0) && guides(0.51, 1.09) && !guides(0.51, 1.12) && !guides(0.48, 1.0) && !guides(0.7, 1.0));
        assert_eq!(inlet.velocity(3.0), Vec3::X);
        let drain = Drain { max: Vec3::ONE, velocity: Some(Vec3::X), ..Drain::default() };
        let removes = |x: f32| drain.removes(Vec3::new(x, 0.5, 0.5), &discretization());
        assert!(!removes(0.5) && !removes(0.97) && removes(0.985) && !removes(1.5));
        assert!(Drain { velocity: None, ..drain.clone() }.removes(Vec3::splat(0.5), &discretization()));
    }

    /// Chords of a sphere: a drain with a velocity removes at the end of each, and guides along the rest.
    #[test]
    fn a_round_drain_ends_at_its_surface() {
        let (radius, spacing) = (0.5f32, discretization().particle_spacing);
        let ball = Shape::in_box(ShapeKind::Sphere, Dimensions::Three, Vec3::splat(-radius), Vec3::splat(radius), Axis::Y);
        let ball = Solid::from(ball.expect("a cube"));
        let still = Drain { min: Vec3::splat(-radius), max: Vec3::splat(radius), region: Some(ball), velocity: None };
        let drain = Drain { velocity: Some(Vec3::X), ..still.clone() };
        for k in 0..5000u16 {
            let random = |factor: f64| (1.4 * (f64::from(k) * factor).fract() - 0.7) as f32;
            let at = Vec3::new(random(0.819_172_513_4), random(0.671_043_606_7), random(0.549_700_477_9));
            let half_chord = (radius * radius - at.y * at.y - at.z * at.z).max(0.0).sqrt();
            let near = |x: f32| (at.x - x).abs() < 1e-5;
            if near(half_chord) || near(-half_chord) || near(half_chord - spacing) {
                continue;
            }
            let inside = at.x.abs() < half_chord;
            assert_eq!(still.removes(at, &discretization()), inside, "{at}");
            assert_eq!(drain.guided(at, &discretization()), inside.then_some(Vec3::X), "{at}");
            assert_eq!(drain.removes(at, &discretization()), inside && at.x > half_chord - spacing, "{at}");
        }
    }

    #[test]
    fn impossible_openings_are_refused() {
        let rate = |speed: f64| Rate::Speed(Schedule::constant(speed).expect("a schedule"));
        let valid = emitter(Aperture::Round { radius: 0.1 }, rate(1.0));
        let check = |emitter: Emitter| emitter.validate(&discretization());
        assert_eq!(check(valid.clone()), Ok(()));
        assert_eq!(check(Emitter { direction: Vec3::ZERO, ..valid.clone() }), Err(OpeningError::Direction));
        assert_eq!(check(Emitter { aperture: Aperture::Round { radius: 0.0 }, ..valid.clone() }), Err(OpeningError::Aperture));
        assert_eq!(
            check(Emitter { aperture: Aperture::Round { radius: 1e4 }, ..valid.clone() }),
            Err(OpeningError::TooWide { limit: 1_000_000 })
        );
        assert_eq!(check(Emitter { rate: rate(-1.0), ..valid }), Err(OpeningError::Rate));
        let drain = Drain { max: Vec3::ONE, ..Drain::default() };
        assert_eq!(drain.validate(&discretization()), Ok(()));
        assert_eq!(Drain { max: Vec3::X, ..drain.clone() }.validate(&discretization()), Err(OpeningError::Box));
        assert_eq!(Drain { velocity: Some(Vec3::ZERO), ..drain }.validate(&discretization()), Err(OpeningError::Velocity));
    }
}
