//! Colours of the points that a query tests.

use sph_core::neighbors::Verdict;

/// Verdicts on the points that a query tests, in the order of [`VERDICT_COLORS`].
pub const VERDICTS: [Verdict; 5] = [Verdict::Itself, Verdict::Neighbor, Verdict::TooFar, Verdict::Foreign, Verdict::PassedOver];

/// Colours of [`VERDICTS`], sRGB; distinguishable by lightness as well as by hue.
pub const VERDICT_COLORS: [[u8; 3]; VERDICTS.len()] =
    [[255, 255, 255], [96, 222, 140], [236, 172, 74], [238, 84, 128], [150, 132, 214]];

/// Index of a verdict in [`VERDICTS`].
pub fn verdict_index(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Itself => 0,
        Verdict::Neighbor => 1,
        Verdict::TooFar => 2,
        Verdict::Foreign => 3,
        Verdict::PassedOver => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_a_colour_of_its_own() {
        for (index, verdict) in VERDICTS.into_iter().enumerate() {
            assert_eq!(verdict_index(verdict), index);
            assert_eq!(VERDICT_COLORS.iter().filter(|&&color| color == VERDICT_COLORS[index]).count(), 1);
        }
    }
}
