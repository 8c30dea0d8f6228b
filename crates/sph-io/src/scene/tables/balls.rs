//! `[[balls]]`: sets of balls, and `[ball]`: what all of them have in common.

use super::fluid::color;
use super::keep_order;
use super::keys::{Named, Vectors};
use super::point_grid::PointGridTable;
use crate::scene::error::Fault;
use crate::words::list;
use glam::{DVec3, Vec3};
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::parameters::{Choice, ChoiceOption};
use sph_core::{Body, Container, Dimensions, Face, MAX_SPEED, Shape, Shell};
use sph_pbd::BallSettings;
use sph_pbd::balls::{BallMaterial, BallsError, BallsSetup, MAX_BALLS, MAX_RADIUS_RATIO, NewBalls, Placement, Radii};
use sph_pbd::cloth::{ClothSetup, Sheet};

/// Distributions of radii between two ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Distribution {
    /// Uniform in the logarithm.
    #[default]
    LogUniform,
    /// Uniform in the radius.
    Uniform,
}

impl Choice for Distribution {
    const VALUES: &'static [Self] = &[Self::LogUniform, Self::Uniform];

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::LogUniform => {
                ("log_uniform", "Log-uniform", "Uniform in the logarithm: as many balls from 1 to 2 cm as from 5 to 10 cm.")
            }
            Self::Uniform => ("uniform", "Uniform", "Uniform in the radius: as many balls from 1 to 2 cm as from 5 to 6 cm."),
        };
        ChoiceOption { name, label, documentation }
    }
}

/// Part of a block that balls fill unless the file says how many there are.
const USUAL_FILLING: f32 = 0.3;

/// Pairs of a ball and a body or cloth that are looked at for remarks: a mesh takes its time.
const MOST_CHECKS: usize = 200_000;

/// Distance of a ball's centre from a solid, over its radius, from which on it touches the solid and does not reach into it.
const TOUCHING: f32 = 0.98;

/// What all balls have in common.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct BallSettingsTable {
    /// Longest substep: a step is divided into equal substeps no longer than this, but at most 1000 of them. Shorter ones make contacts tighter.
    #[schemars(range(min = 1e-5, max = 0.1), extend("x-unit" = "s", "x-default" = "1/480"))]
    pub substep: Option<f64>,
    /// Search of all balls at the start.
    pub grid: PointGridTable,
}

