// The target holds encoded colour. Lighting is computed on squares: close enough to sRGB, and it costs a multiplication and a root.

const BACKDROP_TOP = vec3f(0.150, 0.185, 0.235);
const BACKDROP_HORIZON = vec3f(0.105, 0.125, 0.155);
const BACKDROP_BOTTOM = vec3f(0.050, 0.058, 0.074);

// The key light, over the left shoulder, in the camera's axes right, up, to the eye: it turns with the camera, so that every view is
// well lit. And half-way between it and the eye.
const KEY = vec3f(-0.4205, 0.7209, 0.5507);
const HALF_WAY = vec3f(-0.2388, 0.4093, 0.8806);
const KEY_COLOR = vec3f(1.08, 1.05, 1.00);
const GLOSS_COLOR = vec3f(0.15, 0.16, 0.17);
// Light from all around: its mean, and its change from level to straight up.
const AMBIENT = vec3f(0.33, 0.36, 0.41);
const AMBIENT_SLOPE = vec3f(0.15, 0.16, 0.17);

fn decode(color: vec3f) -> vec3f {
    return color * color;
}

fn encode(light: vec3f) -> vec3f {
    return sqrt(max(light, vec3f(0.0)));
}
