//! The scalar fields of the particles: unit, colour map, values, scale and range of each.

use std::f32::consts::{PI, TAU};

use super::Swatches;
use crate::categories::CATEGORIES;
use crate::map::{Backdrop, ColorMap};
use glam::Vec3;
use sph_core::neighbors::{CellOrder, GridParameters};
use sph_core::parameters::Choice as _;
use sph_core::point_sets::{PointOutline, PointSet};
use sph_core::{Body, Container, Dimensions, Discretization, Fluid, FluidBlock, Parameters, Particles, Setup, VelocityField};
use sph_io::{ColorField, ColorMapName, Look, PointColors, Scene};

/// Name for legends and menus.
pub fn label(field: ColorField) -> &'static str {
    field.option().label
}

/// Unit of the values; empty for numbers.
pub fn unit(field: ColorField) -> &'static str {
    match field {
        ColorField::Speed => "m/s",
        ColorField::Density => "kg/m³",
        ColorField::DensityError | ColorField::Stretch => "%",
        ColorField::Pressure => "Pa",
        ColorField::Vorticity | ColorField::Spin => "1/s",
        ColorField::Age => "s",
        ColorField::Radius => "m",
        ColorField::Neighbors | ColorField::Bucket | ColorField::Id | ColorField::Fluid | ColorField::Body => "",
    }
}

/// The colour map that suits the field, in a scene with these fluids.
pub fn default_map(field: ColorField, fluids: &[Fluid], backdrop: Backdrop) -> ColorMap {
    match field {
        ColorField::Speed if backdrop == Backdrop::Light => ColorMap::WaterOnLight,
        ColorField::Speed => ColorMap::Water,
        ColorField::DensityError => ColorMap::Diverging,
        ColorField::Pressure | ColorField::Stretch => ColorMap::Ember,
        ColorField::Density | ColorField::Vorticity | ColorField::Spin | ColorField::Neighbors | ColorField::Radius => {
            ColorMap::Viridis
        }
        ColorField::Age => ColorMap::Cividis,
        ColorField::Id => ColorMap::Turbo,
        ColorField::Fluid => ColorMap::Swatches(Swatches::of(fluids)),
        ColorField::Bucket | ColorField::Body => ColorMap::Categories,
    }
}

/// True for numbers without an order, whose colours are those of [`default_map`] and whose range is fixed.
pub fn is_category(field: ColorField) -> bool {
    matches!(field, ColorField::Fluid | ColorField::Bucket | ColorField::Body)
}

/// True for fields whose values [`values`] does not know: they are computed from a whole fluid, while they are shown, by a
/// [`FieldReader`](super::FieldReader).
pub fn is_computed(field: ColorField) -> bool {
    use ColorField::{Age, Bucket, Neighbors, Spin, Vorticity};
    matches!(field, Vorticity | Neighbors | Bucket | Spin | Age)
}

/// True if a picture in this look shows the field, for this choice of the colours of points: particles have no colours in the look of water, but
/// balls have by their radius and cloth by its stretch, and both by any field that they have if the choice is the quantity.
pub fn is_shown(field: ColorField, look: Look, chosen: Option<PointColors>) -> bool {
    let is_of_points = match field {
        ColorField::Radius | ColorField::Stretch => true,
        ColorField::Speed | ColorField::Bucket | ColorField::Id => chosen == Some(PointColors::Quantity),
        _ => false,
    };
    look.has_colors() || is_of_points
}

/// True if points take the colours of the field, for this choice of the view: if they have the field, and colours of their own or not.
pub fn colors_points(field: ColorField, chosen: Option<PointColors>, have_own: bool) -> bool {
    match chosen {
        Some(PointColors::Own) => false,
        Some(PointColors::Quantity) => true,
        // Every picture has the speed unless another quantity is chosen: it does not take a colour of their own away.
        None => field != ColorField::Speed || !have_own,
    }
}

