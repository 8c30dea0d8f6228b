//! Values of parameters of any type.

use super::choice::Choice;
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
    Choice(Vec<super::choice::ChoiceOption>),
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
