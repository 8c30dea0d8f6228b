//! Theme: colours, sizes and fonts of the panels. Colours are those of the present theme: `theme::of(ui).accent`.

mod choice;
mod colors;

pub use choice::ThemeChoice;
pub use colors::{Colors, DARK, LIGHT, phase};

use crate::render::Background;
use egui::{Color32, Context, CornerRadius, FontId, Margin, Painter, Stroke, TextStyle, Theme, Ui, Visuals, vec2};

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
