//! Cost of the grid overlay.

/// Times of the grid overlay, ms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlayCosts {
    /// Drawing the particles, per frame.
    pub particles: f32,
    /// Drawing the cells, per frame.
    pub cells: f32,
    /// Copying the grid's contents, on the simulation thread.
    pub reading: f32,
}

impl OverlayCosts {
    /// The times as one line of text.
    pub fn text(self) -> String {
        let Self { particles, cells, reading } = self;
        format!("Per frame: cells {cells:.1} ms, particles {particles:.1} ms; grid copy {reading:.1} ms")
    }
}