/// True if points of a setup take the colours of the field, for this choice of the view.
pub fn colors_any_points(field: ColorField, chosen: Option<PointColors>, setup: &Setup) -> bool {
    let Some(source) = setup.points.as_ref().map(|points| points.source()) else { return false };
    (0..source.grids().len()).any(|set| {
        let is_sheet = source.is_sheet(set);
        let has_field = match field {
            ColorField::Speed | ColorField::Bucket | ColorField::Id => true,
            ColorField::Radius => !is_sheet,
            ColorField::Stretch => is_sheet,
            _ => false,
        };
        has_field && colors_points(field, chosen, is_sheet || source.color(set).is_some())
    })
}

/// A sheet of cloth, for the values of its vertices.
#[derive(Clone, Copy, Debug)]
pub struct SheetShape<'a> {
    /// Its triangles, as indices of vertices.
    pub triangles: &'a [[u32; 3]],
    /// Positions of the vertices at rest, m.
    pub rest: &'a [Vec3],
}

/// Replaces `out` by one value for each point of `points`, in the [unit](unit()) of `field`; by none for fields that they have not. `grid` are the
/// parameters of their search: its buckets are those of the centres. `sheet` is the sheet that they span; balls span none.
pub fn point_values(
    field: ColorField,
    points: &PointSet,
    grid: &GridParameters,
    sheet: Option<SheetShape<'_>>,
    out: &mut Vec<f32>,
) {
    out.clear();
    let bucket = |&center: &Vec3| {
        let cell = CellOrder::cell_of(center, grid.cell_size);
        (grid.hash.bucket(cell, grid.table_size.max(1)) % CATEGORIES) as f32
    };
    match field {
        ColorField::Speed => out.extend(points.velocities.iter().map(|velocity| velocity.length())),
        ColorField::Radius if sheet.is_none() => out.extend_from_slice(&points.radii),
        ColorField::Id => out.extend(points.ids.iter().map(|&id| id as f32)),
        ColorField::Bucket => out.extend(points.positions.iter().map(bucket)),
        ColorField::Stretch => {
            if let Some(sheet) = sheet {
                stretch(sheet, &points.positions, out);
            }
        }
        _ => {}
    }
}

/// Replaces `out` by the strain ε = l/L − 1 (%), at each vertex that of the edge which is stretched most, with its length l and that at rest L.
/// Vertices without a triangle have none: 0.
fn stretch(SheetShape { triangles, rest }: SheetShape<'_>, positions: &[Vec3], out: &mut Vec<f32>) {
    out.resize(positions.len(), f32::NEG_INFINITY);
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]].map(|edge| edge.map(|vertex| vertex as usize)) {
            let strain = 100.0 * (positions[from].distance(positions[to]) / rest[from].distance(rest[to]) - 1.0);
            for vertex in [from, to] {
                out[vertex] = out[vertex].max(strain);
            }
        }
    }
    out.iter_mut().filter(|strain| !strain.is_finite()).for_each(|strain| *strain = 0.0);
}

/// Size and speed of the points of a setup at the start.
fn outline(setup: &Setup) -> Option<PointOutline> {
    setup.points.as_ref().and_then(|points| points.source().outline())
}

/// True if a sheet is among the point sets of a setup.
fn has_cloth(setup: &Setup) -> bool {
    let source = setup.points.as_ref().map(|points| points.source());
    source.is_some_and(|source| (0..source.grids().len()).any(|set| source.is_sheet(set)))
}

/// True if particles or points of the scene can differ in the field.
pub fn is_offered(field: ColorField, setup: &Setup, parameters: &Parameters) -> bool {
    let has_balls = outline(setup).is_some_and(|outline| outline.radii.is_some());
    match field {
        ColorField::Radius => has_balls,
        ColorField::Stretch => has_cloth(setup),
        ColorField::Speed | ColorField::Bucket | ColorField::Id => true,
        _ if setup.points.is_some() && !setup.has_fluid() => false,
        ColorField::Fluid => setup.fluids.len() > 1,
        ColorField::Body => !setup.bodies.is_empty(),
        ColorField::Spin => parameters.forces.vorticity_transfer > 0.0,
        _ => true,
    }
}

