//! Choices of `[view]`: look of the fluid, quantity and colours of its particles, clip plane, style of solids.

use std::str::FromStr;

use sph_core::parameters::{Choice, ChoiceOption};

/// Largest magnitude of an end of the colours' range, in the unit of the quantity.
pub const MAX_COLOR_END: f32 = 1e9;

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

/// Quantities that the colours of particles show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorField {
    /// Speed.
    #[default]
    Speed,
    /// Density.
    Density,
    /// Deviation of the density from the rest density.
    DensityError,
    /// Pressure.
    Pressure,
    /// Vorticity.
    Vorticity,
    /// Angular speed of micropolar particles.
    Spin,
    /// Number of neighbours.
    Neighbors,
    /// Bucket of the neighbour search.
    Bucket,
    /// Time since the particle came into the fluid.
    Age,
    /// Id of the particle.
    Id,
    /// Fluid that the particle is of.
    Fluid,
    /// Body that the particle is of.
    Body,
    /// Radius of a ball.
    Radius,
    /// Stretch of cloth.
    Stretch,
}

impl ColorField {
    /// Every quantity.
    pub const ALL: [Self; 14] = [
        Self::Speed,
        Self::Density,
        Self::DensityError,
        Self::Pressure,
        Self::Vorticity,
        Self::Spin,
        Self::Neighbors,
        Self::Bucket,
        Self::Age,
        Self::Id,
        Self::Fluid,
        Self::Body,
        Self::Radius,
        Self::Stretch,
    ];

    /// Name in scene files.
    pub fn name(self) -> &'static str {
        self.option().name
    }
}

impl Choice for ColorField {
    const VALUES: &'static [Self] = &Self::ALL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::Speed => ("speed", "Speed", "Speed (m/s)."),
            Self::Density => ("density", "Density", "Density (kg/m³)."),
            Self::DensityError => {
                ("density_error", "Density error", "Deviation of the density from the fluid's rest density (%).")
            }
            Self::Pressure => ("pressure", "Pressure", "Pressure (Pa)."),
            Self::Vorticity => ("vorticity", "Vorticity", "Magnitude of the curl of the velocity (1/s)."),
            Self::Spin => ("spin", "Spin", "Angular speed of micropolar particles (1/s), with `forces.vorticity_transfer`."),
            Self::Neighbors => ("neighbors", "Neighbours", "Number of other particles of the fluid within the support radius."),
            Self::Bucket => (
                "bucket",
                "Bucket",
                "Bucket of the neighbour search: particles with different colours are in \
                different buckets.",
            ),
            Self::Age => ("age", "Age", "Time since the particle was emitted or poured, or since the start (s)."),
            Self::Id => ("id", "Id", "Id of the particle, by its initial position: shows how the fluid mixes."),
            Self::Fluid => ("fluid", "Fluid", "Fluid of the particle: each has its own colour."),
            Self::Body => ("body", "Body", "Body of the particle: each has its own colour, and the fluid is grey."),
            Self::Radius => ("radius", "Radius", "Radius of a ball (m), in every look; the fluid is grey."),
            Self::Stretch => (
                "stretch",
                "Stretch",
                "Strain of cloth (%), in every look: at each vertex that of the edge which is stretched most; the fluid is grey.",
            ),
        };
        ChoiceOption { name, label, documentation }
    }
}

/// Colour maps of the particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorMapName {
    /// Deep blue, cyan, white.
    Water,
    /// Violet, red, orange, pale yellow.
    Ember,
    /// Blue, light grey, red.
    Diverging,
    /// Viridis.
    Viridis,
    /// Cividis.
    Cividis,
    /// Turbo.
    Turbo,
}

impl ColorMapName {
    /// Every map.
    pub const ALL: [Self; 6] = [Self::Water, Self::Ember, Self::Diverging, Self::Viridis, Self::Cividis, Self::Turbo];

    /// Name in scene files.
    pub fn name(self) -> &'static str {
        self.option().name
    }
}

impl Choice for ColorMapName {
    const VALUES: &'static [Self] = &Self::ALL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::Water => ("water", "Water", "Deep blue, cyan, white, with evenly increasing brightness."),
            Self::Ember => ("ember", "Ember", "Violet, red, orange, pale yellow, with evenly increasing brightness."),
            Self::Diverging => ("diverging", "Diverging", "Blue, light grey, red: for values around a centre."),
            Self::Viridis => (
                "viridis",
                "Viridis",
                "Violet, green, yellow, with evenly increasing brightness; suitable for \
                colour-blind people.",
            ),
            Self::Cividis => {
                ("cividis", "Cividis", "Blue, grey, yellow: the same with and without red–green colour blindness.")
            }
            Self::Turbo => ("turbo", "Turbo", "A rainbow without false edges, for detail."),
        };
        ChoiceOption { name, label, documentation }
    }
}

/// Plane normal to an axis: particles on one side of it are not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipPlane {
    /// Normal: 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Coordinate of the plane along the axis, m.
    pub position: f32,
    /// True to show the side above the plane instead of the side below.
    pub flipped: bool,
}

/// Styles of walls and bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolidStyle {
    /// Lit surface.
    Shaded,
    /// Clear surface that mirrors at grazing angles, with its edges.
    Glass,
    /// Edges.
    Wireframe,
    /// Not drawn.
    Hidden,
}

impl SolidStyle {
    /// Every style.
    pub const ALL: [Self; 4] = [Self::Shaded, Self::Glass, Self::Wireframe, Self::Hidden];
}

impl Choice for SolidStyle {
    const VALUES: &'static [Self] = &Self::ALL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::Shaded => ("shaded", "Shaded", "A lit surface; walls that face the viewer are left out."),
            Self::Glass => ("glass", "Glass", "A clear surface that mirrors at grazing angles, with its edges."),
            Self::Wireframe => ("wireframe", "Wireframe", "Edges only."),
            Self::Hidden => ("hidden", "Hidden", "Not drawn."),
        };
        ChoiceOption { name, label, documentation }
    }
}

/// What colours the points of cloth and balls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointColors {
    /// Their own colours.
    Own,
    /// The quantity.
    Quantity,
}

impl PointColors {
    /// Every choice.
    pub const ALL: [Self; 2] = [Self::Own, Self::Quantity];
}

impl Choice for PointColors {
    const VALUES: &'static [Self] = &Self::ALL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::Own => ("own", "Own colours", "Each sheet and each set of balls has a colour of its own."),
            Self::Quantity => ("quantity", "Quantity", "The quantity, if they have it; else their own colours."),
        };
        ChoiceOption { name, label, documentation }
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
