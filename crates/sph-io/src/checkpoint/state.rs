//! A state as arrays.

use super::CheckpointError;
use super::container::{Array, Arrays};
use glam::{DQuat, DVec3, Vec3};
use sph_core::parameters::{Kind, Value};
use sph_core::{
    BodyState, DroppedBody, DroppedShape, Load, MovedBody, Parameters, Particles, Past, Presence, SolverMemory, State, Values,
    ValuesMut,
};

/// Prefix of the attributes of the particles.
const PARTICLES: &str = "particles.";

/// States of the bodies that move by forces.
const BODIES: &str = "bodies";

/// Numbers of the state of a body.
const BODY_NUMBERS: usize = 26;

/// Bodies that have been dropped; absent if there are none.
const DROPPED: &str = "dropped";

/// Numbers of a body that has been dropped.
const DROPPED_NUMBERS: usize = 9;

/// Bodies that a user has moved; absent if there are none.
const MOVED: &str = "moved";

/// Numbers of a body that a user has moved.
const MOVED_NUMBERS: usize = 7;

/// Prefix of the parameters.
const PARAMETERS: &str = "parameters.";

/// Keys of the parameters that have been taken off their curves, one a line; absent if there are none.
const OFF_CURVE: &str = "off_curve";

/// Adds `state` to the arrays.
pub(super) fn put(state: &State, arrays: &mut Arrays) {
    let State {
        particles,
        bodies,
        dropped,
        moved,
        parameters,
        off_curve,
        time,
        steps,
        last_dt,
        density_age,
        exchanged,
        next_id,
        solver,
    } = state;
    let SolverMemory { past, divergence_dt } = solver;
    for (attribute, values) in particles.attributes() {
        let array = match values {
            Values::Vectors(values) => Array::Vectors(values.to_vec()),
            Values::Scalars(values) => Array::Scalars(values.to_vec()),
            Values::Integers(values) => Array::Integers(values.to_vec()),
            Values::Bytes(values) => Array::Bytes(values.to_vec()),
        };
        arrays.put(format!("{PARTICLES}{}", attribute.name), array);
    }
    // Without any, as in files from before there were such bodies.
    if !bodies.is_empty() {
        arrays.put(BODIES, Array::Doubles(bodies.iter().flat_map(numbers_of).collect()));
    }
    if !dropped.is_empty() {
        arrays.put(DROPPED, Array::Scalars(dropped.iter().flat_map(numbers_of_dropped).collect()));
    }
    if !moved.is_empty() {
        arrays.put(MOVED, Array::Doubles(moved.iter().flat_map(numbers_of_moved).collect()));
    }
    for parameter in Parameters::table() {
        let array = match parameter.get(parameters) {
            Value::Number(number) => Array::Scalars(vec![number]),
            Value::Absent => Array::Scalars(Vec::new()),
            Value::Count(count) => Array::Integers(vec![count]),
            Value::Choice(name) => Array::Bytes(name.as_bytes().to_vec()),
            Value::Vector(vector) => Array::Vectors(vec![vector]),
        };
        arrays.put(format!("{PARAMETERS}{}", parameter.key), array);
    }
    if !off_curve.is_empty() {
        arrays.put(OFF_CURVE, Array::Bytes(off_curve.join("\n").into_bytes()));
    }
    let number = |number: f32| Array::Scalars(vec![number]);
    arrays.put("time", Array::Doubles(vec![*time]));
    arrays.put("steps", Array::Counts(vec![*steps]));
    arrays.put("last_dt", number(*last_dt));
    arrays.put("density_age", number(*density_age));
    arrays.put("exchanged", Array::Doubles(exchanged.iter().copied().collect()));
    arrays.put("next_id", Array::Counts(vec![u64::from(*next_id)]));
    let past = match past {
        Past::Initial => "initial",
        Past::TakenOver => "taken_over",
        Past::Own => "own",
    };
    arrays.put("solver.past", Array::Bytes(past.as_bytes().to_vec()));
    arrays.put("solver.divergence_dt", number(*divergence_dt));
}

/// Takes a state out of the arrays. Its parameters are those of `start`, replaced by what the arrays have.
pub(super) fn take(arrays: &mut Arrays, start: Parameters) -> Result<State, CheckpointError> {
    let mut number = |name: &str| match arrays.take(name) {
        Some(Array::Scalars(values)) if values.len() == 1 => Ok(values[0]),
        _ => Err(CheckpointError::of(name, "is missing")),
    };
    let (last_dt, density_age, divergence_dt) = (number("last_dt")?, number("density_age")?, number("solver.divergence_dt")?);
    let past = match arrays.text("solver.past")?.as_str() {
        "initial" => Past::Initial,
        "taken_over" => Past::TakenOver,
        "own" => Past::Own,
        _ => return Err(CheckpointError::of("solver.past", "is unknown to this program")),
    };
    let next_id = u32::try_from(arrays.count("next_id")?).map_err(|_| CheckpointError::of("next_id", "is too large"))?;
    let exchanged = match arrays.take("exchanged") {
        Some(Array::Doubles(values)) if values.len() < 2 => values.first().copied(),
        _ => return Err(CheckpointError::of("exchanged", "is missing")),
    };
    Ok(State {
        particles: particles(arrays)?,
        bodies: bodies(arrays)?,
        dropped: dropped(arrays)?,
        moved: moved(arrays)?,
        parameters: parameters(arrays, start)?,
        off_curve: off_curve(arrays)?,
        time: arrays.double("time")?,
        steps: arrays.count("steps")?,
        last_dt,
        density_age,
        exchanged,
        next_id,
        solver: SolverMemory { past, divergence_dt },
    })
}

