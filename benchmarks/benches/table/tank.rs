//! The tank of `scenes/bench/tank.toml`: times of whole steps and of their phases, compared with salva3d.

use crate::options::Options;
use crate::peers::Salva;
use crate::record::{Record, median};
use crate::roofline;
use rayon::ThreadPool;
use sph_core::{Ceilings, Phase, Simulation, StepStats};
use sph_io::Override;
use std::path::Path;
use std::time::Instant;

/// Measured steps of WCSPH.
const STEPS: usize = 100;

/// Warm-up steps.
const WARM_UP: usize = 20;

/// Least number of steps of a peer, however long they take: the first two have no initial guess.
const MIN_PEER_STEPS: usize = 5;

/// Number of fluid particles along an edge of the largest column: four million in total.
const LARGE: usize = 159;

/// The tank with `edge`³ particles and further overrides.
fn tank(edge: usize, overrides: &[&str]) -> anyhow::Result<Simulation> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/bench/tank.toml");
    let spacing = format!("particles.spacing={}", 1.0 / edge as f64);
    let overrides = overrides.iter().copied().chain([spacing.as_str()]);
    let overrides: Result<Vec<Override>, _> = overrides.map(str::parse).collect();
    let scene = sph_io::load(&path, &overrides?)?;
    Ok(Simulation::new(&scene.setup)?)
}

/// Records times of whole steps and phases (ns per particle, medians over the steps), bytes per particle, and with `ceilings`
/// the roofline.
fn report(name: &str, simulation: &Simulation, steps: &[StepStats], ceilings: Option<&Ceilings>, record: &mut Record) {
    let threads = rayon::current_num_threads();
    let last = &steps[steps.len() - 1];
    let particles = last.particles as f64;
    let each = |time: &dyn Fn(&StepStats) -> std::time::Duration| {
        median(steps.iter().map(|stats| time(stats).as_nanos() as f64 / particles).collect())
    };
    record.add(format!("{name}, step"), threads, each(&|stats| stats.phases.total()), "ns/particle");
    if last.acoustic_steps > 0 {
        let acoustic_step = each(&|stats| stats.phases.total() / stats.acoustic_steps.max(1));
        record.add(format!("{name}, acoustic step"), threads, acoustic_step, "ns/particle");
    }
    let phase = |phase: Phase| each(&|stats| stats.phases[phase]);
    for each in Phase::ALL {
        record.add(format!("{name}, {}", each.name()), threads, phase(each), "ns/particle");
    }
    let memory = simulation.memory();
    record.add(format!("{name}, memory"), threads, memory.total() as f64 / particles, "bytes/particle");
    for (part, bytes) in memory.parts() {
        record.add(format!("{name}, memory for {part}"), threads, bytes as f64 / particles, "bytes/particle");
    }
    if let Some(ceilings) = ceilings {
        roofline::report(name, simulation, steps, (ceilings, &phase), record);
    }
}

fn checked(stats: StepStats) -> anyhow::Result<StepStats> {
    stats.error.map_or(Ok(stats.clone()), |error| Err(error.into()))
}

/// Measures the weakly compressible solver.
pub fn wcsph(pool: &ThreadPool, options: &Options, ceilings: Option<&Ceilings>, record: &mut Record) -> anyhow::Result<()> {
    for &edge in &options.edges {
        let mut simulation = pool.install(|| tank(edge, &["solver.method=wcsph"]))?;
        let steps = pool.install(|| steps(&mut simulation, (WARM_UP, STEPS)))?;
        pool.install(|| report(&format!("tank {edge}^3 wcsph"), &simulation, &steps, ceilings, record));
    }
    Ok(())
}

fn steps(simulation: &mut Simulation, (warm_up, count): (usize, usize)) -> anyhow::Result<Vec<StepStats>> {
    for _ in 0..warm_up {
        checked(simulation.step())?;
    }
    (0..count).map(|_| checked(simulation.step())).collect()
}

