// Fluid particles as discs, one triangle each.
//
// In the space in which its ellipsoid is the unit sphere, a particle is what shaders/particles.wgsl makes of it: tangents, rays and shares of
// them are the same there.

struct Splat {
    @builtin(position) position: vec4f,
    // Coordinates on the triangle; the outline of the ellipsoid is the unit circle.
    @location(0) across: vec2f,
    // sRGB-encoded colour.
    @location(1) @interpolate(flat) color: vec3f,
    // ε, κ of shaders/particles.wgsl, the distance of the centre along the view, and the chord through the centre, thinned out so that the
    // ellipsoid holds the volume of the particle.
    @location(2) @interpolate(flat) shape: vec4f,
}

// Shift of an ellipsoid of the half extents `reach` that touches a side or the floor of the tank, so that it ends there: ellipsoids may be
// larger than their particles.
fn from_walls(position: vec3f, reach: vec3f) -> vec3f {
    let most = max(reach - globals.radius, vec3f(0.0));
    let from_low = clamp(water.low + reach - position, vec3f(0.0), most);
    let from_high = clamp(position + reach - water.high, vec3f(0.0), most);
    // What rises above the tank is not held back.
    return from_low - vec3f(from_high.x, 0.0, from_high.z);
}

// Corner `index` of all triangles, for ellipsoids made of spheres of `radius`.
fn splat(index: u32, radius: f32) -> Splat {
    let particle = particles[index / 3u];
    let shape = ellipsoid_of(particle);
    var corners = CORNERS;
    let across = corners[index % 3u];
    let reach = radius * vec3f(length(shape.axes[0]), length(shape.axes[1]), length(shape.axes[2]));
    let center = particle.center + from_walls(particle.center, reach) - globals.eye;
    let sight = shape.inverse * center / radius;
    let square = dot(sight, sight);
    let beyond = square - 1.0;
    let depth = dot(center, globals.forward);
    var out: Splat;
    if !(beyond > 0.0 && depth > globals.near + radius * length(shape.axes * globals.forward)) {
        // The camera is inside the ellipsoid, or the ellipsoid is behind the camera: a degenerate triangle.
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    // The plane through the centre normal to the line of sight, in which the tangent rays cut a circle.
    let disc = radius * sqrt(square / beyond) * across_axis(sight * inverseSqrt(square)) * across;
    out.position = globals.clip_from_world * vec4f(globals.eye + center + shape.axes * disc, 1.0);
    out.across = across;
    out.color = unpack4x8unorm(particle.color).rgb;
    let ratio = 1.0 / square;
    let chord = 2.0 * length(center) * sqrt(ratio) * water.splat_share * shape.inverse_volume;
    out.shape = vec4f(sqrt(ratio), 1.0 / beyond, depth, chord);
    return out;
}
