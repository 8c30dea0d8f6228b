// Everything behind the scene: a calm gradient, and the floor with its grid and the fluid's shadow on it. Opaque, without depth.

@group(0) @binding(1) var shadow: texture_2d<f32>;
@group(0) @binding(2) var shadow_sampler: sampler;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) ndc: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    // One triangle that covers the target.
    let ndc = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    return Varyings(vec4f(ndc, 0.0, 1.0), ndc);
}

// Interleaved gradient noise (Jorge Jimenez, 2014), centred: hides the bands of a slow gradient in eight bits.
fn dither(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5;
}

fn gradient(height: f32) -> vec3f {
    let sky = mix(BACKDROP_HORIZON, BACKDROP_TOP, clamp(height, 0.0, 1.0));
    return mix(sky, BACKDROP_BOTTOM, clamp(-height, 0.0, 1.0));
}

// Coverage of the lines x = 0, 1, 2, … about `width` pixels wide, where a pixel is `step` long.
fn grid_line(x: f32, step: f32, width: f32) -> f32 {
    let distance = abs(fract(x + 0.5) - 0.5) / max(step, 1e-6);
    let line = clamp(0.5 * width + 0.5 - distance, 0.0, 1.0);
    // Lines closer than a few pixels melt into their mean instead of flickering.
    return line * clamp(0.35 / max(step, 1e-6) - 1.0, 0.0, 1.0);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let side = in.ndc * globals.slopes;
    let ray = globals.forward + side.x * globals.right + side.y * globals.up;
    var color = gradient(in.ndc.y * 0.9 + 0.1) * (1.0 - 0.16 * dot(in.ndc, in.ndc) * 0.5);

    let drop = globals.eye.y - globals.floor_height;
    let descent = -ray.y;
    if globals.floor_fade > 0.0 && drop > 0.0 && descent > 1e-4 {
        let distance = drop / descent;
        let place = globals.eye.xz + distance * ray.xz;
        let offset = (place - globals.floor_center) * globals.floor_fade;
        let fade = clamp(1.0 - dot(offset, offset), 0.0, 1.0);
        if fade > 0.0 {
            let strength = fade * fade;
            let at = (place - globals.shadow_corner) * globals.shadow_rate;
            let light = textureSampleLevel(shadow, shadow_sampler, at, 0.0).r;
            color += strength * vec3f(0.050, 0.058, 0.070);
            // A pixel's footprint on the floor: foreshortened along the view, not across. Taken isotropic in each axis of the grid
            // by projecting the two.
            let across = distance / globals.pixels;
            let along = across * length(ray) / max(descent, 1e-3);
            let heading = abs(normalize(ray.xz + vec2f(1e-6)));
            let footprint = (heading * along + heading.yx * across) * globals.grid_rate;
            let cell = (place - globals.floor_center) * globals.grid_rate;
            let fine = max(grid_line(cell.x, footprint.x, 1.0), grid_line(cell.y, footprint.y, 1.0));
            let coarse = max(grid_line(cell.x * 0.2, footprint.x * 0.2, 1.2), grid_line(cell.y * 0.2, footprint.y * 0.2, 1.2));
            color += strength * max(0.045 * fine, 0.085 * coarse) * vec3f(0.85, 0.95, 1.1);
            color *= mix(1.0, 0.30 + 0.70 * light, strength);
        }
    }
    return vec4f(color + dither(in.position.xy) / 255.0, 1.0);
}
