//! Entry of the table of parameters: key, unit, range, default, label, documentation, and access to the value.

use super::bounds::{Bounds, Slider};
use super::choice::first_paragraph;
use super::error::{ParameterError, shortest};
use super::spec::Spec;
use super::value::{Kind, ParameterValue, Value};

/// A parameter of `T`.
///
/// Checks, the schema of scene files, their reading and saving, command-line overrides, sliders and the reference in the guide
/// are made from it.
pub struct Parameter<T> {
    /// Dotted path in scene files: `fluid.sound_speed`.
    pub key: &'static str,
    /// Field in this crate: `FluidParameters::sound_speed`.
    pub field: &'static str,
    /// Name in the window.
    pub label: &'static str,
    /// Unit; empty for a number without one.
    pub unit: &'static str,
    /// Documentation: a sentence, or a few.
    pub documentation: String,
    /// Type of the values.
    pub kind: Kind,
    /// Bounds of a number, a count, or each component of a vector.
    pub bounds: Bounds,
    /// Range and scale of its slider.
    pub slider: Slider,
    /// Default in words, if it follows from other values or is the absence of a value.
    pub default_words: Option<&'static str>,
    /// True if a scene must give a value.
    pub required: bool,
    /// Values that most scenes have: the lowest and the highest.
    pub usual: Option<[f64; 2]>,
    /// What happens with very low and with very high values.
    pub ends: Option<[&'static str; 2]>,
    get: Box<dyn Fn(&T) -> Value + Send + Sync>,
    set: Set<T>,
    is_used: Box<dyn Fn(&T) -> bool + Send + Sync>,
}

/// Sets a value; false for one of another kind.
type Set<T> = Box<dyn Fn(&mut T, Value) -> bool + Send + Sync>;

impl<T: 'static> Parameter<T> {
    /// The parameter of a field, from its specification.
    pub(crate) fn of_field<V: ParameterValue + 'static>(
        (key, field, documentation): (&'static str, &'static str, &str),
        spec: Spec,
        get: fn(&T) -> V,
        set: fn(&mut T, V),
    ) -> Self {
        let Spec { label, unit, bounds, slider, default_words, required, usual, ends } = spec;
        Self {
            key,
            field,
            label,
            unit,
            documentation: first_paragraph(documentation),
            kind: V::kind(),
            bounds,
            slider,
            default_words,
            required,
            usual,
            ends,
            get: Box::new(move |values| get(values).to_value()),
            set: Box::new(move |values, value| V::from_value(value).map(|value| set(values, value)).is_some()),
            is_used: Box::new(|_| true),
        }
    }

    /// The same parameter, used only if `is_used` returns true; otherwise it is neither shown nor saved.
    #[must_use]
    pub(crate) fn used_if(self, is_used: fn(&T) -> bool) -> Self {
        Self { is_used: Box::new(is_used), ..self }
    }

    /// The same parameter as one of `P`, which contains a `T`, under `table` in scene files.
    pub(crate) fn within<P: 'static>(self, table: &str, of: fn(&P) -> T, put: fn(&mut P, T)) -> Parameter<P> {
        let Self {
            key,
            field,
            label,
            unit,
            documentation,
            kind,
            bounds,
            slider,
            default_words,
            required,
            usual,
            ends,
            get,
            set,
            is_used,
        } = self;
        Parameter {
            // The tables are built once and live as long as the program.
            key: format!("{table}.{key}").leak(),
            field,
            label,
            unit,
            documentation,
            kind,
            bounds,
            slider,
            default_words,
            required,
            usual,
            ends,
            get: Box::new(move |outer| get(&of(outer))),
            set: Box::new(move |outer, value| {
                let mut values = of(outer);
                let is_set = set(&mut values, value);
                put(outer, values);
                is_set
            }),
            is_used: Box::new(move |outer| is_used(&of(outer))),
        }
    }

    /// Struct of this crate that the parameter is a field of: `FluidParameters`.
    pub fn group(&self) -> &'static str {
        self.field.split_once("::").map_or(self.field, |(group, _)| group)
    }

    /// Value in `values`.
    pub fn get(&self, values: &T) -> Value {
        (self.get)(values)
    }

    /// Sets the value in `values` without checking its range. Returns false, without a change, for a value of another kind.
    pub fn set(&self, values: &mut T, value: Value) -> bool {
        (self.set)(values, value)
    }

    /// True if the parameter has an effect with the other `values`. An unused parameter is neither shown nor saved.
    pub fn is_used(&self, values: &T) -> bool {
        (self.is_used)(values)
    }

    /// Table of the key in scene files, empty for the top: `fluid`.
    pub fn table(&self) -> &'static str {
        self.key.rsplit_once('.').map_or("", |(table, _)| table)
    }

    /// Key within its table: `sound_speed`.
    pub fn name(&self) -> &'static str {
        self.key.rsplit_once('.').map_or(self.key, |(_, name)| name)
    }

    /// Checks the value in `values` against the bounds.
    pub(crate) fn check(&self, values: &T) -> Result<(), ParameterError> {
        let check = |value: f32, ok: bool| {
            let name = self.key;
            if ok && value.is_finite() { Ok(()) } else { Err(ParameterError { name, value, expected: self.range().into() }) }
        };
        match self.get(values) {
            Value::Number(number) => check(number, self.bounds.contain(number)),
            Value::Count(count) => check(count as f32, self.bounds.contain_count(count)),
            Value::Vector(vector) => {
                vector.to_array().into_iter().try_for_each(|number| check(number, self.bounds.contain(number)))
            }
            Value::Choice(_) | Value::Absent => Ok(()),
        }
    }

    /// Default in words: the value in `usual`, unless it follows from other values.
    pub fn default_text(&self, usual: &T) -> String {
        self.default_words.map_or_else(|| self.get(usual).to_string(), str::to_owned)
    }

    /// The range in words: `0 to 1000 (N/m)`.
    pub fn range(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" ({})", self.unit) };
        format!("{}{unit}", self.bounds)
    }
}

/// Text of a value in tables: numbers with the fewest digits, names as they are.
impl std::fmt::Display for Value {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => formatter.write_str(&shortest(*number)),
            Self::Count(count) => write!(formatter, "{count}"),
            Self::Choice(name) => formatter.write_str(name),
            Self::Vector(vector) => write!(formatter, "{:?}", vector.to_array()),
            Self::Absent => Ok(()),
        }
    }
}
