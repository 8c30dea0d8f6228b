// Optical depth of the fluid between the sun and the floor, added up over the particles on a map of the floor.

@group(0) @binding(2) var<storage, read> particles: array<vec4u>;

struct Varyings {
    @builtin(position) position: vec4f,
    // From the shadow of the centre, m.
    @location(0) across: vec2f,
    @location(1) @interpolate(flat) extinction: vec3f,
}

const CORNERS = array<vec2f, 3>(vec2f(-1.7320508, -1.0), vec2f(1.7320508, -1.0), vec2f(0.0, 2.0));

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let particle = particles[index / 3u];
    var corners = CORNERS;
    // The shadow of a sphere is an ellipse, at most this long.
    let across = corners[index % 3u] * water.splat_radius / water.sun.y;
    return Varyings(
        on_map(shadow_of(bitcast<vec3f>(particle.xyz)) + across),
        across,
        extinction(unpack4x8unorm(particle.w).rgb),
    );
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let offset = vec3f(in.across.x, 0.0, in.across.y);
    let along = dot(offset, water.sun);
    // Square of the distance of the sun's ray from the centre.
    let square = (dot(offset, offset) - along * along) / (water.splat_radius * water.splat_radius);
    if square >= 1.0 {
        discard;
    }
    let length = 2.0 * water.splat_radius * sqrt(1.0 - square) * water.splat_share;
    return vec4f(in.extinction * length, length);
}
