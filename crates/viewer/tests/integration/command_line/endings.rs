//! Runs that end before their goal: by a failure of the simulation, by a signal, by a kill.

use super::{Run, Sandbox};

#[test]
fn a_refused_step_is_reported_with_time_particle_reason_and_advice() {
    let sandbox = Sandbox::new();
    let fast = super::COLUMN.replace("max = [0.5, 0.5]", "max = [0.5, 0.5]\nvelocity = [3e4, 0.0]");
    sandbox.write("fast.toml", fast);
    let run = sandbox.sph(&["run", "fast.toml", "--stats", "stats.jsonl"]).expect(1);
    let run =
        run.says(&["error: the simulation failed at t = ", "particle", "m/s", "time_step.cfl_factor", "fluid.sound_speed"]);
    let text = sandbox.read("stats.jsonl");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(last["error"].is_string(), "{last}");
    let (number, steps) = (text.lines().count(), text.lines().count() - 1);
    assert_eq!(last["step"], number, "no number twice");
    let (number, steps) = (sph_io::grouped(number as u64), sph_io::grouped(steps as u64));
    run.says(&[
        &format!("stopped: {steps} steps"),
        &format!("in step {number}\n"),
        &format!("({steps} steps and the refused one)"),
    ]);
}

/// The advice must help: a step that was set beyond its limit is shortened, as nothing else would do.
#[test]
fn a_step_beyond_its_limit_is_advised_to_be_shortened() {
    let sandbox = Sandbox::new();
    let fast = super::COLUMN.replace("max = [0.5, 0.5]", "max = [0.5, 0.5]\nvelocity = [1e6, 0.0]");
    sandbox.write("fast.toml", fast);
    let set = ["--set", "time_step.fixed_dt=0.002", "--set", "solver.method=dfsph"];
    let run = sandbox.sph(&[&["run", "fast.toml"], &set[..]].concat()).expect(1);
    let run = run.says(&[
        "(dt = 0.002 s; the maximum speed allows ",
        "steps within their limit: --set time_step.fixed_dt=",
        "(now 0.002 s)",
    ]);
    let other = ["sound_speed", "cfl_factor", "tolerance=", "artificial_viscosity"];
    assert!(!other.iter().any(|key| run.stderr.contains(key)), "{}", run.stderr);
}

#[test]
fn a_closed_pipe_of_statistics_ends_the_run_without_an_error() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.start(&["run", "column.toml", "--until", "1000", "--stats", "-"]);
    drop(child.stdout.take());
    let run = Run::of(child.wait_with_output().unwrap()).expect(0);
    assert!(!run.stderr.contains("error") && !run.stderr.contains("stopped"), "{}", run.stderr);
}

#[cfg(unix)]
mod signals {
    use super::super::{assert_complete_ply, wait_until};
    use super::*;
    use std::process::{Child, Command};

    /// A run that would take hours, while it writes: frame 3 exists, and statistics are being written.
    fn long_run(sandbox: &Sandbox) -> Child {
        let arguments = ["--until", "1000", "--stats", "stats.jsonl", "--export", "ply=frames", "--every", "0.002"];
        let mut child = sandbox.start(&[&["run", "column.toml"], &arguments[..]].concat());
        wait_until("a fourth frame", || {
            assert_eq!(child.try_wait().unwrap(), None, "the program ended early");
            sandbox.path("frames").is_dir() && complete_frames(sandbox).len() >= 4
        });
        child
    }

    fn complete_frames(sandbox: &Sandbox) -> Vec<String> {
        sandbox.list("frames").into_iter().filter(|name| name.ends_with(".ply") && !name.starts_with('.')).collect()
    }

    fn send(signal: &str, child: &Child) {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    }

    fn check_frames(sandbox: &Sandbox) {
        for name in complete_frames(sandbox) {
            assert_complete_ply(&sandbox.path("frames").join(name));
        }
    }

    #[test]
    fn a_killed_run_leaves_no_incomplete_file_under_its_final_name() {
        let sandbox = Sandbox::new();
        let mut child = long_run(&sandbox);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!sandbox.path("stats.jsonl").exists());
        check_frames(&sandbox);
    }

    #[test]
    fn an_interrupted_run_completes_its_outputs() {
        for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
            let sandbox = Sandbox::new();
            let child = long_run(&sandbox);
            // Two signals at once, as from `timeout`, are one request.
            send(signal, &child);
            send(signal, &child);
            let run = Run::of(child.wait_with_output().unwrap()).expect(status);
            run.says(&["interrupted at t = ", "wrote stats.jsonl", "frames in frames"]);
            let text = sandbox.read("stats.jsonl");
            // The first frame is of the start, every other one of a step of its own.
            let (steps, frames) = (text.lines().count(), complete_frames(&sandbox).len());
            assert!(text.ends_with('\n') && steps + 1 >= frames && frames >= 4, "{frames} frames of {steps} steps");
            for line in text.lines() {
                serde_json::from_str::<serde_json::Value>(line).expect("JSON");
            }
            check_frames(&sandbox);
            let leftovers: Vec<_> = sandbox.list("").into_iter().filter(|name| name.starts_with('.')).collect();
            assert_eq!(leftovers, [""; 0]);
        }
    }
    #[test]
    fn a_pipe_that_nobody_reads_does_not_hold_up_the_end() {
        let sandbox = Sandbox::new();
        let pipe = sandbox.path("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let child = sandbox.start(&["run", "column.toml", "--until", "1000", "--export", "ply=frames", "--stats", "pipe"]);
        // The folder is made before the pipe is opened.
        wait_until("the folder", || sandbox.path("frames").is_dir());
        std::thread::sleep(std::time::Duration::from_millis(200));
        send("-TERM", &child);
        let sent = std::time::Instant::now();
        Run::of(child.wait_with_output().unwrap()).expect(143).says(&["pipe", "nothing reads"]);
        // Half a second, and what a busy machine needs.
        assert!(sent.elapsed().as_secs() < 10, "{:?}", sent.elapsed());
    }

    #[test]
    fn what_a_killed_run_has_left_is_removed_by_the_next() {
        let sandbox = Sandbox::new();
        let mut child = long_run(&sandbox);
        child.kill().unwrap();
        child.wait().unwrap();
        let is_partial = |name: &String| name.ends_with(".partial");
        std::fs::write(sandbox.path("frames/.frame_000009.ply.abcdef.partial"), "x").unwrap();
        let partials = |folder: &str| {
            sandbox.list(folder).into_iter().filter(is_partial).map(|name| sandbox.path(folder).join(name)).collect()
        };
        let [statistics, frames]: [Vec<_>; 2] = ["", "frames"].map(partials);
        assert_eq!(statistics.len(), 1);
        for path in statistics.into_iter().chain(frames) {
            let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
            std::fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
        }
        sandbox.sph(&["run", "column.toml", "--steps", "2", "--stats", "stats.jsonl", "--export", "ply=frames"]).expect(0);
        assert!(!sandbox.list("").iter().chain(&sandbox.list("frames")).any(is_partial));
        assert_eq!(sandbox.list("frames"), ["frame_000000.ply"], "and the frames of the longer run");
    }
}
