//! Scene files: from text to a [`Setup`](sph_core::Setup) that can be simulated, or to an error with its place.
//!
//! In order: read the text, parse it into a [`document`] with the place of every value, apply the overrides, check its form against the
//! [`schema`], read it into the types of [`tables`], [`convert`] them, and validate the resulting setup ([`validation`]).

mod available_memory;
mod convert;
mod curves;
mod display;
mod document;
mod error;
mod load;
mod loaded;
mod parameters;
mod save;
mod save_view;
mod schema;
mod tables;
mod validation;
mod words;

pub use available_memory::available_memory;
pub use display::{ClipPlane, ColorField, ColorMapName, Look, MAX_COLOR_END, SolidStyle};
pub(crate) use document::read as read_text;
pub use document::{Override, OverrideError, list_scenes};
pub use error::{SceneError, nearest};
pub(crate) use load::parse_sources;
pub use load::{load, load_from, parse};
pub use loaded::{Scene, View};
pub use save::{SaveError, save_parameters, save_scene};
pub use schema::{json_schema, reference};
pub use tables::NamedProbe;
pub use words::{bytes_in_words, grouped};

pub(crate) use error::{Fault, Place, Sources, list};
