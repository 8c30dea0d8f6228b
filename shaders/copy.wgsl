// Blends a texture over the target, one texel a pixel: the viewport has the size of the texture.

@group(0) @binding(0) var source: texture_2d<f32>;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) texel: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    // One triangle that covers the viewport.
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    var out: Varyings;
    out.position = vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
    out.texel = vec2f(corner.x, 1.0 - corner.y) * vec2f(textureDimensions(source));
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    return textureLoad(source, vec2i(in.texel), 0);
}
