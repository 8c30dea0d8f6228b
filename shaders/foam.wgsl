// Foam, spray and bubbles: soft white discs that face the camera, blended over the particles in any order, since all have one
// colour.

@group(0) @binding(1) var<storage, read> foam: array<vec4u>;

struct Varyings {
    @builtin(position) position: vec4f,
    // Coordinates on the triangle, right and up; the rim of the disc is the unit circle.
    @location(0) across: vec2f,
    // Opacity in the middle, and weight of the haze.
    @location(1) @interpolate(flat) look: vec2f,
}

const WHITE = vec3f(0.94, 0.97, 1.0);
// Least radius of a disc, pixels; smaller ones become fainter instead.
const LEAST_PIXELS = 1.0;
// Radii between which discs grow and pale, pixels, up to so many times their radius: close by they merge into a veil, where small ones would
// stand as single dots.
const VEIL = vec2f(1.5, 8.0);
const VEIL_GROWTH = 1.7;
// Share of the opacity far away, where the discs of many particles share each pixel and would bury what they lie on; and the radius from
// which on there is all of it, pixels.
const FAR_SHARE = 0.4;
const FAR_PIXELS = 2.0;
// Distance by which the discs are drawn nearer than they are, in radii of the fluid's particles: foam lies between the particles of
// the surface, and the spheres around these would hide it.
const LIFT = 1.5;

// Corners of the triangle around the unit circle.
const CORNERS = array<vec2f, 3>(vec2f(-1.7320508, -1.0), vec2f(1.7320508, -1.0), vec2f(0.0, 2.0));

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let particle = foam[index / 3u];
    let center = bitcast<vec3f>(particle.xyz);
    // Radius relative to the fluid's particles, and opacity.
    let look = unpack4x8unorm(particle.w).xy;
    let depth = dot(center - globals.eye, globals.forward);
    var out: Varyings;
    if depth <= globals.near {
        // Behind the camera: a degenerate triangle.
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    let radius = look.x * globals.radius;
    let pixels = radius * globals.pixels / depth;
    let growth = mix(1.0, VEIL_GROWTH, smoothstep(VEIL.x, VEIL.y, pixels));
    let shown = max(growth * pixels, LEAST_PIXELS);
    var corners = CORNERS;
    let corner = corners[index % 3u];
    let place = center + (shown / pixels) * radius * (corner.x * globals.right + corner.y * globals.up);
    out.position = globals.clip_from_world * vec4f(place, 1.0);
    // Depth in the buffer is inversely proportional to the distance along the view.
    out.position.z *= depth / max(depth - LIFT * globals.radius, globals.near);
    out.across = corner;
    let haze = clamp((depth - globals.haze_start) * globals.haze_rate, 0.0, 1.0);
    let ratio = pixels / max(pixels, LEAST_PIXELS);
    let share = mix(FAR_SHARE, 1.0, smoothstep(0.0, FAR_PIXELS, pixels));
    // Less pale than its area would have it: single discs stay visible.
    out.look = vec2f(look.y * share * ratio * ratio * pow(growth, -1.6), 0.25 * haze);
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    // Falls off to nothing without a rim.
    let inside = max(1.0 - dot(in.across, in.across), 0.0);
    return vec4f(mix(WHITE, BACKDROP_HORIZON, in.look.y), in.look.x * inside * inside);
}
