//! Plots of curves that the user has chosen: statistics, probes, particles; the values under the pointer, and the export.

use super::panels::{Panels, SCENE, harness, snapshot_of};
use egui::accesskit::Role;
use egui::{Event, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::probes::Reading;
use viewer::command::Command;
use viewer::session::{Curve, MAX_FOLLOWED, ParticleQuantity, Readings, STATISTICS, Snapshot};
use viewer::ui::{Action, Choice, Plotted, plot_csv};

/// Readings with these labels and units, of which number `n` is `(n + 1) t` from 0 to 1 s.
fn readings(labels: &[(String, &'static str)], overview: usize) -> Readings {
    let curve = |(index, (label, unit)): (usize, &(String, &'static str))| Curve {
        reading: Reading { label: label.clone(), unit },
        index,
    };
    let mut readings = Readings::with_curves(labels.iter().enumerate().map(curve).collect(), overview);
    for step in 0..=100_u32 {
        let time = 0.01 * f64::from(step);
        readings.add(time, &(1..=labels.len()).map(|number| Some(number as f64 * time)).collect::<Vec<_>>());
    }
    readings
}

fn plotted() -> Snapshot {
    let probe = "probes = [{ name = 'edge', kind = 'front', toward = 'x_max' }]\n[particles]";
    let mut snapshot = snapshot_of(&SCENE.replacen("[particles]", probe, 1));
    let statistics = STATISTICS.iter().map(|statistic| (statistic.label.to_owned(), statistic.unit));
    let motion = [("Kinetic energy".to_owned(), "J")].into_iter().chain(statistics);
    snapshot.motion = readings(&motion.collect::<Vec<_>>(), 1);
    snapshot.readings = readings(&[("edge".to_owned(), "m")], 1);
    (snapshot.time, snapshot.timeline.end.time) = (1.0, 1.0);
    snapshot
}

fn chosen() -> Harness<'static, Panels> {
    let mut harness = harness([1280.0, 900.0], plotted());
    harness.get_by_label("Chosen").click();
    harness.run_ok();
    harness
}

fn has(harness: &Harness<'_, Panels>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

/// In a pause both stand still, and would seem to disagree.
#[test]
fn the_plot_of_candidates_has_the_number_of_the_grid_panel() {
    let mut snapshot = plotted();
    let stats = snapshot.stats.as_mut().expect("there was a step");
    stats.search.tally.candidates += 4321;
    let number = format!("{:.2}", stats.search.candidates_per_neighbor());
    let harness = harness([1280.0, 900.0], snapshot);
    assert_eq!(harness.query_all_by_label(&number).count(), 2);
}

#[test]
fn statistics_and_probes_are_chosen_by_search() {
    let mut harness = chosen();
    assert!(has(&harness, "Plot any statistic"));
    harness.get_by_label("Choose curves…").click();
    harness.run_ok();
    harness.get_by_label("Search curves").focus();
    harness.run_ok();
    harness.event(Event::Text("load".to_owned()));
    harness.run_ok();
    assert!(has(&harness, "Load factor") && !has(&harness, "Neighbours missed"));
    harness.get_by_role_and_label(Role::CheckBox, "Load factor").click();
    harness.run_ok();
    harness.get_by_label("Search curves").focus();
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, egui::Key::A);
    harness.run_ok();
    harness.event(Event::Text("probes".to_owned()));
    harness.run_ok();
    harness.get_by_role_and_label(Role::CheckBox, "edge").click();
    harness.run_ok();
    let choices = &harness.state().state.plots.chosen.choices;
    assert_eq!(*choices, [Choice::Statistic("Load factor".to_owned()), Choice::Probe("edge".to_owned())]);
    // Once more takes one away.
    harness.get_by_role_and_label(Role::CheckBox, "edge").click();
    harness.run_ok();
    assert_eq!(harness.state().state.plots.chosen.choices.len(), 1);
    let table = plot_csv(&harness.state().state.plots, None, &harness.state().snapshot).expect("a curve is shown");
    assert!(table.starts_with("time (s),Load factor\n0,0\n") && table.lines().count() == 102, "{table}");
}

#[test]
fn the_pointer_shows_the_values_of_its_time() {
    let mut harness = chosen();
    harness.state_mut().state.plots.chosen.choices = vec![Choice::Probe("edge".to_owned())];
    harness.run_ok();
    assert!(harness.query_by_label("1.00 m").is_some() && harness.query_by_label("at").is_none());
    let tabs = harness.get_by_label("Chosen").rect();
    // The middle of the plot, well to the right of the legend.
    harness.hover_at(pos2(840.0, tabs.center().y + 20.0));
    harness.run_ok();
    harness.run_ok();
    assert!(harness.query_by_label("at").is_some());
    assert!(harness.query_by_label("1.00 m").is_none(), "the value is that of an earlier time");
}

#[test]
fn plots_are_exported_by_button_and_command() {
    let mut harness = chosen();
    harness.get_by_label("Export").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [], "nothing is chosen");
    // A click ends tooltips until the pointer comes anew.
    harness.hover_at(pos2(4.0, 4.0));
    harness.run_ok();
    harness.get_by_label("Export").hover();
    harness.run_steps(60);
    assert!(has(&harness, "No curves are chosen."));
    harness.state_mut().state.plots.chosen.choices = vec![Choice::Probe("edge".to_owned())];
    harness.run_ok();
    harness.get_by_label("Export").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::ExportPlot)]);
    let Panels { state, snapshot, .. } = harness.state_mut();
    state.plots.chosen.choices.clear();
    assert_eq!(plot_csv(&state.plots, None, snapshot), None);
    state.plots.plotted = Plotted::Costs;
    let costs = plot_csv(&state.plots, None, snapshot).expect("there were steps");
    assert!(costs.starts_with("running time (s),sort (ms),build (ms),") && costs.lines().count() > 100, "{costs}");
    state.plots.plotted = Plotted::Motion;
    assert!(plot_csv(&state.plots, None, snapshot).expect("samples").starts_with("time (s),Kinetic energy (J)\n"));
}

