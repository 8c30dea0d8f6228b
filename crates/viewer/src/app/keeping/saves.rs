//! Saves of the scene's file: one at a time, so that the file holds the latest values and never older ones after them.

/// The save that is under way, and whether another must follow.
#[derive(Debug, Default)]
pub struct Saves {
    is_under_way: bool,
    follows: bool,
}

impl Saves {
    /// Returns true if a save may begin now; else another follows the one that is under way.
    pub fn begin(&mut self) -> bool {
        self.follows = self.is_under_way;
        !std::mem::replace(&mut self.is_under_way, true)
    }

    /// Takes note that the save has ended. Returns true if another must follow.
    pub fn end(&mut self) -> bool {
        self.is_under_way = false;
        std::mem::take(&mut self.follows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_save_runs_at_a_time_and_the_latest_request_is_served() {
        let mut saves = Saves::default();
        assert!(saves.begin() && !saves.begin() && !saves.begin());
        assert!(saves.end() && saves.begin());
        assert!(!saves.end() && saves.begin());
    }
}