fn off_curve(arrays: &mut Arrays) -> Result<Vec<&'static str>, CheckpointError> {
    let Some(array) = arrays.take(OFF_CURVE) else { return Ok(Vec::new()) };
    let Array::Bytes(bytes) = array else { return Err(CheckpointError::of(OFF_CURVE, "is not text")) };
    let known = |key: &[u8]| Parameters::table().iter().map(|parameter| parameter.key).find(|known| known.as_bytes() == key);
    let keys = bytes.split(|&byte| byte == b'\n').map(known);
    keys.collect::<Option<_>>().ok_or_else(|| CheckpointError::of(OFF_CURVE, "is unknown to this program"))
}

fn particles(arrays: &mut Arrays) -> Result<Particles, CheckpointError> {
    let mut particles = Particles::default();
    for (attribute, values) in particles.attributes_mut() {
        let name = format!("{PARTICLES}{}", attribute.name);
        match (values, arrays.take(&name)) {
            (ValuesMut::Vectors(values), Some(Array::Vectors(found))) => *values = found,
            (ValuesMut::Scalars(values), Some(Array::Scalars(found))) => *values = found,
            (ValuesMut::Integers(values), Some(Array::Integers(found))) => *values = found,
            (ValuesMut::Bytes(values), Some(Array::Bytes(found))) => *values = found,
            // An attribute that has been added to the program since.
            (_, None) if attribute.presence == Presence::Optional => {}
            (_, None) => return Err(CheckpointError::of(&name, "is missing")),
            (_, Some(_)) => return Err(CheckpointError::of(&name, "has another type")),
        }
    }
    Ok(particles)
}

/// Rows of `N` numbers each of an array that may be missing.
fn rows<const N: usize>(arrays: &mut Arrays, name: &str) -> Result<Vec<[f64; N]>, CheckpointError> {
    match arrays.take(name) {
        None => Ok(Vec::new()),
        Some(Array::Doubles(numbers)) if numbers.len() % N == 0 => Ok(numbers.as_chunks::<N>().0.to_vec()),
        Some(_) => Err(CheckpointError::of(name, "has another length or type")),
    }
}

fn bodies(arrays: &mut Arrays) -> Result<Vec<BodyState>, CheckpointError> {
    Ok(rows(arrays, BODIES)?.iter().map(body_of).collect())
}

fn dropped(arrays: &mut Arrays) -> Result<Vec<DroppedBody>, CheckpointError> {
    match arrays.take(DROPPED) {
        None => Ok(Vec::new()),
        Some(Array::Scalars(numbers)) if numbers.len() % DROPPED_NUMBERS == 0 => {
            let bodies: Option<_> = numbers.as_chunks::<DROPPED_NUMBERS>().0.iter().map(dropped_of).collect();
            bodies.ok_or_else(|| CheckpointError::of(DROPPED, "has a shape that is unknown to this program"))
        }
        Some(_) => Err(CheckpointError::of(DROPPED, "has another length or type")),
    }
}

/// A dropped body as numbers: centre, size, shape, density, velocity.
fn numbers_of_dropped(dropped: &DroppedBody) -> [f32; DROPPED_NUMBERS] {
    let DroppedBody { center, size, shape, density, velocity } = *dropped;
    let shape: f32 = match shape {
        DroppedShape::Box => 0.0,
        DroppedShape::Ball => 1.0,
    };
    [center.x, center.y, center.z, size, shape, density, velocity.x, velocity.y, velocity.z]
}

/// The inverse of [`numbers_of_dropped`].
fn dropped_of(numbers: &[f32; DROPPED_NUMBERS]) -> Option<DroppedBody> {
    let &[x, y, z, size, shape, density, u, v, w] = numbers;
    let shape = match shape {
        0.0 => DroppedShape::Box,
        1.0 => DroppedShape::Ball,
        _ => return None,
    };
    Some(DroppedBody { center: Vec3::new(x, y, z), size, shape, density, velocity: Vec3::new(u, v, w) })
}

fn moved(arrays: &mut Arrays) -> Result<Vec<MovedBody>, CheckpointError> {
    let bodies: Option<_> = rows(arrays, MOVED)?.iter().map(moved_of).collect();
    bodies.ok_or_else(|| CheckpointError::of(MOVED, "has an invalid body number"))
}

