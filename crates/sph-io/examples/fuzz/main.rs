//! Fuzzing of everything that reads a file: `cargo xtask fuzz READER [--minutes N] [--seed S]`.
//!
//! Inputs are mutations of sound files that know the structure of the format: values out of range or of another kind, keys and blocks
//! doubled, removed and joined from several files, checkpoints sealed again with a checksum that is right. An input with an outcome that none has
//! had before, such as a new error, is mutated further. Each input is read by a child process that counts time and memory; one that
//! panics, or takes too much of either, is made shorter and kept as a file.

mod inputs;
mod readers;

use inputs::{Input, Random};
use readers::Reader;
use rustix::time::{ClockId, clock_gettime};
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "\
Usage: fuzz READER [--minutes N] [--seed S]    mutate and read files
       fuzz READER FILE                        read one file, such as one that was found

READER is scene, import, mesh, particles or checkpoint.
";

/// Arguments of a session, and of its child processes.
#[derive(Clone, Debug)]
struct Arguments {
    reader: Reader,
    minutes: f64,
    seed: u64,
    /// A file to read, and nothing else.
    file: Option<PathBuf>,
    /// True in a child process.
    is_worker: bool,
}

impl Arguments {
    /// Reads the command line; `None` if it is not understood.
    fn parse(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let name = words.next()?;
        let reader = Reader::ALL.into_iter().find(|reader| reader.name() == name)?;
        let mut arguments = Self { reader, minutes: 1.0, seed: 1, file: None, is_worker: false };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--minutes" => arguments.minutes = words.next()?.parse().ok()?,
                "--seed" => arguments.seed = words.next()?.parse().ok()?,
                "--worker" => arguments.is_worker = true,
                _ if word.starts_with('-') => return None,
                _ => arguments.file = Some(PathBuf::from(word)),
            }
        }
        Some(arguments)
    }
}

fn main() -> ExitCode {
    let Some(arguments) = Arguments::parse(std::env::args().skip(1)) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    let result = match &arguments.file {
        Some(file) => read_one(arguments.reader, file),
        None if arguments.is_worker => work(&arguments),
        None => session(&arguments),
    };
    match result {
        Ok(status) => status,
        Err(error) => {
            eprintln!("fuzz: {error}");
            ExitCode::from(2)
        }
    }
}

/// Sums over the child processes of a session.
#[derive(Default)]
struct Sums {
    inputs: u64,
    outcomes: u64,
    slowest_ms: u64,
    largest_kib: u64,
}

/// Runs a session; status 1 if something was found.
fn session(arguments: &Arguments) -> io::Result<ExitCode> {
    let Arguments { reader, minutes, seed, .. } = *arguments;
    let (findings, folder) = (inputs::findings(reader), work_folder(arguments));
    std::fs::create_dir_all(findings.join("corpus"))?;
    std::fs::create_dir_all(&folder)?;
    inputs::lay_out_files(&folder)?;
    let (start, mut sums, mut round) = (Instant::now(), Sums::default(), 0);
    let left = |start: Instant| minutes - start.elapsed().as_secs_f64() / 60.0;
    while left(start) > 0.0 {
        let status = child(arguments, left(start), seed.wrapping_add(round << 32), &mut sums)?;
        round += 1;
        if !status.success() {
            let kind = if status.code() == Some(TOO_LONG.into()) { "slow" } else { "abort" };
            let input = last_input(&folder)?;
            let path = findings.join(format!("{kind}-{seed}-{round}.{}", input.extension));
            eprintln!("{}: {status}", path.display());
            std::fs::write(path, input.bytes)?;
        }
    }
    let found = inputs::inputs_in(&findings)?.len() - usize::from(findings.join("slowest").exists());
    shrink_all(reader, &findings)?;
    let Sums { inputs, outcomes, slowest_ms, largest_kib } = sums;
    println!(
        "{}: {inputs} inputs in {:.0} min, {outcomes} outcomes, longest {:.2} s, most memory {} MiB, {found} findings in {}",
        reader.name(),
        start.elapsed().as_secs_f64() / 60.0,
        slowest_ms as f64 / 1000.0,
        largest_kib >> 10,
        findings.display()
    );
    Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a child process and adds what it says to `sums`.
fn child(arguments: &Arguments, minutes: f64, seed: u64, sums: &mut Sums) -> io::Result<ExitStatus> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([arguments.reader.name(), "--worker", "--minutes", &minutes.to_string(), "--seed", &seed.to_string()]);
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let before = sums.inputs;
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        let numbers: Vec<u64> = line?.split(' ').filter_map(|number| number.parse().ok()).collect();
        if let [inputs, outcomes, slowest, largest] = numbers[..] {
            sums.inputs = before + inputs;
            sums.outcomes = sums.outcomes.max(outcomes);
            sums.slowest_ms = sums.slowest_ms.max(slowest);
            sums.largest_kib = sums.largest_kib.max(largest);
        }
    }
    child.wait()
}

