// Extinction σ of a fluid per metre (Beer and Lambert): light that has gone 1 / `extinction_rate` through it has its colour.
fn extinction(color: vec3f) -> vec3f {
    return -log(clamp(linear_of(color), vec3f(0.01), vec3f(0.99))) * water.extinction_rate;
}
