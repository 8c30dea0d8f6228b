//! Panel "Query": the neighbour query of one particle, ball or vertex, explained step by step; and its result in a line over the 3D view.

use super::NOT_YET;
use crate::session::{Inspection, Queried, Snapshot};
use crate::ui::point_search::{Noun, search_name};
use crate::ui::widgets::{badge_ui, format, hint_ui, value_ui};
use crate::ui::{Action, Display, Framing, Model, Side, State, theme};
use egui::{Align, Button, Color32, Label, Layout, Pos2, Rect, RichText, Sense, Stroke, TextStyle, Ui, UiBuilder, pos2, vec2};
use glam::{IVec3, Vec3};
use sph_color::{VERDICT_COLORS, VERDICTS};
use sph_core::neighbors::{GridParameters, Registration, Structure, Trace, Verdict, Walk};
use sph_core::point_sets::PointId;
use sph_core::{Dimensions, Particles, Values};
use sph_render::camera::Camera;

/// Distance of the camera from a particle, support radii, or from a point, search radii: shows the cells in reach and some around them.
const CLOSE: f32 = 10.0;

/// Lays out the panel "Query": that of the selected particle.
pub fn query_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, _: &mut Vec<Action>) {
    let snapshot = model.snapshot;
    let Some(queried) = state.view.selected else {
        let one = Noun::of(snapshot, state.point_search.chosen).one;
        hint_ui(ui, format!("Click a {one} to show its query."));
        return;
    };
    let noun = noun_of(queried, snapshot);
    let inspection = state.comparing.side.inspection(snapshot);
    let particles = state.comparing.side.particles(snapshot);
    let compared = state.is_comparing_shown().then(|| (state.comparing.side, state.edited_grid()));
    let center = inspection.and_then(|inspection| Some(inspection.query_of(Some(queried))?.center));
    let (mut zooms, mut closes) = (false, false);
    egui::Sides::new().shrink_left().truncate().show(
        ui,
        |ui| ui.label(RichText::new(title(queried, snapshot)).strong()),
        |ui| {
            closes = ui.small_button("Close").on_hover_text("Close the query (Esc).").clicked();
            let zoom = ui.add_enabled(center.is_some(), Button::new("Zoom in").small());
            let zoom = zoom.on_hover_text(format!("Move the camera to the {}. F frames all again.", noun.one));
            zooms = zoom.on_disabled_hover_text(NOT_YET).clicked();
        },
    );
    if let Some(whole) = whole_of(queried, snapshot) {
        ui.label(RichText::new(whole).color(theme::of(ui).text_quiet));
    }
    if let Some((side, grid)) = compared {
        // The grid of the query; the panel may already show another.
        let grid = inspection.map(|inspection| inspection.grid).or(grid);
        ui.horizontal(|ui| {
            badge_ui(ui, side, 16.0);
            ui.label(grid.map_or("", |grid| grid.structure.label()));
        });
    }
    let scene = snapshot.scene.as_ref();
    let dimensions = scene.map_or(Dimensions::Three, |scene| scene.setup.discretization.dimensions);
    ui.spacing_mut().item_spacing.y = 2.0;
    match queried {
        Queried::Particle(id) => attributes_ui(ui, particles, id, dimensions),
        Queried::Point(point) => point_ui(ui, point, (state.comparing.side, snapshot)),
    }
    ui.add_space(0.25 * theme::SPACE);
    query_text_ui(ui, (queried, inspection), (dimensions, noun), &mut state.view.hidden);
    if closes {
        state.view.selected = None;
    }
    if let (true, Some(center), Some(scene)) = (zooms, center, scene) {
        let Display { camera, framing, .. } = &mut state.display;
        let radius = match queried {
            Queried::Particle(_) => scene.setup.discretization.support_radius,
            Queried::Point(point) => radius_of(point, snapshot),
        };
        *camera = Camera { target: center, distance: CLOSE * radius, ..*camera };
        *framing = Framing::Free;
    }
}

/// Radius within which a point is searched, about, m.
fn radius_of(point: PointId, snapshot: &Snapshot) -> f32 {
    let own = snapshot.sets.point(point).map_or(0.0, |(set, index)| 2.0 * set.radii[index]);
    // The radius of a search of balls is that of the largest one: far too much for a small one.
    let searched = snapshot.set_searches.get(point.set).map(|search| search.radius);
    searched.filter(|_| snapshot.sets.is_sheet(point.set)).unwrap_or(own)
}

