// Thickness of the fluid along the view, added up over the particles: optical depth of the three channels, and length in m. Fluid
// behind a solid is left out. Half the resolution of the picture.

// Light from behind the fluid, and its distance along the view in the last channel.
@group(0) @binding(3) var behind: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Splat {
    return splat(index, water.splat_radius);
}

@fragment
fn fragment(in: Splat) -> @location(0) vec4f {
    let square = dot(in.across, in.across);
    let place = min(vec2u(2.0 * in.position.xy), textureDimensions(behind) - 1u);
    if square >= 1.0 || in.shape.z > textureLoad(behind, place, 0).a {
        discard;
    }
    let length = in.shape.w * sqrt(1.0 - square);
    return vec4f(extinction(in.color), 1.0) * length;
}
