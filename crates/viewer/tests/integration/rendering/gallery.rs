//! Pictures of every kind. Thumbnails of all of them are compared with the sheet in `tests/snapshots/gallery.png`, which
//! `UPDATE_SNAPSHOTS=1` writes anew. With `SPH_PICTURES` naming a folder, large pictures are left there to be looked at, and what they cost
//! is printed.

use super::*;
use egui_kittest::{SnapshotOptions, image_snapshot_options};
use glam::{Vec2, Vec3};
use image::{Rgba, RgbaImage};
use sph_color::ColorMap;
use sph_render::camera::Camera;
use sph_render::{CellBox, Frame, Picture, Renderer, Slab, Tint};
use std::path::Path;

/// Pixels of a picture, of one that is left in the folder, and of a thumbnail.
const SIZE: [u32; 2] = [320, 180];
const LARGE: [u32; 2] = [1280, 720];
const THUMBNAIL: [u32; 2] = [64, 36];

/// Thumbnails in a row of the sheet.
const COLUMNS: usize = 5;

/// Draws pictures and keeps them.
struct Gallery {
    renderer: Renderer,
    seen: Vec<(String, Picture)>,
}

impl Gallery {
    fn show(&mut self, name: &str, frame: &Frame<'_>) {
        self.renderer.draw(gpu(), SIZE, frame);
        let picture = self.renderer.read(gpu()).expect("the picture can be read");
        for (other, seen) in &self.seen {
            assert!(*seen != picture, "{name} is like {other}");
        }
        self.seen.push((name.to_owned(), picture));
        if let Some(folder) = std::env::var_os("SPH_PICTURES") {
            self.leave(&Path::new(&folder).join(format!("{name}.png")), frame);
        }
    }

    fn leave(&mut self, path: &Path, frame: &Frame<'_>) {
        // Several times, for what it costs to be known.
        for _ in 0..4 {
            self.renderer.draw(gpu(), LARGE, frame);
            gpu().device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is well");
        }
        println!("{}: {:?}", path.display(), self.renderer.costs());
        let picture = self.renderer.read(gpu()).expect("the picture can be read");
        picture.save_png(path).expect("the folder can be written");
    }

    /// The thumbnails of all pictures, row by row.
    fn sheet(&self) -> RgbaImage {
        let [width, height] = THUMBNAIL;
        let rows = self.seen.len().div_ceil(COLUMNS) as u32;
        let mut sheet = RgbaImage::new(COLUMNS as u32 * width, rows * height);
        for (index, (_, picture)) in self.seen.iter().enumerate() {
            let (left, top) = ((index % COLUMNS) as u32 * width, (index / COLUMNS) as u32 * height);
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                sheet.put_pixel(left + x, top + y, mean(picture, x, y));
            }
        }
        sheet
    }
}

/// Mean colour of the part of a picture that becomes a pixel of its thumbnail.
fn mean(picture: &Picture, x: u32, y: u32) -> Rgba<u8> {
    let [across, down] = [SIZE[0] / THUMBNAIL[0], SIZE[1] / THUMBNAIL[1]];
    let part = (0..down).flat_map(|dy| (0..across).map(move |dx| picture.pixel(across * x + dx, down * y + dy)));
    let sum = part.fold([0; 4], |sum: [u32; 4], pixel| std::array::from_fn(|channel| sum[channel] + u32::from(pixel[channel])));
    Rgba(sum.map(|sum| (sum / (across * down)) as u8))
}

#[test]
fn every_view_and_way_of_drawing_gives_its_own_picture() {
    let mut gallery = Gallery { renderer: Renderer::new(gpu()), seen: Vec::new() };
    let (positions, values) = dam_break(20_000);
    let radius = spacing(20_000) / 2.0;
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let first = Camera::frame(TANK.0, TANK.1, aspect);
    let base = Frame { radius, boxes: &[TANK], color_map: ColorMap::Water, ..frame(&positions, &values, &first) };
    gallery.show("backdrop", &Frame { positions: &[], ..base });
    for map in ColorMap::ALL {
        gallery.show(&format!("map_{}", map.name()), &Frame { color_map: map, ..base });
    }
    let [mut near, mut low, mut above] = [first; 3];
    near.zoom(7.0);
    low.orbit(Vec2::new(150.0, -50.0));
    above.orbit(Vec2::new(-200.0, 120.0));
    for (name, camera) in [("near", &near), ("low", &low), ("above", &above)] {
        gallery.show(name, &Frame { camera, ..base });
    }

    let cells = occupied(&positions, 4.0 * radius);
    gallery.show("cells", &Frame { cells: &cells, ..base });
    gallery.show("cells_near", &Frame { cells: &cells, camera: &near, ..base });
    gallery.show("cells_fine", &Frame { cells: &occupied(&positions, 2.0 * radius), ..base });
    let slab = Some(Slab { axis: 2, low: 0.28, high: 0.28 + 4.0 * radius });
    let layer: Vec<_> = cells.iter().copied().filter(|cell| cell.min.z < 0.3 && cell.max.z > 0.3).collect();
    gallery.show("slab", &Frame { slab, ..base });
    gallery.show("slab_cells", &Frame { slab, cells: &layer, ..base });

    let middle = positions[positions.len() / 3];
    let palette = [[255, 255, 255], [80, 220, 130], [250, 180, 70]];
    let tint = |position: &Vec3| match position.distance(middle) / radius {
        distance if distance < 0.1 => Tint::Color(0),
        distance if distance < 4.0 => Tint::Color(1),
        distance if distance < 7.0 && position.z < middle.z => Tint::Color(2),
        _ => Tint::Faint,
    };
    let tints: Vec<_> = positions.iter().map(tint).collect();
    let own = (middle / (4.0 * radius)).floor() * 4.0 * radius;
    let white = |opacity| [1.0, 1.0, 1.0, opacity];
    let own = CellBox { min: own, max: own + 4.0 * radius, fill: white(0.1), edge: white(0.9) };
    let tinted = Frame { tints: &tints, palette: &palette, cells: &[own], ..base };
    gallery.show("tints", &tinted);
    gallery.show("tints_near", &Frame { camera: &near, ..tinted });
    let hidden = vec![Tint::Hidden; positions.len()];
    gallery.show("only_cells", &Frame { tints: &hidden, cells: &cells, ..base });

    let layer = positions.iter().zip(&values).filter(|(position, _)| position.z < 2.0 * radius);
    let (flat, flat_values): (Vec<_>, Vec<_>) = layer.map(|(position, value)| (position.with_z(0.0), *value)).unzip();
    let tank = [(TANK.0, TANK.1.with_z(0.0))];
    let straight = Camera::frame(tank[0].0, tank[0].1, aspect);
    let base = Frame { positions: &flat, values: &flat_values, boxes: &tank, camera: &straight, ..base };
    gallery.show("flat", &base);
    let flattened = |cell: CellBox| CellBox { min: cell.min.with_z(0.0), max: cell.max.with_z(0.0), ..cell };
    let cells: Vec<_> = occupied(&flat, 4.0 * radius).into_iter().map(flattened).collect();
    gallery.show("flat_cells", &Frame { cells: &cells, ..base });

    // Another driver of Mesa differs by as much in 25 pixels, along edges; a light that is weaker by a tenth, in 167.
    let options = SnapshotOptions::new().threshold(10.0).max_failed_pixels(100);
    image_snapshot_options(&gallery.sheet(), "gallery", &options);
}
