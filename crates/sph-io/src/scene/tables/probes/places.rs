//! Places of probes: gauges, points, openings.

use super::table::{MAX_POINTS, ProbeTable};
use crate::scene::error::Fault;
use crate::scene::tables::vectors::Vectors;
use glam::Vec2;
use sph_core::Aperture;
use sph_core::probes::{FluxGate, Gauge, PointGrid};

/// The gauge of a pressure probe, in a scene with so many `containers`.
pub(super) fn gauge(table: &ProbeTable, path: &str, containers: usize, vectors: &mut Vectors) -> Option<Gauge> {
    let &ProbeTable { face, diameter, container, averaging, .. } = table;
    let diameter = diameter.unwrap_or(0.0) as f32;
    if (diameter > 0.0) != face.is_some() {
        let message = "a gauge with a `diameter` above 0 lies in a `face` of the tank";
        vectors.faults.push(Fault::at_path(path, message, "expected both keys or neither"));
        return None;
    }
    if let Some(number) = container.filter(|&number| number >= containers) {
        let message = format!("there is no container number {number}");
        let label = match containers {
            0 => "expected no `container`: the scene has none".to_owned(),
            _ => format!("expected a number below {containers}, from 0 in the order of `[[containers]]`"),
        };
        vectors.faults.push(Fault::at_path(format!("{path}.container"), message, label));
        return None;
    }
    Some(Gauge { face: face.map(|face| face.0), diameter, container, averaging: averaging.unwrap_or(0.0) as f32 })
}

/// The points of a probe: `at`, or a line, or a plane. Adds its faults to those of `vectors`.
pub(super) fn points(table: &ProbeTable, path: &str, vectors: &mut Vectors) -> Option<PointGrid> {
    let ProbeTable { at, from, to, points, across, rows, .. } = table;
    let mut fault = |message: String, label: &str| {
        vectors.faults.push(Fault::at_path(path, message, label));
        None
    };
    if at.is_some() == from.is_some() {
        let count = if at.is_some() { "both" } else { "neither" };
        return fault(
            format!("`{path}` has {count} of `at` and `from`"),
            "expected `at` for a point, or `from`, `to` and `points`",
        );
    }
    if [to.is_some(), points.is_some()] != [from.is_some(); 2] {
        return fault(format!("a line of `{path}` is not complete"), "expected `from`, `to` and `points`");
    }
    if across.is_some() != rows.is_some() || (across.is_some() && from.is_none()) {
        return fault(format!("a plane of `{path}` is not complete"), "expected `from`, `to`, `points`, `across` and `rows`");
    }
    let count = u64::from(points.unwrap_or(1)) * u64::from(rows.unwrap_or(1));
    if count > u64::from(MAX_POINTS) {
        return fault(format!("`{path}` has {count} points"), "expected at most 10000");
    }
    let mut read =
        |numbers: &Option<Vec<f64>>, key: &str| numbers.as_ref().map(|numbers| vectors.read(numbers, format!("{path}.{key}")));
    if let Some(at) = read(at, "at") {
        return Some(PointGrid::point(at));
    }
    let line = PointGrid::line(read(from, "from")?, read(to, "to")?, (*points)?);
    Some(PointGrid { across: read(across, "across").unwrap_or(line.across), rows: rows.unwrap_or(1), ..line })
}

/// The opening of a flux probe. Adds its faults to those of `vectors`.
pub(super) fn gate(table: &ProbeTable, path: &str, vectors: &mut Vectors) -> Option<FluxGate> {
    let ProbeTable { at, direction, radius, size, .. } = table;
    let mut read =
        |numbers: &Option<Vec<f64>>, key: &str| numbers.as_ref().map(|numbers| vectors.read(numbers, format!("{path}.{key}")));
    let (center, direction) = (read(at, "at")?, read(direction, "direction")?);
    let mut fault = |key: &str, message: &str, label: &str| {
        vectors.faults.push(Fault::at_path(format!("{path}{key}"), message, label));
        None
    };
    if direction.try_normalize().is_none() {
        return fault(".direction", "the direction of an opening has no length", "expected a direction");
    }
    let planar = vectors.dimensions.count() == 2;
    let aperture = match (radius, size) {
        (Some(radius), None) => Aperture::Round { radius: *radius as f32 },
        (None, Some(size)) => match (size.first(), size.get(1)) {
            (Some(&width), Some(&height)) => Aperture::Rectangle { size: Vec2::new(width as f32, height as f32) },
            (Some(&width), None) if planar => Aperture::Rectangle { size: Vec2::splat(width as f32) },
            _ => return fault(".size", "an opening in 3 dimensions has two sizes", "expected a width and a height"),
        },
        _ => return fault("", "an opening is round or rectangular", "expected `radius` or `size`"),
    };
    Some(FluxGate { center, direction, aperture })
}
