// Gaussian blur of the thickness, along rows in step 0 and along columns in step 1, as wide as a particle.

@group(0) @binding(2) var source: texture_2d<f32>;
@group(0) @binding(3) var surface: texture_2d<f32>;

const MOST = 12;

@fragment
fn fragment(in: Screen) -> @location(0) vec4f {
    let last = vec2i(textureDimensions(source)) - 1;
    let place = vec2i(in.position.xy);
    let whole = vec2i(textureDimensions(surface)) - 1;
    let distance = textureLoad(surface, min(2 * place, whole), 0).r;
    let middle = textureLoad(source, place, 0);
    if distance == 0.0 {
        return middle;
    }
    // Half the resolution, hence half the pixels.
    let reach = clamp(i32(0.5 * globals.pixels * water.splat_radius / distance), 1, MOST);
    let along = select(vec2i(1, 0), vec2i(0, 1), in.step == 1u);
    var sum = middle;
    var weights = 1.0;
    for (var offset = 1; offset <= reach; offset++) {
        let share = f32(offset) / f32(reach);
        let weight = exp(-3.0 * share * share);
        for (var side = -1; side <= 1; side += 2) {
            let at = clamp(place + side * offset * along, vec2i(0), last);
            // What is beside the fluid would thin it out.
            if textureLoad(surface, min(2 * at, whole), 0).r != 0.0 {
                sum += weight * textureLoad(source, at, 0);
                weights += weight;
            }
        }
    }
    return sum / weights;
}
