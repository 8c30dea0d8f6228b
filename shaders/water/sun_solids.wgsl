// Shadows of bodies on a map of the floor: 1 in the shadow.

@vertex
fn vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return on_map(shadow_of(position));
}

@fragment
fn fragment() -> @location(0) f32 {
    return 1.0;
}
