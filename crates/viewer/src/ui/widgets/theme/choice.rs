//! Choice of the theme.

use egui::{Context, ThemePreference};
use serde::{Deserialize, Serialize};

/// Theme of the window, as chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThemeChoice {
    /// That of the system; dark if the system tells none.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl ThemeChoice {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// Name in menus.
    pub fn label(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::Light => "Light",
            Self::Dark => "Dark",
        }
    }

    /// Description in one sentence.
    pub fn tooltip(self) -> &'static str {
        match self {
            Self::System => "Follow the light or dark setting of the desktop; dark if it has none.",
            Self::Light => "Dark text on light panels, and a light background of the 3D view.",
            Self::Dark => "Light text on dark panels, and a dark background of the 3D view.",
        }
    }

    /// The next choice, in a circle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Gives `ctx` this theme from the next frame on.
    pub fn apply(self, ctx: &Context) {
        let preference = match self {
            Self::System => ThemePreference::System,
            Self::Light => ThemePreference::Light,
            Self::Dark => ThemePreference::Dark,
        };
        if ctx.options(|options| options.theme_preference) != preference {
            ctx.set_theme(preference);
            ctx.request_repaint();
        }
    }
}
