//! Commands of the window that carry no value: one enum owns each command's label, tooltip and shortcuts.
//!
//! Menus, buttons and shortcuts all send these, so that each can do what the others can.

use crate::ui::Tool;
use egui::{Context, Key, KeyboardShortcut, Modifiers};

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Runs or pauses.
    PlayPause,
    /// Makes one step.
    StepOnce,
    /// Goes back by one step.
    StepBack,
    /// Goes to the start.
    GoToStart,
    /// Goes to the latest moment.
    GoToEnd,
    /// Shows the start in place of the present moment, or that again.
    CompareWithStart,
    /// Restarts the simulation.
    Reset,
    /// Gives every parameter the scene's value.
    ResetParameters,
    /// Undoes the last edit of the parameters, takes back a body that was dropped in this pause, or goes back to before a hand's last use.
    Undo,
    /// Makes the edit again that was undone last.
    Redo,
    /// Opens or closes the gallery of scenes.
    ToggleGallery,
    /// Opens a dialog for a scene file.
    Open,
    /// Opens the scene's file again.
    Reload,
    /// Writes the parameters back to the scene file.
    Save,
    /// Asks for a place and saves the scene there, with changed parameters and view.
    SaveSceneAs,
    /// Opens a dialog for a saved state.
    OpenState,
    /// Opens a dialog for the place of a state to save.
    SaveState,
    /// Takes a tool of the 3D view.
    Use(Tool),
    /// Opens a dialog for the place of the session's recording.
    SaveRecording,
    /// Opens a dialog for the place of a result of the last steps.
    SaveResult,
    /// Opens a dialog for a result to compare with.
    OpenResult,
    /// Opens a dialog for the place of a table of the plots.
    ExportPlot,
    /// Shows or hides the panel of results.
    ToggleResult,
    /// Saves a picture of the 3D view.
    Screenshot,
    /// Opens a dialog for the place of a picture.
    SavePictureAs,
    /// Opens a dialog for the folder of pictures and films.
    ChoosePicturesFolder,
    /// Starts or ends a film.
    ToggleFilm,
    /// Opens or closes the window for pictures and videos.
    TogglePictures,
    /// Moves the camera so that everything is in view.
    FrameAll,
    /// Begins or ends the comparison of two grids.
    CompareGrids,
    /// Shows or hides the side panel.
    ToggleSidePanel,
    /// Shows or hides the plots.
    TogglePlots,
    /// Shows or hides the edges of the tank.
    ToggleTank,
    /// Draws pictures between two steps, or no longer.
    ToggleSmooth,
    /// Shows or hides velocities as arrows.
    ToggleArrows,
    /// Cuts the fluid open by a plane, or no longer.
    ToggleClip,
    /// Shows or hides the cells of the grid.
    ToggleCells,
    /// Shows one layer of cells, or all of them.
    ToggleSlice,
    /// Opens or closes the map of buckets.
    ToggleBucketMap,
    /// Closes the messages or the list of keys, or else stops following a particle's query and unpins the bucket.
    ClearSelection,
    /// Shows or hides the search for the best grid.
    ToggleTuning,
    /// Puts the panels back to their default places.
    ResetLayout,
    /// Enters or leaves full screen.
    ToggleFullscreen,
    /// Opens or closes the command palette.
    TogglePalette,
    /// Shows or hides the list of shortcuts.
    ToggleHelp,
    /// Closes the window.
    Quit,
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn command_key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