fn noun_of(queried: Queried, snapshot: &Snapshot) -> Noun {
    match queried {
        Queried::Particle(_) => Noun::PARTICLES,
        Queried::Point(point) => Noun::of(snapshot, Some(point.set)),
    }
}

/// Name of what a query is of: `ball 12`.
pub(super) fn name_of(queried: Queried, snapshot: &Snapshot) -> String {
    let (Queried::Particle(id) | Queried::Point(PointId { id, .. })) = queried;
    format!("{} {}", noun_of(queried, snapshot).one, format::count(id.into()))
}

fn title(queried: Queried, snapshot: &Snapshot) -> String {
    format::capitalized(&name_of(queried, snapshot))
}

// Result of the query in a line over the 3D view, in a window without room for the panel.

/// Least and greatest width of the line, and its height with two lines of text, points.
const LINE_WIDTHS: [f32; 2] = [180.0, 330.0];
const LINE_HEIGHT: f32 = 46.0;

/// Lays out the line over `area`, at the edge that is farther from `particle`, the place of the particle on the screen.
pub fn query_line_ui(ui: &mut Ui, area: Rect, particle: Option<Pos2>, state: &mut State, snapshot: &Snapshot) {
    let Some(queried) = state.view.selected else { return };
    let [least, most] = LINE_WIDTHS;
    let width = (area.width() - 2.0 * theme::SPACE).min(most);
    if width < least || area.height() < 2.0 * LINE_HEIGHT {
        return;
    }
    let tops = [area.top() + theme::SPACE, area.bottom() - theme::SPACE - LINE_HEIGHT];
    let distance = |top: f32| particle.map_or(0.0, |place| (place.y - top - 0.5 * LINE_HEIGHT).abs());
    let top = tops.into_iter().max_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(tops[0]);
    let rect = Rect::from_min_size(pos2(area.left() + theme::SPACE, top), vec2(width, LINE_HEIGHT));
    let inspection = state.comparing.side.inspection(snapshot);
    let query = inspection.and_then(|inspection| inspection.query_of(Some(queried)));
    let noun = noun_of(queried, snapshot);
    let result = query.map_or_else(|| NOT_YET.to_lowercase(), |query| tested(query, noun));
    let text = format!("{}: {result}", title(queried, snapshot));
    // A click on it is none on the fluid behind it.
    ui.interact(rect, ui.scope_id().with("query"), Sense::click_and_drag());
    ui.painter().rect_filled(rect, 6.0, theme::of(ui).background.gamma_multiply(0.92));
    let inside = rect.shrink2(vec2(theme::SPACE, 0.5 * theme::SPACE));
    ui.scope_builder(UiBuilder::new().max_rect(inside).layout(Layout::right_to_left(Align::Center)), |ui| {
        if ui.small_button("Close").on_hover_text("Close the query (Esc).").clicked() {
            state.view.selected = None;
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(Label::new(RichText::new(text).small()).wrap()));
    });
}

/// What a particle or point is of: its fluid, unless the scene has only one, or its set.
fn whole_of(queried: Queried, snapshot: &Snapshot) -> Option<String> {
    match queried {
        Queried::Particle(id) => fluid_of(id, snapshot).map(|fluid| format!("Fluid: {fluid}")),
        Queried::Point(PointId { set, .. }) => (set < snapshot.sets.len()).then(|| search_name(snapshot, set..set + 1)),
    }
}

/// Name of a particle's fluid; `None` in a scene with one.
fn fluid_of(id: u32, snapshot: &Snapshot) -> Option<&str> {
    let Particles { ids, fluids, .. } = &snapshot.particles;
    let fluid = *fluids.get(ids.iter().position(|&other| other == id)?)?;
    let fluid = snapshot.scene.as_ref()?.setup.fluids.get(usize::from(fluid))?;
    Some(&fluid.name)
}

