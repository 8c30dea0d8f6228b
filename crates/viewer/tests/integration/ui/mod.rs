//! Panels: their contents, and the actions of their controls.

mod auto_tune;
mod compare;
mod dock;
mod every_panel;
mod framing;
mod gallery;
mod inside;
mod keeping;
mod lessons;
mod look;
#[path = "../../panels/mod.rs"]
mod panels;
mod parameters;
mod plots;
mod point_searches;
mod readings;
mod results;
mod tools;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, Rect};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotOptions};
use glam::Vec3;
use panels::{Panels, harness, slider, snapshot};
use sph_core::{Method, Parameters, Preset, WallPressure};
use sph_render::camera::Camera;
use std::collections::HashSet;
use viewer::command::Command;
use viewer::session::{Notice, Queried, Snapshot, SpeedLimit, Subject};
use viewer::ui::theme::ThemeChoice;
use viewer::ui::{self, Action, FilePurpose, PathPrompt};

/// Drags a slider's handle to `fraction` of its length.
fn drag(harness: &mut Harness<'_, Panels>, label: &str, fraction: f32) {
    let rect = slider(harness, label);
    let from = rect.center();
    let to = egui::pos2(rect.left() + fraction * rect.width(), from.y);
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    harness.hover_at(to);
    harness.step();
    harness.drop_at(to);
    harness.run_ok();
}

fn last_parameters(harness: &Harness<'_, Panels>) -> Parameters {
    let edits = harness.state().actions.iter().rev();
    let mut parameters = edits.filter_map(|action| match action {
        Action::SetParameters(parameters, _) => Some(*parameters),
        _ => None,
    });
    parameters.next().expect("an edit was asked for")
}

/// Brings the panel with this key to the front.
fn front(harness: &mut Harness<'_, Panels>, key: &'static str) {
    harness.state_mut().state.dock.show(key);
    harness.run_ok();
}

/// Place on the screen of `place` (m), in a `view` through this camera.
fn on_screen(camera: &Camera, view: Rect, place: Vec3) -> Pos2 {
    let at = camera.project(place, view.aspect_ratio()).expect("before the eye");
    view.center() + 0.5 * view.size() * egui::vec2(at.x, -at.y)
}

/// Window size that shows all panels without scrolling.
const WINDOW: [f32; 2] = [1280.0, 3200.0];

/// Harness that shows all parameters.
fn harness_of_all() -> Harness<'static, Panels> {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.fluid.all = true;
    harness.run_ok();
    harness
}

#[test]
fn the_grid_sliders_request_their_values() {
    let mut harness = harness(WINDOW, snapshot());
    let before = harness.state().snapshot.parameters.expect("a scene has parameters");
    drag(&mut harness, "Hash table size", 0.5);
    let table = last_parameters(&harness);
    // The middle of a logarithmic slider from 1 to 2048.
    assert!((40..=52).contains(&table.grid.table_size), "{}", table.grid.table_size);
    drag(&mut harness, "Cell spacing", 0.0);
    let cells = last_parameters(&harness);
    assert!((cells.grid.cell_size / 0.025 - 1.0).abs() < 1e-3, "{}", cells.grid.cell_size);
    assert_eq!(cells.grid.table_size, table.grid.table_size);
    assert_eq!(cells.fluid, before.fluid);
    harness.get_by_label("Reset grid to scene").click();
    harness.run_ok();
    assert_eq!(last_parameters(&harness), before);
}

/// Another number of particles has another sensible table.
#[test]
fn the_tooltip_of_the_table_size_is_about_this_scene() {
    let mut harness = harness(WINDOW, snapshot());
    harness.get_by_role_and_label(Role::Label, "Hash table size").hover();
    // Tooltips wait.
    harness.run_steps(60);
    let words = "For this scene about 1,000, twice the number of particles; anything from 260 to 2,000 (the green band)";
    assert!(harness.query_by_label_contains(words).is_some());
    assert!(harness.query_by_label_contains("Usually").is_none());
    assert!(harness.query_by_label_contains("Low: many cells share a bucket").is_some());
}

