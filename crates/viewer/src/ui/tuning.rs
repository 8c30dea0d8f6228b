//! Panel "Auto-tune": choice of structures, cost and progress of the search, its results, use of the best grid; the chip in the top bar
//! that shows and stops a search wherever it was started.

use std::time::Duration;

use super::point_search::{Noun, has_fluid, points_searched, search_name};
use super::widgets::format::{self, describe, full_name};
use super::widgets::{Icon, hint_ui, icon_button, list_entry_ui};
use super::{Action, Model, Side, State, theme, tuning_map};
use crate::command::Command;
use crate::session::{Notice, Snapshot, Stage, Tuning, forecast, search_time};
use egui::{Align, Button, ComboBox, Layout, ProgressBar, RichText, Role, Ui, WidgetInfo, vec2};
use sph_core::Parameters;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::tuning::{Plan, Results};

/// Relative change of the number of particles above which results are out of date.
const STALE: f64 = 0.1;

/// Lays out the contents of the panel.
pub fn tuning_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let snapshot = model.snapshot;
    let Some(parameters) = state.edited.parameters.filter(|_| snapshot.scene.is_some()) else {
        hint_ui(ui, "No scene is open.");
        return;
    };
    let set = state.point_search.chosen;
    let Some(tuned) = Tuned::of(state, parameters, snapshot) else {
        hint_ui(ui, "This scene has nothing to search.");
        return;
    };
    if let Some(name) = tuned.name(snapshot) {
        ui.label(format!("Search that the Grid panel shows: {name}."));
    }
    if state.is_comparing_shown() {
        let text =
            format!("Two grids are compared: this tunes grid {}, the grid of the simulation, on the left.", Side::A.name());
        ui.label(RichText::new(text).color(theme::of(ui).side(Side::A)));
    }
    start_ui(ui, state, &tuned, snapshot, actions);
    let Some(tuning) = &snapshot.tuning else {
        ui.add_space(0.5 * theme::SPACE);
        ui.label(format!(
            "Measures the build and query times of grids with different table sizes and cell spacings on the current \
             {}. Trials run between steps: the simulation continues, slower, and its results do not change.",
            tuned.noun.many
        ));
        return;
    };
    if tuning.set != set {
        let other = Noun::of(snapshot, tuning.set).many;
        hint_ui(
            ui,
            format!(
                "The latest trials measured the search of {other}. Select it under “Search of” in the Grid panel to see them."
            ),
        );
        return;
    }
    outcome_ui(ui, tuning, &tuned);
    let results = &tuning.results;
    let Some((best, _)) = results.best() else { return };
    if tuning.stage == Stage::Running && results.trials.len() < results.plan.structures.len() {
        // The first trials say nothing of the others.
        hint_ui(ui, "Measuring…");
        return;
    }
    ui.separator();
    let shown = state.tuning.shown.filter(|shown| results.plan.structures.contains(shown)).unwrap_or(best.structure);
    structures_ui(ui, state, results, shown);
    if let Some(grid) = tuning_map::tuning_map_ui(ui, (results, tuning.stage), shown, &tuned.grid) {
        tuned.use_grid(state, grid, snapshot, actions);
    }
    ui.add_space(theme::SPACE);
    verdict_ui(ui, results, tuning.stage);
    apply_ui(ui, state, &tuned, tuning, snapshot, actions);
}

/// The search that is tuned: the one that the Grid panel shows.
struct Tuned {
    /// First point set of the search; `None` for the fluid's.
    set: Option<usize>,
    /// Its parameters as edited.
    grid: GridParameters,
    /// All parameters.
    parameters: Parameters,
    /// What it finds, and number of these.
    noun: Noun,
    count: usize,
}

impl Tuned {
    /// The search that is shown; `None` if there is none.
    fn of(state: &State, parameters: Parameters, snapshot: &Snapshot) -> Option<Self> {
        let set = state.point_search.chosen;
        let points = snapshot.scene.as_ref()?.setup.points.as_ref();
        let (grid, count) = match set {
            Some(set) => (state.edited.point_grids.get(set)?, points_searched(snapshot, points?, set)),
            None if has_fluid(snapshot) => (parameters.grid, snapshot.particles.len()),
            None => return None,
        };
        Some(Self { set, grid, parameters, noun: Noun::of(snapshot, set), count })
    }

