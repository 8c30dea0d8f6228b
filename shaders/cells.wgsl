// Cells of the grid as boxes: the faces turned to the eye, six vertices each, from far to near. Each face has a border of even width
// on the screen; the blending is done here, so that a box is laid over the picture once.

struct Cell {
    // Lowest corner (three floats), then the faces' colour, eight bits a channel.
    low_fill: vec4u,
    // Highest corner, then the edges' colour.
    high_edge: vec4u,
}

@group(0) @binding(1) var<storage, read> cells: array<Cell>;

struct Varyings {
    @builtin(position) position: vec4f,
    // Place on the face, 0 to 1 along both of its sides, away from the eye.
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) fill: vec4f,
    @location(2) @interpolate(flat) edge: vec4f,
    // For the two sides of the face that are nearest to the eye: 1 where another face that is drawn begins, 0 at the outline.
    @location(3) @interpolate(flat) joined: vec2f,
}

// By how many radii of a particle faces are lifted towards the eye; render/draws/cells.rs has the same.
const LIFT = 1.02;
// The border's width, pixels.
const WIDTH = 1.3;
// From the outline to the middle of the border, pixels: its soft edge ends at the outline.
const INSET = 0.5 * WIDTH + 0.5;
// Faces shorter than the first get no border of their own, those longer than the second a full one, pixels.
const PLAIN = 4.0;
const BORDERED = 10.0;
// How much of a face without border is taken for border.
const BORDER_SHARE = 0.25;

// Which of a face's six vertices, two triangles, are at the far end along its sides: a bit each.
const FAR_U = 0x32u;
const FAR_V = 0x2cu;

// Without arrays and indices into vectors, for which software drivers go through memory.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let cell = cells[index / 18u];
    let low = bitcast<vec3f>(cell.low_fill.xyz);
    let high = bitcast<vec3f>(cell.high_edge.xyz);
    // The face's own axis, and those of its two sides.
    let axis = vec3u((index / 6u) % 3u) == vec3u(0u, 1u, 2u);
    let along_u = axis.zxy;
    let along_v = axis.yzx;
    let corner = (vec2u(FAR_U, FAR_V) >> vec2u(index % 6u)) & vec2u(1u);

    // Of the two faces across an axis none is turned to an eye between them.
    let above = globals.eye > high;
    let drawn = above | (globals.eye < low);
    let near_corner = select(low, high, above);
    let far_corner = select(high, low, above);
    var out: Varyings;
    if !any(drawn & axis) {
        out.position = vec4f(0.0, 0.0, 0.0, 1.0);
        return out;
    }
    let is_far = (along_u & vec3(corner.x == 1u)) | (along_v & vec3(corner.y == 1u));
    let place = select(near_corner, far_corner, is_far);

    var position = globals.clip_from_world * vec4f(place, 1.0);
    // Drawn as though nearer by a particle's radius, so that spheres do not stick out of the cell that their middle is in.
    position.z /= 1.0 - min(LIFT * globals.radius / position.w, 0.5);
    out.position = position;
    out.place = vec2f(corner);
    out.fill = unpack4x8unorm(cell.low_fill.w);
    out.edge = unpack4x8unorm(cell.high_edge.w);
    // A cell without depth has one face only.
    let has_depth = any(axis & (high > low));
    out.joined = select(vec2f(0.0), vec2f(1.0), vec2(any(drawn & along_u), any(drawn & along_v)) & vec2(has_depth));
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let across = dpdx(in.place);
    let down = dpdy(in.place);
    // The face's length along both sides, pixels.
    let size = inverseSqrt(max(across * across + down * down, vec2f(1e-12)));
    let near = in.place * size;
    let far = (1.0 - in.place) * size;

    let from_border = min(abs(near - INSET * (1.0 - in.joined)), abs(far - INSET));
    let bordered = clamp((min(size.x, size.y) - PLAIN) / (BORDERED - PLAIN), 0.0, 1.0);
    let cover = mix(BORDER_SHARE, clamp(INSET - min(from_border.x, from_border.y), 0.0, 1.0), bordered);
    let from_outline = min(near + 2.0 * in.joined, far);
    let solid = mix(1.0, clamp(min(from_outline.x, from_outline.y), 0.0, 1.0), bordered);

    let over = in.edge.a * cover;
    let under = in.fill.a * (1.0 - over);
    let opacity = over + under;
    let color = (in.edge.rgb * over + in.fill.rgb * under) / max(opacity, 1e-4);
    return vec4f(color, opacity * solid);
}