/// Place of a particle on the screen.
fn place(harness: &Harness<'_, Panels>, index: usize) -> Pos2 {
    let Panels { state, snapshot, area, .. } = harness.state();
    let place = state.display.camera.project(snapshot.particles.positions[index], area.aspect_ratio()).expect("in view");
    area.center() + 0.5 * area.size() * vec2(place.x, -place.y)
}

fn press(harness: &mut Harness<'_, Panels>, pos: Pos2, pressed: bool) {
    let button = PointerButton::Primary;
    harness.event_modifiers(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::COMMAND }, Modifiers::COMMAND);
}

fn particles(harness: &Harness<'_, Panels>) -> Vec<u32> {
    harness.state().state.plots.chosen.particles.clone()
}

#[test]
fn a_click_with_ctrl_follows_a_particle() {
    let mut harness = harness([1280.0, 900.0], plotted());
    let at = place(&harness, 100);
    for expected in [1, 0] {
        harness.hover_at(at);
        harness.run_ok();
        press(&mut harness, at, true);
        press(&mut harness, at, false);
        harness.run_ok();
        assert_eq!(particles(&harness).len(), expected);
        assert_eq!(harness.state().state.view.selected, None, "a click without Ctrl selects");
    }
    let follows: Vec<_> = harness.state().actions.iter().filter(|action| matches!(action, Action::Follow(_))).collect();
    assert_eq!(follows.len(), 2, "{follows:?}");
    assert_eq!(harness.state().state.plots.plotted, Plotted::Chosen);
}

#[test]
fn a_box_follows_particles_and_their_values_are_plotted() {
    let mut harness = harness([1280.0, 900.0], plotted());
    let camera = harness.state().state.display.camera;
    let (from, to) =
        (harness.state().area.left_top() + vec2(60.0, 60.0), harness.state().area.right_bottom() - vec2(60.0, 60.0));
    harness.hover_at(from);
    harness.run_ok();
    press(&mut harness, from, true);
    harness.run_ok();
    harness.event_modifiers(Event::PointerMoved(to), Modifiers::COMMAND);
    harness.run_ok();
    press(&mut harness, to, false);
    harness.run_ok();
    let followed = particles(&harness);
    assert_eq!(followed.len(), MAX_FOLLOWED);
    assert_eq!(harness.state().state.display.camera, camera, "the view does not turn");
    assert!(has(&harness, "particles in the box are followed"));
    // The session reads them.
    let labels =
        followed.iter().flat_map(|id| ParticleQuantity::ALL.map(|quantity| (format!("{} of {id}", quantity.label()), "m")));
    harness.state_mut().snapshot.followed_readings = readings(&labels.collect::<Vec<_>>(), 0);
    harness.state_mut().snapshot.followed.clone_from(&followed);
    harness.run_ok();
    assert!(has(&harness, &format!("Speed of {}", followed[0])) && !has(&harness, "Pressure of"));
    harness.state_mut().state.plots.chosen.quantities.push(ParticleQuantity::Pressure);
    harness.run_ok();
    assert!(has(&harness, &format!("Pressure of {}", followed[0])));
    harness.get_by_label("Clear particles").click();
    harness.run_ok();
    assert_eq!((particles(&harness).len(), harness.state().actions.last()), (0, Some(&Action::Follow(Vec::new()))));
}
