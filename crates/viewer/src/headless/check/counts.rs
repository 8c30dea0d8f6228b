//! Numbers of particles of a scene by what they are of, where there is more than one fluid or solid.

use sph_core::CountsByKind;
use sph_io::Scene;

/// Lines on the particles by kind; none that would repeat the totals.
pub fn lines(scene: &Scene) -> Vec<String> {
    let setup = &scene.setup;
    let CountsByKind { fluids, containers, bodies } = setup.counts_by_kind();
    let mut lines = Vec::new();
    if fluids.len() > 1 {
        let named = setup.fluids.iter().zip(fluids).map(|(fluid, count)| format!("{count} {}", fluid.name));
        lines.push(format!("  fluid: {}", named.collect::<Vec<_>>().join(", ")));
    }
    if containers.len() + bodies.len() > 1 {
        let containers = containers.iter().enumerate().map(|(index, count)| format!("{count} of container {index}"));
        let bodies = bodies.iter().enumerate().map(|(index, count)| format!("{count} of {}", body_name(scene, index)));
        lines.push(format!("  boundary: at most {}", containers.chain(bodies).collect::<Vec<_>>().join(", ")));
    }
    lines
}

/// A body by its number, and its name if it has one.
pub fn body_name(scene: &Scene, index: usize) -> String {
    match scene.body_names.get(index) {
        Some(Some(name)) => format!("body {index} `{name}`"),
        _ => format!("body {index}"),
    }
}
