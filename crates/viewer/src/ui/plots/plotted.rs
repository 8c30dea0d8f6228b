//! Choice of what the plots show.

/// What the plots show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plotted {
    /// Cost of the last steps.
    #[default]
    Costs,
    /// Motion of the whole fluid.
    Motion,
    /// Readings of the probes.
    Probes,
}
