//! The colour of a cost in heat maps.

use super::ColorMap;

/// Ratio to the least cost at and above which the colour saturates.
pub const DEAREST: f64 = 8.0;

/// Colour of a cost, dark for the least, lighter for higher ones: `ratio` is the cost divided by the least.
pub fn cost(ratio: f64) -> [u8; 3] {
    ColorMap::Ember.sample((ratio.ln() / DEAREST.ln()) as f32)
}
