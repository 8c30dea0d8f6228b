//! Bucket map: the hash table as an image, one texel per bucket, coloured by its length.

use super::NOT_YET;
use crate::session::Inspection;
use crate::ui::point_search::Noun;
use crate::ui::widgets::{format, hint_ui};
use crate::ui::{Action, GridView, Model, State, theme};
use egui::{
    Align, Color32, ColorImage, CornerRadius, Layout, Pos2, Rect, Response, RichText, Sense, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Ui, Vec2, pos2, vec2,
};
use sph_core::neighbors::{Contents, OccupiedCell};
use sph_render::grid_boxes::occupancy_color;

/// Maximum number of texels: 2048 × 1024, which every graphics device supports. In larger tables, a texel shows the longest of
/// several buckets.
const MOST_TEXELS: usize = 1 << 21;

/// Maximum number of cells named in the line below the map.
const NAMED_CELLS: usize = 4;

/// Row-major layout of buckets in the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Raster {
    buckets: usize,
    /// Buckets per texel.
    group: usize,
    width: usize,
    height: usize,
}

impl Raster {
    fn new(buckets: usize) -> Self {
        let group = buckets.div_ceil(MOST_TEXELS).max(1);
        let texels = buckets.div_ceil(group).max(1);
        // Somewhat wider than high. A power of two, like usual table sizes, so that rows align with bits of the hashed
        // coordinates.
        let width = (1usize << (0.5 * (1.6 * texels as f64).log2()).round() as u32).min(texels);
        Self { buckets, group, width, height: texels.div_ceil(width) }
    }

    fn size(self) -> Vec2 {
        vec2(self.width as f32, self.height as f32)
    }

    /// First bucket of the texel at a position, texels; `None` outside the table.
    fn bucket(self, place: Vec2) -> Option<usize> {
        let inside = place.x >= 0.0 && place.y >= 0.0 && place.x < self.width as f32 && place.y < self.height as f32;
        let bucket = (place.y as usize * self.width + place.x as usize) * self.group;
        (inside && bucket < self.buckets).then_some(bucket)
    }

    /// Rectangle of a bucket's texel, texels.
    fn texel(self, bucket: u32) -> Rect {
        let texel = bucket as usize / self.group;
        let corner = pos2((texel % self.width) as f32, (texel / self.width) as f32);
        Rect::from_min_size(corner, Vec2::splat(1.0))
    }
}

/// Texture of the map for one inspection.
#[derive(Clone)]
struct Texture {
    serial: u64,
    /// Colour of empty buckets.
    empty: Color32,
    /// Particles in the longest bucket.
    longest: u32,
    handle: TextureHandle,
}

/// Lays out the map. Sets `view.pointed` to the hovered bucket.
pub fn bucket_map_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, _: &mut Vec<Action>) {
    match state.comparing.side.inspection(model.snapshot) {
        Some(inspection) => {
            let noun = Noun::of(model.snapshot, inspection.asked.set);
            contents_ui(ui, &mut state.view, inspection, noun);
        }
        None => hint_ui(ui, NOT_YET),
    }
}

