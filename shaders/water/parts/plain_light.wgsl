// Sunlight on the floor as water mirrors it: without caustics, which cost more than all else there.
fn floor_light(place: vec2f) -> vec3f {
    return sunlight(place);
}
