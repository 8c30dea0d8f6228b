//! Colours of the particles in the pictures of `sph render`, and aids to see inside the fluid.

use super::grid_picture::{Cut, cut};
use clap::Args;
use sph_core::parameters::{Choice, UnknownChoice};
use sph_io::{ClipPlane, ColorField, ColorMapName, MAX_COLOR_END, SolidStyle, View};

/// Arguments on colours, aids and solids; each replaces that of the scene's view.
#[derive(Clone, Copy, Debug, Args)]
pub struct ColorArgs {
    /// Quantity that the particles' colours show: speed, density, density_error, pressure, vorticity, spin, neighbors, bucket,
    /// age, id, fluid, body [default: the scene's view.color]
    #[arg(long, value_name = "QUANTITY", value_parser = choice::<ColorField>)]
    color: Option<ColorField>,
    /// Colour map: water, ember, diverging, viridis, cividis, turbo [default: the one that suits the quantity]
    #[arg(long, value_name = "MAP", value_parser = choice::<ColorMapName>)]
    color_map: Option<ColorMapName>,
    /// Values at the two ends of the colour map, in the unit of the quantity [default: from the scene]
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true, value_parser = range)]
    range: Option<[f32; 2]>,
    /// Show only the fluid below this plane, in metres, such as z=0.25; with `,flip` behind it only the fluid above
    #[arg(long, value_name = "AXIS=POSITION", conflicts_with = "slice", value_parser = clip)]
    clip: Option<ClipPlane>,
    /// Draw the velocities of an even selection of particles as arrows
    #[arg(long)]
    arrows: bool,
    /// Style of the walls: shaded, wireframe, hidden [default: the scene's view.walls, else wireframe]
    #[arg(long, value_name = "STYLE", value_parser = choice::<SolidStyle>)]
    walls: Option<SolidStyle>,
    /// Style of the bodies in three dimensions: shaded, wireframe, hidden [default: the scene's view.bodies, else shaded in the
    /// look of water and particles in the others]
    #[arg(long, value_name = "STYLE", value_parser = choice::<SolidStyle>)]
    bodies: Option<SolidStyle>,
}

impl ColorArgs {
    /// Puts the arguments that are given in place of those of `view`.
    pub fn apply(self, view: &mut View) {
        if let Some(color) = self.color.filter(|&color| color != view.color) {
            // Ends in another unit.
            *view = View { color, color_map: None, range: None, ..*view };
        }
        view.color_map = self.color_map.or(view.color_map);
        view.range = self.range.or(view.range);
        view.clip = self.clip.or(view.clip);
        view.arrows |= self.arrows;
        view.walls = self.walls.or(view.walls);
        view.bodies = self.bodies.or(view.bodies);
    }
}

/// Parses a clip plane, `z=0.25` or `z=0.25,flip`.
fn clip(text: &str) -> Result<ClipPlane, String> {
    let (plane, flipped) = text.strip_suffix(",flip").map_or((text, false), |plane| (plane, true));
    let Cut { axis, position } = cut(plane)?;
    Ok(ClipPlane { axis, position, flipped })
}

/// Parses the name of a choice.
fn choice<C: Choice>(text: &str) -> Result<C, String> {
    let options = C::VALUES.iter().map(|value| value.option().name).collect();
    C::by_name(text).ok_or_else(|| UnknownChoice { found: text.to_owned(), options }.to_string())
}

/// Parses a range, `0,2.5`.
fn range(text: &str) -> Result<[f32; 2], String> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f32| number.is_finite());
    let ends = text.split_once(',').and_then(|(low, high)| Some([number(low)?, number(high)?]));
    let [low, high] = ends
        .filter(|[low, high]| low < high)
        .ok_or_else(|| "expected LOW,HIGH, the lower number first, such as 0,2.5".to_owned())?;
    if low.abs().max(high.abs()) > MAX_COLOR_END {
        return Err(format!("expected numbers from -{MAX_COLOR_END:e} to {MAX_COLOR_END:e}"));
    }
    Ok([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_replace_the_view_of_the_scene() {
        let scene = View {
            color: ColorField::Pressure,
            color_map: Some(ColorMapName::Turbo),
            range: Some([0.0, 9.0]),
            ..View::default()
        };
        let applied = |color, color_map, range| {
            let mut view = scene;
            ColorArgs { color, color_map, range, clip: None, arrows: false, walls: None, bodies: None }.apply(&mut view);
            (view.color, view.color_map, view.range)
        };
        assert_eq!(applied(None, None, None), (ColorField::Pressure, Some(ColorMapName::Turbo), Some([0.0, 9.0])));
        assert_eq!(applied(Some(ColorField::Speed), None, None), (ColorField::Speed, None, None));
        let viridis = Some(ColorMapName::Viridis);
        assert_eq!(applied(Some(ColorField::Pressure), viridis, None), (ColorField::Pressure, viridis, Some([0.0, 9.0])));
    }

    #[test]
    fn ranges_and_names() {
        assert_eq!(range("-1, 2.5"), Ok([-1.0, 2.5]));
        for bad in ["", "1", "2,1", "1,1", "a,b", "0,inf", "1,2,3", "0,1e20"] {
            assert!(range(bad).is_err(), "{bad}");
        }
        assert_eq!(clip("y=-1"), Ok(ClipPlane { axis: 1, position: -1.0, flipped: false }));
        assert_eq!(clip("x=0.5,flip"), Ok(ClipPlane { axis: 0, position: 0.5, flipped: true }));
        assert!(clip("x=0.5,flop").is_err() && clip("flip").is_err());
        assert_eq!(choice::<ColorMapName>("cividis"), Ok(ColorMapName::Cividis));
        assert!(choice::<ColorField>("colour").unwrap_err().contains("pressure"));
    }
}
