//! `[cloth.grid]` and `[ball.grid]`: the searches of cloths and of balls at the start.

use super::keep_order;
use super::keys::{Named, Vectors};
use crate::scene::error::Fault;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::neighbors::{GridParameters, HashFunction};
use sph_core::parameters::{
    MAX_BUCKET_CAPACITY, MAX_TABLE_SIZE, Registration, Storage, Structure, StructureOptions, Update, Walk,
};
use sph_pbd::balls::cell_sizes;

/// Search at the start, with the keys of `[grid]`. It changes what a step costs, never the motion.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct PointGridTable {
    /// Structure of the search.
    #[schemars(extend("x-default" = "`spatial_hash` for cloths, `block_map` for balls"))]
    pub structure: Option<Named<Structure>>,
    /// Number of buckets of the hash table.
    #[schemars(range(min = 1, max = MAX_TABLE_SIZE), extend("x-unit" = "buckets", "x-default" = "twice the number of vertices or balls"))]
    pub table_size: Option<u32>,
    /// Side of a cell, or of a block.
    #[schemars(extend(
        "exclusiveMinimum" = 0,
        "x-unit" = "m",
        "x-range" = "an eighth of the usual size to four times that",
        "x-default" = "twice the thickness of the thickest cloth, or twice the width of a ball of mean volume"
    ))]
    pub cell_size: Option<f64>,
    /// Hash function, from cells to buckets.
    #[schemars(extend("x-default" = "`muller`"))]
    pub hash: Option<Named<HashFunction>>,
    /// Capacity of a bucket with fixed storage.
    #[schemars(range(min = 1, max = MAX_BUCKET_CAPACITY), extend("x-unit" = "vertices or balls", "x-default" = "16"))]
    pub bucket_capacity: Option<u32>,
    /// Storage of the buckets of the bucket hash and the block map.
    #[schemars(extend("x-default" = "`fixed` for cloths, `linked` for balls"))]
    pub storage: Option<Named<Storage>>,
    /// Update of the cell hash and the bucket hash as points move.
    #[schemars(extend("x-default" = "`rebuilt`"))]
    pub update: Option<Named<Update>>,
    /// Cells in which the bucket hash registers a point.
    #[schemars(extend("x-default" = "`once`"))]
    pub registration: Option<Named<Registration>>,
    /// Order in which the block map finds pairs.
    #[schemars(extend("x-default" = "`blocks`"))]
    pub walk: Option<Named<Walk>>,
}

impl PointGridTable {
    /// What the table at `path` says, and the rest as in the `usual` search. Adds a fault to those of `vectors` if the cells do not suit it.
    pub fn read(&self, usual: &GridParameters, path: &str, vectors: &mut Vectors) -> GridParameters {
        let structure = self.structure.map_or(usual.structure, |structure| structure.0);
        // A structure that has not been named keeps the options of the usual one.
        let options = usual.structure.options();
        let options = StructureOptions {
            storage: self.storage.map_or(options.storage, |storage| storage.0),
            update: self.update.map_or(options.update, |update| update.0),
            registration: self.registration.map_or(options.registration, |registration| registration.0),
            walk: self.walk.map_or(options.walk, |walk| walk.0),
        };
        let grid = GridParameters {
            structure: structure.with_options(options),
            table_size: self.table_size.unwrap_or(usual.table_size),
            cell_size: self.cell_size.map_or(usual.cell_size, |size| size as f32),
            hash: self.hash.map_or(usual.hash, |hash| hash.0),
            bucket_capacity: self.bucket_capacity.unwrap_or(usual.bucket_capacity),
        };
        let [low, high] = cell_sizes(usual);
        // With room for a slider's end, or the end that a fault names, which have fewer digits.
        if self.cell_size.is_some() && !(0.9994 * low..=1.0006 * high).contains(&grid.cell_size) {
            let (key, range) = (format!("{path}.cell_size"), format!("{} to {} m", shown(low), shown(high)));
            let usual = shown(usual.cell_size);
            let message =
                format!("{key} must be {range}, an eighth to four times the usual {usual} m, but is {} m", grid.cell_size);
            vectors.faults.push(Fault::at_path(key, message, format!("expected {range}")));
        }
        let most = grid.most_places_per_bucket();
        if self.bucket_capacity.is_some() && grid.structure.has_fixed_buckets() && grid.bucket_capacity > most {
            let message = format!("{} buckets of {} places are too many", grid.table_size, grid.bucket_capacity);
            vectors.faults.push(Fault::at_path(format!("{path}.bucket_capacity"), message, format!("expected at most {most}")));
        }
        GridParameters {
            bucket_capacity: grid.bucket_capacity.min(most),
            cell_size: grid.cell_size.clamp(low.min(high), high.max(low)),
            ..grid
        }
    }
}

/// A length with four significant digits, as people write it.
fn shown(length: f32) -> String {
    let text = format!("{length:.3e}");
    text.parse().map_or(text, |rounded: f32| rounded.to_string())
}
