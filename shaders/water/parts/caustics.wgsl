// Sunlight on the floor as it is seen without water in between: shadows with soft outlines, and caustics.

// Distance over which the curvature of the surface is measured, particle radii: single particles are no lenses.
const CAUSTIC_REACH = 9.0;
// Depth beyond which light is gathered no further, particle radii: there the disorder of the particles would be seen.
const MOST_DEPTH = 20.0;

// Sunlight on the point `place` of the floor (x, z), with what the surface of the fluid gathers there.
fn floor_light(place: vec2f) -> vec3f {
    let uv = (place - water.map_corner) * water.map_rate;
    let inside = all(uv > vec2f(0.0)) && all(uv < vec2f(1.0));
    if !inside {
        return SUNLIGHT;
    }
    let fluid = textureSampleLevel(sun_map, smooth_sampler, uv, 0.0);
    let direct = SUNLIGHT * exp(-fluid.rgb) * (1.0 - SOLID * solid_shadow(uv));
    if fluid.a == 0.0 {
        return direct;
    }
    return direct * gathered(uv, fluid.a);
}

// Share of the sun that solids hide: the mean over a square of texels around `uv`, so that outlines are no stairs.
fn solid_shadow(uv: vec2f) -> f32 {
    let texel = 0.9 / vec2f(textureDimensions(solid_map));
    let across = vec2f(texel.x, -texel.y);
    let first = textureSampleLevel(solid_map, smooth_sampler, uv - texel, 0.0).r;
    let second = textureSampleLevel(solid_map, smooth_sampler, uv + texel, 0.0).r;
    let third = textureSampleLevel(solid_map, smooth_sampler, uv - across, 0.0).r;
    let fourth = textureSampleLevel(solid_map, smooth_sampler, uv + across, 0.0).r;
    return 0.25 * (first + second + third + fourth);
}

// Caustics (linear optics): density of sunlight on the floor under `length` of fluid, over that under a level surface. A surface of height h turns the
// sun's rays by (1 − 1/n) ∇h, which moves them on the floor by h times as much: the density is 1 / (1 + (1 − 1/n) h ∇²h). At edges the
// thickness is not that of a surface, and nothing is gathered.
fn gathered(uv: vec2f, length: f32) -> f32 {
    let reach = CAUSTIC_REACH * globals.radius;
    var sum = 0.0;
    var near = 0.0;
    var least = length;
    var most = length;
    for (var tap = 0; tap < 6; tap++) {
        let angle = 1.0471976 * f32(tap);
        let offset = reach * vec2f(cos(angle), sin(angle)) * water.map_rate;
        let around = textureSampleLevel(sun_map, smooth_sampler, uv + offset, 0.0).a;
        sum += around / 6.0;
        least = min(least, around);
        most = max(most, around);
        if (tap & 1) == 0 {
            near += textureSampleLevel(sun_map, smooth_sampler, uv + 0.4 * offset, 0.0).a / 3.0;
        }
    }
    let middle = mix(length, near, 0.75);
    let difference = sum - middle;
    // Of a parabola, the mean over a circle less the middle is ∇²h/4 times the square of the radius.
    let curvature = 4.0 * difference / (reach * reach);
    // The sides of a column, and the steps between columns, are no surface that the sun falls through.
    let is_surface = 1.0 - smoothstep(0.25, 0.6, (most - least) / max(most, globals.radius));
    let depth = min(middle, MOST_DEPTH * globals.radius);
    return 1.0 / (1.0 + clamp(0.25 * depth * curvature, -0.45, 0.5) * is_surface);
}
