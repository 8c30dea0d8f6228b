//! A child process that reads inputs, one after the other, and counts the time and the memory of each.

use crate::corpus::{self, Input};
use crate::random::Random;
use crate::readers::Reader;
use crate::{Arguments, allocations, mutation};
use rustix::time::{ClockId, clock_gettime};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Processor time that an input may take.
const MOST_TIME: Duration = Duration::from_secs(10);
/// Memory that an input may take, bytes.
const MOST_MEMORY: usize = 512 << 20;
/// Address space of the process, bytes: beyond it, allocations fail.
const ADDRESS_SPACE: u64 = 4 << 30;
/// Status of a process whose input took too long.
pub const TOO_LONG: u8 = 3;
/// Inputs between two lines of progress.
const PROGRESS: u64 = 100;

/// What is wrong with an input.
pub struct Finding {
    /// Words that name it, and a file of it.
    pub name: String,
    /// Sentence about it.
    pub message: String,
}

/// Cost of reading an input.
pub struct Cost {
    pub time: Duration,
    pub memory: usize,
}

/// Place and message of the last panic.
static PANIC: Mutex<Option<(String, String)>> = Mutex::new(None);
/// Processor time at which the present input began, nanoseconds.
static BEGAN: AtomicU64 = AtomicU64::new(u64::MAX);

/// Processor time of this process so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Prepares the process: one thread, a limit of memory, and an end for inputs that take too long.
fn prepare() -> io::Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().map_err(io::Error::other)?;
    rlimit::Resource::AS.set(ADDRESS_SPACE, ADDRESS_SPACE)?;
    std::panic::set_hook(Box::new(|information| {
        let name = |file: &str| file.rsplit('/').next().unwrap_or_default().to_owned();
        let place = information.location().map_or_else(String::new, |place| format!("{}:{}", name(place.file()), place.line()));
        if let Ok(mut panic) = PANIC.lock() {
            *panic = Some((place, information.to_string()));
        }
    }));
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let began = BEGAN.load(Relaxed);
            if began != u64::MAX && processor_time().saturating_sub(Duration::from_nanos(began)) > MOST_TIME {
                eprintln!("fuzz: it takes longer than {MOST_TIME:?} of processor time");
                std::process::exit(TOO_LONG.into());
            }
        }
    });
    Ok(())
}

/// Reads a file: its outcome, its cost, and what is wrong.
fn measured(reader: Reader, file: &Path) -> (String, Cost, Option<Finding>) {
    let (start, before) = (processor_time(), allocations::live());
    allocations::restart();
    BEGAN.store(start.as_nanos() as u64, Relaxed);
    let result = catch_unwind(|| reader.read(file));
    BEGAN.store(u64::MAX, Relaxed);
    let cost = Cost { time: processor_time() - start, memory: allocations::peak().saturating_sub(before) };
    let panic = PANIC.lock().ok().and_then(|mut panic| panic.take());
    let finding = match (&result, panic) {
        (Err(_), panic) => {
            let (place, message) = panic.unwrap_or_default();
            Some(Finding { name: format!("panic-{}", as_name(&place)), message })
        }
        // A panic on a thread that nobody waited for.
        (Ok(_), Some((place, message))) => Some(Finding { name: format!("panic-{}", as_name(&place)), message }),
        _ if cost.memory > MOST_MEMORY => Some(Finding {
            name: format!("memory-{}", cost.memory >> 20),
            message: format!("it takes {} MiB", cost.memory >> 20),
        }),
        _ => None,
    };
    (result.unwrap_or_default(), cost, finding)
}

/// `text` as part of a file's name.
fn as_name(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// Reads one file and says what comes of it; status 1 if something is wrong.
pub fn read_one(reader: Reader, file: &Path) -> io::Result<ExitCode> {
    prepare()?;
    let (outcome, Cost { time, memory }, finding) = measured(reader, file);
    let cost = format!("{:.3} s, {:.1} MiB", time.as_secs_f64(), memory as f64 / f64::from(1 << 20));
    match finding {
        None => {
            println!("{outcome}\n{cost}");
            Ok(ExitCode::SUCCESS)
        }
        Some(Finding { name, message }) => {
            println!("{name}: {message}\n{cost}");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The folder of a session's inputs.
pub fn folder(arguments: &Arguments) -> PathBuf {
    corpus::findings(arguments.reader).join("work")
}

/// Mutates and reads inputs until the time is over. Each line of its output is its progress: inputs, outcomes, and the longest time (ms)
/// and the most memory (KiB) of an input.
pub fn work(arguments: &Arguments) -> io::Result<ExitCode> {
    let Arguments { reader, minutes, seed, .. } = *arguments;
    let (folder, findings) = (folder(arguments), corpus::findings(reader));
    let news = findings.join("corpus");
    prepare()?;
    let mut inputs = corpus::inputs(reader, &folder)?;
    inputs.extend(corpus::inputs_in(&news)?);
    let words = corpus::words(reader, &inputs)?;
    let mut outcomes = HashSet::new();
    let (mut slowest, mut largest) = (Duration::ZERO, 0);
    let mut random = Random::new(seed);
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let mut count = 0;
    let sound = inputs.len();
    while Instant::now() < end {
        // First the sound ones, so that their outcomes are known.
        let input = match inputs.get(count as usize).filter(|_| (count as usize) < sound) {
            Some(input) => input.clone(),
            None => {
                let (input, other) = (corpus::choose(&inputs, &mut random), corpus::choose(&inputs, &mut random));
                mutation::mutated(input, other, &words, &mut random)
            }
        };
        let file = folder.join(format!("input.{}", input.extension));
        std::fs::write(&file, &input.bytes)?;
        let (outcome, cost, finding) = measured(reader, &file);
        count += 1;
        if let Some(finding) = finding {
            let path = findings.join(format!("{}.{}", finding.name, input.extension));
            if !path.exists() {
                eprintln!("{}: {}", path.display(), finding.message);
                std::fs::write(path, &input.bytes)?;
            }
        } else if outcomes.insert(outcome) && count as usize > sound {
            keep(&news, &input)?;
            inputs.push(input.clone());
        }
        if cost.time > slowest {
            slowest = cost.time;
            std::fs::write(findings.join("slowest"), &input.bytes)?;
        }
        largest = largest.max(cost.memory);
        if count % PROGRESS == 0 || Instant::now() >= end {
            println!("{count} {} {} {}", outcomes.len(), slowest.as_millis(), largest >> 10);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Keeps an input, by a name that its contents determine.
fn keep(folder: &Path, input: &Input) -> io::Result<()> {
    let mut hash = DefaultHasher::new();
    input.bytes.hash(&mut hash);
    std::fs::write(folder.join(format!("{:016x}.{}", hash.finish(), input.extension)), &input.bytes)
}
