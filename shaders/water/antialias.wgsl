// Antialiasing of the finished picture by its luma (after Timothy Lottes, "FXAA", 2009): an edge is blurred along its direction,
// as far as the blur stays within the luma around the pixel.

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler: sampler;

const LUMA = vec3f(0.299, 0.587, 0.114);
const MOST = 8.0;

fn luma(color: vec3f) -> f32 {
    return dot(color, LUMA);
}

@fragment
fn fragment(in: Screen) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(source));
    let uv = in.position.xy * texel;
    let middle = textureSampleLevel(source, smooth_sampler, uv, 0.0).rgb;
    let north_west = luma(textureSampleLevel(source, smooth_sampler, uv + vec2f(-0.5, -0.5) * texel, 0.0).rgb);
    let north_east = luma(textureSampleLevel(source, smooth_sampler, uv + vec2f(0.5, -0.5) * texel, 0.0).rgb);
    let south_west = luma(textureSampleLevel(source, smooth_sampler, uv + vec2f(-0.5, 0.5) * texel, 0.0).rgb);
    let south_east = luma(textureSampleLevel(source, smooth_sampler, uv + vec2f(0.5, 0.5) * texel, 0.0).rgb);
    let here = luma(middle);
    let least = min(here, min(min(north_west, north_east), min(south_west, south_east)));
    let most = max(here, max(max(north_west, north_east), max(south_west, south_east)));
    if most - least < max(0.02, 0.06 * most) {
        return vec4f(middle, 1.0);
    }
    let across = vec2f(south_west + south_east - north_west - north_east, north_west + south_west - north_east - south_east);
    let damping = max(0.03 * (north_west + north_east + south_west + south_east), 1.0 / 128.0);
    let scale = 1.0 / (min(abs(across.x), abs(across.y)) + damping);
    let along = clamp(across * scale, vec2f(-MOST), vec2f(MOST)) * texel;
    let inner = 0.5
        * (textureSampleLevel(source, smooth_sampler, uv - along / 6.0, 0.0).rgb
            + textureSampleLevel(source, smooth_sampler, uv + along / 6.0, 0.0).rgb);
    let outer = 0.5 * inner
        + 0.25
            * (textureSampleLevel(source, smooth_sampler, uv - 0.5 * along, 0.0).rgb
                + textureSampleLevel(source, smooth_sampler, uv + 0.5 * along, 0.0).rgb);
    let blurred = luma(outer);
    return vec4f(select(outer, inner, blurred < least || blurred > most), 1.0);
}
