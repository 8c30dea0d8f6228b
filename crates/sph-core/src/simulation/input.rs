//! What a user does to a fluid between two steps. The same inputs before the same steps give the same motion, to the bit: going back
//! in time, the replay of a recorded session and the comparison of two grids all rest on that.

use super::{DroppedBody, Engine, Hand, HandError};
use crate::parameters::{ParameterError, Parameters};

/// What a user does to a fluid between two steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A hand acts before the next step; `None` does nothing. A log may let one entry stand for all steps up to the next such entry.
    Hand(Option<Hand>),
    /// A body is dropped.
    Drop(DroppedBody),
    /// All parameters are set.
    Parameters(Box<Parameters>),
    /// The parameters with these keys are taken off their curves, and all others are put on theirs.
    OffCurve(Vec<&'static str>),
}

/// Reason why an engine refuses an [`Input`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// A hand cannot act, or a body cannot be dropped.
    #[error(transparent)]
    Hand(#[from] HandError),
    /// A parameter is outside its range.
    #[error(transparent)]
    Parameters(#[from] ParameterError),
}

impl Input {
    /// Applies the input to the present state of `engine`.
    ///
    /// # Errors
    /// The engine refuses it, and stays as it was.
    pub fn apply(&self, engine: &mut dyn Engine) -> Result<(), InputError> {
        match self {
            Self::Hand(hand) => hand.iter().try_for_each(|hand| engine.apply_hand(hand).map(drop))?,
            Self::Drop(dropped) => engine.drop_body(dropped)?,
            Self::Parameters(parameters) => engine.set_parameters(**parameters)?,
            Self::OffCurve(keys) => engine.set_off_curve(keys),
        }
        Ok(())
    }

    /// Memory that the input takes besides its own size, bytes.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Self::Hand(_) | Self::Drop(_) => 0,
            Self::Parameters(parameters) => size_of_val(&**parameters),
            Self::OffCurve(keys) => size_of_val(&keys[..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{FluidBlock, Setup};
    use crate::{Dimensions, Discretization, Push, Simulation};
    use glam::Vec3;

    #[test]
    fn an_input_does_what_the_engine_s_own_call_does_and_a_refused_one_nothing() {
        let block = FluidBlock::new(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0));
        let setup = Setup::new(Discretization::new(Dimensions::Two, 0.1), vec![block], vec![]);
        let mut called = Simulation::new(&setup).expect("a valid setup");
        assert_eq!(called.step().error, None);
        let mut engine = called.clone();
        let push = |radius| Hand::Push(Push { center: Vec3::ZERO, radius, strength: 9.0, drag: 2.0, velocity: Vec3::X });
        let mut parameters = setup.parameters;
        parameters.gravity = Vec3::X;
        called.apply_hand(&push(0.4)).expect("in range");
        called.set_parameters(parameters).expect("in range");
        let inputs = [Input::Hand(Some(push(0.4))), Input::Hand(None), Input::Parameters(Box::new(parameters))];
        inputs.iter().for_each(|input| input.apply(&mut engine).expect("in range"));
        assert!(engine.state() == called.state());
        parameters.fluid.sound_speed = f32::NAN;
        for refused in [Input::Hand(Some(push(f32::NAN))), Input::Parameters(Box::new(parameters))] {
            assert!(refused.apply(&mut engine).is_err() && engine.state() == called.state(), "{refused:?}");
        }
    }
}
