//! How a run may end other than by reaching its goal: by the fluid, by a signal, by force.

use super::support::{Run, Workplace};

#[test]
fn fluid_that_goes_wrong_says_when_where_why_and_what_to_try() {
    let workplace = Workplace::new();
    let fast = super::support::COLUMN.replace("max = [0.5, 0.5]", "max = [0.5, 0.5]\nvelocity = [1e6, 0.0]");
    workplace.write("fast.toml", fast);
    let run = workplace.sph(&["run", "fast.toml", "--stats", "stats.jsonl"]).expect(1);
    let run =
        run.says(&["error: the simulation failed at t = ", "particle", "m/s", "time_step.cfl_factor", "fluid.sound_speed"]);
    let text = workplace.read("stats.jsonl");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(last["error"].is_string(), "{last}");
    let (number, steps) = (text.lines().count(), text.lines().count() - 1);
    assert_eq!(last["step"], number, "no number twice");
    run.says(&[
        &format!("stopped: {steps} steps"),
        &format!("in step {number}\n"),
        &format!("({steps} steps and the refused one)"),
    ]);
}

/// What is to be tried is what helps: the step that is given, and the solver's tolerance where there is no speed of sound.
#[test]
fn what_to_try_is_of_the_limit_and_the_solver_in_force() {
    let workplace = Workplace::new();
    let fast = super::support::COLUMN.replace("max = [0.5, 0.5]", "max = [0.5, 0.5]\nvelocity = [1e6, 0.0]");
    workplace.write("fast.toml", fast);
    let set = ["--set", "time_step.fixed_dt=0.002", "--set", "solver.method=dfsph"];
    let run = workplace.sph(&[&["run", "fast.toml"], &set[..]].concat()).expect(1);
    let run = run.says(&["time_step.fixed_dt=0.001 (now 0.002 s)", "solver.dfsph.tolerance=0.00005 (now 0.0001)"]);
    assert!(!run.stderr.contains("sound_speed") && !run.stderr.contains("cfl_factor"), "{}", run.stderr);
}

#[test]
fn a_reader_of_statistics_that_has_seen_enough_ends_the_run_quietly() {
    let workplace = Workplace::new();
    let mut child = workplace.start(&["run", "column.toml", "--until", "1000", "--stats", "-"]);
    drop(child.stdout.take());
    let run = Run::of(child.wait_with_output().unwrap()).expect(0);
    assert!(!run.stderr.contains("error") && !run.stderr.contains("stopped"), "{}", run.stderr);
}

#[cfg(unix)]
mod signals {
    use super::super::support::{assert_complete_ply, wait_for};
    use super::*;
    use std::process::{Child, Command};

    /// A run that would take hours, caught in the middle: when frame 3 is there, statistics are being written.
    fn long_run(workplace: &Workplace) -> Child {
        let arguments = ["--until", "1000", "--stats", "stats.jsonl", "--export", "ply=frames", "--every", "0.002"];
        let child = workplace.start(&[&["run", "column.toml"], &arguments[..]].concat());
        while !workplace.path("frames").is_dir()
            || workplace.list("frames").iter().filter(|name| name.ends_with(".ply")).count() < 4
        {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child
    }

    fn send(signal: &str, child: &Child) {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    }

    fn check_frames(workplace: &Workplace) {
        for name in workplace.list("frames").iter().filter(|name| name.ends_with(".ply") && !name.starts_with('.')) {
            assert_complete_ply(&workplace.path("frames").join(name));
        }
    }

    #[test]
    fn killed_it_leaves_no_incomplete_file_under_its_final_name() {
        let workplace = Workplace::new();
        let mut child = long_run(&workplace);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!workplace.path("stats.jsonl").exists());
        check_frames(&workplace);
    }

    #[test]
    fn interrupted_it_completes_its_outputs() {
        for signal in ["-INT", "-TERM"] {
            let workplace = Workplace::new();
            let child = long_run(&workplace);
            // Twice at once, as `timeout` does, is one request.
            send(signal, &child);
            send(signal, &child);
            let run = Run::of(child.wait_with_output().unwrap()).expect(0);
            run.says(&["interrupted at t = ", "wrote stats.jsonl", "frames in frames"]);
            wait_for(&workplace.path("stats.jsonl"));
            let text = workplace.read("stats.jsonl");
            assert!(text.ends_with('\n') && text.lines().count() > 3);
            for line in text.lines() {
                serde_json::from_str::<serde_json::Value>(line).expect("JSON");
            }
            check_frames(&workplace);
            let leftovers: Vec<_> = workplace.list("").into_iter().filter(|name| name.starts_with('.')).collect();
            assert_eq!(leftovers, [""; 0]);
        }
    }
}
