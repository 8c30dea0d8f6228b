//! Point sets in pictures: sheets of cloth as surfaces, other points as balls.

use crate::camera::Ray;
use crate::frame::{FAINT_COLOR, SMALL_SIZE};
use crate::picking::{sphere_entry, triangle_entry};
use crate::{Mesh, Sides, Slab, Tint};
use glam::Vec3;
use sph_color::{ColorField, ColorMap, PointColors, SheetShape};
use sph_core::neighbors::GridParameters;
use sph_core::point_sets::{Coating, PointId, PointSet};
use sph_core::{Pose, Setup, View};
use std::sync::Arc;

/// What pictures show of point sets: a copy of an engine's.
#[derive(Clone, Debug, Default)]
pub struct ShownSets(Vec<ShownSet>);

/// What pictures show of one set.
#[derive(Clone, Debug, Default)]
struct ShownSet {
    /// Its points; rounding errors and columns are left out.
    points: PointSet,
    /// Parameters of its search.
    grid: GridParameters,
    /// Triangles of the sheet that the points span; none for balls.
    triangles: Vec<[u32; 3]>,
}

impl ShownSets {
    /// The sets of `fluid`.
    pub fn of(fluid: &View<'_>) -> Self {
        let mut sets = Self::default();
        sets.copy(fluid);
        sets
    }

    /// Copies the sets of `fluid`, reusing memory.
    pub fn copy(&mut self, fluid: &View<'_>) {
        self.0.resize_with(fluid.sets.len(), ShownSet::default);
        for (index, ((shown, set), grid)) in self.0.iter_mut().zip(fluid.sets).zip(fluid.set_grids).enumerate() {
            let PointSet { name, positions, radii, velocities, masses, ids, .. } = &mut shown.points;
            name.clone_from(&set.name);
            positions.clone_from(&set.positions);
            radii.clone_from(&set.radii);
            velocities.clone_from(&set.velocities);
            masses.clone_from(&set.masses);
            ids.clone_from(&set.ids);
            shown.triangles = fluid.dynamics.map_or_else(Vec::new, |dynamics| dynamics.triangles(index, set));
            shown.grid = *grid;
        }
    }

    /// Copies the positions of all points to `out`, m, set by set, reusing memory.
    pub fn copy_positions(&self, out: &mut Vec<Vec<Vec3>>) {
        out.resize_with(self.0.len(), Vec::new);
        out.iter_mut().zip(&self.0).for_each(|(positions, set)| positions.clone_from(&set.points.positions));
    }

    /// Copies `sets` as they were on the way from the positions `before` (m), after this `part` of it, reusing memory. Points that have come since
    /// are where they came.
    pub fn copy_between(&mut self, before: &[Vec<Vec3>], sets: &Self, part: f32) {
        self.0.resize_with(sets.0.len(), ShownSet::default);
        for (number, (shown, set)) in self.0.iter_mut().zip(&sets.0).enumerate() {
            let ShownSet { points, grid, triangles } = shown;
            let PointSet { name, positions, rounding_errors: _, velocities, radii, masses, ids, columns: _ } = points;
            name.clone_from(&set.points.name);
            velocities.clone_from(&set.points.velocities);
            radii.clone_from(&set.points.radii);
            masses.clone_from(&set.points.masses);
            ids.clone_from(&set.points.ids);
            triangles.clone_from(&set.triangles);
            *grid = set.grid;
            positions.clone_from(&set.points.positions);
            let before = before.get(number).into_iter().flatten();
            positions.iter_mut().zip(before).for_each(|(position, before)| *position = before.lerp(*position, part));
        }
    }

    /// Centres and radii of the balls, m.
    pub fn balls(&self) -> impl Iterator<Item = (Vec3, f32)> {
        let balls = self.0.iter().filter(|set| set.triangles.is_empty());
        balls.flat_map(|set| set.points.positions.iter().copied().zip(set.points.radii.iter().copied()))
    }

