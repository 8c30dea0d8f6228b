//! The grid in the pictures of `sph render`: its cells, and the slice that cuts the fluid open.

use std::ops::Range;

use sph_commands::Failure;
use sph_core::neighbors::Structure;
use sph_core::probes::{PresentSearch, Registered};
use sph_core::{Dimensions, View};
use sph_io::Scene;
use sph_render::grid_boxes::{self, CellColoring, Slice};
use sph_render::{Overlay, scene_bounds};

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// A plane that cuts the fluid: only the layer of cells that contains it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Coordinate along the axis, m.
    pub position: f32,
}

/// Display options of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridOptions {
    /// Quantity that the cells' colours show.
    pub coloring: CellColoring,
    /// Plane that cuts the fluid; `None` shows every occupied cell.
    pub cut: Option<Cut>,
}

/// Computes the boxes of successive pictures.
#[derive(Debug)]
pub struct GridPicture {
    options: GridOptions,
    search: PresentSearch,
    /// Point sets whose search is shown, in a scene without fluid.
    sets: Option<Range<usize>>,
    /// Number of points with the last colour: never decreases, so that colours have nearly the same meaning in all pictures.
    top: u32,
}

impl GridPicture {
    /// A picture without boxes yet.
    ///
    /// # Errors
    /// If the scene has no cells, or the plane is outside it.
    pub fn new(options: GridOptions, scene: &Scene) -> Result<Self, Failure> {
        let points = scene.setup.points.as_ref().filter(|_| !scene.setup.has_fluid());
        let sets = points.and_then(|points| points.searches().next());
        let of_points = points.and_then(|points| points.source().grids().first().copied());
        if of_points.unwrap_or(scene.setup.parameters.grid).structure == Structure::BruteForce {
            let advice = if of_points.is_some() { "" } else { ", such as --set grid.structure=spatial_hash" };
            return Err(Failure::Input(format!("--grid: brute force has no cells; choose another structure{advice}")));
        }
        let flat = scene.setup.discretization.dimensions == Dimensions::Two;
        if flat && options.cut.is_some_and(|cut| cut.axis == 2) {
            return Err(Failure::Input("--slice: a scene in two dimensions can only be cut across x or y".to_owned()));
        }
        if let Some(Cut { axis, position }) = options.cut {
            let (min, max) = scene_bounds(&scene.setup);
            if !(min[axis]..=max[axis]).contains(&position) {
                let [name, low, high] = [AXES[axis].to_owned(), min[axis].to_string(), max[axis].to_string()];
                let text =
                    format!("--slice: {name}={position} is outside of the scene, where {name} goes from {low} to {high}");
                return Err(Failure::Input(text));
            }
        }
        Ok(Self { options, search: PresentSearch::default(), sets, top: 0 })
    }

    /// Puts the boxes of the cells at the positions of `fluid` into `overlay`.
    ///
    /// # Errors
    /// If the structure cannot cover the particles.
    pub fn update(&mut self, fluid: &View<'_>, overlay: &mut Overlay) -> Result<(), Failure> {
        let dimensions = fluid.discretization.dimensions;
        let registered = match &self.sets {
            Some(sets) => self.search.update_sets(fluid, sets.clone()),
            None => self.search.update(fluid).map(Some),
        };
        let registered = registered.map_err(|error| Failure::Run(error.to_string()))?;
        let contents = registered.map(Registered::contents).unwrap_or_default();
        let layer = |cut: Cut| Slice { axis: cut.axis, layer: (cut.position / contents.cell_size).floor() as i32 };
        let slice = self.options.cut.map(layer);
        overlay.slab = slice.map(|slice| slice.slab(contents.cell_size));
        self.top = self.top.max(grid_boxes::occupancy_top(&contents));
        overlay.cells.clear();
        grid_boxes::boxes_up_to(self.top, &contents, self.options.coloring, slice, dimensions, &mut overlay.cells);
        Ok(())
    }

    /// Legend of the cells' colours in the pictures so far.
    pub fn legend(&self) -> String {
        match self.options.coloring {
            CellColoring::Occupancy => {
                let one = if self.sets.is_some() { "point" } else { "particle" };
                format!("cells: from violet with 1 {one} to pale yellow with {} or more", self.top)
            }
            CellColoring::Bucket => {
                "cells: those of the same colour may share a bucket, those of different colours do not".to_owned()
            }
            CellColoring::Collision => {
                "cells: grey with a bucket of their own; yellow, orange, red, pink where 2, 3, 4, 5 or more share one"
                    .to_owned()
            }
        }
    }
}

/// Parses `occupancy`, `bucket` or `collision`.
pub fn coloring(text: &str) -> Result<CellColoring, String> {
    match text {
        "occupancy" => Ok(CellColoring::Occupancy),
        "bucket" => Ok(CellColoring::Bucket),
        "collision" => Ok(CellColoring::Collision),
        _ => Err("expected one of occupancy, bucket, collision".to_owned()),
    }
}

/// Parses a plane, `z=0.25`.
pub fn cut(text: &str) -> Result<Cut, String> {
    let parts = text.split_once('=').and_then(|(axis, position)| {
        let axis = AXES.iter().position(|name| *name == axis.trim())?;
        let position = position.trim().parse().ok().filter(|position: &f32| position.is_finite())?;
        Some(Cut { axis, position })
    });
    parts.ok_or_else(|| "expected an axis and a position in metres, such as z=0.25".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_fluid_the_cells_are_those_of_the_balls() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[balls]]\nradius = 0.1\ncenters = [[0, 0, 0], [1, 0, 0]]\n";
        let scene = sph_io::parse(text, "balls", &[]).expect("the scene is sound");
        let engine = sph_commands::engine::start(&scene.setup).expect("the scene can be simulated");
        let options = GridOptions { coloring: CellColoring::Occupancy, cut: None };
        let (mut picture, mut overlay) = (GridPicture::new(options, &scene).expect("there are cells"), Overlay::default());
        picture.update(&engine.view(), &mut overlay).expect("two balls are covered");
        let holds = |center: glam::Vec3| {
            let is_inside = |cell: &sph_render::CellBox| cell.min.cmple(center).all() && cell.max.cmpge(center).all();
            overlay.cells.iter().any(is_inside)
        };
        assert!(holds(glam::Vec3::ZERO) && holds(glam::Vec3::X) && !holds(glam::Vec3::Y));
        assert!(picture.legend().contains("1 point"));
    }

    #[test]
    fn cuts() {
        assert_eq!(cut("z=0.25"), Ok(Cut { axis: 2, position: 0.25 }));
        assert_eq!(cut("x = -1"), Ok(Cut { axis: 0, position: -1.0 }));
        for bad in ["", "z", "0.25", "w=1", "z=", "z=nan", "z=inf", "z=1=2"] {
            assert!(cut(bad).is_err(), "{bad}");
        }
    }
}