impl Command {
    /// Every command.
    pub const ALL: [Self; 52] = [
        Self::PlayPause,
        Self::StepOnce,
        Self::StepBack,
        Self::GoToStart,
        Self::GoToEnd,
        Self::CompareWithStart,
        Self::Reset,
        Self::ResetParameters,
        Self::Undo,
        Self::Redo,
        Self::ToggleGallery,
        Self::Open,
        Self::Reload,
        Self::Save,
        Self::SaveSceneAs,
        Self::OpenState,
        Self::SaveState,
        Self::SaveRecording,
        Self::SaveResult,
        Self::OpenResult,
        Self::ToggleResult,
        Self::ExportPlot,
        Self::Screenshot,
        Self::SavePictureAs,
        Self::ChoosePicturesFolder,
        Self::ToggleFilm,
        Self::TogglePictures,
        Self::FrameAll,
        Self::CompareGrids,
        Self::Use(Tool::Look),
        Self::Use(Tool::Push),
        Self::Use(Tool::Pull),
        Self::Use(Tool::Pour),
        Self::Use(Tool::Tilt),
        Self::Use(Tool::Move),
        Self::Use(Tool::Drop),
        Self::ToggleSidePanel,
        Self::TogglePlots,
        Self::ToggleTank,
        Self::ToggleSmooth,
        Self::ToggleArrows,
        Self::ToggleClip,
        Self::ToggleCells,
        Self::ToggleSlice,
        Self::ToggleBucketMap,
        Self::ClearSelection,
        Self::ToggleTuning,
        Self::ResetLayout,
        Self::ToggleFullscreen,
        Self::TogglePalette,
        Self::ToggleHelp,
        Self::Quit,
    ];