    /// Corners of the triangles of all sheets, m.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        let corner = |set: &ShownSet, point: u32| set.points.positions.get(point as usize).copied().unwrap_or(Vec3::NAN);
        self.0.iter().flat_map(move |set| set.triangles.iter().map(move |points| points.map(|point| corner(set, point))))
    }

    /// The points of set `set`, without rounding errors and columns, and the index of the one with this id; `None` if there is no such point.
    pub fn point(&self, PointId { set, id }: PointId) -> Option<(&PointSet, usize)> {
        let points = &self.0.get(set)?.points;
        Some((points, points.index_of(id)?))
    }

    /// First point that `ray` meets, among those that `may_be` of their sets (by index and set, and by index in it), and the distance along the ray, m:
    /// a ball, or of a sheet the nearest corner of the triangle. Only what is in `slab` is met, if there is one.
    pub fn point_at(
        &self,
        ray: Ray,
        slab: Option<Slab>,
        may_be: impl Fn(usize, &PointSet, usize) -> bool,
    ) -> Option<(PointId, f32)> {
        let is_shown = |center: Vec3| slab.is_none_or(|slab| slab.contains(center));
        let mut first: Option<(PointId, f32)> = None;
        for (number, ShownSet { points, triangles, .. }) in self.0.iter().enumerate() {
            let mut meet = |index: usize, entered: f32| {
                if first.is_none_or(|(_, before)| entered < before) {
                    first = Some((PointId { set: number, id: points.ids[index] }, entered));
                }
            };
            let may_be = |index: &usize| may_be(number, points, *index);
            if triangles.is_empty() {
                for index in (0..points.len()).filter(may_be).filter(|&index| is_shown(points.positions[index])) {
                    if let Some(entered) = sphere_entry(points.positions[index], points.radii[index], ray) {
                        meet(index, entered);
                    }
                }
            }
            for triangle in triangles {
                let corners = triangle.map(|corner| corner as usize);
                let places = corners.map(|corner| points.positions[corner]);
                let Some(entered) = triangle_entry(places, ray).filter(|_| is_shown(places.iter().sum::<Vec3>() / 3.0)) else {
                    continue;
                };
                let hit = ray.origin + entered * ray.direction;
                let distance = |corner: usize| points.positions[corner].distance_squared(hit);
                let nearest = corners.into_iter().filter(may_be).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
                if let Some(corner) = nearest {
                    meet(corner, entered);
                }
            }
        }
        first
    }

    /// Values of the stretch of all sheets, which are those of `setup`, %.
    pub fn stretches(&self, setup: &Setup) -> Vec<f32> {
        let (mut all, mut values) = (Vec::new(), Vec::new());
        for (ShownSet { points, grid, triangles }, SetOrigin { rest, .. }) in self.0.iter().zip(SetOrigin::of(setup)) {
            if !triangles.is_empty() && rest.len() == points.len() {
                let sheet = SheetShape { triangles, rest: &rest };
                sph_color::point_values(ColorField::Stretch, points, grid, Some(sheet), &mut values);
                all.append(&mut values);
            }
        }
        all
    }

    /// Number of sets.
    #[expect(clippy::len_without_is_empty, reason = "a count of sets, which nobody asks to be empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Name of set `index`; empty if there is none.
    pub fn name(&self, index: usize) -> &str {
        self.0.get(index).map_or("", |set| &set.points.name)
    }

    /// True if the points of set `index` span a sheet; balls do not.
    pub fn is_sheet(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|set| !set.triangles.is_empty())
    }

    /// Number of points of set `index`.
    pub fn points_of(&self, index: usize) -> usize {
        self.0.get(index).map_or(0, |set| set.points.len())
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.0.iter().map(|set| set.points.len()).sum()
    }
}

/// Radius of a faint ball, parts of its own: what a query has found is seen between such balls.
const FAINT_SIZE: f32 = 0.25;

