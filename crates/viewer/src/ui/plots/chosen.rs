//! Curves that the user has chosen: any statistic, any reading of a probe, and quantities of particles that are followed.

use super::{Shown, TIMES, lacks_fluid};
use crate::session::{Curve, MAX_FOLLOWED, ParticleQuantity, Readings, STATISTICS, Snapshot};
use crate::ui::widgets::hint_ui;
use crate::ui::{Action, theme};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, PopupCloseBehavior, RichText, ScrollArea, TextEdit, Ui};
use sph_core::Dimensions;

/// Height of the list of curves, points.
const LIST_HEIGHT: f32 = 320.0;

/// Heading of the curves that are no statistic of a step.
const MOTION: &str = "Motion";

/// A curve, by its name: another scene may have it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Motion of the whole fluid, or a statistic of a step.
    Statistic(String),
    /// Reading of a probe.
    Probe(String),
}

/// What is plotted by choice.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenCurves {
    /// Statistics and readings.
    pub choices: Vec<Choice>,
    /// Ids of the particles that are followed, at most [`MAX_FOLLOWED`].
    pub particles: Vec<u32>,
    /// Quantities of them.
    pub quantities: Vec<ParticleQuantity>,
    /// Text of the search.
    search: String,
    /// Scene by its generation, and particles, that the session has been asked to follow.
    asked: (u64, Vec<u32>),
}

impl Default for ChosenCurves {
    fn default() -> Self {
        Self {
            choices: Vec::new(),
            particles: Vec::new(),
            quantities: vec![ParticleQuantity::Speed],
            search: String::new(),
            asked: (0, Vec::new()),
        }
    }
}

impl ChosenCurves {
    /// Follows a particle, or no longer. Returns false if there are too many already.
    pub fn toggle_particle(&mut self, id: u32) -> bool {
        if let Some(place) = self.particles.iter().position(|other| *other == id) {
            self.particles.remove(place);
            return true;
        }
        let has_room = self.particles.len() < MAX_FOLLOWED;
        self.particles.extend(has_room.then_some(id));
        has_room
    }

    /// Follows those of `ids`, in ascending order, or as many as possible spread over all of them.
    pub fn follow_particles(&mut self, mut ids: Vec<u32>) {
        ids.sort_unstable();
        let count = ids.len().min(MAX_FOLLOWED);
        self.particles = (0..count).map(|number| ids[number * ids.len() / count]).collect();
    }

    /// Asks the session to follow the particles, if it does not yet.
    pub fn ask(&mut self, generation: u64, actions: &mut Vec<Action>) {
        if self.asked.0 != generation {
            // The session forgets them with the scene.
            self.asked = (generation, Vec::new());
        }
        if self.asked.1 != self.particles {
            self.asked.1.clone_from(&self.particles);
            actions.push(Action::Follow(self.particles.clone()));
        }
    }

    /// The curves, as far as the scene has them.
    pub fn shown<'s>(&self, snapshot: &'s Snapshot) -> Vec<Shown<'s>> {
        let named = |readings: &'s Readings, name: &str| {
            let number = readings.curves().iter().position(|curve| curve.reading.label == name);
            number.map(|number| (readings, number))
        };
        let mut shown: Vec<Shown<'s>> = self
            .choices
            .iter()
            .filter_map(|choice| match choice {
                Choice::Statistic(name) => named(&snapshot.motion, name),
                Choice::Probe(name) => named(&snapshot.readings, name),
            })
            .enumerate()
            .map(|(color, (readings, number))| Shown { readings, number, color })
            .collect();
        // A particle has the colour of its mark in every plot. Quantities of one unit, such as two coordinates, share a plot:
        // all but the first have colours of their own.
        let first = shown.len();
        let readings = &snapshot.followed_readings;
        for rank in (0..snapshot.followed.len()).filter(|&rank| self.particles.contains(&snapshot.followed[rank])) {
            let quantities = ParticleQuantity::ALL.iter().enumerate();
            let wanted = quantities.filter(|(_, quantity)| self.quantities.contains(quantity));
            let number = |place: usize| rank * ParticleQuantity::ALL.len() + place;
            let mut units = Vec::new();
            shown.extend(wanted.map(|(place, quantity)| {
                let turn = units.iter().filter(|unit| **unit == quantity.unit()).count();
                units.push(quantity.unit());
                Shown { readings, number: number(place), color: first + turn * snapshot.followed.len() + rank }
            }));
        }
        shown.retain(|shown| shown.number < shown.readings.curves().len());
        // Without fluid its energies would be flat lines at 0 while balls fall.
        let is_of_fluid = |shown: &Shown<'_>| std::ptr::eq(shown.readings, &snapshot.motion) && !TIMES.contains(&shown.unit());
        shown.retain(|shown| !lacks_fluid(snapshot) || !is_of_fluid(shown));
        shown
    }

    fn has(&self, choice: &Choice) -> bool {
        self.choices.contains(choice)
    }

    fn set(&mut self, choice: Choice, is_on: bool) {
        self.choices.retain(|other| *other != choice);
        self.choices.extend(is_on.then_some(choice));
    }
}

/// Lays out the button that opens the list of curves, and what particles are followed.
pub fn choice_ui(ui: &mut Ui, chosen: &mut ChosenCurves, snapshot: &Snapshot) {
    let button = Button::new(RichText::new("Choose curves…").small());
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.5 * theme::SPACE;
        let (button, _) = MenuButton::from_button(button).config(config).ui(ui, |ui| list_ui(ui, chosen, snapshot));
        if button.clicked() {
            chosen.search.clear();
        }
        if !chosen.particles.is_empty() {
            let tooltip = "Stop following the particles. A click with Ctrl on one adds or removes it.";
            if ui.add(Button::new(RichText::new("Clear particles").small())).on_hover_text(tooltip).clicked() {
                chosen.particles.clear();
            }
        }
    });
}

