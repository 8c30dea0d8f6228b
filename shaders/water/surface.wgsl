// Nearest surface of the fluid's ellipsoids: distance along the view (0 where there is no fluid), and the colour of the fluid.

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Splat {
    return splat(index, water.radius);
}

struct Fragment {
    @location(0) distance: f32,
    @location(1) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(in: Splat) -> Fragment {
    let square = dot(in.across, in.across);
    if square >= 1.0 {
        discard;
    }
    // Share of the ray to the plane at which it meets the ellipsoid; see shaders/particles.wgsl.
    let share = (1.0 - in.shape.x * sqrt(1.0 - square)) / (1.0 + in.shape.y * square);
    let depth = in.position.z / share;
    return Fragment(globals.near / depth, vec4f(in.color, 1.0), depth);
}
