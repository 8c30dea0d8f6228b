//! color
