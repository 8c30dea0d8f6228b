//! Looks of the fluid in pictures.

use sph_core::parameters::{Choice, ChoiceOption};
use std::str::FromStr;

/// Looks of the fluid: the same in scene files, in the window and on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// Transparent surface that refracts and reflects, smoothed in screen space; in two dimensions spheres instead.
    Water,
    /// Lit spheres, coloured by a quantity.
    Spheres,
    /// Small flat points, coloured by a quantity.
    Points,
    /// Triangles of a reconstructed surface. Only for pictures without a window; the window shows [`Look::Water`].
    Surface,
}

impl Look {
    /// Every look.
    pub const ALL: [Self; 4] = [Self::Water, Self::Spheres, Self::Points, Self::Surface];

    /// Name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        self.option().name
    }

    /// True if the look colours particles by a quantity.
    pub fn has_colors(self) -> bool {
        matches!(self, Self::Spheres | Self::Points)
    }

    /// Name in the window.
    pub fn label(self) -> &'static str {
        self.option().label
    }
}

impl Choice for Look {
    const VALUES: &'static [Self] = &Self::ALL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::Water => (
                "water",
                "Water",
                "A transparent surface that refracts and reflects, each fluid in its colour. Scenes in two dimensions show spheres.",
            ),
            Self::Spheres => ("spheres", "Spheres", "Every particle as a lit sphere, coloured by a quantity."),
            Self::Points => ("points", "Points", "Every particle as a small flat point, coloured by a quantity."),
            Self::Surface => (
                "surface",
                "Surface",
                "The surface of each fluid as triangles, in the pictures of `sph render`. The window shows water.",
            ),
        };
        ChoiceOption { name, label, documentation }
    }
}

impl FromStr for Look {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::by_name(name).ok_or_else(|| format!("expected one of {}", names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_is_read_by_its_name() {
        for look in Look::ALL {
            assert_eq!(look.name().parse(), Ok(look));
        }
        assert_eq!("lava".parse::<Look>(), Err("expected one of water, spheres, points, surface".to_owned()));
    }
}
