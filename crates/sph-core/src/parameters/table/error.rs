//! The error of a parameter outside its range.

use std::borrow::Cow;

/// A parameter outside its range. The message names the parameter, its value and the range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} must be {expected}, but is {}", shortest(*value))]
pub struct ParameterError {
    /// Dotted path in scene files, such as `fluid.sound_speed`.
    pub name: &'static str,
    /// The value refused.
    pub value: f32,
    /// The range in words.
    pub expected: Cow<'static, str>,
}

/// Shortest decimal text of `value`, with an exponent for very small and very large numbers.
pub(super) fn shortest(value: f32) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() || (1e-4..1e10).contains(&size) { value.to_string() } else { format!("{value:e}") }
}

/// Refuses `value` unless it is finite and `ok`.
pub(crate) fn require(
    ok: bool,
    name: &'static str,
    value: f32,
    expected: impl Into<Cow<'static, str>>,
) -> Result<(), ParameterError> {
    if ok && value.is_finite() { Ok(()) } else { Err(ParameterError { name, value, expected: expected.into() }) }
}