/// Balls of one material. They collide with each other and with other sets, cloths, containers and bodies. They fill a block (`min`, `max`), lie
/// at `centers`, or are poured from an opening (`min`, `max`, `rate`).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct BallsTable {
    /// Name of the set.
    #[schemars(extend("x-default" = "`balls 1`, `balls 2` …"))]
    pub name: Option<String>,
    /// Number of balls.
    #[schemars(range(min = 1, max = MAX_BALLS), extend("x-default" = "from `filling`, or one for each of the `centers`"))]
    pub count: Option<u64>,
    /// Part of the block that the balls take up, in place of their number. A random filling reaches about 0.36 with equal balls, more with
    /// many sizes.
    #[schemars(range(max = 0.6), extend("exclusiveMinimum" = 0, "x-default" = "0.3"))]
    pub filling: Option<f64>,
    /// Radius of all balls. Exactly one of `radius`, `radii` and `radius_range`.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "m", "x-default" = "none"))]
    pub radius: Option<f64>,
    /// A few radii, of which each ball has one, as `shares` says; with `centers`, the radius of each ball. At most 1 : 20.
    #[schemars(length(min = 1, max = MAX_BALLS), extend("x-unit" = "m", "x-range" = "positive numbers", "x-default" = "none"))]
    pub radii: Option<Vec<f64>>,
    /// Shares of the `radii`, in any unit.
    #[schemars(inner(range(min = 0.0, max = 1e9)), extend("x-range" = "numbers from 0 to 1e9", "x-default" = "equal"))]
    pub shares: Option<Vec<f64>>,
    /// Smallest and largest radius of a `distribution`; at most 1 : 20.
    #[schemars(extend("x-unit" = "m", "x-range" = "2 positive numbers, the smaller one first", "x-default" = "none"))]
    pub radius_range: Option<[f64; 2]>,
    /// Distribution of the radii in a `radius_range`.
    #[schemars(extend("x-default" = "`log_uniform`"))]
    pub distribution: Option<Named<Distribution>>,
    /// Seed of the radii and the places: another one makes other balls.
    #[serde(default)]
    pub seed: u32,
    /// Lowest corner of the block in which the balls are at the start, without overlap; with a `rate`, of the opening.
    #[schemars(length(min = 3, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
    pub min: Option<Vec<f64>>,
    /// Highest corner of the block, or of the opening.
    #[schemars(length(min = 3, max = 3), extend("x-unit" = "m", "x-default" = "none"))]
    pub max: Option<Vec<f64>>,
    /// Balls that are poured per second, in place of being there at the start. A ball that finds no room in the opening waits.
    #[schemars(range(min = 1e-3, max = 1e6), extend("x-unit" = "1/s", "x-default" = "none: all balls are there at the start"))]
    pub rate: Option<f64>,
    /// Time of the first ball that is poured.
    #[schemars(range(min = 0.0, max = 1e9), extend("x-unit" = "s", "x-default" = "0"))]
    pub start: Option<f64>,
    /// Centres of the balls, in place of a block.
    #[schemars(length(min = 1, max = MAX_BALLS), inner(length(min = 3, max = 3)), extend("x-unit" = "m", "x-range" = "rows of 3 numbers", "x-default" = "none"))]
    pub centers: Option<Vec<Vec<f64>>>,
    /// Density.
    #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0, "x-unit" = "kg/m³", "default" = 2500.0))]
    pub density: Option<f64>,
    /// Coefficient of friction, sliding and static. Two materials: the geometric mean. A wall or a body takes that of the ball.
    #[schemars(range(min = 0.0, max = 10.0), extend("default" = 0.3))]
    pub friction: Option<f64>,
    /// Coefficient of rolling friction: the torque that slows a rolling ball, over normal force times radius. Two materials: the geometric
    /// mean.
    #[schemars(range(min = 0.0, max = 1.0), extend("default" = 0.01))]
    pub rolling_friction: Option<f64>,
    /// Coefficient of restitution: speed after a central impact over speed before. Two materials: the larger one.
    #[schemars(range(min = 0.0, max = 1.0), extend("default" = 0.5))]
    pub restitution: Option<f64>,
    /// Velocity at the start, or when poured.
    #[schemars(length(min = 3, max = 3), inner(range(min = -MAX_SPEED, max = MAX_SPEED)), extend("x-unit" = "m/s", "x-default" = "at rest"))]
    pub velocity: Option<Vec<f64>>,
    /// Angular velocity at the start, or when poured.
    #[schemars(length(min = 3, max = 3), inner(range(min = -1e6, max = 1e6)), extend("x-unit" = "rad/s", "x-default" = "none"))]
    pub spin: Option<Vec<f64>>,
    /// Colour in pictures.
    #[schemars(extend("x-range" = "`\"#rrggbb\"`: red, green and blue, each 00 to ff", "x-default" = "from a palette, by number"))]
    pub color: Option<String>,
}

/// What balls meet at the start.
#[derive(Clone, Copy)]
pub(crate) struct Tank<'a> {
    pub containers: &'a [Container],
    pub bodies: &'a [Body],
    pub sheets: &'a [Sheet],
}

