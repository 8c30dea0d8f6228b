// One triangle that covers the target, for passes over all pixels.

struct Screen {
    @builtin(position) position: vec4f,
    @location(0) ndc: vec2f,
    // Number of the step, for passes that are made several times: the first instance of the draw.
    @location(1) @interpolate(flat) step: u32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) step: u32) -> Screen {
    let ndc = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    return Screen(vec4f(ndc, 0.0, 1.0), ndc, step);
}
