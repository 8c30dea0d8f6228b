//! Numbers in messages.

use glam::Vec3;
use std::fmt;

/// A number with three significant digits, for messages: `5.59`, `0.000332`, `1.45e8`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounded(pub f32);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2e}", self.0);
        let Some((digits, exponent)) = text.split_once('e') else { return f.write_str(&text) };
        match text.parse::<f64>() {
            Ok(rounded) if rounded == 0.0 || (1e-4..1e5).contains(&rounded.abs()) => write!(f, "{rounded}"),
            _ => write!(f, "{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.')),
        }
    }
}

/// A place in metres, for messages: `(0.529, 0.037, 0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place(pub Vec3);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0.to_array().map(Rounded);
        write!(f, "({x}, {y}, {z})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_stay() {
        let numbers = [5.589, 0.000_332_4, 1.448e8, -12.3456, 99_999.0, 1e5, 0.0, 2.0, 1e-12];
        let texts = numbers.map(|number| Rounded(number).to_string());
        assert_eq!(texts, ["5.59", "0.000332", "1.45e8", "-12.3", "1e5", "1e5", "0", "2", "1e-12"]);
    }

    #[test]
    fn what_is_no_number_is_named() {
        assert_eq!([f32::NAN, f32::INFINITY].map(|number| Rounded(number).to_string()), ["NaN", "inf"]);
    }

    #[test]
    fn places_have_three_coordinates() {
        assert_eq!(Place(Vec3::new(0.5289, -0.0374, 0.0)).to_string(), "(0.529, -0.0374, 0)");
    }
}
