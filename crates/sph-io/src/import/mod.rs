//! Import of scenes of SPlisHSPlasH: from its JSON to a scene file, with a list of what has no equivalent.
//!
//! The text is parsed with the place of every value ([`json`]), and each kind of table is read ([`table`]) and converted in
//! [`configuration`], [`materials`], [`fluid`] or [`bodies`]. The result is a scene as a person could have written it, and goes
//! the way of all scenes from there.

mod bodies;
mod configuration;
mod fluid;
mod json;
mod materials;
mod table;

use std::path::Path;

use super::SourceFiles;
use crate::result::{is_result, scene_of};
use crate::scene::{Fault, Place, SceneError, Sources, read_text};
use bodies::{Folders, Solid};
use configuration::{Solver, Space};
use fluid::{Block, Emitter, Model};
use json::Node;
use materials::Material;
use table::{Known, Report, Table};

/// A scene that has been imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Text of the scene file; it opens with the remarks, as comments.
    pub text: String,
    /// Remarks on keys without an equivalent, and on values that were changed: each a sentence after the path that it is about.
    pub remarks: Vec<String>,
}

/// True for files that are imported: those that end in `.json`.
pub fn is_foreign(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Imports the scene of SPlisHSPlasH, or of a [result](crate::BenchResult), at `path`, for a scene file in the folder `target`, if in another folder than it.
///
/// Loading the text then shows if it can be simulated.
///
/// # Errors
/// The file cannot be read, is not JSON, has a value of a wrong kind, names a mesh that is not there, or has no fluid.
pub fn import(path: &Path, target: Option<&Path>) -> Result<Imported, SceneError> {
    import_from(path, target, &mut SourceFiles::default())
}

/// Imports as [`import`]; the file becomes one of `files`.
pub(crate) fn import_from(path: &Path, target: Option<&Path>, files: &mut SourceFiles) -> Result<Imported, SceneError> {
    let text = read_text(path, files)?;
    if is_result(&text) {
        return of_result(&text, path, files);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    import_text(&text, &path.display().to_string(), &name, (Folders { file: folder, scene: target }, files))
}

/// The text of the scene of a result, with the parameters that were measured.
fn of_result(text: &str, path: &Path, files: &mut SourceFiles) -> Result<Imported, SceneError> {
    let scene = scene_of(text, path, &[], files)?;
    let mut remarks = scene.remarks;
    remarks.extend(scene.overrides.iter().map(|change| format!("measured with --set {}={}", change.path, change.value)));
    let named = scene.files.paths().filter(|file| *file != path);
    remarks.extend(named.map(|file| format!("the scene needs the file {}", file.display())));
    Ok(Imported { text: scene.text, remarks })
}

/// Imports the `text` of the file `name`, which messages call `origin`; files that it names become some of `files`.
fn import_text(
    text: &str,
    origin: &str,
    name: &str,
    (folders, files): (Folders<'_>, &mut SourceFiles),
) -> Result<Imported, SceneError> {
    let sources = Sources::new(origin, text);
    let root = json::parse(text).map_err(|error| {
        let fault = Fault::new(Place::Span(error.offset..error.offset), format!("not valid JSON: {}", error.message), "");
        let is_scene = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
        let fault =
            if is_scene { fault.help("a scene of this program needs no import: open or run it as it is") } else { fault };
        sources.error(vec![fault], |_| 0..0)
    })?;
    let mut report = Report::default();
    let title = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let scene = scene_text(&root, title, (folders, files), &mut report);
    if !report.faults.is_empty() {
        return Err(sources.error(report.faults, |_| 0..0));
    }
    let remarks = report.remarks;
    let mut lines = format!("# Imported from {}, a scene of SPlisHSPlasH.\n", name.escape_debug());
    if !remarks.is_empty() {
        lines += "# No equivalent, or changed:\n";
    }
    for remark in &remarks {
        lines += &format!("# - {remark}\n");
    }
    Ok(Imported { text: format!("{lines}\n{scene}"), remarks })
}

// Conversion of a whole file, table by table.

/// Most particles that a scene may have, which a limit cannot exceed.
const MOST_PARTICLES: f64 = 2e7;

/// Tables of a file without an equivalent.
const WITHOUT: Known<'_> = &[
    ("comments", &["Comment", "comment"]),
    (
        "joints are not imported; `[[joints]]` have them",
        &[
            "Simulation",
            "BallJoints",
            "BallOnLineJoints",
            "HingeJoints",
            "UniversalJoints",
            "SliderJoints",
            "RigidBodyParticleBallJoints",
            "RigidBodySprings",
            "DistanceJoints",
            "DamperJoints",
            "TargetAngleMotorHingeJoints",
            "TargetVelocityMotorHingeJoints",
            "TargetPositionMotorSliderJoints",
            "TargetVelocityMotorSliderJoints",
        ],
    ),
    ("there is no elasticity", &["TriangleModels", "TetModels"]),
];

/// The scene of a JSON file, without a header.
fn scene_text(root: &Node, title: &str, (folders, files): (Folders<'_>, &mut SourceFiles), report: &mut Report) -> String {
    let file = Table::of(root, "the file", report);
    let nothing = Node { span: root.span.clone(), value: json::Json::Table(Vec::new()) };
    let configuration = Table::of(file.get("Configuration").unwrap_or(&nothing), "Configuration", report);
    let space = Space::read(&configuration, report);

    let mut blocks: Vec<Block> =
        file.tables("FluidBlocks", report).iter().filter_map(|table| Block::read(table, report)).collect();
    let models = file.tables("FluidModels", report);
    let models: Vec<Model> =
        models.iter().filter_map(|table| Model::read(table, (folders, &mut *files), space, report)).collect();
    let emitters: Vec<Emitter> =
        file.tables("Emitters", report).iter().map(|table| Emitter::read(table, space, report)).collect();
    let solids = file.tables("RigidBodies", report);
    let solids: Vec<Solid> =
        solids.iter().filter_map(|table| Solid::read(table, (folders, &mut *files), space, report)).collect();
    unread_tables(&file, report);
    if blocks.is_empty() && models.is_empty() && emitters.is_empty() && report.faults.is_empty() {
        report.fault(
            root,
            "this scene has nothing to simulate: it has no fluid".to_owned(),
            "expected `FluidBlocks`, `FluidModels` or `Emitters`",
        );
    }

    let centers = || {
        let placed = blocks.iter().map(Block::center).chain(models.iter().map(|model| model.center));
        placed.chain(emitters.iter().map(|emitter| emitter.center))
    };
    let (containers, bodies): (Vec<&Solid>, Vec<&Solid>) =
        solids.iter().partition(|solid| solid.is_container(centers(), space));
    for block in &mut blocks {
        let at = block.center();
        let holds =
            |(min, max): ([f64; 3], [f64; 3])| (0..space.dimensions).all(|axis| min[axis] < at[axis] && at[axis] < max[axis]);
        let mut around = containers.iter().filter(|container| container.is_aligned_box()).map(|container| container.bounds());
        if let Some((min, max)) = around.find(|&bounds| holds(bounds)) {
            block.cut(min, max, space, report);
        }
        block.fit(space, report);
    }
    let ids = blocks.iter().map(|block| block.id.as_str()).chain(models.iter().map(|model| model.id.as_str()));
    let materials = read_materials(&file, &configuration, ids, &emitters, report);

    let solver = Solver::read(&configuration, report);
    let density = materials.first().map_or(1000.0, |material| material.rest_density);
    let (solver_text, sound_speed) = solver.write(&configuration, density, report);
    let several = materials.len() > 1;
    let mut text = configuration::top(&configuration, space, title, report);
    let mut particles = configuration::particles(&configuration, space, report);
    let analytic = containers.iter().all(|container| container.is_aligned_box()) && !containers.is_empty();
    let (walls, comment) = match configuration.number("boundaryHandlingMethod", report).unwrap_or(2.0) as i64 {
        0 => ("single_layer", "boundaryHandlingMethod 0: Akinci2012."),
        _ if analytic => ("analytic", "boundaryHandlingMethod 1 or 2: integrals over the walls."),
        _ => ("layers", "Integrals over walls are those of boxes along the axes."),
    };
    particles.set_because("walls", format!("\"{walls}\""), comment);
    if !emitters.is_empty() {
        let emitted: f64 =
            materials.iter().filter(|material| emits(&emitters, &material.id)).map(|material| material.emitted).sum();
        let placed: f64 = blocks.iter().map(|block| block.particles(space)).sum();
        let placed = placed + models.iter().map(|model| model.count as f64).sum::<f64>();
        let limit = (placed + emitted).clamp(1.0, MOST_PARTICLES).round();
        particles.set_because("limit", (limit as u64).to_string(), "The particles at the start and maxEmitterParticles.");
    }
    text += particles.text();
    text += &materials::write(&materials, sound_speed, report);
    for block in &blocks {
        text += &block.write(space, several, !bodies.is_empty());
    }
    for model in &models {
        text += &model.write(space, several);
    }
    for (solids, is_container) in [(&containers, true), (&bodies, false)] {
        for solid in solids {
            text += &solid.write(is_container, space, report);
        }
    }
    for emitter in &emitters {
        text += &emitter.write(space, several);
    }
    text += configuration::time_step(&configuration, solver == Solver::Wcsph, report).text();
    text += &solver_text;
    text += &configuration::run_and_view(&configuration, report);
    configuration::rest(&configuration, report);
    file.report_rest(WITHOUT, report);
    text
}

fn emits(emitters: &[Emitter], id: &str) -> bool {
    emitters.iter().any(|emitter| emitter.id == id)
}

/// The materials of the fluids that there are: those `placed` at the start and those of emitters.
fn read_materials<'a>(
    file: &Table<'_>,
    configuration: &Table<'_>,
    placed: impl Iterator<Item = &'a str>,
    emitters: &'a [Emitter],
    report: &mut Report,
) -> Vec<Material> {
    let mut ids: Vec<&str> = Vec::new();
    for id in placed.chain(emitters.iter().map(|emitter| emitter.id.as_str())) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let tables: Vec<(String, Table<'_>)> = file
        .tables("Materials", report)
        .into_iter()
        .map(|table| (table.text("id", report).unwrap_or_else(|| materials::USUAL.to_owned()), table))
        .collect();
    // Before 2020, materials were tables of the file, under their ids.
    let older = |id: &str, report: &mut Report| file.get(id).map(|node| Table::of(node, id, report));
    let mut found = Vec::new();
    for id in &ids {
        let own = tables.iter().find(|(other, _)| other == id).map(|(_, table)| table);
        let older = if own.is_none() { older(id, report) } else { None };
        let own = own.or(older.as_ref()).unwrap_or(configuration);
        found.push(Material::read(id, own, configuration, emits(emitters, id), report));
    }
    for (id, table) in tables.iter().filter(|(id, _)| !ids.contains(&id.as_str())) {
        report.remark(&table.path, format!("nothing uses `{id}`; left out"));
    }
    found
}

/// Lists tables of the file that have no equivalent, item by item.
fn unread_tables(file: &Table<'_>, report: &mut Report) {
    for table in file.tables("AnimationFields", report) {
        let field = table.text("particleField", report).unwrap_or_else(|| "velocity".to_owned());
        let terms = ["expression_x", "expression_y", "expression_z"].map(|key| table.text(key, report).unwrap_or_default());
        report.remark(&table.path, format!("forces cannot be limited to a region: {field} += ({})", terms.join(", ")));
    }
}
