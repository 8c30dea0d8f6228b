//! Gallery of pictures with their render times. If `SPH_PICTURES` names a folder, the pictures are saved there.

use super::support::*;
use glam::{Vec2, Vec3};
use std::path::Path;
use viewer::camera::Camera;
use viewer::color::ColorMap;
use viewer::render::{CellBox, Frame, Picture, Renderer, Slab, Tint};

/// Draws pictures, and asserts that no two are equal.
struct Gallery {
    size: [u32; 2],
    renderer: Renderer,
    seen: Vec<(String, Picture)>,
}

impl Gallery {
    fn show(&mut self, name: &str, frame: &Frame<'_>) {
        // Several frames, because render times arrive a few frames later.
        for _ in 0..4 {
            self.renderer.draw(gpu(), self.size, frame);
            gpu().device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is well");
        }
        let picture = self.renderer.read(gpu()).expect("the picture can be read");
        println!("{name}: {:?}", self.renderer.costs());
        if let Some(folder) = std::env::var_os("SPH_PICTURES") {
            let path = Path::new(&folder).join(format!("{name}.png"));
            picture.save_png(&path).expect("the folder can be written");
        }
        for (other, seen) in &self.seen {
            assert!(*seen != picture, "{name} equals {other}");
        }
        self.seen.push((name.to_owned(), picture));
    }
}

#[test]
fn every_view_and_drawing_mode_gives_a_different_picture() {
    let size = if std::env::var_os("SPH_PICTURES").is_some() { [1280, 720] } else { [320, 180] };
    let mut gallery = Gallery { size, renderer: Renderer::new(gpu()), seen: Vec::new() };
    let (positions, values) = dam_break(20_000);
    let radius = spacing(20_000) / 2.0;
    let aspect = size[0] as f32 / size[1] as f32;
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
}
