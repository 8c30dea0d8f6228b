//! The grid in the pictures of `sph render`: its cells, and the slice that cuts the fluid open.

use sph_commands::Failure;
use sph_core::neighbors::Structure;
use sph_core::probes::PresentSearch;
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
    /// Number of points with the last colour: never decreases, so that colours have nearly the same meaning in all pictures.
    top: u32,
}

impl GridPicture {
    /// A picture without boxes yet.
    ///
    /// # Errors
    /// If the scene has no cells, or the plane is outside it.
    pub fn new(options: GridOptions, scene: &Scene) -> Result<Self, Failure> {
        if scene.setup.parameters.grid.structure == Structure::BruteForce {
            let text = "--grid: brute force has no cells; choose another structure, such as --set grid.structure=spatial_hash";
            return Err(Failure::Input(text.to_owned()));
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
        Ok(Self { options, search: PresentSearch::default(), top: 0 })
    }

    /// Puts the boxes of the cells at the positions of `fluid` into `overlay`.
    ///
    /// # Errors
    /// If the structure cannot cover the particles.
    pub fn update(&mut self, fluid: &View<'_>, overlay: &mut Overlay) -> Result<(), Failure> {
        let dimensions = fluid.discretization.dimensions;
        let contents = self.search.update(fluid).map_err(|error| Failure::Run(error.to_string()))?.contents();

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
            CellColoring::Occupancy => format!("cells: from violet with 1 particle to pale yellow with {} or more", self.top),
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
    fn cuts() {
        assert_eq!(cut("z=0.25"), Ok(Cut { axis: 2, position: 0.25 }));
        assert_eq!(cut("x = -1"), Ok(Cut { axis: 0, position: -1.0 }));
        for bad in ["", "z", "0.25", "w=1", "z=", "z=nan", "z=inf", "z=1=2"] {
            assert!(cut(bad).is_err(), "{bad}");
        }
    }
}
