//! Errors of prescribed motions.

/// Error in a [`Motion`](super::Motion); points are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionError {
    /// A time, velocity or angle is not finite, or a slope or displacement that follows from it, as between times 1e-300 s apart.
    #[error("point {0} of a motion is not finite")]
    NotFinite(usize),
    /// A time is not later than the one before.
    #[error("point {0} of a motion is not later than the one before")]
    NotLater(usize),
    /// The axis of a rotation is 0 or not finite.
    #[error("the axis of a rotation has no direction")]
    Axis,
    /// The pivot of a rotation is not finite.
    #[error("the pivot of a rotation is not finite")]
    Pivot,
    /// A number of an oscillation is not finite, or its period is not positive.
    #[error("the period of an oscillation is not positive, or a number of it is not finite")]
    Oscillation,
}
