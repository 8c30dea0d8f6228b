// Triangle meshes: closed surfaces of one colour, lit as the particles are, with the normals of their vertices.

struct Varyings {
    @builtin(position) position: vec4f,
    // Normal in the camera's axes (right, up, towards the viewer).
    @location(0) normal: vec3f,
    // Decoded colour, and weight of the haze.
    @location(1) color: vec4f,
    // Share of the sky that is visible.
    @location(2) open: f32,
}

@vertex
fn vertex(@location(0) position: vec3f, @location(1) color: vec4f, @location(2) normal: vec3f) -> Varyings {
    let depth = dot(position - globals.eye, globals.forward);
    let haze = clamp((depth - globals.haze_start) * globals.haze_rate, 0.0, 1.0);
    var out: Varyings;
    out.position = globals.clip_from_world * vec4f(position, 1.0);
    out.normal = vec3f(dot(normal, globals.right), dot(normal, globals.up), -dot(normal, globals.forward));
    out.color = vec4f(decode(color.rgb), 0.25 * haze);
    out.open = color.a;
    return out;
}

@fragment
fn fragment(in: Varyings, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let outward = in.normal * inverseSqrt(max(dot(in.normal, in.normal), 1e-12));
    // The inside, where the near plane cuts a surface open.
    let normal = select(-outward, outward, is_front);
    let key = max(0.8 * dot(normal, KEY) + 0.2, 0.0) * (0.42 + 0.58 * in.open);
    // Component along the world's up.
    let height = normal.y * globals.up.y - normal.z * globals.forward.y;
    let ambient = (AMBIENT + height * AMBIENT_SLOPE) * (0.40 + 0.60 * in.open);
    // Reflections near the outline are stronger (Schlick's approximation of Fresnel's equations).
    let grazing = 1.0 - clamp(normal.z, 0.0, 1.0);
    let reflected = 0.02 + 0.5 * pow(grazing, 5.0);
    let gloss = pow(max(dot(normal, HALF_WAY), 0.0), 32.0);
    let light = in.color.rgb * (ambient + KEY_COLOR * key) + GLOSS_COLOR * gloss + reflected * ambient;
    return vec4f(mix(encode(light), BACKDROP_HORIZON, in.color.a), 1.0);
}
