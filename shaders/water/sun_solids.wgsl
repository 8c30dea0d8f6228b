// Shadows of bodies on the map of the sun's light: opaque.

@vertex
fn vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return on_map(shadow_of(position));
}

@fragment
fn fragment() -> @location(0) vec4f {
    return vec4f(vec3f(3.0), 0.0);
}
