//! Materials of balls, and the laws of contact that follow from two of them.

/// Material of the balls of a set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallMaterial {
    /// Coefficient of friction, sliding and static, 0 to 10. Two materials: the geometric mean. A wall or a body takes that of the
    /// ball.
    pub friction: f32,
    /// Coefficient of rolling friction, 0 to 1: the torque that brakes a rolling ball over normal force times radius. Two materials:
    /// the geometric mean.
    pub rolling_friction: f32,
    /// Coefficient of restitution, 0 to 1: speed after a central impact over speed before. Two materials: the larger one.
    pub restitution: f32,
}

impl Default for BallMaterial {
    /// Glass marbles, about.
    fn default() -> Self {
        Self { friction: 0.3, rolling_friction: 0.01, restitution: 0.5 }
    }
}

impl BallMaterial {
    /// The law of contact between balls of two materials.
    pub(super) fn with(&self, other: &Self) -> Self {
        Self {
            friction: (self.friction * other.friction).sqrt(),
            rolling_friction: (self.rolling_friction * other.rolling_friction).sqrt(),
            restitution: self.restitution.max(other.restitution),
        }
    }
}

/// Laws of contact for all pairs of materials.
#[derive(Clone, Debug)]
pub(super) struct Laws {
    count: usize,
    pairs: Vec<BallMaterial>,
}

impl Laws {
    pub fn new(materials: &[BallMaterial]) -> Self {
        let pairs = materials.iter().flat_map(|a| materials.iter().map(|b| a.with(b))).collect();
        Self { count: materials.len(), pairs }
    }

    /// Law of contact between two materials.
    #[inline(always)]
    pub fn of(&self, a: u32, b: u32) -> &BallMaterial {
        &self.pairs[a as usize * self.count + b as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_the_law_of_its_materials_in_any_order() {
        let ice = BallMaterial { friction: 0.04, rolling_friction: 0.0, restitution: 0.2 };
        let rubber = BallMaterial { friction: 1.0, rolling_friction: 0.04, restitution: 0.8 };
        let laws = Laws::new(&[ice, rubber]);
        assert_eq!(laws.of(0, 0), &ice);
        assert_eq!(laws.of(0, 1), &BallMaterial { friction: 0.2, rolling_friction: 0.0, restitution: 0.8 });
        assert_eq!(laws.of(0, 1), laws.of(1, 0));
    }
}
