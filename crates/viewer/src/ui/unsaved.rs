//! Question before unsaved edits of parameters are lost.

use std::path::Path;

use super::{Action, State, theme};
use crate::command;
use crate::session::{SceneSource, Snapshot};
use egui::{Button, Frame, Id, Key, KeyboardShortcut, Margin, Modal, Modifiers, RichText, Sides, Ui};

/// Keys that answer "Discard", as they do in other programs.
const DISCARD: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::D);

/// Number of changed parameters that are named.
const NAMED: usize = 6;

/// Lays out the question while it is open.
pub fn question_ui(ui: &Ui, state: &State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let (Some(leaving), Some(scene)) = (&state.leaving, &snapshot.scene) else { return };
    let unsaved = state.edited.unsaved(scene);
    let has_file = scene.path.is_some();
    let mut answer = None;
    // Scenes that were saved as others share their titles.
    let file = scene.path.as_deref().and_then(Path::file_name).map(|file| format!(" ({})", file.to_string_lossy()));
    let name = format!("{}{}", scene.title, file.unwrap_or_default());
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(16));
    let modal = Modal::new(Id::unique("unsaved")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width((ui.ctx().content_rect().width() - 8.0 * theme::SPACE).min(400.0));
        ui.heading(match leaving {
            Leaving::Quit => format!("Save changes to {name} before closing?"),
            Leaving::Open(_) => format!("Save changes to {name} before opening another scene?"),
        });
        ui.add_space(theme::SPACE);
        ui.label("Changed parameters:");
        let more = unsaved.len().saturating_sub(NAMED);
        let mut names = unsaved[..unsaved.len() - more].join(", ");
        if more > 0 {
            names += &format!(", and {more} more");
        }
        ui.label(RichText::new(names).color(theme::of(ui).text_quiet));
        if !snapshot.dropped.is_empty() {
            let dropped = match snapshot.dropped.len() {
                1 => "A dropped body is lost too: scene files hold none.".to_owned(),
                count => format!("{count} dropped bodies are lost too: scene files hold none."),
            };
            ui.label(RichText::new(dropped).color(theme::of(ui).text_quiet));
        }
        if !has_file {
            ui.label(
                RichText::new("The scene has no file to save to. Cancel, then choose File › Save scene as…")
                    .color(theme::of(ui).warning),
            );
        }
        ui.add_space(1.5 * theme::SPACE);
        let (discard, (save, cancel)) = Sides::new().show(
            ui,
            |ui| ui.button("Discard").on_hover_text(command::shortcut_text(ui.ctx(), &DISCARD)),
            |ui| {
                let save = ui.add_enabled(has_file, Button::new("Save").fill(theme::of(ui).accent_dim));
                (save.on_disabled_hover_text("There is no file to save to."), ui.button("Cancel"))
            },
        );
        if has_file && ui.memory(|memory| memory.focused().is_none()) {
            save.request_focus();
        }
        let discards = discard.clicked() || ui.input_mut(|input| input.consume_shortcut(&DISCARD));
        let answers = [(discards, Answer::Discard), (save.clicked(), Answer::Save), (cancel.clicked(), Answer::Cancel)];
        answer = answers.into_iter().find(|(given, _)| *given).map(|(_, answer)| answer);
    });
    if modal.should_close() {
        answer = answer.or(Some(Answer::Cancel));
    }
    actions.extend(answer.map(Action::Answer));
}

/// What the user wants to do, and would lose unsaved edits by.
#[derive(Clone, Debug)]
pub enum Leaving {
    /// Close the window.
    Quit,
    /// Open another scene.
    Open(SceneSource),
}

/// Answer to the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save the edits first.
    Save,
    /// Lose the edits.
    Discard,
    /// Stay.
    Cancel,
}
