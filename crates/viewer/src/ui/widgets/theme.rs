//! Theme: colours, sizes and fonts of the panels.

use crate::session::Severity;
use crate::ui::Side;
use egui::{Color32, CornerRadius, FontId, Margin, Stroke, TextStyle, Theme, Visuals, vec2};
use sph_core::Phase;

/// Background of the 3D view, plots and number fields.
pub const BACKGROUND: Color32 = Color32::from_rgb(14, 17, 22);
/// Background of panels.
pub const PANEL: Color32 = Color32::from_rgb(24, 28, 35);
/// Background of buttons and other controls.
pub const CONTROL: Color32 = Color32::from_rgb(42, 49, 60);
/// Background of hovered controls.
pub const CONTROL_HOVERED: Color32 = Color32::from_rgb(54, 63, 77);
/// Slider rails, separators, frames.
pub const LINE: Color32 = Color32::from_rgb(58, 67, 81);
/// Primary text.
pub const TEXT: Color32 = Color32::from_rgb(222, 228, 236);
/// Secondary text: labels and units; contrast at least 4.5:1 on every background.
pub const TEXT_QUIET: Color32 = Color32::from_rgb(158, 170, 185);
/// Accent colour: slider handles, selection.
pub const ACCENT: Color32 = Color32::from_rgb(77, 184, 232);
/// Fill of selected items, with sufficient contrast to [`TEXT`].
pub const ACCENT_DIM: Color32 = Color32::from_rgb(24, 84, 114);
/// Warnings.
pub const WARNING: Color32 = Color32::from_rgb(240, 180, 80);
/// Errors.
pub const ERROR: Color32 = Color32::from_rgb(246, 124, 115);
/// Successful checks.
pub const GOOD: Color32 = Color32::from_rgb(120, 208, 148);

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

/// Colour of a severity.
pub fn severity(severity: Severity) -> Color32 {
    match severity {
        Severity::Info => ACCENT,
        Severity::Warning => WARNING,
        Severity::Error => ERROR,
    }
}

/// Colour of one of two compared grids.
pub fn side(side: Side) -> Color32 {
    match side {
        Side::A => ACCENT,
        Side::B => Color32::from_rgb(205, 152, 245),
    }
}

/// Colour of a phase: neighbour search in blue, physics in warm colours.
pub fn phase(phase: Phase) -> Color32 {
    let [r, g, b] = match phase {
        Phase::Sort => [58, 96, 190],
        Phase::Build => [77, 140, 232],
        Phase::Query => [110, 200, 245],
        Phase::Density => [247, 201, 95],
        Phase::Walls => [190, 145, 100],
        Phase::Forces => [238, 128, 92],
        Phase::Pressure => [214, 96, 130],
        Phase::Integrate => [126, 196, 130],
        Phase::Statistics => [140, 150, 165],
    };
    Color32::from_rgb(r, g, b)
}

/// Colour of the curve of this number among others; twelve differ.
pub fn curve(number: usize) -> Color32 {
    const COLORS: [[u8; 3]; 12] = [
        [77, 184, 232],
        [247, 201, 95],
        [126, 196, 130],
        [238, 128, 92],
        [205, 152, 245],
        [110, 224, 208],
        [236, 122, 170],
        [190, 206, 88],
        [122, 150, 246],
        [214, 170, 130],
        [222, 228, 236],
        [150, 160, 175],
    ];
    let [r, g, b] = COLORS[number % COLORS.len()];
    Color32::from_rgb(r, g, b)
}

/// Applies the theme to a context.
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(Theme::Dark);
    ctx.all_styles_mut(|style| {
        style.visuals = visuals();
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
    ctx.options_mut(|options| {
        // The command `Quit` closes the window instead.
        options.quit_shortcuts.clear();
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.extreme_bg_color = BACKGROUND;
    visuals.faint_bg_color = Color32::from_rgb(29, 34, 42);
    visuals.code_bg_color = BACKGROUND;
    visuals.weak_text_color = Some(TEXT_QUIET);
    visuals.hyperlink_color = ACCENT;
    visuals.warn_fg_color = WARNING;
    visuals.error_fg_color = ERROR;
    visuals.slider_trailing_fill = true;
    visuals.handle_shape = egui::style::HandleShape::Circle;
    visuals.selection.bg_fill = ACCENT_DIM;
    visuals.selection.stroke = Stroke::new(1.0, TEXT);
    visuals.indent_has_left_vline = false;

    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_fill = PANEL;
    widgets.noninteractive.weak_bg_fill = PANEL;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, TEXT);
    let states = [
        (&mut widgets.inactive, CONTROL, Color32::TRANSPARENT, TEXT),
        (&mut widgets.hovered, CONTROL_HOVERED, LINE, Color32::WHITE),
        (&mut widgets.active, ACCENT_DIM, ACCENT, Color32::WHITE),
        (&mut widgets.open, CONTROL_HOVERED, LINE, TEXT),
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
        for text in [TEXT, TEXT_QUIET, ACCENT, WARNING, ERROR, GOOD, side(Side::B)] {
            for background in [BACKGROUND, PANEL, CONTROL] {
                assert!(contrast(text, background) >= 4.5, "{text:?} on {background:?}: {}", contrast(text, background));
            }
        }
        assert!(contrast(TEXT, ACCENT_DIM) >= 4.5);
        assert!(contrast(Color32::WHITE, CONTROL_HOVERED) >= 4.5);
    }
}
