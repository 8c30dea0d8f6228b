//! Two grids side by side, as the panels remember them: which of the two is edited, and the rival's as the sliders show it.

use super::{Action, State};
use crate::session::{Inspection, Snapshot};
use sph_core::Particles;
use sph_core::neighbors::{GridParameters, Structure, Update};

/// One of two grids that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The simulation's own, on the left.
    #[default]
    A,
    /// The rival's, on the right.
    B,
}

impl Side {
    /// Both, from left to right.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// The inside of its grid, if it is looked into.
    pub fn inspection(self, snapshot: &Snapshot) -> Option<&Inspection> {
        match self {
            Self::A => snapshot.inspection.as_deref(),
            Self::B => snapshot.rival.as_ref()?.inspection.as_deref(),
        }
    }

    /// The particles in its picture.
    pub fn particles(self, snapshot: &Snapshot) -> &Particles {
        match (self, &snapshot.rival) {
            (Self::B, Some(rival)) => &rival.particles,
            _ => &snapshot.particles,
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// The comparison as the panels see it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparing {
    /// The rival's grid as the sliders show it; `None` when nothing is compared.
    pub rival: Option<GridParameters>,
    /// Counts what was asked for.
    pub revision: u64,
    /// Whose grid is edited.
    pub side: Side,
}

impl Comparing {
    /// Takes the rival's grid over, unless something asked for is still on its way to the simulation.
    pub fn follow(&mut self, snapshot: &Snapshot, new_scene: bool) {
        if new_scene || snapshot.rival_revision == self.revision {
            self.rival = snapshot.rival.as_ref().map(|rival| rival.grid);
        }
        if self.rival.is_none() {
            self.side = Side::A;
        }
    }
}

impl State {
    /// Whether two grids are compared.
    pub fn is_comparing(&self) -> bool {
        self.comparing.rival.is_some()
    }

    /// Begins a comparison with a grid like the simulation's but for the structure, or ends the one that there is.
    pub fn toggle_comparison(&mut self, actions: &mut Vec<Action>) {
        if self.is_comparing() {
            self.comparing.side = Side::A;
            self.compare(None, actions);
        } else if let Some(parameters) = self.parameters {
            let structure = match parameters.grid.structure {
                Structure::CellHash(_) => Structure::SpatialHash,
                _ => Structure::CellHash(Update::Rebuilt),
            };
            self.comparing.side = Side::B;
            self.compare(Some(GridParameters { structure, ..parameters.grid }), actions);
        }
    }

    /// Shows `rival` at once and asks for it.
    pub fn compare(&mut self, rival: Option<GridParameters>, actions: &mut Vec<Action>) {
        self.comparing.rival = rival;
        self.comparing.revision += 1;
        actions.push(Action::Compare(rival, self.comparing.revision));
    }

    /// Gives the simulation the rival's grid, and the rival the simulation's.
    pub fn swap_grids(&mut self, actions: &mut Vec<Action>) {
        if let (Some(mut parameters), Some(rival)) = (self.parameters, self.comparing.rival) {
            let own = std::mem::replace(&mut parameters.grid, rival);
            self.edit(parameters, actions);
            self.compare(Some(own), actions);
        }
    }

    /// The grid that the panel edits.
    pub fn edited_grid(&self) -> Option<GridParameters> {
        match self.comparing.side {
            Side::A => self.parameters.map(|parameters| parameters.grid),
            Side::B => self.comparing.rival,
        }
    }

    /// Shows `grid` at once on the side that is edited, and asks for it.
    pub fn edit_grid(&mut self, grid: GridParameters, actions: &mut Vec<Action>) {
        match (self.comparing.side, self.parameters) {
            (Side::B, _) => self.compare(Some(grid), actions),
            (Side::A, Some(parameters)) => self.edit(sph_core::Parameters { grid, ..parameters }, actions),
            (Side::A, None) => {}
        }
    }
}
