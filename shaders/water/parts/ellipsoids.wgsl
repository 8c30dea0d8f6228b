// Particles of the fluid as ellipsoids. Mirrors `Particle` in render/water/fluid.rs; a test compares the offsets.

struct Particle {
    // Centre, m.
    center: vec3f,
    // sRGB-encoded colour of the fluid in four bytes.
    color: u32,
    // Half the symmetric matrix A whose image of a sphere the ellipsoid is: xx and yy, zz and xy, xz and yz.
    axes: vec3u,
    unused: u32,
}

// Triangle around the unit circle, that of each ellipsoid.
const CORNERS = array<vec2f, 3>(vec2f(-1.7320508, -1.0), vec2f(1.7320508, -1.0), vec2f(0.0, 2.0));

@group(0) @binding(2) var<storage, read> particles: array<Particle>;

struct Ellipsoid {
    // A, and its inverse.
    axes: mat3x3f,
    inverse: mat3x3f,
    // Reciprocal of the volume over that of the sphere.
    inverse_volume: f32,
}

fn ellipsoid_of(particle: Particle) -> Ellipsoid {
    let first = 2.0 * unpack2x16snorm(particle.axes.x);
    let second = 2.0 * unpack2x16snorm(particle.axes.y);
    let third = 2.0 * unpack2x16snorm(particle.axes.z);
    let x = vec3f(first.x, second.y, third.x);
    let y = vec3f(second.y, first.y, third.y);
    let z = vec3f(third.x, third.y, second.x);
    let yz = cross(y, z);
    let inverse_volume = 1.0 / dot(x, yz);
    return Ellipsoid(mat3x3f(x, y, z), mat3x3f(inverse_volume * yz, inverse_volume * cross(z, x), inverse_volume * cross(x, y)), inverse_volume);
}

// Two unit vectors across the unit vector `axis` and across each other (Duff et al., "Building an orthonormal basis, revisited", 2017).
fn across_axis(axis: vec3f) -> mat2x3f {
    let side = select(-1.0, 1.0, axis.z >= 0.0);
    let a = -1.0 / (side + axis.z);
    let b = axis.x * axis.y * a;
    return mat2x3f(
        vec3f(1.0 + side * axis.x * axis.x * a, side * b, -side * axis.x),
        vec3f(b, side + axis.y * axis.y * a, -axis.y),
    );
}
