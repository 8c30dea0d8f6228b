//! What a user chooses of the forces that are off by default.

use crate::parameters::{ParameterError, require};

/// Forces and motions that are off unless they are asked for: the default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceParameters {
    /// Share ε of the mean velocity of its neighbours with which a particle moves, dimensionless, 0 to 1, usually 0.5. 0 switches it off.
    pub xsph: f32,
}

impl ForceParameters {
    /// Checks every value against its range.
    pub(crate) fn validate(&self) -> Result<(), ParameterError> {
        let &Self { xsph } = self;
        require((0.0..=1.0).contains(&xsph), "fluid.xsph", xsph, "0 to 1")
    }
}
