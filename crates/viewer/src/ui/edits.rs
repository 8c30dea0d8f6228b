//! Parameters as the panels edit them: what is requested from the simulation, and what can be undone.

use super::point_search::PointGrids;
use super::{Action, grid};
use crate::command::Command;
use crate::session::{Notice, Snapshot, Subject};
use sph_core::Method;
use sph_core::neighbors::GridParameters;
use sph_core::parameters::{Choice as _, Group, Parameter, Parameters};
use sph_core::point_sets::PointSetup;
use sph_io::Scene;

/// Parameters of the scene as the panels show and edit them.
#[derive(Clone, Debug, Default)]
pub struct EditedParameters {
    /// Parameters as the sliders show them; the simulation takes them over in its next step. `None` without a scene.
    pub parameters: Option<Parameters>,
    /// Keys of the parameters that have been taken off their curves.
    pub off_curve: Vec<&'static str>,
    /// Keys of the scene's curves.
    pub curves: Vec<&'static str>,
    /// Revision number of the parameters: counts edits.
    pub revision: u64,
    /// Grids of the searches of cloths and balls.
    pub point_grids: PointGrids,
    /// True if the scene has been restarted with another particle spacing in the window, rather than by the command line.
    pub is_spacing_edited: bool,
    /// Particle spacing of the scene that runs, m.
    pub(in crate::ui) spacing: f32,
    /// Edits that can be undone.
    pub edits: Edits,
}

impl EditedParameters {
    /// Takes over the parameters of the simulation, unless an edit of them is still pending.
    pub(in crate::ui) fn follow(&mut self, snapshot: &Snapshot, new_scene: bool) {
        if new_scene || snapshot.revision == self.revision {
            self.parameters = snapshot.parameters;
            self.off_curve.clone_from(&snapshot.off_curve);
        }
        self.point_grids.follow(snapshot, new_scene);
        self.edits.follow_moments(snapshot.dropped.len(), snapshot.steps, snapshot.timeline.end.steps);
        if new_scene {
            self.edits.clear();
            if let Some(scene) = &snapshot.scene {
                self.curves = scene.setup.curves.iter().map(|curve| curve.key()).collect();
            }
        }
    }

    /// Sets `parameters` in the panels and requests them from the simulation. Those that change are taken off their curves.
    pub fn edit(&mut self, parameters: Parameters, actions: &mut Vec<Action>) {
        let present = self.values();
        if let Some(before) = self.parameters {
            let differs = |key: &&&str| Parameters::entry(key).get(&before) != Parameters::entry(key).get(&parameters);
            let edited: Vec<_> = self.curves_followed().filter(differs).copied().collect();
            if !edited.is_empty() {
                self.request_off_curve([self.off_curve.clone(), edited].concat(), actions);
            }
        }
        self.request(parameters, actions);
        self.record(present);
    }

    /// Changes the search of point set `set`, and of all that are searched with it, if `grid` is another.
    pub(in crate::ui) fn edit_point_grid(
        &mut self,
        points: &PointSetup,
        set: usize,
        grid: GridParameters,
        actions: &mut Vec<Action>,
    ) {
        let present = self.values();
        self.point_grids.edit(points, set, grid, actions);
        self.record(present);
    }

    fn request(&mut self, parameters: Parameters, actions: &mut Vec<Action>) {
        self.parameters = Some(parameters);
        self.revision += 1;
        actions.push(Action::SetParameters(parameters, self.revision));
    }

    /// Present values of what can be undone; `None` without a scene.
    fn values(&self) -> Option<Values> {
        let (off_curve, set_grids) = (self.off_curve.clone(), self.point_grids.all().to_vec());
        self.parameters.map(|parameters| Values { parameters, off_curve, set_grids })
    }

    fn record(&mut self, before: Option<Values>) {
        if let (Some(before), Some(after)) = (before, self.values()) {
            self.edits.record(before, after);
        }
    }

    pub(in crate::ui) fn restore(&mut self, change: fn(&mut Edits, &mut Values) -> bool, actions: &mut Vec<Action>) {
        let Some(mut values) = self.values() else { return };
        if change(&mut self.edits, &mut values) {
            self.request_off_curve(values.off_curve, actions);
            self.request(values.parameters, actions);
            self.point_grids.restore(&values.set_grids, actions);
        }
    }

