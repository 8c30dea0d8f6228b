//! What the simulator costs, beside what the machine can do and what published peers need, all in one run.
//!
//! `cargo bench --manifest-path benchmarks/Cargo.toml [-- PART…] [--threads 1,2] [--rounds N] [--until S] [--record FILE.csv]`
//!
//! Parts: `ceilings`, `search`, `wcsph`, `dfsph`, `iteration`, `large`; all but `large` by default. Rivals take turns, so that a machine that
//! slows down slows all of them; times are medians over the turns, ratios medians of the ratios within a turn.

mod ceilings;
mod clouds;
mod options;
mod peers;
mod record;
mod searches;
mod tank;

use options::Options;
use record::Record;

fn main() -> anyhow::Result<()> {
    let options = Options::parse(std::env::args().skip(1))?;
    let mut record = Record::new();
    for &threads in &options.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        if options.has("ceilings") {
            ceilings::measure(&pool, &mut record);
        }
        if options.has("search") {
            searches::measure(&pool, options.rounds, &mut record)?;
        }
        if options.has("wcsph") {
            tank::wcsph(&pool, &options, &mut record)?;
        }
        if options.has("dfsph") {
            tank::dfsph(&pool, &options, &mut record)?;
        }
        if options.has("large") {
            tank::large(&pool, &mut record)?;
        }
    }
    println!("\n{record}");
    options.record.as_ref().map_or(Ok(()), |path| record.append_to(path))
}
