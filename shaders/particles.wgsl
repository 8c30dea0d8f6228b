// Sphere impostors: a particle is a triangle around the outline of its sphere; each fragment intersects its ray with the sphere
// and writes the sphere's depth, so that spheres intersect correctly. Drawn from far to near: the antialiased edges blend.
//
// Software drivers shade every fragment of every sphere, so the fragment stage reads no uniforms and does little. For a sphere
// of radius r at distance d, take the plane through its centre normal to the line of sight. The tangent rays of the sphere cut
// it in a circle of radius o = d r / sqrt(d² − r²). A ray through the plane at √s of that radius meets the sphere at the
// fraction
//     t = (1 − ε z) / (1 + κ s),  z = sqrt(1 − s),  ε = r / d,  κ = r² / (d² − r²)
// of its length to the plane: the simplified root of the quadratic equation. Depth in the buffer is inversely proportional to
// distance along the view, so the sphere's depth is the plane's depth over t.

@group(0) @binding(1) var colors: texture_2d<f32>;
// Position (three floats), then value (16 bits), light (8 bits) and tint (8 bits): 0 coloured by value, 1 faint, 2 + i colour i
// of the palette, 18 + i that colour on a small sphere.
@group(0) @binding(2) var<storage, read> particles: array<vec4u>;

struct Varyings {
    @builtin(position) position: vec4f,
    // Coordinates on the triangle, right and up; the outline is the unit circle.
    @location(0) across: vec2f,
    // Decoded colour, and ambient light of the particle, 0 to 1.
    @location(1) @interpolate(flat) color: vec4f,
    // ε, κ, half the radius of the outline in pixels, and weight of the haze.
    @location(2) @interpolate(flat) shape: vec4f,
    // Components of the world's up along the camera's up and towards the viewer, and strength of the ink.
    @location(3) @interpolate(flat) sky: vec3f,
    // Share of the relief that is shaded, 1 for all.
    @location(4) @interpolate(flat) relief: f32,
}

// Size of the colour map. Texels in order: no value, colour map, faint, palette.
const COLORS = 256u;
const FAINT = 1u;
// Tints from here on are those of small particles: number of the first, and radius relative to the others.
const SMALL = 18u;
const SMALL_SIZE = 0.45;
// Faint particles: radius relative to the others, weight of the haze, and factor of depth, which puts them behind all others.
const FAINT_SIZE = 0.26;
const FAINT_HAZE = 0.35;
const FAINT_DEPTH = 1e-4;
// Widening of the smallest spheres.
const WIDENING = 0.32;

// Corners of the triangle around the unit circle.
const CORNERS = array<vec2f, 3>(vec2f(-1.7320508, -1.0), vec2f(1.7320508, -1.0), vec2f(0.0, 2.0));

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let particle = particles[index / 3u];
    let value = unpack2x16unorm(particle.w).x;
    let light = f32((particle.w >> 16u) & 255u) / 255.0;
    let tint = particle.w >> 24u;
    let is_small = tint >= SMALL;
    let size = globals.radius * select(select(1.0, SMALL_SIZE, is_small), FAINT_SIZE, tint == FAINT);
    var corners = CORNERS;
    let corner = corners[index % 3u];
    let center = bitcast<vec3f>(particle.xyz) - globals.eye;
    let square = dot(center, center);
    // Spheres of few pixels that are seen along z, as in two dimensions, are flatter and wider: their shades and the gaps between them would beat
    // with the pixels, and a lattice of them would look woven.
    let level = smoothstep(0.99, 0.999, abs(globals.forward.z));
    let relief = mix(1.0, clamp(0.6 * size * globals.pixels * inverseSqrt(square) - 0.8, 0.15, 1.0), level);
    let radius = size * (1.0 + WIDENING * (1.0 - relief));
    let beyond = square - radius * radius;
    let depth = dot(center, globals.forward);
    var out: Varyings;
    if !(beyond > 0.0 && depth > globals.near) {
        // The camera is inside the sphere, or the sphere is behind the camera: a degenerate triangle.
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    // Radius of the circle in which the cone of tangent rays cuts the plane through the centre.
    let outline = radius * sqrt(square / beyond);
    let pixels = outline * globals.pixels * inverseSqrt(square);
    let axis = center * inverseSqrt(square);
    let side = normalize(globals.right - axis * dot(axis, globals.right));
    let upward = cross(side, axis);
    // Half a pixel more on every side for the antialiased edge.
    let across = corner * (1.0 + 0.5 / max(pixels, 0.05));
    let place = center + outline * (across.x * side + across.y * upward);

    let by_value = select(0u, 1u + u32(value * f32(COLORS - 1u)), value > 0.0);
    let texel = select(by_value, COLORS + select(tint, tint - SMALL + 2u, is_small), tint > 0u);
    let ratio = radius * radius / square;
    out.position = globals.clip_from_world * vec4f(globals.eye + place, 1.0);
    out.position.z *= select(1.0, FAINT_DEPTH, tint == FAINT);
    out.across = across;
    out.color = vec4f(decode(textureLoad(colors, vec2u(texel, 0u), 0).rgb), light);
    let haze = clamp((depth - globals.haze_start) * globals.haze_rate, 0.0, 1.0);
    out.shape = vec4f(sqrt(ratio), ratio / (1.0 - ratio), 0.5 * pixels, 0.25 * haze + select(0.0, FAINT_HAZE, tint == FAINT));
    out.relief = relief;
    out.sky = vec3f(globals.up.y, -globals.forward.y, ink(out.color.rgb, globals.room, light));
    return out;
}

struct Fragment {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(in: Varyings) -> Fragment {
    let square = dot(in.across, in.across);
    // Near the outline, 1 − √s ≈ (1 − s) / 2.
    let cover = (1.0 - square) * in.shape.z + 0.5;
    if cover <= 0.0 {
        discard;
    }
    let facing = sqrt(max(1.0 - square, 0.0));
    // Normal in the camera's axes (right, up, towards the viewer): exact for a distant sphere; the angular error is at most the
    // angular size of the sphere.
    let relief = in.relief;
    let normal = vec3f(relief * in.across, mix(1.0, facing, relief));

    let open = in.color.a;
    let key = max(0.8 * dot(normal, KEY) + 0.2, 0.0) * (0.42 + 0.58 * open);
    let height = dot(normal.yz, in.sky.xy);
    let ambient = (AMBIENT + height * AMBIENT_SLOPE) * (0.40 + 0.60 * open);
    // Ambient occlusion by neighbouring particles, near the outline.
    let crevice = 0.60 + 0.40 * normal.z;
    var gloss = max(dot(normal, HALF_WAY), 0.0);
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    let light = in.color.rgb * (ambient + KEY_COLOR * key) * crevice + GLOSS_COLOR * (gloss * (0.2 + 0.8 * open));

    // Near the outline, half the radius in pixels times 1 − s is the distance to it.
    let inked = light * inside_ink((1.0 - square) * in.shape.z, 2.0 * in.shape.z, in.sky.z);

    let color = mix(encode(inked), BACKDROP_HORIZON, in.shape.w);
    // In pixels that the sphere covers only in part, shift its depth back, so that an intersecting sphere drawn later passes
    // the test.
    let solid = min(cover, 1.0);
    let depth = in.position.z * (1.0 + in.shape.y * square) / (1.0 - in.shape.x * (facing + solid - 1.0));
    return Fragment(vec4f(color, solid), depth);
}
