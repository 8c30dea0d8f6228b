//! Golden bits: hashes of the particles' state after a few hundred steps, for every solver, wall model and force.
//!
//! Each case of [`cases`] is run with every vector instruction set of the processor, and its hash compared with the one in `golden.csv`.
//! A change of behaviour that is meant writes the file anew: `GOLDEN=update cargo test -p sph-core --test golden`; its commit says which
//! hashes change and why.
//!
//! Only correctly rounded operations are used while the fluid moves, so the bits do not depend on the processor. A few set-ups use
//! functions of the C library (sine, exponential), whose last bit may differ between platforms: the file is that of Linux.

mod cases;
#[path = "../common/mod.rs"]
mod common;

use cases::{Case, cases};
use rayon::prelude::*;
use sph_core::{Simd, Simulation};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/golden.csv")
}

/// Hash of the state after all steps of the case.
fn run(case: &Case) -> u64 {
    let mut simulation = Simulation::new(&case.setup).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    for step in 0..case.steps {
        let stats = simulation.step();
        assert_eq!(stats.error, None, "{}, step {step}", case.name);
    }
    hash(&simulation)
}

/// FNV-1a of time, positions, velocities, densities and pressures, in the order of the particles' ids.
fn hash(simulation: &Simulation) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let particles = simulation.particles();
    let mut order: Vec<usize> = (0..particles.len()).collect();
    order.sort_unstable_by_key(|&i| particles.ids[i]);
    add(&simulation.time().to_bits().to_le_bytes());
    for i in order {
        let [x, y, z] = particles.positions[i].to_array();
        let [u, v, w] = particles.velocities[i].to_array();
        for value in [x, y, z, u, v, w, particles.densities[i], particles.pressures[i]] {
            add(&value.to_bits().to_le_bytes());
        }
    }
    hash
}

fn expected() -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(file()).expect("golden.csv is there");
    let row = |line: &str| {
        let (name, hash) = line.split_once(',').expect("two columns");
        (name.to_owned(), u64::from_str_radix(hash, 16).expect("a hash in base 16"))
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn every_case_has_its_golden_bits() {
    let cases = cases();
    let (present, missing): (Vec<_>, Vec<_>) = Simd::ALL.into_iter().partition(|simd| simd.is_available());
    let names = |variants: &[Simd]| variants.iter().map(|simd| simd.name()).collect::<Vec<_>>().join(", ");
    // Not `println!`, whose output libtest keeps back from tests that pass.
    let report = format!("golden bits with {}; not tested, as this processor lacks them: {}", names(&present), names(&missing));
    writeln!(std::io::stderr(), "{report}").expect("the standard error takes all");
    let mut found = BTreeMap::<&str, Vec<u64>>::new();
    for &simd in &present {
        assert!(simd.use_everywhere());
        // Small cases side by side; each is the same on any number of threads.
        let hashes: Vec<u64> = cases.par_iter().map(run).collect();
        for (case, hash) in cases.iter().zip(hashes) {
            found.entry(&case.name).or_default().push(hash);
        }
    }
    assert_eq!(found.len(), cases.len(), "two cases share a name");
    for (name, hashes) in &found {
        assert!(hashes.iter().all(|hash| hash == &hashes[0]), "{name}: {hashes:x?} with {}", names(&present));
    }
    if std::env::var_os("GOLDEN").is_some_and(|value| value == "update") {
        let mut text = "case,hash\n".to_owned();
        for (name, hashes) in &found {
            writeln!(text, "{name},{:016x}", hashes[0]).expect("a string takes all");
        }
        std::fs::write(file(), text).expect("golden.csv is written");
        return;
    }
    let expected = expected();
    let changed: Vec<_> = found.iter().filter(|(name, hashes)| expected.get(**name) != Some(&hashes[0])).collect();
    assert!(changed.is_empty(), "other bits than golden.csv has: {changed:x?}");
    assert_eq!(expected.len(), found.len(), "golden.csv has cases that are no longer run");
}