/// sRGB-encoded colours of the sets, in turn: far from every colour of water, and from that of bodies.
const COLORS: [[u8; 3]; 4] = [[196, 62, 84], [92, 168, 96], [150, 104, 196], [224, 224, 214]];

/// Most vertices of all balls of a set, unless octahedra are more: 56 MB on the device.
const MOST_VERTICES: usize = 2_000_000;

/// How often the faces of an octahedron are divided at most.
const MOST_DIVISIONS: usize = 4;

/// Angular radii of balls, as tangents, from which on the faces are divided 2, 3 and 4 times: the outline then differs from a circle by less than a
/// sixth of a pixel in a picture 800 pixels high.
const ANGLES: [f32; 3] = [0.002, 0.008, 0.03];

/// Colours of points by a quantity.
#[derive(Clone, Copy, Debug)]
pub struct QuantityColors {
    /// The quantity. Points that have none keep the colours of their sets.
    pub field: ColorField,
    /// Points that take the colours: as the view chooses.
    pub of: Option<PointColors>,
    /// Its colours.
    pub map: ColorMap,
    /// Values at the two ends of the map.
    pub range: [f32; 2],
}

impl QuantityColors {
    /// Colour of a value.
    fn color(&self, value: f32) -> [u8; 3] {
        let [low, high] = self.range;
        let width = if high > low { high - low } else { 1.0 };
        self.map.sample((value - low) / width)
    }
}

/// Surfaces of point sets, kept from one picture to the next.
#[derive(Debug)]
pub struct SetMeshes {
    origins: Vec<SetOrigin>,
    /// Unit spheres, by the number of divisions.
    spheres: Vec<Sphere>,
    meshes: Vec<SetMesh>,
    values: Vec<f32>,
    /// True if values of the latest surfaces lie below, and above, the range of the colours.
    beyond: [bool; 2],
}

/// Vertices and triangles of a unit sphere.
type Sphere = (Vec<Vec3>, Vec<[u32; 3]>);

/// What a scene has of a set besides its points.
#[derive(Clone, Debug, Default)]
pub struct SetOrigin {
    /// Colour of its own.
    pub color: Option<[u8; 3]>,
    /// Positions of the vertices of a sheet at rest, m; none of balls.
    pub rest: Arc<[Vec3]>,
}

impl SetOrigin {
    /// Those of all sets of `setup`.
    pub fn of(setup: &Setup) -> Vec<Self> {
        let Some(points) = &setup.points else { return Vec::new() };
        let source = points.source();
        let rest = |set: usize| match source.coating(set) {
            Coating::Sheet(rest) => rest,
            Coating::None | Coating::Balls(_) => [].into(),
        };
        (0..source.grids().len()).map(|set| Self { color: source.color(set), rest: rest(set) }).collect()
    }
}