    /// Name of a search of point sets.
    fn name(&self, snapshot: &Snapshot) -> Option<String> {
        let points = snapshot.scene.as_ref()?.setup.points.as_ref()?;
        Some(search_name(snapshot, points.source().searched_with(self.set?)))
    }

    /// Uses `grid` from the next step on.
    fn use_grid(&self, state: &mut State, grid: GridParameters, snapshot: &Snapshot, actions: &mut Vec<Action>) {
        let points = snapshot.scene.as_ref().and_then(|scene| scene.setup.points.as_ref());
        match self.set.zip(points) {
            Some((set, points)) => state.edited.edit_point_grid(points, set, grid, actions),
            None => state.edited.edit(Parameters { grid, ..self.parameters }, actions),
        }
    }
}

/// Lays out the choice of structures, the start button, or the progress of trials that run, and what trials of them cost. The rows stay where they
/// are when trials start and end.
fn start_ui(ui: &mut Ui, state: &mut State, tuned: &Tuned, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let (view, present) = (&mut state.tuning, &tuned.grid);
    let running = snapshot.tuning.as_ref().filter(|tuning| tuning.stage == Stage::Running);
    let all = "All except brute force and registration in all cells, which are never the fastest.";
    ui.add_enabled_ui(running.is_none(), |ui| {
        ui.radio_value(&mut view.present_only, false, "All structures").on_hover_text(all);
        ui.radio_value(&mut view.present_only, true, format!("{} only", full_name(present.structure)));
    });
    let mut structures = if view.present_only { Vec::new() } else { Plan::promising() };
    if !structures.contains(&present.structure) {
        structures.push(present.structure);
    }
    ui.add_space(0.5 * theme::SPACE);
    if let Some(tuning) = running {
        running_ui(ui, view, tuning, actions);
        hint_ui(ui, "Trials run between steps: the simulation is slower, its results do not change.");
        return;
    }
    let name = if snapshot.tuning.is_some() { "Start again" } else { "Start" };
    let button = Button::new(RichText::new(name).strong()).fill(theme::of(ui).accent_dim);
    let cost = cost_in_words(tuned, &structures, snapshot);
    let tooltip = format!("Measure with the current {} positions.", tuned.noun.one);
    if ui.add(button).on_hover_text(tooltip).clicked() {
        view.shown = None;
        actions.push(Action::Tune(tuned.set, structures));
    }
    hint_ui(ui, cost);
}

fn running_ui(ui: &mut Ui, view: &TuningView, tuning: &Tuning, actions: &mut Vec<Action>) {
    let (done, total) = tuning.progress();
    // As high as the button that starts them.
    let height = ui.text_style_height(&egui::TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
    let row = vec2(ui.available_width(), height.max(ui.spacing().interact_size.y));
    // From right to left, so that the bar takes what the button leaves.
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        if ui.button("Stop").on_hover_text("Stop the trials and keep the results.").clicked() {
            actions.push(Action::CancelTune);
        }
        let width = ui.available_width().max(40.0);
        let bar = ProgressBar::new(done as f32 / total as f32).desired_width(width).fill(theme::of(ui).accent_dim);
        // A rounded end would cover a digit of the text.
        let bar = bar.corner_radius(2);
        let text = if width < LEAST_FOR_WORDS { progress_in_short(view, tuning) } else { progress_in_words(view, tuning) };
        ui.add(bar.text(text));
    });
}

/// Least width of a bar with the progress in words, points.
const LEAST_FOR_WORDS: f32 = 240.0;

/// Trials made, and about how long the others take.
fn progress_in_words(view: &TuningView, tuning: &Tuning) -> String {
    let (done, total) = tuning.progress();
    let left = time_left(view, tuning).map(|left| format!(", about {} left", duration(left))).unwrap_or_default();
    format!("{} of {} trials{left}", format::count(done as u64), format::count(total as u64))
}

/// The same, for a narrow panel.
fn progress_in_short(view: &TuningView, tuning: &Tuning) -> String {
    let (done, total) = tuning.progress();
    let left = time_left(view, tuning).map(|left| format!(", {} left", duration(left))).unwrap_or_default();
    format!("{} of {}{left}", format::count(done as u64), format::count(total as u64))
}

fn time_left(view: &TuningView, tuning: &Tuning) -> Option<Duration> {
    view.left.map(|countdown| countdown.shown).or_else(|| tuning.time_left())
}

