//! Cells that show by themselves while a size of the grid is dragged, and for a moment after: what the slider does is seen in the fluid.

/// Time for which the cells stay after the last change, s.
const STAY: f64 = 1.0;

/// Time in which they fade then, s.
const FADE: f64 = 0.4;

/// Time between two pictures of the fading cells, s.
const FADE_FRAME: f64 = 1.0 / 30.0;

/// Opacity of the cells while a size of the grid changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DraggedCells {
    /// True if a change shows the cells.
    pub enabled: bool,
    change: Change,
    /// Opacity of the cells, 0 to 1; 0 if they are not shown.
    opacity: f32,
}

/// Latest change of a size.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// None that still shows.
    Faded,
    /// In a gesture that goes on.
    UnderWay,
    /// In a gesture that ended at this time, s.
    Ended(f64),
}

impl Default for DraggedCells {
    fn default() -> Self {
        Self { enabled: true, change: Change::Faded, opacity: 0.0 }
    }
}

impl DraggedCells {
    /// Notes that a size of the grid has changed.
    pub fn note_change(&mut self) {
        if self.enabled {
            (self.change, self.opacity) = (Change::UnderWay, 1.0);
        }
    }

    /// Follows the gesture, which goes on while a button of the pointer `is_held`, at the time `now` (s). Returns the time until the
    /// opacity changes by itself, s.
    pub fn follow(&mut self, is_held: bool, now: f64) -> Option<f64> {
        match self.change {
            _ if !self.enabled => self.change = Change::Faded,
            Change::UnderWay if !is_held => self.change = Change::Ended(now),
            Change::Ended(end) if now >= end + STAY + FADE => self.change = Change::Faded,
            _ => {}
        }
        let (opacity, wait) = match self.change {
            Change::Faded => (0.0, None),
            Change::UnderWay => (1.0, None),
            Change::Ended(end) => {
                let faded = (now - end - STAY) / FADE;
                ((1.0 - faded).clamp(0.0, 1.0) as f32, Some((end + STAY - now).max(FADE_FRAME)))
            }
        };
        self.opacity = opacity;
        wait
    }

    /// Opacity of the cells, 0 to 1; `None` if a change does not show them.
    pub fn opacity(self) -> Option<f32> {
        (self.opacity > 0.0).then_some(self.opacity)
    }

    /// The part that the picture depends on.
    #[must_use]
    pub fn without_times(self) -> Self {
        Self { change: Change::Faded, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_a_second_after_the_drag_and_fade() {
        let mut cells = DraggedCells::default();
        assert_eq!((cells.follow(true, 1.0), cells.opacity()), (None, None));
        cells.note_change();
        assert_eq!((cells.follow(true, 9.0), cells.opacity()), (None, Some(1.0)), "a drag takes as long as it takes");
        assert_eq!((cells.follow(false, 10.0), cells.opacity()), (Some(STAY), Some(1.0)));
        assert_eq!((cells.follow(false, 10.75), cells.opacity()), (Some(0.25), Some(1.0)));
        cells.follow(false, 10.0 + STAY + 0.5 * FADE);
        assert!(cells.opacity().is_some_and(|opacity| (opacity - 0.5).abs() < 1e-3), "{cells:?}");
        cells.note_change();
        assert_eq!((cells.follow(true, 12.0), cells.opacity()), (None, Some(1.0)), "another drag");
        cells.follow(false, 12.5);
        assert_eq!((cells.follow(false, 12.5 + STAY + FADE), cells.opacity()), (None, None));
    }

    #[test]
    fn the_switch_turns_them_off() {
        let mut cells = DraggedCells::default();
        cells.note_change();
        cells.enabled = false;
        cells.follow(true, 1.0);
        assert_eq!(cells.opacity(), None);
        cells.note_change();
        assert_eq!(cells.opacity(), None);
    }
}