    /// Name in menus.
    pub fn label(self) -> &'static str {
        match self {
            Self::PlayPause => "Play or pause",
            Self::StepOnce => "Step once",
            Self::StepBack => "Step back",
            Self::GoToStart => "Go to the start",
            Self::GoToEnd => "Go to the latest moment",
            Self::CompareWithStart => "Compare with the start",
            Self::Reset => "Reset simulation",
            Self::ResetParameters => "Reset parameters to scene",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::ToggleGallery => "Browse scenes…",
            Self::Open => "Open scene…",
            Self::Reload => "Reload scene",
            Self::Save => "Save parameters to scene",
            Self::SaveSceneAs => "Save scene as…",
            Self::OpenState => "Open state…",
            Self::SaveState => "Save state…",
            Self::SaveRecording => "Save session recording…",
            Self::SaveResult => "Save result…",
            Self::OpenResult => "Open result…",
            Self::ToggleResult => "Result",
            Self::ExportPlot => "Export plot…",
            Self::Screenshot => "Save picture",
            Self::SavePictureAs => "Save picture as…",
            Self::ChoosePicturesFolder => "Choose pictures folder…",
            Self::ToggleFilm => "Start/stop film",
            Self::TogglePictures => "Pictures and video…",
            Self::FrameAll => "Frame all",
            Self::CompareGrids => "Compare grids",
            Self::Use(tool) => tool.command(),
            Self::ToggleSidePanel => "Side panels",
            Self::TogglePlots => "Performance",
            Self::ToggleTank => "Tank",
            Self::ToggleSmooth => "Smooth slow motion",
            Self::ToggleArrows => "Velocity arrows",
            Self::ToggleClip => "Clip plane",
            Self::ToggleCells => "Show cells",
            Self::ToggleSlice => "One layer only",
            Self::ToggleBucketMap => "Bucket map",
            Self::ClearSelection => "Close message or selection",
            Self::ToggleTuning => "Auto-tune",
            Self::ResetLayout => "Reset layout",
            Self::ToggleFullscreen => "Full screen",
            Self::TogglePalette => "Find command or parameter…",
            Self::ToggleHelp => "Keys and mouse",
            Self::Quit => "Quit",
        }
    }

    /// Description in one sentence.
    pub fn tooltip(self) -> &'static str {
        match self {
            Self::PlayPause => "Run or pause the simulation. After rewinding, a new future begins.",
            Self::StepOnce => "Make a single step and pause; after rewinding, repeat the original step.",
            Self::StepBack => "Go back one step and pause.",
            Self::GoToStart => "Go back to the start, with the parameters it had then; later moments are kept.",
            Self::GoToEnd => "Go to the latest computed moment.",
            Self::CompareWithStart => "Switch between the start and the present moment.",
            Self::Reset => "Start the scene again: fluid, bodies, cloth and balls. The parameters keep their values.",
            Self::ResetParameters => "Reset every parameter to the scene's value; the simulation continues.",
            Self::Undo => {
                "Undo the last parameter change (a drag counts as one), or what you did last with a tool, by rewinding to before it."
            }
            Self::Redo => "Redo the last undone change.",
            Self::ToggleGallery => "The gallery: choose a scene by its picture; search by name.",
            Self::Open => "Choose a scene file (*.toml, or *.json of SPlisHSPlasH). Dropping one on the window does the same.",
            Self::Reload => "Read the scene file again and restart. Asks before discarding unsaved changes.",
            Self::OpenState => "Continue from a saved state, or from a checkpoint of `sph run` (*.checkpoint).",
            Self::SaveState => "Save the current state with its scene; `sph run --resume` can continue from it.",
            Self::SaveRecording => {
                "Save what you did with tools and parameters since the start; `sph run --replay` repeats it bit for bit."
            }
            Self::SaveResult => {
                "Save the times of the last steps with scene, settings, machine and versions in one file to share."
            }
            Self::OpenResult => "Compare a result, of this window or of `sph bench --result`, with the present scene (*.json).",
            Self::ToggleResult => "Show or hide the comparison of a result with the present scene.",
            Self::ExportPlot => "Save the curves that the plots show as a table (*.csv).",
            Self::Save => "Save changed parameters to the scene file and leave the rest of it as it is.",
            Self::SaveSceneAs => "Save the scene with changed parameters as another file, and go on with that.",
            Self::Screenshot => "Save the 3D view as a PNG file in your pictures folder.",
            Self::SavePictureAs => "Save the 3D view as a PNG file of your choice.",
            Self::ChoosePicturesFolder => "Choose where pictures and films are saved.",
            Self::ToggleFilm => "Film the 3D view until you stop it. “Pictures and video” has size, format and frame rate.",
            Self::TogglePictures => "Settings of pictures and films: size, transparency, captions, video format, camera path.",
            Self::FrameAll => "Frame everything: move the camera so that the tank and all the fluid are in view.",
            Self::CompareGrids => {
                "Compare the search that is shown with a second grid from the same state, or end the comparison."
            }
            Self::Use(tool) => tool.tooltip(),
            Self::ToggleSidePanel => "Show or hide the side panels: grid, scene, fluid, solver and others.",
            Self::TogglePlots => "Show or hide the plots of step cost, motion, probes and chosen curves.",
            Self::ToggleTank => "Show or hide the edges of the tank.",
            Self::ToggleSmooth => {
                "Where a step takes longer than a frame, draw pictures between its beginning and its end, so that slow fluid \
                 flows instead of jumping. The view lags the simulation by a step. Not while cells or a query are shown. On a \
                 software driver this takes time from the simulation."
            }
            Self::ToggleArrows => {
                "Draw the velocities of an evenly spaced selection of particles. Length shows speed: colour by speed and lock \
                 a low range for longer arrows."
            }
            Self::ToggleClip => "Cut the fluid open: show only one side of a plane.",
            Self::ToggleCells => "Draw occupied cells as boxes over the fluid.",
            Self::ToggleSlice => "Cut the fluid open: show one layer of cells and the particles in it.",
            Self::ToggleBucketMap => "Show the hash table as a picture, one dot per bucket.",
            Self::ClearSelection => {
                "Close the messages, then the list of keys; then stop following a query and unpin the bucket; then put the tool down."
            }
            Self::ToggleTuning => "Find the grid that makes the neighbour search fastest on this machine.",
            Self::ResetLayout => "Reset all panels to their default positions and sizes.",
            Self::ToggleFullscreen => "Switch between full screen and window.",
            Self::TogglePalette => "Search all commands, parameters, looks, colours, lessons and scenes by name.",
            Self::ToggleHelp => "Show or hide the list of keys and mouse actions.",
            Self::Quit => "Close the window.",
        }
    }

    /// Shortcuts; menus show the first.
    pub fn shortcuts(self) -> &'static [KeyboardShortcut] {
        const OPEN_STATE: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::O);
        const SAVE_STATE: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::K);
        const SAVE_SCENE_AS: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::S);
        const REDO: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
        match self {
            Self::PlayPause => const { &[key(Key::Space)] },
            Self::StepOnce => const { &[key(Key::ArrowRight), key(Key::Period)] },
            Self::StepBack => const { &[key(Key::ArrowLeft), key(Key::Comma)] },
            Self::GoToStart => const { &[key(Key::Home)] },
            Self::GoToEnd => const { &[key(Key::End)] },
            Self::CompareWithStart => const { &[key(Key::S)] },
            Self::Reset => const { &[key(Key::R)] },
            Self::ResetParameters => &[],
            Self::Undo => const { &[command_key(Key::Z)] },
            Self::Redo => const { &[REDO, command_key(Key::Y)] },
            Self::ToggleGallery => const { &[command_key(Key::G)] },
            Self::Open => const { &[command_key(Key::O)] },
            Self::Reload => const { &[key(Key::F5)] },
            Self::Save => const { &[command_key(Key::S)] },
            Self::OpenState => const { &[OPEN_STATE] },
            Self::SaveState => const { &[SAVE_STATE] },
            Self::SaveSceneAs => const { &[SAVE_SCENE_AS] },
            Self::Screenshot => const { &[key(Key::F12)] },
            Self::SaveResult | Self::OpenResult | Self::ToggleResult | Self::ExportPlot => &[],
            Self::SaveRecording | Self::SavePictureAs | Self::ChoosePicturesFolder | Self::TogglePictures => &[],
            Self::ToggleSmooth | Self::ToggleArrows | Self::ToggleClip | Self::ResetLayout => &[],
            Self::ToggleFilm => const { &[key(Key::F10)] },
            Self::FrameAll => const { &[key(Key::F)] },
            Self::CompareGrids => const { &[key(Key::C)] },
            Self::Use(Tool::Look) => const { &[key(Key::Num1)] },
            Self::Use(Tool::Push) => const { &[key(Key::Num2)] },
            Self::Use(Tool::Pull) => const { &[key(Key::Num3)] },
            Self::Use(Tool::Pour) => const { &[key(Key::Num4)] },
            Self::Use(Tool::Tilt) => const { &[key(Key::Num5)] },
            Self::Use(Tool::Move) => const { &[key(Key::Num6)] },
            Self::Use(Tool::Drop) => const { &[key(Key::Num7)] },
            Self::ToggleSidePanel => const { &[key(Key::P)] },
            Self::TogglePlots => const { &[key(Key::G)] },
            Self::ToggleTank => const { &[key(Key::T)] },
            Self::ToggleCells => const { &[key(Key::V)] },
            Self::ToggleSlice => const { &[key(Key::X)] },
            Self::ToggleBucketMap => const { &[key(Key::B)] },
            Self::ClearSelection => const { &[key(Key::Escape)] },
            Self::ToggleTuning => const { &[key(Key::A)] },
            Self::ToggleFullscreen => const { &[key(Key::F11)] },
            Self::TogglePalette => const { &[command_key(Key::K)] },
            Self::ToggleHelp => const { &[key(Key::F1)] },
            Self::Quit => const { &[command_key(Key::Q)] },
        }
    }

    /// Key of the first shortcut, without what is held beside it, or an empty string.
    pub fn key_text(self) -> &'static str {
        self.shortcuts().first().map_or("", |keys| key_text(keys.logical_key))
    }

    /// The first shortcut as menus show it, or an empty string.
    pub fn shortcut_text(self, ctx: &egui::Context) -> String {
        self.shortcuts().first().map(|keys| shortcut_text(ctx, keys)).unwrap_or_default()
    }
}

