// Bodies as triangles in linear light, and their distance along the view in the last channel.

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
    @location(1) color: vec3f,
    @location(2) place: vec3f,
}

@vertex
fn vertex(@location(0) position: vec3f, @location(1) color: vec4f, @location(2) normal: vec3f) -> Varyings {
    return Varyings(globals.clip_from_world * vec4f(position, 1.0), normal, linear_of(color.rgb), position);
}

@fragment
fn fragment(in: Varyings, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let outward = in.normal * inverseSqrt(max(dot(in.normal, in.normal), 1e-12));
    let normal = select(-outward, outward, is_front);
    let sight = normalize(in.place - globals.eye);
    let direct = max(dot(normal, water.sun), 0.0) * SUNLIGHT;
    let ambient = SKYLIGHT * (0.75 + 0.35 * normal.y);
    let mirrored = reflect(sight, normal);
    let grazing = 1.0 - clamp(-dot(sight, normal), 0.0, 1.0);
    let gloss = 0.04 + 0.5 * pow(grazing, 5.0);
    let light = in.color * (direct + ambient) + 0.35 * gloss * sky(mirrored) * (0.5 + 0.5 * mirrored.y);
    return vec4f(light, dot(in.place - globals.eye, globals.forward));
}
