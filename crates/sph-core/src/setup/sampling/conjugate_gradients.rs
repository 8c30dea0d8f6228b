//! Conjugate gradients for a symmetric positive matrix that is known by what it does.

use crate::passes::sweep;

/// Residual over that at the beginning with which the solve ends.
const TOLERANCE: f64 = 1e-6;

/// Lets `x` solve `Ax = b`, from `residual = b − Ax` of the `x` there is, in at most so many iterations. `apply(y, i)` is row i of Ay, and
/// `diagonal` A's diagonal, the preconditioner; rows where it is 0 are left alone.
pub(super) fn solve(
    apply: impl Fn(&[f64], usize) -> f64 + Sync + Send,
    diagonal: &[f64],
    mut residual: Vec<f64>,
    x: &mut [f64],
    most_iterations: u64,
) {
    let count = x.len();
    let condition = |residual: &[f64], i: usize| if diagonal[i] > 0.0 { residual[i] / diagonal[i] } else { 0.0 };
    let (mut direction, mut applied) = (Vec::new(), Vec::new());
    sweep::map(count, &mut direction, |i| condition(&residual, i));
    let mut product = sweep::sum(count, |i| residual[i] * direction[i]);
    let enough = TOLERANCE * TOLERANCE * product;
    for _ in 0..most_iterations {
        sweep::map(count, &mut applied, |i| apply(&direction, i));
        let curvature = sweep::sum(count, |i| direction[i] * applied[i]);
        // Written so that NaN ends it.
        if !(product > enough && curvature > 0.0) {
            break;
        }
        let length = product / curvature;
        sweep::update(x, |i, x| *x += length * direction[i]);
        sweep::update(&mut residual, |i, residual| *residual -= length * applied[i]);
        let before = product;
        product = sweep::sum(count, |i| residual[i] * condition(&residual, i));
        let kept = product / before;
        sweep::update(&mut direction, |i, direction| *direction = condition(&residual, i) + kept * *direction);
    }
}
