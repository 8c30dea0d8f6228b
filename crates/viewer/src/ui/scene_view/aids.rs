//! Aids to see inside the fluid: a clip plane, and arrows of velocity.

use crate::render::scene_bounds;
use crate::ui::Model;
use crate::ui::widgets::{NumberRow, choice_ui, format, hint_ui};
use egui::Ui;
use sph_core::Dimensions;
use sph_core::parameters::Choice as _;
use sph_io::{ClipPlane, Scene, SolidStyle, View};

/// Clip plane and arrows, as chosen in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aids {
    /// True to clip.
    pub clips: bool,
    /// The plane.
    pub plane: ClipPlane,
    /// True to draw velocities as arrows.
    pub arrows: bool,
    /// Style of the walls.
    pub walls: SolidStyle,
    /// Style in which hidden walls are shown again.
    shown_walls: SolidStyle,
    /// Style of the bodies; `None` for the one that suits the look of the fluid.
    pub bodies: Option<SolidStyle>,
}

impl Default for Aids {
    fn default() -> Self {
        Self {
            clips: false,
            plane: ClipPlane { axis: 2, position: 0.0, flipped: false },
            arrows: false,
            walls: SolidStyle::Wireframe,
            shown_walls: SolidStyle::Wireframe,
            bodies: None,
        }
    }
}

impl Aids {
    /// What another scene asks for; a plane that it does not have lies in its middle.
    pub fn enter(&mut self, scene: &Scene) {
        let View { clip, arrows, walls, bodies, .. } = scene.view;
        *self = Self {
            clips: clip.is_some(),
            plane: clip.unwrap_or(self.plane),
            arrows,
            walls: walls.unwrap_or(SolidStyle::Wireframe),
            shown_walls: SolidStyle::Wireframe,
            bodies,
        };
        if clip.is_some() {
            return;
        }
        let (min, max) = scene_bounds(&scene.setup);
        if scene.setup.discretization.dimensions == Dimensions::Two {
            self.plane.axis = self.plane.axis.min(1);
        }
        self.plane.position = 0.5 * (min + max)[self.plane.axis];
    }

    /// Hides the walls, or shows them as they were before.
    pub fn toggle_walls(&mut self) {
        if self.walls == SolidStyle::Hidden {
            self.walls = self.shown_walls;
        } else {
            self.shown_walls = std::mem::replace(&mut self.walls, SolidStyle::Hidden);
        }
    }

    /// The clip plane, if it is on.
    pub fn clip(&self) -> Option<ClipPlane> {
        self.clips.then_some(self.plane)
    }
}

/// Lays out the switches of the clip plane and of the arrows, and the styles of walls and bodies.
pub fn aids_ui(ui: &mut Ui, aids: &mut Aids, model: &Model<'_>) {
    let Some(scene) = &model.snapshot.scene else {
        hint_ui(ui, "No scene is loaded.");
        return;
    };
    ui.checkbox(&mut aids.arrows, "Velocity arrows")
        .on_hover_text("Draw the velocities of an even selection of particles. The length goes with the speed.");
    ui.checkbox(&mut aids.clips, "Clip plane").on_hover_text("Cut the fluid open: show what is on one side of a plane.");
    if aids.clips {
        plane_ui(ui, &mut aids.plane, scene);
    }
    let styles = SolidStyle::ALL.map(|style| (style, style.option().label));
    if aids.walls != SolidStyle::Hidden {
        aids.shown_walls = aids.walls;
    }
    choice_ui(ui, "Walls", "Style of the walls. T hides them and shows them again.", &mut aids.walls, &styles);
    let has_bodies = !scene.setup.bodies.is_empty() || !model.snapshot.dropped.is_empty();
    if has_bodies && scene.setup.discretization.dimensions == Dimensions::Three {
        let usual = [(None, "Automatic")].into_iter();
        let styles: Vec<_> = usual.chain(styles.map(|(style, label)| (Some(style), label))).collect();
        let tooltip = "Style of the bodies. Automatic: shaded in water, particles in the other looks.";
        choice_ui(ui, "Bodies", tooltip, &mut aids.bodies, &styles);
    }
}

fn plane_ui(ui: &mut Ui, plane: &mut ClipPlane, scene: &Scene) {
    let (min, max) = scene_bounds(&scene.setup);
    let axes = [(0, "x"), (1, "y"), (2, "z")];
    let usable = scene.setup.discretization.dimensions.count();
    if choice_ui(ui, "Clip normal", "Axis perpendicular to the plane.", &mut plane.axis, &axes[..usable]) {
        plane.position = 0.5 * (min + max)[plane.axis];
    }
    let range = f64::from(min[plane.axis])..=f64::from(max[plane.axis]);
    let mut value = f64::from(plane.position);
    // A file may place the plane outside the scene: to show it must not move it.
    let allowed = range.start().min(value)..=range.end().max(value);
    let number = NumberRow {
        label: "Clip position",
        tooltip: "Position of the plane along its normal.",
        unit: " m",
        slider: range,
        allowed,
        usual: None,
        logarithmic: false,
        finest: 1e-3,
        scene: f64::from(0.5 * (min + max)[plane.axis]),
        format: format::length,
    };
    if number.ui(ui, &mut value) {
        plane.position = value as f32;
    }
    ui.checkbox(&mut plane.flipped, "Other side").on_hover_text("Show what is above the plane instead of what is below.");
}
