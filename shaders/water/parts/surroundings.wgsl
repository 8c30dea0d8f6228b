// Surroundings, made from formulas: a sky with the sun, and a tiled floor that the fluid colours with its shadow.

// Optical depth of the fluid between the sun and each point of the floor, and the share of the sun that solids hide there.
@group(0) @binding(2) var sun_map: texture_2d<f32>;
@group(0) @binding(3) var smooth_sampler: sampler;
@group(0) @binding(4) var solid_map: texture_2d<f32>;

const ZENITH = vec3f(0.085, 0.250, 0.620);
const HORIZON = vec3f(0.310, 0.475, 0.680);
const SUNLIGHT = vec3f(0.98, 0.90, 0.78);
// Share of the sunlight that a solid takes away: the room gives some of it back.
const SOLID = 0.95;
// Light of the sky on a horizontal surface.
const SKYLIGHT = vec3f(0.330, 0.390, 0.470);

const TILES = array<vec3f, 2>(vec3f(0.545, 0.500, 0.430), vec3f(0.395, 0.370, 0.340));
const GROUT = vec3f(0.240, 0.230, 0.220);
// Half the width of a joint, tiles.
const JOINT = 0.022;

fn hash(cell: vec2f) -> f32 {
    return fract(sin(dot(cell, vec2f(127.1, 311.7))) * 43758.5453);
}

// Radiance of the sky without the sun's disc.
fn sky(direction: vec3f) -> vec3f {
    let height = clamp(direction.y, 0.0, 1.0);
    let clear = mix(HORIZON, ZENITH, 1.0 - pow(1.0 - height, 5.0));
    let toward = max(dot(direction, water.sun), 0.0);
    let glow = 0.40 * pow(toward, 6.0) + 1.6 * pow(toward, 60.0);
    return clear + glow * SUNLIGHT;
}

// Share of the checks' first tile in a square of `width` tiles (box filter, after Inigo Quilez).
fn checks(place: vec2f, width: f32) -> f32 {
    let size = max(width, 1e-4);
    let ends = abs(fract((place - 0.5 * size) * 0.5) - 0.5) - abs(fract((place + 0.5 * size) * 0.5) - 0.5);
    let mean = 2.0 * ends / size;
    return 0.5 - 0.5 * mean.x * mean.y;
}

// Reflectance of the floor at `place`, in tiles, over a footprint of `width` tiles.
fn floor_color(place: vec2f, width: f32) -> vec3f {
    let size = max(width, 1e-4);
    var tiles = TILES;
    var color = mix(tiles[1], tiles[0], checks(place, size));
    color *= 1.0 + 0.22 * (hash(floor(place)) - 0.5) * clamp(1.5 - 3.0 * size, 0.0, 1.0);
    let edge = abs(fract(place + 0.5) - 0.5);
    let joints = clamp((JOINT - edge) / size + 0.5, vec2f(0.0), vec2f(1.0)) * min(1.0, 2.0 * JOINT / size);
    return mix(color, GROUT, max(joints.x, joints.y));
}

// Sunlight that passes to the point `place` of the floor (x, z).
fn sunlight(place: vec2f) -> vec3f {
    let uv = (place - water.map_corner) * water.map_rate;
    let inside = all(uv > vec2f(0.0)) && all(uv < vec2f(1.0));
    let depth = textureSampleLevel(sun_map, smooth_sampler, uv, 0.0).rgb;
    let solid = textureSampleLevel(solid_map, smooth_sampler, uv, 0.0).r;
    return SUNLIGHT * select(vec3f(1.0), exp(-depth) * (1.0 - SOLID * solid), inside);
}

// Light from `origin` against `direction`, and the distance to the floor (a large one for the sky).
fn surroundings(origin: vec3f, direction: vec3f) -> vec4f {
    let far = sky(direction);
    let drop = origin.y - globals.floor_height;
    if globals.floor_fade == 0.0 || drop <= 0.0 || direction.y >= -1e-4 {
        return vec4f(far, 60000.0);
    }
    let distance = drop / -direction.y;
    let place = origin.xz + distance * direction.xz;
    let offset = (place - globals.floor_center) * globals.floor_fade;
    let fade = exp(-0.20 * dot(offset, offset));
    // Footprint of a pixel on the floor, tiles.
    let path = length(origin - globals.eye) + distance;
    let width = path / (globals.pixels * -direction.y) * globals.grid_rate;
    let color = floor_color((place - globals.floor_center) * globals.grid_rate, width);
    let light = floor_light(place);
    // Fluid overhead takes some of the sky's light too.
    let open = 0.55 + 0.45 * light / SUNLIGHT;
    let lit = color * (light * water.sun.y + SKYLIGHT * open);
    // Haze has the colour of the sky above it, so that the floor ends without an edge.
    let haze = sky(normalize(vec3f(direction.x, 0.0, direction.z)));
    return vec4f(mix(haze, lit, fade), distance);
}
