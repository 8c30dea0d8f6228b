//! Limit of the number of heights.

/// Maximum number of heights: 1000 by 1000.
pub(super) const MAX_HEIGHTS: usize = 1_000_000;

/// The fault of a grid with too many heights.
pub(super) fn too_many() -> String {
    format!("has more than {MAX_HEIGHTS} heights")
}
