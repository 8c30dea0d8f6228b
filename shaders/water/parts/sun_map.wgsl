// Point of the floor (x, z) in the shadow of `position`.
fn shadow_of(position: vec3f) -> vec2f {
    return position.xz - water.sun.xz * ((position.y - globals.floor_height) / water.sun.y);
}

// Clip coordinates of a point of the floor on the map of the sun's light.
fn on_map(place: vec2f) -> vec4f {
    let uv = (place - water.map_corner) * water.map_rate;
    return vec4f(2.0 * uv.x - 1.0, 1.0 - 2.0 * uv.y, 0.5, 1.0);
}
