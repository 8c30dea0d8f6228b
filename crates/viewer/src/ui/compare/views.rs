//! How the area of the 3D view is divided: one picture, or two side by side.

use crate::ui::Side;
use egui::{Pos2, Rect, pos2};

/// Width of the line between two pictures, points.
const DIVIDER: f32 = 2.0;

/// The area of the 3D view, whole or in two halves of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Views {
    /// All of it, points.
    pub area: Rect,
    /// Whether there are two pictures.
    pub divided: bool,
}

impl Views {
    /// Where the simulation's own picture is.
    pub fn a(self) -> Rect {
        if self.divided {
            Rect::from_min_max(self.area.min, pos2(self.divider().left(), self.area.bottom()))
        } else {
            self.area
        }
    }

    /// Where the rival's picture is, if there are two.
    pub fn b(self) -> Option<Rect> {
        let right = || Rect::from_min_max(pos2(self.divider().right(), self.area.top()), self.area.max);
        self.divided.then(right)
    }

    /// The line between them.
    pub fn divider(self) -> Rect {
        let half = (0.5 * (self.area.width() - DIVIDER)).max(0.0).floor();
        let left = self.area.left() + half;
        Rect::from_min_max(pos2(left, self.area.top()), pos2((self.area.right() - half).max(left), self.area.bottom()))
    }

    /// Where the picture of `side` is.
    pub fn of(self, side: Side) -> Rect {
        match side {
            Side::A => self.a(),
            Side::B => self.b().unwrap_or(self.a()),
        }
    }

    /// Whose picture `place` is in; the simulation's own where it is in neither.
    pub fn at(self, place: Pos2) -> Side {
        // In a window without width the two lie on each other.
        let in_b = self.b().is_some_and(|b| b.contains(place)) && !self.a().contains(place);
        if in_b { Side::B } else { Side::A }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_of_one_size_and_fill_the_area() {
        for width in [960.0, 961.0, 3.0, 1.0, 0.0] {
            let area = Rect::from_min_max(pos2(320.0, 30.0), pos2(320.0 + width, 600.0));
            let whole = Views { area, divided: false };
            assert_eq!((whole.a(), whole.b()), (area, None));
            let views = Views { area, divided: true };
            let (a, b) = (views.a(), views.b().expect("it is divided"));
            assert_eq!(a.size(), b.size());
            assert!(a.left() == area.left() && b.right() == area.right() && a.right() <= b.left(), "{a} {b}");
            assert!(
                a.width() >= 0.0 && (width < 4.0 || views.at(b.center()) == Side::B) && views.at(area.left_top()) == Side::A
            );
        }
    }
}
