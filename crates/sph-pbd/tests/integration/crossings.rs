//! The oracle of contacts: triangles that cross, by exact predicates, and vertices that are too near.

use glam::Vec3;
use robust::{Coord3D, orient3d};
use sph_core::neighbors::{NeighborLists, NeighborSearch, Pairing, SortedCells};
use sph_pbd::cloth::Cloths;

use crate::tank::Tank;

/// All triangles of a state.
struct Soup {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Soup {
    fn new(cloths: &Cloths, tank: &Tank) -> Self {
        let mut soup = Self { points: Vec::new(), triangles: Vec::new() };
        for (sheet, set) in cloths.sheets().iter().zip(&tank.sets) {
            let offset = soup.points.len() as u32;
            soup.triangles.extend(sheet.triangles(set).map(|triangle| triangle.map(|vertex| vertex + offset)));
            soup.points.extend(&set.positions);
        }
        soup
    }

    fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|vertex| self.points[vertex as usize])
    }

    /// True if an edge of triangle `a` goes through triangle `b`. Edges that touch, and those with a common vertex, do not.
    fn pierces(&self, a: usize, b: usize) -> bool {
        let corners = self.corners(b);
        let edges = [[0, 1], [1, 2], [2, 0]].map(|edge| edge.map(|k| self.triangles[a][k]));
        edges.iter().any(|edge| pierces(edge.map(|vertex| self.points[vertex as usize]), corners))
    }

    fn crossings(&self) -> usize {
        let centers: Vec<Vec3> =
            (0..self.triangles.len()).map(|triangle| self.corners(triangle).iter().sum::<Vec3>() / 3.0).collect();
        let reach = |triangle: usize| self.corners(triangle).map(|corner| corner.distance(centers[triangle]));
        let longest = (0..centers.len()).flat_map(reach).fold(0.0, f32::max);
        let radius = 2.001 * longest;
        let near = lists(&centers, radius);
        let boxes: Vec<[Vec3; 2]> = (0..centers.len())
            .map(|triangle| {
                let [a, b, c] = self.corners(triangle);
                [a.min(b).min(c), a.max(b).max(c)]
            })
            .collect();
        let apart = |a: usize, b: usize| (boxes[a][0].cmpgt(boxes[b][1]) | boxes[b][0].cmpgt(boxes[a][1])).any();
        let common = |a: usize, b: usize| self.triangles[a].iter().any(|vertex| self.triangles[b].contains(vertex));
        let cross = |a: usize, b: usize| !apart(a, b) && !common(a, b) && (self.pierces(a, b) || self.pierces(b, a));
        let below = |a: usize| near.of(a).iter().map(|&b| b as usize).filter(move |&b| b < a && cross(a, b)).count();
        (0..centers.len()).map(below).sum()
    }
}

/// True if the straight line between two points goes through a triangle with these corners.
fn pierces([from, to]: [Vec3; 2], [p, q, r]: [Vec3; 3]) -> bool {
    if volume(p, q, r, from) * volume(p, q, r, to) >= 0.0 {
        return false;
    }
    let turns = [volume(from, to, p, q), volume(from, to, q, r), volume(from, to, r, p)];
    turns.iter().all(|&turn| turn > 0.0) || turns.iter().all(|&turn| turn < 0.0)
}

/// Six times the signed volume of a tetrahedron, m³, its sign exact.
fn volume(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: f64::from(p.x), y: f64::from(p.y), z: f64::from(p.z) });
    orient3d(a, b, c, d)
}

fn lists(points: &[Vec3], radius: f32) -> NeighborLists {
    let ids: Vec<u32> = (0..points.len() as u32).collect();
    let mut search = SortedCells::new(radius, radius);
    search.update(points, &ids).expect("any points");
    let mut lists = NeighborLists::default();
    lists.fill(&search, points, Pairing::Within);
    lists
}

/// True if a triangle of a sheet is pierced by the straight line between two points.
pub fn is_pierced(tank: &Tank, from: Vec3, to: Vec3) -> bool {
    let soup = Soup::new(&tank.cloths, tank);
    (0..soup.triangles.len()).any(|triangle| {
        let [p, q, r] = soup.corners(triangle);
        pierces([from, to], [p, q, r])
    })
}

/// Number of pairs of triangles that cross.
pub fn crossings(tank: &Tank) -> usize {
    Soup::new(&tank.cloths, tank).crossings()
}

/// Least distance of two vertices, in thicknesses, or in their distances at rest if these are less.
pub fn least_distance(tank: &Tank) -> f32 {
    let mut owners = Vec::new();
    let mut points = Vec::new();
    for (number, set) in tank.sets.iter().enumerate() {
        owners.extend((0..set.len()).map(|k| (number, k)));
        points.extend(&set.positions);
    }
    let thickness = |sheet: usize| tank.cloths.sheets()[sheet].setup().thickness;
    let thickest = (0..tank.sets.len()).map(thickness).fold(0.0, f32::max);
    let near = lists(&points, thickest);
    let mut least = 1.0_f32;
    for i in 0..points.len() {
        for &j in near.of(i) {
            let ((a, k), (b, m)) = (owners[i], owners[j as usize]);
            let mut touch = 0.5 * (thickness(a) + thickness(b));
            if a == b {
                let rest = tank.cloths.sheets()[a].setup().rest_positions();
                touch = touch.min(rest[k].distance(rest[m]));
            }
            least = least.min(points[i].distance(points[j as usize]) / touch);
        }
    }
    least
}

#[test]
fn triangles_that_cross_are_found() {
    let triangle = |points: [Vec3; 6]| Soup { points: points.to_vec(), triangles: vec![[0, 1, 2], [3, 4, 5]] };
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Z];
    let upright = |x: f32| [Vec3::new(x, -0.5, 0.2), Vec3::new(x, 0.5, 0.2), Vec3::new(x + 0.1, 0.5, 0.2)];
    let both = |other: [Vec3; 3]| triangle([flat[0], flat[1], flat[2], other[0], other[1], other[2]]);
    assert_eq!(both(upright(0.25)).crossings(), 1);
    assert_eq!(both(upright(0.9)).crossings(), 0);
    // It touches the plane of the other from above.
    assert_eq!(both(upright(0.25).map(|corner| corner + 0.5 * Vec3::Y)).crossings(), 0);
}
