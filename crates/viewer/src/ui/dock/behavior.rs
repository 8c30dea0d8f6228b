//! The docked panels as egui_tiles lays them out.

use super::arrangement::{DockSlot, GAP, VIEW};
use crate::ui::scene_view::SceneArea;
use crate::ui::{Action, Model, State, scene_view, theme};
use egui::{Color32, Frame, Margin, ScrollArea, Stroke, Style, Ui, Visuals, WidgetText};
use egui_tiles::{Behavior, SimplificationOptions, TabState, Tile, TileId, Tiles, UiResponse};

/// Height of the tabs, points.
const TABS_HEIGHT: f32 = 24.0;

/// Width kept free for the scroll bar of a panel, points.
const BAR: i8 = 6;

/// What the panels are laid out with.
pub struct Panels<'a, 'm> {
    /// State of the panels.
    pub state: &'a mut State,
    /// What they show.
    pub model: &'a Model<'m>,
    /// Requests of the user.
    pub actions: &'a mut Vec<Action>,
    /// Where the 3D view is.
    pub area: SceneArea,
}

impl Behavior<String> for Panels<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, key: &mut String) -> UiResponse {
        let rect = ui.max_rect();
        ui.shrink_clip_rect(rect);
        let Some(panel) = super::find(key) else {
            scene_view::playback_ui(ui, &mut self.state.playback, self.model.snapshot, self.actions);
            self.area = scene_view::scene_view_ui(ui, self.state, self.model, self.actions);
            return UiResponse::None;
        };
        ui.painter().rect_filled(rect, 0.0, theme::of(ui).panel);
        // Another scene is shown from the top.
        let opened = self.state.opened;
        let mut contents = |ui: &mut Ui| {
            let margin = if panel.scrolls {
                // The bar has this room whether it is shown or not: contents do not move sideways as they grow.
                Margin { right: 12 + BAR, ..Margin::symmetric(12, 8) }
            } else {
                Margin::symmetric(12, 4)
            };
            Frame::new().inner_margin(margin).show(ui, |ui| {
                (panel.ui)(ui, self.state, self.model, self.actions);
            });
        };
        if panel.scrolls {
            ui.spacing_mut().scroll.floating_allocated_width = 0.0;
            ScrollArea::vertical().id_salt((&key, opened)).auto_shrink(false).show(ui, contents);
        } else {
            contents(ui);
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, key: &String) -> WidgetText {
        super::find(key).map_or("3D view", |panel| panel.tab.title).into()
    }

    fn is_tab_closable(&self, tiles: &Tiles<String>, id: TileId) -> bool {
        let panel = tiles.get_pane(&id).and_then(|key| super::find(key));
        // Those of the left column are shown and hidden together, as are those below the 3D view, by commands.
        panel.is_some_and(|panel| panel.tab.place == DockSlot::Right)
    }

    fn on_tab_close(&mut self, tiles: &mut Tiles<String>, id: TileId) -> bool {
        if let Some(panel) = tiles.get_pane(&id).and_then(|key| super::find(key)) {
            *(panel.shown)(self.state) = false;
        }
        // The tile stays, and is not shown.
        false
    }

    fn is_tile_draggable(&self, tiles: &Tiles<String>, id: TileId) -> bool {
        !matches!(tiles.get(id), Some(Tile::Pane(key)) if key == VIEW)
    }

    fn tab_bar_height(&self, _: &Style) -> f32 {
        TABS_HEIGHT
    }

    fn gap_width(&self, _: &Style) -> f32 {
        GAP
    }

    fn simplification_options(&self) -> SimplificationOptions {
        // A panel alone keeps its tab, which names it and moves it.
        SimplificationOptions { prune_single_child_tabs: false, ..SimplificationOptions::default() }
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> Color32 {
        theme::of(visuals).background
    }

    fn tab_bg_color(&self, visuals: &Visuals, _: &Tiles<String>, _: TileId, state: &TabState) -> Color32 {
        if state.active { theme::of(visuals).panel } else { theme::of(visuals).background }
    }

    fn tab_text_color(&self, visuals: &Visuals, _: &Tiles<String>, _: TileId, state: &TabState) -> Color32 {
        if state.active { theme::of(visuals).text } else { theme::of(visuals).text_quiet }
    }

    fn tab_bar_hline_stroke(&self, visuals: &Visuals) -> Stroke {
        Stroke::new(1.0, theme::of(visuals).line)
    }
}
