// Stretches a texture over the viewport, with linear interpolation.

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var source_sampler: sampler;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    // One triangle that covers the viewport.
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    var out: Varyings;
    out.position = vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
    out.place = vec2f(corner.x, 1.0 - corner.y);
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    return textureSampleLevel(source, source_sampler, in.place, 0.0);
}
