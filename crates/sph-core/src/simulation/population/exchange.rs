//! Exchange of fluid through openings: particles that come and go before a step, and velocities that openings give.

use super::NewParticle;
use crate::boundary::{Exchange, Inflow, Inlet};
use crate::passes::sweep;
use crate::simulation::Simulation;
use crate::space::Wrap;
use glam::Vec3;

/// Smallest distance to other fluid at which an emitter adds a particle, in spacings.
const CLEARANCE: f32 = 0.5;

impl Simulation {
    /// Removes what drains have caught, and adds what emitters have put out since the last exchange.
    pub(in crate::simulation) fn exchange_fluid(&mut self) {
        if self.inflow.is_empty() {
            return;
        }
        let (from, to) = (self.state.exchanged.replace(self.state.time), self.state.time);
        let drained = self.drain();
        let (emitted, withheld) = self.emit(from, to);
        self.inflow.exchange = Exchange { emitted, withheld, drained };
    }

    /// Gives the fluid in openings its velocity at the end of a step of length `dt`, s.
    pub(in crate::simulation) fn guide_fluid(&mut self, dt: f32) {
        if self.inflow.is_empty() {
            return;
        }
        let Self { inflow: Inflow { inlets, drains, .. }, state, velocity_update, discretization, domain, .. } = self;
        let time = state.time + f64::from(dt);
        let wrap = Wrap::new(domain);
        let flowing: Vec<(&Inlet, Vec3)> =
            inlets.iter().map(|inlet| (inlet, inlet.velocity(time))).filter(|(_, velocity)| *velocity != Vec3::ZERO).collect();
        let positions = &state.particles.positions;
        let guided = |i: usize| {
            let inlet = flowing.iter().find(|(inlet, _)| inlet.guides(positions[i], &wrap));
            inlet
                .map(|&(_, velocity)| velocity)
                .or_else(|| drains.iter().find_map(|drain| drain.guided(positions[i], discretization)))
        };
        for velocities in [&mut velocity_update.velocities, &mut velocity_update.advection_velocities] {
            sweep::update(velocities, |i, velocity| *velocity = guided(i).unwrap_or(*velocity));
        }
    }

    /// Removes the particles that drains have caught, and returns their number.
    fn drain(&mut self) -> usize {
        let Self { inflow: Inflow { drains, .. }, state, discretization, .. } = self;
        if drains.is_empty() {
            return 0;
        }
        let particles = &mut state.particles;
        let before = particles.len();
        let gone: Vec<bool> = particles
            .positions
            .iter()
            .map(|&position| drains.iter().any(|drain| drain.removes(position, discretization)))
            .collect();
        if gone.contains(&true) {
            particles.retain(|index| !gone[index]);
        }
        before - particles.len()
    }

    /// Adds the sheets that come out between two times (s), and returns the numbers of particles added and held back.
    fn emit(&mut self, from: Option<f64>, to: f64) -> (usize, usize) {
        let wrap = Wrap::new(&self.domain);
        let (mut new, mut wanted) = (Vec::<NewParticle>::new(), 0);
        for inlet in &self.inflow.inlets {
            let sheets = inlet.sheets(from, to);
            if sheets.is_empty() {
                continue;
            }
            let positions = self.state.particles.positions.iter().copied();
            let near: Vec<Vec3> = positions.filter(|&position| inlet.is_near(position, &wrap)).collect();
            let clearance = CLEARANCE * self.discretization.particle_spacing;
            let velocity = inlet.velocity(to);
            wanted += (sheets.end - sheets.start).saturating_mul(inlet.sheet.len() as u64);
            // Latest first: sheets that are far ahead by now have been held back for good.
            for number in sheets.rev() {
                let place = inlet.place(number, to);
                if !inlet.guides(place, &wrap) {
                    break;
                }
                let places = inlet.sheet.iter().map(|offset| self.domain.wrap(place + offset));
                let is_free = |at: &Vec3| near.iter().all(|other| wrap.minimum_image(*at, *other).length() >= clearance);
                new.extend(places.filter(is_free).map(|position| NewParticle {
                    position,
                    velocity,
                    pressure: 0.0,
                    fluid: inlet.fluid,
                }));
            }
        }
        let limit = self.inflow.particle_limit.unwrap_or(u64::MAX);
        let room = limit.saturating_sub(self.state.particles.len() as u64);
        new.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        // Refused as a whole at the largest number of particles, or of ids, that there can be.
        let emitted = if self.add(&new).is_ok() { new.len() } else { 0 };
        (emitted, usize::try_from(wanted).unwrap_or(usize::MAX) - emitted)
    }
}
