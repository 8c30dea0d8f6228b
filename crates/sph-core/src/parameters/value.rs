//! Values of parameters of any type: numbers, vectors, choices with names; their ranges.

use std::fmt;

use super::table::shortest;
use glam::Vec3;

/// The value of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A real number, in the parameter's unit.
    Number(f32),
    /// A whole number.
    Count(u32),
    /// Name of a choice.
    Choice(&'static str),
    /// A vector, in the parameter's unit.
    Vector(Vec3),
    /// No value, for an optional parameter.
    Absent,
}

impl Value {
    /// True for a number above 0.
    pub(crate) fn is_positive(self) -> bool {
        matches!(self, Self::Number(number) if number > 0.0)
    }
}

/// The type of a parameter's values.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// [`Value::Number`]; with `optional` also [`Value::Absent`].
    Number {
        /// True if the value may be absent.
        optional: bool,
    },
    /// [`Value::Count`].
    Count,
    /// [`Value::Choice`] among these options.
    Choice(Vec<ChoiceOption>),
    /// [`Value::Vector`].
    Vector,
}

/// A type that a parameter can have.
pub(crate) trait ParameterValue: Sized {
    /// Kind of its values.
    fn kind() -> Kind;

    /// Converts to a [`Value`].
    fn to_value(&self) -> Value;

    /// Converts from a [`Value`]; `None` for a value of another kind, or an unknown choice.
    fn from_value(value: Value) -> Option<Self>;
}

impl ParameterValue for f32 {
    fn kind() -> Kind {
        Kind::Number { optional: false }
    }

    fn to_value(&self) -> Value {
        Value::Number(*self)
    }

    fn from_value(value: Value) -> Option<Self> {
        if let Value::Number(number) = value { Some(number) } else { None }
    }
}

impl ParameterValue for Option<f32> {
    fn kind() -> Kind {
        Kind::Number { optional: true }
    }

    fn to_value(&self) -> Value {
        self.map_or(Value::Absent, Value::Number)
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Number(number) => Some(Some(number)),
            Value::Absent => Some(None),
            _ => None,
        }
    }
}

impl ParameterValue for u32 {
    fn kind() -> Kind {
        Kind::Count
    }

    fn to_value(&self) -> Value {
        Value::Count(*self)
    }

    fn from_value(value: Value) -> Option<Self> {
        if let Value::Count(count) = value { Some(count) } else { None }
    }
}

impl ParameterValue for Vec3 {
    fn kind() -> Kind {
        Kind::Vector
    }

    fn to_value(&self) -> Value {
        Value::Vector(*self)
    }

    fn from_value(value: Value) -> Option<Self> {
        if let Value::Vector(vector) = value { Some(vector) } else { None }
    }
}

impl<C: Choice> ParameterValue for C {
    fn kind() -> Kind {
        Kind::Choice(C::VALUES.iter().map(|value| value.option()).collect())
    }

    fn to_value(&self) -> Value {
        Value::Choice(self.option().name)
    }

    fn from_value(value: Value) -> Option<Self> {
        if let Value::Choice(name) = value { C::by_name(name) } else { None }
    }
}

// Choices: enums whose variants have a name, a label and documentation, in one place.

/// Name, label and documentation of one value of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceOption {
    /// Name in scene files: `wendland_c2`.
    pub name: &'static str,
    /// Label in the window: `Wendland C2`.
    pub label: &'static str,
    /// Documentation of the variant.
    pub documentation: &'static str,
}

/// Error: a name that is none of the options of a choice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}, but got `{found}`", list(.options))]
pub struct UnknownChoice {
    /// Name found.
    pub found: String,
    /// Valid names.
    pub options: Vec<&'static str>,
}

fn list(options: &[&str]) -> String {
    options.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A type with a closed set of named values.
pub trait Choice: Copy + PartialEq + Sized + 'static {
    /// Every value, in the order of lists in the window and in documents.
    const VALUES: &'static [Self];

    /// Name, label and documentation.
    fn option(self) -> ChoiceOption;

    /// Value with this name, if there is one.
    fn by_name(name: &str) -> Option<Self> {
        Self::VALUES.iter().copied().find(|value| value.option().name == name)
    }
}

