//! A state: a value of all that is not of particles, and a column for each attribute of the particles.

use std::io::{self, Read, Write};

use super::CheckpointError;
use super::container::{read_column, read_value, write_column, write_value};
use sph_core::{State, Values, ValuesMut};

/// Writes a state.
pub(super) fn write(state: &State, out: &mut dyn Write) -> io::Result<()> {
    // Every field but the particles: serde sees to it.
    write_value(out, state)?;
    state.particles.attributes().try_for_each(|(_, values)| match values {
        Values::Vectors(values) => write_column(out, values),
        Values::Scalars(values) => write_column(out, values),
        Values::Integers(values) => write_column(out, values),
        Values::Bytes(values) => write_column(out, values),
    })
}

/// Reads a state. [`Simulation::from_state`](sph_core::Simulation::from_state) checks whether its values make sense.
pub(super) fn read(input: &mut dyn Read) -> Result<State, CheckpointError> {
    let mut state: State = read_value(input, "state")?;
    for (attribute, values) in state.particles.attributes_mut() {
        match values {
            ValuesMut::Vectors(values) => *values = read_column(input, attribute.name)?,
            ValuesMut::Scalars(values) => *values = read_column(input, attribute.name)?,
            ValuesMut::Integers(values) => *values = read_column(input, attribute.name)?,
            ValuesMut::Bytes(values) => *values = read_column(input, attribute.name)?,
        }
    }
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::super::container::VERSION;
    use super::*;
    use sph_core::parameters::Kind;
    use sph_core::point_sets::{Column, ColumnValues, PointSet};
    use sph_core::{DroppedBody, DroppedShape, Engine as _, Load, MovedBody, Parameters, Simulation};
    use std::hash::Hasher as _;

    /// A state with something in each list, so that all fields show.
    fn full() -> State {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.3, 0.3, 0.3]\n\
                    [[bodies]]\nmin = [0.5, 0, 0]\nmax = [0.8, 0.3, 0.3]\ndensity = 500.0\ndynamics = {}\n";
        let scene = crate::parse(text, "full", &[]).expect("a scene");
        let mut state = Simulation::new(&scene.setup).expect("a valid setup").snapshot();
        state.bodies[0].load = Some(Load::default());
        state.dropped.push(DroppedBody {
            center: glam::Vec3::X,
            size: 0.5,
            shape: DroppedShape::Ball,
            density: 9.0,
            velocity: glam::Vec3::Y,
        });
        state.moved.push(MovedBody { body: 3, displacement: glam::DVec3::X, velocity: glam::DVec3::Y });
        state.off_curve.push("gravity");
        state.exchanged = Some(0.5);
        let column = |name: &str, values| Column { name: name.to_owned(), unit: "m".to_owned(), values };
        let columns = [
            column("spin", ColumnValues::Vectors(vec![glam::Vec3::X])),
            column("strain", ColumnValues::Scalars(vec![0.5])),
            column("torn", ColumnValues::Integers(vec![7])),
        ];
        state.sets.push(PointSet { name: "cloth".to_owned(), columns: columns.into(), ..PointSet::default() });
        state.set_grids.push(state.parameters.grid);
        state
    }

    #[test]
    fn a_state_with_something_in_each_list_is_read_as_it_was_written() {
        let state = full();
        let again = |state: &State| {
            let mut bytes = Vec::new();
            write(state, &mut bytes).expect("a vector takes all bytes");
            read(&mut &bytes[..])
        };
        assert!(again(&state).unwrap() == state);
        let unknown = State { off_curve: vec!["no.such.key"], ..state };
        assert!(matches!(again(&unknown), Err(CheckpointError::Contents(_))));
    }

    /// Names of fields, choices and attributes are not in the file: what changes them changes what its bytes mean.
    #[test]
    fn what_a_state_holds_goes_with_the_version() {
        let json = serde_json::to_string(&full()).unwrap();
        let pieces: Vec<&str> = json.split('"').collect();
        let mut names: Vec<&str> = pieces.windows(2).filter(|pair| pair[1].starts_with(':')).map(|pair| pair[0]).collect();
        for parameter in Parameters::table() {
            if let Kind::Choice(options) = &parameter.kind {
                names.extend(options.iter().map(|option| option.name));
            }
        }
        names.extend(sph_core::Particles::ATTRIBUTES.iter().map(|attribute| attribute.name));
        let mut hash = twox_hash::XxHash64::with_seed(0);
        hash.write(names.join(" ").as_bytes());
        let known = (8, 0x924d_f98d_7100_6353);
        assert_eq!((VERSION, hash.finish()), known, "raise VERSION, and put both numbers here; it holds {names:?}");
    }
}
