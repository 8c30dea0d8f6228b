//! Theme: colours, sizes and fonts of the panels. Colours are those of the present theme: `theme::of(ui).accent`.

use crate::session::Severity;
use crate::ui::Side;
use egui::{
    Color32, Context, CornerRadius, FontDefinitions, FontFamily, FontId, Margin, Painter, Stroke, TextStyle, Theme,
    ThemePreference, Ui, Visuals, vec2,
};
use serde::{Deserialize, Serialize};
use sph_core::Phase;
use sph_render::Background;

/// Spacing unit, points; all distances are multiples of half of it.
pub const SPACE: f32 = 8.0;
/// Width of the left column of panels, points.
pub const SIDE_PANEL_WIDTH: f32 = 320.0;
/// Width of the right column of panels, points.
pub const RIGHT_PANEL_WIDTH: f32 = 420.0;
/// Height of the plots with their tab, points.
pub const PLOTS_HEIGHT: f32 = 174.0;
/// Least size of the 3D view, points: if it would be smaller, the side panel or the plots are hidden.
pub const LEAST_SCENE: [f32; 2] = [240.0, 320.0];

/// What has a theme.
pub trait Themed {
    /// The theme.
    fn theme(&self) -> Theme;
}

impl Themed for Context {
    fn theme(&self) -> Theme {
        Self::theme(self)
    }
}

impl Themed for Ui {
    fn theme(&self) -> Theme {
        self.ctx().theme()
    }
}

impl Themed for Visuals {
    fn theme(&self) -> Theme {
        Theme::from_dark_mode(self.dark_mode)
    }
}

impl Themed for Painter {
    fn theme(&self) -> Theme {
        self.ctx().theme()
    }
}

/// Colours of what is laid out or painted.
pub fn of(themed: &impl Themed) -> &'static Colors {
    colors(themed.theme())
}

/// Background of the 3D view.
pub fn background(themed: &impl Themed) -> Background {
    match themed.theme() {
        Theme::Dark => Background::Room,
        Theme::Light => Background::LightRoom,
    }
}

fn colors(theme: Theme) -> &'static Colors {
    match theme {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
    }
}

/// Applies the styles of both themes to a context; dark is the one where the system tells none.
pub fn apply(ctx: &Context) {
    ctx.options_mut(|options| {
        options.fallback_theme = Theme::Dark;
        // The command `Quit` closes the window instead.
        options.quit_shortcuts.clear();
    });
    // The font of text has no superscript minus; that of numbers has.
    let mut fonts = FontDefinitions::default();
    let monospace = fonts.families.get(&FontFamily::Monospace).and_then(|names| names.first().cloned());
    fonts.families.entry(FontFamily::Proportional).or_default().extend(monospace);
    ctx.set_fonts(fonts);
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| {
            style.visuals = visuals(theme);
            style.text_styles.insert(TextStyle::Small, FontId::proportional(11.0));
            style.text_styles.insert(TextStyle::Heading, FontId::proportional(15.0));
            style.text_styles.insert(TextStyle::Monospace, FontId::monospace(12.5));
            // Monospaced digits keep the layout stable while values change.
            style.drag_value_text_style = TextStyle::Monospace;
            style.interaction.selectable_labels = false;
            style.interaction.tooltip_delay = 0.35;
            style.animation_time = 0.0;
            let spacing = &mut style.spacing;
            spacing.item_spacing = vec2(SPACE, 0.5 * SPACE);
            spacing.button_padding = vec2(SPACE, 0.5 * SPACE);
            spacing.interact_size.y = 22.0;
            spacing.slider_rail_height = 4.0;
            spacing.menu_margin = Margin::same(6);
            spacing.tooltip_width = 320.0;
            spacing.scroll = egui::style::ScrollStyle::thin();
        });
    }
}

