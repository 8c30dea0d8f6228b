//! Balls in a box, without overlap: random sequential addition, the largest first (Torquato2002, §3.4).

use super::random::Random;
use glam::{UVec3, Vec3};

/// Random places that are tried for a ball.
const ATTEMPTS: u64 = 2000;

/// Random places that are tried for all balls together, unless they are few. A box that is nearly full is given up after some seconds.
const MOST_ATTEMPTS: u64 = 20_000_000;

/// Part of a box that no random filling reaches, whatever the sizes: more need not be tried.
pub(super) const MOST_FILLING: f32 = 0.6;

/// Most cells of the grid in which balls are registered.
const MOST_CELLS: f32 = (1 << 22) as f32;

/// Index of no node.
const NONE: u32 = u32::MAX;

/// Centres of balls of `radii` inside the box from `min` to `max`, which have no overlap; `Err` with the number of balls that were
/// placed if one found no place. All in m.
///
/// Equal balls fill up to about 36 % of the box, balls of many sizes more.
pub(super) fn fill(min: Vec3, max: Vec3, radii: &[f32], seed: u64) -> Result<Vec<Vec3>, usize> {
    let mut order: Vec<u32> = (0..radii.len() as u32).collect();
    order.sort_by(|&a, &b| radii[b as usize].total_cmp(&radii[a as usize]));
    let mut attempts = MOST_ATTEMPTS;
    let mut placed = Placed::new(min, max, radii);
    let mut centers = vec![Vec3::ZERO; radii.len()];
    for (count, &ball) in order.iter().enumerate() {
        let radius = radii[ball as usize];
        let (low, high) = (min + radius, max - radius);
        if low.cmpgt(high).any() {
            return Err(count);
        }
        let mut places = (1..=ATTEMPTS.min(attempts)).map(|attempt| Random::new(seed, ball.into(), attempt).point(low, high));
        let center = places.find(|&center| {
            attempts -= 1;
            placed.has_room(center, radius)
        });
        let center = center.ok_or(count)?;
        placed.add(center, radius);
        centers[ball as usize] = center;
    }
    Ok(centers)
}

/// Balls that have been placed, each registered in all cells that it covers.
struct Placed {
    min: Vec3,
    per_metre: f32,
    size: UVec3,
    /// First node of each cell.
    heads: Vec<u32>,
    /// Ball, and next node of the cell.
    nodes: Vec<(u32, u32)>,
    balls: Vec<(Vec3, f32)>,
}

impl Placed {
    fn new(min: Vec3, max: Vec3, radii: &[f32]) -> Self {
        // Cells as wide as a ball of mean volume: a ball covers eight of them in the mean, and few balls cover a cell.
        let mean_volume = radii.iter().map(|radius| radius.powi(3)).sum::<f32>() / radii.len().max(1) as f32;
        let extent = max - min;
        let cell = (2.0 * mean_volume.cbrt()).max((extent.x * extent.y * extent.z / MOST_CELLS).cbrt());
        let cell = cell.max(extent.max_element() / 1024.0);
        let size = (extent / cell).ceil().as_uvec3().max(UVec3::ONE);
        let heads = vec![NONE; size.as_usizevec3().element_product()];
        Self { min, per_metre: cell.recip(), size, heads, nodes: Vec::new(), balls: Vec::new() }
    }

    /// Cells that a ball covers.
    fn covered(&self, center: Vec3, radius: f32) -> impl Iterator<Item = usize> + use<> {
        let cell = |point: Vec3| ((point - self.min) * self.per_metre).as_uvec3().min(self.size - 1);
        let (low, high, size) = (cell(center - radius), cell(center + radius), self.size);
        let rows = (low.z..=high.z).flat_map(move |z| (low.y..=high.y).map(move |y| z * size.y + y));
        rows.flat_map(move |row| (low.x..=high.x).map(move |x| (row * size.x + x) as usize))
    }

    fn has_room(&self, center: Vec3, radius: f32) -> bool {
        self.covered(center, radius).all(|cell| {
            let first = Some(self.heads[cell]).filter(|&node| node != NONE);
            let mut nodes =
                std::iter::successors(first, |&node| Some(self.nodes[node as usize].1).filter(|&next| next != NONE));
            nodes.all(|node| {
                let (other, other_radius) = self.balls[self.nodes[node as usize].0 as usize];
                center.distance_squared(other) >= (radius + other_radius).powi(2)
            })
        })
    }

    fn add(&mut self, center: Vec3, radius: f32) {
        for cell in self.covered(center, radius) {
            self.nodes.push((self.balls.len() as u32, self.heads[cell]));
            self.heads[cell] = self.nodes.len() as u32 - 1;
        }
        self.balls.push((center, radius));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_lie_in_the_box_and_do_not_overlap() {
        let radii: Vec<f32> = (0..800).map(|k| 0.01 * 20f32.powf((k % 40) as f32 / 39.0)).collect();
        let (min, max) = (Vec3::new(-1.0, 0.0, 2.0), Vec3::new(0.5, 3.5, 4.0));
        let centers = fill(min, max, &radii, 3).expect("room");
        for (i, (&center, &radius)) in centers.iter().zip(&radii).enumerate() {
            assert!((center - radius).cmpge(min - 1e-6).all() && (center + radius).cmple(max + 1e-6).all());
            for (other, other_radius) in centers[..i].iter().zip(&radii) {
                assert!(center.distance(*other) >= (radius + other_radius) * (1.0 - 1e-6));
            }
        }
        assert_eq!(fill(min, max, &radii, 3), Ok(centers));
    }

    #[test]
    fn a_box_that_is_too_small_says_how_many_it_holds() {
        assert_eq!(fill(Vec3::ZERO, Vec3::ONE, &[0.2, 0.51], 0), Err(0));
        let placed = fill(Vec3::ZERO, Vec3::ONE, &[0.1; 140], 0).expect_err("more than the densest packing");
        // Random sequential addition stops near 38 %, less beside walls.
        assert!((50..120).contains(&placed), "{placed}");
        assert_eq!(fill(Vec3::ZERO, Vec3::ONE, &[], 0), Ok(Vec::new()));
    }
}
