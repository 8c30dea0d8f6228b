//! Errors of emitters and drains.

/// Reason why an emitter or a drain is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// An emitter's centre or direction.
    #[error("its centre is not finite, or its direction has no length or leaves the plane")]
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
    #[error("its velocity is 0, too high or out of the plane")]
    Velocity,
}
