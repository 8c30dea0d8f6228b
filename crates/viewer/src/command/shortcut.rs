//! Shortcuts in words, for menus, tooltips and the list of keys: the signs that stand on the keys, not egui's names of them.

use egui::{Context, Key, KeyboardShortcut};

/// A shortcut as it is shown: `Ctrl+Shift+S`, `.`, `Right arrow`.
pub fn text(ctx: &Context, shortcut: &KeyboardShortcut) -> String {
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
    use crate::command::Command;
    use egui::Modifiers;

    /// Keys whose names are words.
    const WORDS: [&str; 6] = ["Space", "Home", "End", "Esc", "Left arrow", "Right arrow"];

    #[test]
    fn keys_are_shown_by_their_signs() {
        let ctx = Context::default();
        let of = |modifiers, key| text(&ctx, &KeyboardShortcut::new(modifiers, key));
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
            let text = text(&ctx, keys);
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
        let shortcuts = Command::ALL.iter().flat_map(|command| command.shortcuts()).map(|keys| text(&ctx, keys));
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
