//! Saving of changed parameters: the saved file loads as the same parameters, and the author's text stays.

use proptest::prelude::*;
use sph_core::neighbors::{GridParameters, HashFunction, Structure};
use sph_core::parameters::{Registration, Storage, Update};
use sph_core::{Parameters, Preset};
use sph_io::{Override, SaveError, Scene, SceneEdits, View};
use std::fs;
use std::path::{Path, PathBuf};

const TEXT: &str = "# A scene with opinions.
format = 1
particles.spacing = 0.05   # coarse

[run]
duration = 1.0

[fluid]
sound_speed = 30      # m/s, generous
kinematic_viscosity    =    1e-6
[[fluid.blocks]]  # the only one
min = [0, 0, 0]
max = [0.5, 0.5, 0.5]

# The grid, last.
[grid]
hash = 'teschner' # rather than Müller's
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The scene with `text`, loaded from a file.
    fn scene(&self, text: &str) -> Scene {
        let path = self.0.path().join("scene.toml");
        fs::write(&path, text).unwrap();
        sph_io::load(&path, &[]).unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn path(scene: &Scene) -> &Path {
    scene.path.as_deref().unwrap()
}

/// The content of the file of `text` after `change` has been saved. Checks that it loads as the changed parameters.
fn saved(text: &str, change: impl FnOnce(&mut Parameters)) -> String {
    let folder = Folder::new();
    let scene = folder.scene(text);
    let mut parameters = scene.setup.parameters;
    change(&mut parameters);
    sph_io::save_parameters(path(&scene), &parameters, &[], &scene).unwrap();
    let again = sph_io::load(path(&scene), &[]).unwrap();
    assert_eq!(again.setup.parameters, parameters);
    fs::read_to_string(path(&scene)).unwrap()
}

#[test]
fn without_changes_the_file_stays_as_it_is() {
    assert_eq!(saved(TEXT, |_| ()), TEXT);
    let windows = format!("\u{feff}{}", TEXT.replace('\n', "\r\n"));
    assert_eq!(saved(&windows, |_| ()), windows);
    let changed = saved(&windows, |parameters| parameters.time_step.max_dt = 0.001);
    assert_eq!(changed, format!("{windows}\r\n[time_step]\r\nmax_dt = 0.001\r\n"));
}

#[test]
fn only_changed_values_change() {
    let text = saved(TEXT, |parameters| {
        parameters.fluid.sound_speed = 22.5;
        parameters.fluid.kinematic_viscosity = 0.0525;
        parameters.grid.hash = HashFunction::Muller;
    });
    let expected = TEXT
        .replace("sound_speed = 30      #", "sound_speed = 22.5      #")
        .replace("=    1e-6", "=    0.0525")
        .replace("'teschner' #", "\"muller\" #");
    assert_eq!(text, expected);
}

#[test]
fn a_preset_stays_in_the_file_with_what_was_changed_of_it() {
    let live = TEXT.replace("format = 1\n", "format = 1\npreset = \"live\" # to play with\n");
    let table_size = |parameters: &mut Parameters| parameters.grid.table_size = 97;
    assert!(saved(&live, table_size).contains("preset = \"live\""));
    let added =
        |text: &str| text.lines().filter(|line| !live.lines().any(|old| old == *line)).map(str::to_owned).collect::<Vec<_>>();
    let looser = saved(&live, |parameters| parameters.solver.iisph.tolerance = 0.01);
    assert_eq!(added(&looser), ["[solver.iisph]", "tolerance = 0.01"], "{looser}");
    let accurate = saved(&live, |parameters| Preset::Accurate.apply(parameters));
    assert_eq!(added(&accurate), ["preset = \"accurate\" # to play with"], "{accurate}");
    let both = saved(&live, |parameters| {
        Preset::Accurate.apply(parameters);
        table_size(parameters);
    });
    assert!(both.contains("preset = \"accurate\"") && both.contains("table_size = 97"), "{both}");
}

#[test]
fn a_preset_of_an_override_or_of_an_included_file_hinders_no_save() {
    let folder = Folder::new();
    let live = folder.scene(&TEXT.replace("format = 1\n", "format = 1\npreset = \"live\"\n"));
    let accurate = sph_io::load(path(&live), &["preset=accurate".parse().unwrap()]).unwrap();
    assert_ne!(accurate.setup.parameters, live.setup.parameters);
    let saved = sph_io::save_parameters(path(&live), &live.setup.parameters, &[], &accurate).unwrap();
    assert_eq!((saved.setup.parameters, saved.overrides), (live.setup.parameters, Vec::new()));
    // A key that an included file gives cannot be given twice: the values are written.
    let folder = Folder::new();
    fs::write(folder.path("base.toml"), "preset = \"live\"\n").unwrap();
    let scene = folder.scene(&TEXT.replacen("format = 1", "format = 1\ninclude = [\"base.toml\"]", 1));
    let mut parameters = scene.setup.parameters;
    Preset::Accurate.apply(&mut parameters);
    let saved = sph_io::save_parameters(path(&scene), &parameters, &[], &scene).unwrap();
    assert_eq!(saved.setup.parameters, parameters);
}

#[test]
fn missing_keys_and_tables_are_added() {
    let text = saved(TEXT, |parameters| {
        parameters.time_step.max_dt = 1e-5;
        parameters.time_step.cfl_factor = 0.25;
        parameters.grid.table_size = 97;
        parameters.grid.structure = Structure::BruteForce;
        parameters.gravity.x = 0.1;
    });
    let added = "hash = 'teschner' # rather than Müller's\nstructure = \"brute_force\"\ntable_size = 97\n";
    assert!(text.contains(added), "{text}");
    // The speed scale of foam would change with gravity.
    assert!(text.ends_with("\n[time_step]\ncfl_factor = 0.25\nmax_dt = 1e-5\n\n[foam]\nspeed = 3.132092\n"), "{text}");
    assert!(
        text.starts_with(
            "# A scene with opinions.\nformat = 1\nparticles.spacing = 0.05   # coarse\ngravity = [0.1, -9.81, 0.0]\n"
        ),
        "{text}"
    );
    // All comments are still there.
    for comment in TEXT.lines().filter_map(|line| line.split_once('#')).map(|(_, comment)| comment) {
        assert!(text.contains(comment), "{comment}");
    }
}

#[test]
fn a_table_that_is_only_implied_gets_a_header() {
    let text = TEXT.replace("[fluid]\nsound_speed = 30      # m/s, generous\nkinematic_viscosity    =    1e-6\n", "");
    let text = saved(&text, |parameters| parameters.fluid.artificial_viscosity = 0.3);
    assert!(text.contains("[fluid]\nartificial_viscosity = 0.3\n"), "{text}");
    let dotted = TEXT
        .replace("[grid]\nhash", "[view]\n[grid]\nhash")
        .replace("[fluid]\n", "")
        .replace("sound_speed", "fluid.sound_speed");
    let dotted = dotted.replace("[run]\nduration = 1.0\n", "").replace(
        "kinematic_viscosity    =    1e-6\n[[fluid.blocks]]  # the only one\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\n",
        "fluid.blocks = [{ min = [0, 0, 0], max = [0.5, 0.5, 0.5] }]\n",
    );
    let text = saved(&dotted, |parameters| {
        parameters.fluid.sound_speed = 25.0;
        parameters.fluid.density_diffusion = 0.2;
    });
    assert!(text.contains("fluid.sound_speed = 25.0      # m/s, generous\n"), "{text}");
}

#[test]
fn a_key_without_a_value_goes() {
    let fixed = TEXT.replace("[run]", "[time_step]\nfixed_dt = 1e-3 # always\nmin_dt = 1e-4\n\n[run]");
    let text = saved(&fixed, |parameters| parameters.time_step.fixed_dt = None);
    assert_eq!(text, fixed.replace("fixed_dt = 1e-3 # always\n", ""));
    assert_eq!(
        saved(&text, |parameters| parameters.time_step.fixed_dt = Some(1e-3)),
        text.replace("= 1e-4\n", "= 1e-4\nfixed_dt = 0.001\n")
    );
}

#[test]
fn arrays_keep_their_form() {
    let text = TEXT.replace("format = 1\n", "format = 1\ngravity = [\n    0, # x\n    -9.810, # y\n    0.0,\n]\n");
    let text = saved(&text, |parameters| parameters.gravity.x = 1.5);
    assert!(text.contains("gravity = [\n    1.5, # x\n    -9.810, # y\n    0.0,\n]\n"), "{text}");
    let flat = TEXT.replace("format = 1\n", "format = 1\ndimensions = 2\ngravity = [0.0, -1.0]\n");
    let text = saved(&flat, |parameters| parameters.gravity.y = -1.62);
    assert!(text.contains("gravity = [0.0, -1.62]\n"), "{text}");
}

#[test]
fn defaults_that_follow_from_others_are_pinned() {
    let text = TEXT.replace("sound_speed = 30      # m/s, generous\n", "");
    let before = Folder::new().scene(&text).setup.parameters.fluid.sound_speed;
    // `saved` compares all parameters: the sound speed must not follow gravity.
    let text = saved(&text, |parameters| parameters.gravity.y = -1.62);
    assert!(text.contains(&format!("sound_speed = {before}\n")), "{text}");
}

#[test]
fn edits_made_meanwhile_stay() {
    let folder = Folder::new();
    let scene = folder.scene(TEXT);
    let edited = TEXT.replace("1e-6", "2e-6 # better").replace("duration = 1.0", "duration = 3.0");
    fs::write(path(&scene), &edited).unwrap();
    let mut parameters = scene.setup.parameters;
    parameters.fluid.sound_speed = 25.0;
    sph_io::save_parameters(path(&scene), &parameters, &[], &scene).unwrap();
    let expected = edited.replace("sound_speed = 30 ", "sound_speed = 25.0 ");
    assert_eq!(fs::read_to_string(path(&scene)).unwrap(), expected);
}

#[test]
fn overrides_are_not_saved_unless_touched() {
    let folder = Folder::new();
    let file = path(&folder.scene(TEXT)).to_owned();
    let overrides = ["grid.table_size=97", "fluid.sound_speed=12"].map(|text| text.parse().unwrap());
    let scene = sph_io::load(&file, &overrides).unwrap();
    let mut parameters = scene.setup.parameters;
    parameters.fluid.sound_speed = 13.0;
    sph_io::save_parameters(&file, &parameters, &[], &scene).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), TEXT.replace("sound_speed = 30 ", "sound_speed = 13.0 "));
}

