//! Registry of particle attributes: the macro that declares them, and their descriptions.

use glam::Vec3;

/// Description of an attribute of the particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Name in files and messages: the field's.
    pub name: &'static str,
    /// Name of one value, for exports: `velocity`.
    pub singular: &'static str,
    /// SI unit; empty without one.
    pub unit: &'static str,
    /// Presence in the arrays.
    pub presence: Presence,
    /// Names of its components in tables and pictures, one for a scalar and three for a vector; none for what only the next
    /// steps read.
    pub columns: &'static [&'static str],
}

/// Presence of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// One value for each particle, always.
    Always,
    /// One value for each particle, or none at all: while nothing needs the attribute, its array is empty.
    Optional,
}

/// Values of an attribute, one for each particle, or none if it is optional.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// Vectors.
    Vectors(&'a [Vec3]),
    /// Scalars.
    Scalars(&'a [f32]),
    /// Whole numbers.
    Integers(&'a [u32]),
    /// Small whole numbers.
    Bytes(&'a [u8]),
}

impl Values<'_> {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Vectors(values) => values.len(),
            Self::Scalars(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Bytes(values) => values.len(),
        }
    }

    /// True without values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Index of the first value that is not finite.
    pub(crate) fn first_not_finite(&self) -> Option<usize> {
        match self {
            Self::Vectors(values) => values.iter().position(|value| !value.is_finite()),
            Self::Scalars(values) => values.iter().position(|value| !value.is_finite()),
            Self::Integers(_) | Self::Bytes(_) => None,
        }
    }
}

/// Values of an attribute, to be read from elsewhere.
#[derive(Debug)]
pub enum ValuesMut<'a> {
    /// Vectors.
    Vectors(&'a mut Vec<Vec3>),
    /// Scalars.
    Scalars(&'a mut Vec<f32>),
    /// Whole numbers.
    Integers(&'a mut Vec<u32>),
    /// Small whole numbers.
    Bytes(&'a mut Vec<u8>),
}

/// Type of one value of an attribute.
pub(super) trait Value: Copy + Default + Send + Sync {
    /// Returns the values with their type.
    fn values(values: &[Self]) -> Values<'_>;

    /// Returns the values with their type, to be changed.
    fn values_mut(values: &mut Vec<Self>) -> ValuesMut<'_>;
}

impl Value for Vec3 {
    fn values(values: &[Self]) -> Values<'_> {
        Values::Vectors(values)
    }

    fn values_mut(values: &mut Vec<Self>) -> ValuesMut<'_> {
        ValuesMut::Vectors(values)
    }
}

impl Value for f32 {
    fn values(values: &[Self]) -> Values<'_> {
        Values::Scalars(values)
    }

    fn values_mut(values: &mut Vec<Self>) -> ValuesMut<'_> {
        ValuesMut::Scalars(values)
    }
}

impl Value for u32 {
    fn values(values: &[Self]) -> Values<'_> {
        Values::Integers(values)
    }

    fn values_mut(values: &mut Vec<Self>) -> ValuesMut<'_> {
        ValuesMut::Integers(values)
    }
}

impl Value for u8 {
    fn values(values: &[Self]) -> Values<'_> {
        Values::Bytes(values)
    }

    fn values_mut(values: &mut Vec<Self>) -> ValuesMut<'_> {
        ValuesMut::Bytes(values)
    }
}

/// Declares a structure of arrays, one array for each attribute, and everything that has to be done with all of them.
macro_rules! attributes {
    (
        $(#[$struct_doc:meta])*
        pub struct $name:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty => $presence:ident, $singular:literal, $unit:literal, $columns:expr;)*
        }
    ) => {
        $(#[$struct_doc])*
        #[derive(Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $field: Vec<$type>,)*
        }

        impl $name {
            /// All attributes, in the order of the fields.
            pub const ATTRIBUTES: &'static [Attribute] = &[
                $(Attribute {
                    name: stringify!($field),
                    singular: $singular,
                    unit: $unit,
                    presence: Presence::$presence,
                    columns: &$columns,
                },)*
            ];

            /// Every attribute with its values.
            pub fn attributes(&self) -> impl Iterator<Item = (&'static Attribute, Values<'_>)> {
                let values = [$(<$type as Value>::values(&self.$field)),*];
                Self::ATTRIBUTES.iter().zip(values)
            }

            /// Every attribute with its values, to be filled. The caller sees to it that all have the same length afterwards;
            /// [`Simulation::from_state`](crate::Simulation::from_state) checks it.
            pub fn attributes_mut(&mut self) -> impl Iterator<Item = (&'static Attribute, ValuesMut<'_>)> {
                let values = [$(<$type as Value>::values_mut(&mut self.$field)),*];
                Self::ATTRIBUTES.iter().zip(values)
            }

            /// Every attribute that has columns, with its values; optional ones only if they are present.
            pub fn shown(&self) -> impl Iterator<Item = (&'static Attribute, Values<'_>)> {
                self.attributes().filter(|(attribute, values)| {
                    !attribute.columns.is_empty() && (attribute.presence == Presence::Always || !values.is_empty())
                })
            }

            /// Copies the attributes that have columns, reusing memory; the others are empty afterwards. The copy is to be
            /// looked at: no simulation can go on from it.
            pub fn copy_shown(&mut self, from: &Self) {
                $({
                    let columns: &[&str] = &$columns;
                    if columns.is_empty() {
                        self.$field.clear();
                    } else {
                        self.$field.clone_from(&from.$field);
                    }
                })*
            }

            /// Permutes the particles so that the k-th is the old one with index `order[k]`; `buffer` is workspace, and holds
            /// arbitrary values afterwards.
            ///
            /// # Panics
            /// If an index in `order` is not that of a particle.
            pub fn permute(&mut self, order: &[u32], buffer: &mut Self) {
                $(if !self.$field.is_empty() {
                    sweep::permute(order, &mut self.$field, &mut buffer.$field);
                })*
            }

            /// Appends `count` particles, whose attributes are all zero.
            pub(crate) fn extend(&mut self, count: usize) {
                let length = self.len() + count;
                $(if Presence::$presence == Presence::Always || !self.$field.is_empty() {
                    self.$field.resize(length, <$type>::default());
                })*
            }

            /// Appends the particles of `other`; attributes that one of the two lacks are zero.
            pub(crate) fn append(&mut self, other: &Self) {
                let (present, length) = (self.len(), self.len() + other.len());
                $(if !other.$field.is_empty() {
                    self.$field.resize(present, <$type>::default());
                    self.$field.extend_from_slice(&other.$field);
                } else if !self.$field.is_empty() {
                    self.$field.resize(length, <$type>::default());
                })*
            }

            /// Removes the particles for which `keep(index)` is false; the others stay in their order.
            pub(crate) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
                $({
                    let mut index = 0..;
                    self.$field.retain(|_| index.next().is_some_and(&keep));
                })*
            }

            /// Bytes on the heap.
            pub(crate) fn memory(&self) -> usize {
                0 $(+ held(&self.$field))*
            }
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone(),)* }
            }

            fn clone_from(&mut self, from: &Self) {
                $(self.$field.clone_from(&from.$field);)*
            }
        }
    };
}

pub(super) use attributes;
