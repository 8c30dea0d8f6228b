//! Runs on a disk that fills: a small file system in memory, mounted in a name space of its own, which needs no rights.

use super::resuming::{OUTPUTS, results, sandbox};
use super::support::Sandbox;
use std::process::Command;

/// Runs the lines of `script` with the folder `disk`, of 64 KiB, as the present one; `$sph` is the program with the outputs of all tests,
/// and `grow` makes the disk larger. False if the system has no such name spaces.
fn on_a_small_disk(sandbox: &Sandbox, script: &str) -> bool {
    std::fs::create_dir(sandbox.path("disk")).unwrap();
    let whole = format!(
        "mount -t tmpfs -o size=64k none disk || exit 77\n\
         cp probed.toml disk && cd disk || exit 1\n\
         grow() {{ mount -o remount,size=16m none ../disk; }}\n\
         sph() {{ {sph} \"$@\" {outputs} --checkpoint a.checkpoint --checkpoint-every 0.002; }}\n\
         {script}\n\
         cp -r . ../after",
        sph = env!("CARGO_BIN_EXE_sph"),
        outputs = OUTPUTS.join(" ")
    );
    let unshare = Command::new("unshare").args(["-rm", "sh", "-c", &whole]).current_dir(sandbox.path("")).output();
    let Ok(output) = unshare else { return false };
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) || said.contains("unshare failed") {
        println!("skipped, as there is no disk to fill: {said}");
        return false;
    }
    assert!(output.status.success(), "{said}");
    true
}

/// The results of the run in the folder `after`, which are those of a run with space enough.
fn assert_whole(sandbox: &Sandbox) {
    let whole = super::resuming::sandbox();
    whole.sph(&[&["run", "probed.toml"], &OUTPUTS[..]].concat()).expect(0);
    assert!(results(sandbox, "after/") == results(&whole, ""));
}

#[test]
fn a_run_that_stops_on_a_full_disk_is_resumed() {
    let sandbox = sandbox();
    let script = "sph run probed.toml 2> ../said; echo $? > ../status; cp -r . ../full; grow; sph run --resume a.checkpoint";
    if !on_a_small_disk(&sandbox, script) {
        return;
    }
    assert_eq!(sandbox.read("status"), "1\n");
    assert!(sandbox.read("said").contains("No space left on device"), "{}", sandbox.read("said"));
    // What has its final name on the full disk is whole.
    for name in sandbox.list("full/frames").iter().filter(|name| !name.starts_with('.')) {
        assert_eq!(sandbox.read(&format!("full/frames/{name}")), sandbox.read(&format!("after/frames/{name}")));
    }
    assert_whole(&sandbox);
}

#[test]
fn a_run_that_waits_on_a_full_disk_goes_on_when_there_is_space() {
    let sandbox = sandbox();
    let script = "sph run probed.toml --on-full-disk wait 2> ../said &\n\
                  for second in $(seq 120); do grep -q 'waiting for space' ../said && break; sleep 1; done\n\
                  sleep 1; kill -0 $! && echo waits > ../status; grow; wait $! || exit 1";
    if !on_a_small_disk(&sandbox, script) {
        return;
    }
    assert_eq!(sandbox.read("status"), "waits\n");
    assert!(sandbox.read("said").contains("the disk is full: waiting for space"), "{}", sandbox.read("said"));
    assert_whole(&sandbox);
}
