//! Integration tests of cloth.

mod bits;
mod conservation;
mod crossings;
mod folds;
mod setups;
mod shapes;
mod tank;