#[test]
fn a_file_that_is_gone_or_broken_is_an_error_and_stays_so() {
    let folder = Folder::new();
    let scene = folder.scene(TEXT);
    let mut parameters = scene.setup.parameters;
    parameters.fluid.sound_speed = 25.0;
    fs::write(path(&scene), "format = 1\n[broken").unwrap();
    let error = sph_io::save_parameters(path(&scene), &parameters, &[], &scene).unwrap_err();
    assert!(matches!(&error, SaveError::Scene(error) if error.summary().contains("not valid TOML")), "{error}");
    assert_eq!(fs::read_to_string(path(&scene)).unwrap(), "format = 1\n[broken");
    fs::remove_file(path(&scene)).unwrap();
    let error = sph_io::save_parameters(path(&scene), &parameters, &[], &scene).unwrap_err();
    assert!(error.to_string().contains("there is no such file"), "{error}");
    assert!(!path(&scene).exists());
    // Parameters that are invalid in the file's scene.
    let scene = folder.scene(TEXT);
    parameters.grid.cell_size = 50.0;
    let error = sph_io::save_parameters(path(&scene), &parameters, &[], &scene).unwrap_err();
    assert!(error.to_string().contains("grid.cell_size must be"), "{error}");
    assert_eq!(fs::read_to_string(path(&scene)).unwrap(), TEXT);
}

