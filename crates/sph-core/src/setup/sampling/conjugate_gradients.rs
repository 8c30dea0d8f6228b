//! Matrix-free conjugate gradients for symmetric positive semidefinite matrices.

use crate::passes::sweep;

/// Relative residual, in the preconditioned norm, at which the solve ends.
const TOLERANCE: f64 = 1e-6;

/// Solves `Ax = b` by conjugate gradients with the Jacobi preconditioner. `x` is the initial guess, with `residual = b − Ax`,
/// and becomes the solution. `apply(y, i)` is row i of Ay; `diagonal` is the diagonal of A, and rows where it is 0 are not
/// changed.
pub(super) fn solve(
    apply: impl Fn(&[f64], usize) -> f64 + Sync + Send,
    diagonal: &[f64],
    mut residual: Vec<f64>,
    x: &mut [f64],
    max_iterations: u64,
) {
    let count = x.len();
    let precondition = |residual: &[f64], i: usize| if diagonal[i] > 0.0 { residual[i] / diagonal[i] } else { 0.0 };
    let (mut direction, mut applied) = (Vec::new(), Vec::new());
    sweep::map(count, &mut direction, |i| precondition(&residual, i));
    let mut product = sweep::sum(count, |i| residual[i] * direction[i]);
    let tolerated = TOLERANCE * TOLERANCE * product;
    for _ in 0..max_iterations {
        sweep::map(count, &mut applied, |i| apply(&direction, i));
        let curvature = sweep::sum(count, |i| direction[i] * applied[i]);
        // Negated, so that NaN ends the loop.
        if !(product > tolerated && curvature > 0.0) {
            break;
        }
        let alpha = product / curvature;
        sweep::update(x, |i, x| *x += alpha * direction[i]);
        sweep::update(&mut residual, |i, residual| *residual -= alpha * applied[i]);
        let before = product;
        product = sweep::sum(count, |i| residual[i] * precondition(&residual, i));
        let beta = product / before;
        sweep::update(&mut direction, |i, direction| *direction = precondition(&residual, i) + beta * *direction);
    }
}
