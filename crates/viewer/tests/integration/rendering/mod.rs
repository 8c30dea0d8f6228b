//! Renderer on a graphics driver; Mesa's software driver suffices. Without any driver, these tests fail and name the package to
//! install.

mod aids;
mod cells;
mod contrast;
mod gallery;
mod meshes;
mod particles;
mod support;
mod tints;
mod water;
