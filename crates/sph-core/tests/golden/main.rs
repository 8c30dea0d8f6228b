//! Golden bits: hashes of the particles' state after a few hundred steps, for every solver, wall model and force.
//!
//! Each case of [`cases`] is run with every vector instruction set of the processor, and its hash compared with the one in `golden.csv`.
//! With one of the sets the run has another grid, which changes in its course, and another number of threads: none of that may change a bit.
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
use sph_core::neighbors::{GridParameters, HashFunction, Structure};
use sph_core::{Simd, Simulation};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Number of steps with one grid.
const STRETCH: u32 = 40;

/// The instruction set is that of the whole process: those who choose one take turns.
static TURN: Mutex<()> = Mutex::new(());

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/golden.csv")
}

/// One of all grids for neighbours within `radius` (m), and a number of threads.
fn variant(index: usize, radius: f32) -> (GridParameters, usize) {
    // Digits of a number that jumps: no two choices go in step.
    let mut rest = (index as u32).wrapping_mul(0x9e37_79b1) >> 4;
    let mut pick = |count: usize| {
        let digit = rest as usize % count;
        rest /= count as u32;
        digit
    };
    let structures = Structure::all();
    let grid = GridParameters {
        structure: structures[index % structures.len()],
        table_size: [97, 1024, 4096, 20_011][pick(4)],
        cell_size: [0.7, 1.0, 1.5, 2.5][pick(4)] * radius,
        hash: HashFunction::ALL[pick(HashFunction::ALL.len())],
        bucket_capacity: [1, 2, 4, 8][pick(4)],
    };
    (grid, [1, 2, 3, 8][pick(4)])
}

/// Hash of the state after all steps of the case.
fn run(case: &Case) -> u64 {
    let mut simulation = Simulation::new(&case.setup).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    for step in 0..case.steps {
        assert_eq!(simulation.step().error, None, "{}, step {step}", case.name);
    }
    hash(&simulation)
}

/// The same with other grids, the first of which is the variant `index`, and another number of threads.
fn run_variants(case: &Case, index: usize) -> u64 {
    let radius = case.setup.discretization.support_radius;
    let (_, threads) = variant(index, radius);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        let mut simulation = Simulation::new(&case.setup).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        simulation.set_audit(4);
        for step in 0..case.steps {
            if step % STRETCH == 0 {
                let (grid, _) = variant(index + (step / STRETCH) as usize, radius);
                let parameters = sph_core::Parameters { grid, ..*simulation.parameters() };
                simulation.set_parameters(parameters).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            }
            let stats = simulation.step();
            assert_eq!(stats.error, None, "{}, step {step}", case.name);
            assert!(stats.audit.queries > 0 && stats.audit.is_clean(), "{}, step {step}: {:?}", case.name, stats.audit);
            assert_eq!(stats.search.parameters, simulation.parameters().grid, "{}, step {step}", case.name);
        }
        hash(&simulation)
    })
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

/// The instruction sets of this processor.
fn present() -> Vec<Simd> {
    Simd::ALL.into_iter().filter(|simd| simd.is_available()).collect()
}

/// Hashes of the cases, each with those instruction sets of this processor that `wanted` accepts: of their number and of that of the case.
fn hashes(
    cases: &[Case],
    wanted: impl Fn(usize, usize) -> bool,
    run: impl Fn(&Case, usize) -> u64 + Sync,
) -> Vec<(&str, Simd, u64)> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut hashes = Vec::new();
    for (width, simd) in present().into_iter().enumerate() {
        assert!(simd.use_everywhere());
        // Small cases side by side.
        let chosen: Vec<usize> = (0..cases.len()).filter(|&case| wanted(width, case)).collect();
        hashes.par_extend(chosen.par_iter().map(|&case| (cases[case].name.as_str(), simd, run(&cases[case], case))));
    }
    hashes
}

/// Compares hashes with those of the file.
fn check(hashes: &[(&str, Simd, u64)]) {
    let expected = expected();
    let changed: Vec<_> = hashes.iter().filter(|(name, _, hash)| expected.get(*name) != Some(hash)).collect();
    assert!(changed.is_empty(), "other bits than golden.csv has: {changed:x?}");
}

/// Each case with one instruction set, each set with a part of the cases.
#[test]
fn every_case_has_its_golden_bits() {
    let cases = cases();
    let names: BTreeMap<&str, ()> = cases.iter().map(|case| (case.name.as_str(), ())).collect();
    assert_eq!(names.len(), cases.len(), "two cases share a name");
    if is_update() {
        let mut found = BTreeMap::new();
        for (name, simd, hash) in hashes(&cases, |_, _| true, |case, _| run(case)) {
            assert_eq!(*found.entry(name).or_insert(hash), hash, "{name}: other bits with {simd:?}");
        }
        let mut text = "case,hash\n".to_owned();
        for (name, hash) in &found {
            writeln!(text, "{name},{hash:016x}").expect("a string takes all");
        }
        std::fs::write(file(), text).expect("golden.csv is written");
        return;
    }
    let count = present().len();
    check(&hashes(&cases, |width, case| case % count == width, |case, _| run(case)));
    assert_eq!(expected().len(), cases.len(), "golden.csv has cases that are no longer run");
}

/// Each case with the next instruction set, with other grids and numbers of threads.
#[test]
fn every_case_has_its_golden_bits_with_any_grid_and_threads() {
    let count = present().len();
    if !is_update() {
        check(&hashes(&cases(), |width, case| (case + 1) % count == width, run_variants));
    }
}

/// Each case with all the other instruction sets.
#[test]
fn every_case_has_its_golden_bits_with_any_instruction_set() {
    let (present, missing): (Vec<_>, Vec<_>) = Simd::ALL.into_iter().partition(|simd| simd.is_available());
    let names = |variants: &[Simd]| variants.iter().map(|simd| simd.name()).collect::<Vec<_>>().join(", ");
    // Not `println!`, whose output libtest keeps back from tests that pass.
    let report = format!("golden bits with {}; not tested, as this processor lacks them: {}", names(&present), names(&missing));
    writeln!(std::io::stderr(), "{report}").expect("the standard error takes all");
    let count = present.len();
    if !is_update() {
        check(&hashes(&cases(), |width, case| ![case % count, (case + 1) % count].contains(&width), |case, _| run(case)));
    }
}

/// True if `golden.csv` is to be written anew.
fn is_update() -> bool {
    std::env::var_os("GOLDEN").is_some_and(|value| value == "update")
}
