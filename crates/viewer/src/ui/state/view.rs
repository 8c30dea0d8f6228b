//! View of the scene as the window shows it.

use super::State;
use crate::color::Scale;
use crate::render::{self, DrawnLook, Subject};
use crate::session::Inspection;
use crate::ui::looks;
use crate::ui::scene_view::Aids;
use sph_io::{Scene, SolidStyle, View};

impl State {
    /// Look in which `scene` is drawn: that chosen, or spheres where it is not possible; `transparent` without a background.
    pub fn drawn_look(&self, scene: &Scene, inspection: Option<&Inspection>, transparent: bool) -> DrawnLook {
        let dimensions = scene.setup.discretization.dimensions;
        render::drawn_look(self.look, Subject { dimensions, transparent, particles: self.view.looks_at_particles(inspection) })
    }

    /// Takes over what has been changed in the view of the file of `scene`, by another program; what a user has changed in the window too
    /// stays as it is shown.
    pub(super) fn adopt_view(&mut self, scene: &Scene) {
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
    use super::*;
    use crate::session::Snapshot;
    use sph_io::ColorField;
    use std::sync::Arc;

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
