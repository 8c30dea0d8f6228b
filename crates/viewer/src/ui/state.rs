//! State of the panels that outlives a frame, and the view of the scene as the window shows it.

pub use super::edits::Edits;
pub use super::unsaved::{Answer, Leaving};

use super::edits::{self, Values};
use super::lessons::Progress;
use super::scene_view::{Aids, Notices, PlaybackView, looks};
use super::theme::ThemeChoice;
use super::{
    Action, ComparisonPanel, Dock, FluidView, GridView, Palette, PicturesView, Plotted, Quantity, Side, Tools, TuningView,
};
use crate::session::{Inspection, Snapshot, Subject};
use sph_color::{ColorField, Scale};
use sph_core::neighbors::{GridParameters, Structure, Update};
use sph_core::parameters::{Parameter, Parameters};
use sph_io::{Look, Scene, SolidStyle, View};
use sph_render::camera::Camera;
use sph_render::{self, Background, DrawnLook, Subject as CameraSubject};

// State of the panels.

/// Origin of the camera's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// Initial camera of the scene.
    #[default]
    First,
    /// The whole scene, from the user's direction.
    All,
    /// Set by the user.
    Free,
}

/// State of the panels, kept from frame to frame.
#[derive(Clone, Debug)]
pub struct State {
    /// Parameters as the sliders show them; the simulation takes them over in its next step.
    pub parameters: Option<Parameters>,
    /// Keys of the parameters that have been taken off their curves.
    pub off_curve: Vec<&'static str>,
    /// Keys of the scene's curves.
    pub curves: Vec<&'static str>,
    /// Revision number of the parameters: counts edits.
    pub revision: u64,
    /// Generation of the scene that `parameters` belong to.
    pub generation: u64,
    /// View that the scene's file has; `None` before the first scene.
    pub file_view: Option<View>,
    /// Number of scenes opened so far, as the snapshot counts them.
    pub opened: u64,
    /// Edits of the parameters that can be undone.
    pub edits: Edits,
    /// Question that is open, before unsaved edits are lost.
    pub leaving: Option<Leaving>,
    /// Comparison of two grids.
    pub comparing: ComparisonPanel,
    /// Camera of the 3D view.
    pub camera: Camera,
    /// Origin of the camera's view, which decides what a resized window shows.
    pub framing: Framing,
    /// Field that colours the particles.
    pub color: ColorField,
    /// Their colour map and its ends.
    pub scale: Scale,
    /// Look of the fluid.
    pub look: Look,
    /// Look of scenes that name none; the graphics driver decides.
    pub usual_look: Look,
    /// Theme.
    pub theme: ThemeChoice,
    /// Background of the 3D view, which goes with the theme.
    pub background: Background,
    /// True to show the side panel.
    pub show_side_panel: bool,
    /// True to show the panel of the lesson: there is one.
    pub show_lesson: bool,
    /// True to show the plots.
    pub show_plots: bool,
    /// What the plots show.
    pub plotted: Plotted,
    /// Bar of playback.
    pub playback: PlaybackView,
    /// Quantity plotted beside the phases.
    pub quantity: Quantity,
    /// Inspection of the grid.
    pub view: GridView,
    /// Clip plane, arrows of velocity, styles of walls and bodies.
    pub aids: Aids,
    /// True to show the help window.
    pub show_help: bool,
    /// Pictures and videos.
    pub pictures: PicturesView,
    /// Command palette.
    pub palette: Palette,
    /// Key of the parameter whose row is to be shown.
    pub sought: Option<&'static str>,
    /// Fluid panel.
    pub fluid: FluidView,
    /// Arrangement of the panels.
    pub dock: Dock,
    /// Tools of the 3D view.
    pub tools: Tools,
    /// Auto-tuning window.
    pub tuning: TuningView,
    /// True while the menu of scenes is open.
    pub scenes_open: bool,
    /// Current lesson.
    pub lesson: Option<Progress>,
    /// Current messages.
    pub notices: Notices,
}

