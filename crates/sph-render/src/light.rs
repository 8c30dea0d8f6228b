//! Ambient light of each particle, and the shadow on the floor: sky light propagates down through a coarse grid of the fluid's
//! density, layer by layer; it spreads sideways and is attenuated by the fluid. Computed on the CPU, a few sums per particle;
//! adds no time per pixel.

use glam::{IVec3, UVec3, Vec3};
use std::f32::consts::PI;

/// Length of a cell, particle radii: two particle spacings.
const CELL: f32 = 4.0;
/// Maximum number of cells: larger scenes get coarser cells.
const MAX_CELLS: f32 = 150_000.0;
/// Empty cells trilinear the scene, so that light enters from the sides.
const MARGIN: u32 = 2;
/// Optical depth of a cell filled with fluid.
const ATTENUATION: f32 = 0.9;
/// Share of the light that a cell receives from the cell above it, from each of that cell's four side neighbours, and from each
/// of its four corner neighbours.
const SPREAD: [f32; 3] = [0.28, 0.10, 0.08];

/// Grid of density and light; memory is reused from frame to frame.
#[derive(Debug, Default)]
pub struct Light {
    corner: Vec3,
    rate: f32,
    size: UVec3,
    /// First the volume fraction of fluid in each cell, then the light that leaves the cell downwards. One extra layer on top
    /// is the sky.
    light: Vec<f32>,
    floor: Vec<u8>,
}

impl Light {
    /// Computes the light for particles of `radius` and `balls` around centres with radii of their own, in the scene `min`–`max`, m. A flat or empty
    /// scene has no shadows.
    pub fn update(&mut self, positions: impl Iterator<Item = Vec3>, balls: &[(Vec3, f32)], radius: f32, min: Vec3, max: Vec3) {
        self.size = UVec3::ZERO;
        let extent = max - min;
        let flat = extent.min_element() <= 2.0 * radius;
        if flat || !extent.is_finite() || !(radius > 0.0 && radius.is_finite()) {
            return;
        }
        let cell = (CELL * radius).max((extent.element_product() / MAX_CELLS).cbrt()).max(extent.max_element() / 500.0);
        self.rate = 1.0 / cell;
        let margin = UVec3::new(MARGIN, 0, MARGIN);
        self.corner = min - margin.as_vec3() * cell;
        self.size = (extent * self.rate).ceil().as_uvec3() + 2 * margin + UVec3::new(0, 2, 0);
        let has_particles = self.deposit(positions, (2.0 * radius * self.rate).powi(3));
        if self.deposit_balls(balls) || has_particles {
            self.propagate();
        } else {
            self.size = UVec3::ZERO;
        }
    }

    /// Distributes the volume of each particle to its eight nearest cells (cloud in cell). Returns true if there is any
    /// particle.
    fn deposit(&mut self, positions: impl Iterator<Item = Vec3>, share: f32) -> bool {
        self.light.clear();
        self.light.resize(self.size.element_product() as usize, 0.0);
        let mut any = false;
        for position in positions {
            any = true;
            if let Some((cells, weights)) = self.trilinear(position) {
                for (cell, weight) in cells.into_iter().zip(weights) {
                    self.light[cell] += share * weight;
                }
            }
        }
        any
    }

    /// Distributes the volume of each ball to the cells that it covers: as a point if it is smaller than a cell, else as a lattice of points half a cell
    /// apart. Returns true if there is any ball.
    fn deposit_balls(&mut self, balls: &[(Vec3, f32)]) -> bool {
        let (rate, step) = (self.rate, 0.5 / self.rate);
        let mut add = |point: Vec3, share: f32| {
            if let Some((cells, weights)) = self.trilinear(point) {
                for (cell, weight) in cells.into_iter().zip(weights) {
                    self.light[cell] += share * weight;
                }
            }
        };
        for &(center, radius) in balls {
            if radius < step {
                add(center, 4.0 / 3.0 * PI * (radius * rate).powi(3));
                continue;
            }
            // No more than the scene has cells along an axis, however large the ball is.
            let reach = (radius / step).min(1000.0) as i32;
            for z in -reach..=reach {
                for y in -reach..=reach {
                    for x in -reach..=reach {
                        let offset = step * IVec3::new(x, y, z).as_vec3();
                        if offset.length_squared() <= radius * radius {
                            add(center + offset, 0.125);
                        }
                    }
                }
            }
        }
        !balls.is_empty()
    }

