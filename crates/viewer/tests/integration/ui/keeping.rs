//! The bar of playback and the ways out of a refused step; pictures and films; undo and redo, and what is unsaved.

use super::panels::{Panels, harness, slider, snapshot};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::remedies::Refusal;
use sph_core::{StepError, StepStats};
use sph_render::film::{Progress, VideoFormat};
use std::path::PathBuf;
use std::sync::Arc;
use viewer::command::Command;
use viewer::session::{Goal, Moment, Notice, Queried, Snapshot, Subject, Timeline};
use viewer::ui::{Action, Answer, FilmInProgress, Leaving};

/// A snapshot with moments kept from 1 s to 3 s, and the start.
fn kept() -> Snapshot {
    let kept = [0, 100, 150, 200, 300].map(|steps| Moment { time: steps as f64 / 100.0, steps });
    let timeline = Timeline {
        kept: kept.into(),
        end: kept[4],
        bytes: 41 << 20,
        unpacked_bytes: 60 << 20,
        limit: 512 << 20,
        ..Timeline::default()
    };
    Snapshot { timeline, time: 2.0, steps: 200, ..snapshot() }
}

fn actions<'a>(harness: &'a Harness<'_, Panels>) -> &'a [Action] {
    &harness.state().actions
}

#[test]
fn the_timeline_goes_to_kept_moments() {
    let mut harness = harness([1280.0, 800.0], kept());
    let rail = super::panels::slider(&harness, "Timeline");
    let at = |fraction: f32| egui::pos2(rail.left() + fraction * rail.width(), rail.center().y);
    harness.hover_at(at(0.34));
    harness.step();
    harness.drag_at(at(0.34));
    harness.step();
    for fraction in [0.35, 0.5, 0.51] {
        harness.hover_at(at(fraction));
        harness.step();
    }
    harness.drop_at(at(0.51));
    harness.run_ok();
    // Once each, however often the pointer moves.
    assert_eq!(actions(&harness), [100, 150].map(|steps| Action::Seek(Goal::Steps(steps))));
}

#[test]
fn keys_and_buttons_move_in_time() {
    let mut harness = harness([1280.0, 800.0], kept());
    for key in [Key::Home, Key::End, Key::ArrowLeft, Key::ArrowRight, Key::Space] {
        harness.key_press(key);
        harness.run_ok();
    }
    let commands = [Command::GoToStart, Command::GoToEnd, Command::StepBack, Command::StepOnce, Command::PlayPause];
    assert_eq!(actions(&harness), commands.map(Action::Command));
    harness.get_by_label("Run to").click();
    harness.run_ok();
    assert_eq!(actions(&harness).last(), Some(&Action::Seek(Goal::Time(5.0))));
    // To the start, and back to the moment that was left.
    let mut view = harness.state().state.playback.clone();
    let mut shown = kept();
    assert_eq!(view.flip(&shown), Some(Goal::Steps(0)));
    shown.steps = 0;
    assert_eq!(view.flip(&shown), Some(Goal::Steps(200)));
    assert_eq!(view.left, None);
}

#[test]
fn a_time_that_is_entered_is_run_to_and_the_status_says_so() {
    let mut harness = harness([1280.0, 800.0], kept());
    let enter = |harness: &mut Harness<'_, Panels>, text: &str| {
        harness.get_by_role_and_label(Role::SpinButton, "Time to run to").click();
        harness.run_ok();
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.event(egui::Event::Text(text.to_owned()));
        harness.key_press(Key::Enter);
        harness.run_ok();
    };
    enter(&mut harness, "8");
    let goal = Goal::Time(8.0);
    assert_eq!(actions(&harness), [Action::Seek(goal)]);
    enter(&mut harness, "soon");
    assert_eq!(actions(&harness).len(), 1, "no number, no run");
    assert!(harness.query_by_label_contains("Paused").is_some());
    harness.state_mut().snapshot.timeline.goal = Some(goal);
    harness.run_ok();
    assert!(harness.query_by_label_contains("Running to 8.00 s").is_some());
    assert!(harness.query_by_label_contains("Paused").is_none());
}

#[test]
fn a_small_window_keeps_the_buttons() {
    let harness = harness([640.0, 420.0], kept());
    assert!(harness.query_by_role_and_label(Role::Slider, "Timeline").is_none());
    assert!(harness.query_by_label("Step back").is_some());
}

