//! The bar of playback, and the ways out of a refused step.

use super::panels::{Panels, harness, snapshot};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::{StepError, StepStats};
use std::sync::Arc;
use viewer::command::Command;
use viewer::session::remedies::Refusal;
use viewer::session::{Goal, Moment, Notice, Snapshot, Subject, Timeline};
use viewer::ui::Action;

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

/// A way to a later moment undoes nothing that hands did.
#[test]
fn only_earlier_moments_are_a_way_back() {
    let back = |snapshot: &Snapshot, actions: &[Action]| actions.iter().all(|action| action.goes_back(snapshot));
    let commands = [Command::StepBack, Command::Reset, Command::GoToStart, Command::CompareWithStart];
    let seeks = |goals: [Goal; 2]| goals.map(Action::Seek);
    let present = kept();
    assert!(back(&present, &commands.map(Action::Command)));
    assert!(back(&present, &seeks([Goal::Steps(199), Goal::Time(1.9)])));
    let later = seeks([Goal::Steps(250), Goal::Time(2.5)]).into_iter().chain(seeks([Goal::Steps(200), Goal::Time(2.0)]));
    let later: Vec<Action> = later.chain([Action::Command(Command::GoToEnd)]).collect();
    assert!(later.iter().all(|action| !action.goes_back(&present)), "{later:?}");
    // From the start the same command leads to the moment that was left.
    let start = Snapshot { time: 0.0, steps: 0, ..present };
    assert!(!Action::Command(Command::CompareWithStart).goes_back(&start));
}

#[test]
fn a_small_window_keeps_the_buttons() {
    let harness = harness([640.0, 420.0], kept());
    assert!(harness.query_by_role_and_label(Role::Slider, "Timeline").is_none());
    assert!(harness.query_by_label("Step back").is_some());
}

#[test]
fn a_refused_step_offers_ways_out() {
    let mut snapshot = kept();
    let stats: StepStats = snapshot.stats.clone().expect("there was a step");
    let parameters = snapshot.parameters.expect("a scene has parameters");
    let (particle_id, position) = (snapshot.particles.ids[7], snapshot.particles.positions[7]);
    let error = StepError::Runaway { particle_id, position, speed: 1e6 };
    let refusal = Refusal::new(&error, &stats, &parameters);
    let remedy = refusal.remedies[0].clone();
    snapshot.failure = Some(refusal.sentence.clone());
    snapshot.refusal = Some(Arc::new(refusal));
    let mut harness = harness([1280.0, 800.0], snapshot);
    let notice = Notice::error("The simulation stopped: a step was refused", "a particle").about(Subject::Step);
    harness.state_mut().state.notices.push(notice);
    harness.run_ok();
    harness.get_by_label("Rewind 1 s").click();
    harness.run_ok();
    assert_eq!(actions(&harness), [Action::Seek(Goal::Time(1.0))]);
    harness.get_by_label("Show particle").click();
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!((state.camera.target, state.view.selected), (position, Some(particle_id)));
    harness.get_by_label(&remedy.words()).click();
    harness.run_ok();
    let changed = remedy.apply(&parameters).expect("it can be applied");
    assert!(actions(&harness).iter().any(|action| matches!(action, Action::SetParameters(set, _) if *set == changed)));
}
