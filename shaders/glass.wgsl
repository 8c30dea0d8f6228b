// Triangle meshes of glass: nearly clear where they are seen straight on, and a mirror of a bright room at grazing angles. Blended in any order,
// since all have nearly one colour; the edges are lines of their own.

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
    // From the eye, m.
    @location(1) sight: vec3f,
    @location(2) @interpolate(flat) tint: vec3f,
}

// What the glass mirrors, towards the floor and towards the sky.
const MIRRORED_LOW = vec3f(0.56, 0.64, 0.72);
const MIRRORED_HIGH = vec3f(0.84, 0.91, 0.98);
// Share of the glass's own colour in what is mirrored.
const TINT = 0.12;
// Opacity of a pane that is seen straight on, and what Fresnel's equations add at grazing angles, short of a full mirror.
const CLEAR = 0.045;
const GRAZING = 0.5;

// Distance by which panes are drawn nearer than they are, in radii of the fluid's particles: fluid that touches a pane lies behind it.
const LIFT = 1.0;

@vertex
fn vertex(@location(0) position: vec3f, @location(1) color: vec4f, @location(2) normal: vec3f) -> Varyings {
    var place = globals.clip_from_world * vec4f(position, 1.0);
    // Depth in the buffer is inversely proportional to the distance along the view; what is cut by the near plane stays where it is.
    place.z *= select(1.0, place.w / max(place.w - LIFT * globals.radius, globals.near), place.w > 2.0 * globals.near);
    return Varyings(place, normal, position - globals.eye, color.rgb);
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let sight = normalize(in.sight);
    let outward = in.normal * inverseSqrt(max(dot(in.normal, in.normal), 1e-12));
    // Towards the eye.
    let normal = select(outward, -outward, dot(outward, sight) > 0.0);
    let cosine = clamp(-dot(normal, sight), 0.0, 1.0);
    // Schlick's approximation, to the fourth power so that more of a pane shows it.
    let grazing = (1.0 - cosine) * (1.0 - cosine);
    let opacity = CLEAR + GRAZING * grazing * grazing;
    let mirrored = reflect(sight, normal);
    let light = mix(MIRRORED_LOW, MIRRORED_HIGH, 0.5 + 0.5 * mirrored.y);
    return vec4f(mix(light, in.tint, TINT), opacity);
}