#[test]
fn beside_panels_on_both_sides_no_button_is_cut() {
    let mut harness = harness([800.0, 600.0], kept());
    harness.state_mut().state.tuning.open = true;
    harness.run_ok();
    let (view, more) = (harness.state().area, harness.get_by_label("More of playback").rect());
    assert!(view.left() <= more.left() && more.right() <= view.right(), "{more} below the 3D view at {view}");
    assert!(harness.query_by_label("Step back").is_some() && harness.query_by_label("Go to the start").is_none());
    // The rest is in the menu.
    let in_menu = |harness: &Harness<'_, Panels>| {
        let speed = harness.query_by_role_and_label(Role::ComboBox, "Speed limit").is_some();
        [speed, harness.query_by_label("Run to").is_some(), harness.query_by_label("Show start").is_some()]
    };
    assert_eq!(in_menu(&harness), [false; 3]);
    harness.get_by_label("More of playback").click();
    harness.run_ok();
    assert_eq!(in_menu(&harness), [true; 3]);
    harness.get_by_label("Run to").click();
    harness.run_ok();
    assert!(matches!(harness.state().actions.last(), Some(Action::Seek(_))));
}

/// A snapshot whose next step was refused, and its notice.
fn refused() -> (Snapshot, Notice) {
    let mut snapshot = kept();
    let stats: StepStats = snapshot.stats.clone().expect("there was a step");
    let parameters = snapshot.parameters.expect("a scene has parameters");
    let (particle_id, position) = (snapshot.particles.ids[7], snapshot.particles.positions[7]);
    let error = StepError::Runaway { particle_id, position, speed: 1e6 };
    let refusal = Refusal::new(&error, &stats, &parameters);
    let details = format!("{}\n{}", refusal.sentence, refusal.cause());
    snapshot.failure = Some(refusal.sentence.clone());
    snapshot.refusal = Some(Arc::new(refusal));
    (snapshot, Notice::error("The simulation stopped: a step was refused", details).about(Subject::Step))
}

#[test]
fn a_refused_step_is_explained_with_its_ways_out() {
    for size in [[1280.0, 800.0], [800.0, 600.0]] {
        let (snapshot, notice) = refused();
        let mut words: Vec<String> =
            ["Show particle", "Rewind 1 s", Command::Reset.label(), "Dismiss"].map(str::to_owned).into();
        words.extend(snapshot.refusal.as_ref().expect("it was refused").remedies.iter().map(|remedy| remedy.words()));
        let details = notice.details.clone();
        let mut harness = harness(size, snapshot);
        harness.state_mut().state.notices.push(notice);
        harness.run_ok();
        let view = harness.state().area;
        let place =
            |label: &str| harness.query_all_by_label(label).map(|node| node.rect()).find(|rect| view.contains_rect(*rect));
        let text = place(details.trim_end()).unwrap_or_else(|| panic!("{size:?}: the text is not in the view, {view}"));
        for label in words {
            let button = place(&label).unwrap_or_else(|| panic!("{size:?}: {label} is not in the view, {view}"));
            assert!(button.top() >= text.bottom() || button.bottom() <= text.top(), "{size:?}: {label} at {button}");
        }
    }
}

#[test]
fn a_refused_step_offers_ways_out() {
    let (snapshot, notice) = refused();
    let parameters = snapshot.parameters.expect("a scene has parameters");
    let remedy = snapshot.refusal.as_ref().expect("it was refused").remedies[0].clone();
    let (particle_id, position) = (snapshot.particles.ids[7], snapshot.particles.positions[7]);
    let mut harness = harness([1280.0, 800.0], snapshot);
    harness.state_mut().state.notices.push(notice);
    harness.run_ok();
    harness.get_by_label("Rewind 1 s").click();
    harness.run_ok();
    assert_eq!(actions(&harness), [Action::Seek(Goal::Time(1.0))]);
    harness.get_by_label("Show particle").click();
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!((state.display.camera.target, state.view.selected), (position, Some(Queried::Particle(particle_id))));
    harness.get_by_label(&remedy.words()).click();
    harness.run_ok();
    let changed = remedy.apply(&parameters).expect("it can be applied");
    assert!(actions(&harness).iter().any(|action| matches!(action, Action::SetParameters(set, _) if *set == changed)));
}

const WINDOW: [f32; 2] = [1280.0, 800.0];

fn opened() -> Harness<'static, Panels> {
    let mut harness = harness(WINDOW, snapshot());
    let pictures = &mut harness.state_mut().state.pictures;
    (pictures.open, pictures.folder) = (true, PathBuf::from("/home/ada/Pictures"));
    harness.run_ok();
    harness
}

#[test]
fn the_folder_is_named_before_anything_is_saved() {
    let mut harness = opened();
    assert!(harness.query_by_label_contains("/home/ada/Pictures").is_some());
    harness.get_by_label_contains("Save picture as").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::SavePictureAs)]);
}

