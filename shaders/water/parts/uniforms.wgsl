// Uniforms of the look of water. Mirrors `Uniforms` in render/water/uniforms.rs; a test compares the offsets. Lengths in m.

struct Water {
    // Unit vector towards the sun.
    sun: vec3f,
    // Radius of the spheres whose ellipsoids are the surface.
    radius: f32,
    // Lowest corner of the tank, or of all that is drawn.
    low: vec3f,
    // Radius of the spheres over whose ellipsoids the volumes of particles are spread.
    splat_radius: f32,
    // Highest corner.
    high: vec3f,
    // Volume of a particle over the volume of such a sphere.
    splat_share: f32,
    // Corner of the map of the sun's light on the floor (x, z), and reciprocal of its extent.
    map_corner: vec2f,
    map_rate: vec2f,
    // Reciprocal of the length on which light takes the colour of a fluid.
    extinction_rate: f32,
    // Radius of the filter of the surface, and how far in front of a pixel, and how far behind it, a neighbour still counts.
    filter_radius: f32,
    filter_near: f32,
    filter_range: f32,
    // Distance from the sides of the tank within which the surface is that of a wall; 0 without flat walls at rest.
    wall_reach: f32,
    // Radius of the tank if it is round and upright; 0 for others.
    round_radius: f32,
}

@group(0) @binding(1) var<uniform> water: Water;

// Axis of a round tank (x, z).
fn tank_middle() -> vec2f {
    return 0.5 * (water.low.xz + water.high.xz);
}
