//! Folders: for outputs, and for what programs remember of their user's choices.

mod output;
mod settings;

pub use output::make_folder;
pub use settings::{read_settings, settings_path, write_settings};
