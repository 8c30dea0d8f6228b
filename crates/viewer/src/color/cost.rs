//! The colour of a cost, wherever costs are compared in a map.

use super::ColorMap;

/// Costs of this many times the least and more have the same colour, that of the dearest.
pub const DEAREST: f64 = 8.0;

/// Dark for the least cost, lighter the dearer: `ratio` is the cost in times the least.
pub fn cost(ratio: f64) -> [u8; 3] {
    ColorMap::Ember.sample((ratio.ln() / DEAREST.ln()) as f32)
}
