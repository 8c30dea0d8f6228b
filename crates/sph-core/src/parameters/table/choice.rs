//! Choices: enums whose variants have a name, a label and documentation, in one place.

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