/// However long the folder is, the name of the file comes first, and is seen.
#[test]
fn a_saved_picture_is_named_before_its_long_folder() {
    let mut harness = harness([640.0, 480.0], snapshot());
    let folder = PathBuf::from(format!("/home/{}Pictures", "a_long_name/".repeat(20)));
    let path = folder.join("drop_0.000s.png");
    harness.state_mut().state.notices.push(viewer::session::Notice::written("picture saved", &path));
    harness.run_ok();
    harness.get_by_label_contains("drop_0.000s.png: picture saved");
    // The end of the folder is there too: its middle gave way.
    let line = harness.get_by_label_contains("a_long_name/Pictures");
    line.hover();
    // Tooltips wait.
    harness.run_steps(60);
    assert!(harness.query_by_label(&path.display().to_string()).is_some(), "the whole path is a tooltip");
}

#[test]
fn options_are_chosen_and_stay_while_a_film_is_made() {
    let mut harness = opened();
    // The numbers have the label of their choice too.
    harness.get_by_role_and_label(Role::RadioButton, "Other size").click();
    harness.run_ok();
    for label in ["Transparent background", "Legend and time"] {
        harness.get_by_label(label).click();
        harness.run_ok();
    }
    let pictures = &harness.state().state.pictures;
    assert!(pictures.own_size && pictures.transparent && pictures.captions);
    harness.get_by_role_and_label(Role::ComboBox, "Video format").click();
    harness.run_ok();
    harness.get_by_label(VideoFormat::Ffmpeg.label()).click();
    harness.run_ok();
    assert_eq!(harness.state().state.pictures.format, VideoFormat::Ffmpeg);
    assert!(harness.query_by_label_contains("no transparency").is_some());
    let plan = harness.state().state.pictures.film_plan();
    assert!(plan.starts_with("MP4 (ffmpeg), 1920 × 1080 pixels, 30 pictures per second of simulated time"), "{plan}");
    harness.get_by_label_contains("Start film").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::ToggleFilm)]);

    let progress = Progress { written: 12, waiting: 3, left_out: 2 };
    harness.state_mut().state.pictures.film =
        Some(FilmInProgress { name: "drop_0.000s.mp4".to_owned(), size: [640, 480], rate: 30, progress });
    harness.run_ok();
    assert!(
        harness.query_by_label_contains("drop_0.000s.mp4: 0.40 s at 30 fps, 12 pictures of 640 × 480, 3 waiting").is_some()
    );
    assert!(harness.query_by_label_contains("2 pictures left out").is_some());
    // The badge over the view.
    assert!(harness.query_by_label_contains("0.40 s,   12 pictures").is_some());
    assert!(harness.query_by_label("drop_0.000s.mp4: 640 × 480, 30 fps").is_some());
    harness.get_by_label("Transparent background").click();
    harness.run_ok();
    assert!(harness.state().state.pictures.transparent, "the options of a film are fixed");
}

#[test]
fn keyframes_are_added_followed_and_removed() {
    let mut harness = opened();
    let camera = harness.state().state.display.camera;
    harness.get_by_label("Add keyframe").click();
    harness.run_ok();
    harness.get_by_label("Follow").click();
    harness.run_ok();
    let Panels { state, snapshot, .. } = harness.state();
    assert_eq!(state.pictures.camera_at(snapshot.time + 1.0), Some(camera));
    harness.get_by_label("Remove").click();
    harness.run_ok();
    assert_eq!(harness.state().state.pictures.camera_at(0.0), None);
    assert!(!harness.state().state.pictures.follow_path);
}

/// Nothing in the panels of a paused scene asks for another frame.
#[test]
fn a_paused_window_without_input_asks_for_no_frame() {
    let mut harness = harness(WINDOW, snapshot());
    harness.run_ok().expect("the panels come to rest");
    assert!(!harness.ctx.has_requested_repaint());
}

/// Drags a slider over several places.
fn drag_through(harness: &mut Harness<'_, Panels>, label: &str, fractions: &[f32]) {
    let rect = slider(harness, label);
    let place = |fraction: f32| egui::pos2(rect.left() + fraction * rect.width(), rect.center().y);
    harness.hover_at(place(fractions[0]));
    harness.step();
    harness.drag_at(place(fractions[0]));
    harness.step();
    for &fraction in fractions {
        harness.hover_at(place(fraction));
        harness.step();
    }
    harness.drop_at(place(fractions[fractions.len() - 1]));
    harness.run_ok();
}

fn shown(harness: &Harness<'_, Panels>, label: &str) -> bool {
    harness.query_by_label(label).is_some()
}

