//! Cost of playback: steps a second and processor time a step of a scene in a session, with and without kept moments, in turns.
//!
//! `cargo run --release -p viewer --example playback_cost [SCENE] [THREADS]`

use sph_io::Override;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use viewer::session::{Options, Request, SceneSource, Session, SpeedLimit, Timeline};

/// Pairs of turns, and time of a turn.
const PAIRS: usize = 8;
const TURN: Duration = Duration::from_secs(3);

/// What a turn measures.
struct Turn {
    steps_per_second: f64,
    /// Time that all threads of the process together take for a step, ms.
    processor: f64,
    /// Memory of the kept moments at its end, MiB.
    kept: f64,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let scene = arguments.next().map_or_else(|| PathBuf::from("scenes/dam_break.toml"), PathBuf::from);
    let threads = arguments.next().map(|text| text.parse()).transpose()?;
    let mut session = Session::start(&Options { threads, ..Options::default() }, Arc::new(|| {}))?;
    session.send(Request::Load(SceneSource::File(scene, Vec::<Override>::new())));
    session.send(Request::SetSpeedLimit(SpeedLimit::Unlimited));
    let mut ratios = [Vec::new(), Vec::new()];
    for pair in 0..=PAIRS {
        let [with, without] = [Timeline::default_limit(), 0].map(|limit| turn(&mut session, limit));
        println!(
            "kept {:5.1} MiB: {:7.1} steps/s, {:.3} ms of processor a step; nothing kept: {:7.1} steps/s, {:.3} ms",
            with.kept, with.steps_per_second, with.processor, without.steps_per_second, without.processor
        );
        // The first pair warms up.
        if pair > 0 {
            ratios[0].push(with.steps_per_second / without.steps_per_second);
            ratios[1].push(with.processor / without.processor);
        }
    }
    for (name, mut ratios) in ["steps a second", "processor time a step"].into_iter().zip(ratios) {
        ratios.sort_by(f64::total_cmp);
        let [low, median, high] = [1, 2, 3].map(|quarter| 100.0 * (ratios[quarter * (PAIRS - 1) / 4] - 1.0));
        println!("{name} with kept moments: {median:+.1} %, half of the pairs from {low:+.1} to {high:+.1} %");
    }
    session.quit()
}

/// Runs the scene from its start, keeping at most `limit` bytes of moments.
fn turn(session: &mut Session, limit: u64) -> Turn {
    session.send(Request::SetPlaybackMemory(limit));
    session.send(Request::Reset);
    session.send(Request::Play);
    std::thread::sleep(TURN / 6);
    let mut moment = || {
        session.update();
        (Instant::now(), session.snapshot().steps as f64, processor_time(), session.snapshot().timeline.bytes)
    };
    let (begin, steps, processor, _) = moment();
    std::thread::sleep(TURN);
    let (end, last, after, bytes) = moment();
    let made = (last - steps).max(1.0);
    Turn {
        steps_per_second: made / (end - begin).as_secs_f64(),
        processor: (after - processor) / made,
        kept: bytes as f64 / f64::from(1 << 20),
    }
}

/// Processor time of this process, ms, in ticks of usually 10; none where there is no `/proc`.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().skip(11).take(2));
    fields.into_iter().flatten().filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}