/// The balls of the file, which share the names of `others`; `None` if one has a fault, which is added to those of `vectors`.
pub(crate) fn balls(tables: &[BallsTable], others: &[String], tank: &Tank<'_>, vectors: &mut Vectors) -> Option<Vec<NewBalls>> {
    if !tables.is_empty() && vectors.dimensions == Dimensions::Two {
        vectors.faults.push(Fault::at_path("dimensions", "balls need three dimensions".to_owned(), "expected 3"));
        return None;
    }
    let mut names = others.to_vec();
    let (mut all, mut total) = (Vec::new(), 0_usize);
    for (index, table) in tables.iter().enumerate() {
        let Some(setup) = setup(table, index, vectors) else { continue };
        // Before they are made.
        total += setup.count;
        if total > MAX_BALLS {
            let message = format!("the scene would have {total} balls or more, but at most {MAX_BALLS} are possible");
            vectors.faults.push(Fault::at_path(format!("balls.{index}"), message, "expected fewer balls"));
            return None;
        }
        if names.contains(&setup.name) {
            let message = format!("two sets of points are called `{}`", setup.name);
            vectors.faults.push(Fault::at_path(format!("balls.{index}"), message, "expected another `name`"));
        }
        names.push(setup.name.clone());
        match setup.build() {
            Ok(balls) => all.push(balls),
            Err(error) => vectors.faults.push(fault(&error, table, index)),
        }
    }
    if all.len() < tables.len() {
        return None;
    }
    let radii = all.iter().flat_map(|balls| balls.set.radii.iter().copied());
    let (least, most) = radii.fold((f32::INFINITY, 0.0_f32), |(least, most), radius| (least.min(radius), most.max(radius)));
    if most > 1.0001 * MAX_RADIUS_RATIO * least {
        let message = format!("the radii of all balls, from {least} to {most} m, differ by a factor of {:.1}", most / least);
        vectors.faults.push(Fault::at_path("balls.0", message, format!("expected at most 1 : {MAX_RADIUS_RATIO}")));
        return None;
    }
    for balls in &all {
        let name = &balls.setup.name;
        vectors.remarks.extend(balls.remarks.iter().map(|remark| format!("{name}: {remark}")));
        vectors.remarks.extend(remarks_on_places(balls, tank).into_iter().map(|remark| format!("{name}: {remark}")));
    }
    Some(all)
}

/// Settings of all balls.
pub(crate) fn ball_settings(table: &BallSettingsTable) -> BallSettings {
    table.substep.map_or(BallSettings::default(), |longest_substep| BallSettings { longest_substep })
}

/// The description in the table at `balls.index`; `None` if its keys do not fit together, which is added to the faults of `vectors`.
fn setup(table: &BallsTable, index: usize, vectors: &mut Vectors) -> Option<BallsSetup> {
    let path = |key: &str| format!("balls.{index}.{key}");
    let radii = radii(table, index, vectors)?;
    let placement = placement(table, index, vectors)?;
    let count = count(table, index, &radii, &placement, vectors)?;
    let usual = BallMaterial::default();
    let number = |value: Option<f64>, usual: f32| value.map_or(usual, |value| value as f32);
    let mut vector =
        |numbers: &Option<Vec<f64>>, key: &str| numbers.as_ref().map_or(Vec3::ZERO, |numbers| vectors.read(numbers, path(key)));
    let (velocity, spin) = (vector(&table.velocity, "velocity"), vector(&table.spin, "spin"));
    let color = table.color.as_deref().map(|text| {
        color(text).unwrap_or_else(|| {
            let label = "expected `#` and six hexadecimal digits, as in \"#3b82f6\"";
            vectors.faults.push(Fault::at_path(path("color"), format!("`{}` is not a colour", path("color")), label));
            [0; 3]
        })
    });
    Some(BallsSetup {
        name: table.name.clone().unwrap_or_else(|| format!("balls {}", index + 1)),
        count,
        radii,
        seed: table.seed.into(),
        placement,
        density: number(table.density, 2500.0),
        material: BallMaterial {
            friction: number(table.friction, usual.friction),
            rolling_friction: number(table.rolling_friction, usual.rolling_friction),
            restitution: number(table.restitution, usual.restitution),
        },
        velocity,
        spin,
        color,
    })
}

/// Adds the fault that the key at `path` has no meaning here if it is `given`.
fn refuse(given: bool, path: String, message: &str, label: &str, vectors: &mut Vectors) {
    if given {
        vectors.faults.push(Fault::at_path(path, message.to_owned(), label.to_owned()));
    }
}

