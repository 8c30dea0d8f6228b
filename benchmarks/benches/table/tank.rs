//! The tank of `scenes/bench/tank.toml`: whole steps, by phases, beside salva3d.

use crate::options::Options;
use crate::peers::Salva;
use crate::record::{Record, median};
use rayon::ThreadPool;
use sph_core::{Phase, Simulation, StepStats};
use sph_io::Override;
use std::path::Path;
use std::time::Instant;

/// Steps of WCSPH that are measured.
const STEPS: usize = 400;

/// Steps of ours between two of a peer: short enough for both to see the same machine.
const WARM_UP: usize = 20;

/// The tank with `edge`³ particles, and further changes.
fn tank(edge: usize, changes: &[&str]) -> anyhow::Result<Simulation> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/bench/tank.toml");
    let spacing = format!("particles.spacing={}", 1.0 / edge as f64);
    let changes = changes.iter().copied().chain([spacing.as_str()]);
    let changes: Result<Vec<Override>, _> = changes.map(str::parse).collect();
    let scene = sph_io::load(&path, &changes?)?;
    Ok(Simulation::new(&scene.setup)?)
}

/// Whole steps and their phases, ns a particle; medians over the steps.
fn report(name: &str, steps: &[StepStats], record: &mut Record) {
    let threads = rayon::current_num_threads();
    let particles = steps[0].particles as f64;
    let each = |time: &dyn Fn(&StepStats) -> std::time::Duration| {
        median(steps.iter().map(|stats| time(stats).as_nanos() as f64 / particles).collect())
    };
    record.add(format!("{name}, step"), threads, each(&|stats| stats.phases.total()), "ns/particle");
    for phase in Phase::ALL {
        record.add(format!("{name}, {}", phase.name()), threads, each(&|stats| stats.phases[phase]), "ns/particle");
    }
}

fn checked(stats: StepStats) -> anyhow::Result<StepStats> {
    stats.breach.map_or(Ok(stats.clone()), |breach| Err(breach.into()))
}

/// The weakly compressible solver.
pub fn wcsph(pool: &ThreadPool, options: &Options, record: &mut Record) -> anyhow::Result<()> {
    for &edge in &options.edges {
        let mut simulation = pool.install(|| tank(edge, &["solver.method=wcsph"]))?;
        let steps = pool.install(|| steps(&mut simulation, STEPS))?;
        pool.install(|| report(&format!("tank {edge}^3 wcsph"), &steps, record));
    }
    Ok(())
}

fn steps(simulation: &mut Simulation, count: usize) -> anyhow::Result<Vec<StepStats>> {
    for _ in 0..WARM_UP {
        checked(simulation.step())?;
    }
    (0..count).map(|_| checked(simulation.step())).collect()
}

/// DFSPH from the beginning to `options.until`, and salva3d over the same time.
pub fn dfsph(pool: &ThreadPool, options: &Options, record: &mut Record) -> anyhow::Result<()> {
    for &edge in &options.edges {
        pool.install(|| beside_salva(edge, options.until, record))?;
    }
    Ok(())
}

/// The two take turns: whichever is behind in simulated time makes the next step.
fn beside_salva(edge: usize, until: f64, record: &mut Record) -> anyhow::Result<()> {
    let name = format!("tank {edge}^3 dfsph");
    let mut ours = tank(edge, &[])?;
    let mut peer = Salva::new(&ours);
    let (mut steps, mut times) = (Vec::new(), Vec::new());
    while ours.time() < until || peer.time < until {
        if ours.time() <= peer.time {
            steps.push(checked(ours.step())?);
        } else {
            let start = Instant::now();
            peer.step();
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let (threads, particles) = (rayon::current_num_threads(), steps[0].particles as f64);
    report(&name, &steps, record);
    let mean = |values: &dyn Fn(&StepStats) -> f64| steps.iter().map(values).sum::<f64>() / steps.len() as f64;
    let (density, divergence) =
        (mean(&|stats| f64::from(stats.density_solve.iterations)), mean(&|stats| f64::from(stats.divergence_solve.iterations)));
    record.add(format!("{name}, density iterations"), threads, density, "a step");
    record.add(format!("{name}, divergence iterations"), threads, divergence, "a step");
    // Every solve ends with a look at what is left, which is an iteration's work.
    let sweeps = |stats: &StepStats| f64::from(stats.density_solve.iterations + stats.divergence_solve.iterations + 2);
    let iteration = steps.iter().map(|stats| stats.phases[Phase::Pressure].as_nanos() as f64 / particles / sweeps(stats));
    record.add(format!("{name}, one pressure iteration"), threads, median(iteration.collect()), "ns/particle");
    let step = mean(&|stats| stats.phases.total().as_secs_f64());
    let peer_step = times.iter().sum::<f64>() / times.len() as f64;
    record.add(format!("{name}, mean step"), threads, 1e9 * step / particles, "ns/particle");
    record.add(format!("{name}: salva3d, mean step"), threads, 1e9 * peer_step / particles, "ns/particle");
    record.add(format!("{name}: faster than salva3d, a step"), threads, peer_step / step, "x");
    let all = (times.len() as f64 * peer_step) / (steps.len() as f64 * step);
    record.add(format!("{name}: faster than salva3d, to {until} s"), threads, all, "x");
    Ok(())
}

/// Four million particles of WCSPH.
pub fn large(pool: &ThreadPool, record: &mut Record) -> anyhow::Result<()> {
    let edge = 159;
    let mut simulation = pool.install(|| tank(edge, &["solver.method=wcsph"]))?;
    let steps = pool.install(|| steps(&mut simulation, 10))?;
    pool.install(|| report(&format!("tank {edge}^3 wcsph"), &steps, record));
    Ok(())
}