/// Lays out the legend of the query, which shows and hides particles, and below it the steps: their texts grow and shrink with the numbers, but
/// each keeps the height of its longest.
fn query_text_ui(
    ui: &mut Ui,
    (queried, inspection): (Queried, Option<&Inspection>),
    (dimensions, noun): (Dimensions, Noun),
    hidden: &mut [bool; VERDICTS.len()],
) {
    let Some((inspection, query)) = inspection.and_then(|inspection| Some((inspection, inspection.query_of(Some(queried))?)))
    else {
        let reason = inspection.and_then(|inspection| inspection.refusal).map(|refusal| refusal.to_string());
        ui.label(reason.unwrap_or_else(|| NOT_YET.to_owned()));
        return;
    };
    for ((verdict, [r, g, b]), hidden) in VERDICTS.into_iter().zip(VERDICT_COLORS).zip(hidden) {
        let others = if verdict == Verdict::Neighbor { query.found_by.len() } else { 0 };
        row_ui(ui, (verdict, noun), query.count(verdict) + others, Color32::from_rgb(r, g, b), hidden);
    }
    ui.add_space(0.25 * theme::SPACE);
    for (number, step) in steps(query, &inspection.grid, dimensions, noun).into_iter().enumerate() {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.75 * theme::SPACE;
            ui.label(RichText::new(format!("{}", number + 1)).color(theme::of(ui).accent));
            step_ui(ui, &step);
        });
    }
}

/// Lays out the text of a step, as high as its longest.
fn step_ui(ui: &mut Ui, step: &Step) {
    let font = TextStyle::Body.resolve(ui.style());
    let width = ui.available_width();
    let longest = ui.painter().layout(step.longest.clone(), font, Color32::PLACEHOLDER, width).size().y;
    ui.vertical(|ui| {
        let text = ui.add(Label::new(&step.text).wrap()).rect.height();
        ui.add_space((longest - text).max(0.0));
    });
}

/// Height of a row of the legend, points.
const ROW: f32 = 17.0;

/// Lays out a row of the legend: colour, switch with the name, count.
fn row_ui(ui: &mut Ui, (verdict, noun): (Verdict, Noun), count: usize, color: Color32, hidden: &mut bool) {
    let (name, tooltip) = meaning(verdict, noun);
    let row = ui.allocate_ui_with_layout(vec2(ui.available_width(), ROW), Layout::left_to_right(Align::Center), |ui| {
        let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
        ui.painter().circle(dot.center(), 4.5, color, Stroke::new(1.0, theme::of(ui).line));
        ui.spacing_mut().interact_size.y = ROW;
        let mut shown = !*hidden;
        if ui.checkbox(&mut shown, name).changed() {
            *hidden = !shown;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.monospace(format::count(count as u64)));
    });
    row.response.on_hover_text(tooltip);
}

/// Name of a verdict on the particles or points that are called `noun`, and its meaning.
fn meaning(verdict: Verdict, noun: Noun) -> (String, String) {
    let Noun { one, many } = noun;
    let all = format::capitalized(many);
    let (name, tooltip) = match verdict {
        Verdict::Itself => {
            let meaning = format!("Visited like any other {one}; not its own neighbour.");
            return (format!("The {one} itself"), meaning);
        }
        Verdict::Neighbor if noun == Noun::BALLS => (
            "Pairs",
            format!("{all} that may touch this one before the step ends, also those that find it by their own queries."),
        ),
        Verdict::Neighbor => {
            let name = if noun == Noun::PARTICLES { "Neighbours" } else { "Pairs" };
            (name, format!("{all} within the search radius: the result of the query."))
        }
        Verdict::TooFar if noun == Noun::BALLS => (
            "Too far away",
            format!("{all} of visited cells that cannot touch this one before the step ends: rejected by the distance test."),
        ),
        Verdict::TooFar => {
            ("Too far away", format!("{all} of visited cells outside the search radius: rejected by the distance test."))
        }
        Verdict::Foreign => (
            "Hash collisions",
            format!("{all} of cells out of reach that share a bucket with a visited cell: rejected by the distance test."),
        ),
        Verdict::PassedOver => {
            ("Skipped", "Visited without a distance test: of another cell, or already tested in another bucket.".to_owned())
        }
    };
    (name.to_owned(), tooltip)
}

/// Step of a query.
#[derive(Debug, PartialEq)]
struct Step {
    text: String,
    /// Longest text that it has, for any particle.
    longest: String,
}