/// The input that was written last.
fn last_input(folder: &Path) -> io::Result<Input> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|path| path.file_stem().is_some_and(|stem| stem == "input"));
    let newest = files.into_iter().max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
    newest.map_or_else(|| Err(io::Error::other("a child process has died before its first input")), |path| Input::read(&path))
}

/// Time to make one input shorter.
const SHRINKING: Duration = Duration::from_secs(30);

/// Makes every finding in `folder` shorter.
fn shrink_all(reader: Reader, folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && path.extension().is_some() {
            let mut input = Input::read(&path)?;
            let trial = folder.join(format!("work/input.{}", input.extension));
            let status = exit_status(reader, &trial, &input.bytes)?;
            if status != 0 {
                shrink(&mut input.bytes, |bytes| Ok(exit_status(reader, &trial, bytes)? == status))?;
                std::fs::write(path, input.bytes)?;
            }
        }
    }
    Ok(())
}

/// Exit status of reading `bytes` as the file `trial`; −1 for a signal.
fn exit_status(reader: Reader, trial: &Path, bytes: &[u8]) -> io::Result<i32> {
    std::fs::write(trial, bytes)?;
    let mut command = Command::new(std::env::current_exe()?);
    let status = command.arg(reader.name()).arg(trial).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(status.code().unwrap_or(-1))
}

/// Removes parts, first halves and then smaller ones, as long as `is_same` says that the rest has the same fault.
fn shrink(bytes: &mut Vec<u8>, is_same: impl Fn(&[u8]) -> io::Result<bool>) -> io::Result<()> {
    let end = Instant::now() + SHRINKING;
    let mut part = bytes.len().div_ceil(2);
    while part > 0 {
        let mut at = 0;
        while at < bytes.len() && Instant::now() < end {
            let rest = [&bytes[..at], &bytes[(at + part).min(bytes.len())..]].concat();
            if is_same(&rest)? {
                *bytes = rest;
            } else {
                at += part;
            }
        }
        part /= 2;
    }
    Ok(())
}

/// Processor time that an input may take.
const MOST_TIME: Duration = Duration::from_secs(10);
/// Memory that an input may take, bytes.
const MOST_MEMORY: usize = 512 << 20;
/// Address space of the process, bytes: beyond it, allocations fail.
const ADDRESS_SPACE: u64 = 4 << 30;
/// Status of a process whose input took too long.
const TOO_LONG: u8 = 3;
/// Inputs between two lines of progress.
const PROGRESS: u64 = 100;

/// What is wrong with an input.
struct Finding {
    /// Words that name it, and a file of it.
    name: String,
    /// Sentence about it.
    message: String,
}

/// Cost of reading an input.
struct Cost {
    time: Duration,
    memory: usize,
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
    let (start, before) = (processor_time(), LIVE.load(Relaxed));
    PEAK.store(before, Relaxed);
    BEGAN.store(start.as_nanos() as u64, Relaxed);
    let result = catch_unwind(|| reader.read(file));
    BEGAN.store(u64::MAX, Relaxed);
    let cost = Cost { time: processor_time() - start, memory: PEAK.load(Relaxed).saturating_sub(before) };
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
fn read_one(reader: Reader, file: &Path) -> io::Result<ExitCode> {
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
fn work_folder(arguments: &Arguments) -> PathBuf {
    inputs::findings(arguments.reader).join("work")
}

/// Mutates and reads inputs until the time is over. Each line of its output is its progress: inputs, outcomes, and the longest time (ms)
/// and the most memory (KiB) of an input.
fn work(arguments: &Arguments) -> io::Result<ExitCode> {
    let Arguments { reader, minutes, seed, .. } = *arguments;
    let (folder, findings) = (work_folder(arguments), inputs::findings(reader));
    let news = findings.join("corpus");
    prepare()?;
    let mut inputs = inputs::sound(reader, &folder)?;
    inputs.extend(inputs::inputs_in(&news)?);
    let words = inputs::words(reader, &inputs)?;
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
                let (input, other) = (inputs::choose(&inputs, &mut random), inputs::choose(&inputs, &mut random));
                inputs::mutated(input, other, &words, &mut random)
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

/// System allocator that counts bytes.
struct Counting;

/// Bytes held at present.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// Most bytes held since the present input began.
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call is forwarded unchanged to the system allocator; counting touches atomics only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller upholds the contract of the same method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller upholds the contract of the same method.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of the same method.
        unsafe { System.dealloc(pointer, layout) }
    }
}