fn contents_ui(ui: &mut Ui, view: &mut GridView, inspection: &Inspection, noun: Noun) {
    let Some(contents) = &inspection.contents else {
        let reason = inspection.refusal.map_or_else(|| NOT_YET.to_owned(), |refusal| refusal.to_string());
        hint_ui(ui, reason);
        return;
    };
    let lengths = &contents.bucket_lengths;
    let raster = Raster::new(lengths.len());
    let texture = texture(ui, inspection.serial, raster, lengths);
    scale_ui(ui, raster, texture.longest, noun);
    let room = vec2(ui.available_width(), (ui.available_height() - 36.0).max(60.0));
    let (frame, response) = ui.allocate_exact_size(room, Sense::click_and_drag());
    if view.map_view.buckets != raster.buckets {
        view.map_view = MapView { buckets: raster.buckets, ..MapView::default() };
    }
    view.map_view.follow(ui, &response, raster.size());
    let image = view.map_view.image(frame, raster.size());
    let painter = ui.painter().with_clip_rect(frame.intersect(ui.clip_rect()));
    painter.rect_filled(frame, CornerRadius::ZERO, theme::of(ui).background);
    painter.image(texture.handle.id(), image, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);

    let scale = image.size() / raster.size();
    let outline = |bucket: u32, color: Color32, width: f32| {
        let texel = raster.texel(bucket);
        let rect = Rect::from_min_max(image.min + texel.min.to_vec2() * scale, image.min + texel.max.to_vec2() * scale);
        // The outline of a small texel has a minimum size.
        let rect = Rect::from_center_size(rect.center(), rect.size().max(Vec2::splat(4.0)));
        painter.rect_stroke(rect, CornerRadius::ZERO, Stroke::new(width, color), StrokeKind::Outside);
    };
    for lookup in inspection.query_of(view.selected).into_iter().flat_map(|query| &query.lookups) {
        outline(lookup.bucket, theme::of(ui).accent, 1.0);
    }
    let under = response.hover_pos().and_then(|place| raster.bucket((place - image.min) / scale));
    if let Some(bucket) = under {
        view.pointed = Some(bucket as u32);
        view.pointed_in_map = true;
        if response.clicked() {
            view.pinned = if view.pinned == Some(bucket as u32) { None } else { Some(bucket as u32) };
        }
    }
    if let Some(bucket) = view.pinned.filter(|&bucket| (bucket as usize) < lengths.len()) {
        outline(bucket, theme::of(ui).warning, 2.0);
    }
    if let Some(bucket) = view.pointed.filter(|&bucket| (bucket as usize) < lengths.len()) {
        outline(bucket, theme::of(ui).text, 1.5);
    }
    let line = view.shown_bucket().map_or_else(
        || "Point at a bucket to highlight its cells; click to pin it. Wheel: zoom. Drag: pan.".to_owned(),
        |bucket| describe(contents, bucket, noun),
    );
    // Always two lines, so that the map keeps its size.
    let room = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), 30.0));
    ui.allocate_rect(room, Sense::hover());
    ui.scope_builder(egui::UiBuilder::new().max_rect(room), |ui| hint_ui(ui, line));
}

/// Lays out the number of buckets and the colour scale.
fn scale_ui(ui: &mut Ui, raster: Raster, longest: u32, noun: Noun) {
    let count = format::count(raster.buckets as u64);
    let name =
        if raster.group == 1 { format!("{count} buckets") } else { format!("{count} buckets, {} per dot", raster.group) };
    let name = RichText::new(name).color(theme::of(ui).text_quiet);
    let scale_ui = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 0.5 * theme::SPACE;
        ui.label(RichText::new(format!("{longest} {}", noun.many)).small());
        let (bar, _) = ui.allocate_exact_size(vec2(60.0, 8.0), Sense::hover());
        gradient(ui, bar, longest);
        ui.label(RichText::new("1").small());
        let (empty, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
        ui.painter().rect(empty, 1.0, theme::of(ui).stripe, Stroke::new(1.0, theme::of(ui).line), StrokeKind::Inside);
        ui.label(RichText::new("empty").small());
    };
    if ui.available_width() < LEAST_FOR_ONE_LINE {
        ui.label(name);
        let line = vec2(ui.available_width(), 14.0);
        ui.allocate_ui_with_layout(line, Layout::right_to_left(Align::Center), scale_ui);
        return;
    }
    egui::Sides::new().show(ui, |ui| ui.label(name), scale_ui);
}

/// Least width of a panel with the number of buckets and the scale in one line, points.
const LEAST_FOR_ONE_LINE: f32 = 320.0;

