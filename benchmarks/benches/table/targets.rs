//! Performance targets compared with the measurements.

use crate::record::Record;

/// Bound of a target.
#[derive(Clone, Copy)]
enum Bound {
    Least(f64),
    Most(f64),
}

use Bound::{Least, Most};

/// Rows of the record with their bounds, on two threads where that matters. Bounds in ns were set on another machine
/// ([`REFERENCE`]): those of the search are the times of TreeNSearch there, 99, 143 and 141 ns, divided by 2.5.
const TARGETS: [(&str, usize, Bound); 21] = [
    ("lattice 2.0 1M: sorted_cells, faster than zelll", 2, Least(7.0)),
    ("lattice 2.0 97k: sorted_cells, all", 2, Most(39.6)),
    ("lattice 2.4 1M: sorted_cells, all", 2, Most(57.2)),
    ("wedge 2.0 1M: sorted_cells, all", 2, Most(56.4)),
    ("lattice 2.0 97k: spatial_hash, over sorted_cells", 2, Most(1.3)),
    ("lattice 2.0 1M: spatial_hash, over sorted_cells", 2, Most(1.3)),
    ("lattice 2.0 97k: cell_hash, over sorted_cells", 2, Most(1.4)),
    ("lattice 2.0 1M: cell_hash, over sorted_cells", 2, Most(1.4)),
    ("lattice 2.0 97k: bucket_hash, over sorted_cells", 2, Most(1.6)),
    ("lattice 2.0 1M: bucket_hash, over sorted_cells", 2, Most(1.6)),
    ("tank 46^3 wcsph, acoustic step", 2, Most(130.0)),
    ("tank 31^3 dfsph: faster than salva3d, to the same time", 2, Least(20.0)),
    ("tank 46^3 dfsph: faster than salva3d, to the same time", 2, Least(20.0)),
    ("tank 67^3 dfsph: faster than salva3d, to the same time", 2, Least(20.0)),
    ("tank 46^3 dfsph, one pressure iteration", 2, Most(30.0)),
    ("tank 46^3 wcsph, step: faster than on 1", 2, Least(1.85)),
    ("tank 46^3 dfsph, mean step: faster than on 1", 2, Least(1.85)),
    ("tank 46^3 wcsph, memory", 2, Most(700.0)),
    ("tank 46^3 dfsph, memory", 2, Most(700.0)),
    ("tank 159^3 wcsph: acoustic step over that of 46^3, a particle", 2, Most(1.4)),
    ("native over default, step", 1, Least(0.95)),
];

/// Multiply–adds, GFLOP/s, and triad, GB/s, of two threads of the machine on which the bounds in ns were set: AMD Zen 4, two
/// cores.
const REFERENCE: [f64; 2] = [223.0, 40.0];

/// Prints the targets that have a measurement.
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
    let ours = [crate::ceilings::ARITHMETIC, crate::ceilings::MEMORY].map(|what| record.value(what, 2));
    if let [Some(arithmetic), Some(memory)] = ours {
        let [arithmetic, memory] = [REFERENCE[0] / arithmetic, REFERENCE[1] / memory];
        println!(
            "\nTargets in ns were set at {} GFLOP/s and {} GB/s: passes bound by arithmetic should take {arithmetic:.2} times as long here, \
             passes bound by memory {memory:.2} times.",
            REFERENCE[0], REFERENCE[1]
        );
    }
}
