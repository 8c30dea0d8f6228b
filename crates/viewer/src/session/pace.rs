//! Speed of the simulation, and the bound on it.

/// Bound on simulated seconds per second of wall-clock time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeedLimit {
    /// This many simulated seconds per second; positive.
    Times(f32),
    /// As fast as the machine can.
    Unlimited,
}

impl SpeedLimit {
    /// The choices that the window offers.
    pub const ALL: [Self; 8] = [
        Self::Times(0.1),
        Self::Times(0.25),
        Self::Times(0.5),
        Self::Times(1.0),
        Self::Times(2.0),
        Self::Times(4.0),
        Self::Times(10.0),
        Self::Unlimited,
    ];
}

impl Default for SpeedLimit {
    /// Real time.
    fn default() -> Self {
        Self::Times(1.0)
    }
}

/// Measured speed of the simulation, over about the last second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Steps per second.
    pub steps_per_second: f64,
    /// Simulated seconds per second.
    pub speed: f64,
}