#[test]
fn the_table_size_s_handle_stays_while_fluid_is_poured() {
    let mut harness = harness(WINDOW, snapshot());
    let end = |harness: &Harness<'_, Panels>| {
        harness.get_by_role_and_label(Role::Slider, "Hash table size").accesskit_node().max_numeric_value()
    };
    assert_eq!(end(&harness), Some(2048.0));
    let positions = harness.state().snapshot.particles.positions.clone();
    for (count, most) in [(600, 2048.0), (1000, 2048.0), (1100, 8192.0), (2000, 8192.0)] {
        let more = positions.iter().cycle().take(count).copied().collect();
        harness.state_mut().snapshot.particles.positions = more;
        harness.run_ok();
        assert_eq!(end(&harness), Some(most), "{count}");
    }
}

#[test]
fn every_fluid_slider_has_an_effect() {
    let mut harness = harness_of_all();
    for label in ["Kinematic viscosity", "Artificial viscosity α", "Speed of sound", "Gravity", "Time-step factor"] {
        if label == "Time-step factor" {
            front(&mut harness, "time_step");
        }
        let before = harness.state().state.edited.parameters;
        drag(&mut harness, label, 0.7);
        assert_ne!(Some(last_parameters(&harness)), before, "{label}");
    }
    let Parameters { fluid, gravity, time_step, .. } = last_parameters(&harness);
    assert!(fluid.kinematic_viscosity > 1e-4 && (fluid.artificial_viscosity - 0.35).abs() < 0.02, "{fluid:?}");
    assert!((gravity.y + 21.0).abs() < 0.5 && gravity.x == 0.0 && gravity.z == 0.0, "{gravity}");
    assert!((time_step.cfl_factor - 1.07).abs() < 0.03, "{time_step:?}");
}

#[test]
fn a_preset_is_chosen_with_one_click_and_shown_while_its_values_hold() {
    let mut harness = harness_of_all();
    front(&mut harness, "solver");
    let is_custom = |harness: &Harness<'_, Panels>| harness.query_by_label("custom").is_some();
    assert!(is_custom(&harness));
    for (label, preset) in [("Live", Preset::Live), ("Accurate", Preset::Accurate)] {
        harness.get_by_label(label).click();
        harness.run_ok();
        assert_eq!(Preset::of(&last_parameters(&harness)), Some(preset));
        assert!(!is_custom(&harness), "{label}");
    }
    drag(&mut harness, "Density tolerance", 0.9);
    assert_eq!(Preset::of(&last_parameters(&harness)), None);
    assert!(is_custom(&harness));
}

#[test]
fn the_solver_can_be_chosen_and_has_its_own_parameters() {
    let mut harness = harness_of_all();
    let shown = |harness: &Harness<'_, Panels>, label| harness.query_all_by_label(label).next().is_some();
    assert!(shown(&harness, "Speed of sound"));
    front(&mut harness, "solver");
    assert!(!shown(&harness, "Density tolerance"));
    harness.get_by_role_and_label(Role::ComboBox, "Solver").click();
    harness.run_ok();
    harness.get_by_label("DFSPH").click();
    harness.run_ok();
    assert_eq!(last_parameters(&harness).solver.method, Method::Dfsph);
    for label in ["Density tolerance", "Divergence tolerance", "Maximum iterations"] {
        let before = last_parameters(&harness);
        drag(&mut harness, label, 0.9);
        let after = last_parameters(&harness);
        assert_ne!(after, before, "{label}");
        assert_eq!(after.fluid, before.fluid);
    }
    let solver = last_parameters(&harness).solver;
    assert!(solver.dfsph.tolerance > 1e-3 && solver.dfsph.max_iterations > 100, "{solver:?}");
    harness.get_by_label("Reset solver to scene").click();
    harness.run_ok();
    assert_eq!(last_parameters(&harness).solver, harness.state().snapshot.parameters.expect("a scene has parameters").solver);
    front(&mut harness, "fluid");
    assert!(shown(&harness, "Speed of sound"));
}

