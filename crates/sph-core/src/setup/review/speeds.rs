//! Speeds beyond what weakly compressible fluid bears.

use super::Remark;
use crate::parameters::Method;
use crate::setup::{Rigid, Setup};

/// Highest speed over the speed of sound without a remark: an impact compresses the fluid by up to 6 %, the square.
const MAX_MACH: f32 = 0.25;

impl Setup {
    /// Fluid and solids whose speed comes near the speed of sound, with WCSPH.
    pub(super) fn fast_motions(&self) -> impl Iterator<Item = Remark> {
        let sound_speed = self.parameters.fluid.sound_speed;
        let has_sound = self.parameters.solver.method == Method::Wcsph;
        let is_fast = move |speed: f32| has_sound && speed > MAX_MACH * sound_speed;
        let speed = self.initial_speed();
        let fluid = is_fast(speed).then_some(Remark::FastFluid { speed, sound_speed });
        let containers =
            self.containers.iter().enumerate().map(|(index, container)| (Rigid::Container(index), container.top_speed()));
        let bodies = self.bodies.iter().enumerate().map(|(index, body)| (Rigid::Body(index), body.top_speed()));
        let fast = containers.chain(bodies).filter(move |&(_, speed)| is_fast(speed));
        fluid.into_iter().chain(fast.map(move |(of, speed)| Remark::FastSolid { of, speed, sound_speed }))
    }
}
