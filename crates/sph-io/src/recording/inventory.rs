//! Bodies and fluids that the rows of a recording may name, row by row.

use sph_core::{DroppedBody, Hand, HandError, Setup};

/// Bodies and fluids that are there before a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inventory<'a> {
    setup: &'a Setup,
    /// Number of bodies that have been dropped.
    dropped: usize,
}

impl<'a> Inventory<'a> {
    /// Those of a fluid with this `setup`, into which `dropped` bodies have been dropped before the recording.
    pub fn new(setup: &'a Setup, dropped: usize) -> Self {
        Self { setup, dropped }
    }

    /// Checks a hand's numbers, and that its body or its fluid is there.
    ///
    /// # Errors
    /// What is wrong, with the key.
    pub fn check_hand(&self, hand: &Hand) -> Result<(), String> {
        hand.validate(&self.setup.discretization).map_err(|error| format!("hand.{error}"))?;
        match hand {
            Hand::Push(_) => Ok(()),
            Hand::Pour(pour) => {
                let fluids = self.setup.fluids.len().max(1);
                let reason = format!("there is no fluid {} of {fluids}, counted from 0", pour.fluid);
                if pour.fluid < fluids { Ok(()) } else { Err(format!("hand.pour.fluid: {reason}")) }
            }
            Hand::Grab(grab) => self.check_grabbed(grab.body).map_err(|reason| format!("hand.grab.body: {reason}")),
        }
    }

    /// Checks that there is a body with this index. Those that are dropped come after those of the setup.
    fn check_grabbed(&self, index: usize) -> Result<(), String> {
        let count = self.setup.bodies.len() + self.dropped;
        let reason = || format!("there is no body {index} at this step, of {count} counted from 0");
        if index < count { Ok(()) } else { Err(reason()) }
    }

    /// Checks a dropped body's numbers, and adds it.
    ///
    /// # Errors
    /// What is wrong, with the key.
    pub fn drop_body(&mut self, dropped: &DroppedBody) -> Result<(), String> {
        let domain = self.setup.domain.flat(self.setup.discretization.dimensions);
        dropped.validate(&self.setup.discretization, &domain).map_err(|error| error.to_string())?;
        if self.dropped >= DroppedBody::MAX {
            return Err(format!("drop: {}", HandError::TooManyBodies { limit: DroppedBody::MAX }));
        }
        self.dropped += 1;
        Ok(())
    }
}