#[test]
fn saving_elsewhere_writes_the_whole_scene() {
    let folder = Folder::new();
    let scene = folder.scene(TEXT);
    let mut parameters = scene.setup.parameters;
    parameters.fluid.sound_speed = 25.0;
    let copy = folder.path("copy.toml");
    sph_io::save_parameters(&copy, &parameters, &[], &scene).unwrap();
    assert_eq!(fs::read_to_string(path(&scene)).unwrap(), TEXT);
    assert_eq!(sph_io::load(&copy, &[]).unwrap().setup.parameters, parameters);
    let nowhere = folder.path("no/such/folder/copy.toml");
    let error = sph_io::save_parameters(&nowhere, &parameters, &[], &scene).unwrap_err();
    assert!(matches!(error, SaveError::Write { .. }) && error.to_string().contains("cannot be written"), "{error}");
}

/// A scene without a file, and one whose file is gone, are saved as another all the same: as they were loaded. The saved scene is that of the new file.
#[test]
fn a_scene_is_saved_elsewhere_as_it_was_loaded() {
    let folder = Folder::new();
    let built_in = sph_io::parse(TEXT, "built_in", &[]).unwrap();
    let lost = folder.scene(TEXT);
    fs::remove_file(path(&lost)).unwrap();
    for scene in [built_in, lost] {
        let mut parameters = scene.setup.parameters;
        parameters.fluid.sound_speed = 25.0;
        let copy = folder.path("pool.toml");
        let saved = sph_io::save_parameters(&copy, &parameters, &[], &scene).unwrap();
        assert_eq!((saved.name.as_str(), saved.path.as_deref()), ("pool", Some(&*copy)), "{}", scene.name);
        let again = sph_io::load(&copy, &[]).unwrap();
        assert_eq!((again.setup.parameters, again.setup), (parameters, saved.setup), "{}", scene.name);
    }
}

