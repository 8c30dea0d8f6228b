// Light that reaches the eye from the fluid and from what is behind it, tone-mapped and encoded.
//
// At the smoothed surface, with its normal: the share F reflected (Fresnel's equations), which shows the surroundings and the
// sun; the share 1 − F that comes through, refracted (Snell's law), which shows what is behind the fluid at the point where the
// ray leaves it, weakened by exp(−optical depth) in each channel (Beer and Lambert), plus light scattered inside. After van der
// Laan, Green and Sainz, "Screen space fluid rendering with curvature flow" (2009), and Sebastian Lague, "Fluid-Sim" (2025).

// Smoothed distance of the surface along the view, negative at walls, colour of the fluid, thickness, and light from behind.
@group(0) @binding(5) var surface: texture_2d<f32>;
@group(0) @binding(6) var colors: texture_2d<f32>;
@group(0) @binding(7) var thickness: texture_2d<f32>;
@group(0) @binding(8) var behind: texture_2d<f32>;

// Refractive index of water.
const INDEX = 1.333;
// Scattered light over light taken away.
const SCATTERED = 0.24;
// Distance where there is no fluid.
const NO_FLUID = 0.0;
// Radius of the disc that smooths outlines, particle radii and at most so many pixels, and the points that it is looked at.
const OUTLINE = 2.0;
const MOST_OUTLINE = 32.0;
const TAPS = 20;
// Cosine and sine of the golden angle.
const GOLDEN = vec2f(-0.7373688, 0.6754903);

fn place_at(pixel: vec2i, distance: f32) -> vec3f {
    let ndc = (vec2f(pixel) + 0.5) / globals.viewport * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
    let side = ndc * globals.slopes;
    return distance * (globals.forward + side.x * globals.right + side.y * globals.up);
}

fn distance_at(pixel: vec2i) -> f32 {
    return textureLoad(surface, clamp(pixel, vec2i(0), vec2i(globals.viewport) - 1), 0).r;
}

// Difference of places on both sides of a pixel, on the side where the surface is smoother.
fn slope(pixel: vec2i, along: vec2i, distance: f32, place: vec3f) -> vec3f {
    let after = distance_at(pixel + along);
    let before = distance_at(pixel - along);
    // Walls have slopes of their own.
    let use_after = before <= NO_FLUID || (after > NO_FLUID && abs(after - distance) < abs(before - distance));
    if use_after {
        return place_at(pixel + along, select(after, distance, after <= NO_FLUID)) - place;
    }
    return place - place_at(pixel - along, before);
}

// Share of unpolarised light that is reflected, for the cosine of the angle of incidence from outside.
fn fresnel(cosine: f32) -> f32 {
    let sine = 1.0 - cosine * cosine;
    let inside = sqrt(1.0 - sine / (INDEX * INDEX));
    let parallel = (INDEX * cosine - inside) / (INDEX * cosine + inside);
    let across = (cosine - INDEX * inside) / (cosine + INDEX * inside);
    return 0.5 * (parallel * parallel + across * across);
}

// Light from behind the fluid, where the refracted ray leaves it after `length`.
fn refracted_light(pixel: vec2f, place: vec3f, direction: vec3f, length: f32, distance: f32) -> vec3f {
    let exit = place + direction * length;
    let depth = dot(exit, globals.forward);
    let side = vec2f(dot(exit, globals.right), dot(exit, globals.up)) / (max(depth, globals.near) * globals.slopes);
    let uv = side * vec2f(0.5, -0.5) + 0.5;
    let straight = pixel / globals.viewport;
    if any(uv <= vec2f(0.0)) || any(uv >= vec2f(1.0)) {
        return surroundings(globals.eye + place, direction).rgb;
    }
    let seen = textureSampleLevel(behind, smooth_sampler, uv, 0.0);
    // A solid in front of the fluid is not behind it.
    let kept = select(straight, uv, seen.a > distance);
    return textureSampleLevel(behind, smooth_sampler, kept, 0.0).rgb;
}

// Normal of the wall whose plane `place` lies in.
fn wall_normal(place: vec3f) -> vec3f {
    if water.round_radius > 0.0 {
        return round_normal(place);
    }
    let outward = select(vec3f(1.0), vec3f(-1.0), globals.eye < water.low);
    let apart = abs(place - select(water.high, water.low, globals.eye < water.low));
    let faces = (globals.eye < water.low) | (globals.eye > water.high);
    let is_x = faces.x && (!faces.z || apart.x < apart.z);
    return select(vec3f(0.0, 0.0, outward.z), vec3f(outward.x, 0.0, 0.0), is_x);
}

// Normal of the wall of a round tank beside `place`.
fn round_normal(place: vec3f) -> vec3f {
    let outward = normalize(place.xz - tank_middle());
    return vec3f(outward.x, 0.0, outward.y);
}

// Normal beside the walls of the tank: that of the wall, as of glass; and how much it is that. Fluid that is seen through a wall touches
// it.
fn flattened(normal: vec3f, place: vec3f) -> vec4f {
    let range = 2.2 * globals.radius;
    if water.round_radius > 0.0 {
        let wall = round_normal(place);
        let apart = water.round_radius - length(place.xz - tank_middle());
        let share = smoothstep(0.35, 0.8, dot(normal, wall)) * (1.0 - smoothstep(0.4 * range, range, apart));
        return vec4f(normalize(mix(normal, wall, share)), share);
    }
    // How much the surface is that of the lower and of the upper wall of each axis.
    let low = smoothstep(vec3f(0.35), vec3f(0.8), -normal) * (1.0 - smoothstep(vec3f(0.4 * range), vec3f(range), place - water.low));
    let high = smoothstep(vec3f(0.35), vec3f(0.8), normal) * (1.0 - smoothstep(vec3f(0.4 * range), vec3f(range), water.high - place));
    // The floor's side is not seen, and nothing lies at the lid.
    let share = vec3f(low.x + high.x, 0.0, low.z + high.z);
    let wall = vec3f(high.x - low.x, 0.0, high.z - low.z);
    let most = clamp(max(share.x, share.z), 0.0, 1.0);
    return vec4f(normalize(mix(normal, wall, most)), most);
}