// Chip in the top bar: trials go on when their panel is closed.

/// Width of the chip, points.
pub const CHIP_WIDTH: f32 = 150.0;

/// Lays out the chip from right to left while trials run: their share, and a button that stops them. A click on the share shows the panel.
pub fn chip_ui(ui: &mut Ui, view: &mut TuningView, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let Some(tuning) = snapshot.tuning.as_ref().filter(|tuning| tuning.stage == Stage::Running) else { return };
    let (done, total) = tuning.progress();
    ui.spacing_mut().item_spacing.x = 2.0;
    // No higher than the menus beside it: the bar would grow when trials start.
    ui.spacing_mut().button_padding.y = 0.0;
    if icon_button(ui, Icon::Stop, "Stop auto-tune", vec2(22.0, 22.0)).on_hover_text("Stop auto-tune.").clicked() {
        actions.push(Action::CancelTune);
    }
    let text = RichText::new(format!("Auto-tune {} %", 100 * done / total)).color(theme::of(ui).accent);
    let tooltip = format!("{}. Click to show the panel.", progress_in_words(view, tuning));
    if ui.add(Button::new(text)).on_hover_text(tooltip).clicked() {
        view.open = true;
    }
}

/// Lays out number of particles and time of the measurement, and a warning if they are out of date.
fn outcome_ui(ui: &mut Ui, tuning: &Tuning, tuned: &Tuned) {
    let results = &tuning.results;
    let mut text = format!("{} at t = {:.3} s", tuned.noun.counted(results.particles as u64), tuning.time);
    let after = format!("after {} of {} trials", format::count(results.done() as u64), format::count(results.total as u64));
    match tuning.stage {
        Stage::Running | Stage::Done => {}
        Stage::Cancelled => text += &format!("; stopped {after}"),
        Stage::Overrun => text += &format!("; ended {after}, because they took more than three times as long as expected"),
    }
    hint_ui(ui, text);
    let (then, now) = (results.particles as f64, tuned.count as f64);
    if (now - then).abs() > STALE * then {
        let text = format!("Out of date: there are {} now. Start again.", tuned.noun.counted(tuned.count as u64));
        ui.label(RichText::new(text).color(theme::of(ui).warning));
    }
}

/// Lays out the structures with their least times, and below them the choice among the variants of the shown structure.
fn structures_ui(ui: &mut Ui, state: &mut State, results: &Results, shown: Structure) {
    let structures = &results.plan.structures;
    let total = |structure: Structure| results.best_of(structure).map(|(_, cost)| cost.total_ms());
    let variants_of = |name: &str| structures.iter().copied().filter(|other| other.name() == name).collect::<Vec<_>>();
    let mut names: Vec<&str> = structures.iter().map(|structure| structure.name()).collect();
    names.dedup();
    let best = |name: &&str| {
        let rank = |&variant: &Structure| total(variant).unwrap_or(f64::INFINITY);
        variants_of(name).into_iter().min_by(|a, b| rank(a).total_cmp(&rank(b)))
    };
    let tabs: Vec<Tab> =
        names.iter().filter_map(best).map(|best| Tab::new(best, best.label().to_owned(), total(best))).collect();
    let mut chosen = tabs_ui(ui, &tabs, |tab| tab.name() == shown.name());
    // A row for every structure, so that the layout does not move.
    if names.iter().any(|name| variants_of(name).len() > 1) {
        let tab = |variant: Structure| Tab::new(variant, variant.option_names().join(", "), total(variant));
        let variants: Vec<Tab> = variants_of(shown.name()).into_iter().map(tab).collect();
        chosen = variants_ui(ui, &variants, shown).or(chosen);
    }
    if let Some(structure) = chosen {
        state.tuning.shown = Some(structure);
    }
}