    /// Replaces volume fractions by light, from the top layer down.
    fn propagate(&mut self) {
        let [nx, ny, nz] = self.size.to_array().map(|count| count as usize);
        let layer = nx * nz;
        self.light[(ny - 1) * layer..].fill(1.0);
        let [middle, side, corner] = SPREAD;
        for y in (0..ny - 1).rev() {
            let (below, above) = self.light.split_at_mut((y + 1) * layer);
            let (below, above) = (&mut below[y * layer..], &above[..layer]);
            for z in 0..nz {
                for x in 0..nx {
                    let place = z * nx + x;
                    let inner = x > 0 && z > 0 && x + 1 < nx && z + 1 < nz;
                    let arriving = if inner {
                        let sides = above[place - 1] + above[place + 1] + above[place - nx] + above[place + nx];
                        let corners =
                            above[place - nx - 1] + above[place - nx + 1] + above[place + nx - 1] + above[place + nx + 1];
                        middle * above[place] + side * sides + corner * corners
                    } else {
                        1.0
                    };
                    below[place] = arriving * (-ATTENUATION * below[place].min(1.2)).exp();
                }
            }
        }
    }

    /// Light at `position`, 0 to 1, interpolated half a cell above it.
    pub fn at(&self, position: Vec3) -> f32 {
        let lifted = position + Vec3::new(0.0, 0.5 / self.rate, 0.0);
        match self.trilinear(lifted) {
            Some((cells, weights)) => cells.into_iter().zip(weights).map(|(cell, weight)| weight * self.light[cell]).sum(),
            None => 1.0,
        }
    }

    /// Light that reaches the floor as a texture in x and z; `None` without shadows.
    pub fn floor(&mut self) -> Option<FloorLight<'_>> {
        let [nx, _, nz] = self.size.to_array();
        if nx == 0 {
            return None;
        }
        self.floor.clear();
        let layer = &self.light[..(nx * nz) as usize];
        self.floor.extend(layer.iter().map(|light| (255.0 * light).round() as u8));
        Some(FloorLight {
            texels: &self.floor,
            size: [nx, nz],
            corner: [self.corner.x, self.corner.z],
            rate: [self.rate / nx as f32, self.rate / nz as f32],
        })
    }

    /// The eight cells whose centres surround `position`, and their trilinear weights; `None` outside the grid.
    fn trilinear(&self, position: Vec3) -> Option<([usize; 8], [f32; 8])> {
        let place = (position - self.corner) * self.rate - 0.5;
        let last = self.size.as_vec3() - 2.0;
        // Positions up to half a cell beyond the outermost centres are clamped to them. The negated test rejects NaN.
        if !(place.cmpge(Vec3::splat(-0.5)).all() && place.cmple(last + 1.5).all() && self.size.x > 0) {
            return None;
        }
        let place = place.clamp(Vec3::ZERO, last + 0.999);
        let low = place.floor().min(last);
        let high = place - low;
        let [x, y, z] = low.as_uvec3().to_array().map(|index| index as usize);
        let (nx, nz) = (self.size.x as usize, self.size.z as usize);
        let first = (y * nz + z) * nx + x;
        let (row, layer) = (nx, nx * nz);
        let cells = [
            first,
            first + 1,
            first + row,
            first + row + 1,
            first + layer,
            first + layer + 1,
            first + layer + row,
            first + layer + row + 1,
        ];
        let (a, b) = (Vec3::ONE - high, high);
        let (low_low, high_low, low_high, high_high) = (a.y * a.z, a.y * b.z, b.y * a.z, b.y * b.z);
        let weights = [
            a.x * low_low,
            b.x * low_low,
            a.x * high_low,
            b.x * high_low,
            a.x * low_high,
            b.x * low_high,
            a.x * high_high,
            b.x * high_high,
        ];
        Some((cells, weights))
    }
}

