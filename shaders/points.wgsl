// Particles as flat discs of a few pixels, the cheapest look. The particles and their colours are those of particles.wgsl.

@group(0) @binding(1) var colors: texture_2d<f32>;
@group(0) @binding(2) var<storage, read> particles: array<vec4u>;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) across: vec2f,
    @location(1) @interpolate(flat) color: vec3f,
    // Radius, pixels, and strength of the ink.
    @location(2) @interpolate(flat) pixels_ink: vec2f,
}

// Size of the colour map. Texels in order: no value, colour map, faint, palette.
const COLORS = 256u;
const FAINT = 1u;
// Faint points are drawn behind all others.
const FAINT_DEPTH = 1e-4;
// Radius of a point, particle radii, and its limits, pixels.
const SIZE = 0.45;
const LEAST = 1.2;
const MOST = 4.0;

const CORNERS = array<vec2f, 3>(vec2f(-1.7320508, -1.0), vec2f(1.7320508, -1.0), vec2f(0.0, 2.0));

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let particle = particles[index / 3u];
    let value = unpack2x16unorm(particle.w).x;
    let tint = particle.w >> 24u;
    let position = bitcast<vec3f>(particle.xyz);
    let depth = dot(position - globals.eye, globals.forward);
    var out: Varyings;
    if depth <= globals.near {
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    var corners = CORNERS;
    let pixels = clamp(SIZE * globals.radius * globals.pixels / depth, LEAST, MOST);
    // Half a pixel more on every side for the antialiased edge.
    out.across = corners[index % 3u] * (pixels + 0.5);
    out.position = globals.clip_from_world * vec4f(position, 1.0);
    out.position += vec4f(2.0 * out.across / globals.viewport * out.position.w, 0.0, 0.0);
    out.position.z *= select(1.0, FAINT_DEPTH, tint == FAINT);
    let by_value = select(0u, 1u + u32(value * f32(COLORS - 1u)), value > 0.0);
    let texel = select(by_value, COLORS + tint, tint > 0u);
    let haze = clamp((depth - globals.haze_start) * globals.haze_rate, 0.0, 1.0);
    let color = textureLoad(colors, vec2u(texel, 0u), 0).rgb;
    out.color = mix(color, BACKDROP_HORIZON, 0.45 * haze);
    let open = f32((particle.w >> 16u) & 255u) / 255.0;
    out.pixels_ink = vec2f(pixels, ink(decode(color), globals.room, open));
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let cover = in.pixels_ink.x + 0.5 - length(in.across);
    if cover <= 0.0 {
        discard;
    }
    let light = decode(in.color) * inside_ink(cover - 0.5, in.pixels_ink.x, in.pixels_ink.y);
    return vec4f(encode(light), min(cover, 1.0));
}
