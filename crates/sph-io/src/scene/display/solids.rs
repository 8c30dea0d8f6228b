//! Styles of walls and bodies in pictures.

use sph_core::parameters::{Choice, ChoiceOption};

/// Styles of walls and bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolidStyle {
    /// Lit surface.
    Shaded,
    /// Edges.
    Wireframe,
    /// Not drawn.
    Hidden,
}

impl SolidStyle {
    /// Every style.
    pub const ALL: [Self; 3] = [Self::Shaded, Self::Wireframe, Self::Hidden];
}

impl Choice for SolidStyle {
    const VALUES: &'static [Self] = &Self::ALL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::Shaded => ("shaded", "Shaded", "A lit surface; of walls, the sides that face the viewer are left out."),
            Self::Wireframe => ("wireframe", "Wireframe", "Edges only."),
            Self::Hidden => ("hidden", "Hidden", "Not drawn."),
        };
        ChoiceOption { name, label, documentation }
    }
}
