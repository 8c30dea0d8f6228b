// Optical depth of the fluid between the sun and the floor, added up over the particles on a map of the floor. The particles are wide and have
// soft rims, so that the lattice of a fluid at rest is no pattern on the floor.

struct Varyings {
    @builtin(position) position: vec4f,
    // Coordinates on the triangle; the outline of the shadow is the unit circle.
    @location(0) across: vec2f,
    @location(1) @interpolate(flat) extinction: vec3f,
    // Depth in the middle, thinned out so that the shadow holds the volume of the particle.
    @location(2) @interpolate(flat) chord: f32,
}

// Radius of a shadow over that of the sphere over which volume is spread.
const SPREAD = 2.2;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let particle = particles[index / 3u];
    let shape = ellipsoid_of(particle);
    var corners = CORNERS;
    let across = corners[index % 3u];
    // Where the ellipsoid is the unit sphere, its outline is a circle across the ray.
    let ray = shape.inverse * water.sun;
    let rate = inverseSqrt(dot(ray, ray));
    let disc = SPREAD * water.splat_radius * across_axis(ray * rate) * across;
    return Varyings(
        on_map(shadow_of(particle.center + shape.axes * disc)),
        across,
        extinction(unpack4x8unorm(particle.color).rgb),
        // The profile (1 − s)² has half the volume of the sphere's √(1 − s).
        4.0 * water.splat_radius * rate * water.splat_share * shape.inverse_volume / (SPREAD * SPREAD),
    );
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let square = dot(in.across, in.across);
    if square >= 1.0 {
        discard;
    }
    let length = in.chord * (1.0 - square) * (1.0 - square);
    return vec4f(in.extinction * length, length);
}