#[test]
fn a_drag_is_undone_and_redone_at_once() {
    let mut harness = harness([1280.0, 2000.0], snapshot());
    let start = harness.state().state.edited.parameters;
    drag_through(&mut harness, "Hash table size", &[0.3, 0.5, 0.7]);
    let first = harness.state().state.edited.parameters;
    drag_through(&mut harness, "Cell spacing", &[0.2, 0.6]);
    let second = harness.state().state.edited.parameters;
    assert!(first != start && second != first);
    // A save would write the grid too.
    let Panels { state, snapshot, .. } = harness.state();
    let scene = snapshot.scene.as_ref().expect("there is a scene");
    assert_eq!(state.edited.unsaved(scene), ["Hash table size", "Cell spacing"]);
    assert!(!state.edited.would_be_missed(scene), "the motion is the same");
    assert!(shown(&harness, "• Unsaved"));
    let Panels { state, actions, .. } = harness.state_mut();
    state.undo(actions);
    assert_eq!(state.edited.parameters, first);
    state.undo(actions);
    assert_eq!(state.edited.parameters, start);
    assert!(!state.edited.edits.can_undo());
    state.redo(actions);
    assert_eq!(state.edited.parameters, first);
    state.redo(actions);
    assert_eq!(state.edited.parameters, second);
    assert!(!state.edited.edits.can_redo());
    let last = actions.last().cloned();
    assert_eq!(last, Some(Action::SetParameters(second.expect("a scene has parameters"), state.edited.revision)));
    state.undo(actions);
    state.undo(actions);
    harness.run_ok();
    assert!(!shown(&harness, "• Unsaved"));
    let Panels { state, actions, .. } = harness.state_mut();
    let mut parameters = state.edited.parameters.expect("a scene has parameters");
    parameters.gravity.y *= 0.5;
    state.edited.edit(parameters, actions);
    parameters.grid.table_size += 1;
    state.edited.edit(parameters, actions);
    harness.run_ok();
    assert!(shown(&harness, "• Unsaved"));
    let Panels { state, snapshot, .. } = harness.state();
    let scene = snapshot.scene.as_ref().expect("there is a scene");
    assert!(state.edited.would_be_missed(scene));
    assert_eq!(state.edited.unsaved(scene), ["Gravity", "Hash table size"], "the question names all");
}

/// A preset sets the tolerance of two solvers.
#[test]
fn no_two_unsaved_parameters_have_one_name() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    let Panels { state, actions, snapshot, .. } = harness.state_mut();
    let mut parameters = state.edited.parameters.expect("a scene has parameters");
    parameters.solver.method = sph_core::Method::Dfsph;
    parameters.solver.iisph.tolerance *= 0.5;
    parameters.solver.dfsph.tolerance *= 0.5;
    state.edited.edit(parameters, actions);
    let names = state.edited.unsaved(snapshot.scene.as_ref().expect("there is a scene"));
    assert_eq!(names, ["Solver", "Density tolerance (IISPH)", "Density tolerance (DFSPH)"]);
}

#[test]
fn the_question_names_the_parameters_and_takes_each_answer() {
    let mut snapshot = snapshot();
    let mut scene = (**snapshot.scene.as_ref().expect("there is a scene")).clone();
    scene.path = Some("drop.toml".into());
    snapshot.scene = Some(Arc::new(scene));
    let mut harness = harness([800.0, 600.0], snapshot);
    drag_through(&mut harness, "Hash table size", &[0.3]);
    let answered = |harness: &mut Harness<'_, Panels>, act: &dyn Fn(&mut Harness<'_, Panels>)| {
        harness.state_mut().state.leaving = Some(Leaving::Quit);
        harness.run_ok();
        assert!(shown(harness, "Changed parameters:"));
        assert!(harness.query_all_by_label("Hash table size").count() > 1);
        act(harness);
        harness.run_ok();
        harness.state_mut().state.leaving = None;
        harness.run_ok();
        harness.state_mut().actions.pop()
    };
    let press = |label: &'static str| move |harness: &mut Harness<'_, Panels>| harness.get_by_label(label).click();
    assert_eq!(answered(&mut harness, &press("Save")), Some(Action::Answer(Answer::Save)));
    assert_eq!(answered(&mut harness, &press("Discard")), Some(Action::Answer(Answer::Discard)));
    assert_eq!(answered(&mut harness, &press("Cancel")), Some(Action::Answer(Answer::Cancel)));
    let key = |key: Key| move |harness: &mut Harness<'_, Panels>| harness.key_press(key);
    assert_eq!(answered(&mut harness, &key(Key::Enter)), Some(Action::Answer(Answer::Save)));
    assert_eq!(answered(&mut harness, &key(Key::Escape)), Some(Action::Answer(Answer::Cancel)));
}

#[test]
fn a_scene_without_a_file_is_not_saved() {
    let mut harness = harness([800.0, 600.0], snapshot());
    drag_through(&mut harness, "Hash table size", &[0.3]);
    harness.state_mut().state.leaving = Some(Leaving::Quit);
    harness.run_ok();
    assert!(harness.query_by_label_contains("has no file to save to").is_some());
    harness.key_press(Key::Enter);
    harness.key_press(Key::Space);
    harness.run_ok();
    assert!(!harness.state().actions.iter().any(|action| matches!(action, Action::Answer(_) | Action::Command(_))));
}
