// The target holds encoded colour. Lighting is computed on squares: close enough to sRGB, and it costs a multiplication and a root.

const BACKDROP_TOP = vec3f(0.150, 0.185, 0.235);
const BACKDROP_HORIZON = vec3f(0.105, 0.125, 0.155);
const BACKDROP_BOTTOM = vec3f(0.050, 0.058, 0.074);

fn decode(color: vec3f) -> vec3f {
    return color * color;
}

fn encode(light: vec3f) -> vec3f {
    return sqrt(max(light, vec3f(0.0)));
}
