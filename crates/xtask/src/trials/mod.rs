//! Trials of the built program that take minutes or hours, with chance in them: runs that are killed, a window that is used.

pub mod kill_test;
mod random;
pub mod soak;