/// Removes the commands from this frame's input and returns them. Keys without modifiers go to the widget with the keyboard
/// focus.
pub fn take_pressed(ctx: &egui::Context) -> Vec<Command> {
    // Escape closes an open menu first.
    let widget_has_keyboard = ctx.egui_wants_keyboard_input() || egui::Popup::is_any_open(ctx);
    let text_is_edited = ctx.text_edit_focused();
    let mut shortcuts: Vec<(KeyboardShortcut, Command)> =
        Command::ALL.into_iter().flat_map(|command| command.shortcuts().iter().map(move |&keys| (keys, command))).collect();
    // egui ignores extra modifiers when it matches shortcuts: Ctrl+Shift+S must be tested before Ctrl+S.
    shortcuts.sort_by_key(|(keys, _)| !keys.modifiers.shift);
    let mut pressed = Vec::new();
    ctx.input_mut(|input| {
        for (keys, command) in shortcuts {
            let plain = keys.modifiers.is_none() && !is_function_key(keys.logical_key);
            // A field that is edited undoes its own text.
            let of_text = text_is_edited && matches!(command, Command::Undo | Command::Redo);
            if !(plain && widget_has_keyboard || of_text) && input.consume_shortcut(&keys) {
                pressed.push(command);
            }
        }
    });
    pressed
}