/// Texture of the light that reaches the floor.
#[derive(Debug)]
pub struct FloorLight<'a> {
    /// Rows of constant z; 255 is full light.
    pub texels: &'a [u8],
    /// Number of texels along x and z.
    pub size: [u32; 2],
    /// Corner of the first texel (x, z), m.
    pub corner: [f32; 2],
    /// Reciprocal of the extent along x and z, 1/m.
    pub rate: [f32; 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(cells: UVec3, spacing: f32) -> Vec<Vec3> {
        let place = |x, y, z| (UVec3::new(x, y, z).as_vec3() + 0.5) * spacing;
        (0..cells.z).flat_map(|z| (0..cells.y).flat_map(move |y| (0..cells.x).map(move |x| place(x, y, z)))).collect()
    }

    #[test]
    fn the_surface_is_bright_the_inside_dark_and_the_floor_shaded_beneath() {
        let positions = block(UVec3::splat(20), 0.05);
        let mut light = Light::default();
        light.update(positions.into_iter(), &[], 0.025, Vec3::ZERO, Vec3::new(3.0, 2.0, 1.0));
        let (top, side, inside) = (Vec3::new(0.5, 0.99, 0.5), Vec3::new(0.99, 0.5, 0.5), Vec3::new(0.5, 0.2, 0.5));
        assert!(light.at(top) > 0.8, "{}", light.at(top));
        assert!(light.at(side) > 2.0 * light.at(inside), "{} {}", light.at(side), light.at(inside));
        assert!(light.at(Vec3::new(2.5, 0.5, 0.5)) > 0.95);
        let floor = light.floor().unwrap();
        assert_eq!(floor.texels.len() as u32, floor.size[0] * floor.size[1]);
        assert!(floor.texels.iter().any(|&texel| texel < 60) && floor.texels.iter().any(|&texel| texel > 250));
    }

    #[test]
    fn balls_of_any_size_have_the_shadow_of_their_volume() {
        // A cell is 0.1 m wide; the shadow is read on the floor below, along a row.
        let darkness = |balls: &[(Vec3, f32)]| -> f32 {
            let mut light = Light::default();
            light.update(std::iter::empty(), balls, 0.025, Vec3::ZERO, Vec3::ONE);
            light.floor().map_or(0.0, |floor| floor.texels.iter().map(|&texel| 1.0 - f32::from(texel) / 255.0).sum())
        };
        assert_eq!(darkness(&[]), 0.0);
        let large = darkness(&[(Vec3::splat(0.5), 0.2)]);
        let small: Vec<(Vec3, f32)> = block(UVec3::splat(8), 0.05).iter().map(|at| (at + 0.3, 0.0248)).collect();
        let many = darkness(&small);
        assert!(large > 1.0 && many > 1.0 && darkness(&[(Vec3::splat(0.5), 0.02)]) < 0.1 * large, "{large} {many}");
    }

    #[test]
    fn any_scene_and_any_particle_is_accepted() {
        let bad = [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e30), Vec3::splat(-1e30), Vec3::ZERO, Vec3::ONE];
        let mut light = Light::default();
        for min in bad {
            for max in bad {
                for radius in [0.0, -1.0, 1e-9, 0.05, 1e9, f32::NAN, f32::INFINITY] {
                    light.update(bad.into_iter(), &[(Vec3::NAN, 0.1), (Vec3::ZERO, 0.1)], radius, min, max);
                    assert!(light.light.len() < 4_000_000);
                    assert!(bad.iter().all(|&position| (0.0..=1.0001).contains(&light.at(position))));
                    light.floor();
                }
            }
        }
    }
}