/// Measures DFSPH from the initial state to `options.until`, and salva3d over the same time.
pub fn dfsph(pool: &ThreadPool, options: &Options, ceilings: Option<&Ceilings>, record: &mut Record) -> anyhow::Result<()> {
    for &edge in &options.edges {
        pool.install(|| compare_with_salva(edge, options, ceilings, record))?;
    }
    Ok(())
}

/// Measures both in turns: the one with less simulated time makes the next step, until both reach the end or the wall-clock
/// time is over.
fn compare_with_salva(edge: usize, options: &Options, ceilings: Option<&Ceilings>, record: &mut Record) -> anyhow::Result<()> {
    let name = format!("tank {edge}^3 dfsph");
    let mut ours = tank(edge, &[])?;
    let mut peer = Salva::new(&ours);
    let (mut steps, mut times) = (Vec::new(), Vec::new());
    let (started, until) = (Instant::now(), options.until);
    while (ours.time() < until || peer.time < until)
        && (started.elapsed().as_secs_f64() < options.seconds || times.len() < MIN_PEER_STEPS)
    {
        if ours.time() <= peer.time {
            steps.push(checked(ours.step())?);
        } else {
            let start = Instant::now();
            peer.step();
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let (threads, particles) = (rayon::current_num_threads(), steps[0].particles as f64);
    report(&name, &ours, &steps, ceilings, record);
    record.add(format!("{name}, simulated time"), threads, ours.time(), "s");
    let mean = |values: &dyn Fn(&StepStats) -> f64| steps.iter().map(values).sum::<f64>() / steps.len() as f64;
    let (density, divergence) =
        (mean(&|stats| f64::from(stats.density_solve.iterations)), mean(&|stats| f64::from(stats.divergence_solve.iterations)));
    record.add(format!("{name}, density iterations"), threads, density, "a step");
    record.add(format!("{name}, divergence iterations"), threads, divergence, "a step");
    // Every solve ends with an evaluation of the residual, which costs as much as an iteration.
    let sweeps = |stats: &StepStats| f64::from(stats.density_solve.iterations + stats.divergence_solve.iterations + 2);
    let iteration = steps.iter().map(|stats| stats.phases[Phase::Pressure].as_nanos() as f64 / particles / sweeps(stats));
    record.add(format!("{name}, one pressure iteration"), threads, median(iteration.collect()), "ns/particle");
    let step = mean(&|stats| stats.phases.total().as_secs_f64());
    let peer_step = times.iter().sum::<f64>() / times.len() as f64;
    record.add(format!("{name}, mean step"), threads, 1e9 * step / particles, "ns/particle");
    record.add(format!("{name}: salva3d, mean step"), threads, 1e9 * peer_step / particles, "ns/particle");
    record.add(format!("{name}: faster than salva3d, a step"), threads, peer_step / step, "x");
    // Cost per simulated time, independent of the step length.
    let (per_second, peer_per_second) = (steps.len() as f64 * step / ours.time(), times.len() as f64 * peer_step / peer.time);
    record.add(format!("{name}: faster than salva3d, to the same time"), threads, peer_per_second / per_second, "x");
    Ok(())
}

/// Measures four million particles of WCSPH, and the 46³ tank for comparison.
pub fn large(pool: &ThreadPool, record: &mut Record) -> anyhow::Result<()> {
    let mut medians = [0.0; 2];
    for (edge, median_step) in [46, LARGE].into_iter().zip(&mut medians) {
        let mut simulation = pool.install(|| tank(edge, &["solver.method=wcsph"]))?;
        let steps = pool.install(|| steps(&mut simulation, (5, 10)))?;
        let parts = |stats: &StepStats| f64::from(stats.acoustic_steps) * stats.particles as f64;
        let each = |stats: &StepStats| stats.phases.total().as_nanos() as f64 / parts(stats);
        *median_step = median(steps.iter().map(each).collect());
        if edge == LARGE {
            pool.install(|| report(&format!("tank {edge}^3 wcsph"), &simulation, &steps, None, record));
        }
    }
    let name = format!("tank {LARGE}^3 wcsph: acoustic step over that of 46^3, a particle");
    record.add(name, pool.current_num_threads(), medians[1] / medians[0], "x");
    Ok(())
}