/// Lays out the choice among the variants of a structure. Returns the one chosen.
fn variants_ui(ui: &mut Ui, variants: &[Tab], shown: Structure) -> Option<Structure> {
    let mut chosen = None;
    ui.horizontal(|ui| {
        let label = ui.label(RichText::new("Variant").color(theme::of(ui).text_quiet));
        let text = |tab: &Tab| format!("{}  {}", tab.name, tab.time);
        let is_choice = variants.len() > 1;
        let present = variants.iter().find(|tab| is_choice && tab.structure == shown).map_or("only one".to_owned(), text);
        ui.add_enabled_ui(is_choice, |ui| {
            let combo = ComboBox::from_id_salt("variant").selected_text(present).width(ui.available_width()).truncate();
            let combo = combo.show_ui(ui, |ui| {
                for tab in variants {
                    if list_entry_ui(ui, tab.structure == shown, &text(tab)).clicked() {
                        chosen = Some(tab.structure);
                    }
                }
            });
            combo.response.labelled_by(label.id).on_hover_text("Variant of the structure whose map is shown.");
        });
    });
    chosen
}

/// Button that shows the map of a structure.
struct Tab {
    structure: Structure,
    name: String,
    /// Its least time, or a dash.
    time: String,
}

impl Tab {
    fn new(structure: Structure, name: String, ms: Option<f64>) -> Self {
        Self { structure, name, time: ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.2} ms")) }
    }
}

/// Number of columns and width of the buttons, points, all equally wide: as wide as the longest name with the longest time needs.
fn columns(ui: &Ui, tabs: &[Tab]) -> [f32; 2] {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let width = |name: &str| {
        let text = ui.painter().layout_no_wrap(format!("{name}   00.00 ms"), font.clone(), theme::of(ui).text);
        text.size().x + 2.0 * ui.spacing().button_padding.x + ui.spacing().icon_spacing
    };
    let widest = tabs.iter().map(|tab| width(&tab.name)).fold(1.0, f32::max);
    let (room, gap) = (ui.available_width(), TAB_GAP);
    let columns = ((room + gap) / (widest + gap)).floor().clamp(1.0, tabs.len().max(1) as f32);
    [columns, (room - gap * (columns - 1.0)) / columns]
}

/// Distance between the buttons of structures, points.
const TAB_GAP: f32 = 0.5 * theme::SPACE;

/// Lays out the buttons in columns of equal width, the name on the left and the time on the right of each. Returns the one clicked.
fn tabs_ui(ui: &mut Ui, tabs: &[Tab], is_shown: impl Fn(Structure) -> bool) -> Option<Structure> {
    let [columns, width] = columns(ui, tabs);
    let mut chosen = None;
    for row in tabs.chunks(columns as usize) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = TAB_GAP;
            for Tab { structure, name, time } in row {
                let tab = Button::selectable(is_shown(*structure), name.as_str()).right_text(time.as_str());
                let tab = ui.add(tab.min_size(vec2(width, 0.0)));
                let words = format!("{name}  {time}");
                tab.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), is_shown(*structure), &words));
                if tab.on_hover_text("Show this structure's map.").clicked() {
                    chosen = Some(*structure);
                }
            }
        });
    }
    chosen
}

/// Lays out the result as a sentence.
fn verdict_ui(ui: &mut Ui, results: &Results, stage: Stage) {
    let Some(present) = results.present_cost() else { return };
    let factor = |times: f64| if times < 1.95 { format!("{times:.2}") } else { format!("{times:.1}") };
    let between = |[least, most]: [f64; 2]| format!("{} to {}", factor(least), factor(most));
    let before = present.total_ms();
    let unclear = results.speed_up_range().filter(|_| !results.is_clear()).zip(results.best());
    let text = if let Some((best, cost)) = results.improvement() {
        let so_far = if stage == Stage::Done { "Best" } else { "Best so far" };
        let instead = format!("{so_far}: {}: {:.2} ms instead of {before:.2} ms", describe(&best), cost.total_ms());
        match (results.speed_up_range(), stage) {
            (Some(range), _) => {
                format!("{instead}, {} times faster ({} over the rounds).", factor(results.speed_up()), between(range))
            }
            // Single trials, at different times: a factor would promise too much.
            (None, Stage::Running) => format!("{instead}. At the end the best of each structure are timed again."),
            (None, Stage::Done) => format!("{instead}, {} times faster.", factor(results.speed_up())),
            (None, Stage::Cancelled | Stage::Overrun) => {
                format!("{instead}, by single trials. The best are timed again, in turns, only at the end.")
            }
        }
    } else if let Some((range, (best, cost))) = unclear {
        let (name, ms) = (describe(&best), cost.total_ms());
        format!("Not clearly faster: {name}: {ms:.2} ms instead of {before:.2} ms, {} times over the rounds.", between(range))
    } else {
        let so_far = if stage == Stage::Done { "Nothing" } else { "So far nothing" };
        format!("{so_far} is noticeably faster than the grid at the start, {:.2} ms.", present.total_ms())
    };
    // Always two lines, so that the layout does not move.
    let height = 2.0 * ui.text_style_height(&egui::TextStyle::Body) + ui.spacing().item_spacing.y;
    let top = ui.cursor().top();
    let used = ui.label(RichText::new(text).strong()).rect.bottom() - top;
    ui.add_space((height - used).max(0.0));
}

