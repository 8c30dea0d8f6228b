//! List of lessons.

use super::lesson::Lesson;
use super::{cell_spacing, fixed_buckets, table_size};

/// All lessons, in the order of the menu.
pub const LESSONS: [&Lesson; 3] = [&table_size::LESSON, &cell_spacing::LESSON, &fixed_buckets::LESSON];