fn radii(table: &BallsTable, index: usize, vectors: &mut Vectors) -> Option<Radii> {
    let BallsTable { radius, radii, shares, radius_range, distribution, centers, .. } = table;
    let path = |key: &str| format!("balls.{index}.{key}");
    let has_sizes = radii.is_some() && centers.is_none();
    let (few, range) = ("`shares` belong to a list of `radii` in a block", "a `distribution` belongs to a `radius_range`");
    refuse(shares.is_some() && !has_sizes, path("shares"), few, "expected no such key", vectors);
    refuse(distribution.is_some() && radius_range.is_none(), path("distribution"), range, "expected a `radius_range`", vectors);
    match (radius, radii, radius_range) {
        (Some(radius), None, None) => Some(Radii::Equal(*radius as f32)),
        (None, Some(radii), None) => {
            let radii: Vec<f32> = radii.iter().map(|&radius| radius as f32).collect();
            if centers.is_some() {
                return Some(Radii::List(radii));
            }
            let shares = shares
                .as_ref()
                .map_or_else(|| vec![1.0; radii.len()], |shares| shares.iter().map(|&share| share as f32).collect());
            Some(Radii::Sizes { radii, shares })
        }
        (None, None, Some(range)) => {
            let [min, max] = range.map(|radius| radius as f32);
            Some(match distribution.unwrap_or_default().0 {
                Distribution::Uniform => Radii::Uniform { min, max },
                Distribution::LogUniform => Radii::LogUniform { min, max },
            })
        }
        (radius, radii, range) => {
            let given = radius.is_some() || radii.is_some() || range.is_some();
            one_of(&["radius", "radii", "radius_range"], given, index, vectors);
            None
        }
    }
}

fn placement(table: &BallsTable, index: usize, vectors: &mut Vectors) -> Option<Placement> {
    let BallsTable { min, max, rate, start, centers, .. } = table;
    let path = |key: &str| format!("balls.{index}.{key}");
    let label = "expected a `rate` and an opening, `min` and `max`";
    refuse(start.is_some() && rate.is_none(), path("start"), "only balls that are poured have a `start`", label, vectors);
    match (min, max, centers) {
        (Some(min), Some(max), None) => {
            let (min, max) = (vectors.read(min, path("min")), vectors.read(max, path("max")));
            Some(match *rate {
                Some(rate) => Placement::Pour { min, max, start: start.unwrap_or(0.0), rate },
                None => Placement::Fill { min, max },
            })
        }
        (None, None, Some(centers)) => {
            refuse(
                rate.is_some(),
                path("rate"),
                "balls at `centers` are not poured",
                "expected `min` and `max` instead of `centers`",
                vectors,
            );
            let read = |(row, center): (usize, &Vec<f64>)| vectors.read(center, format!("balls.{index}.centers.{row}"));
            Some(Placement::At(centers.iter().enumerate().map(read).collect()))
        }
        (min, max, centers) => {
            let given = min.is_some() || max.is_some() || centers.is_some();
            let message =
                if given { "has neither a whole block nor `centers` alone" } else { "says nothing of where the balls are" };
            let message = format!("`balls.{index}` {message}");
            vectors.faults.push(Fault::at_path(format!("balls.{index}"), message, "expected `min` and `max`, or `centers`"));
            None
        }
    }
}

