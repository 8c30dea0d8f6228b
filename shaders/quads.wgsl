// The simplest instanced quad: one colour, facing the camera, with a depth test. The yardstick of `sph bench --render`.

@vertex
fn vertex(@builtin(vertex_index) index: u32, @location(0) center: vec3f) -> @builtin(position) vec4f {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let place = center + globals.radius * (corner.x * globals.right + corner.y * globals.up);
    return globals.clip_from_world * vec4f(place, 1.0);
}

@fragment
fn fragment() -> @location(0) vec4f {
    return vec4f(0.25, 0.5, 0.75, 1.0);
}
