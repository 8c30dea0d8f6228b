//! Curves as points `[x, y]` with ascending x: arithmetic on them, and tables of reference data.

/// y at `x` by linear interpolation; `None` outside the curve.
pub fn at(curve: &[[f64; 2]], x: f64) -> Option<f64> {
    let after = curve.partition_point(|point| point[0] < x);
    let right = *curve.get(after)?;
    if right[0] == x {
        return Some(right[1]);
    }
    let left = *curve.get(after.checked_sub(1)?)?;
    Some(left[1] + (right[1] - left[1]) * (x - left[0]) / (right[0] - left[0]))
}

/// The points with x in [`from`, `to`].
pub fn within(curve: &[[f64; 2]], from: f64, to: f64) -> Vec<[f64; 2]> {
    curve.iter().copied().filter(|point| (from..=to).contains(&point[0])).collect()
}

/// Mean of y over the points; NaN without points.
pub fn mean(curve: &[[f64; 2]]) -> f64 {
    curve.iter().map(|point| point[1]).sum::<f64>() / curve.len() as f64
}

/// Largest y; NaN without points.
pub fn highest(curve: &[[f64; 2]]) -> f64 {
    curve.iter().map(|point| point[1]).fold(f64::NAN, f64::max)
}

/// The largest of the values, at least 0; NaN if any of them is.
pub fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |largest: f64, value| if largest.is_nan() || value.is_nan() { f64::NAN } else { largest.max(value) })
}

/// Slope of the least-squares line; NaN for fewer than two points.
pub fn slope(curve: &[[f64; 2]]) -> f64 {
    let middle = curve.iter().map(|point| point[0]).sum::<f64>() / curve.len() as f64;
    let height = mean(curve);
    let (mut numerator, mut denominator) = (0.0, 0.0);
    for [x, y] in curve {
        numerator += (x - middle) * (y - height);
        denominator += (x - middle) * (x - middle);
    }
    numerator / denominator
}

/// Root mean square; NaN without values.
pub fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value * value, count + 1.0));
    (sum / count).sqrt()
}

/// x of the first point with y above `level`; `None` if there is none.
pub fn first_above(curve: &[[f64; 2]], level: f64) -> Option<f64> {
    curve.iter().find(|point| point[1] > level).map(|point| point[0])
}

// Reference data: tables of comma-separated values that begin with comments on their source.

/// The text of a file in `assets/reference/`.
macro_rules! reference {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/reference/", $name))
    };
}

pub(super) use reference;

/// Two columns of a table as points. Rows that lack one of the two are skipped.
pub fn points(text: &str, x: &str, y: &str) -> Vec<[f64; 2]> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let index_of = |name: &str| columns.iter().position(|column| *column == name);
    let (Some(x), Some(y)) = (index_of(x), index_of(y)) else { return Vec::new() };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |index: usize| cells.get(index)?.trim().parse::<f64>().ok();
        Some([number(x)?, number(y)?])
    };
    lines.filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: [[f64; 2]; 4] = [[0.0, 1.0], [1.0, 3.0], [2.0, 5.0], [4.0, 9.0]];

    #[test]
    fn nan_is_the_largest() {
        assert_eq!(largest([1.0, 3.0, 2.0].into_iter()), 3.0);
        assert!(largest([f64::NAN, 3.0].into_iter()).is_nan() && largest([3.0, f64::NAN].into_iter()).is_nan());
    }

    #[test]
    fn a_line_is_evaluated_exactly() {
        assert_eq!(at(&LINE, 3.0), Some(7.0));
        assert_eq!(at(&LINE, 0.0), Some(1.0));
        assert_eq!(at(&LINE, 4.0), Some(9.0));
        assert_eq!((at(&LINE, -0.1), at(&LINE, 4.1)), (None, None));
        assert!((slope(&LINE) - 2.0).abs() < 1e-12);
        assert_eq!(mean(&within(&LINE, 0.5, 2.5)), 4.0);
        assert_eq!(first_above(&LINE, 4.0), Some(2.0));
        assert_eq!(highest(&LINE), 9.0);
    }

    #[test]
    fn empty_curves_give_nan() {
        assert!(mean(&[]).is_nan() && slope(&[]).is_nan() && rms(std::iter::empty()).is_nan() && highest(&[]).is_nan());
        assert_eq!(at(&[], 0.0), None);
        assert_eq!(rms([3.0, -4.0].into_iter()), (12.5f64).sqrt());
    }

    #[test]
    fn tables_are_read_by_the_names_of_their_columns() {
        let text = "# source: a book, p. 7\nt,u,v\n0,1,2\n1,,3\n2,5,6\n";
        assert_eq!(points(text, "t", "u"), [[0.0, 1.0], [2.0, 5.0]]);
        assert_eq!(points(text, "v", "t"), [[2.0, 0.0], [3.0, 1.0], [6.0, 2.0]]);
        assert_eq!(points(text, "t", "w"), [[0.0; 2]; 0]);
    }
}
