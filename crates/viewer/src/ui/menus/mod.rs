//! Top bar with its menus, list of scenes, help window, command palette, question before edits are lost.

mod help;
mod palette;
mod question;
mod scene_list;
mod top_bar;

pub use help::help_ui;
pub use palette::{Palette, palette_ui};
pub use question::question_ui;
pub use scene_list::scene_list_ui;
pub use top_bar::top_bar_ui;