    /// Labels of the parameters whose values would be lost with the scene: those that saving would change in its file.
    pub fn unsaved(&self, scene: &Scene) -> Vec<String> {
        let changed: Vec<_> = self.changed(scene).collect();
        let name = |parameter: &&Parameter<Parameters>| {
            let is_shared = changed.iter().filter(|other| other.label == parameter.label).count() > 1;
            // Several solvers have a density tolerance.
            let solver = parameter.table().rsplit('.').next().and_then(Method::by_name).filter(|_| is_shared);
            solver.map_or(parameter.label.to_owned(), |solver| format!("{} ({})", parameter.label, solver.label()))
        };
        let spacing = self.has_unsaved_spacing(scene).then(|| "Particle spacing".to_owned());
        spacing.into_iter().chain(changed.iter().map(name)).chain(self.point_grids.unsaved(scene)).collect()
    }

    /// True if a user would miss what is unsaved: something that changes the motion. The searches change its cost only, and their sliders are
    /// there to play with.
    pub fn would_be_missed(&self, scene: &Scene) -> bool {
        self.has_unsaved_spacing(scene) || self.changed(scene).any(|parameter| parameter.group != Some(Group::Grid))
    }

    /// True if the particle spacing has been edited, and the file of `scene` has another.
    pub fn has_unsaved_spacing(&self, scene: &Scene) -> bool {
        self.is_spacing_edited && !scene.has_spacing(scene.file_spacing)
    }

    /// Parameters that saving would change in the file of `scene`, but for the searches of cloths and balls.
    fn changed(&self, scene: &Scene) -> impl Iterator<Item = &'static Parameter<Parameters>> {
        let both = self.parameters.map(|parameters| {
            let mut of_scene = self.scene_parameters(scene);
            // A capacity that follows the structure is no change of its own.
            let discretization = &scene.setup.discretization;
            of_scene.grid.bucket_capacity = grid::capacity_of_scene(&parameters.grid, &of_scene.grid, discretization);
            (parameters, of_scene)
        });
        let differs = move |parameter: &&Parameter<Parameters>| {
            both.is_some_and(|(parameters, of_scene)| {
                let is_changed = parameter.get(&parameters) != parameter.get(&of_scene);
                parameter.is_used(&parameters) && (is_changed || self.off_curve.contains(&parameter.key))
            })
        };
        Parameters::table().iter().filter(differs)
    }

    /// Keys of the parameters that follow their curves.
    fn curves_followed(&self) -> impl Iterator<Item = &&'static str> {
        self.curves.iter().filter(|key| !self.off_curve.contains(key))
    }

    /// Takes the parameters with these keys off their curves, and puts all others on theirs.
    pub fn set_off_curve(&mut self, keys: Vec<&'static str>, actions: &mut Vec<Action>) {
        let present = self.values();
        self.request_off_curve(keys, actions);
        self.record(present);
    }

    fn request_off_curve(&mut self, keys: Vec<&'static str>, actions: &mut Vec<Action>) {
        if keys != self.off_curve {
            self.off_curve.clone_from(&keys);
            actions.push(Action::SetOffCurve(keys));
        }
    }

    /// Parameters that a reset restores: those of the scene, but for the present values of parameters that follow their curves.
    pub fn scene_parameters(&self, scene: &Scene) -> Parameters {
        let mut parameters = scene.setup.parameters;
        for parameter in self.curves_followed().map(|key| Parameters::entry(key)) {
            let present = self.parameters.map(|present| parameter.get(&present));
            present.map(|present| parameter.set(&mut parameters, present));
        }
        parameters
    }
}

// Undo and redo.

/// Largest number of edits that can be undone; the oldest is forgotten first.
const CAPACITY: usize = 200;

/// Parameters, the keys of those taken off their curves, and the grid of each point set.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) struct Values {
    pub parameters: Parameters,
    pub off_curve: Vec<&'static str>,
    pub set_grids: Vec<GridParameters>,
}

/// An edit: all changes of one gesture, such as a drag.
#[derive(Clone, Debug)]
struct Edit {
    gesture: u64,
    before: Values,
    after: Values,
}

/// A use of a hand, from a press of the button to its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HandUse {
    /// Number of its gesture.
    gesture: u64,
    /// Completed steps of a moment before it; `None` if there is no such moment.
    before: Option<u64>,
    /// True once a step has been made with it: in a pause, a hand does nothing.
    acts: bool,
}

/// The way back to before a hand.
#[derive(Clone, Copy, Debug)]
struct WayBack {
    /// Completed steps of the moment that it leads to.
    to: u64,
    has_arrived: bool,
}

