//! What was set out to be reached, beside what was measured.

use crate::record::Record;

/// Which way a value is good.
#[derive(Clone, Copy)]
enum Bound {
    Least(f64),
    Most(f64),
}

use Bound::{Least, Most};

/// Rows of the record with their bounds. Times of a step are on one thread.
const TARGETS: [(&str, usize, Bound); 14] = [
    ("lattice 2.0 1M: sorted_cells, faster than zelll", 1, Least(7.0)),
    ("lattice 2.4 97k: sorted_cells, faster than zelll", 1, Least(7.0)),
    ("wedge 2.0 1M: sorted_cells, faster than zelll", 1, Least(7.0)),
    ("tank 46^3 wcsph, step", 1, Most(130.0)),
    ("tank 31^3 dfsph: faster than salva3d, to the same time", 1, Least(20.0)),
    ("tank 46^3 dfsph: faster than salva3d, to the same time", 1, Least(20.0)),
    ("tank 67^3 dfsph: faster than salva3d, to the same time", 1, Least(20.0)),
    ("tank 46^3 dfsph, one pressure iteration", 1, Most(30.0)),
    ("tank 46^3 wcsph, step: faster than on 1", 2, Least(1.85)),
    ("tank 46^3 dfsph, mean step: faster than on 1", 2, Least(1.85)),
    ("tank 46^3 wcsph, memory", 1, Most(700.0)),
    ("tank 46^3 dfsph, memory", 1, Most(700.0)),
    ("tank 159^3 wcsph: step over that of 46^3, a particle", 2, Most(1.4)),
    ("native over default, step", 1, Least(0.95)),
];

/// Prints those of which there is a measurement.
pub fn report(record: &Record) {
    println!("\n| row | threads | target | measured | |\n|---|---|---|---|---|");
    for (what, threads, bound) in TARGETS {
        let Some(value) = record.value(what, threads) else { continue };
        let (target, met) = match bound {
            Least(bound) => (format!("≥ {bound}"), value >= bound),
            Most(bound) => (format!("≤ {bound}"), value <= bound),
        };
        println!("| {what} | {threads} | {target} | {value:.2} | {} |", if met { "met" } else { "short" });
    }
}
