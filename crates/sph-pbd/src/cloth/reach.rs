//! How far vertices may move before they are searched again, and which of them may touch until then.

use super::Sheet;
use super::block_pairs::Found;
use super::blocks::Blocks;
use super::constraints::span;
use super::pairs::Pair;
use super::vertices::{Vertex, displaced};
use glam::{Vec3, Vec3A, Vec4};
use sph_core::neighbors::{AuditPlan, GridParameters};
use sph_core::point_sets::PointSet;

/// Allowance of a vertex: what it travels at its present speed until the end of the step, times [`HASTE`], but at least and at most so many
/// thicknesses.
const ALLOWANCE: [f32; 2] = [0.25, 0.4];

/// Factor by which a vertex may become faster before it is searched again.
const HASTE: f32 = 1.2;

/// Part of the thickness that constraints may move a vertex by in a substep before its contacts are solved.
const SLACK: f32 = 0.1;

/// Input of a search.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub sheets: &'a [Sheet],
    /// Index of the first vertex of each sheet.
    pub offsets: &'a [usize],
    pub sets: &'a [PointSet],
    pub blocks: &'a Blocks,
    pub grid: GridParameters,
    pub audit: AuditPlan,
    pub vertices: &'a [Vertex],
    pub velocities: &'a [Vec3A],
    /// Time until the end of the step, s.
    pub time_left: f32,
    /// Mean velocity of all vertices, m/s.
    pub mean_velocity: Vec3A,
    /// Largest thickness of a sheet, m.
    pub thickness: f32,
}

impl Surroundings<'_> {
    /// The displacement of a vertex, m, and last its allowance, m.
    pub fn limit(&self, vertex: usize) -> Vec4 {
        let [least, most] = ALLOWANCE;
        let relative = self.velocities[vertex] - self.mean_velocity;
        let travel = HASTE * relative.length() * self.time_left + least * self.thickness;
        // `min` turns a speed that is not a number into the largest allowance.
        self.vertices[vertex].displacement().extend(travel.min(most * self.thickness))
    }

    /// Position of a vertex of the set `sheet`, m.
    pub fn position(&self, sheet: usize, vertex: usize) -> Vec3 {
        let (set, k) = (&self.sets[sheet], vertex - self.offsets[sheet]);
        let error = set.rounding_errors.get(k).copied().unwrap_or(Vec3::ZERO);
        displaced(set.positions[k], error, self.vertices[vertex].displacement().into()).0
    }

    /// Largest distance of two vertices that may touch, m.
    pub fn farthest(&self) -> f32 {
        (1.0 + 2.0 * (ALLOWANCE[1] + SLACK)) * self.thickness
    }

    /// False if two vertices are too far apart to touch, whatever else is known of them. The four numbers are positions and allowances, m.
    #[inline(always)]
    pub fn are_near(&self, a: Vec4, b: Vec4) -> bool {
        let most = self.thickness + self.slack(a, b);
        Vec3A::from_vec4(a - b).length_squared() <= most * most
    }

    /// Way by which two vertices may approach each other, m.
    #[inline(always)]
    fn slack(&self, a: Vec4, b: Vec4) -> f32 {
        a.w + b.w + 2.0 * SLACK * self.thickness
    }

    /// Vertices `i` and `j` before it as a pair, if they may touch. The `reaches` are their positions and allowances, m.
    pub fn pair(&self, [i, j]: [usize; 2], [own, other]: [Vec4; 2]) -> Option<Found> {
        let [(own_block, own_place), (block, place)] = [i, j].map(|vertex| self.blocks.place(vertex));
        let [s, t] = [own_block, block].map(|block| self.blocks.sheet(block as usize));
        let (k, m) = (i - self.offsets[s], j - self.offsets[t]);
        let touch = if s == t {
            self.sheets[s].least_distance_squared(k, m)
        } else {
            let sum = self.sets[s].radii[k] + self.sets[t].radii[m];
            sum * sum
        };
        let least = touch.sqrt();
        let reach = least + self.slack(own, other);
        let [w_i, w_j] = [i, j].map(|vertex| self.vertices[vertex].inverse_mass());
        if w_i + w_j == 0.0 || Vec3A::from_vec4(own - other).length_squared() > reach * reach {
            return None;
        }
        let span = span(&self.sets[s], k, &self.sets[t], m).extend(touch);
        Some(Found { pair: Pair { span, least, share: w_i / (w_i + w_j) }, places: [own_place, place], block })
    }
}