/// A file that the scene names must be there from its new place too; nothing is written otherwise.
#[test]
fn a_scene_is_not_saved_where_it_would_miss_its_files() {
    let folder = Folder::new();
    fs::write(folder.path("base.toml"), TEXT).unwrap();
    let scene = folder.scene("include = [\"base.toml\"]\n");
    fs::create_dir(folder.path("other")).unwrap();
    let copy = folder.path("other/pool.toml");
    let error = sph_io::save_parameters(&copy, &scene.setup.parameters, &[], &scene).unwrap_err();
    assert!(error.to_string().contains("base.toml"), "{error}");
    assert!(!copy.exists());
    sph_io::save_parameters(&folder.path("pool.toml"), &scene.setup.parameters, &[], &scene).unwrap();
}

/// A first line that names the schema stays where the schema is there from the new place too.
#[test]
fn a_schema_that_would_be_lost_is_not_named() {
    let folder = Folder::new();
    fs::write(folder.path("scene.schema.json"), "{}").unwrap();
    let first = "#:schema ./scene.schema.json\n";
    let scene = folder.scene(&format!("{first}{TEXT}"));
    fs::create_dir(folder.path("other")).unwrap();
    for (place, is_kept) in [("pool.toml", true), ("other/pool.toml", false)] {
        let copy = folder.path(place);
        sph_io::save_parameters(&copy, &scene.setup.parameters, &[], &scene).unwrap();
        let saved = fs::read_to_string(&copy).unwrap();
        assert_eq!(saved, if is_kept { format!("{first}{TEXT}") } else { TEXT.to_owned() }, "{place}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn saved_parameters_load_again(
        gravity in prop::array::uniform3(-100.0f32..100.0),
        fluid in (2e-3f32..9e4, 0.0f32..10.0, 0.0f32..1.0, 0.0f32..1.0),
        steps in (1e-6f32..1.0, 2e-9f32..1.0),
        table_size in 1u32..1 << 24,
        cell_size in 0.25f32..4.0,
    ) {
        saved(TEXT, |parameters| {
            parameters.gravity = gravity.into();
            let f = &mut parameters.fluid;
            (f.sound_speed, f.kinematic_viscosity, f.artificial_viscosity, f.density_diffusion) = fluid;
            (parameters.time_step.cfl_factor, parameters.time_step.max_dt) = steps;
            parameters.grid.table_size = table_size;
            parameters.grid.cell_size *= cell_size;
        });
    }
}

#[test]
fn several_fluids_stay() {
    let fluids = "[[fluids]] # below
name = 'water'
rest_density = 1000
[[fluids]]
name = 'oil'
rest_density = 800
color = '#ffaa00'
";
    let text = TEXT.replace("[[fluid.blocks]]", &format!("{fluids}[[fluid.blocks]]\nfluid = 'oil'"));
    let text = saved(&text, |parameters| parameters.fluid.kinematic_viscosity = 1e-3);
    assert!(text.contains(fluids) && text.contains("\nfluid = 'oil'"), "{text}");
    assert!(text.contains("kinematic_viscosity    =    0.001\n"), "{text}");
}

/// Edits of parameters and view.
fn edits<'a>(parameters: &'a Parameters, view: &'a View) -> SceneEdits<'a> {
    SceneEdits { parameters, off_curve: &[], set_grids: &[], view, is_spacing_edited: false }
}

#[test]
fn a_changed_search_of_cloth_and_balls_is_written_back() {
    let cloth = "[cloth.grid] # of all sheets\ntable_size = 500 # small\n[[cloths]]\ncorner = [0, 1, 0]\nalong = [0.4, 0, 0]\nacross = [0, 0, 0.4]\nspacing = 0.1\n";
    let balls = "[[balls]]\nradius = 0.02\ncenters = [[0.1, 2, 0.1], [0.2, 2, 0.2]]\n";
    let folder = Folder::new();
    let scene = folder.scene(&format!("format = 1\n[particles]\nspacing = 0.05\n{cloth}{balls}"));
    let grids = |scene: &sph_io::Scene| scene.setup.points.as_ref().expect("cloth and balls").source().grids();
    let mut wanted = grids(&scene);
    assert_eq!((wanted.len(), wanted[0].table_size), (2, 500));
    wanted[0].table_size = 7;
    let structure = Structure::BucketHash(Storage::Fixed, Update::Incremental, Registration::Once);
    wanted[1] = GridParameters { structure, cell_size: 0.11, hash: HashFunction::Teschner, bucket_capacity: 5, ..wanted[1] };
    let view = &scene.view;
    let edits = SceneEdits { set_grids: &wanted, ..edits(&scene.setup.parameters, view) };
    let saved = sph_io::save_scene(path(&scene), &edits, &scene).unwrap();
    assert_eq!(grids(&saved), wanted);
    let text = fs::read_to_string(path(&scene)).unwrap();
    assert!(text.contains("table_size = 7 # small") && text.contains("[ball.grid]") && !text.contains("[grid]"), "{text}");
    assert_eq!(grids(&sph_io::load(path(&scene), &[]).unwrap()), wanted);
    // A structure without buckets, and back to one whose options the file does not have.
    let text_of_plain = text.replace("bucket_hash", "sorted_cells");
    let lines = text_of_plain.lines().filter(|line| !line.starts_with("storage"));
    let scene = folder.scene(&lines.map(|line| format!("{line}\n")).collect::<String>());
    assert_eq!(grids(&scene)[1].structure, Structure::SortedCells);
    let saved = sph_io::save_scene(path(&scene), &edits, &scene).unwrap();
    assert_eq!(grids(&saved), wanted);
    let text = fs::read_to_string(path(&scene)).unwrap();
    // What is as in the file is not written.
    let again = sph_io::save_scene(path(&scene), &SceneEdits { set_grids: &wanted, ..edits }, &saved).unwrap();
    assert_eq!((grids(&again), fs::read_to_string(path(&scene)).unwrap()), (wanted, text));
}

#[test]
fn a_changed_view_is_written_back() {
    use sph_io::{ClipPlane, ColorField, ColorMapName, Look, PointColors, SolidStyle};
    let wanted = View {
        color: ColorField::Vorticity,
        color_map: Some(ColorMapName::Cividis),
        range: Some([0.1, 25.0]),
        look: Some(Look::Points),
        clip: Some(ClipPlane { axis: 2, position: 0.25, flipped: true }),
        arrows: true,
        walls: Some(SolidStyle::Hidden),
        bodies: Some(SolidStyle::Wireframe),
        point_colors: Some(PointColors::Quantity),
        ..View::default()
    };
    let with_view =
        format!("{TEXT}[view]  # as I like it\ncolor = \"pressure\"  # in Pa\n[view.clip]\naxis = \"x\"\nposition = 1\n");
    for text in [TEXT, &with_view] {
        let folder = Folder::new();
        let scene = folder.scene(text);
        let saved = sph_io::save_scene(path(&scene), &edits(&scene.setup.parameters, &wanted), &scene).unwrap();
        assert_eq!((saved.view, &saved.setup), (wanted, &scene.setup));
        assert_eq!(sph_io::load(path(&scene), &[]).unwrap().view, wanted);
        let changed = fs::read_to_string(path(&scene)).unwrap();
        assert!(
            changed.contains("hash = 'teschner' # rather") && changed.contains("# in Pa") == text.contains("# in Pa"),
            "{changed}"
        );
        // And back: what the file did not have is taken out again.
        let back = sph_io::save_scene(path(&scene), &edits(&scene.setup.parameters, &scene.view), &saved).unwrap();
        assert_eq!(back.view, scene.view);
    }
}

/// A key that an included file gives cannot be given twice: what else has been changed is saved nevertheless.
#[test]
fn a_view_of_an_included_file_stays_and_stops_no_save() {
    use sph_io::ColorField;
    let folder = Folder::new();
    fs::write(folder.path("base.toml"), "[view]\ncolor = \"speed\"\narrows = true\n").unwrap();
    let scene = folder.scene(&TEXT.replacen("format = 1", "format = 1\ninclude = [\"base.toml\"]", 1));
    assert!(scene.view.arrows);
    let mut parameters = scene.setup.parameters;
    parameters.fluid.sound_speed = 40.0;
    let wanted = View { color: ColorField::Pressure, arrows: false, range: Some([0.0, 5.0]), ..scene.view };
    let saved = sph_io::save_scene(path(&scene), &edits(&parameters, &wanted), &scene).unwrap();
    assert_eq!(saved.setup.parameters, parameters);
    assert_eq!(saved.view, View { range: wanted.range, ..scene.view });
    assert_eq!(saved.view.differing_keys(&wanted), ["view.color", "view.arrows"]);
}

/// The file's own spacing decides what its cell size means; the scene that runs at another keeps the one it has.
#[test]
fn a_cell_size_chosen_at_another_spacing_suits_the_file_s_own() {
    let folder = Folder::new();
    let scene = folder.scene(TEXT);
    let spacing = Override { path: "particles.spacing".to_owned(), value: "0.1".to_owned() };
    let coarse = sph_io::load(path(&scene), std::slice::from_ref(&spacing)).unwrap();
    let mut parameters = coarse.setup.parameters;
    parameters.grid.cell_size *= 1.5;
    let saved = sph_io::save_parameters(path(&scene), &parameters, &[], &coarse).unwrap();
    assert_eq!(saved.setup.parameters, parameters);
    let again = sph_io::load(path(&scene), &[]).unwrap();
    assert_eq!(again.setup.discretization, scene.setup.discretization);
    let ratio = again.setup.parameters.grid.cell_size / again.setup.discretization.support_radius;
    assert!((ratio - 1.5).abs() < 1e-5, "{ratio}");
}

#[test]
fn a_named_cell_size_is_known_however_it_is_written() {
    let of = |grid: &str| {
        let head = "format = 1\nparticles.spacing = 0.05 # cell_size = 1\n";
        let blocks = "[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
        sph_io::parse(&format!("{head}{grid}\n{blocks}"), "block", &[]).unwrap().names_cell_size()
    };
    let forms = ["grid.cell_size = 0.2", "grid = { cell_size = 0.2 }", "[grid]\ncell_size = 0.2"];
    assert!(forms.into_iter().all(of));
    assert!(!["", "[grid]\ntable_size = 7", "[ball.grid]\ncell_size = 0.2"].into_iter().any(of));
}

/// The cell size that has been chosen with the spacing goes with it, and so does what else was edited; the rest stays as the author wrote it.
#[test]
fn an_edited_spacing_is_saved() {
    let folder = Folder::new();
    let scene = folder.scene(TEXT);
    let change = |path: &str, value: &str| Override { path: path.to_owned(), value: value.to_owned() };
    let spacing = change("particles.spacing", "0.1");
    for cell_size in [None, Some(change("grid.cell_size", "0.3"))] {
        fs::write(path(&scene), TEXT).unwrap();
        let chosen = [Some(spacing.clone()), Some(change("run.duration", "9")), cell_size.clone()];
        let coarse = sph_io::load(path(&scene), &chosen.into_iter().flatten().collect::<Vec<_>>()).unwrap();
        let edits = SceneEdits { is_spacing_edited: true, ..edits(&coarse.setup.parameters, &coarse.view) };
        let saved = sph_io::save_scene(path(&scene), &edits, &coarse).unwrap();
        assert_eq!((&saved.setup, saved.file_spacing), (&coarse.setup, 0.1));
        assert_eq!(saved.overrides, [change("run.duration", "9")]);
        let text = fs::read_to_string(path(&scene)).unwrap();
        let again = sph_io::load(path(&scene), &[]).unwrap();
        assert_eq!((again.setup.discretization, again.duration), (coarse.setup.discretization, scene.duration), "{text}");
        let changed = TEXT.lines().zip(text.lines()).filter(|(before, after)| before != after).count();
        assert!(changed <= 1 + 2 * usize::from(cell_size.is_some()), "{text}");

        fs::write(path(&scene), TEXT).unwrap();
        let mut parameters = coarse.setup.parameters;
        parameters.gravity.y = -5.0;
        parameters.grid.cell_size *= 1.25;
        let saved = sph_io::save_scene(path(&scene), &SceneEdits { parameters: &parameters, ..edits }, &coarse).unwrap();
        assert_eq!((saved.setup.parameters, saved.file_spacing), (parameters, 0.1));
        assert_eq!(sph_io::load(path(&scene), &[]).unwrap().setup.parameters, parameters);
    }
}
