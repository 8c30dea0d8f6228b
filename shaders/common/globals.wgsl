// Uniforms of a frame. Mirrors `Globals` in render/gpu/globals.rs; a test compares the offsets.
// Lengths in m, world space right-handed with y up. Reversed depth, near / (distance along the view): 1 at the near plane, 0 at
// infinity.

struct Globals {
    clip_from_world: mat4x4f,
    // Unit axes of the camera.
    right: vec3f,
    near: f32,
    up: vec3f,
    // Radius of a particle.
    radius: f32,
    forward: vec3f,
    // Focal length, pixels: a length of 1 at distance 1 covers as many pixels.
    pixels: f32,
    eye: vec3f,
    // Height of the floor.
    floor_height: f32,
    // Tangents of half the horizontal and vertical field of view.
    slopes: vec2f,
    // Distance along the view at which the haze begins, and reciprocal of the distance over which it reaches full strength.
    haze_start: f32,
    haze_rate: f32,
    // Size of the render target, pixels.
    viewport: vec2f,
    // Centre of the floor (x, z).
    floor_center: vec2f,
    // Reciprocal of the radius at which the floor has faded out; 0 without a floor.
    floor_fade: f32,
    // Reciprocal of the spacing of the floor's grid.
    grid_rate: f32,
    // Corner of the floor's shadow texture (x, z), and reciprocal of its extent.
    shadow_corner: vec2f,
    shadow_rate: vec2f,
    // Lightness of the room around the scene: 0 dark, 1 light.
    room: f32,
    // Padding to a multiple of 16 bytes.
    unused: f32,
}

@group(0) @binding(0) var<uniform> globals: Globals;