fn gradient(ui: &Ui, bar: Rect, longest: u32) {
    let steps = 24;
    for step in 0..steps {
        let length = 1.0 + longest.saturating_sub(1) as f32 * (step as f32 + 0.5) / steps as f32;
        let [r, g, b] = occupancy_color(length.round() as u32, longest);
        let edge = |step: usize| bar.left() + bar.width() * step as f32 / steps as f32;
        let part = Rect::from_x_y_ranges(edge(step)..=edge(step + 1), bar.y_range());
        ui.painter().rect_filled(part, 0.0, Color32::from_rgb(r, g, b));
    }
}

/// Text for the contents of a bucket.
fn describe(contents: &Contents, bucket: u32, noun: Noun) -> String {
    let length = contents.bucket_lengths.get(bucket as usize).copied().unwrap_or(0);
    let name = format!("Bucket {}", format::count(bucket.into()));
    let cells = contents.cells_of(bucket);
    if cells.is_empty() {
        return format!("{name} is empty.");
    }
    let mut named: Vec<String> = cells.iter().take(NAMED_CELLS).map(|cell| format::cell(cell.cell)).collect();
    if cells.len() > NAMED_CELLS {
        named.push(format!("and {} more", cells.len() - NAMED_CELLS));
    }
    let points = noun.counted(length.into());
    format!("{name}: {points} in {}: {}", format::counted(cells.len() as u64, "cell"), named.join(", "))
}

/// Text for the contents of a cell, of what the noun says.
pub fn describe_cell(cell: &OccupiedCell, noun: Noun) -> String {
    let OccupiedCell { cell, bucket, points, sharing } = *cell;
    let contents = format!("Cell {}: {}", format::cell(cell), noun.counted(points.into()));
    let bucket = format!("bucket {}", format::count(bucket.into()));
    match sharing {
        0 | 1 => format!("{contents}, {bucket}, not shared"),
        2 => format!("{contents}, {bucket}, shared with 1 other cell"),
        sharing => format!("{contents}, {bucket}, shared with {} other cells", sharing - 1),
    }
}

/// Texture of the map, cached per inspection: a pass over all buckets takes milliseconds.
fn texture(ui: &Ui, serial: u64, raster: Raster, lengths: &[u32]) -> Texture {
    let id = ui.scope_id().with("bucket map");
    let kept: Option<Texture> = ui.data(|data| data.get_temp(id));
    // Distinct from the colour map of the others.
    let empty = theme::of(ui).stripe;
    if let Some(kept) = kept.as_ref().filter(|kept| kept.serial == serial && kept.empty == empty) {
        return kept.clone();
    }
    let options = TextureOptions { magnification: egui::TextureFilter::Nearest, ..TextureOptions::LINEAR };
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let picture = picture(raster, lengths, longest, empty);
    let handle = match kept {
        Some(mut kept) => {
            kept.handle.set(picture, options);
            kept.handle
        }
        None => ui.ctx().load_texture("bucket map", picture, options),
    };
    let texture = Texture { serial, empty, longest, handle };
    ui.data_mut(|data| data.insert_temp(id, texture.clone()));
    texture
}

fn picture(raster: Raster, lengths: &[u32], longest: u32, empty: Color32) -> ColorImage {
    let color = |length: u32| match length {
        0 => empty,
        length => {
            let [r, g, b] = occupancy_color(length, longest);
            Color32::from_rgb(r, g, b)
        }
    };
    // Few distinct lengths occur: a table holds their colours.
    let table: Vec<Color32> = (0..=longest.min(4095)).map(color).collect();
    let texels = lengths.chunks(raster.group).map(|group| {
        let length = group.iter().copied().max().unwrap_or(0);
        table.get(length as usize).copied().unwrap_or_else(|| color(length))
    });
    let mut pixels: Vec<Color32> = texels.collect();
    // Texels after the last bucket are transparent.
    pixels.resize(raster.width * raster.height, Color32::TRANSPARENT);
    ColorImage::new([raster.width, raster.height], pixels)
}