fn count(table: &BallsTable, index: usize, radii: &Radii, placement: &Placement, vectors: &mut Vectors) -> Option<usize> {
    let path = |key: &str| format!("balls.{index}.{key}");
    match (placement, table.count, table.filling) {
        (Placement::At(centers), count, filling) => {
            let other = count.is_some_and(|count| count != centers.len() as u64);
            let message = format!("there are {} `centers`", centers.len());
            refuse(other, path("count"), &message, "expected no `count`, or that one", vectors);
            refuse(filling.is_some(), path("filling"), "balls at `centers` fill no block", "expected no such key", vectors);
            Some(centers.len())
        }
        (_, Some(_), Some(_)) => {
            one_of(&["count", "filling"], true, index, vectors);
            None
        }
        (_, Some(count), None) => Some(count as usize),
        (Placement::Pour { .. }, None, _) => {
            let message = format!("`balls.{index}` pours without end");
            vectors.faults.push(Fault::at_path(format!("balls.{index}"), message, "expected a `count`"));
            None
        }
        (&Placement::Fill { min, max }, None, filling) => {
            let volume = (max - min).max(Vec3::ZERO).element_product() * filling.map_or(USUAL_FILLING, |part| part as f32);
            match radii.count_of(volume, table.seed.into()) {
                Ok(count) => Some(count),
                Err(error) => {
                    vectors.faults.push(fault(&error, table, index));
                    None
                }
            }
        }
    }
}

/// Adds the fault that none of `keys` is given, or more than one.
fn one_of(keys: &[&str], given: bool, index: usize, vectors: &mut Vectors) {
    let path = format!("balls.{index}");
    let count = if given { "more than one" } else { "none" };
    let message = format!("`{path}` has {count} of {}", list(keys.iter().copied()));
    vectors.faults.push(Fault::at_path(path, message, "expected one of them"));
}

/// The fault of the table at `balls.index`, at the key that it is about.
fn fault(error: &BallsError, table: &BallsTable, index: usize) -> Fault {
    let of_radii = [("radius", table.radius.is_some()), ("radii", table.radii.is_some())];
    let radii = of_radii.into_iter().find_map(|(key, given)| given.then_some(key)).unwrap_or("radius_range");
    let number = [("count", table.count.is_some()), ("filling", table.filling.is_some())];
    let number = number.into_iter().find_map(|(key, given)| given.then_some(key)).unwrap_or("max");
    let (key, label) = match error {
        BallsError::Count(_) => (number, "expected fewer or larger balls, or a smaller block"),
        BallsError::Radius { .. } => (radii, "expected positive numbers"),
        BallsError::Ratio { .. } => (radii, "expected radii that differ less"),
        BallsError::RadiiOutOfOrder { .. } => (radii, "expected the smaller radius first"),
        BallsError::Length { what, .. } => (*what, "expected a list of another length"),
        BallsError::Number { what, .. } if what.starts_with("density") || what.starts_with("mass") => {
            ("density", "expected another value")
        }
        BallsError::Number { what, .. } if what.starts_with("speed") => ("velocity", "expected a lower speed"),
        BallsError::Number { what, .. } if what.starts_with("spin") => ("spin", "expected a slower spin"),
        BallsError::Number { what, .. } if what.contains("share") => ("shares", "expected other values"),
        BallsError::Number { .. } => ("", "expected another value"),
        BallsError::Center { .. } | BallsError::Heap { .. } => ("centers", "expected other places"),
        BallsError::Box { .. } => ("max", "expected a corner above `min` along each axis"),
        BallsError::TooFull { .. } | BallsError::NoRoom { .. } => {
            (number, "expected fewer or smaller balls, or a larger block")
        }
        BallsError::NarrowOpening { .. } => ("max", "expected a larger opening, or smaller balls"),
    };
    let key = if key == "centres" { "centers" } else { key };
    let path = match error {
        // The number itself, in a list.
        BallsError::Radius { index: number, .. } if key != "radius" => format!("balls.{index}.{key}.{number}"),
        _ if key.is_empty() => format!("balls.{index}"),
        _ => format!("balls.{index}.{key}"),
    };
    Fault::at_path(path, error.to_string(), label)
}

