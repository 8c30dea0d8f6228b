//! Table of parameters: entries, the macros that generate them from struct fields, and their values, ranges and choices.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::value::{Bounds, Kind, ParameterValue, Slider, Value, first_paragraph};

// Place of a parameter in the window.

/// Group of parameters in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What flows.
    Fluid,
    /// Pressure solver.
    Solver,
    /// Length of the steps.
    TimeStep,
    /// Walls and bodies.
    Boundary,
    /// Forces and corrections that are off by default.
    Forces,
    /// Foam, spray and bubbles.
    Foam,
    /// Neighbour search.
    Grid,
}

impl Group {
    /// All groups, in the order in which the window shows them.
    pub const ALL: [Self; 7] =
        [Self::Fluid, Self::Solver, Self::TimeStep, Self::Boundary, Self::Forces, Self::Foam, Self::Grid];

    /// Title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Fluid => "Properties",
            Self::Solver => "Solver",
            Self::TimeStep => "Time step",
            Self::Boundary => "Boundary",
            Self::Forces => "Forces",
            Self::Foam => "Foam, spray and bubbles",
            Self::Grid => "Grid",
        }
    }
}

/// Key of another parameter, and the values of it with which a parameter has an effect.
pub(crate) type Condition = (&'static str, fn(Value) -> bool);

// Entry of the table of parameters: key, unit, range, default, label, documentation, and access to the value.

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
    /// Group in the window; `None` for what is fixed for a simulation's life.
    pub group: Option<Group>,
    /// True if it is among the few that most users change.
    pub basic: bool,
    /// Key of the parameter of the group whose row is above its own; `None` if it is in its place in the table.
    pub row_after: Option<&'static str>,
    /// Condition on which it has an effect; `None` if it always has.
    pub(crate) condition: Option<Condition>,
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
        let Spec { label, unit, bounds, slider, default_words, required, usual, ends, group, basic, row_after, condition } =
            spec;
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
            group,
            basic,
            row_after,
            condition,
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

    /// The same parameter, with an effect only on `condition`, unless it has a condition of its own.
    #[must_use]
    pub(crate) fn effective_on(self, condition: Condition) -> Self {
        Self { condition: self.condition.or(Some(condition)), ..self }
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
            group,
            basic,
            row_after,
            condition,
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
            group,
            basic,
            row_after,
            condition,
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

// Specification of a parameter, written beside its field.

/// Label, unit, range and slider of a parameter. Name, type and documentation are those of the field.
pub(crate) struct Spec {
    pub label: &'static str,
    pub unit: &'static str,
    pub bounds: Bounds,
    pub slider: Slider,
    pub default_words: Option<&'static str>,
    pub required: bool,
    pub usual: Option<[f64; 2]>,
    pub ends: Option<[&'static str; 2]>,
    pub group: Option<Group>,
    pub basic: bool,
    pub row_after: Option<&'static str>,
    pub condition: Option<Condition>,
}

impl Spec {
    /// Specification with the label `label` in the window, without unit and bounds.
    pub fn new(label: &'static str) -> Self {
        let slider = Slider { low: 0.0, high: 1.0, resolution: 0.01, logarithmic: false, percent: false };
        Self {
            label,
            unit: "",
            bounds: Bounds::NONE,
            slider,
            default_words: None,
            required: false,
            usual: None,
            ends: None,
            group: None,
            basic: false,
            row_after: None,
            condition: None,
        }
    }

    /// Sets the unit.
    pub fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Sets the range, also that of the slider.
    pub fn range(self, range: RangeInclusive<f64>) -> Self {
        let (low, high) = range.into_inner();
        Self { bounds: Bounds { low, high, ..self.bounds }, slider: Slider { low, high, ..self.slider }, ..self }
    }

    /// Excludes the lower end of the range.
    pub fn above_low(self) -> Self {
        Self { bounds: Bounds { above_low: true, ..self.bounds }, ..self }
    }

    /// Sets the range in words, if it depends on other values.
    pub fn range_words(self, words: &'static str) -> Self {
        Self { bounds: Bounds { words: Some(words), ..self.bounds }, ..self }
    }

    /// Sets the default in words, if it follows from other values.
    pub fn default_words(self, words: &'static str) -> Self {
        Self { default_words: Some(words), ..self }
    }

    /// Requires a value: there is no default.
    pub fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// Sets a linear slider over this part of the range, in steps of `resolution`.
    pub fn slider(self, range: RangeInclusive<f64>, resolution: f64) -> Self {
        let (low, high) = range.into_inner();
        Self { slider: Slider { low, high, resolution, logarithmic: false, ..self.slider }, ..self }
    }

    /// Sets a logarithmic slider over this part of the range; a slider from 0 has the values 0 and from `resolution` on.
    pub fn log_slider(self, range: RangeInclusive<f64>, resolution: f64) -> Self {
        let (low, high) = range.into_inner();
        Self { slider: Slider { low, high, resolution, logarithmic: true, ..self.slider }, ..self }
    }

    /// Sets the values that most scenes have.
    pub fn usual(self, range: RangeInclusive<f64>) -> Self {
        let (low, high) = range.into_inner();
        Self { usual: Some([low, high]), ..self }
    }

    /// Sets what happens with very low and with very high values, each as half a sentence.
    pub fn ends(self, low: &'static str, high: &'static str) -> Self {
        Self { ends: Some([low, high]), ..self }
    }

    /// Puts it into another group of the window than the other parameters of its struct.
    pub fn group(self, group: Group) -> Self {
        Self { group: Some(group), ..self }
    }

    /// Puts it into `group`, unless it has a group of its own.
    pub fn or_group(self, group: Group) -> Self {
        Self { group: self.group.or(Some(group)), ..self }
    }

    /// Counts it among the few that most users change.
    pub fn basic(self) -> Self {
        Self { basic: true, ..self }
    }

    /// Puts its row below that of the parameter of its group with `key`.
    pub fn row_after(self, key: &'static str) -> Self {
        Self { row_after: Some(key), ..self }
    }

    /// Shows it only while the value of the parameter with `key` passes the test: with other values it has no effect. It is saved all
    /// the same, for when it has one again.
    pub fn effective_if(self, key: &'static str, test: fn(Value) -> bool) -> Self {
        Self { condition: Some((key, test)), ..self }
    }

    /// Shows the value in percent in the window.
    pub fn percent(self) -> Self {
        Self { slider: Slider { percent: true, ..self.slider }, ..self }
    }
}

/// Defines a struct of parameters: its fields, their defaults, and the [`Parameter`](Parameter) of each. Fields under
/// `tables` are such structs themselves, each with the name of its table in scene files, and maybe a condition on which its
/// parameters have an effect. `in` names the [`Group`] of the window for all parameters that do not name their own.
///
/// ```ignore
/// parameters! {
///     /// Constants of the fluid.
///     pub struct FluidParameters in Fluid {
///         /// Kinematic viscosity ν. Water has 1e-6; 0 switches it off.
///         kinematic_viscosity: f32 = 1e-6 => Spec::new("Kinematic viscosity").unit("m²/s").range(0.0..=1e6);
///     }
/// }
/// ```
macro_rules! parameters {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident in $group:ident {
            $($(#[doc = $field_doc:literal])+ $(#[cfg($cfg:meta)])? $field:ident: $type:ty = $default:expr => $spec:expr;)+
            $(tables {
                $($(#[doc = $table_doc:literal])+ $table:literal $inner:ident: $inner_type:ty = $inner_default:expr $(=> $condition:expr)?;)+
            })?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        $vis struct $name {
            $($(#[doc = $field_doc])+ $(#[cfg($cfg)])? pub $field: $type,)+
            $($($(#[doc = $table_doc])+ pub $inner: $inner_type,)+)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($(#[cfg($cfg)])? $field: $default,)+ $($($inner: $inner_default,)+)? }
            }
        }

        impl $name {
            /// The parameter of every field.
            pub(crate) fn entries() -> Vec<$crate::parameters::Parameter<Self>> {
                let fields = [$($(#[cfg($cfg)])? $crate::parameters::Parameter::of_field(
                    (
                        stringify!($field),
                        concat!(stringify!($name), "::", stringify!($field)),
                        concat!($($field_doc, "\n"),+),
                    ),
                    $spec.or_group($crate::parameters::Group::$group),
                    |values: &Self| values.$field,
                    |values: &mut Self, value: $type| values.$field = value,
                ),)+];
                let entries = fields.into_iter();
                $($(let entries = entries.chain(<$inner_type>::entries().into_iter().map(|parameter| {
                    let outer = parameter.within($table, |values: &Self| values.$inner, |values: &mut Self, inner| values.$inner = inner);
                    $(let outer = outer.effective_on($condition);)?
                    outer
                }));)+)?
                entries.collect()
            }
        }
    };
}

pub(crate) use parameters;

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

#[cfg(test)]
mod tests {
    use crate::parameters::*;

    // Table of parameters: every field has an entry, every default is within its range.

    #[test]
    fn every_default_is_within_its_range() {
        let discretization = Discretization::new(Dimensions::Three, 0.05);
        discretization.validate().expect("water");
        Parameters::usual(&discretization).validate(&discretization).expect("usual parameters");
    }

    #[test]
    fn every_key_is_unique_and_documented() {
        let mut keys: Vec<&str> = Parameters::table().iter().map(|parameter| parameter.key).collect();
        keys.extend(Discretization::table().iter().map(|parameter| parameter.key));
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        for parameter in Parameters::table() {
            let Parameter { key, label, documentation, .. } = parameter;
            assert!(!label.is_empty() && documentation.ends_with('.') && documentation.len() > 15, "{key}: {documentation}");
            assert!(TABLES.iter().any(|(table, _)| *table == parameter.table()) || parameter.table().is_empty(), "{key}");
        }
    }

    /// Setting a parameter to another value changes that value only.
    #[test]
    fn every_parameter_is_set_alone() {
        let before = Parameters {
            grid: GridParameters {
                structure: Structure::BucketHash(Storage::Fixed, Update::Rebuilt, Registration::Once),
                ..Default::default()
            },
            ..Parameters::default()
        };
        for parameter in Parameters::table() {
            let mut after = before;
            let other = match (parameter.get(&before), &parameter.kind) {
                (Value::Number(number), _) => Value::Number(number + 0.25),
                (Value::Absent, _) => Value::Number(0.25),
                (Value::Count(count), _) => Value::Count(count + 1),
                (Value::Vector(vector), _) => Value::Vector(vector + 0.25),
                (Value::Choice(name), Kind::Choice(options)) => {
                    Value::Choice(options.iter().map(|option| option.name).find(|other| *other != name).expect("two options"))
                }
                (value, kind) => panic!("{}: {value:?} is not of kind {kind:?}", parameter.key),
            };
            assert!(parameter.set(&mut after, other), "{}", parameter.key);
            if parameter.is_used(&before) {
                assert_eq!(parameter.get(&after), other, "{}", parameter.key);
            }
            // A change of structure changes its options.
            let depends = |key: &str| parameter.key == "grid.structure" && key.starts_with("grid.");
            for other in Parameters::table().iter().filter(|other| other.key != parameter.key && !depends(other.key)) {
                assert_eq!(other.get(&after), other.get(&before), "{} changes {}", parameter.key, other.key);
            }
            assert!(
                !parameter
                    .set(&mut after, if matches!(other, Value::Choice(_)) { Value::Count(1) } else { Value::Choice("x") })
            );
        }
    }

    #[test]
    fn values_beyond_their_bounds_are_refused_by_name() {
        let discretization = Discretization::new(Dimensions::Two, 0.05);
        for parameter in Parameters::table().iter().filter(|parameter| parameter.bounds.high < f64::from(f32::MAX)) {
            let mut values = Parameters::usual(&discretization);
            let beyond = match parameter.get(&values) {
                Value::Number(_) | Value::Absent => Value::Number(2.0 * parameter.bounds.high as f32),
                Value::Count(_) => Value::Count(2 * parameter.bounds.high as u32),
                Value::Vector(_) => Value::Vector(glam::Vec3::X * 2.0 * parameter.bounds.high as f32),
                Value::Choice(_) => continue,
            };
            parameter.set(&mut values, beyond);
            let error = values.validate(&discretization).expect_err(parameter.key);
            assert_eq!(error.name, parameter.key);
            assert!(error.to_string().contains(&error.expected.to_string()), "{error}");
        }
    }

    #[test]
    fn choices_are_read_and_written_by_name() {
        assert_eq!("wendland_c2".parse(), Ok(KernelKind::WendlandC2));
        assert_eq!(Structure::SpatialHash.to_string(), "spatial_hash");
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        let error = "sph".parse::<Method>().expect_err("no method");
        assert_eq!(error.to_string(), "expected `wcsph`, `pcisph`, `iisph`, `dfsph`, `pbf`, but got `sph`");
    }

    #[test]
    fn values_below_their_bounds_are_refused_by_name() {
        let discretization = Discretization::new(Dimensions::Two, 0.05);
        for parameter in Parameters::table().iter().filter(|parameter| parameter.bounds.low > f64::NEG_INFINITY) {
            let Bounds { low, above_low, .. } = parameter.bounds;
            let low = low as f32;
            let mut values = Parameters::usual(&discretization);
            let outside = match parameter.get(&values) {
                Value::Number(_) | Value::Absent if above_low => vec![Value::Number(low), Value::Number(f32::NAN)],
                Value::Number(_) | Value::Absent => vec![Value::Number(low - 1e-6 - 0.1 * low.abs()), Value::Number(f32::NAN)],
                Value::Count(_) => vec![Value::Count(low as u32 - 1)],
                Value::Vector(_) => vec![Value::Vector(glam::Vec3::NEG_Y * 2.0 * low.abs())],
                Value::Choice(_) => continue,
            };
            for value in outside {
                parameter.set(&mut values, value);
                let error = values.validate(&discretization).expect_err(parameter.key);
                assert_eq!(error.name, parameter.key, "{value:?}");
            }
        }
        for (spacing, support_ratio) in [(0.0, 2.0), (-1.0, 2.0), (f32::NAN, 2.0), (0.05, 1.1), (0.05, 4.1)] {
            let support_radius = support_ratio * spacing;
            let wrong = Discretization { particle_spacing: spacing, support_radius, ..discretization };
            assert!(wrong.validate().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_minimum_above_its_maximum_is_refused() {
        let discretization = Discretization::new(Dimensions::Two, 0.05);
        assert_eq!(Parameters::iteration_bounds().count(), 5);
        for (least, most) in Parameters::iteration_bounds() {
            let mut values = Parameters::usual(&discretization);
            assert!(least.set(&mut values, Value::Count(900)) && most.set(&mut values, Value::Count(899)));
            assert_eq!(values.validate(&discretization).expect_err("out of order").name, most.key);
            most.set(&mut values, Value::Count(900));
            assert_eq!(values.validate(&discretization), Ok(()));
        }
    }

    #[test]
    fn structures_are_read_with_their_options() {
        for structure in Structure::all() {
            assert_eq!(structure.to_string().parse(), Ok(structure), "{structure}");
        }
        assert_eq!("cell_hash".parse(), Ok(Structure::CellHash(Update::Rebuilt)));
        for wrong in ["cell_hash once", "hash", "bucket_hash fixed nonsense", ""] {
            assert!(wrong.parse::<Structure>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_number_says_what_happens_at_both_ends() {
        for parameter in Parameters::table().iter().filter(|parameter| !matches!(parameter.kind, Kind::Choice(_))) {
            let key = parameter.key;
            let [low, high] = parameter.ends.unwrap_or_else(|| panic!("{key} says nothing of its ends"));
            for text in [low, high] {
                assert!(!text.is_empty() && !text.ends_with('.') && !text.starts_with(char::is_uppercase), "{key}: {text}");
            }
            if let Some([low, high]) = parameter.usual {
                let Bounds { low: least, high: most, .. } = parameter.bounds;
                assert!(least <= low && low < high && high <= most, "{key}: usually {low} to {high} of {least} to {most}");
            }
        }
    }
}
