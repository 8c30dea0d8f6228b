// Narrow-range filter of the distances (Truong and Yuksel, "A Narrow-Range Filter for Screen-Space Fluid Rendering", 2018). A
// neighbour counts as it is if its distance is within a range of the pixel's; one that is farther away is another surface and is
// left out together with its mirror image, so that edges are not pulled inward; one that is nearer counts as just in front of the
// pixel. The range follows the surface from tap to tap, so that surfaces seen at a grazing angle are filtered too.
//
// Steps 0 and 1 filter along rows and along columns; step 2 cleans up what that leaves, with a small square. Step 3, before them, moves what
// touches a wall between fluid and eye into the plane of the wall. Its distances become negative: no filter changes them, and the surface
// beside them ends at the wall with an edge, as water in a glass does.

@group(0) @binding(2) var source: texture_2d<f32>;

const MOST = 48.0;
const CLEAN_REACH = 2;

struct Range {
    low: f32,
    high: f32,
}

// Distance at `place`; 0 outside the picture, as where there is no fluid.
fn distance_at(place: vec2i) -> f32 {
    if any(place < vec2i(0)) || any(place >= vec2i(textureDimensions(source))) {
        return 0.0;
    }
    return textureLoad(source, place, 0).r;
}

fn is_beyond(distance: f32, range: Range) -> bool {
    return distance <= 0.0 || distance > range.high;
}

fn followed(distance: f32, range: Range) -> Range {
    if distance < range.low {
        return range;
    }
    return Range(min(range.low, distance - water.filter_range), max(range.high, distance + water.filter_range));
}

fn counted(distance: f32, middle: f32, range: Range) -> f32 {
    return select(distance, middle - water.filter_near, distance < range.low);
}

@fragment
fn fragment(in: Screen) -> @location(0) f32 {
    let place = vec2i(in.position.xy);
    let middle = textureLoad(source, place, 0).r;
    if middle <= 0.0 {
        return middle;
    }
    if in.step == 3u {
        return at_wall(in.ndc, middle);
    }
    let start = Range(middle - water.filter_range, middle + water.filter_range);
    if in.step == 2u {
        return clean(place, middle, start);
    }
    let along = select(vec2i(1, 0), vec2i(0, 1), in.step == 1u);
    let reach = min(globals.pixels * water.filter_radius / middle, MOST);
    let rate = 3.0 / (reach * reach);
    var ranges = array<Range, 2>(start, start);
    var sum = middle;
    var weights = 1.0;
    for (var offset = 1; f32(offset) <= reach; offset++) {
        let first = distance_at(place + offset * along);
        let second = distance_at(place - offset * along);
        if is_beyond(first, ranges[0]) || is_beyond(second, ranges[1]) {
            continue;
        }
        let weight = exp(-rate * f32(offset * offset));
        sum += weight * (counted(first, middle, ranges[0]) + counted(second, middle, ranges[1]));
        weights += 2.0 * weight;
        ranges[0] = followed(first, ranges[0]);
        ranges[1] = followed(second, ranges[1]);
    }
    return sum / weights;
}

// Distance of the wall that fluid at `distance` touches, negative; `distance` if it touches none.
fn at_wall(ndc: vec2f, distance: f32) -> f32 {
    let side = ndc * globals.slopes;
    let ray = globals.forward + side.x * globals.right + side.y * globals.up;
    let place = globals.eye + distance * ray;
    if water.round_radius > 0.0 {
        return at_round_wall(ray, place, distance);
    }
    // The sides that are seen from outside, and where the ray enters through their planes.
    let is_low = globals.eye < water.low;
    let faces = (is_low | (globals.eye > water.high)) & vec3<bool>(true, false, true);
    let plane = select(water.high, water.low, is_low);
    let touches = faces & (abs(place - plane) < vec3f(water.wall_reach));
    let entry = select(vec3f(0.0), (plane - globals.eye) / ray, touches);
    let nearest = max(entry.x, entry.z);
    // No farther to the side than the wall reaches.
    let at = globals.eye + nearest * ray;
    let slack = vec3f(0.25 * water.wall_reach);
    let inside = all((at > water.low - slack).xz) && all((at < water.high + slack).xz);
    return select(distance, -nearest, nearest > 0.0 && inside);
}

// The same for the wall of an upright round tank.
fn at_round_wall(ray: vec3f, place: vec3f, distance: f32) -> f32 {
    let outward = place.xz - tank_middle();
    let eye = globals.eye.xz - tank_middle();
    let touches = abs(length(outward) - water.round_radius) < water.wall_reach;
    // Where the ray enters: the first root of |eye + t ray| = radius.
    let a = dot(ray.xz, ray.xz);
    let b = dot(eye, ray.xz);
    let c = dot(eye, eye) - water.round_radius * water.round_radius;
    let root = b * b - a * c;
    if !touches || dot(outward, eye - outward) <= 0.0 || c <= 0.0 || root <= 0.0 {
        return distance;
    }
    let entry = (-b - sqrt(root)) / a;
    // A ray that grazes the wall enters it far above the surface that it meets.
    let is_near = globals.eye.y + entry * ray.y < place.y + water.wall_reach;
    return select(distance, -entry, entry > 0.0 && is_near);
}

fn clean(place: vec2i, middle: f32, range: Range) -> f32 {
    var sum = middle;
    var weights = 1.0;
    for (var y = 0; y <= CLEAN_REACH; y++) {
        for (var x = select(-CLEAN_REACH, 1, y == 0); x <= CLEAN_REACH; x++) {
            let offset = vec2i(x, y);
            let first = distance_at(place + offset);
            let second = distance_at(place - offset);
            if is_beyond(first, range) || is_beyond(second, range) {
                continue;
            }
            let weight = exp(-0.4 * f32(x * x + y * y));
            sum += weight * (counted(first, middle, range) + counted(second, middle, range));
            weights += 2.0 * weight;
        }
    }
    return sum / weights;
}
