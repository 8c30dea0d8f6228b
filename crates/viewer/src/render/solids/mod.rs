//! Walls and bodies in pictures: their surfaces, their outlines, and bodies as particles.

mod bodies;
mod form;
mod outline;
mod scenery;
mod walls;

pub use bodies::Bodies;
pub use form::BodyForm;
pub use scenery::{Scenery, SceneryStyle, ShownScenery};

use bodies::BodyMeshes;
use form::body_form;
use outline::Outline;
use walls::Walls;
