//! The report: a table for the terminal, and a page of Markdown with plots.

mod chapter;
mod cost;
mod list;
mod matrix;
mod missed;
mod order;
mod page;
mod processor;
mod resolutions;
mod table;

#[cfg(test)]
pub use page::rewrite;
pub use page::write;
pub use table::table;
