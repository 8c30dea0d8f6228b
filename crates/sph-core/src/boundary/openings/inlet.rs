//! Inlets: emitters as they run, with the places of their particles worked out.

use super::emitter::{Aperture, Emitter, Rate};
use super::schedule::Schedule;
use crate::parameters::Discretization;
use crate::space::Wrap;
use glam::Vec3;
use std::ops::Range;

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
