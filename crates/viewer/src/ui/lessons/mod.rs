//! Guided lessons: a card over the 3D view explains, points at a control, and waits until the running simulation shows that it was
//! used. A lesson pauses nothing and resets nothing; it changes the grid only where the user asks it to.

mod basis;
mod card;
mod cell_spacing;
mod fixed_buckets;
mod guide;
mod lesson;
mod list;
mod menu;
mod progress;
mod reading;
mod table_size;
mod wish;

pub use crate::ui::widgets::highlight::{Control, place};
pub use guide::{follow, lesson_ui};
pub use lesson::Lesson;
pub use list::LESSONS;
pub use menu::lessons_ui;
pub use progress::Progress;
