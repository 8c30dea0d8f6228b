// A particle is a triangle that just covers its sphere's outline; each fragment finds where its ray meets the sphere, so that depth
// is a sphere's, and spheres that intersect do so where they should. Drawn from far to near: the soft edges blend.
//
// Software drivers shade every fragment of every sphere, so the fragment stage reads no uniform and does little. For a sphere of
// radius r at distance d, take the plane through its centre that faces the eye. The rays that touch the sphere cut it in a circle
// of radius o = d r / sqrt(d² − r²). A ray through the plane at √s of that radius meets the sphere at the fraction
//     t = (1 − ε z) / (1 + κ s),  z = sqrt(1 − s),  ε = r / d,  κ = r² / (d² − r²)
// of its way to the plane: the quadratic equation's root, simplified. Depth in the buffer is inversely proportional to distance
// along the view, so that it is the plane's depth over t.

@group(0) @binding(1) var colors: texture_2d<f32>;
// Position (three floats), then value (16 bits), light (8 bits) and tint (8 bits): 0 by its value, 1 faint, 2 and more by palette.
@group(0) @binding(2) var<storage, read> particles: array<vec4u>;

struct Varyings {
    @builtin(position) position: vec4f,
    // Across the triangle, right and up; the outline is the unit circle.
    @location(0) across: vec2f,
    // Squared colour, and how much of the sky the particle sees.
    @location(1) @interpolate(flat) color: vec4f,
    // ε, κ, half the outline's radius in pixels, and how much haze lies before it.
    @location(2) @interpolate(flat) shape: vec4f,
    // World's up in the axes right, up, to the eye.
    @location(3) @interpolate(flat) sky: vec2f,
}

// The texels: without a value, the map, faint, the palette.
const COLORS = 256u;
const FAINT = 1u;
// Radius of a faint particle as a share of the others', how much haze lies before it, and by how much its depth is less: whatever is
// not faint is seen through the faint ones before it.
const FAINT_SIZE = 0.26;
const FAINT_HAZE = 0.35;
const FAINT_DEPTH = 1e-4;

// Corners of the triangle around the unit circle.
const CORNERS = array<vec2f, 3>(vec2f(-1.7320508, -1.0), vec2f(1.7320508, -1.0), vec2f(0.0, 2.0));

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let particle = particles[index / 3u];
    let value = unpack2x16unorm(particle.w).x;
    let light = f32((particle.w >> 16u) & 255u) / 255.0;
    let tint = particle.w >> 24u;
    let radius = globals.radius * select(1.0, FAINT_SIZE, tint == FAINT);
    var corners = CORNERS;
    let corner = corners[index % 3u];
    let center = bitcast<vec3f>(particle.xyz) - globals.eye;
    let square = dot(center, center);
    let beyond = square - radius * radius;
    let depth = dot(center, globals.forward);
    var out: Varyings;
    if !(beyond > 0.0 && depth > globals.near) {
        // The eye is inside the sphere, or the sphere behind it: a triangle without extent.
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    // The cone of rays that touch the sphere cuts the plane through its centre in a circle of this radius.
    let outline = radius * sqrt(square / beyond);
    let pixels = outline * globals.pixels * inverseSqrt(square);
    let axis = center * inverseSqrt(square);
    let side = normalize(globals.right - axis * dot(axis, globals.right));
    let upward = cross(side, axis);
    // Half a pixel more on every side for the soft edge.
    let across = corner * (1.0 + 0.5 / max(pixels, 0.05));
    let place = center + outline * (across.x * side + across.y * upward);

    let by_value = select(0u, 1u + u32(value * f32(COLORS - 1u)), value > 0.0);
    let texel = select(by_value, COLORS + tint, tint > 0u);
    let ratio = radius * radius / square;
    out.position = globals.clip_from_world * vec4f(globals.eye + place, 1.0);
    out.position.z *= select(1.0, FAINT_DEPTH, tint == FAINT);
    out.across = across;
    out.color = vec4f(decode(textureLoad(colors, vec2u(texel, 0u), 0).rgb), light);
    let haze = clamp((depth - globals.haze_start) * globals.haze_rate, 0.0, 1.0);
    out.shape = vec4f(sqrt(ratio), ratio / (1.0 - ratio), 0.5 * pixels, 0.25 * haze + select(0.0, FAINT_HAZE, tint == FAINT));
    out.sky = vec2f(globals.up.y, -globals.forward.y);
    return out;
}

struct Fragment {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(in: Varyings) -> Fragment {
    let square = dot(in.across, in.across);
    // Near the outline 1 − √s is half of 1 − s.
    let cover = (1.0 - square) * in.shape.z + 0.5;
    if cover <= 0.0 {
        discard;
    }
    let facing = sqrt(max(1.0 - square, 0.0));
    // In the axes right, up, to the eye: exact for a distant sphere, and never wrong by more than its own size in the view.
    let normal = vec3f(in.across, facing);

    let open = in.color.a;
    let key = max(0.8 * dot(normal, KEY) + 0.2, 0.0) * (0.42 + 0.58 * open);
    let height = dot(normal.yz, in.sky);
    let ambient = (AMBIENT + height * AMBIENT_SLOPE) * (0.40 + 0.60 * open);
    // Neighbours shade each other near the outline.
    let crevice = 0.60 + 0.40 * facing;
    var gloss = max(dot(normal, HALF_WAY), 0.0);
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    let light = in.color.rgb * (ambient + KEY_COLOR * key) * crevice + GLOSS_COLOR * (gloss * (0.2 + 0.8 * open));

    let color = mix(encode(light), BACKDROP_HORIZON, in.shape.w);
    // Where the sphere covers only part of a pixel, one that intersects it and is drawn later covers it wholly: let it win.
    let solid = min(cover, 1.0);
    let depth = in.position.z * (1.0 + in.shape.y * square) / (1.0 - in.shape.x * (facing + solid - 1.0));
    return Fragment(vec4f(color, solid), depth);
}
