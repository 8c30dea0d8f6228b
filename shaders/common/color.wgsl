// The target holds sRGB-encoded colour. Lighting uses gamma 2 as a cheap approximation of sRGB.

const BACKDROP_TOP = vec3f(0.150, 0.185, 0.235);
const BACKDROP_HORIZON = vec3f(0.105, 0.125, 0.155);
const BACKDROP_BOTTOM = vec3f(0.050, 0.058, 0.074);
// Those of a light room.
const LIGHT_TOP = vec3f(0.960, 0.970, 0.985);
const LIGHT_HORIZON = vec3f(0.880, 0.900, 0.925);
const LIGHT_BOTTOM = vec3f(0.780, 0.805, 0.840);

// Direction of the key light in the camera's axes (right, up, towards the viewer): it turns with the camera, so that every view
// is lit. HALF_WAY is the half vector between the key light and the viewer.
const KEY = vec3f(-0.4205, 0.7209, 0.5507);
const HALF_WAY = vec3f(-0.2388, 0.4093, 0.8806);
const KEY_COLOR = vec3f(1.08, 1.05, 1.00);
const GLOSS_COLOR = vec3f(0.15, 0.16, 0.17);
// Hemispheric ambient light: mean, and change from a horizontal to an upward normal.
const AMBIENT = vec3f(0.33, 0.36, 0.41);
const AMBIENT_SLOPE = vec3f(0.15, 0.16, 0.17);

fn decode(color: vec3f) -> vec3f {
    return color * color;
}

fn encode(light: vec3f) -> vec3f {
    return sqrt(max(light, vec3f(0.0)));
}

// Ink: a dark outline of particles whose colour is nearly that of a light room. Its width at full strength and that of its soft inner
// side, in radii and at most in pixels, and factor of light.
const INK_WIDTH = vec2f(0.3, 0.75);
const INK_SOFT = vec2f(0.35, 1.0);
const INK = 0.22;

// Strength of the ink, 0 to 1, around a decoded colour, where this share of the sky is visible: before the room, not before other particles.
fn ink(color: vec3f, room: f32, open: f32) -> f32 {
    return room * smoothstep(0.35, 0.7, dot(color, vec3f(0.2126, 0.7152, 0.0722))) * smoothstep(0.3, 0.8, open);
}

// Factor of light at this distance from the outline of a particle with this radius, pixels.
fn inside_ink(distance: f32, radius: f32, strength: f32) -> f32 {
    let width = min(INK_WIDTH.x * radius, INK_WIDTH.y);
    let soft = min(INK_SOFT.x * radius, INK_SOFT.y);
    let outline = clamp((width + soft - distance) / soft, 0.0, 1.0);
    return 1.0 - (1.0 - INK) * strength * outline;
}
