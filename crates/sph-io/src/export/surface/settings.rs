//! Settings of surface reconstruction: each written once, with its unit, range, default and meaning.

use super::SurfaceFormat;
use crate::words::{list, nearest};
use std::str::FromStr;

/// Settings of the reconstruction of a surface. Lengths are relative to the radius of a particle, half the spacing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSettings {
    /// Radius of a particle, m; `None` for half the spacing of the scene.
    pub radius: Option<f64>,
    /// Smoothing length of the kernel, in radii; its support radius is twice as long.
    pub smoothing_length: f64,
    /// Edge of the cubes that are marched through, in radii.
    pub cube_size: f64,
    /// Value of the indicator on the surface: 0 outside, about 1 within the fluid.
    pub threshold: f64,
    /// Iterations of Laplacian smoothing.
    pub smoothing: f64,
    /// Feature size that smoothing respects: particles with fewer neighbours than this, weighted by distance, are smoothed less;
    /// 0 smooths all alike.
    pub weights: f64,
    /// Format of the files.
    pub format: SurfaceFormat,
}

impl Default for SurfaceSettings {
    fn default() -> Self {
        let blank = Self {
            radius: None,
            smoothing_length: 0.0,
            cube_size: 0.0,
            threshold: 0.0,
            smoothing: 0.0,
            weights: 0.0,
            format: SurfaceFormat::Ply,
        };
        SETTINGS.iter().fold(blank, |mut settings, setting| {
            setting.default.iter().for_each(|&default| (setting.set)(&mut settings, default));
            settings
        })
    }
}

impl SurfaceSettings {
    /// The same settings, with half of `spacing` (m) as the radius unless one is given.
    #[must_use]
    pub fn with_spacing(self, spacing: f32) -> Self {
        Self { radius: self.radius.or(Some(0.5 * f64::from(spacing))), ..self }
    }
}

/// A setting that is a number.
pub struct SurfaceSetting {
    /// Name on the command line.
    pub key: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Least and greatest value.
    pub range: [f64; 2],
    /// True for a whole number.
    pub is_whole: bool,
    /// Default value; `None` if the scene gives it.
    pub default: Option<f64>,
    /// Meaning.
    pub doc: &'static str,
    set: fn(&mut SurfaceSettings, f64),
}

/// Every setting but the format.
pub const SETTINGS: [SurfaceSetting; 6] = [
    SurfaceSetting {
        key: "radius",
        unit: "m",
        range: [1e-6, 1e3],
        is_whole: false,
        default: None,
        doc: "Radius of a particle, whose volume is the cube of its diameter",
        set: |settings, value| settings.radius = Some(value),
    },
    SurfaceSetting {
        key: "smoothing_length",
        unit: "radii",
        range: [1.0, 4.0],
        is_whole: false,
        default: Some(2.0),
        doc: "Smoothing length of the kernel; its support radius is twice as long",
        set: |settings, value| settings.smoothing_length = value,
    },
    SurfaceSetting {
        key: "cube_size",
        unit: "radii",
        range: [0.1, 2.0],
        is_whole: false,
        default: Some(0.5),
        doc: "Edge of the marching cubes, about the side of a triangle",
        set: |settings, value| settings.cube_size = value,
    },
    SurfaceSetting {
        key: "threshold",
        unit: "1",
        range: [0.1, 0.9],
        is_whole: false,
        default: Some(0.6),
        doc: "Value of the fluid indicator on the surface, from 0 (empty) to 1 (full): lower is further out",
        set: |settings, value| settings.threshold = value,
    },
    SurfaceSetting {
        key: "smoothing",
        unit: "1",
        range: [0.0, 200.0],
        is_whole: true,
        default: Some(25.0),
        doc: "Iterations of Laplacian smoothing; each moves every vertex to the mean of its neighbours",
        set: |settings, value| settings.smoothing = value,
    },
    SurfaceSetting {
        key: "weights",
        unit: "1",
        range: [0.0, 60.0],
        is_whole: false,
        default: Some(13.0),
        doc: "Distance-weighted number of neighbours at which smoothing is full: drops and thin sheets, which have fewer, \
            keep their volume; 0 smooths everything equally",
        set: |settings, value| settings.weights = value,
    },
];