/// Replaces `out` by one value a particle of the fluid, in the [unit](unit()) of `field`; by none for fields that are
/// [computed](is_computed) and for [`ColorField::Body`], which particles of the fluid have not. The rest density is that of the
/// particle's fluid among several, or `rest_density` (kg/m³).
pub fn values(field: ColorField, particles: &Particles, fluids: &[Fluid], rest_density: f32, out: &mut Vec<f32>) {
    out.clear();
    let fluid = |i: usize| particles.fluids.get(i).copied().unwrap_or(0);
    let of_fluid = |i: usize| fluids.get(usize::from(fluid(i))).map_or(rest_density, |fluid| fluid.rest_density);
    match field {
        ColorField::Speed => out.extend(particles.velocities.iter().map(|velocity| velocity.length())),
        ColorField::Density => out.extend_from_slice(&particles.densities),
        ColorField::DensityError => {
            let densities = particles.densities.iter().enumerate();
            out.extend(densities.map(|(i, density)| 100.0 * (density / of_fluid(i) - 1.0)));
        }
        ColorField::Pressure => out.extend_from_slice(&particles.pressures),
        ColorField::Id => out.extend(particles.ids.iter().map(|&id| id as f32)),
        ColorField::Fluid => out.extend((0..particles.len()).map(|i| f32::from(fluid(i)))),
        ColorField::Body
        | ColorField::Radius
        | ColorField::Stretch
        | ColorField::Vorticity
        | ColorField::Neighbors
        | ColorField::Bucket
        | ColorField::Spin
        | ColorField::Age => {}
    }
}

// Scale of the particles' colours: the colour map, and the values at its ends.

/// Choices about the colours of a field. The default is what suits the field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scale {
    /// Colour map; `None` for the one that suits the field.
    pub map: Option<ColorMapName>,
    /// Values at its ends, in the unit of the field; `None` for those that follow from the scene.
    pub range: Option<[f32; 2]>,
}

impl Scale {
    /// Scale of the initial view of a scene.
    pub fn of(view: &sph_io::View) -> Self {
        Self { map: view.color_map, range: view.range }
    }

    /// Shows `chosen` in place of `field`. Ends that are held are dropped with another quantity: they are in another unit.
    pub fn choose(&mut self, field: &mut ColorField, chosen: ColorField) {
        if std::mem::replace(field, chosen) != chosen {
            self.range = None;
        }
    }

    /// Colour map of `field`, in a scene with these fluids. Categories always have their own colours.
    pub fn map(self, field: ColorField, fluids: &[Fluid], backdrop: Backdrop) -> ColorMap {
        self.map.filter(|_| !is_category(field)).map_or_else(|| default_map(field, fluids, backdrop), ColorMap::of)
    }

    /// Values of `field` at the ends of the map.
    pub fn range(self, field: ColorField, scene: &Scene) -> [f32; 2] {
        self.range.filter(|_| !is_category(field)).unwrap_or_else(|| auto_range(field, scene))
    }
}

// The range of each field for its colour map.

/// Upper end of the range of stretch, %, where no cloth is followed.
const STRETCH: f32 = 2.0;

/// Diameter of an eddy at the upper end of the vorticity's range, particle spacings.
const EDDY: f32 = 4.0;