/// Defines an enum with a name and a label for each variant, and with them `ALL`, `name`, `label`, [`std::fmt::Display`],
/// [`std::str::FromStr`], [`Choice`] and, of an enum with a default, [`Default`].
macro_rules! choice {
    (
        $(#[doc = $doc:literal])+
        $vis:vis enum $choice:ident $(, default $default:ident)? {
            $($(#[doc = $variant_doc:literal])+ $variant:ident = $name:literal, $label:literal;)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        $vis enum $choice {
            $($(#[doc = $variant_doc])+ $variant,)+
        }

        impl $choice {
            /// Every value.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Name in scene files.
            pub fn name(self) -> &'static str {
                $crate::parameters::Choice::option(self).name
            }

            /// Label in the window.
            pub fn label(self) -> &'static str {
                $crate::parameters::Choice::option(self).label
            }
        }

        $(impl Default for $choice {
            fn default() -> Self {
                Self::$default
            }
        })?

        impl $crate::parameters::Choice for $choice {
            const VALUES: &'static [Self] = &Self::ALL;

            fn option(self) -> $crate::parameters::ChoiceOption {
                match self {
                    $(Self::$variant => $crate::parameters::ChoiceOption {
                        name: $name,
                        label: $label,
                        documentation: concat!($($variant_doc, "\n"),+),
                    },)+
                }
            }
        }

        $crate::parameters::choice_text!($choice);
    };
}

/// [`std::fmt::Display`] and [`std::str::FromStr`] of a [`Choice`]: its name.
macro_rules! choice_text {
    ($choice:ident) => {
        impl std::fmt::Display for $choice {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad($crate::parameters::Choice::option(*self).name)
            }
        }

        impl std::str::FromStr for $choice {
            type Err = $crate::parameters::UnknownChoice;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                use $crate::parameters::{Choice, UnknownChoice};
                Self::by_name(name).ok_or_else(|| UnknownChoice {
                    found: name.to_owned(),
                    options: Self::VALUES.iter().map(|value| value.option().name).collect(),
                })
            }
        }
    };
}

pub(crate) use {choice, choice_text};

impl ChoiceOption {
    /// First paragraph of the documentation, on one line.
    pub fn summary(&self) -> String {
        first_paragraph(self.documentation)
    }
}

/// Documentation up to the first empty line, on one line.
pub(super) fn first_paragraph(documentation: &str) -> String {
    documentation.lines().map(str::trim).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

// Ranges of parameters: the accepted range, and the range of a slider.

/// Bounds of a value. They are compared as `f32`, the type of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// True if the smallest value itself is out of range.
    pub above_low: bool,
    /// Range in words, if it depends on other values; the owner of the values then checks it.
    pub words: Option<&'static str>,
}

impl Bounds {
    /// No bounds.
    pub(crate) const NONE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, above_low: false, words: None };

    /// True if `number` is within the bounds.
    pub fn contain(&self, number: f32) -> bool {
        let (low, high) = (self.low as f32, self.high as f32);
        (number > low || (number == low && !self.above_low)) && number <= high
    }

    /// True if `count` is within the bounds.
    pub fn contain_count(&self, count: u32) -> bool {
        (self.low..=self.high).contains(&f64::from(count))
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: f64| shortest(value as f32);
        match *self {
            Self { words: Some(words), .. } => formatter.write_str(words),
            Self { low, high, .. } if low == f64::NEG_INFINITY && high == f64::INFINITY => formatter.write_str("finite"),
            Self { low, high, above_low: true, .. } if high == f64::INFINITY => write!(formatter, "above {}", number(low)),
            Self { low, high, above_low: true, .. } => write!(formatter, "above {}, at most {}", number(low), number(high)),
            Self { low, high, .. } => write!(formatter, "{} to {}", number(low), number(high)),
        }
    }
}

/// Range and scale of a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// Resolution; on a logarithmic slider from 0, the smallest value besides 0.
    pub resolution: f64,
    /// True for a logarithmic scale.
    pub logarithmic: bool,
    /// True if the window shows the value in percent.
    pub percent: bool,
}
