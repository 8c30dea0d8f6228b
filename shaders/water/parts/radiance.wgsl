// Linear light: conversions from and to sRGB, and the tone curve. Light of 1 is that of a white wall in the sun.

// Decodes sRGB (IEC 61966-2-1).
fn linear_of(color: vec3f) -> vec3f {
    return select(pow((color + 0.055) / 1.055, vec3f(2.4)), color / 12.92, color <= vec3f(0.04045));
}

// Encodes sRGB.
fn encoded(light: vec3f) -> vec3f {
    return select(1.055 * pow(light, vec3f(1.0 / 2.4)) - 0.055, 12.92 * light, light <= vec3f(0.0031308));
}

// Tone curve that keeps colours as they are up to 0.76 and rolls off what is brighter towards white (Khronos Group, PBR Neutral
// Tone Mapper, 2024).
fn toned(light: vec3f) -> vec3f {
    let start = 0.8 - 0.04;
    let least = min(light.r, min(light.g, light.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    let color = light - offset;
    let peak = max(color.r, max(color.g, color.b));
    if peak < start {
        return max(color, vec3f(0.0));
    }
    let rest = 1.0 - start;
    let new_peak = 1.0 - rest * rest / (peak + rest - start);
    let share = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
    return mix(color * (new_peak / peak), vec3f(new_peak), share);
}
