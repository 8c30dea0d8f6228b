//! Observed order of convergence.

/// Observed orders log(e₁/e₂)/log(Δx₁/Δx₂) of runs with spacing Δx and error e: one for each pair of successive runs of which
/// the second is finer. A run that is not finer than the one before it begins another series. The order is NaN if an error is
/// 0 or unknown.
pub fn orders(runs: &[(f64, f64)]) -> Vec<f64> {
    let pairs = runs.windows(2).map(|pair| (pair[0], pair[1])).filter(|((coarse, _), (fine, _))| fine < coarse);
    let order = |((coarse, before), (fine, after)): ((f64, f64), (f64, f64))| {
        let order = (before / after).ln() / (coarse / fine).ln();
        if order.is_finite() { order } else { f64::NAN }
    };
    pairs.map(order).collect()
}

/// The orders as text: `–` for those that are unknown, and if there is none.
pub fn write(orders: &[f64]) -> String {
    let write = |order: &f64| if order.is_nan() { "–".to_owned() } else { format!("{order:.1}") };
    let orders: Vec<String> = orders.iter().map(write).collect();
    if orders.is_empty() { "–".to_owned() } else { orders.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_error() {
        let error = |spacing: f64| 3.0 * spacing.powf(1.5);
        let runs = [0.4, 0.2, 0.05].map(|spacing| (spacing, error(spacing)));
        assert!(orders(&runs).iter().all(|order| (order - 1.5).abs() < 1e-12) && orders(&runs).len() == 2);
        assert_eq!(write(&orders(&runs)), "1.5, 1.5");
        // The error grows although the spacing is halved.
        assert_eq!(orders(&[(0.2, 1.0), (0.1, 2.0)]), [-1.0]);
    }

    #[test]
    fn each_series_has_its_own_order() {
        let orders = orders(&[(0.2, 4.0), (0.1, 1.0), (0.2, 8.0), (0.1, 4.0)]);
        assert_eq!(orders, [2.0, 1.0]);
    }

    #[test]
    fn unknown_orders_are_dashes() {
        assert_eq!(write(&orders(&[(0.2, 1.0), (0.1, f64::NAN), (0.05, 1.0)])), "–, –");
        assert_eq!(write(&orders(&[(0.2, 1.0), (0.1, 0.0)])), "–");
        assert_eq!(write(&orders(&[(0.2, 0.0), (0.1, 0.0)])), "–");
        assert_eq!(write(&orders(&[(0.2, 1.0), (0.2, 0.5)])), "–");
        assert_eq!(write(&orders(&[(0.2, 1.0)])), "–");
    }
}