impl Step {
    /// Step whose text differs between particles in its numbers only.
    fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { longest: widened(&text), text }
    }
}

/// `text` with at least three digits in each number.
fn widened(text: &str) -> String {
    let mut wide = String::new();
    let mut digits = 0;
    for letter in text.chars().chain(['\n']) {
        let is_digit = letter.is_ascii_digit();
        if !is_digit && digits > 0 {
            wide.extend(std::iter::repeat_n('8', 3_usize.saturating_sub(digits)));
        }
        digits = if is_digit { digits + 1 } else { 0 };
        wide.push(letter);
    }
    wide.pop();
    wide
}

/// Steps of a query of what is called `noun`.
fn steps(query: &Trace, grid: &GridParameters, dimensions: Dimensions, noun: Noun) -> Vec<Step> {
    let Noun { one, many } = noun;
    let partner = partner(noun);
    let longest = format!("8,888 distances tested for 888 {partner}s: 88.8 per {partner}.");
    let mut last = vec![Step { text: tested(query, noun), longest }];
    if noun == Noun::BALLS && !matches!(grid.structure, Structure::BlockMap(..)) {
        let found_by = match query.found_by.len() {
            0 => "no other ball finds this one".to_owned(),
            1 => "1 other ball finds this one by its own query".to_owned(),
            others => format!("{} other balls find this one by their own queries", format::count(others as u64)),
        };
        last.push(Step::new(format!("Of two balls the larger one searches: {found_by}.")));
    }
    if grid.structure == Structure::BruteForce {
        let mut steps = vec![Step::new(format!("There is no grid: the query tests every {one}."))];
        steps.extend(last);
        return steps;
    }
    let radius = match noun {
        Noun::BALLS => "Its diameter, with a margin for its motion,",
        _ => "Its search radius",
    };
    let own = format::cell_in(query.cell, dimensions);
    let (low, high) = query.reach;
    let extent = (high.saturating_sub(low)).saturating_add(IVec3::ONE).max(IVec3::ZERO);
    let cells = extent.to_array().map(|length| length as u64).into_iter().fold(1, u64::saturating_mul);
    let lengths: Vec<String> = extent.to_array()[..dimensions.count()].iter().map(ToString::to_string).collect();
    let reach = format!("{} = {}", lengths.join(" × "), format::counted(cells, "cell"));
    let longest_reach = if dimensions == Dimensions::Two { "8 × 8 = 88 cells" } else { "8 × 8 × 8 = 888 cells" };
    let of_reach = |text: &dyn Fn(&str) -> String| Step { text: text(&reach), longest: text(longest_reach) };
    let lies = Step::new(format!("The {one} lies in cell {own}."));
    let reaches = of_reach(&|reach| format!("{radius} reaches into {reach}."));
    let mut steps = match grid.structure {
        Structure::BruteForce => Vec::new(),
        Structure::UniformGrid => vec![
            lies,
            of_reach(&|reach| format!("{radius} reaches into {reach} of the grid.")),
            Step::new("Every cell has its own entry in the table, so there are no hash collisions."),
        ],
        Structure::SortedCells => {
            let ranges = format!(
                "{} are sorted by cell, so consecutive cells along x are read as one range.",
                format::capitalized(many)
            );
            vec![lies, reaches, Step::new(ranges)]
        }
        Structure::SpatialHash | Structure::BucketHash(_, _, Registration::Once) => {
            vec![lies, reaches, buckets(query, cells, grid.table_size, noun)]
        }
        Structure::CellHash(_) => {
            let lists = format!(
                "A bucket lists its cells. Their coordinates are compared first; only {many} of the cells in reach are tested."
            );
            vec![lies, reaches, buckets(query, cells, grid.table_size, noun), Step::new(lists)]
        }
        Structure::BucketHash(_, _, Registration::Everywhere) => vec![
            Step::new(format!("Every {one} is registered in all cells within its reach.")),
            Step::new(format!(
                "So the query visits one bucket only, that of the {one}'s own cell {own}: {}.",
                first_bucket(query, noun)
            )),
        ],
        Structure::BlockMap(..) => {
            let covers = match noun {
                Noun::BALLS => "The ball, with a margin for its motion,".to_owned(),
                _ => format!("Half the search radius around the {one}"),
            };
            let partners = if noun == Noun::BALLS { "balls that touch" } else { "neighbours" };
            let common = format!(
                "Two {partners} cover at least one common block. They may share several buckets, but are tested in one only."
            );
            vec![
                of_reach(&|reach| format!("{covers} covers {reach}, called blocks here.")),
                buckets(query, cells, grid.table_size, noun),
                Step::new(common),
            ]
        }
    };
    steps.extend(last);
    if matches!(grid.structure, Structure::BlockMap(_, Walk::Blocks)) {
        let once = format!(
            "In the walk over blocks, a pair is tested once for both {many}, so the panel shows about half as many candidates per {partner}."
        );
        steps.push(Step::new(once));
    }
    steps
}

