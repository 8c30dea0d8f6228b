//! Table of parameters: every field has an entry, every default is within its range.

use crate::parameters::*;

#[test]
fn every_default_is_within_its_range() {
    let discretization = Discretization::new(Dimensions::Three, 0.05);
    discretization.validate().expect("water");
    Parameters::usual(&discretization).validate(&discretization).expect("usual parameters");
}

#[test]
fn every_key_is_unique_and_documented() {
    let mut keys: Vec<&str> = Parameters::table().iter().map(|parameter| parameter.key).collect();
    keys.extend(Discretization::table().iter().map(|parameter| parameter.key));
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
    for parameter in Parameters::table() {
        let Parameter { key, label, documentation, .. } = parameter;
        assert!(!label.is_empty() && documentation.ends_with('.') && documentation.len() > 15, "{key}: {documentation}");
        assert!(TABLES.iter().any(|(table, _)| *table == parameter.table()) || parameter.table().is_empty(), "{key}");
    }
}

/// Setting a parameter to another value changes that value only.
#[test]
fn every_parameter_is_set_alone() {
    let before = Parameters {
        grid: GridParameters {
            structure: Structure::BucketHash(Storage::Fixed, Update::Rebuilt, Registration::Once),
            ..Default::default()
        },
        ..Parameters::default()
    };
    for parameter in Parameters::table() {
        let mut after = before;
        let other = match (parameter.get(&before), &parameter.kind) {
            (Value::Number(number), _) => Value::Number(number + 0.25),
            (Value::Absent, _) => Value::Number(0.25),
            (Value::Count(count), _) => Value::Count(count + 1),
            (Value::Vector(vector), _) => Value::Vector(vector + 0.25),
            (Value::Choice(name), Kind::Choice(options)) => {
                Value::Choice(options.iter().map(|option| option.name).find(|other| *other != name).expect("two options"))
            }
            (value, kind) => panic!("{}: {value:?} is not of kind {kind:?}", parameter.key),
        };
        assert!(parameter.set(&mut after, other), "{}", parameter.key);
        if parameter.is_used(&before) {
            assert_eq!(parameter.get(&after), other, "{}", parameter.key);
        }
        // A change of structure changes its options.
        let depends = |key: &str| parameter.key == "grid.structure" && key.starts_with("grid.");
        for other in Parameters::table().iter().filter(|other| other.key != parameter.key && !depends(other.key)) {
            assert_eq!(other.get(&after), other.get(&before), "{} changes {}", parameter.key, other.key);
        }
        assert!(
            !parameter.set(&mut after, if matches!(other, Value::Choice(_)) { Value::Count(1) } else { Value::Choice("x") })
        );
    }
}

#[test]
fn values_beyond_their_bounds_are_refused_by_name() {
    let discretization = Discretization::new(Dimensions::Two, 0.05);
    for parameter in Parameters::table().iter().filter(|parameter| parameter.bounds.high < f64::from(f32::MAX)) {
        let mut values = Parameters::usual(&discretization);
        let beyond = match parameter.get(&values) {
            Value::Number(_) | Value::Absent => Value::Number(2.0 * parameter.bounds.high as f32),
            Value::Count(_) => Value::Count(2 * parameter.bounds.high as u32),
            Value::Vector(_) => Value::Vector(glam::Vec3::X * 2.0 * parameter.bounds.high as f32),
            Value::Choice(_) => continue,
        };
        parameter.set(&mut values, beyond);
        let error = values.validate(&discretization).expect_err(parameter.key);
        assert_eq!(error.name, parameter.key);
        assert!(error.to_string().contains(&error.expected.to_string()), "{error}");
    }
}

#[test]
fn choices_are_read_and_written_by_name() {
    assert_eq!("wendland_c2".parse(), Ok(KernelKind::WendlandC2));
    assert_eq!(Structure::SpatialHash.to_string(), "spatial_hash");
    for method in Method::ALL {
        assert_eq!(method.to_string().parse(), Ok(method));
    }
    let error = "sph".parse::<Method>().expect_err("no method");
    assert_eq!(error.to_string(), "expected `wcsph`, `pcisph`, `iisph`, `dfsph`, `pbf`, but got `sph`");
}

#[test]
fn values_below_their_bounds_are_refused_by_name() {
    let discretization = Discretization::new(Dimensions::Two, 0.05);
    for parameter in Parameters::table().iter().filter(|parameter| parameter.bounds.low > f64::NEG_INFINITY) {
        let Bounds { low, above_low, .. } = parameter.bounds;
        let low = low as f32;
        let mut values = Parameters::usual(&discretization);
        let outside = match parameter.get(&values) {
            Value::Number(_) | Value::Absent if above_low => vec![Value::Number(low), Value::Number(f32::NAN)],
            Value::Number(_) | Value::Absent => vec![Value::Number(low - 1e-6 - 0.1 * low.abs()), Value::Number(f32::NAN)],
            Value::Count(_) => vec![Value::Count(low as u32 - 1)],
            Value::Vector(_) => vec![Value::Vector(glam::Vec3::NEG_Y * 2.0 * low.abs())],
            Value::Choice(_) => continue,
        };
        for value in outside {
            parameter.set(&mut values, value);
            let error = values.validate(&discretization).expect_err(parameter.key);
            assert_eq!(error.name, parameter.key, "{value:?}");
        }
    }
    for (spacing, support_ratio) in [(0.0, 2.0), (-1.0, 2.0), (f32::NAN, 2.0), (0.05, 1.1), (0.05, 4.1)] {
        let support_radius = support_ratio * spacing;
        let wrong = Discretization { particle_spacing: spacing, support_radius, ..discretization };
        assert!(wrong.validate().is_err(), "{wrong:?}");
    }
}

#[test]
fn a_minimum_above_its_maximum_is_refused() {
    let discretization = Discretization::new(Dimensions::Two, 0.05);
    assert_eq!(Parameters::iteration_bounds().count(), 5);
    for (least, most) in Parameters::iteration_bounds() {
        let mut values = Parameters::usual(&discretization);
        assert!(least.set(&mut values, Value::Count(900)) && most.set(&mut values, Value::Count(899)));
        assert_eq!(values.validate(&discretization).expect_err("out of order").name, most.key);
        most.set(&mut values, Value::Count(900));
        assert_eq!(values.validate(&discretization), Ok(()));
    }
}

#[test]
fn structures_are_read_with_their_options() {
    for structure in Structure::all() {
        assert_eq!(structure.to_string().parse(), Ok(structure), "{structure}");
    }
    assert_eq!("cell_hash".parse(), Ok(Structure::CellHash(Update::Rebuilt)));
    for wrong in ["cell_hash once", "hash", "bucket_hash fixed nonsense", ""] {
        assert!(wrong.parse::<Structure>().is_err(), "{wrong}");
    }
}

#[test]
fn every_number_says_what_happens_at_both_ends() {
    for parameter in Parameters::table().iter().filter(|parameter| !matches!(parameter.kind, Kind::Choice(_))) {
        let key = parameter.key;
        let [low, high] = parameter.ends.unwrap_or_else(|| panic!("{key} says nothing of its ends"));
        for text in [low, high] {
            assert!(!text.is_empty() && !text.ends_with('.') && !text.starts_with(char::is_uppercase), "{key}: {text}");
        }
        if let Some([low, high]) = parameter.usual {
            let Bounds { low: least, high: most, .. } = parameter.bounds;
            assert!(least <= low && low < high && high <= most, "{key}: usually {low} to {high} of {least} to {most}");
        }
    }
}
