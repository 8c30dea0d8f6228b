//! Cost of the simulator, compared with the machine's ceilings and with published peers, all in one run.
//!
//! `cargo bench --manifest-path benchmarks/Cargo.toml [-- PART…] [--threads 1,2] [--rounds N] [--until S] [--seconds S]
//! [--programs DEFAULT,NATIVE] [--compare COMMIT] [--record FILE.csv]`
//!
//! Parts: `ceilings`, `search`, `wcsph`, `dfsph`, `large`, with `--programs` also `native`, and with `--compare` `earlier`; all of
//! them by default. Rivals take turns, so that a machine that slows down slows all of them; times are medians over the turns,
//! ratios medians of the ratios within a turn.

mod ceilings;
mod clouds;
mod options;
mod peers;
mod programs;
mod record;
mod roofline;
mod searches;
mod tank;
mod targets;

use options::Options;
use record::Record;

fn main() -> anyhow::Result<()> {
    let options = Options::parse(std::env::args().skip(1))?;
    let mut record = Record::new();
    for &threads in &options.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        // The roofline of both solvers needs the ceilings too.
        let needed = ["ceilings", "wcsph", "dfsph"].iter().any(|part| options.has(part));
        let ceilings = needed.then(|| ceilings::measure(&pool, &mut record));
        if options.has("search") {
            searches::measure(&pool, options.rounds, &mut record)?;
        }
        if options.has("wcsph") {
            tank::wcsph(&pool, &options, ceilings.as_ref(), &mut record)?;
        }
        if options.has("dfsph") {
            tank::dfsph(&pool, &options, ceilings.as_ref(), &mut record)?;
        }
        if options.has("large") {
            tank::large(&pool, &mut record)?;
        }
    }
    if let Some(programs) = options.programs.as_ref().filter(|_| options.has("native")) {
        programs::native(programs, options.rounds, &mut record)?;
    }
    if let Some(commit) = options.compare.as_ref().filter(|_| options.has("earlier")) {
        programs::earlier(commit, &options.threads, options.rounds, &mut record)?;
    }
    record.add_scaling();
    println!("\n{record}");
    targets::report(&record);
    options.record.as_ref().map_or(Ok(()), |path| record.append_to(path))
}