/// What a query finds, in words: particles have neighbours, points come in pairs.
fn partner(noun: Noun) -> &'static str {
    if noun == Noun::PARTICLES { "neighbour" } else { "pair" }
}

/// Step of the buckets of the cells in reach.
fn buckets(query: &Trace, cells: u64, table_size: u32, noun: Noun) -> Step {
    let full = format!("All of them contain {}.", noun.many);
    let visited = query.lookups.len() as u64;
    let empty = query.lookups.iter().filter(|lookup| lookup.points == 0).count() as u64;
    let shared = "; a shared bucket is visited once";
    let text = |visited: u64, shared: &str, contents: &str| {
        let visited = format::counted(visited, "bucket");
        format!("The hash function maps them to {visited} of {}{shared}. {contents}", format::count(table_size.into()))
    };
    let contents = match empty {
        0 => full.clone(),
        empty if empty == visited => "All of them are empty.".to_owned(),
        1 => "One of them is empty.".to_owned(),
        empty => format!("{} of them are empty.", format::count(empty)),
    };
    let longest = widened(&text(visited, shared, &full));
    Step { text: text(visited, if visited < cells { shared } else { "" }, &contents), longest }
}

fn first_bucket(query: &Trace, noun: Noun) -> String {
    query.lookups.first().map_or_else(String::new, |lookup| {
        format!("bucket {}, which contains {}", format::count(lookup.bucket.into()), noun.counted(lookup.points.into()))
    })
}

/// Text for the number of distance tests and neighbours.
fn tested(query: &Trace, noun: Noun) -> String {
    let (candidates, neighbors) = (query.candidates() as u64, query.count(Verdict::Neighbor) as u64);
    let tested = format!("{} tested", format::counted(candidates, "distance"));
    let partner = partner(noun);
    let found = match neighbors {
        0 => format!("{tested}; no {partner}s found"),
        neighbors => {
            let share = candidates as f64 / neighbors as f64;
            format!("{tested} for {}: {share:.1} per {partner}", format::counted(neighbors, partner))
        }
    };
    match query.found_by.len() {
        0 => format!("{found}."),
        1 => format!("{found}; 1 other ball finds it."),
        others => format!("{found}; {} other balls find it.", format::count(others as u64)),
    }
}

// Attributes of the particle or point, as rows of its query.

/// Attributes that the panel shows elsewhere: the id in its title, the fluid by its name.
const SHOWN_ELSEWHERE: [&str; 2] = ["ids", "fluids"];

/// Lays out a row for each attribute of the particle `id`; none if it is no longer there.
fn attributes_ui(ui: &mut Ui, particles: &Particles, id: u32, dimensions: Dimensions) {
    let Some(index) = particles.ids.iter().position(|&other| other == id) else { return };
    for (attribute, values) in particles.shown().filter(|(attribute, _)| !SHOWN_ELSEWHERE.contains(&attribute.name)) {
        let Some(value) = text(values, index, dimensions) else { continue };
        let unit = if attribute.unit.is_empty() { String::new() } else { format!(" {}", attribute.unit) };
        attribute_ui(ui, &format::capitalized(attribute.singular), &format!("{value}{unit}"), tooltip(values, dimensions));
    }
}

