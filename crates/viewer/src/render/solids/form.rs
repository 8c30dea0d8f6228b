//! Form in which bodies are drawn.

use sph_core::Dimensions;
use sph_io::{Look, SolidStyle};

/// Form in which bodies are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyForm {
    /// Their particles, beside those of the fluid.
    Particles,
    /// Lit surfaces.
    Mesh,
    /// Outlines.
    Outline,
    /// Not drawn.
    Hidden,
}

/// Form of the bodies in a style and beside a look of the fluid; without a style, the form that suits the look.
pub fn body_form(style: Option<SolidStyle>, look: Look, dimensions: Dimensions) -> BodyForm {
    match (style, look, dimensions) {
        (Some(SolidStyle::Hidden), ..) => BodyForm::Hidden,
        // Surfaces have three dimensions.
        (_, _, Dimensions::Two) => BodyForm::Particles,
        (Some(SolidStyle::Shaded), ..) | (None, Look::Water | Look::Surface, _) => BodyForm::Mesh,
        (Some(SolidStyle::Wireframe), ..) => BodyForm::Outline,
        (None, Look::Spheres | Look::Points, _) => BodyForm::Particles,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_prevails_over_the_look_and_is_not_for_flat_scenes() {
        for look in Look::ALL {
            assert_eq!(body_form(Some(SolidStyle::Hidden), look, Dimensions::Two), BodyForm::Hidden);
            assert_eq!(body_form(Some(SolidStyle::Shaded), look, Dimensions::Three), BodyForm::Mesh);
            assert_eq!(body_form(Some(SolidStyle::Wireframe), look, Dimensions::Three), BodyForm::Outline);
        }
        assert_eq!(body_form(Some(SolidStyle::Shaded), Look::Spheres, Dimensions::Two), BodyForm::Particles);
        let usual = Look::ALL.map(|look| body_form(None, look, Dimensions::Three));
        assert_eq!(usual, [BodyForm::Mesh, BodyForm::Particles, BodyForm::Particles, BodyForm::Mesh]);
    }
}
