//! Command palette: a search over all commands, looks, colours, parameters, lessons and scenes.

mod entry;
mod matching;
mod view;
mod window;

pub use view::Palette;
pub use window::palette_ui;
