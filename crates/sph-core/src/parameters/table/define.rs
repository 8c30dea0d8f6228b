//! Macro that defines a struct of parameters together with its table entries.

/// Defines a struct of parameters: its fields, their defaults, and the [`Parameter`](super::Parameter) of each. Fields under
/// `tables` are such structs themselves, each with the name of its table in scene files.
///
/// ```ignore
/// parameters! {
///     /// Constants of the fluid.
///     pub struct FluidParameters {
///         /// Kinematic viscosity ν. Water has 1e-6; 0 switches it off.
///         kinematic_viscosity: f32 = 1e-6 => Spec::new("Kinematic viscosity").unit("m²/s").range(0.0..=1e6);
///     }
/// }
/// ```
macro_rules! parameters {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident {
            $($(#[doc = $field_doc:literal])+ $field:ident: $type:ty = $default:expr => $spec:expr;)+
            $(tables {
                $($(#[doc = $table_doc:literal])+ $table:literal $inner:ident: $inner_type:ty = $inner_default:expr;)+
            })?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $name {
            $($(#[doc = $field_doc])+ pub $field: $type,)+
            $($($(#[doc = $table_doc])+ pub $inner: $inner_type,)+)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)+ $($($inner: $inner_default,)+)? }
            }
        }

        impl $name {
            /// Name of this group of parameters: their [`Parameter::group`](crate::parameters::Parameter::group).
            pub const GROUP: &str = stringify!($name);

            /// The parameter of every field.
            pub(crate) fn entries() -> Vec<$crate::parameters::Parameter<Self>> {
                let fields = [$($crate::parameters::Parameter::of_field(
                    (
                        stringify!($field),
                        concat!(stringify!($name), "::", stringify!($field)),
                        concat!($($field_doc, "\n"),+),
                    ),
                    $spec,
                    |values: &Self| values.$field,
                    |values: &mut Self, value: $type| values.$field = value,
                ),)+];
                let entries = fields.into_iter();
                $($(let entries = entries.chain(<$inner_type>::entries().into_iter().map(|parameter| {
                    parameter.within($table, |values: &Self| values.$inner, |values: &mut Self, inner| values.$inner = inner)
                }));)+)?
                entries.collect()
            }
        }
    };
}
pub(crate) use parameters;