/// Edits that can be undone and redone.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    done: Vec<Edit>,
    undone: Vec<Edit>,
    /// Number of the user's present gesture.
    gesture: u64,
    /// What hands have done in the fluid, other than by the drops below, the latest last; some after the moment that is shown, if the fluid has
    /// gone back.
    hands: Vec<HandUse>,
    /// Way back by which what a hand did has been undone, until the fluid goes on: an edit of the past begins a new future.
    way_back: Option<WayBack>,
    /// Number of bodies that have been dropped since the last edit in this moment.
    drops: usize,
    /// The latest snapshot.
    seen: Seen,
}

/// What a snapshot says of the moments.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Number of bodies that have been dropped.
    dropped: usize,
    /// Completed steps of the moment that is shown.
    steps: u64,
    /// Completed steps of the latest moment that has been computed.
    end: u64,
}

impl Values {
    /// Sets in `present` what differs between `from` and `to`, to its value in `to`: what has changed by itself meanwhile, as parameters
    /// on curves do, stays.
    fn carry(from: &Self, to: &Self, present: &mut Self) {
        for parameter in Parameters::table() {
            let value = parameter.get(&to.parameters);
            if value != parameter.get(&from.parameters) {
                parameter.set(&mut present.parameters, value);
            }
        }
        if from.off_curve != to.off_curve {
            present.off_curve.clone_from(&to.off_curve);
        }
        let ends = from.set_grids.iter().zip(&to.set_grids);
        for (present, (_, to)) in present.set_grids.iter_mut().zip(ends).filter(|(_, (from, to))| from != to) {
            *present = *to;
        }
    }
}

/// What a user did last: another value means that something has been done since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latest {
    /// Number of the latest edit that can be undone.
    edit: Option<u64>,
    /// Uses of hands since.
    hands: usize,
    /// Bodies that have been dropped since, in this pause.
    drops: usize,
}

impl Edits {
    /// What was done last.
    pub(in crate::ui) fn latest(&self) -> Latest {
        let hands = if self.last_hand().is_some() { self.hands.len() } else { 0 };
        Latest { edit: self.done.last().map(|edit| edit.gesture), hands, drops: self.drops }
    }

    /// True if there is an edit to undo.
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// True if there is an edit to redo.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// True if a hand has acted in the fluid since the last edit: it is no edit, and cannot be undone like one.
    pub fn hand_followed(&self) -> bool {
        self.last_hand().is_some() || self.drops > 0
    }

    /// The latest use of a hand of which the moment that is shown has something, if no edit has followed.
    fn last_hand(&self) -> Option<HandUse> {
        let edit = self.done.last().map(|edit| edit.gesture);
        let is_past = |hand: &&HandUse| hand.acts && hand.before.is_none_or(|before| before < self.seen.steps);
        let last = self.hands.iter().rev().find(is_past).copied();
        last.filter(|hand| edit.is_none_or(|edit| edit < hand.gesture))
    }

    /// Notes that a hand is used, in a moment after `before`, its completed steps, if there is such a moment. It `acts` unless the fluid stands still.
    pub fn note_hand(&mut self, before: Option<u64>, acts: bool) {
        self.begin_future();
        // A hand that goes on to act is the same.
        match self.hands.last_mut().filter(|last| last.gesture == self.gesture) {
            Some(last) => last.acts |= acts,
            None => self.add_hand(HandUse { gesture: self.gesture, before, acts }),
        }
    }

    fn add_hand(&mut self, hand: HandUse) {
        if self.hands.len() == CAPACITY {
            self.hands.remove(0);
        }
        self.hands.push(hand);
    }

    /// Begins a new future from the moment that is shown: what hands did after it is no more. Bodies that were dropped in it stay a part of it.
    fn begin_future(&mut self) {
        let present = self.seen.steps;
        self.way_back = None;
        self.forget_hands_from(present);
        if std::mem::take(&mut self.drops) > 0 {
            let gesture = self.gesture.saturating_sub(1);
            self.add_hand(HandUse { gesture, before: present.checked_sub(1), acts: true });
        }
    }

    /// Forgets what hands did after the moment with so many completed `steps`, except in the present gesture.
    fn forget_hands_from(&mut self, steps: u64) {
        let gesture = self.gesture;
        self.hands.retain(|hand| hand.gesture == gesture || hand.before.is_none_or(|before| before < steps));
    }

