//! Names and colours of categories, for legends.

use super::category::{CATEGORIES, category};
use super::fluids::named_fluids;
use sph_io::{ColorField, Scene};

/// Name and colour of each category of `field` in a scene; `None` for fields with a scale. Buckets are too many to be listed: an entry says
/// what their colours mean.
pub fn named_colors(field: ColorField, scene: &Scene) -> Option<Vec<(String, [u8; 3])>> {
    match field {
        ColorField::Fluid => Some(named_fluids(&scene.setup)),
        ColorField::Body => {
            let own = |number: usize| scene.body_names.get(number).cloned().flatten();
            let name = |number: usize| own(number).unwrap_or_else(|| format!("body {}", number + 1));
            Some((0..scene.setup.bodies.len()).map(|number| (name(number), category(number as u32 % CATEGORIES))).collect())
        }
        ColorField::Bucket => Some(vec![("alike: may share a bucket".to_owned(), category(0))]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_have_names_and_scales_have_none() {
        let text = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n\
                    [[bodies]]\nmin = [2, 0]\nmax = [2.2, 0.2]\n";
        let scene = sph_io::parse(text, "body", &[]).expect("the scene is valid");
        let names =
            |field| named_colors(field, &scene).map(|named| named.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        assert_eq!(names(ColorField::Body), Some(vec!["body 1".to_owned()]));
        assert_eq!(names(ColorField::Fluid), Some(vec!["the fluid".to_owned()]));
        for field in ColorField::ALL {
            assert_eq!(names(field).is_some(), super::super::is_category(field), "{field:?}");
        }
    }
}
