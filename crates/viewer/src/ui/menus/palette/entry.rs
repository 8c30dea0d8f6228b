//! Entries of the palette.

use super::matching::score;
use crate::color;
use crate::command::Command;
use crate::ui::lessons::{LESSONS, Lesson};
use crate::ui::{SceneEntry, looks};
use sph_core::parameters::{Choice as _, Parameter, Parameters};
use sph_io::{ColorField, Look};

/// Score of an entry whose description contains the pattern, below that of a good match of the name.
const IN_DESCRIPTION: i32 = -20;

/// An entry.
#[derive(Clone, Copy)]
pub enum Entry<'a> {
    /// Command to run.
    Command(Command),
    /// Parameter to show.
    Parameter(&'static Parameter<Parameters>),
    /// Look to give the fluid.
    Look(Look),
    /// Quantity to colour the particles by.
    Color(ColorField),
    /// Lesson to begin.
    Lesson(&'static Lesson),
    /// Scene to open.
    Scene(&'a SceneEntry),
}

impl Entry<'_> {
    /// Name.
    pub fn name(&self) -> &str {
        match self {
            Self::Command(command) => command.label(),
            Self::Parameter(parameter) => parameter.label,
            Self::Look(look) => look.label(),
            Self::Color(field) => color::label(*field),
            Self::Lesson(lesson) => lesson.title,
            Self::Scene(scene) => &scene.title,
        }
    }

    /// Description; of a parameter, its key in scene files.
    pub fn description(&self) -> String {
        match self {
            Self::Command(command) => command.tooltip().to_owned(),
            Self::Parameter(parameter) => parameter.key.to_owned(),
            Self::Look(look) => format!("Look: {}", look.option().documentation),
            Self::Color(field) => format!("Colour: {}", field.option().documentation),
            Self::Lesson(lesson) => format!("Lesson: {}", lesson.summary),
            Self::Scene(scene) => scene.path.display().to_string(),
        }
    }

    fn score(&self, pattern: &str) -> Option<i32> {
        // Long texts contain the letters of almost anything, so their words count as they are.
        let described = self.description().to_lowercase().contains(pattern.trim().to_lowercase().as_str());
        score(pattern, self.name()).max(described.then_some(IN_DESCRIPTION))
    }
}

/// Entries that match `pattern`, the best first; equal ones as they are in menus and tables: commands, looks, colours, parameters, lessons, scenes.
pub fn matching<'a>(pattern: &str, scenes: &'a [SceneEntry]) -> Vec<Entry<'a>> {
    let commands = Command::ALL.into_iter().filter(|&command| command != Command::TogglePalette).map(Entry::Command);
    let parameters = Parameters::table().iter().map(Entry::Parameter);
    let lessons = LESSONS.iter().map(|&lesson| Entry::Lesson(lesson));
    let all = commands.chain(looks::LOOKS.map(Entry::Look)).chain(ColorField::ALL.map(Entry::Color));
    let all = all.chain(parameters).chain(lessons).chain(scenes.iter().map(Entry::Scene));
    if pattern.trim().is_empty() {
        return all.collect();
    }
    let mut scored: Vec<_> = all.filter_map(|entry| Some((entry.score(pattern)?, entry))).collect();
    scored.sort_by_key(|&(points, _)| std::cmp::Reverse(points));
    scored.into_iter().map(|(_, entry)| entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_every_parameter_is_found_by_its_name() {
        for command in Command::ALL.into_iter().filter(|&command| command != Command::TogglePalette) {
            let found = matching(command.label(), &[]);
            assert_eq!(found.first().map(Entry::name), Some(command.label()), "{command:?}");
        }
        for parameter in Parameters::table() {
            let found = matching(parameter.key, &[]);
            let place = found.iter().position(|entry| matches!(entry, Entry::Parameter(other) if other.key == parameter.key));
            assert!(place.is_some_and(|place| place < 3), "{}: {place:?}", parameter.key);
        }
    }

    #[test]
    fn looks_and_lessons_are_found() {
        assert!(matches!(matching("points", &[])[0], Entry::Look(Look::Points)));
        let count = |pattern: &str| matching(pattern, &[]).iter().filter(|entry| matches!(entry, Entry::Look(_))).count();
        assert_eq!(count("look"), looks::LOOKS.len());
        for field in ColorField::ALL {
            let found = matching(&format!("Colour: {}", field.option().documentation), &[]);
            assert!(matches!(found[0], Entry::Color(other) if other == field), "{field:?}");
        }
        let lessons = matching("lesson", &[]).into_iter().filter(|entry| matches!(entry, Entry::Lesson(_)));
        assert_eq!(lessons.count(), LESSONS.len());
    }

    #[test]
    fn scenes_are_found_by_title_and_file() {
        let scenes = [SceneEntry::new("scenes/wave_3.toml".into(), Some("Breaking wave".to_owned()))];
        for pattern in ["breaking", "wave_3"] {
            assert!(matches!(matching(pattern, &scenes)[0], Entry::Scene(_)), "{pattern}");
        }
    }
}