fn apply_ui(ui: &mut Ui, state: &mut State, tuned: &Tuned, tuning: &Tuning, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let improvement = tuning.results.improvement();
    // Without an improvement, the grid at the start is the best; a click on the map may have replaced it since.
    let best = improvement.map_or(tuning.results.present, |(grid, _)| grid);
    hint_ui(ui, "Click the map to use that grid.");
    ui.horizontal_wrapped(|ui| {
        let idle = if improvement.is_some() { "Already in use." } else { "Nothing is noticeably faster." };
        ui.add_enabled_ui(tuned.grid != best, |ui| {
            let tooltip = format!("Use the best grid of all, {}, from the next step on, without a reset.", describe(&best));
            if ui.button("Apply best").on_hover_text(tooltip).on_disabled_hover_text(idle).clicked() {
                apply(state, tuned, best, snapshot, actions);
            }
        });
        let unsaved = snapshot.scene.as_ref().is_some_and(|scene| match (tuned.set, &scene.setup.points) {
            (Some(set), Some(points)) => points.source().grids().get(set) != Some(&best),
            _ => scene.setup.parameters != Parameters { grid: best, ..tuned.parameters },
        });
        let running = tuning.stage == Stage::Running;
        ui.add_enabled_ui(unsaved && !running, |ui| {
            let tooltip = "Use the best grid, and save it with all other current parameters to the scene file.";
            let idle = if running { "Available after the trials." } else { "The scene already has the best grid." };
            // Without an improvement it is the grid at the start.
            let name = if improvement.is_some() { "Save best to scene" } else { "Save grid to scene" };
            if ui.button(name).on_hover_text(tooltip).on_disabled_hover_text(idle).clicked() {
                if tuned.grid != best {
                    apply(state, tuned, best, snapshot, actions);
                }
                actions.push(Action::Command(Command::Save));
            }
        });
    });
}

/// Applies the best grid and shows its map.
fn apply(state: &mut State, tuned: &Tuned, best: GridParameters, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    state.tuning.shown = Some(best.structure);
    tuned.use_grid(state, best, snapshot, actions);
}

/// State of the auto-tuning window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TuningView {
    /// True while the window is open.
    pub open: bool,
    /// True to try the current structure only.
    pub present_only: bool,
    /// Structure whose map is shown; `None` shows the best.
    pub shown: Option<Structure>,
    /// True while trials run.
    runs: bool,
    /// Time left as shown.
    left: Option<Countdown>,
}

/// Countdown of the time that trials still take. Trials of one structure take longer than those of another, so that estimates go up and down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Countdown {
    /// Time since the start of the trials.
    elapsed: Duration,
    /// Time left, smoothed.
    left: Duration,
    /// Time left as shown: it does not rise, unless the smoothed one is far above it.
    shown: Duration,
}

/// Share by which the smoothed time left must be above the one that is shown to replace it; a lower one always does.
const RISE: f64 = 0.25;

/// Time constant of the smoothing, as a share of the time left.
const SMOOTHING: f64 = 0.25;

/// Least time constant.
const LEAST_SMOOTHING: Duration = Duration::from_secs(2);

impl Countdown {
    /// Begins with the first estimate.
    fn new(elapsed: Duration, left: Duration) -> Self {
        Self { elapsed, left, shown: left }
    }

    /// Goes on by the time that has passed, and towards the `estimate`.
    fn follow(self, elapsed: Duration, estimate: Duration) -> Self {
        let Some(passed) = elapsed.checked_sub(self.elapsed) else { return Self::new(elapsed, estimate) };
        let counted = self.left.saturating_sub(passed);
        let smoothing = self.left.mul_f64(SMOOTHING).max(LEAST_SMOOTHING);
        let share = -(-passed.as_secs_f64() / smoothing.as_secs_f64()).exp_m1();
        let left = counted.mul_f64(1.0 - share) + estimate.mul_f64(share);
        let shown = if left > self.shown.mul_f64(1.0 + RISE) { left } else { left.min(self.shown) };
        Self { elapsed, left, shown }
    }
}