    /// Follows the number of dropped bodies, the completed steps, and those of the latest moment that has been computed, `end`: what is dropped in a
    /// pause can be taken back until the next step; then it is undone by going back only, as all that hands did.
    pub fn follow_moments(&mut self, dropped: usize, steps: u64, end: u64) {
        let Seen { dropped: before, steps: at, end: last_end } =
            std::mem::replace(&mut self.seen, Seen { dropped, steps, end });
        match &mut self.way_back {
            Some(WayBack { to, has_arrived: false }) if steps > *to => {}
            Some(WayBack { to, has_arrived }) if steps <= *to => *has_arrived = true,
            way_back => *way_back = None,
        }
        // The future of a moment to which the fluid has gone back, and from which it has gone on, is no more, and with it a hand that began there.
        if end < last_end && steps > at {
            self.forget_hands_from(at);
        }
        self.hands.retain(|hand| hand.before.is_none_or(|before| before <= end.max(steps)));
        if let Some(last) = self.hands.last_mut().filter(|last| last.gesture == self.gesture) {
            last.acts |= steps > at;
        }
        if steps == at {
            self.drops += dropped.saturating_sub(before);
        } else if self.drops > 0 {
            self.drops = 0;
            // A body is a part of the moment in which it was dropped.
            self.add_hand(HandUse { gesture: self.gesture, before: at.checked_sub(1), acts: true });
        }
    }

    /// True if a body that has been dropped last is to be taken back, which is then forgotten.
    pub(in crate::ui) fn take_back_drop(&mut self) -> bool {
        let can = self.drops > 0;
        self.drops -= usize::from(can);
        can
    }

    /// Completed steps of the moment to go to, so that what a hand did last is undone. `None` if there is none.
    pub(in crate::ui) fn take_back_hand(&mut self) -> Option<u64> {
        let before = self.last_hand()?.before?;
        // At once, so that the next undo is for what was done before.
        self.seen.steps = before;
        self.way_back = Some(WayBack { to: before, has_arrived: false });
        Some(before)
    }

    /// What the edit that would be undone next has changed, if the fluid has just gone back: to undo it there begins a new future, so that a user is
    /// to know of it. Says so once.
    pub(in crate::ui) fn take_warning(&mut self) -> Option<String> {
        let edit = self.done.last().filter(|_| self.way_back.take().is_some())?;
        let differs = |parameter: &&Parameter<Parameters>| {
            parameter.get(&edit.before.parameters) != parameter.get(&edit.after.parameters)
        };
        let labels: Vec<_> = Parameters::table().iter().filter(differs).map(|parameter| parameter.label).collect();
        Some(if labels.is_empty() { "other settings".to_owned() } else { labels.join(", ") })
    }

    /// True if the fluid has just gone back to undo what a hand did, and its future is still there.
    pub fn can_return(&self) -> bool {
        self.way_back.is_some()
    }

    /// True if what a hand did, and was undone, is to be brought back by going to the latest moment; the way there is then forgotten.
    pub(in crate::ui) fn take_return(&mut self) -> bool {
        self.way_back.take().is_some()
    }

    /// Forgets the hands: the user knows how to undo them, or the fluid starts again.
    pub fn forget_hands(&mut self) {
        self.drops = 0;
        self.hands.clear();
    }

    /// Begins the next gesture unless a button of the pointer is held: all changes of a drag are one edit.
    pub fn follow_pointer(&mut self, input: &egui::InputState) {
        if !input.pointer.any_down() && !input.pointer.any_released() {
            self.gesture += 1;
        }
    }

    /// Forgets all edits.
    pub(in crate::ui) fn clear(&mut self) {
        *self = Self { gesture: self.gesture, ..Self::default() };
    }

    /// Adds a change to the edit of the present gesture. What was undone can no longer be redone.
    pub(in crate::ui) fn record(&mut self, before: Values, after: Values) {
        if before == after {
            return;
        }
        self.undone.clear();
        self.begin_future();
        if let Some(last) = self.done.last_mut().filter(|last| last.gesture == self.gesture) {
            last.after = after;
            return;
        }
        if self.done.len() == CAPACITY {
            self.done.remove(0);
        }
        self.done.push(Edit { gesture: self.gesture, before, after });
    }