fn is_function_key(key: Key) -> bool {
    matches!(key, Key::F1 | Key::F5 | Key::F10 | Key::F11 | Key::F12)
}

// Shortcuts in words, for menus, tooltips and the list of keys: the signs that stand on the keys, not egui's names of them.

/// A shortcut as it is shown: `Ctrl+Shift+S`, `.`, `Right arrow`.
pub fn shortcut_text(ctx: &Context, shortcut: &KeyboardShortcut) -> String {
    let text = ctx.format_shortcut(shortcut);
    // egui knows how the platform writes modifiers.
    match text.strip_suffix(shortcut.logical_key.name()) {
        Some(modifiers) => format!("{modifiers}{}", key_text(shortcut.logical_key)),
        None => text,
    }
}

/// A key as it is shown. The fonts of the panels have no arrows, so those keys have names.
pub fn key_text(key: Key) -> &'static str {
    match key {
        Key::ArrowLeft => "Left arrow",
        Key::ArrowRight => "Right arrow",
        Key::ArrowUp => "Up arrow",
        Key::ArrowDown => "Down arrow",
        Key::Escape => "Esc",
        Key::PageUp => "Page up",
        Key::PageDown => "Page down",
        Key::Quote => "'",
        key => key.symbol_or_name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Modifiers;

    /// Keys whose names are words.
    const WORDS: [&str; 6] = ["Space", "Home", "End", "Esc", "Left arrow", "Right arrow"];

    #[test]
    fn keys_are_shown_by_their_signs() {
        let ctx = Context::default();
        let of = |modifiers, key| shortcut_text(&ctx, &KeyboardShortcut::new(modifiers, key));
        let plain = [Key::Period, Key::Comma, Key::ArrowLeft, Key::Escape, Key::Space, Key::F12, Key::Num1];
        assert_eq!(plain.map(|key| of(Modifiers::NONE, key)), [".", ",", "Left arrow", "Esc", "Space", "F12", "1"]);
        assert_eq!(of(Modifiers::CTRL | Modifiers::SHIFT, Key::Period), "Ctrl+Shift+.");
    }

    #[test]
    fn no_shown_shortcut_has_a_name_of_a_sign() {
        let ctx = Context::default();
        for (command, keys) in
            Command::ALL.iter().flat_map(|command| command.shortcuts().iter().map(move |keys| (command, keys)))
        {
            let text = shortcut_text(&ctx, keys);
            let key = text.rsplit('+').next().unwrap_or_default();
            let is_function_key = key.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok());
            assert!(key.chars().count() == 1 || is_function_key || WORDS.contains(&key), "{command:?}: {text}");
        }
    }

    /// The guide names keys as the window does.
    #[test]
    fn the_guide_names_keys_in_the_same_way() {
        let ctx = Context::default();
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let guide = std::fs::read_dir(root.join("docs/guide")).expect("the guide is there");
        let pages =
            guide.map(|entry| entry.expect("an entry").path()).filter(|path| path.extension().is_some_and(|end| end == "md"));
        let shortcuts = Command::ALL.iter().flat_map(|command| command.shortcuts()).map(|keys| shortcut_text(&ctx, keys));
        let known: Vec<String> = shortcuts.flat_map(|text| text.split('+').map(str::to_owned).collect::<Vec<_>>()).collect();
        for page in pages.chain([root.join("README.md")]) {
            let text = std::fs::read_to_string(&page).expect("a page");
            for key in text.split("<kbd>").skip(1).filter_map(|rest| rest.split("</kbd>").next()) {
                let key = match key {
                    "←" => "Left arrow",
                    "→" => "Right arrow",
                    key => key,
                };
                assert!(known.iter().any(|name| name == key) || key == "Enter", "{}: {key}", page.display());
            }
        }
    }
}
