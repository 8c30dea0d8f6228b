//! The renderer on a real driver; Mesa's software one will do. Without any these tests fail and say what to install.

mod cells;
mod gallery;
mod particles;
mod support;
mod tints;