impl TuningView {
    /// Takes note of the trials. Returns what there is to say about their end if nobody sees the panel.
    pub(in crate::ui) fn follow(&mut self, snapshot: &Snapshot) -> Option<Notice> {
        let tuning = snapshot.tuning.as_ref();
        let running = tuning.filter(|tuning| tuning.stage == Stage::Running);
        let estimate = running.and_then(|tuning| Some((tuning.elapsed, tuning.time_left()?)));
        self.left = estimate.map(|(elapsed, left)| match self.left {
            Some(countdown) => countdown.follow(elapsed, left),
            None => Countdown::new(elapsed, left),
        });
        let ran = std::mem::replace(&mut self.runs, running.is_some());
        let tuning = tuning.filter(|_| ran && !self.open)?;
        let (done, total) = tuning.progress();
        match tuning.stage {
            Stage::Running | Stage::Cancelled => None,
            Stage::Done => Some(Notice::info("Auto-tune has finished: its panel shows the best grids")),
            Stage::Overrun => {
                let details = format!(
                    "It made {} of {} trials, because they took more than three times as long as expected. Its panel shows the best \
                     grids so far.",
                    format::count(done as u64),
                    format::count(total as u64)
                );
                Some(Notice::warning("Auto-tune has ended early", details))
            }
        }
    }
}

/// Number of trials of `structures` and about how long they take, in words, by the search of the latest step.
fn cost_in_words(tuned: &Tuned, structures: &[Structure], snapshot: &Snapshot) -> String {
    let Some(scene) = &snapshot.scene else { return String::new() };
    let trials = Plan::of_search(&tuned.grid, structures.to_vec(), tuned.set, tuned.count, &scene.setup).trials();
    let number = format::count(trials as u64);
    match &snapshot.stats {
        Some(stats) => {
            let search = search_time(tuned.set, &snapshot.set_searches, stats);
            format!("{number} trials: about {}.", duration(forecast(trials, search, stats, !snapshot.paused)))
        }
        None => format!("{number} trials; time known after the first step."),
    }
}

/// A rough duration: `7 s`, `25 s`, `3 min`.
fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 10.0 => format!("{:.0} s", seconds.ceil().max(1.0)),
        seconds if seconds < 90.0 => format!("{:.0} s", 5.0 * (seconds / 5.0).round()),
        seconds => format!("{:.0} min", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rough() {
        assert_eq!(
            [0.2, 7.4, 21.0, 89.0, 170.0].map(Duration::from_secs_f64).map(duration),
            ["1 s", "8 s", "20 s", "90 s", "3 min"]
        );
    }

    #[test]
    fn the_time_left_counts_down_while_trials_take_different_times() {
        let seconds = Duration::from_secs_f64;
        // Too long by 1.4 and too short by 0.7 in turn.
        let mut countdown = Countdown::new(Duration::ZERO, seconds(40.0));
        for tick in 1..=400 {
            let elapsed = 0.1 * f64::from(tick);
            let factor = if tick / 20 % 2 == 0 { 1.4 } else { 0.7 };
            let before = countdown.shown;
            countdown = countdown.follow(seconds(elapsed), seconds(factor * (40.0 - elapsed)));
            assert!(countdown.shown <= before, "{elapsed} s: {before:?}, then {:?}", countdown.shown);
        }
        assert!(countdown.shown < seconds(2.0), "{countdown:?}");
    }

    #[test]
    fn a_time_left_that_was_far_too_short_is_corrected() {
        let seconds = Duration::from_secs_f64;
        let mut countdown = Countdown::new(Duration::ZERO, seconds(5.0));
        for tick in 1..=100 {
            let elapsed = 0.1 * f64::from(tick);
            countdown = countdown.follow(seconds(elapsed), seconds(100.0 - elapsed));
        }
        assert!(countdown.shown > seconds(40.0) && countdown.shown < seconds(95.0), "{countdown:?}");
        // Other trials begin from their own estimate.
        assert_eq!(countdown.follow(Duration::ZERO, seconds(3.0)), Countdown::new(Duration::ZERO, seconds(3.0)));
    }
}