#[test]
fn steps_and_walls_can_be_chosen() {
    let mut harness = harness_of_all();
    let dt = harness.state().snapshot.stats.as_ref().expect("there was a step").dt;
    front(&mut harness, "time_step");
    drag(&mut harness, "Minimum time step", 0.9);
    let Parameters { time_step, .. } = last_parameters(&harness);
    assert!(time_step.min_dt > 1e-6 && time_step.min_dt < time_step.max_dt, "{time_step:?}");
    harness.get_by_label("Fixed time step").click();
    harness.run_ok();
    assert_eq!(last_parameters(&harness).time_step.fixed_dt, Some(dt));
    drag(&mut harness, "Fixed step length", 0.95);
    let fixed = last_parameters(&harness).time_step.fixed_dt.expect("it is still fixed");
    assert!(fixed > 1e-6 && fixed != dt, "{fixed}");
    harness.get_by_label("Fixed time step").click();
    harness.run_ok();
    assert_eq!(last_parameters(&harness).time_step, time_step);
    front(&mut harness, "fluid");
    harness.get_by_role_and_label(Role::ComboBox, "Wall pressure").click();
    harness.run_ok();
    harness.get_by_label("One-sided").click();
    harness.run_ok();
    assert_eq!(last_parameters(&harness).solver.walls, WallPressure::OneSided);
}

#[test]
fn the_grid_statistics_are_shown() {
    let harness = harness(WINDOW, snapshot());
    let names = [
        "Load factor",
        "Occupied cells",
        "Occupied buckets",
        "Cells in collision",
        "Hash quality",
        "Longest bucket",
        "Candidates per neighbour",
        "Memory",
    ];
    for name in names {
        assert!(harness.query_all_by_label(name).next().is_some(), "{name}");
    }
    let expected = harness.state().snapshot.stats.as_ref().expect("there was a step").search.occupancy.occupied_cells;
    assert!(harness.query_all_by_label(&expected.to_string()).next().is_some());
}

#[test]
fn statistics_from_before_a_change_of_the_grid_are_marked() {
    let mut harness = harness(WINDOW, snapshot());
    let outdated = |harness: &Harness<'_, Panels>| harness.query_by_label_contains("Before the change").is_some();
    let place = |harness: &Harness<'_, Panels>| harness.get_by_label("Neighbours per particle").rect();
    let before = place(&harness);
    assert!(!outdated(&harness));
    drag(&mut harness, "Hash table size", 0.5);
    assert!(outdated(&harness) && place(&harness) == before);
    // The next step.
    let grid = last_parameters(&harness).grid;
    let stats = harness.state_mut().snapshot.stats.as_mut().expect("there was a step");
    stats.search.parameters = grid;
    harness.run_ok();
    assert!(!outdated(&harness) && place(&harness) == before);
    // While the simulation runs with short steps, the marking would flicker.
    harness.state_mut().snapshot.paused = false;
    drag(&mut harness, "Hash table size", 0.8);
    assert!(!outdated(&harness));
}

#[test]
fn keys_and_buttons_send_commands() {
    let mut harness = harness(WINDOW, snapshot());
    harness.key_press(Key::Space);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    harness.run_ok();
    harness.get_by_label("Step once").click();
    harness.run_ok();
    let commands: Vec<Command> = harness
        .state()
        .actions
        .iter()
        .filter_map(|action| if let Action::Command(command) = action { Some(*command) } else { None })
        .collect();
    let wanted = [Command::PlayPause, Command::Save, Command::SaveSceneAs, Command::Quit, Command::StepOnce];
    let count = |command: &Command| commands.iter().filter(|sent| *sent == command).count();
    assert!(commands.len() == wanted.len() && wanted.iter().all(|command| count(command) == 1), "{commands:?}");
}

#[test]
fn a_focused_field_receives_the_keys() {
    let mut harness = harness(WINDOW, snapshot());
    harness.get_by_role_and_label(Role::SpinButton, "Hash table size").click();
    harness.run_ok();
    harness.key_press(Key::R);
    harness.key_press(Key::Space);
    harness.run_ok();
    assert_eq!(harness.state().actions, []);
}

#[test]
fn no_two_commands_share_keys_or_names() {
    let mut keys = HashSet::new();
    let mut names = HashSet::new();
    for command in Command::ALL {
        assert!(names.insert(command.label()), "{command:?}");
        assert!(command.tooltip().ends_with('.'), "{command:?}");
        for shortcut in command.shortcuts() {
            assert!(keys.insert(*shortcut), "{command:?}");
        }
    }
    // A film is pictures; a recording is what hands did.
    let of = |word: &str| Command::ALL.into_iter().filter(|command| command.label().contains(word)).collect::<Vec<_>>();
    assert_eq!((of("ecord"), of("film")), (vec![Command::SaveRecording], vec![Command::ToggleFilm]));
}

