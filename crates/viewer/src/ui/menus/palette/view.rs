//! State of the palette.

/// State of the palette.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// True while it is open.
    pub open: bool,
    /// Text searched for.
    pub text: String,
    /// Index of the entry that the return key chooses.
    pub chosen: usize,
}

impl Palette {
    /// Opens the palette with an empty search, or closes it.
    pub fn toggle(&mut self) {
        *self = Self { open: !self.open, ..Self::default() };
    }
}
