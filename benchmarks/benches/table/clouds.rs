//! Point clouds for the comparison of searches.

use glam::Vec3;

/// A cube of `edge`³ points on a lattice of spacing 1, each moved by up to 0.2 along every axis.
pub fn lattice(edge: usize) -> Vec<Vec3> {
    let mut random = Random(7);
    let mut points = Vec::with_capacity(edge * edge * edge);
    for z in 0..edge {
        for y in 0..edge {
            for x in 0..edge {
                points.push(Vec3::new(x as f32, y as f32, z as f32) + random.jitter(0.2));
            }
        }
    }
    points
}

/// A box of 2 × 1 × 1 that is full below its diagonal: about `count` points on a jittered lattice of spacing 1 as above, and 2
/// % of spray anywhere in the box.
pub fn wedge(count: usize) -> Vec<Vec3> {
    let mut random = Random(11);
    let edge = (count as f64 * 0.98).cbrt().round() as usize;
    let mut points = Vec::with_capacity(count);
    for z in 0..edge {
        for y in 0..edge {
            let end = 2 * edge - 2 * y;
            points.extend((0..end).map(|x| Vec3::new(x as f32, y as f32, z as f32) + random.jitter(0.2)));
        }
    }
    let size = edge as f32 * Vec3::new(2.0, 1.0, 1.0);
    points.extend((0..count / 50).map(|_| random.in_cube() * size));
    points
}

/// The points moved by up to 0.02 along every axis, as in a time step.
pub fn moved(points: &[Vec3], seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    points.iter().map(|&point| point + random.jitter(0.02)).collect()
}

/// SplitMix64 pseudo-random numbers.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    }

    fn in_cube(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit())
    }

    fn jitter(&mut self, reach: f32) -> Vec3 {
        2.0 * reach * (self.in_cube() - 0.5)
    }
}
