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