/// Remarks on balls that start outside all containers, in walls, in bodies, or in cloth.
fn remarks_on_places(balls: &NewBalls, tank: &Tank<'_>) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut remark = |count: usize, what: &str, then: &str| {
        if count > 0 {
            let (verb, them) = if count == 1 { ("ball starts", "it") } else { ("balls start", "they") };
            remarks.push(format!("{count} {verb} {what}; {them} {then}"));
        }
    };
    let Tank { containers, bodies, sheets } = tank;
    let spheres = || balls.points.positions.iter().copied().zip(balls.points.radii.iter().copied());
    if !containers.is_empty() {
        let outside = spheres().filter(|&(center, _)| containers.iter().all(|of| is_outside(of, center))).count();
        remark(outside, "outside every container", "will meet no walls");
        let in_wall = spheres().filter(|&(center, radius)| containers.iter().any(|of| reaches_into_wall(of, center, radius)));
        remark(in_wall.count(), "partly in a wall", "will be pushed inside");
        if let Placement::Pour { min, max, .. } = balls.setup.placement
            && containers.iter().all(|of| is_outside(of, 0.5 * (min + max)))
        {
            remark(balls.set.radii.len(), "outside every container", "will meet no walls");
        }
    }
    if balls.points.len() * bodies.len() <= MOST_CHECKS {
        let in_body = |&(center, radius): &(Vec3, f32)| {
            bodies.iter().any(|body| body.distance(Dimensions::Three, center) < TOUCHING * radius)
        };
        remark(spheres().filter(in_body).count(), "partly in a body", "will be pushed out");
    }
    for sheet in sheets.iter().map(Sheet::setup) {
        remark(balls_in(sheet, spheres), &format!("in the cloth `{}`", sheet.name), "will be pushed to one side or the other");
    }
    remarks
}

/// Number of `spheres`, centres and radii (m), that reach into a sheet.
fn balls_in<I: Iterator<Item = (Vec3, f32)>>(sheet: &ClothSetup, spheres: impl Fn() -> I) -> usize {
    let (low, high) =
        sheet.vertices.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &at| (low.min(at), high.max(at)));
    let near: Vec<(Vec3, f32)> = spheres()
        .filter(|&(center, radius)| {
            let reach = radius + sheet.thickness;
            (center + reach).cmpge(low).all() && (center - reach).cmple(high).all()
        })
        .take(MOST_CHECKS)
        .collect();
    // Most scenes have none, and then need no shell.
    if near.is_empty() {
        return 0;
    }
    let vertices: Vec<DVec3> = sheet.vertices.iter().map(|vertex| vertex.as_dvec3()).collect();
    let Ok(shell) = Shell::new(&vertices, &sheet.triangles, f64::from(sheet.thickness)) else { return 0 };
    let shape = Shape::shell(shell);
    let is_in = |&&(center, radius): &&(Vec3, f32)| shape.nearest(center.as_dvec3()).distance < f64::from(TOUCHING * radius);
    near.iter().filter(is_in).count()
}

/// True if `point` (m) is neither in the container nor beyond one of its open faces, through which a ball may still come in.
fn is_outside(container: &Container, point: Vec3) -> bool {
    let beyond = |face: &Face| {
        let (axis, is_upper) = (*face as usize / 2, *face as usize % 2 == 1);
        if is_upper { point[axis] > container.max[axis] } else { point[axis] < container.min[axis] }
    };
    let beyond_walls = Face::ALL.iter().any(|face| beyond(face) && container.faces.contains(*face));
    let in_bounds = !Face::ALL.iter().any(beyond);
    beyond_walls || in_bounds && container.region.as_ref().is_some_and(|region| !region.contains(point))
}

/// True if the centre of a ball is in a container, but the ball, less 2 % of its radius, is not.
fn reaches_into_wall(container: &Container, center: Vec3, radius: f32) -> bool {
    let reach = TOUCHING * radius;
    if let Some(region) = &container.region {
        let depth = -region.nearest(center.as_dvec3()).distance;
        return (0.0..f64::from(reach)).contains(&depth);
    }
    let is_inside = center.cmpge(container.min).all() && center.cmple(container.max).all();
    is_inside
        && Face::ALL.iter().filter(|face| container.faces.contains(**face)).any(|&face| {
            let (axis, is_upper) = (face as usize / 2, face as usize % 2 == 1);
            let depth = if is_upper { container.max[axis] - center[axis] } else { center[axis] - container.min[axis] };
            depth < reach
        })
}
