//! Memory that this process may still take.

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Address space that each thread takes besides the particles: its stack, and an arena of the allocator.
#[cfg(unix)]
const BYTES_OF_THREAD: u64 = 66 << 20;

/// Memory that is available, bytes: of the machine, of the control group, and of the limits set for this process (`ulimit -v`);
/// `None` if the system tells nothing.
pub fn available_memory() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let group = system.cgroup_limits().filter(|limits| limits.total_memory > 0).map(|limits| limits.free_memory);
    [machine, group, available_address_space(&mut system)].into_iter().flatten().min()
}

/// Rest of the address space that this process is limited to, bytes; `None` without a limit.
#[cfg(unix)]
fn available_address_space(system: &mut System) -> Option<u64> {
    let limit = |resource: rlimit::Resource| resource.get_soft().ok().filter(|&bytes| bytes != rlimit::INFINITY);
    let limit = [rlimit::Resource::AS, rlimit::Resource::DATA].into_iter().filter_map(limit).min()?;
    let pid = Pid::from_u32(std::process::id());
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, ProcessRefreshKind::nothing().with_memory());
    let taken = system.process(pid).map_or(0, sysinfo::Process::virtual_memory);
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    Some(limit.saturating_sub(taken).saturating_sub(threads * BYTES_OF_THREAD))
}

/// Windows has no such limit; that of a job is in what the system says is available.
#[cfg(not(unix))]
fn available_address_space(_system: &mut System) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_memory() {
        assert!(available_memory().unwrap() > 1 << 24);
    }
}