/// The range of a field for its colour map: from the scene alone, so that a colour means the same throughout a run.
///
/// Speed: 0 to √(2gH + v₀²), with the drop height H and the highest initial speed v₀ of fluid or walls, or to the capillary
/// speed if that is higher. Density: ± the deviation (v/c)² that the speed of sound c allows at that speed v. Pressure: 0 to
/// ρ₀gH, or to ρ₀v₀²/2 if that is higher, of the densest fluid. Vorticity: 0 to that speed over four spacings; spin to half of it.
/// Neighbours: 0 to those in a full neighbourhood. Age: 0 to the length of the run. Id: 0 to the number of particles or points at the start. Each is
/// rounded up. Radius: from the smallest to the largest ball. Stretch: 0 to 2 %. Categories: from the first to the last.
pub fn auto_range(field: ColorField, scene: &Scene) -> [f32; 2] {
    let setup = &scene.setup;
    let gravity = setup.parameters.gravity;
    let drop = drop_height(gravity, setup);
    let initial_speed = highest_initial_speed(setup);
    let speed = (2.0 * gravity.length() * drop + initial_speed * initial_speed).sqrt().max(capillary_speed(setup));
    let Discretization { rest_density, particle_spacing, support_radius, dimensions, .. } = setup.discretization;
    // Weakly compressible fluid deviates by about (v/c)², in percent. Solvers without a speed of sound may have one that is left low.
    let deviation = round_up(100.0 * (speed / setup.parameters.fluid.sound_speed).powi(2)).min(100.0);
    let vorticity = speed / (EDDY * particle_spacing);
    match field {
        ColorField::Speed => [0.0, round_up(speed)],
        ColorField::Density => {
            let densities = setup.fluids.iter().map(|fluid| fluid.rest_density);
            let lowest = densities.clone().fold(rest_density, f32::min);
            let highest = densities.fold(rest_density, f32::max);
            [lowest * (1.0 - deviation / 100.0), highest * (1.0 + deviation / 100.0)]
        }
        ColorField::DensityError => [-deviation, deviation],
        ColorField::Pressure => {
            let head = rest_density * gravity.length() * drop;
            [0.0, round_up(head.max(0.5 * rest_density * initial_speed * initial_speed))]
        }
        ColorField::Vorticity => [0.0, round_up(vorticity)],
        ColorField::Spin => [0.0, round_up(0.5 * vorticity)],
        ColorField::Neighbors => {
            let reach = support_radius / particle_spacing;
            let full = if dimensions == Dimensions::Two { PI * reach.powi(2) } else { 4.0 / 3.0 * PI * reach.powi(3) };
            [0.0, round_up(full)]
        }
        ColorField::Age => [0.0, round_up(scene.duration as f32)],
        ColorField::Fluid => [0.0, Swatches::of(&setup.fluids).last()],
        ColorField::Bucket | ColorField::Body => [0.0, (CATEGORIES - 1) as f32],
        ColorField::Id => {
            let counts = setup.particle_counts();
            [0.0, round_up(counts.fluid.max(counts.points) as f32)]
        }
        ColorField::Stretch => [0.0, STRETCH],
        ColorField::Radius => match outline(setup).and_then(|outline| outline.radii) {
            Some([least, most]) => match [least, most].map(rounded) {
                [least, most] if least < most => [least, most],
                [_, most] => [0.0, most],
            },
            None => [0.0, 1.0],
        },
    }
}

/// The highest speed of fluid, cloth and balls at the start, of containers with their faces, and of bodies, m/s.
fn highest_initial_speed(setup: &Setup) -> f32 {
    let gravity = setup.parameters.gravity.length();
    let fluid = setup.blocks.iter().map(|block| {
        let field_speed = match block.field {
            VelocityField::Still => 0.0,
            VelocityField::Linear { gradient, center } => {
                let corner = |k: usize| {
                    Vec3::from_array(std::array::from_fn(|axis| if k >> axis & 1 == 0 { block.min } else { block.max }[axis]))
                };
                (0..8).map(|k| (gradient * (corner(k) - center)).length()).fold(0.0, f32::max)
            }
            VelocityField::StandingWave { amplitude, wavelength } => amplitude * (gravity * TAU / wavelength).sqrt(),
            VelocityField::TaylorGreen { speed, .. } => speed.abs(),
        };
        block.velocity.length() + field_speed
    });
    let containers = setup.containers.iter().map(Container::top_speed);
    let bodies = setup.bodies.iter().map(Body::top_speed);
    let points = outline(setup).map(|outline| outline.speed);
    fluid.chain(containers).chain(bodies).chain(points).fold(0.0, f32::max)
}

/// Capillary speed of the smallest block, √(σ/ρL) with its shortest side L, m/s: the highest of any fluid.
fn capillary_speed(setup: &Setup) -> f32 {
    let axes = setup.discretization.dimensions.count();
    let shortest =
        |block: &FluidBlock| (block.max - block.min).to_array()[..axes].iter().copied().fold(f32::INFINITY, f32::min);
    let length = setup.blocks.iter().map(shortest).fold(f32::INFINITY, f32::min);
    let usual = setup.parameters.forces.surface_tension;
    let ratio = |fluid: &Fluid| fluid.surface_tension.unwrap_or(usual) / fluid.rest_density;
    let highest = setup.fluids.iter().map(ratio).reduce(f32::max);
    (highest.unwrap_or(usual / setup.discretization.rest_density) / length).sqrt()
}

