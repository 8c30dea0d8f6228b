// What every stage of a frame knows. Mirrors `Globals` in render/gpu/globals.rs; a test compares the offsets.
// Lengths in m, world space right-handed with y up. Depth is near / distance along the view: 1 near, 0 infinitely far.

struct Globals {
    clip_from_world: mat4x4f,
    // Unit axes of the camera.
    right: vec3f,
    near: f32,
    up: vec3f,
    // Radius of a particle.
    radius: f32,
    forward: vec3f,
    // Pixels that a length of 1 at distance 1 covers.
    pixels: f32,
    eye: vec3f,
    // Height of the floor.
    floor_height: f32,
    // Tangents of half the fields of view.
    slopes: vec2f,
    // Distance along the view at which the haze begins, and one over the distance that it takes to its full strength.
    haze_start: f32,
    haze_rate: f32,
    // Size of the target, pixels.
    viewport: vec2f,
    // Middle of the floor (x, z).
    floor_center: vec2f,
    // One over the radius at which the floor has faded away; 0 without a floor.
    floor_fade: f32,
    // One over the spacing of the floor's grid.
    grid_rate: f32,
    // The floor's shadow texture: place of its corner (x, z), and one over its extent.
    shadow_corner: vec2f,
    shadow_rate: vec2f,
    // The block ends on a multiple of 16 bytes.
    unused: vec2f,
}

@group(0) @binding(0) var<uniform> globals: Globals;