/// A body that a user has moved as numbers: index, displacement, velocity.
fn numbers_of_moved(moved: &MovedBody) -> [f64; MOVED_NUMBERS] {
    let MovedBody { body, displacement, velocity } = *moved;
    [body as f64, displacement.x, displacement.y, displacement.z, velocity.x, velocity.y, velocity.z]
}

/// The inverse of [`numbers_of_moved`].
fn moved_of(numbers: &[f64; MOVED_NUMBERS]) -> Option<MovedBody> {
    let &[body, x, y, z, u, v, w] = numbers;
    let is_index = body.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&body);
    is_index.then(|| MovedBody { body: body as usize, displacement: DVec3::new(x, y, z), velocity: DVec3::new(u, v, w) })
}

/// The state of a body as numbers; the load has a leading 1, or 0 if there is none.
fn numbers_of(state: &BodyState) -> [f64; BODY_NUMBERS] {
    let BodyState { position, rotation, velocity, angular_velocity, load, contact } = *state;
    let Load { force, torque } = load.unwrap_or_default();
    let has_load = if load.is_some() { 1.0 } else { 0.0 };
    let vectors = [position, velocity, angular_velocity, force, torque, contact.force, contact.torque];
    let mut numbers = [0.0; BODY_NUMBERS];
    let all = rotation.to_array().into_iter().chain([has_load]).chain(vectors.into_iter().flat_map(|vector| vector.to_array()));
    numbers.iter_mut().zip(all).for_each(|(number, value)| *number = value);
    numbers
}

/// The inverse of [`numbers_of`].
fn body_of(numbers: &[f64; BODY_NUMBERS]) -> BodyState {
    let vector = |index: usize| DVec3::from_slice(&numbers[5 + 3 * index..]);
    let load = Load { force: vector(3), torque: vector(4) };
    BodyState {
        position: vector(0),
        rotation: DQuat::from_slice(numbers),
        velocity: vector(1),
        angular_velocity: vector(2),
        load: (numbers[4] == 1.0).then_some(load),
        contact: Load { force: vector(5), torque: vector(6) },
    }
}

fn parameters(arrays: &mut Arrays, start: Parameters) -> Result<Parameters, CheckpointError> {
    let mut parameters = start;
    for parameter in Parameters::table() {
        let name = format!("{PARAMETERS}{}", parameter.key);
        let value = match arrays.take(&name) {
            // A parameter that has been added to the program since.
            None => continue,
            Some(Array::Scalars(values)) => Some(values.first().map_or(Value::Absent, |&number| Value::Number(number))),
            Some(Array::Integers(values)) => values.first().map(|&count| Value::Count(count)),
            Some(Array::Vectors(values)) => values.first().map(|&vector| Value::Vector(vector)),
            Some(Array::Bytes(name)) => match &parameter.kind {
                Kind::Choice(options) => {
                    options.iter().find(|option| option.name.as_bytes() == name).map(|option| Value::Choice(option.name))
                }
                _ => None,
            },
            Some(_) => None,
        };
        if !value.is_some_and(|value| parameter.set(&mut parameters, value)) {
            return Err(CheckpointError::of(&name, "has an unknown value"));
        }
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_bodies_without_an_index_or_half_a_body_are_refused() {
        let first = MovedBody { body: 3, displacement: DVec3::new(0.1, -0.2, 0.3), velocity: DVec3::Y };
        let bodies = [first, MovedBody { body: 0, ..first }];
        let numbers: Vec<f64> = bodies.iter().flat_map(numbers_of_moved).collect();
        let read = |numbers: &[f64]| {
            let mut arrays = Arrays::default();
            arrays.put(MOVED, Array::Doubles(numbers.to_vec()));
            moved(&mut arrays)
        };
        assert_eq!(read(&numbers).unwrap(), bodies);
        assert!(read(&numbers[1..]).is_err());
        for index in [-1.0, 0.5, f64::NAN, 1e300] {
            let mut wrong = numbers.clone();
            wrong[0] = index;
            assert!(read(&wrong).is_err(), "{index}");
        }
    }

    #[test]
    fn dropped_bodies_of_an_unknown_shape_or_half_a_body_are_refused() {
        let box_of = DroppedBody { center: Vec3::X, size: 0.5, shape: DroppedShape::Box, density: 9.0, velocity: Vec3::Y };
        let bodies = [box_of, DroppedBody { shape: DroppedShape::Ball, ..box_of }];
        let numbers: Vec<f32> = bodies.iter().flat_map(numbers_of_dropped).collect();
        let read = |array: Array| {
            let mut arrays = Arrays::default();
            arrays.put(DROPPED, array);
            dropped(&mut arrays)
        };
        assert_eq!(read(Array::Scalars(numbers.clone())).expect("both are there"), bodies);
        for shape in [0.5, 2.0, f32::NAN] {
            let mut other = numbers.clone();
            other[4] = shape;
            assert!(read(Array::Scalars(other)).is_err(), "{shape}");
        }
        assert!(read(Array::Scalars(numbers[1..].to_vec())).is_err());
        assert!(read(Array::Bytes(vec![0; 72])).is_err());
    }
}