#[test]
fn dragging_the_view_turns_the_camera_and_double_clicking_frames_all() {
    let mut harness = harness(WINDOW, snapshot());
    let before = harness.state().state.display.camera;
    let center = harness.state().area.center();
    harness.hover_at(center);
    harness.step();
    harness.drag_at(center);
    harness.step();
    harness.hover_at(center + egui::vec2(50.0, 0.0));
    harness.step();
    harness.drop_at(center + egui::vec2(50.0, 0.0));
    harness.run_ok();
    let after = harness.state().state.display.camera;
    assert!(after.yaw != before.yaw && after.target == before.target && after.distance == before.distance);
    for _ in 0..2 {
        harness.drag_at(center);
        harness.event(egui::Event::PointerButton {
            pos: center,
            button: egui::PointerButton::Primary,
            pressed: false,
            modifiers: Modifiers::NONE,
        });
    }
    harness.run_ok();
    assert!(harness.state().actions.contains(&Action::Command(Command::FrameAll)), "{:?}", harness.state().actions);
}

#[test]
fn panels_fit_every_window() {
    // Room for everything; for the side panel or the plots alone; for neither; and for nothing.
    let sizes = [[1920.0, 1080.0], [640.0, 480.0], [500.0, 800.0], [500.0, 400.0], [330.0, 200.0], [100.0, 40.0], [1.0, 1.0]];
    for (size, snapshot) in sizes.into_iter().flat_map(|size| [(size, snapshot()), (size, compare::compared())]) {
        let mut harness = harness(size, snapshot);
        harness.state_mut().state.notices.push(Notice::error("Something failed", "a long line of details\n".repeat(40)));
        harness.run_ok();
        if size[0] < 300.0 {
            continue;
        }
        let (window, area) = (harness.ctx.content_rect(), harness.state().area);
        assert!(window.contains_rect(area), "{size:?}: the 3D view at {area}");
        // The panels make way before it becomes smaller than this; the bar above it and kittest's margins stay.
        let [width, height] = ui::theme::LEAST_SCENE;
        let least = egui::vec2(width, height).min(window.size() - egui::vec2(16.0, 16.0 + 36.0));
        assert!(area.width() >= least.x && area.height() >= least.y, "{size:?}: the 3D view at {area}, at least {least}");
        let notice = harness.get_by_label("Dismiss").rect();
        assert!(window.contains_rect(notice), "{size:?}: the notice's button at {notice}");
    }
}

#[test]
fn without_a_scene_there_are_buttons_to_open_one() {
    let empty = Snapshot { threads: 2, paused: true, ..Snapshot::default() };
    let mut harness = harness(WINDOW, empty);
    harness.get_by_label("Open scene…").click();
    harness.get_by_label("Browse scenes…").click();
    harness.run_ok();
    let wanted = [Command::Open, Command::ToggleGallery].map(Action::Command);
    assert!(wanted.iter().all(|action| harness.state().actions.contains(action)), "{:?}", harness.state().actions);
}

/// Menus, palette and keys.
#[test]
fn commands_that_need_a_scene_say_so_without_one() {
    let mut harness = harness(WINDOW, Snapshot { threads: 2, paused: true, ..Snapshot::default() });
    let is_disabled = |harness: &Harness<'_, Panels>, command: Command| {
        let row = format!("{} {}", command.label(), command.shortcut_text(&harness.ctx));
        harness.get_by_label(&row).accesskit_node().is_disabled()
    };
    harness.get_by_label("File").click();
    harness.run_ok();
    for command in [Command::SaveState, Command::SaveResult, Command::ExportPlot, Command::Screenshot, Command::ToggleFilm] {
        assert!(is_disabled(&harness, command), "{command:?}");
    }
    assert!(!is_disabled(&harness, Command::OpenState));
    harness.key_press(Key::Escape);
    harness.run_ok();
    harness.key_press(Key::F12);
    harness.run_ok();
    harness.get_by_label("Save picture: not possible now");
    assert!(harness.query_all_by_label("Open a scene first.").next().is_some());
    harness.state_mut().state.notices.dismiss();
    harness.state_mut().state.palette.toggle();
    harness.run_ok();
    harness.event(egui::Event::Text("save state".to_owned()));
    harness.run_ok();
    assert!(harness.query_by_label("Not possible now. Open a scene first.").is_some());
    harness.key_press(Key::Enter);
    harness.run_ok();
    harness.get_by_label("Save state: not possible now");
    assert_eq!(harness.state().actions, []);
}

