//! State of the Fluid panel.

/// State of the Fluid panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FluidView {
    /// Text that the parameters shown must have in their name, key or description.
    pub search: String,
    /// True to show all parameters that have an effect; false for those that most users change.
    pub all: bool,
    /// Key of a parameter that is shown among the basic ones, because it was chosen in the palette.
    pub guest: Option<&'static str>,
}