// Normal of the surface, and how much it is that of a wall.
fn surface_normal(at: vec2i, distance: f32, place: vec3f, sight: vec3f) -> vec4f {
    let rightward = slope(at, vec2i(1, 0), distance, place);
    let downward = slope(at, vec2i(0, 1), distance, place);
    var normal = normalize(cross(downward, rightward));
    if dot(normal, sight) > -0.02 {
        // Seen from behind, at the edge: bent until it is seen.
        normal = normalize(normal - (dot(normal, sight) + 0.02) * sight);
    }
    return flattened(normal, globals.eye + place);
}

// Light from fluid at this distance, negative at a wall.
fn shaded(pixel: vec2f, signed_distance: f32, around: f32) -> vec3f {
    let at = vec2i(pixel);
    let distance = abs(signed_distance);
    let place = place_at(at, distance);
    let sight = normalize(place);
    var flat = vec4f(wall_normal(globals.eye + place), 1.0);
    if signed_distance > NO_FLUID {
        flat = surface_normal(at, distance, place, sight);
    }
    let normal = flat.xyz;
    let color = linear_of(textureLoad(colors, at, 0).rgb);
    let measured = textureSampleLevel(thickness, smooth_sampler, pixel / globals.viewport, 0.0);
    // Where there is a surface there is a particle, also at an edge that the blur has thinned out. Beside a wall the refracted ray goes
    // on inside, where the straight one has left the fluid round a corner.
    let least = vec4f(extinction(textureLoad(colors, at, 0).rgb), 1.0) * mix(1.5, 8.0, flat.w) * globals.radius;
    let passed = max(measured, least);

    let inward = refract(sight, normal, 1.0 / INDEX);
    let through = refracted_light(pixel, place, inward, passed.a, distance);
    let transmitted = exp(-passed.rgb);
    let from_sun = sunlight_inside(globals.eye + place);
    let scattered = SCATTERED * color * (1.0 - transmitted) * (from_sun * water.sun.y + SKYLIGHT);

    let mirrored = reflect(sight, normal);
    let reflected = surroundings(globals.eye + place, mirrored).rgb;
    let toward = max(dot(mirrored, water.sun), 0.0);
    // Not at outlines, whose normals are those of single ellipsoids.
    let sparkle = smoothstep(0.7, 1.0, around) * (40.0 * pow(toward, 1500.0) + 2.0 * pow(toward, 160.0));
    let share = fresnel(clamp(-dot(sight, normal), 0.0, 1.0));
    return (1.0 - share) * (through * transmitted + scattered) + share * (reflected + sparkle * SUNLIGHT);
}

// Sunlight in the fluid at `place`: half of what the fluid takes on the whole way to the floor.
fn sunlight_inside(place: vec3f) -> vec3f {
    let shadow = place.xz - water.sun.xz * ((place.y - globals.floor_height) / water.sun.y);
    return SUNLIGHT * sqrt(sunlight(shadow) / SUNLIGHT);
}

fn has_fluid(pixel: vec2i) -> bool {
    return distance_at(pixel) != NO_FLUID;
}

// Share of a disc around a pixel on which there is fluid.
fn fluid_around(pixel: vec2i, distance: f32) -> f32 {
    let reach = min(OUTLINE * globals.radius * globals.pixels / abs(distance), MOST_OUTLINE);
    if reach < 1.0 {
        return 1.0;
    }
    // Away from outlines four points are enough.
    let near = vec2i(i32(0.7 * reach));
    let turned = vec2i(near.x, -near.y);
    if has_fluid(pixel + near) && has_fluid(pixel - near) && has_fluid(pixel + turned) && has_fluid(pixel - turned) {
        return 1.0;
    }
    var covered = 0.0;
    // Sunflower: even over the disc.
    var direction = vec2f(reach, 0.0);
    for (var tap = 0; tap < TAPS; tap++) {
        let offset = direction * sqrt((f32(tap) + 0.5) / f32(TAPS));
        covered += select(0.0, 1.0, has_fluid(pixel + vec2i(round(offset))));
        direction = direction.x * GOLDEN + direction.y * vec2f(-GOLDEN.y, GOLDEN.x);
    }
    return covered / f32(TAPS);
}

@fragment
fn fragment(in: Screen) -> @location(0) vec4f {
    let pixel = in.position.xy;
    let distance = textureLoad(surface, vec2i(pixel), 0).r;
    var light = textureLoad(behind, vec2i(pixel), 0).rgb;
    if distance != NO_FLUID {
        let around = fluid_around(vec2i(pixel), distance);
        // The outline of many ellipsoids becomes smooth, and single drops become smaller. A sheet that is seen from its edge, 0.6 spacings thick,
        // covers 0.37 of the disc.
        light = mix(light, shaded(pixel, distance, around), smoothstep(0.30, 0.50, around));
    }
    return vec4f(encoded(toned(light)), 1.0);
}