/// At the lower edge, over the plots, or where there are none over the upper part of the view.
#[test]
fn messages_cover_no_fluid_while_there_are_plots() {
    for size in [[800.0, 600.0], [1280.0, 800.0]] {
        let mut harness = harness(size, snapshot());
        let title = "Cannot save the session recording to /home/ada/recordings/a long name of a file.jsonl";
        let advice = "The disk is full. ".repeat(30);
        harness.state_mut().state.notices.push(Notice::error(title, advice));
        for plots in [true, false] {
            harness.state_mut().state.shown.plots = plots;
            harness.run_ok();
            let (window, view) = (harness.ctx.content_rect(), harness.state().area);
            for place in [harness.get_by_label(title).rect(), harness.get_by_label("Dismiss").rect()] {
                assert!(window.contains_rect(place), "{size:?}: {place}");
                assert_eq!(view.intersects(place), !plots, "{size:?}: {place}, the view at {view}");
                assert!(place.bottom() < view.center().y || plots, "{size:?}: {place}, the view at {view}");
            }
        }
        harness.state_mut().state.close_uppermost();
        harness.run_ok();
        assert!(harness.query_by_label("Dismiss").is_none());
    }
}

#[test]
fn a_notice_stays_until_it_is_dismissed() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.notices.push(Notice::error("Cannot load x.toml", "x.toml:3:1: unknown key `titel`"));
    harness.run_ok();
    assert!(harness.query_by_label_contains("unknown key").is_some());
    harness.get_by_label("Dismiss").click();
    harness.run_ok();
    assert!(harness.query_by_label_contains("unknown key").is_none());
}

#[test]
fn escape_closes_the_messages_first() {
    let mut harness = harness(WINDOW, snapshot());
    let state = &mut harness.state_mut().state;
    state.notices.push(Notice::error("Cannot load x.toml", "unknown key"));
    (state.shown.help, state.view.selected) = (true, Some(Queried::Particle(7)));
    let left = |state: &ui::State| (state.notices.iter().count(), state.shown.help, state.view.selected);
    for expected in [(0, true, Some(Queried::Particle(7))), (0, false, Some(Queried::Particle(7))), (0, false, None)] {
        state.close_uppermost();
        assert_eq!(left(state), expected);
    }
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::ClearSelection)]);
}

/// Without a file dialog.
#[test]
fn a_path_can_be_typed() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.path_prompt = Some(PathPrompt::new(FilePurpose::OpenScene, Some("/scenes".as_ref())));
    harness.run_ok();
    harness.event(egui::Event::Text("pool.toml".to_owned()));
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.run_ok();
    let opens = Action::UseFile { purpose: FilePurpose::OpenScene, path: "/scenes/pool.toml".into(), replaces: false };
    assert_eq!(harness.state().actions, std::slice::from_ref(&opens));
    // The path is checked first, and may be mended.
    let prompt = harness.state_mut().state.path_prompt.as_mut().expect("it is still open");
    prompt.refuse("There is no such file.".to_owned());
    harness.run_ok();
    assert!(harness.query_by_label("There is no such file.").is_some());
    harness.event(egui::Event::Text("x".to_owned()));
    harness.run_ok();
    assert!(harness.query_by_label("There is no such file.").is_none());

    let purpose = FilePurpose::SavePicture("drop.png".to_owned());
    for (prompt, verb, replaces) in [
        (PathPrompt::new(purpose.clone(), Some("/pictures".as_ref())), "Save", false),
        (PathPrompt::replaces(purpose.clone(), "/pictures/drop.png".as_ref()), "Replace", true),
    ] {
        harness.state_mut().actions.clear();
        harness.state_mut().state.path_prompt = Some(prompt);
        harness.run_ok();
        assert_eq!(harness.query_by_label("This file exists.").is_some(), replaces);
        let buttons = harness.query_all_by_label(verb);
        buttons.max_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).expect("a button").click();
        harness.run_ok();
        let saves = Action::UseFile { purpose: purpose.clone(), path: "/pictures/drop.png".into(), replaces };
        assert_eq!(harness.state().actions, [saves]);
    }
    harness.state_mut().actions.clear();
    harness.state_mut().state.path_prompt = Some(PathPrompt::new(FilePurpose::OpenState, None));
    harness.run_ok();
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!((harness.state().actions.len(), &harness.state().state.path_prompt), (0, &None));

    // Each question begins with the cursor at the end, wherever it was in the one before.
    for keys in [[Key::Home, Key::Escape].as_slice(), [Key::Enter].as_slice()] {
        harness.state_mut().state.path_prompt = Some(PathPrompt::new(FilePurpose::OpenScene, Some("/scenes".as_ref())));
        harness.run_ok();
        harness.event(egui::Event::Text("pool.toml".to_owned()));
        harness.run_ok();
        for &key in keys {
            harness.key_press(key);
            harness.run_ok();
        }
    }
    assert_eq!(harness.state().actions, [opens]);
}