fn visuals(theme: Theme) -> Visuals {
    let colors = colors(theme);
    let mut visuals = theme.default_visuals();
    visuals.panel_fill = colors.panel;
    visuals.window_fill = colors.panel;
    visuals.window_stroke = Stroke::new(1.0, colors.line);
    visuals.extreme_bg_color = colors.background;
    visuals.faint_bg_color = colors.stripe;
    visuals.code_bg_color = colors.background;
    visuals.weak_text_color = Some(colors.text_quiet);
    visuals.hyperlink_color = colors.accent;
    visuals.warn_fg_color = colors.warning;
    visuals.error_fg_color = colors.error;
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = egui::style::HandleShape::Circle;
    visuals.selection.bg_fill = colors.accent_dim;
    visuals.selection.stroke = Stroke::new(1.0, colors.text);
    visuals.indent_has_left_vline = false;

    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_fill = colors.panel;
    widgets.noninteractive.weak_bg_fill = colors.panel;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, colors.line);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, colors.text);
    let states = [
        (&mut widgets.inactive, colors.control, Color32::TRANSPARENT, colors.text),
        (&mut widgets.hovered, colors.control_hovered, colors.line, colors.text_hovered),
        (&mut widgets.active, colors.accent_dim, colors.accent, colors.text_hovered),
        (&mut widgets.open, colors.control_hovered, colors.line, colors.text),
    ];
    for (state, fill, outline, text) in states {
        state.weak_bg_fill = fill;
        state.bg_fill = fill;
        state.bg_stroke = Stroke::new(1.0, outline);
        state.fg_stroke = Stroke::new(1.0, text);
        state.corner_radius = CornerRadius::same(4);
        state.expansion = 0.0;
    }
    visuals
}

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

    /// Name among all commands.
    pub fn command(self) -> &'static str {
        match self {
            Self::System => "Theme: system",
            Self::Light => "Theme: light",
            Self::Dark => "Theme: dark",
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

/// Colours of a theme.
#[derive(Debug, PartialEq)]
pub struct Colors {
    /// Background of plots and number fields, and of what lies over the 3D view.
    pub background: Color32,
    /// Background of panels.
    pub panel: Color32,
    /// Background of every other row of a table.
    pub stripe: Color32,
    /// Background of buttons and other controls.
    pub control: Color32,
    /// Background of hovered controls.
    pub control_hovered: Color32,
    /// Slider rails, separators, frames.
    pub line: Color32,
    /// Primary text.
    pub text: Color32,
    /// Text of hovered controls.
    pub text_hovered: Color32,
    /// Secondary text: labels and units; contrast at least 4.5:1 on every background.
    pub text_quiet: Color32,
    /// Accent colour: slider handles, selection.
    pub accent: Color32,
    /// Fill of selected items, with sufficient contrast to `text`.
    pub accent_dim: Color32,
    /// Warnings.
    pub warning: Color32,
    /// Errors.
    pub error: Color32,
    /// Successful checks.
    pub good: Color32,
    /// Second of two compared grids; the first has the accent colour.
    pub grid_b: Color32,
    /// Axes x, y and z: red, green and blue, as is usual.
    pub axes: [Color32; 3],
    /// Curves among others.
    curves: [Color32; 12],
}

/// Colours on dark panels.
pub const DARK: Colors = Colors {
    background: rgb(14, 17, 22),
    panel: rgb(24, 28, 35),
    stripe: rgb(29, 34, 42),
    control: rgb(42, 49, 60),
    control_hovered: rgb(54, 63, 77),
    line: rgb(58, 67, 81),
    text: rgb(222, 228, 236),
    text_hovered: Color32::WHITE,
    text_quiet: rgb(158, 170, 185),
    accent: rgb(77, 184, 232),
    accent_dim: rgb(24, 84, 114),
    warning: rgb(240, 180, 80),
    error: rgb(246, 124, 115),
    good: rgb(120, 208, 148),
    grid_b: rgb(205, 152, 245),
    axes: [rgb(232, 85, 85), rgb(96, 190, 96), rgb(96, 148, 246)],
    curves: [
        rgb(77, 184, 232),
        rgb(247, 201, 95),
        rgb(126, 196, 130),
        rgb(238, 128, 92),
        rgb(205, 152, 245),
        rgb(110, 224, 208),
        rgb(236, 122, 170),
        rgb(190, 206, 88),
        rgb(122, 150, 246),
        rgb(214, 170, 130),
        rgb(222, 228, 236),
        rgb(150, 160, 175),
    ],
};

/// Colours on light panels.
pub const LIGHT: Colors = Colors {
    background: rgb(250, 251, 253),
    panel: rgb(236, 239, 244),
    stripe: rgb(228, 232, 238),
    control: rgb(214, 220, 228),
    control_hovered: rgb(200, 208, 219),
    line: rgb(178, 188, 201),
    text: rgb(24, 30, 38),
    text_hovered: Color32::BLACK,
    text_quiet: rgb(72, 83, 97),
    accent: rgb(0, 98, 150),
    accent_dim: rgb(158, 207, 237),
    warning: rgb(136, 80, 0),
    error: rgb(176, 32, 36),
    good: rgb(20, 104, 56),
    grid_b: rgb(122, 62, 176),
    axes: [rgb(196, 40, 40), rgb(28, 122, 44), rgb(30, 88, 210)],
    curves: [
        rgb(0, 98, 150),
        rgb(158, 104, 0),
        rgb(30, 120, 60),
        rgb(196, 72, 24),
        rgb(122, 62, 176),
        rgb(0, 122, 116),
        rgb(184, 42, 112),
        rgb(104, 114, 0),
        rgb(52, 84, 204),
        rgb(134, 88, 48),
        rgb(24, 30, 38),
        rgb(98, 108, 122),
    ],
};

const fn rgb(red: u8, green: u8, blue: u8) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

impl Colors {
    /// Colour of a severity.
    pub fn severity(&self, severity: Severity) -> Color32 {
        match severity {
            Severity::Info => self.accent,
            Severity::Warning => self.warning,
            Severity::Error => self.error,
        }
    }

    /// Colour of one of two compared grids.
    pub fn side(&self, side: Side) -> Color32 {
        match side {
            Side::A => self.accent,
            Side::B => self.grid_b,
        }
    }

    /// Colour of the curve of this number among others; twelve differ.
    pub fn curve(&self, number: usize) -> Color32 {
        self.curves[number % self.curves.len()]
    }
}

/// Fill of a phase, the same in every theme: neighbour search in blue, physics in warm colours.
pub fn phase(phase: Phase) -> Color32 {
    match phase {
        Phase::Sort => rgb(58, 96, 190),
        Phase::Build => rgb(77, 140, 232),
        Phase::Query => rgb(110, 200, 245),
        Phase::Density => rgb(247, 201, 95),
        Phase::Walls => rgb(190, 145, 100),
        Phase::Forces => rgb(238, 128, 92),
        Phase::Pressure => rgb(214, 96, 130),
        Phase::Points => rgb(176, 132, 224),
        Phase::Integrate => rgb(126, 196, 130),
        Phase::Statistics => rgb(140, 150, 165),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of WCAG 2.
    fn luminance(color: Color32) -> f32 {
        let [r, g, b] = [color.r(), color.g(), color.b()].map(|byte| {
            let value = f32::from(byte) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_has_sufficient_contrast() {
        for colors in [DARK, LIGHT] {
            let Colors { text, text_quiet, accent, warning, error, good, grid_b, .. } = colors;
            for text in [text, text_quiet, accent, warning, error, good, grid_b] {
                for background in [colors.background, colors.panel, colors.stripe, colors.control] {
                    assert!(contrast(text, background) >= 4.5, "{text:?} on {background:?}: {}", contrast(text, background));
                }
            }
            assert!(contrast(text, colors.accent_dim) >= 4.5);
            assert!(contrast(colors.text_hovered, colors.control_hovered) >= 4.5);
        }
    }

    /// Three to one is what WCAG 2 asks of graphics.
    #[test]
    fn curves_stand_out_from_the_plots() {
        for colors in [DARK, LIGHT] {
            for curve in colors.curves {
                assert!(contrast(curve, colors.background) >= 3.0, "{curve:?}: {}", contrast(curve, colors.background));
            }
        }
    }
}
