//! Costs of looking into the grid.

/// What looking into the grid costs a frame, ms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlayCosts {
    /// Drawing the particles.
    pub particles: f32,
    /// Drawing the cells.
    pub cells: f32,
    /// Reading the grid, on the simulation's thread.
    pub reading: f32,
}

impl OverlayCosts {
    /// The costs as a line of text.
    pub fn text(self) -> String {
        let Self { particles, cells, reading } = self;
        format!("Cells {cells:.1} ms, particles {particles:.1} ms a frame; reading the grid {reading:.1} ms")
    }
}
