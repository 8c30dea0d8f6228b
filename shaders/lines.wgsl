// Straight antialiased lines of constant width on the screen: one quad per line, clipped at the near plane.

struct Varyings {
    @builtin(position) position: vec4f,
    // Distance from the line's axis, pixels, times w: the fragment divides by w, for linear interpolation in screen space (GL
    // lacks `@interpolate(linear)`).
    @location(0) across_w: f32,
    @location(1) @interpolate(flat) width: f32,
    @location(2) @interpolate(flat) color: vec4f,
}

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) start_width: vec4f,
    @location(1) end: vec3f,
    @location(2) color: vec4f,
) -> Varyings {
    var a = globals.clip_from_world * vec4f(start_width.xyz, 1.0);
    var b = globals.clip_from_world * vec4f(end, 1.0);
    var out: Varyings;
    if max(a.w, b.w) <= globals.near {
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    if a.w < globals.near {
        a = mix(a, b, (globals.near - a.w) / (b.w - a.w));
    } else if b.w < globals.near {
        b = mix(b, a, (globals.near - b.w) / (a.w - b.w));
    }
    let half_size = 0.5 * globals.viewport;
    let delta = (b.xy / b.w - a.xy / a.w) * half_size;
    let size = length(delta);
    let direction = select(vec2f(1.0, 0.0), delta / size, size > 1e-4);
    let at = select(a, b, (index >> 1u) == 1u);
    let side = f32(index & 1u) * 2.0 - 1.0;
    let width = start_width.w;
    let across = side * (0.5 * width + 1.0);
    // Half the width beyond each end, so that lines meet in closed corners.
    let along = select(-0.5, 0.5, (index >> 1u) == 1u) * width;
    let offset = (across * vec2f(-direction.y, direction.x) + along * direction) / half_size;
    out.position = at + vec4f(offset * at.w, 0.0, 0.0);
    out.across_w = across * at.w;
    out.width = width;
    out.color = color;
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let cover = clamp(0.5 * in.width + 0.5 - abs(in.across_w * in.position.w), 0.0, 1.0);
    return vec4f(in.color.rgb, in.color.a * cover);
}