/// Lays out rows of place, velocity, size and mass of a ball or a vertex; none if it is no longer there.
fn point_ui(ui: &mut Ui, point: PointId, (side, snapshot): (Side, &Snapshot)) {
    let Some((set, index)) = side.sets(snapshot).point(point) else { return };
    let (vectors, scalar) =
        (tooltip(Values::Vectors(&[]), Dimensions::Three), tooltip(Values::Scalars(&[]), Dimensions::Three));
    attribute_ui(ui, "Position", &format!("{} m", vector(set.positions[index], Dimensions::Three)), vectors);
    attribute_ui(ui, "Velocity", &format!("{} m/s", vector(set.velocities[index], Dimensions::Three)), vectors);
    let radius = format!("{} m", format::significant(set.radii[index].into()));
    if snapshot.sets.is_sheet(point.set) {
        attribute_ui(ui, "Half thickness", &radius, scalar);
    } else {
        attribute_ui(ui, "Radius", &radius, scalar);
    }
    let mass = set.masses[index];
    let mass = if mass.is_finite() { format!("{} kg", format::significant(mass.into())) } else { "pinned".to_owned() };
    attribute_ui(ui, "Mass", &mass, scalar);
}

/// Lays out a row, or two where the name and the value with its unit do not fit side by side.
fn attribute_ui(ui: &mut Ui, name: &str, value: &str, tooltip: &str) {
    let width = |text: &str, style: TextStyle| {
        ui.painter().layout_no_wrap(text.to_owned(), style.resolve(ui.style()), Color32::PLACEHOLDER).size().x
    };
    let gap = 2.0 * ui.spacing().item_spacing.x;
    if width(name, TextStyle::Body) + gap + width(value, TextStyle::Monospace) <= ui.available_width() {
        return value_ui(ui, name, value, tooltip);
    }
    ui.label(RichText::new(name).color(theme::of(ui).text_quiet)).on_hover_text(tooltip);
    ui.with_layout(Layout::top_down(Align::Max), |ui| ui.monospace(value).on_hover_text(tooltip));
}

fn tooltip(values: Values<'_>, dimensions: Dimensions) -> &'static str {
    match values {
        Values::Vectors(_) if dimensions == Dimensions::Two => "Components x and y, in the step that the view shows.",
        Values::Vectors(_) => "Components x, y and z, in the step that the view shows.",
        _ => "In the step that the view shows.",
    }
}

/// Text of the value at `index`; `None` beyond the last.
fn text(values: Values<'_>, index: usize, dimensions: Dimensions) -> Option<String> {
    Some(match values {
        Values::Vectors(values) => vector(*values.get(index)?, dimensions),
        Values::Scalars(values) => format::grouped((*values.get(index)?).into()).replace('-', "−"),
        Values::Integers(values) => format::count((*values.get(index)?).into()),
        Values::Bytes(values) => format::count((*values.get(index)?).into()),
    })
}

/// Components in columns of one width, so that they stand still while they change; without z in two dimensions.
fn vector(value: Vec3, dimensions: Dimensions) -> String {
    let components = value.to_array().map(|component| {
        let text = match f64::from(component) {
            component if component.abs() < 1e2 => format!("{:.3}", (1e3 * component).round() / 1e3 + 0.0),
            component => format::grouped(component),
        };
        format!("{:>7}", text.replace('-', "−"))
    });
    components[..dimensions.count()].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_keep_their_columns() {
        assert_eq!(vector(Vec3::new(0.125, -1.5, -0.0001), Dimensions::Three), "  0.125  −1.500   0.000");
        assert_eq!(vector(Vec3::new(12.0, -12345.6, 0.0), Dimensions::Three), " 12.000 −12,346   0.000");
        assert_eq!(vector(Vec3::new(0.125, -1.5, 0.0), Dimensions::Two), "  0.125  −1.500");
    }

    #[test]
    fn the_longest_text_has_wide_numbers() {
        assert_eq!(widened("2 × 3 = 6 cells of 1,024"), "288 × 388 = 688 cells of 188,024");
        assert_eq!(widened("cell (−1, 12)"), "cell (−188, 128)");
    }

    #[test]
    fn scalars_have_thousands_and_a_minus_sign() {
        let text = |values: &[f32], index| text(Values::Scalars(values), index, Dimensions::Three);
        assert_eq!(text(&[1001.4, -0.25], 0).as_deref(), Some("1,001"));
        assert_eq!(text(&[1001.4, -0.25], 1).as_deref(), Some("−0.250"));
        assert_eq!(text(&[], 0), None);
    }
}
