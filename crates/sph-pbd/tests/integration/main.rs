//! Tests of cloth and balls as those who use the library see them, in one program.

mod balls;
mod balls_on_sheets;
mod bits;
mod conservation;
mod corners;
mod coupling;
mod crossings;
mod falls;
mod folds;
mod hands;
mod queries;
mod setups;
mod shapes;
mod tank;
