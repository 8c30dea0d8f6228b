//! Commands that write a scene: `new` to start from, `import` from one of another program.

pub mod import;
pub mod new;
