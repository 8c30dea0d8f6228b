//! The C library's allocator, which Rust, the graphics driver and its compiler share.
//!
//! glibc maps large blocks one by one and unmaps them when they are freed. But with each that is freed it raises the size from which it does
//! so, up to 32 MiB: particles, pictures and tables then come from its heaps, which small blocks that live on keep from shrinking.

/// Size from which blocks are mapped one by one, and of free memory at the end of a heap that is given back, bytes.
const THRESHOLD: i32 = 1 << 20;

/// Holds the size from which blocks are mapped one by one. Does nothing on other systems.
pub fn give_back_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for parameter in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        // SAFETY: both parameters take any size, at any time and on any thread.
        if unsafe { libc::mallopt(parameter, THRESHOLD) } == 0 {
            log::info!("the allocator keeps its own thresholds");
        }
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::process::Command;

    /// Set in the process of its own that the test starts.
    const ALONE: &str = "SPH_TEST_ALONE";

    // Other tests leave free memory in the heaps, which serves large blocks too.
    #[test]
    fn large_blocks_are_mapped_after_larger_ones_were_freed() {
        if std::env::var_os(ALONE).is_none() {
            let (_, module) = module_path!().split_once("::").unwrap();
            let name = format!("{module}::large_blocks_are_mapped_after_larger_ones_were_freed");
            let mut alone = Command::new(std::env::current_exe().unwrap());
            let output = alone.args(["--exact", &name]).env(ALONE, "1").output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains("1 passed"), "{said}");
            return;
        }
        give_back_large_blocks();
        drop(black_box(vec![1_u8; 24 << 20]));
        let blocks = [(); 6].map(|()| black_box(vec![1_u8; 4 << 20]));
        // A block that is mapped alone begins behind two words at the start of a page.
        let places = blocks.each_ref().map(|block| block.as_ptr() as usize % 4096);
        assert_eq!(places, [2 * size_of::<usize>(); 6]);
    }
}