/// Surface of a set.
#[derive(Debug, Default)]
struct SetMesh {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    colors: Vec<[u8; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl SetMeshes {
    /// Surfaces of sets of these origins; those beyond the end have neither a colour of their own nor a shape at rest.
    pub fn new(origins: Vec<SetOrigin>) -> Self {
        Self {
            origins,
            spheres: (0..=MOST_DIVISIONS as u32).map(sphere).collect(),
            meshes: Vec::new(),
            values: Vec::new(),
            beyond: [false; 2],
        }
    }

    /// Makes the surfaces of `sets` as seen from `eye`, m: of the balls and triangles with their centres in `slab`, if there is one. Others cannot be
    /// cut. Sets that have `tints` show them instead of their colours, a sheet by balls at its vertices.
    pub fn update(
        &mut self,
        (sets, tints): (&ShownSets, &[Vec<Tint>]),
        colors: Option<&QuantityColors>,
        eye: Vec3,
        slab: Option<Slab>,
    ) {
        let is_shown = |center: Vec3| slab.is_none_or(|slab| slab.contains(center));
        let Self { origins, spheres, meshes, values, beyond } = self;
        *beyond = [false; 2];
        let nothing = SetOrigin::default();
        meshes.resize_with(sets.0.len(), SetMesh::default);
        for (index, (mesh, set)) in meshes.iter_mut().zip(&sets.0).enumerate() {
            mesh.clear();
            if !set.triangles.is_empty() {
                mesh.set_sheet(set, is_shown);
            }
            if let Some(tints) = tints.get(index).filter(|tints| !tints.is_empty()) {
                mesh.colors.resize(mesh.vertices.len(), FAINT_COLOR);
                mesh.add_tinted((&set.points, is_shown), (tints, !set.triangles.is_empty()), spheres);
                continue;
            }
            let SetOrigin { color, rest } = origins.get(index).unwrap_or(&nothing);
            let is_sheet = !set.triangles.is_empty();
            // A sheet whose shape at rest is not known has no colours by a quantity.
            let sheet = is_sheet.then_some(SheetShape { triangles: &set.triangles, rest });
            let is_known = !is_sheet || rest.len() == set.points.len();
            values.clear();
            let takes = |colors: &&QuantityColors| {
                is_known && sph_color::colors_points(colors.field, colors.of, is_sheet || color.is_some())
            };
            if let Some(colors) = colors.filter(takes) {
                sph_color::point_values(colors.field, &set.points, &set.grid, sheet, values);
            }
            let colors = colors.filter(|_| !values.is_empty());
            if let Some(QuantityColors { range: [low, high], .. }) = colors {
                beyond[0] |= values.iter().any(|value| value < low);
                beyond[1] |= values.iter().any(|value| value > high);
            }
            if !is_sheet {
                mesh.add_balls((&set.points, is_shown), colors.map(|colors| (colors, &values[..])), eye, spheres);
            } else if let Some(colors) = colors {
                mesh.colors.extend(values.iter().map(|&value| colors.color(value)));
            }
        }
    }

    /// True if values of the latest surfaces lie below, and above, the range of the colours.
    pub fn beyond_range(&self) -> [bool; 2] {
        self.beyond
    }

    /// The surfaces.
    pub fn meshes(&self) -> impl Iterator<Item = Mesh<'_>> {
        let own = self.origins.iter().map(|origin| origin.color).chain(std::iter::repeat(None));
        let colors = own.zip(COLORS.iter().cycle()).map(|(own, usual)| own.unwrap_or(*usual));
        self.meshes.iter().zip(colors).map(|(mesh, color)| Mesh {
            vertices: &mesh.vertices,
            normals: &mesh.normals,
            triangles: &mesh.triangles,
            pose: Pose::default(),
            color,
            colors: &mesh.colors,
            shaded: true,
            sides: Sides::Both,
        })
    }
}

impl SetMesh {
    fn clear(&mut self) {
        self.vertices.clear();
        self.normals.clear();
        self.colors.clear();
        self.triangles.clear();
    }

    /// A sheet, with the mean of its triangles' normals, weighted by their areas, at each vertex.
    fn set_sheet(&mut self, set: &ShownSet, is_shown: impl Fn(Vec3) -> bool) {
        self.vertices.clone_from(&set.points.positions);
        let center =
            |corners: &[u32; 3]| corners.iter().map(|&vertex| set.points.positions[vertex as usize]).sum::<Vec3>() / 3.0;
        self.triangles.extend(set.triangles.iter().filter(|triangle| is_shown(center(triangle))));
        self.normals.resize(set.points.len(), Vec3::ZERO);
        for triangle in &set.triangles {
            let [a, b, c] = triangle.map(|vertex| set.points.positions[vertex as usize]);
            let normal = (b - a).cross(c - a);
            triangle.iter().for_each(|&vertex| self.normals[vertex as usize] += normal);
        }
        self.normals.iter_mut().for_each(|normal| *normal = normal.normalize_or(Vec3::Y));
    }