impl Default for State {
    fn default() -> Self {
        Self {
            parameters: None,
            off_curve: Vec::new(),
            curves: Vec::new(),
            revision: 0,
            generation: 0,
            file_view: None,
            opened: 0,
            edits: Edits::default(),
            leaving: None,
            comparing: ComparisonPanel::default(),
            camera: Camera::default(),
            framing: Framing::default(),
            color: ColorField::default(),
            scale: Scale::default(),
            look: Look::Spheres,
            usual_look: Look::Spheres,
            theme: ThemeChoice::default(),
            background: Background::default(),
            show_side_panel: true,
            show_lesson: false,
            show_plots: true,
            plotted: Plotted::default(),
            playback: PlaybackView::default(),
            quantity: Quantity::default(),
            view: GridView::default(),
            aids: Aids::default(),
            show_help: false,
            pictures: PicturesView::default(),
            palette: Palette::default(),
            sought: None,
            fluid: FluidView::default(),
            dock: Dock::default(),
            tools: Tools::default(),
            tuning: TuningView::default(),
            scenes_open: false,
            lesson: None,
            notices: Notices::default(),
        }
    }
}

impl State {
    /// Takes over the parameters of the simulation, unless an edit is still pending. Returns true for a new scene.
    pub fn follow(&mut self, snapshot: &Snapshot) -> bool {
        let new_scene = snapshot.generation != self.generation;
        if new_scene || snapshot.revision == self.revision {
            self.parameters = snapshot.parameters;
            self.off_curve.clone_from(&snapshot.off_curve);
        }
        self.comparing.follow(snapshot, new_scene);
        self.edits.follow_drops(snapshot.dropped.len(), snapshot.steps);
        if new_scene {
            self.generation = snapshot.generation;
            self.playback = PlaybackView::default();
            self.edits.clear();
            self.tools.let_go();
            self.leaving = None;
            // A scene that is reloaded keeps the camera and the panels.
            let is_opened = snapshot.opened != self.opened;
            self.opened = snapshot.opened;
            if is_opened {
                self.framing = Framing::First;
            }
            if let Some(scene) = &snapshot.scene {
                self.curves = scene.setup.curves.iter().map(|curve| curve.key()).collect();
                let place = self.view.place;
                self.view.enter(scene);
                if is_opened {
                    self.aids.enter(scene);
                    self.color = scene.view.color;
                    self.scale = Scale::of(&scene.view);
                    self.look = looks::first_look(scene, self.usual_look);
                } else {
                    self.view.place = place;
                }
            }
            self.notices.settle(Subject::Scene);
        }
        if let Some(scene) = &snapshot.scene {
            self.adopt_view(scene);
        }
        if snapshot.failure.is_none() {
            self.notices.settle(Subject::Step);
        }
        new_scene
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

    fn request(&mut self, parameters: Parameters, actions: &mut Vec<Action>) {
        self.parameters = Some(parameters);
        self.revision += 1;
        actions.push(Action::SetParameters(parameters, self.revision));
    }

    /// Present values of what can be undone; `None` without a scene.
    fn values(&self) -> Option<Values> {
        self.parameters.map(|parameters| Values { parameters, off_curve: self.off_curve.clone() })
    }

    fn record(&mut self, before: Option<Values>) {
        if let (Some(before), Some(after)) = (before, self.values()) {
            self.edits.record(before, after);
        }
    }

    /// Takes back the body that was dropped last in this pause, or undoes the last edit of the parameters. If there is none, or a hand has
    /// acted since, a message says what undoes a hand.
    pub fn undo(&mut self, actions: &mut Vec<Action>) {
        self.notices.settle(Subject::Undo);
        if self.edits.take_back_drop() {
            return actions.push(Action::TakeBackBody);
        }
        if self.edits.can_undo() && !self.edits.hand_followed() {
            return self.restore(Edits::undo, actions);
        }
        self.notices.push(edits::advice(&self.edits));
        self.edits.forget_hand();
    }

    /// Makes the edit again that was undone last, if there is one.
    pub fn redo(&mut self, actions: &mut Vec<Action>) {
        self.restore(Edits::redo, actions);
    }

    fn restore(&mut self, change: fn(&mut Edits, &mut Values) -> bool, actions: &mut Vec<Action>) {
        let Some(mut values) = self.values() else { return };
        if change(&mut self.edits, &mut values) {
            self.request_off_curve(values.off_curve, actions);
            self.request(values.parameters, actions);
        }
    }

    /// Shows the row of a parameter, wherever it is, from the next frame on.
    pub fn show_parameter(&mut self, parameter: &'static Parameter<Parameters>) {
        self.show_side_panel = true;
        self.comparing.side = Side::A;
        self.sought = Some(parameter.key);
        self.fluid = FluidView { search: String::new(), guest: Some(parameter.key), ..self.fluid };
    }

    /// Labels of the parameters whose values would be lost with the scene.
    pub fn unsaved(&self, scene: &Scene) -> Vec<&'static str> {
        let Some(parameters) = self.parameters else { return Vec::new() };
        let of_scene = self.scene_parameters(scene);
        let differs = |parameter: &&Parameter<Parameters>| {
            parameter.get(&parameters) != parameter.get(&of_scene) || self.off_curve.contains(&parameter.key)
        };
        let used = Parameters::table().iter().filter(|parameter| parameter.is_used(&parameters));
        used.filter(differs).map(|parameter| parameter.label).collect()
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

    /// True while two grids are compared.
    pub fn is_comparing(&self) -> bool {
        self.comparing.rival.is_some()
    }

    /// Starts a comparison with a grid that differs in the structure only, or ends the current comparison.
    pub fn toggle_comparison(&mut self, actions: &mut Vec<Action>) {
        if self.is_comparing() {
            self.comparing.side = Side::A;
            self.compare(None, actions);
        } else if let Some(parameters) = self.parameters {
            let structure = match parameters.grid.structure {
                Structure::CellHash(_) => Structure::SpatialHash,
                _ => Structure::CellHash(Update::Rebuilt),
            };
            self.comparing.side = Side::B;
            self.compare(Some(GridParameters { structure, ..parameters.grid }), actions);
        }
    }

    /// Sets grid B in the panels and requests it from the simulation; `None` ends the comparison.
    pub fn compare(&mut self, rival: Option<GridParameters>, actions: &mut Vec<Action>) {
        self.comparing.rival = rival;
        self.comparing.revision += 1;
        actions.push(Action::Compare(rival, self.comparing.revision));
    }

    /// Swaps grids A and B.
    pub fn swap_grids(&mut self, actions: &mut Vec<Action>) {
        if let (Some(mut parameters), Some(rival)) = (self.parameters, self.comparing.rival) {
            let own = std::mem::replace(&mut parameters.grid, rival);
            self.edit(parameters, actions);
            self.compare(Some(own), actions);
        }
    }

    /// Grid that the panel edits.
    pub fn edited_grid(&self) -> Option<GridParameters> {
        match self.comparing.side {
            Side::A => self.parameters.map(|parameters| parameters.grid),
            Side::B => self.comparing.rival,
        }
    }

    /// Sets the grid of the edited side in the panels and requests it from the simulation.
    pub fn edit_grid(&mut self, grid: GridParameters, actions: &mut Vec<Action>) {
        match (self.comparing.side, self.parameters) {
            (Side::B, _) => self.compare(Some(grid), actions),
            (Side::A, Some(parameters)) => self.edit(Parameters { grid, ..parameters }, actions),
            (Side::A, None) => {}
        }
    }
}

// View of the scene as the window shows it.

impl State {
    /// Look in which `scene` is drawn: that chosen, or spheres where it is not possible; `transparent` without a background.
    pub fn drawn_look(&self, scene: &Scene, inspection: Option<&Inspection>, transparent: bool) -> DrawnLook {
        let dimensions = scene.setup.discretization.dimensions;
        sph_render::drawn_look(
            self.look,
            CameraSubject { dimensions, transparent, particles: self.view.looks_at_particles(inspection) },
        )
    }

