// A particle is a quad that just covers its sphere's outline; each fragment finds where its ray meets the sphere, so that depth and
// normals are a sphere's, and spheres that intersect do so where they should. Drawn from far to near: the soft edges blend.

@group(0) @binding(1) var colors: texture_2d<f32>;

struct Varyings {
    @builtin(position) position: vec4f,
    // On the quad, from the eye.
    @location(0) ray: vec3f,
    // Across the quad; the outline is the unit circle.
    @location(1) across: vec2f,
    // Centre from the eye, and the outline's radius in pixels.
    @location(2) @interpolate(flat) center: vec4f,
    // Linear colour, and how much of the sky the particle sees.
    @location(3) @interpolate(flat) color: vec4f,
    // How much haze lies before it.
    @location(4) @interpolate(flat) haze: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @location(0) world: vec3f, @location(1) value_light: vec2f) -> Varyings {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let center = world - globals.eye;
    let square = dot(center, center);
    let beyond = square - globals.radius * globals.radius;
    let depth = dot(center, globals.forward);
    var out: Varyings;
    if !(beyond > 0.0 && depth > globals.near) {
        // The eye is inside the sphere, or the sphere behind it: a quad without extent.
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    // The cone of rays that touch the sphere cuts the plane through its centre in a circle of this radius.
    let outline = globals.radius * sqrt(square / beyond);
    let pixels = outline * globals.pixels * inverseSqrt(square);
    let axis = center * inverseSqrt(square);
    let side = normalize(globals.right - axis * dot(axis, globals.right));
    let upward = cross(side, axis);
    // Half a pixel more on every side for the soft edge.
    let across = corner * (1.0 + 0.5 / max(pixels, 0.05));
    let ray = center + outline * (across.x * side + across.y * upward);

    let last = f32(textureDimensions(colors).x - 2u);
    let texel = select(0u, 1u + u32(value_light.x * last), value_light.x > 0.0);
    out.position = globals.clip_from_world * vec4f(globals.eye + ray, 1.0);
    out.ray = ray;
    out.across = across;
    out.center = vec4f(center, pixels);
    out.color = vec4f(decode(textureLoad(colors, vec2u(texel, 0u), 0).rgb), value_light.y);
    out.haze = clamp((depth - globals.haze_start) * globals.haze_rate, 0.0, 1.0);
    return out;
}

struct Fragment {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(in: Varyings) -> Fragment {
    let cover = (1.0 - length(in.across)) * in.center.w + 0.5;
    if cover <= 0.0 {
        discard;
    }
    let center = in.center.xyz;
    let a = dot(in.ray, in.ray);
    let b = dot(in.ray, center);
    let c = dot(center, center) - globals.radius * globals.radius;
    // Just outside the outline the root is imaginary: the nearest point of the ray stands in.
    let t = (b - sqrt(max(b * b - a * c, 0.0))) / a;
    let hit = t * in.ray;
    let normal = (hit - center) / globals.radius;

    let facing = clamp(-dot(normal, in.ray) * inverseSqrt(a), 0.0, 1.0);
    let sky = in.color.a;
    let key = max(0.8 * dot(normal, globals.key) + 0.2, 0.0) * mix(0.42, 1.0, sky);
    let ambient = mix(vec3f(0.16, 0.18, 0.22), vec3f(0.46, 0.50, 0.56), 0.5 * normal.y + 0.5) * mix(0.30, 1.0, sky);
    // Neighbours shade each other near the outline.
    let crevice = 0.55 + 0.45 * facing;
    var light = in.color.rgb * (ambient + vec3f(0.98, 0.95, 0.90) * key) * crevice;

    var gloss = max(dot(normal, globals.half_way), 0.0);
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    let rim = (1.0 - facing) * (1.0 - facing);
    light += (0.16 * gloss * mix(0.2, 1.0, sky) + 0.05 * rim * sky) * vec3f(0.9, 0.97, 1.0);

    let color = mix(encode(light), BACKDROP_HORIZON, 0.25 * in.haze);
    // Where the sphere covers only part of a pixel, one that intersects it and is drawn later covers it wholly: let it win.
    let solid = min(cover, 1.0);
    let depth = dot(hit, globals.forward) + globals.radius * (1.0 - solid);
    return Fragment(vec4f(color, solid), globals.near / depth);
}