// Zoom and pan of the bucket map.

/// Visible part of the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapView {
    /// Zoom factor; 1 shows the whole map.
    pub(super) zoom: f32,
    /// Point of the map in the centre of the view, 0 to 1 along each side.
    pub(super) center: Vec2,
    /// Number of buckets of the map; a change resets the view.
    pub(super) buckets: usize,
}

impl Default for MapView {
    fn default() -> Self {
        Self { zoom: 1.0, center: Vec2::splat(0.5), buckets: 0 }
    }
}

impl MapView {
    /// Screen rectangle of the whole map, of `size` texels, when the visible part fills `frame`.
    pub(super) fn image(self, frame: Rect, size: Vec2) -> Rect {
        let fit = (frame.size() / size).min_elem();
        let image = self.zoom * fit * size;
        Rect::from_min_size(frame.center() - self.center * image, image)
    }

    /// Updates the view by the pointer: wheel and pinch zoom, dragging pans, a double click shows the whole map.
    pub(super) fn follow(&mut self, ui: &Ui, response: &Response, size: Vec2) {
        let image = self.image(response.rect, size);
        if response.dragged() {
            self.center -= response.drag_delta() / image.size();
        }
        if let Some(position) = response.hover_pos() {
            let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (scroll / 200.0).exp();
            let under = (position - image.min) / image.size();
            let zoom = (self.zoom * factor).clamp(1.0, 256.0);
            // The point under the pointer stays fixed.
            self.center = under + (self.center - under) * (self.zoom / zoom);
            self.zoom = zoom;
        }
        if response.double_clicked() {
            *self = Self { buckets: self.buckets, ..Self::default() };
        }
        let margin = 0.5 / self.zoom;
        self.center = self.center.clamp(Vec2::splat(margin.min(0.5)), Vec2::splat((1.0 - margin).max(0.5)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_has_its_texel() {
        for buckets in [1, 2, 3, 97, 1000, 4096, 40_320, MOST_TEXELS, MOST_TEXELS + 1, 1 << 24] {
            let raster = Raster::new(buckets);
            assert!(raster.width * raster.height * raster.group >= buckets && raster.width * raster.height <= 2 * MOST_TEXELS);
            assert!(raster.width.max(raster.height) <= 2048, "{raster:?}");
            for bucket in [0, buckets / 3, buckets - 1] {
                let found = raster.bucket(raster.texel(bucket as u32).center().to_vec2()).expect("inside");
                assert!(found <= bucket && bucket < found + raster.group, "{raster:?} {bucket} {found}");
            }
            assert_eq!(raster.bucket(vec2(-0.1, 0.0)), None);
            assert_eq!(raster.bucket(raster.size()), None);
        }
    }

    #[test]
    fn zooming_keeps_the_part_seen_inside_the_map() {
        let size = vec2(256.0, 100.0);
        let frame = Rect::from_min_size(pos2(10.0, 20.0), vec2(300.0, 200.0));
        let all = MapView::default().image(frame, size);
        assert!(frame.contains_rect(all) && (all.width() - 300.0).abs() < 1e-3);
        let near = MapView { zoom: 4.0, center: vec2(0.25, 0.5), ..MapView::default() }.image(frame, size);
        assert!((near.lerp_inside(vec2(0.25, 0.5)) - frame.center()).length() < 1e-3 && (near.width() - 1200.0).abs() < 1e-2);
    }

    #[test]
    fn the_picture_shows_lengths() {
        let raster = Raster::new(3);
        let picture = picture(raster, &[0, 1, 5], 5, Color32::GRAY);
        let [r, g, b] = occupancy_color(5, 5);
        assert_eq!(picture.pixels[0], Color32::GRAY);
        assert_eq!(picture.pixels[2], Color32::from_rgb(r, g, b));
    }
}