    /// Undoes the last edit in `present`; false if there is none.
    pub(in crate::ui) fn undo(&mut self, present: &mut Values) -> bool {
        let Some(edit) = self.done.pop() else { return false };
        Values::carry(&edit.after, &edit.before, present);
        self.undone.push(edit);
        // A change in the same gesture must not be added to an edit before it.
        self.gesture += 1;
        true
    }

    /// Makes the edit that was undone last again; false if there is none.
    pub(in crate::ui) fn redo(&mut self, present: &mut Values) -> bool {
        let Some(edit) = self.undone.pop() else { return false };
        Values::carry(&edit.before, &edit.after, present);
        self.done.push(Edit { gesture: self.gesture, ..edit });
        self.gesture += 1;
        true
    }
}

/// Message where there is no edit to undo, or where a hand has acted since the last one from the first moment on.
pub(in crate::ui) fn advice(edits: &Edits) -> Notice {
    let (back, reset) = (Command::StepBack.key_text(), Command::Reset.key_text());
    let title = if edits.hand_followed() {
        "Undo what you did with the tools by rewinding"
    } else {
        "There is no parameter change to undo"
    };
    let mut details = format!(
        "{back} steps back, and a click on the timeline goes to any moment: what you did after it is undone. {reset} restarts \
            the fluid."
    );
    if !edits.hand_followed() {
        details.push_str(" The Scene panel restarts with the file's particle spacing.");
    }
    if edits.hand_followed() && edits.can_undo() {
        details.push_str(" Undo once more to undo the last parameter change.");
    }
    Notice { details, ..Notice::info(title).about(Subject::Undo) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::neighbors::{Structure, Update};

    fn values(viscosity: f32) -> Values {
        let mut parameters = Parameters::default();
        parameters.fluid.kinematic_viscosity = viscosity;
        Values { parameters, off_curve: Vec::new(), set_grids: Vec::new() }
    }

    #[test]
    fn the_changes_of_a_gesture_are_one_edit() {
        let mut edits = Edits::default();
        for step in 0..3u8 {
            edits.record(values(f32::from(step)), values(f32::from(step + 1)));
        }
        edits.gesture += 1;
        edits.record(values(3.0), values(7.0));
        let mut present = values(7.0);
        assert!(edits.undo(&mut present) && present == values(3.0));
        assert!(edits.undo(&mut present) && present == values(0.0));
        assert!(!edits.undo(&mut present));
        assert!(edits.redo(&mut present) && edits.redo(&mut present) && present == values(7.0));
        assert!(!edits.redo(&mut present));
    }

    /// A redone edit would begin another future, in which what the hand did is lost.
    #[test]
    fn what_a_hand_did_is_brought_back_before_an_edit_is_redone() {
        let mut edits = Edits::default();
        hand(&mut edits, 10);
        edits.record(values(1.0), values(2.0));
        let mut present = values(2.0);
        assert!(edits.undo(&mut present) && edits.take_back_hand() == Some(10));
        edits.follow_moments(0, 10, 12);
        assert!(edits.can_return() && edits.take_return());
        // At the latest moment again, the edit is next.
        edits.follow_moments(0, 12, 12);
        assert!(!edits.take_return() && edits.hand_followed() && edits.redo(&mut present) && present == values(2.0));
        // Once the fluid has gone on from there, there is nothing to go back to.
        assert!(edits.undo(&mut present) && edits.take_back_hand() == Some(10));
        edits.follow_moments(0, 10, 12);
        edits.follow_moments(0, 11, 11);
        assert!(!edits.can_return());
    }

    #[test]
    fn what_changed_by_itself_stays() {
        let mut edits = Edits::default();
        edits.record(values(1.0), values(2.0));
        let mut present = values(2.0);
        present.parameters.gravity.x = 3.0;
        edits.undo(&mut present);
        assert_eq!((present.parameters.gravity.x, present.parameters.fluid.kinematic_viscosity), (3.0, 1.0));
    }

    #[test]
    fn a_structure_comes_back_with_its_options() {
        let before = values(1.0);
        let mut after = before.clone();
        let mut present = before.clone();
        present.parameters.grid.structure = Structure::CellHash(Update::Incremental);
        after.parameters.grid.structure = Structure::BruteForce;
        let moved = present.clone();
        let mut edits = Edits::default();
        edits.record(present.clone(), after.clone());
        present = after;
        assert!(edits.undo(&mut present));
        assert_eq!(present, moved);
    }

    /// A use of a hand from the moment with so many completed `steps` to two later, which is the latest.
    fn hand(edits: &mut Edits, steps: u64) {
        edits.gesture += 1;
        edits.follow_moments(0, steps, steps);
        edits.note_hand(Some(steps), true);
        // The same hand, later in its gesture.
        edits.follow_moments(0, steps + 2, steps + 2);
        edits.note_hand(Some(steps + 2), true);
        edits.gesture += 1;
    }

    #[test]
    fn what_hands_did_is_undone_in_turn_by_going_back() {
        let mut edits = Edits::default();
        hand(&mut edits, 10);
        hand(&mut edits, 30);
        edits.follow_moments(0, 50, 50);
        // In a pause nothing happens.
        edits.note_hand(Some(50), false);
        edits.gesture += 1;
        edits.follow_moments(0, 60, 60);
        assert_eq!(edits.take_back_hand(), Some(30));
        // A snapshot that was under way.
        edits.follow_moments(0, 61, 61);
        edits.follow_moments(0, 30, 61);
        assert_eq!((edits.take_back_hand(), edits.hand_followed()), (Some(10), false));
        edits.follow_moments(0, 10, 61);
        assert_eq!(edits.take_back_hand(), None);
        // Back to the latest moment, which has both.
        edits.follow_moments(0, 61, 61);
        assert_eq!(edits.take_back_hand(), Some(30));
        // A new future from before the second.
        edits.follow_moments(0, 20, 61);
        edits.follow_moments(0, 21, 21);
        edits.follow_moments(0, 70, 70);
        assert_eq!(edits.take_back_hand(), Some(10));
        // A new future from just before the first: nothing is left to undo.
        edits.follow_moments(0, 10, 70);
        edits.follow_moments(0, 11, 11);
        edits.follow_moments(0, 90, 90);
        assert_eq!(edits.take_back_hand(), None);
    }

    /// An edit and a hand take turns, and the one before what was undone by going back is told of.
    #[test]
    fn edits_and_hands_are_undone_in_turn() {
        let mut edits = Edits::default();
        let mut present = values(1.0);
        edits.record(values(1.0), values(2.0));
        hand(&mut edits, 10);
        edits.follow_moments(0, 20, 20);
        edits.record(values(2.0), values(3.0));
        assert!(!edits.hand_followed() && edits.undo(&mut present) && edits.hand_followed());
        assert_eq!((edits.take_back_hand(), edits.hand_followed()), (Some(10), false));
        // On the way, which is shown if it is long.
        for steps in [21, 3, 7, 10] {
            edits.follow_moments(0, steps, 21);
        }
        assert_eq!(edits.take_warning(), Some("Kinematic viscosity".to_owned()));
        assert!(edits.take_warning().is_none() && edits.undo(&mut present));
        // After a redo, the edit is the last.
        assert!(edits.redo(&mut present) && !edits.hand_followed());
    }

    #[test]
    fn a_body_dropped_in_a_pause_is_undone_by_going_to_the_step_before() {
        let mut edits = Edits::default();
        for steps in [7, 0] {
            edits.clear();
            edits.follow_moments(0, steps, steps);
            edits.follow_moments(1, steps, steps);
            edits.follow_moments(1, steps + 3, steps + 3);
            assert!(edits.hand_followed() && !edits.take_back_drop());
            assert_eq!(edits.take_back_hand(), steps.checked_sub(1), "nothing is before the start");
        }
        assert!(edits.hand_followed(), "a message says so");
    }

    /// Something else has followed in the same pause.
    #[test]
    fn a_body_dropped_before_an_edit_is_undone_after_it() {
        let mut edits = Edits::default();
        edits.follow_moments(0, 7, 7);
        edits.gesture += 2;
        edits.follow_moments(1, 7, 7);
        edits.gesture += 2;
        edits.record(values(1.0), values(2.0));
        assert!(!edits.hand_followed() && edits.undo(&mut values(2.0)));
        assert_eq!(edits.take_back_hand(), Some(6));
    }

    #[test]
    fn a_new_edit_ends_the_redo_and_the_oldest_are_forgotten() {
        let mut edits = Edits::default();
        for step in 0..CAPACITY + 5 {
            edits.gesture += 1;
            edits.record(values(step as f32), values(step as f32 + 1.0));
        }
        assert_eq!(edits.done.len(), CAPACITY);
        let mut present = values((CAPACITY + 5) as f32);
        edits.undo(&mut present);
        edits.record(present.clone(), values(0.5));
        assert!(!edits.can_redo() && edits.can_undo());
    }
}