#[test]
fn a_notice_is_removed_with_its_cause() {
    let mut harness = harness(WINDOW, snapshot());
    let stopped = Notice::error("The simulation stopped", "in step 7").about(Subject::Step);
    let unknown = Notice::error("Cannot load x.toml", "x.toml:3:1: unknown key `titel`").about(Subject::Scene);
    let panels = harness.state_mut();
    panels.snapshot.failure = Some("in step 7".to_owned());
    panels.state.notices.push(stopped.clone());
    panels.state.notices.push(unknown.clone());
    panels.state.follow(&panels.snapshot);
    assert_eq!(panels.state.notices.iter().collect::<Vec<_>>(), [&stopped, &unknown]);
    panels.snapshot.failure = None;
    panels.state.follow(&panels.snapshot);
    assert_eq!(panels.state.notices.iter().collect::<Vec<_>>(), [&unknown]);
    panels.snapshot.generation += 1;
    panels.state.follow(&panels.snapshot);
    assert_eq!(panels.state.notices.iter().count(), 0);
}

#[test]
fn long_notices_wrap_and_grow_with_the_window() {
    let sentence = "The fluid is as it was before that step; try a smaller time-step factor. ".repeat(4);
    let mut harness = harness([900.0, 500.0], snapshot());
    harness.state_mut().state.notices.push(Notice::error("Something failed", sentence.clone()));
    harness.run_ok();
    let details = |harness: &Harness<'_, Panels>| harness.get_by_label_contains("as it was").rect();
    let before = details(&harness);
    assert!(harness.state().area.contains_rect(before) && before.height() > 30.0, "{before}");
    harness.set_size(egui::vec2(340.0, 120.0));
    harness.run_ok();
    harness.set_size(egui::vec2(900.0, 500.0));
    harness.run_ok();
    assert_eq!(details(&harness), before);
}

#[test]
fn the_speed_limit_can_be_chosen() {
    let mut harness = harness([1280.0, 1000.0], snapshot());
    harness.get_by_role_and_label(Role::ComboBox, "Speed limit").click();
    harness.run_ok();
    harness.get_by_label("Unlimited").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::SetSpeedLimit(SpeedLimit::Unlimited)]);
}

#[test]
fn the_panels_match_the_snapshot() {
    if let Err(error) = sph_render::Gpu::headless() {
        panic!("this test needs a graphics driver: {error}");
    }
    // Independent of the platform's fonts, but not of its graphics driver: a few pixels along edges may differ.
    let options = SnapshotOptions::new().threshold(1.0).max_failed_pixels(60);
    let mut harness = harness([336.0 + 320.0, 620.0], snapshot());
    for (theme, name) in [(ThemeChoice::Dark, "panels"), (ThemeChoice::Light, "panels_light")] {
        harness.state_mut().state.theme = theme;
        harness.run_ok();
        harness.snapshot_options(name, &options);
    }
}
