// What lies behind fluid and solids: sky and floor in linear light, and its distance along the view in the last channel.

@fragment
fn fragment(in: Screen) -> @location(0) vec4f {
    let side = in.ndc * globals.slopes;
    let ray = globals.forward + side.x * globals.right + side.y * globals.up;
    let scale = inverseSqrt(dot(ray, ray));
    let seen = surroundings(globals.eye, ray * scale);
    return vec4f(seen.rgb, min(seen.a * scale, 60000.0));
}