/// Lays out the list of curves.
fn list_ui(ui: &mut Ui, chosen: &mut ChosenCurves, snapshot: &Snapshot) {
    ui.set_width(250.0);
    ui.spacing_mut().interact_size.y = 18.0;
    let field = TextEdit::singleline(&mut chosen.search).hint_text("Search curves").desired_width(f32::INFINITY);
    let field = ui.add(field);
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search curves"));
    if ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
    }
    let wanted = chosen.search.to_lowercase();
    let is_flat = snapshot.scene.as_ref().is_some_and(|scene| scene.setup.discretization.dimensions == Dimensions::Two);
    ScrollArea::vertical().max_height(LIST_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        let mut under = "";
        let mut row = |ui: &mut Ui, group: &'static str, name: &str, is_on: bool| {
            if !wanted.is_empty() && ![group, name].iter().any(|text| text.to_lowercase().contains(&wanted)) {
                return is_on;
            }
            if group != under {
                under = group;
                ui.label(RichText::new(group).small().color(theme::of(ui).text_quiet));
            }
            let mut is_on = is_on;
            ui.checkbox(&mut is_on, name);
            is_on
        };
        let lacks_fluid = lacks_fluid(snapshot);
        let is_offered = |&quantity: &ParticleQuantity| !lacks_fluid && (!is_flat || quantity != ParticleQuantity::Z);
        for quantity in ParticleQuantity::ALL.into_iter().filter(is_offered) {
            let was_on = chosen.quantities.contains(&quantity);
            if row(ui, "Particles that you follow", quantity.label(), was_on) != was_on {
                chosen.quantities.retain(|other| *other != quantity);
                chosen.quantities.extend((!was_on).then_some(quantity));
            }
        }
        let first = snapshot.motion.overview().len();
        let of_scene = |curve: &Curve| !lacks_fluid || TIMES.contains(&curve.reading.unit);
        let motion = snapshot.motion.curves().iter().enumerate().filter(|(_, curve)| of_scene(curve)).map(|(number, curve)| {
            let group = number.checked_sub(first).and_then(|number| STATISTICS.get(number));
            (group.map_or(MOTION, |statistic| statistic.group), Choice::Statistic(curve.reading.label.clone()))
        });
        let probes = snapshot.readings.curves().iter().map(|curve| ("Probes", Choice::Probe(curve.reading.label.clone())));
        for (group, choice) in motion.chain(probes) {
            let (Choice::Statistic(name) | Choice::Probe(name)) = &choice;
            let was_on = chosen.has(&choice);
            let is_on = row(ui, group, name, was_on);
            if is_on != was_on {
                chosen.set(choice, is_on);
            }
        }
        if under.is_empty() {
            hint_ui(ui, "No matches");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Curve;
    use sph_core::probes::Reading;

    #[test]
    fn a_box_with_many_particles_is_followed_by_some_of_all() {
        let mut chosen = ChosenCurves::default();
        chosen.follow_particles((0..1000).rev().collect());
        assert_eq!(chosen.particles.len(), MAX_FOLLOWED);
        assert!(chosen.particles.windows(2).all(|pair| (80..90).contains(&(pair[1] - pair[0]))), "{:?}", chosen.particles);
        assert!(!chosen.toggle_particle(5000) && chosen.toggle_particle(0) && chosen.toggle_particle(5000));
        assert_eq!((chosen.particles[0], chosen.particles.last()), (83, Some(&5000)));
        chosen.follow_particles(vec![7, 3]);
        assert_eq!(chosen.particles, [3, 7]);
        chosen.follow_particles(Vec::new());
        assert!(chosen.particles.is_empty());
    }

    #[test]
    fn coordinates_of_a_particle_differ_in_colour() {
        let quantities = vec![ParticleQuantity::Speed, ParticleQuantity::Height, ParticleQuantity::X];
        let chosen = ChosenCurves { particles: vec![3, 8], quantities, ..ChosenCurves::default() };
        let mut snapshot = Snapshot { followed: vec![3, 8], ..Snapshot::default() };
        let curve = |index| Curve { reading: Reading { label: String::new(), unit: "" }, index };
        snapshot.followed_readings = Readings::with_curves((0..2 * ParticleQuantity::ALL.len()).map(curve).collect(), 0);
        let colors: Vec<usize> = chosen.shown(&snapshot).iter().map(|shown| shown.color).collect();
        assert_eq!(colors, [0, 0, 2, 1, 1, 3]);
    }

    #[test]
    fn particles_are_asked_for_once_a_scene() {
        let (mut chosen, mut actions) = (ChosenCurves::default(), Vec::new());
        chosen.ask(1, &mut actions);
        chosen.toggle_particle(5);
        (0..2).for_each(|_| chosen.ask(1, &mut actions));
        assert_eq!(actions, [Action::Follow(vec![5])]);
        chosen.ask(2, &mut actions);
        assert_eq!(actions.len(), 2);
    }

    #[test]
    fn no_two_statistics_share_a_name() {
        let mut names: Vec<&str> = STATISTICS.iter().map(|statistic| statistic.label).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STATISTICS.len());
        // The groups of the list are contiguous.
        let mut groups: Vec<&str> = STATISTICS.iter().map(|statistic| statistic.group).collect();
        groups.dedup();
        let count = groups.len();
        groups.sort_unstable();
        groups.dedup();
        assert_eq!(groups.len(), count);
    }
}
