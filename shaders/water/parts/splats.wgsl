// Fluid particles as discs that face the eye, one triangle each.

// Position (three floats), then the sRGB-encoded colour of the fluid in four bytes.
@group(0) @binding(2) var<storage, read> particles: array<vec4u>;

struct Splat {
    @builtin(position) position: vec4f,
    // Coordinates on the triangle, right and up; the outline of the sphere is the unit circle.
    @location(0) across: vec2f,
    // sRGB-encoded colour.
    @location(1) @interpolate(flat) color: vec3f,
    // ε, κ of shaders/particles.wgsl, and the distance of the centre along the view.
    @location(2) @interpolate(flat) shape: vec3f,
}

const CORNERS = array<vec2f, 3>(vec2f(-1.7320508, -1.0), vec2f(1.7320508, -1.0), vec2f(0.0, 2.0));

// Shift of a sphere that touches a side or the floor of the tank, so that it ends there: spheres are larger than their particles.
fn from_walls(position: vec3f, radius: f32) -> vec3f {
    let most = vec3f(radius - globals.radius);
    let from_low = clamp(water.low + radius - position, vec3f(0.0), most);
    let from_high = clamp(position + radius - water.high, vec3f(0.0), most);
    // What rises above the tank is not held back.
    return from_low - vec3f(from_high.x, 0.0, from_high.z);
}

fn splat(index: u32, radius: f32) -> Splat {
    let particle = particles[index / 3u];
    var corners = CORNERS;
    let across = corners[index % 3u];
    let position = bitcast<vec3f>(particle.xyz);
    let center = position + from_walls(position, radius) - globals.eye;
    let square = dot(center, center);
    let beyond = square - radius * radius;
    let depth = dot(center, globals.forward);
    var out: Splat;
    if !(beyond > 0.0 && depth > globals.near + radius) {
        // The camera is inside the sphere, or the sphere is behind the camera: a degenerate triangle.
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    // The plane through the centre normal to the line of sight, in which the tangent rays of the sphere cut a circle.
    let outline = radius * sqrt(square / beyond);
    let axis = center * inverseSqrt(square);
    let side = normalize(globals.right - axis * dot(axis, globals.right));
    let upward = cross(side, axis);
    let place = globals.eye + center + outline * (across.x * side + across.y * upward);
    let ratio = radius * radius / square;
    out.position = globals.clip_from_world * vec4f(place, 1.0);
    out.across = across;
    out.color = unpack4x8unorm(particle.w).rgb;
    out.shape = vec3f(sqrt(ratio), ratio / (1.0 - ratio), depth);
    return out;
}