/// Drop height H: distance along gravity from the highest fluid, cloth or ball to the lowest point of fluid and containers, m; 0 without
/// gravity.
fn drop_height(gravity: Vec3, setup: &Setup) -> f32 {
    let mut down = gravity.normalize_or_zero();
    if setup.discretization.dimensions == Dimensions::Two {
        down.z = 0.0;
    }
    let extent_along_gravity = |min: Vec3, max: Vec3| {
        let (a, b) = (min * down, max * down);
        (a.min(b).element_sum(), a.max(b).element_sum())
    };
    let blocks = setup.blocks.iter().map(|&FluidBlock { min, max, .. }| extent_along_gravity(min, max));
    let containers = setup.containers.iter().map(|container| extent_along_gravity(container.min, container.max).1);
    let points = outline(setup).map(|PointOutline { bounds: [min, max], .. }| extent_along_gravity(min, max));
    let (top, bottom) = blocks
        .chain(points)
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(top, bottom), (high, low)| (top.min(high), bottom.max(low)));
    let bottom = containers.fold(bottom, f32::max);
    let drop = bottom - top;
    if drop.is_finite() { drop.max(0.0) } else { 0.0 }
}

/// The nearest number of two significant digits.
fn rounded(value: f32) -> f32 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

/// The next round number at or above `value`, for a legend; 1 if `value` is not positive and finite.
pub(crate) fn round_up(value: f32) -> f32 {
    if !(value > 0.0 && value.is_finite()) {
        return 1.0;
    }
    let power = 10f32.powf(value.log10().floor());
    let steps = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let nice = steps.into_iter().map(|step| step * power).find(|&step| step >= 0.999 * value);
    nice.unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn only_the_map_that_suits_the_field_depends_on_the_backdrop() {
        let map = |scale: Scale, field| [Backdrop::Dark, Backdrop::Light].map(|backdrop| scale.map(field, &[], backdrop));
        let chosen = Scale { map: Some(ColorMapName::Water), range: None };
        assert_eq!(map(Scale::default(), ColorField::Speed), [ColorMap::Water, ColorMap::WaterOnLight]);
        assert_eq!(map(chosen, ColorField::Speed), [ColorMap::Water; 2]);
        assert_eq!(map(Scale::default(), ColorField::Pressure), [ColorMap::Ember; 2]);
    }

    #[test]
    fn values_have_the_units_they_claim() {
        let particles = Particles {
            positions: vec![Vec3::ZERO; 2],
            velocities: vec![Vec3::new(3.0, 4.0, 0.0), Vec3::ZERO],
            densities: vec![1010.0, 990.0],
            pressures: vec![5.0, -1.0],
            ids: vec![0, 1],
            ..Particles::default()
        };
        let mut out = vec![9.0; 7];
        values(ColorField::Speed, &particles, &[], 1000.0, &mut out);
        assert_eq!(out, [5.0, 0.0]);
        values(ColorField::DensityError, &particles, &[], 1000.0, &mut out);
        assert!((out[0] - 1.0).abs() < 1e-3 && (out[1] + 1.0).abs() < 1e-3);
        values(ColorField::Density, &particles, &[], 1000.0, &mut out);
        assert_eq!(out, [1010.0, 990.0]);
        values(ColorField::Pressure, &particles, &[], 1000.0, &mut out);
        assert_eq!(out, [5.0, -1.0]);
        values(ColorField::Fluid, &particles, &[], 1000.0, &mut out);
        assert_eq!(out, [0.0, 0.0]);
        // With two fluids, the deviation is from the particle's own rest density.
        let fluids = [Fluid::new("water", 1010.0), Fluid::new("oil", 900.0)];
        let particles = Particles { fluids: vec![0, 1], ..particles };
        values(ColorField::Fluid, &particles, &fluids, 1010.0, &mut out);
        assert_eq!(out, [0.0, 1.0]);
        values(ColorField::DensityError, &particles, &fluids, 1010.0, &mut out);
        assert!(out[0] == 0.0 && (out[1] - 10.0).abs() < 1e-3, "{out:?}");
    }

    #[test]
    fn vertices_have_the_strain_of_the_edge_that_is_stretched_most() {
        // A triangle with one side twice as long, one with all sides half as long, and a vertex of none.
        let rest = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO];
        let positions = [Vec3::ZERO, 2.0 * Vec3::X, Vec3::Y, Vec3::ZERO, 0.5 * Vec3::X, 0.5 * Vec3::Y, Vec3::ONE];
        let sheet = SheetShape { triangles: &[[0, 1, 2], [3, 4, 5]], rest: &rest };
        let points = PointSet { radii: vec![0.1; positions.len()], positions: positions.to_vec(), ..PointSet::default() };
        let (grid, mut out) = (GridParameters::default(), vec![7.0]);
        point_values(ColorField::Stretch, &points, &grid, Some(sheet), &mut out);
        let slant = 100.0 * ((5.0_f32 / 2.0).sqrt() - 1.0);
        for (found, expected) in out.iter().zip([100.0, 100.0, slant, -50.0, -50.0, -50.0, 0.0]) {
            assert!((found - expected).abs() < 1e-3, "{out:?}");
        }
        // Balls are not stretched, and a sheet has no radius.
        for (field, sheet) in [(ColorField::Stretch, None), (ColorField::Radius, Some(sheet))] {
            point_values(field, &points, &grid, sheet, &mut out);
            assert!(out.is_empty());
        }
    }

    #[test]
    fn points_keep_colours_of_their_own_with_the_speed_unless_the_view_says_otherwise() {
        use ColorField::{Bucket, Speed};
        use PointColors::{Own, Quantity};
        let colored = |field, chosen| [true, false].map(|have_own| colors_points(field, chosen, have_own));
        assert_eq!([colored(Speed, None), colored(Bucket, None)], [[false, true], [true, true]]);
        assert_eq!([colored(Speed, Some(Own)), colored(Bucket, Some(Own))], [[false; 2]; 2]);
        assert_eq!([colored(Speed, Some(Quantity)), colored(Bucket, Some(Quantity))], [[true; 2]; 2]);
        // Water has no colours, but what is in it has.
        let shown = |field| [None, Some(Own), Some(Quantity)].map(|chosen| is_shown(field, Look::Water, chosen));
        assert_eq!([shown(Speed), shown(ColorField::Pressure)], [[false, false, true], [false; 3]]);
        assert!(shown(ColorField::Radius)[0] && is_shown(ColorField::Pressure, Look::Spheres, None));
    }

    #[test]
    fn quantities_of_cloth_are_offered_where_there_is_cloth() {
        let scene = |name: &str| {
            let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
            sph_io::load(path.as_ref(), &[]).unwrap_or_else(|error| panic!("{error}"))
        };
        let offered = |scene: &Scene| {
            let all = ColorField::ALL.into_iter();
            all.filter(|&field| is_offered(field, &scene.setup, &scene.setup.parameters)).collect::<Vec<_>>()
        };
        use ColorField::{Bucket, Id, Radius, Speed, Stretch};
        assert_eq!(offered(&scene("flag")), [Speed, Bucket, Id, Stretch]);
        assert_eq!(offered(&scene("balls_on_a_sheet")), [Speed, Bucket, Id, Radius, Stretch]);
        assert!(!offered(&scene("dam_break")).contains(&Stretch));
        let flag = scene("flag");
        let colored = |field, chosen| colors_any_points(field, chosen, &flag.setup);
        assert!(colored(Stretch, None) && colored(Bucket, None) && colored(Speed, Some(PointColors::Quantity)));
        assert!(!colored(Speed, None) && !colored(Radius, None) && !colored(Stretch, Some(PointColors::Own)));
    }

    #[test]
    fn held_ends_stay_with_their_quantity() {
        let mut scale = Scale { range: Some([0.0, 7.0]), ..Scale::default() };
        let mut field = ColorField::Speed;
        scale.choose(&mut field, ColorField::Speed);
        assert_eq!((field, scale.range), (ColorField::Speed, Some([0.0, 7.0])));
        scale.choose(&mut field, ColorField::Pressure);
        assert_eq!((field, scale.range), (ColorField::Pressure, None));
    }

    /// The range of speeds of a shipped scene.
    macro_rules! speeds {
        ($name:literal) => {{
            let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/", $name, ".toml"));
            let scene = sph_io::parse(text, $name, &[]).unwrap_or_else(|error| panic!("{error}"));
            auto_range(ColorField::Speed, &scene)
        }};
    }

    #[test]
    fn speed_ranges_cover_fluid_walls_and_bodies() {
        // Capillary speed of the drop: √(0.073/(1000 · 0.027)).
        assert_eq!(speeds!("droplet"), [0.0, 0.06]);
        assert_eq!(speeds!("validation/taylor_green_2d"), [0.0, 1.0]);
        assert_eq!(speeds!("validation/cavity_re100"), [0.0, 1.0]);
        assert_eq!(speeds!("validation/moving_square"), [0.0, 1.0]);
    }

    #[test]
    fn round_up_reads_well() {
        let check = |value: f32, expected: f32| {
            let rounded = round_up(value);
            assert!((rounded / expected - 1.0).abs() < 1e-4, "{value} became {rounded}");
        };
        check(3.13, 4.0);
        check(1.0, 1.0);
        check(0.0117, 0.012);
        check(4905.0, 5000.0);
        check(9.1, 10.0);
        check(0.0, 1.0);
        check(f32::NAN, 1.0);
        check(f32::INFINITY, 1.0);
    }

    #[test]
    fn ranges_follow_from_the_scene() {
        let range = |field, change: &str| {
            let text = format!(
                "format = 1\ntitle = 'Dam'\ngravity = [0.0, {change}, 0.0]\n[particles]\nspacing = 0.05\n[fluid]\nsound_speed = 40.0\n\
                 [[fluid.blocks]]\nmin = [0.0, 0.0, 0.0]\nmax = [0.5, 0.5, 0.5]\nvelocity = [0.0, 0.0, 2.5]\n\
                 [[containers]]\nmin = [0.0, -0.5, 0.0]\nmax = [2.0, 1.0, 0.5]\n"
            );
            let scene = sph_io::parse(&text, "dam", &[]).expect("the scene is valid");
            auto_range(field, &scene)
        };
        let check = |found: [f32; 2], expected: [f32; 2]| {
            assert!((0..2).all(|end| (found[end] - expected[end]).abs() < 1e-4 * expected[1]), "{found:?}");
        };
        // The fluid falls 1 m: √(2 · 9.81 · 1 + 2.5²) = 5.09 m/s, and (5.09 / 40)² = 1.6 %, and 9810 Pa.
        check(range(ColorField::Speed, "-9.81"), [0.0, 6.0]);
        check(range(ColorField::DensityError, "-9.81"), [-2.0, 2.0]);
        check(range(ColorField::Density, "-9.81"), [980.0, 1020.0]);
        // 5.09 m/s over 4 spacings of 0.05 m, half of it, 4/3 π (h/spacing)³, and the usual run of 2 s.
        check(range(ColorField::Vorticity, "-9.81"), [0.0, 30.0]);
        check(range(ColorField::Spin, "-9.81"), [0.0, 15.0]);
        check(range(ColorField::Age, "-9.81"), [0.0, 2.0]);
        check(range(ColorField::Pressure, "-9.81"), [0.0, 10_000.0]);
        // With upward gravity it falls to the ceiling, 1 m as well; without gravity only the initial velocity is left.
        check(range(ColorField::Speed, "9.81"), [0.0, 6.0]);
        check(range(ColorField::Speed, "0.0"), [0.0, 2.5]);
        check(range(ColorField::Pressure, "0.0"), [0.0, 4000.0]);
    }
}
