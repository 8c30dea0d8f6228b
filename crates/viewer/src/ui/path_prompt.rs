//! Question for a path, as a line of text: in place of the file dialog on a system that has none.

use std::path::{Path, PathBuf};

use super::{Action, State, theme};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Button, Frame, Id, Key, Label, Margin, Modal, RichText, Sides, TextEdit, Ui};

/// Purpose of a file that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// Scene to open.
    OpenScene,
    /// Place of a scene to save, with the name to begin with.
    SaveScene(String),
    /// State to open.
    OpenState,
    /// Place of a state to save, with the name to begin with.
    SaveState(String),
    /// Place of a picture to save, with the name to begin with.
    SavePicture(String),
    /// Folder of pictures and films to come.
    PicturesFolder,
    /// The same, for a film that begins at once.
    FilmFolder,
    /// Place of a recording to save, with the name to begin with.
    SaveRecording(String),
    /// Place of a table of the plots, with the name to begin with.
    ExportPlot(String),
    /// Result to open.
    OpenResult,
    /// Place of a result to save, with the name to begin with.
    SaveResult(String),
}

impl FilePurpose {
    /// Title of the dialog.
    pub fn title(&self) -> &'static str {
        match self {
            Self::OpenScene => "Open scene",
            Self::SaveScene(_) => "Save scene",
            Self::OpenState => "Open state",
            Self::SaveState(_) => "Save state",
            Self::SavePicture(_) => "Save picture",
            Self::PicturesFolder => "Folder for pictures and films",
            Self::FilmFolder => "Folder for the film",
            Self::SaveRecording(_) => "Save session recording",
            Self::ExportPlot(_) => "Export plot",
            Self::OpenResult => "Open result",
            Self::SaveResult(_) => "Save result",
        }
    }

    /// True for a folder, false for a file.
    pub fn is_folder(&self) -> bool {
        matches!(self, Self::PicturesFolder | Self::FilmFolder)
    }

    /// Name to begin with, for a file that is written; `None` for what is there already.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::OpenScene | Self::OpenState | Self::OpenResult | Self::PicturesFolder | Self::FilmFolder => None,
            Self::SaveScene(name)
            | Self::SaveState(name)
            | Self::SavePicture(name)
            | Self::SaveRecording(name)
            | Self::SaveResult(name)
            | Self::ExportPlot(name) => Some(name),
        }
    }
}

/// Question that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPrompt {
    purpose: FilePurpose,
    text: String,
    /// True if there is a file at the path of the text, which would be replaced.
    exists: bool,
    /// Reason why the path of the text cannot be used.
    refusal: Option<String>,
}

impl PathPrompt {
    /// The question for `purpose`, beginning in `folder`.
    pub fn new(purpose: FilePurpose, folder: Option<&Path>) -> Self {
        let path = folder.unwrap_or(Path::new("")).join(purpose.name().unwrap_or_default());
        Self { purpose, text: path.display().to_string(), exists: false, refusal: None }
    }

    /// The question whether to replace the file at `path`.
    pub fn replaces(purpose: FilePurpose, path: &Path) -> Self {
        Self { purpose, text: path.display().to_string(), exists: true, refusal: None }
    }

    /// Says why the path that was typed cannot be used; the question stays open.
    pub fn refuse(&mut self, reason: String) {
        self.refusal = Some(reason);
    }
}

/// Lays out the question while it is open.
pub fn path_prompt_ui(ui: &Ui, state: &mut State, actions: &mut Vec<Action>) {
    let Some(prompt) = &mut state.path_prompt else { return };
    let (mut accepted, mut cancelled) = (false, false);
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(16));
    let modal = Modal::new(Id::unique("path")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width((ui.ctx().content_rect().width() - 8.0 * theme::SPACE).min(520.0));
        ui.heading(prompt.purpose.title());
        ui.add_space(theme::SPACE);
        let what = if prompt.purpose.is_folder() { "folder" } else { "file" };
        let hint = format!("This system has no file dialog (xdg-desktop-portal or zenity provides one). Path of the {what}:");
        let label = ui.label(RichText::new(hint).color(theme::of(ui).text_quiet));
        let field = ui.add(TextEdit::singleline(&mut prompt.text).desired_width(f32::INFINITY)).labelled_by(label.id);
        if field.changed() {
            (prompt.exists, prompt.refusal) = (false, None);
        }
        accepted = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if !accepted && ui.memory(|memory| memory.focused().is_none()) {
            field.request_focus();
            // The cursor of the question before is still remembered.
            let mut edited = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
            edited.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(prompt.text.chars().count()))));
            edited.store(ui.ctx(), field.id);
        }
        if prompt.exists {
            ui.label(RichText::new("This file exists.").color(theme::of(ui).warning));
        }
        if let Some(refusal) = &prompt.refusal {
            ui.add(Label::new(RichText::new(refusal).color(theme::of(ui).error)).wrap());
        }
        ui.add_space(1.5 * theme::SPACE);
        let verb = match prompt.purpose.name() {
            Some(_) if prompt.exists => "Replace",
            Some(_) => "Save",
            None if prompt.purpose.is_folder() => "Choose",
            None => "Open",
        };
        Sides::new().show(
            ui,
            |_| (),
            |ui| {
                accepted |= ui.add(Button::new(verb).fill(theme::of(ui).accent_dim)).clicked();
                cancelled = ui.button("Cancel").clicked();
            },
        );
    });
    let closes = cancelled || modal.should_close();
    let path = prompt.text.trim();
    if accepted && !path.is_empty() {
        let (purpose, path) = (prompt.purpose.clone(), PathBuf::from(path));
        // It closes once the path has been found to work.
        prompt.refusal = None;
        actions.push(Action::UseFile { purpose, path, replaces: prompt.exists });
    } else if closes {
        state.path_prompt = None;
    }
}