    /// Balls with these `tints`; of a sheet, only those that a query has visited.
    fn add_tinted(
        &mut self,
        (set, is_shown): (&PointSet, impl Fn(Vec3) -> bool),
        (tints, is_sheet): (&[Tint], bool),
        spheres: &[Sphere],
    ) {
        for ((&center, &radius), &tint) in set.positions.iter().zip(&set.radii).zip(tints) {
            let color = |kind: u8| crate::scene_frame::COLORS[usize::from(kind)];
            let (part, color, divisions) = match tint {
                Tint::Color(kind) => (1.0, color(kind), 3),
                Tint::Small(kind) => (SMALL_SIZE, color(kind), 2),
                Tint::Value | Tint::Faint if !is_sheet => (FAINT_SIZE, FAINT_COLOR, 1),
                Tint::Value | Tint::Faint | Tint::Hidden => continue,
            };
            if center.is_finite() && is_shown(center) {
                self.add_ball(center, part * radius, &spheres[divisions]);
                self.colors.resize(self.vertices.len(), color);
            }
        }
    }

    /// A ball with the vertices and faces of a unit sphere.
    fn add_ball(&mut self, center: Vec3, radius: f32, (points, faces): &Sphere) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(points.iter().map(|point| center + radius * point));
        self.normals.extend_from_slice(points);
        self.triangles.extend(faces.iter().map(|face| face.map(|vertex| first + vertex)));
    }

    /// Balls, as octahedra whose faces are divided more often the larger the balls look.
    /// `colors` come with the value of each ball.
    fn add_balls(
        &mut self,
        (set, is_shown): (&PointSet, impl Fn(Vec3) -> bool),
        colors: Option<(&QuantityColors, &[f32])>,
        eye: Vec3,
        spheres: &[Sphere],
    ) {
        let balls = || set.positions.iter().copied().zip(set.radii.iter().copied()).enumerate();
        let balls = || balls().filter(|(_, (center, _))| center.is_finite() && is_shown(*center));
        let divisions = |center: Vec3, radius: f32, most: usize| {
            let angle = radius / center.distance(eye).max(radius);
            (1 + ANGLES.iter().filter(|&&limit| angle >= limit).count()).min(most)
        };
        // Coarser where all together would be too many.
        let vertices =
            |most: usize| balls().map(|(_, (center, radius))| spheres[divisions(center, radius, most)].0.len()).sum();
        let most = (1..=MOST_DIVISIONS).rev().find(|&most| MOST_VERTICES >= vertices(most)).unwrap_or(0);
        for (ball, (center, radius)) in balls() {
            self.add_ball(center, radius, &spheres[divisions(center, radius, most)]);
            if let Some((colors, values)) = colors {
                self.colors.resize(self.vertices.len(), colors.color(values[ball]));
            }
        }
    }
}

