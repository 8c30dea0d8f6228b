// Grid cells as boxes: the front faces, six vertices each, from far to near. Each face has a border of constant width on the
// screen. Face and border are blended here, so that a box is blended into the picture once.

struct Cell {
    // Lowest corner (three floats), then the colour of the faces, eight bits per channel.
    low_fill: vec4u,
    // Highest corner (three floats), then the colour of the edges.
    high_edge: vec4u,
}

@group(0) @binding(1) var<storage, read> cells: array<Cell>;

struct Varyings {
    @builtin(position) position: vec4f,
    // Coordinates on the face, 0 to 1 along both of its sides, increasing away from the camera.
    @location(0) face_coords: vec2f,
    @location(1) @interpolate(flat) fill: vec4f,
    @location(2) @interpolate(flat) edge: vec4f,
    // For the two sides of the face nearest to the camera: 1 if shared with another front face, 0 on the silhouette.
    @location(3) @interpolate(flat) joined: vec2f,
}

// Depth bias of the faces towards the camera, particle radii; the same value as in render/draws/cells.rs.
const DEPTH_BIAS = 1.02;
// Width of the border, pixels.
const WIDTH = 1.3;
// Distance from the outline to the middle of the border, pixels: the antialiased edge ends at the outline.
const INSET = 0.5 * WIDTH + 0.5;
// Faces shorter than PLAIN get no border, faces longer than BORDERED get a full border, pixels.
const PLAIN = 4.0;
const BORDERED = 10.0;
// Weight of the border's colour on a face without border.
const BORDER_SHARE = 0.25;

// Bit masks of the six vertices (two triangles) of a face that are at the far end of its sides u and v.
const FAR_U = 0x32u;
const FAR_V = 0x2cu;

// Uses no arrays or vector indexing, which software drivers implement through memory.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varyings {
    let cell = cells[index / 18u];
    let low = bitcast<vec3f>(cell.low_fill.xyz);
    let high = bitcast<vec3f>(cell.high_edge.xyz);
    // Masks of the face's normal axis and of the axes along its two sides.
    let axis = vec3u((index / 6u) % 3u) == vec3u(0u, 1u, 2u);
    let along_u = axis.zxy;
    let along_v = axis.yzx;
    let corner = (vec2u(FAR_U, FAR_V) >> vec2u(index % 6u)) & vec2u(1u);

    // If the camera is between the two faces normal to an axis, neither is a front face.
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
    // Depth bias of about a particle radius, so that spheres do not protrude from the cell that contains their centre.
    position.z /= 1.0 - min(DEPTH_BIAS * globals.radius / position.w, 0.5);
    out.position = position;
    out.face_coords = vec2f(corner);
    out.fill = unpack4x8unorm(cell.low_fill.w);
    out.edge = unpack4x8unorm(cell.high_edge.w);
    // A flat cell has only one face.
    let has_depth = any(axis & (high > low));
    out.joined = select(vec2f(0.0), vec2f(1.0), vec2(any(drawn & along_u), any(drawn & along_v)) & vec2(has_depth));
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let across = dpdx(in.face_coords);
    let down = dpdy(in.face_coords);
    // Length of the face along both sides, pixels.
    let size = inverseSqrt(max(across * across + down * down, vec2f(1e-12)));
    let near = in.face_coords * size;
    let far = (1.0 - in.face_coords) * size;

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
