//! Top bar with its menus, list of scenes, help window.

mod help;
mod scene_list;
mod top_bar;

pub use help::help_ui;
pub use scene_list::scene_list_ui;
pub use top_bar::top_bar_ui;