/// Vertices and triangles of a unit sphere: an octahedron, each face of which is divided into four so many times.
fn sphere(divisions: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut points = vec![Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let mut faces = vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    for _ in 0..divisions {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        let divided = faces.iter().flat_map(|&[a, b, c]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        });
        faces = divided.collect();
    }
    (points, faces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_are_closed_and_face_outwards() {
        for divisions in 0..=3 {
            let (points, faces) = sphere(divisions);
            assert_eq!((points.len(), faces.len()), ((4usize << (2 * divisions)) + 2, 8 << (2 * divisions)));
            assert!(points.iter().all(|point| (point.length() - 1.0).abs() < 1e-6));
            let volume = |face: &[u32; 3]| {
                let [a, b, c] = face.map(|vertex| points[vertex as usize]);
                a.dot(b.cross(c)) / 6.0
            };
            assert!(faces.iter().all(|face| volume(face) > 0.0));
        }
    }

    #[test]
    fn a_sheet_has_the_normal_of_its_triangles() {
        let positions = vec![Vec3::ZERO, Vec3::Z, Vec3::X, Vec3::X + Vec3::Z];
        let points = PointSet { positions, radii: vec![0.1; 4], ..PointSet::default() };
        let set = ShownSet { points, triangles: vec![[0, 1, 2], [2, 1, 3]], ..ShownSet::default() };
        let sets = ShownSets(vec![set]);
        let mut meshes = SetMeshes::new(Vec::new());
        meshes.update((&sets, &[]), None, Vec3::ZERO, None);
        let mesh = meshes.meshes().next().expect("a set");
        assert!(mesh.normals.iter().all(|normal| *normal == Vec3::Y));
    }

    #[test]
    fn a_sheet_has_the_colours_of_its_strain_or_its_own() {
        let rest: Arc<[Vec3]> = [Vec3::ZERO, Vec3::X, Vec3::Y].into();
        let positions = rest.iter().map(|position| 1.01 * position).collect();
        let points = PointSet {
            positions,
            velocities: vec![Vec3::X; 3],
            radii: vec![0.1; 3],
            ids: vec![0, 1, 2],
            ..PointSet::default()
        };
        let sets = ShownSets(vec![ShownSet { points, triangles: vec![[0, 1, 2]], ..ShownSet::default() }]);
        let mut meshes = SetMeshes::new(vec![SetOrigin { color: None, rest }]);
        let map = ColorMap::Viridis;
        let mut color = |field, of, range| {
            meshes.update((&sets, &[]), Some(&QuantityColors { field, of, map, range }), Vec3::splat(9.0), None);
            let colors = meshes.meshes().next().expect("a set").colors.to_vec();
            (colors, meshes.beyond_range())
        };
        let middle = map.sample(0.5);
        let (colors, beyond) = color(ColorField::Stretch, None, [0.0, 2.0]);
        assert!(colors.len() == 3 && beyond == [false; 2]);
        assert!((0..3).all(|channel| colors[0][channel].abs_diff(middle[channel]) <= 1), "{colors:?}");
        assert_eq!(color(ColorField::Stretch, None, [0.0, 0.5]), (vec![map.sample(1.0); 3], [false, true]));
        assert_eq!(color(ColorField::Speed, Some(PointColors::Quantity), [0.0, 2.0]).0, [middle; 3]);
        for (field, of) in
            [(ColorField::Speed, None), (ColorField::Stretch, Some(PointColors::Own)), (ColorField::Density, None)]
        {
            assert!(color(field, of, [0.0, 2.0]).0.is_empty(), "{field:?}");
        }
    }

    #[test]
    fn points_are_on_their_way_and_new_ones_at_its_end() {
        let points = PointSet { positions: vec![Vec3::ONE, Vec3::Y], radii: vec![0.1; 2], ..PointSet::default() };
        let sets = ShownSets(vec![ShownSet { points, triangles: vec![[0, 1, 1]], ..ShownSet::default() }; 2]);
        let mut before = vec![vec![Vec3::ZERO; 7]; 3];
        ShownSets(vec![ShownSet::default(); 2]).copy_positions(&mut before);
        assert_eq!(before, vec![Vec::<Vec3>::new(); 2]);
        before[0] = vec![Vec3::new(0.0, 1.0, 1.0)];
        let mut between = ShownSets(vec![ShownSet::default(); 3]);
        between.copy_between(&before, &sets, 0.25);
        assert_eq!((between.len(), between.is_sheet(1)), (2, true));
        let corners: Vec<[Vec3; 3]> = between.triangles().collect();
        assert_eq!(corners, [[Vec3::new(0.25, 1.0, 1.0), Vec3::Y, Vec3::Y], [Vec3::ONE, Vec3::Y, Vec3::Y]]);
    }

    #[test]
    fn balls_that_look_large_are_rounder_and_have_the_colour_of_their_value() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::NAN, Vec3::Y];
        let points = PointSet { positions, radii: vec![0.001, 0.01, 0.1, 0.1], ..PointSet::default() };
        let sets = ShownSets(vec![ShownSet { points, ..ShownSet::default() }; 2]);
        let mut meshes = SetMeshes::new(vec![SetOrigin { color: Some([1, 2, 3]), ..SetOrigin::default() }]);
        let map = ColorMap::Viridis;
        let colors = QuantityColors { field: ColorField::Radius, of: None, map, range: [0.001, 0.1] };
        meshes.update((&sets, &[]), Some(&colors), Vec3::new(0.0, 0.0, 2.0), None);
        let [first, second] = meshes.meshes().collect::<Vec<_>>()[..] else { panic!("two sets") };
        assert_eq!((first.color, second.color), ([1, 2, 3], COLORS[1]));
        // The ball at no place is left out.
        assert_eq!(first.vertices.len(), 18 + 66 + 1026);
        assert!(first.vertices.iter().all(|vertex| vertex.is_finite()) && first.colors.len() == first.vertices.len());
        assert_eq!((first.colors[0], first.colors[18 + 66]), (map.sample(0.0), map.sample(1.0)));
        // A quantity that balls have not: the colours of the sets.
        meshes.update((&sets, &[]), Some(&QuantityColors { field: ColorField::Density, ..colors }), Vec3::ONE, None);
        assert!(meshes.meshes().all(|mesh| mesh.colors.is_empty()));
    }

    #[test]
    fn a_slab_holds_the_balls_and_triangles_with_their_centres_in_it() {
        let slab = Some(Slab { axis: 0, low: 0.5, high: 1.5 });
        let positions: Vec<Vec3> = (0..4).map(|k| Vec3::X * k as f32).collect();
        let balls = PointSet { radii: vec![0.2; 4], positions, ..PointSet::default() };
        let positions = vec![Vec3::ZERO, Vec3::Z, Vec3::X, 2.0 * Vec3::X, 2.0 * Vec3::X + Vec3::Z];
        let points = PointSet { radii: vec![0.1; 5], positions, ..PointSet::default() };
        let sheet = ShownSet { points, triangles: vec![[0, 1, 2], [2, 4, 3]], ..ShownSet::default() };
        let mut meshes = SetMeshes::new(Vec::new());
        let sets = ShownSets(vec![ShownSet { points: balls, ..ShownSet::default() }, sheet]);
        meshes.update((&sets, &[]), None, Vec3::splat(9.0), slab);
        let [balls, sheet] = meshes.meshes().collect::<Vec<_>>()[..] else { panic!("two sets") };
        assert!(!balls.vertices.is_empty() && balls.vertices.iter().all(|vertex| vertex.distance(Vec3::X) < 0.21));
        // Centres at a third and at five thirds.
        assert!(sheet.triangles.is_empty());
        meshes.update((&sets, &[]), None, Vec3::splat(9.0), Some(Slab { axis: 0, low: 0.0, high: 1.0 }));
        assert_eq!(meshes.meshes().nth(1).map(|mesh| mesh.triangles.to_vec()), Some(vec![[0, 1, 2]]));
    }

    #[test]
    fn very_many_balls_are_coarser() {
        let positions: Vec<Vec3> = (0..40_000).map(|k| Vec3::X * k as f32).collect();
        let points = PointSet { radii: vec![100.0; positions.len()], positions, ..PointSet::default() };
        let mut meshes = SetMeshes::new(Vec::new());
        meshes.update((&ShownSets(vec![ShownSet { points, ..ShownSet::default() }]), &[]), None, Vec3::ZERO, None);
        let vertices = meshes.meshes().next().expect("a set").vertices.len();
        assert_eq!(vertices, 40_000 * 18);
    }

    #[test]
    fn a_query_is_seen_between_small_balls_and_on_a_grey_sheet() {
        let points = PointSet { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], radii: vec![0.1; 3], ..PointSet::default() };
        let balls = ShownSet { points, ..ShownSet::default() };
        let sheet = ShownSet { triangles: vec![[0, 1, 2]], ..balls.clone() };
        let mut meshes = SetMeshes::new(Vec::new());
        let tints = vec![Tint::Color(1), Tint::Small(2), Tint::Faint];
        let sets = ShownSets(vec![balls.clone(), sheet, balls]);
        meshes.update((&sets, &[tints.clone(), tints, Vec::new()]), None, Vec3::splat(9.0), None);
        let [balls, sheet, others] = meshes.meshes().collect::<Vec<_>>()[..] else { panic!("three sets") };
        let farthest = |center: Vec3| {
            let near = balls.vertices.iter().map(|vertex| vertex.distance(center)).filter(|&distance| distance < 0.5);
            near.fold(0.0, f32::max)
        };
        for (center, radius) in [(Vec3::ZERO, 0.1), (Vec3::X, 0.1 * SMALL_SIZE), (Vec3::Y, 0.025)] {
            assert!((farthest(center) - radius).abs() < 1e-6, "{center}");
        }
        let color = |mesh: &Mesh<'_>, center: Vec3| {
            let nearest = |vertex: &(&Vec3, &[u8; 3])| vertex.0.distance(center) < 0.11;
            mesh.vertices.iter().zip(mesh.colors).filter(nearest).map(|(_, color)| *color).next_back()
        };
        let palette = crate::scene_frame::COLORS;
        for mesh in [&balls, &sheet] {
            assert_eq!(color(mesh, Vec3::ZERO), Some(palette[1]));
            assert_eq!(color(mesh, Vec3::X), Some(palette[2]));
            assert_eq!(color(mesh, Vec3::Y), Some(FAINT_COLOR));
            assert_eq!(mesh.colors.len(), mesh.vertices.len());
        }
        assert_eq!(sheet.triangles[0], [0, 1, 2]);
        assert!(others.colors.is_empty(), "a set that the query does not search is as it is");
    }

    #[test]
    fn a_ray_meets_the_first_ball_and_the_nearest_corner() {
        let points = |positions: Vec<Vec3>| PointSet {
            radii: vec![0.1; positions.len()],
            ids: (5..).take(positions.len()).collect(),
            positions,
            ..PointSet::default()
        };
        let balls = ShownSet { points: points(vec![Vec3::ZERO, -Vec3::Z]), ..ShownSet::default() };
        let corners = points(vec![Vec3::new(-1.0, -1.0, 1.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(0.0, 2.0, 1.0)]);
        let sheet = ShownSet { points: corners, triangles: vec![[0, 1, 2]], ..ShownSet::default() };
        let sets = ShownSets(vec![balls, sheet]);
        let ray = Ray { origin: Vec3::new(0.05, 0.0, 5.0), direction: Vec3::NEG_Z };
        let at = |slab, may_be: &dyn Fn(usize, usize) -> bool| {
            sets.point_at(ray, slab, |set, _, index| may_be(set, index)).map(|(point, _)| point)
        };
        assert_eq!(at(None, &|_, _| true), Some(PointId { set: 1, id: 6 }));
        assert_eq!(at(None, &|set, index| (set, index) != (1, 1)), Some(PointId { set: 1, id: 5 }), "one is pinned");
        assert_eq!(at(None, &|set, _| set == 0), Some(PointId { set: 0, id: 5 }));
        assert_eq!(at(Some(Slab { axis: 2, low: -2.0, high: -0.5 }), &|_, _| true), Some(PointId { set: 0, id: 6 }));
        let (set, index) = sets.point(PointId { set: 0, id: 6 }).expect("there is such a ball");
        assert_eq!((set.positions[index], sets.point(PointId { set: 0, id: 4 }).is_none()), (-Vec3::Z, true));
    }
}
