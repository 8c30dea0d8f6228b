//! Division of the 3D view: one picture, or two side by side.

use crate::ui::Side;
use egui::{Pos2, Rect, pos2};

/// Width of the line between the pictures, points.
const DIVIDER: f32 = 2.0;

/// Area of the 3D view, undivided or in two halves of equal size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Views {
    /// Whole area, points.
    pub area: Rect,
    /// True for two pictures.
    pub divided: bool,
}

impl Views {
    /// Area of picture A: the simulation.
    pub fn a(self) -> Rect {
        if self.divided {
            Rect::from_min_max(self.area.min, pos2(self.divider().left(), self.area.bottom()))
        } else {
            self.area
        }
    }

    /// Area of picture B; `None` without a comparison.
    pub fn b(self) -> Option<Rect> {
        let right = || Rect::from_min_max(pos2(self.divider().right(), self.area.top()), self.area.max);
        self.divided.then(right)
    }

    /// Line between the pictures.
    pub fn divider(self) -> Rect {
        let half = (0.5 * (self.area.width() - DIVIDER)).max(0.0).floor();
        let left = self.area.left() + half;
        Rect::from_min_max(pos2(left, self.area.top()), pos2((self.area.right() - half).max(left), self.area.bottom()))
    }

    /// Area of the picture of `side`.
    pub fn of(self, side: Side) -> Rect {
        match side {
            Side::A => self.a(),
            Side::B => self.b().unwrap_or(self.a()),
        }
    }

    /// Side whose picture contains `position`; A if neither does.
    pub fn at(self, position: Pos2) -> Side {
        // In a window of zero width the pictures coincide.
        let in_b = self.b().is_some_and(|b| b.contains(position)) && !self.a().contains(position);
        if in_b { Side::B } else { Side::A }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_equal_size_and_fill_the_area() {
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
