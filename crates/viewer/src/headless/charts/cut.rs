//! Lines cut off at the edges of a plot.

use std::ops::Range;

/// The parts of a line through points that lie between the ends of both axes; plotters would bend the line along the edge.
pub fn parts_within(points: &[[f64; 2]], ends: &[Range<f64>; 2]) -> Vec<Vec<(f64, f64)>> {
    let mut parts: Vec<Vec<(f64, f64)>> = Vec::new();
    for pair in points.windows(2) {
        let Some([from, to]) = within(pair[0], pair[1], ends) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

/// The part of a straight line that lies between the ends of both axes, if there is one (Liang and Barsky).
fn within(from: [f64; 2], to: [f64; 2], ends: &[Range<f64>; 2]) -> Option<[(f64, f64); 2]> {
    let [mut enters, mut leaves] = [0.0f64, 1.0f64];
    for axis in 0..2 {
        let Range { start, end } = ends[axis];
        let along = to[axis] - from[axis];
        if along == 0.0 {
            reaches(&ends[axis], from[axis]).then_some(())?;
            continue;
        }
        let [a, b] = [(start - from[axis]) / along, (end - from[axis]) / along];
        (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
    }
    let place = |share: f64| match share {
        0.0 => from.into(),
        1.0 => to.into(),
        _ => (from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])),
    };
    (enters <= leaves).then(|| [place(enters), place(leaves)])
}

/// True for a value on an axis between these ends, or at one of them.
pub fn reaches(ends: &Range<f64>, value: f64) -> bool {
    (ends.start..=ends.end).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_is_left_out() {
        let ends = [0.0..1.0, 0.0..1.0];
        assert!(parts_within(&[[0.0, 2.0], [1.0, 3.0]], &ends).is_empty());
        assert!(parts_within(&[[-1.0, 0.5], [-0.5, 0.5]], &ends).is_empty());
        assert!(parts_within(&[[0.5, 0.5]], &ends).is_empty());
        assert_eq!(parts_within(&[[-1.0, 0.5], [3.0, 0.5]], &ends), [[(0.0, 0.5), (1.0, 0.5)]]);
        assert_eq!(parts_within(&[[0.5, 0.0], [0.5, 1e300]], &ends)[0][1].0, 0.5);
        assert_eq!(parts_within(&[[0.1, 0.1], [0.2, 0.1], [0.2, 0.3]], &ends), [[(0.1, 0.1), (0.2, 0.1), (0.2, 0.3)]]);
    }
}