/// Key of the format.
const FORMAT: &str = "format";

/// Setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadSetting(String);

/// Parses settings with commas between them: `cube_size=0.75,smoothing=10`.
impl FromStr for SurfaceSettings {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut settings = Self::default();
        let mut seen = Vec::new();
        for pair in text.split(',').map(str::trim) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (key, value) = (key.trim(), value.trim());
            if seen.contains(&key) {
                return Err(BadSetting(format!("`{key}` is given twice")));
            }
            seen.push(key);
            if key == FORMAT {
                settings.format = value.parse().map_err(BadSetting)?;
                continue;
            }
            let setting = SETTINGS.iter().find(|setting| setting.key == key).ok_or_else(|| unknown(key))?;
            (setting.set)(&mut settings, setting.parse(value)?);
        }
        Ok(settings)
    }
}

impl SurfaceSetting {
    fn parse(&self, text: &str) -> Result<f64, BadSetting> {
        let Self { key, unit, range: [least, most], is_whole, .. } = self;
        let value = text.parse().ok().filter(|value: &f64| (*least..=*most).contains(value));
        value.filter(|value| !is_whole || value.fract() == 0.0).ok_or_else(|| {
            let number = if *is_whole { "a whole number" } else { "a number" };
            let unit = if *unit == "1" { String::new() } else { format!(" {unit}") };
            BadSetting(format!("`{key}` is {number} from {least} to {most}{unit}, not `{text}`"))
        })
    }
}

fn unknown(key: &str) -> BadSetting {
    let keys = || SETTINGS.iter().map(|setting| setting.key).chain([FORMAT]);
    let expected = match nearest(key, keys()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("expected {}", list(keys())),
    };
    BadSetting(format!("surfaces have no setting `{key}`: {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_names_units_and_ranges() {
        let settings: SurfaceSettings = "cube_size=0.75, smoothing=0,format=obj".parse().unwrap();
        let expected =
            SurfaceSettings { cube_size: 0.75, smoothing: 0.0, format: SurfaceFormat::Obj, ..SurfaceSettings::default() };
        assert_eq!(settings, expected);
        let error = |text: &str| text.parse::<SurfaceSettings>().unwrap_err().to_string();
        assert_eq!(error("cube_size=0.01"), "`cube_size` is a number from 0.1 to 2 radii, not `0.01`");
        assert_eq!(error("smoothing=2.5"), "`smoothing` is a whole number from 0 to 200, not `2.5`");
        assert_eq!(error("threshold=NaN"), "`threshold` is a number from 0.1 to 0.9, not `NaN`");
        assert_eq!(error("radius"), "`radius` is a number from 0.000001 to 1000 m, not ``");
        assert_eq!(error("cubesize=1"), "surfaces have no setting `cubesize`: did you mean `cube_size`?");
        assert_eq!(error("weights=1,weights=2"), "`weights` is given twice");
        assert_eq!(error("format=stl"), "there is no format `stl` of surfaces: expected `ply` or `obj`");
    }

    #[test]
    fn defaults_are_within_their_ranges() {
        for SurfaceSetting { key, range: [least, most], default, .. } in &SETTINGS {
            assert!(default.is_none_or(|default| (*least..=*most).contains(&default)), "{key}");
        }
    }

    #[test]
    fn the_guide_lists_them() {
        let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/exports.md");
        let guide = std::fs::read_to_string(guide).unwrap();
        for SurfaceSetting { key, unit, range: [least, most], default, doc, .. } in &SETTINGS {
            let (unit, default) =
                (unit.replace('1', "–"), default.map_or("half the spacing".into(), |number| number.to_string()));
            let row = format!("| `{key}` | {unit} | {least} to {most} | {default} | {doc} |");
            assert!(guide.contains(&row), "the guide has not:\n{row}");
        }
    }
}
