//! Guided lessons: a card in a panel explains, points at a control, and waits until the simulation has run with the
//! requested change. A lesson neither pauses nor resets the simulation; it changes the grid only at the user's request.

mod card;
mod cell_spacing;
mod fixed_buckets;
mod guide;
mod lesson;
mod list;
mod menu;
mod progress;
mod reading;
mod request;
mod requirements;
mod table_size;

pub use crate::ui::widgets::highlight::{Control, target_rect};
pub use guide::{follow, lesson_ui, outline_ui};
pub use lesson::Lesson;
pub use list::LESSONS;
pub use menu::lessons_ui;
pub use progress::Progress;
