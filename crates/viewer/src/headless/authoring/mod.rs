//! Commands that write a scene: `new` to start from, `import` from one of another program.

mod existing;
pub mod import;
pub mod new;