    /// Takes over what has been changed in the view of the file of `scene`, by another program; what a user has changed in the window too
    /// stays as it is shown.
    fn adopt_view(&mut self, scene: &Scene) {
        let (now, Some(before)) = (scene.view, self.file_view.replace(scene.view)) else { return };
        if now.color != before.color && self.color == before.color {
            self.color = now.color;
        }
        if Scale::of(&now) != Scale::of(&before) && self.scale == Scale::of(&before) {
            self.scale = Scale::of(&now);
        }
        if now.look != before.look && self.look == before.look.unwrap_or(self.usual_look) {
            self.look = looks::first_look(scene, self.usual_look);
        }
        let of = |view: &View| (view.clip, view.arrows, view.walls.unwrap_or(SolidStyle::Wireframe), view.bodies);
        let Aids { arrows, walls, bodies, .. } = self.aids;
        if of(&now) != of(&before) && (self.aids.clip(), arrows, walls, bodies) == of(&before) {
            self.aids.enter(scene);
        }
    }

    /// The view of `scene` with what is shown at present, to be saved; its camera stays.
    pub fn scene_view(&self, scene: &Scene) -> View {
        let is_first = self.look == looks::first_look(scene, self.usual_look);
        let is_usual = scene.view.walls.is_none() && self.aids.walls == SolidStyle::Wireframe;
        View {
            color: self.color,
            color_map: self.scale.map,
            range: self.scale.range,
            look: if is_first { scene.view.look } else { Some(self.look) },
            clip: self.aids.clip(),
            arrows: self.aids.arrows,
            walls: if is_usual { None } else { Some(self.aids.walls) },
            bodies: self.aids.bodies,
            ..scene.view
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::session::Snapshot;
    use sph_io::ColorField;

    /// The generation stays if nothing but the view has changed.
    #[test]
    fn an_editor_s_view_is_taken_over_but_for_what_the_window_has_changed() {
        let open = |view: &str| {
            let head = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[view]\n";
            let scene = Arc::new(sph_io::parse(&format!("{head}{view}"), "view", &[]).expect("the scene is valid"));
            Snapshot { scene: Some(scene), generation: 1, opened: 1, ..Snapshot::default() }
        };
        let mut state = State::default();
        state.follow(&open("color = 'speed'\n"));
        state.follow(&open("color = 'pressure'\nwalls = 'shaded'\nrange = [0, 7]\n"));
        assert_eq!(
            (state.color, state.aids.walls, state.scale.range),
            (ColorField::Pressure, SolidStyle::Shaded, Some([0.0, 7.0]))
        );
        state.color = ColorField::Density;
        state.aids.walls = SolidStyle::Hidden;
        state.follow(&open("color = 'speed'\nwalls = 'wireframe'\n"));
        assert_eq!((state.color, state.aids.walls, state.scale.range), (ColorField::Density, SolidStyle::Hidden, None));
    }

    /// What is saved without a change is what was opened.
    #[test]
    fn a_view_that_nobody_changed_is_the_scene_s() {
        let head = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[view]\n";
        let views =
            ["", "clip = { axis = 'x', position = 0.4, flipped = true }\narrows = true\nrange = [0, 3]\nwalls = 'shaded'\n"];
        for view in views {
            let scene = sph_io::parse(&format!("{head}{view}"), "view", &[]).expect("the scene is valid");
            let scene = Arc::new(scene);
            let snapshot = Snapshot { scene: Some(scene.clone()), generation: 1, opened: 1, ..Snapshot::default() };
            let mut state = State::default();
            state.follow(&snapshot);
            assert_eq!(state.scene_view(&scene), scene.view);
            let shown = state.aids.walls;
            for expected in [SolidStyle::Hidden, shown, SolidStyle::Hidden] {
                state.aids.toggle_walls();
                assert_eq!(state.aids.walls, expected);
            }
            assert_eq!(state.scene_view(&scene).walls, Some(SolidStyle::Hidden));
        }
    }
}
