// Background: a gradient, and the floor with its grid and the fluid's shadow. Opaque, without depth.

@group(0) @binding(1) var shadow: texture_2d<f32>;
@group(0) @binding(2) var shadow_sampler: sampler;

// The fragment stage reads no uniforms, because such reads are slow on some drivers: the vertices pass the values. The ray
// through a pixel meets the floor at origin + heading / descent, in cells of the floor's grid from the floor's centre.
struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) ndc: vec2f,
    @location(1) heading_descent: vec3f,
    // Origin, and the reciprocal of the distance in cells at which the floor has faded out (0 without a floor).
    @location(2) @interpolate(flat) floor: vec3f,
    // Scale and offset from cells to coordinates of the shadow texture.
    @location(3) @interpolate(flat) shadow: vec4f,
    // Lightness of the room, 0 or 1.
    @location(4) @interpolate(flat) room: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    // One triangle that covers the target.
    let ndc = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    let side = ndc * globals.slopes;
    let ray = globals.forward + side.x * globals.right + side.y * globals.up;
    let drop = globals.eye.y - globals.floor_height;
    var out: Varyings;
    out.position = vec4f(ndc, 0.0, 1.0);
    out.ndc = ndc;
    out.room = globals.room;
    if globals.floor_fade > 0.0 && drop > 0.0 {
        let spacing = 1.0 / globals.grid_rate;
        out.heading_descent = vec3f(ray.xz * drop * globals.grid_rate, -ray.y);
        out.floor = vec3f((globals.eye.xz - globals.floor_center) * globals.grid_rate, globals.floor_fade * spacing);
        out.shadow = vec4f(spacing * globals.shadow_rate, (globals.floor_center - globals.shadow_corner) * globals.shadow_rate);
    } else {
        // A descent of -1 everywhere: no floor.
        out.heading_descent = vec3f(0.0, 0.0, -1.0);
    }
    return out;
}

// Interleaved gradient noise (Jorge Jimenez, 2014), centred: dithering against banding of the gradient in eight bits.
fn dither(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5;
}

fn gradient(height: f32, room: f32) -> vec3f {
    let horizon = mix(BACKDROP_HORIZON, LIGHT_HORIZON, room);
    let sky = mix(horizon, mix(BACKDROP_TOP, LIGHT_TOP, room), clamp(height, 0.0, 1.0));
    return mix(sky, mix(BACKDROP_BOTTOM, LIGHT_BOTTOM, room), clamp(-height, 0.0, 1.0));
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let descent = in.heading_descent.z;
    let cell = in.floor.xy + in.heading_descent.xy / max(descent, 1e-4);
    let offset = cell * in.floor.z;
    let fade = select(0.0, max(1.0 - dot(offset, offset), 0.0), descent > 1e-4);
    let strength = fade * fade;

    // Every fifth line is stronger. Lines closer than a few pixels fade out to avoid aliasing.
    let rate = 1.0 / max(fwidth(cell), vec2f(1e-6));
    let fine = (1.0 - abs(fract(cell + 0.5) - 0.5) * rate) * clamp(0.35 * rate - 1.0, vec2f(0.0), vec2f(1.0));
    let strong = 1.1 - abs(fract(0.2 * cell + 0.5) - 0.5) * (5.0 * rate);
    let line = max(0.045 * max(fine.x, fine.y), 0.085 * clamp(max(strong.x, strong.y), 0.0, 1.0));
    // Lines are lighter than a dark floor, and darker than a light one.
    let glow = (vec3f(0.050, 0.058, 0.070) + max(line, 0.0) * vec3f(0.85, 0.95, 1.1)) * (1.0 - 2.0 * in.room);

    let light = textureSampleLevel(shadow, shadow_sampler, cell * in.shadow.xy + in.shadow.zw, 0.0).r;
    let vignette = 1.0 - 0.08 * dot(in.ndc, in.ndc);
    let color = (gradient(in.ndc.y * 0.9 + 0.1, in.room) * vignette + strength * glow) * (1.0 - mix(0.70, 0.35, in.room) * (1.0 - light) * strength);
    return vec4f(color + dither(in.position.xy) / 255.0, 1.0);
}
