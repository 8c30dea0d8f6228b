//! Platform requirements of a window, checked before winit panics, and settings of the process.

use winit::error::EventLoopError;

/// Reason why no window can be opened, with advice.
#[derive(Debug, thiserror::Error)]
pub enum PlatformError {
    /// A library that winit loads at run time, and panics without.
    #[error("the library {library}, which the window needs, is missing; on Debian and Ubuntu it is in the package {package}")]
    MissingLibrary {
        /// Its file name.
        library: &'static str,
        /// The package that contains it.
        package: &'static str,
    },
    /// No display, or one that cannot be used.
    #[error(
        "no window can be opened: {}; without one, `sph run SCENE` simulates and `sph render SCENE --out DIR` saves pictures",
        reason(.0)
    )]
    NoDisplay(#[from] EventLoopError),
}

/// The reason of an error, without the source location that winit's errors begin with.
fn reason(error: &EventLoopError) -> String {
    let text = error.to_string();
    let after_location = text.split_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    after_location.map_or(text.clone(), |(_, reason)| reason.to_owned())
}

/// Checks for the libraries without which winit would panic.
///
/// # Errors
/// The first library missing.
pub fn check() -> Result<(), PlatformError> {
    #[cfg(target_os = "linux")]
    linux::check()?;
    Ok(())
}

#[cfg(target_os = "linux")]
mod linux {
    use super::PlatformError;

    const COMMON: (&str, &str) = ("libxkbcommon.so.0", "libxkbcommon0");
    const X11: (&str, &str) = ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0");

    pub fn check() -> Result<(), PlatformError> {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let wayland = is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET");
        let needed: &[_] = match (wayland, is_set("DISPLAY")) {
            // The order in which winit chooses.
            (true, _) => &[COMMON],
            (false, true) => &[COMMON, X11],
            // winit itself says that there is no display.
            (false, false) => &[],
        };
        for &(library, package) in needed {
            // SAFETY: these are the libraries that winit is about to open itself; their initialisers have no preconditions.
            let opened = unsafe { libloading::Library::new(library) };
            if opened.is_err() {
                return Err(PlatformError::MissingLibrary { library, package });
            }
        }
        Ok(())
    }
}

/// One line that says what is missing and what works without it; `None` if there may be a display.
pub fn missing_display() -> Option<&'static str> {
    // macOS and Windows always have a window server; elsewhere on Unix it announces itself through the environment.
    let always = cfg!(not(unix)) || cfg!(any(target_vendor = "apple", target_os = "android"));
    let announced = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"]
        .into_iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    (!always && !announced).then_some(
        "there is no display to open a window on; without one, `sph run SCENE` simulates and `sph render SCENE --out DIR` saves pictures",
    )
}

// The C library's allocator, which Rust, the graphics driver and its compiler share.
//
// glibc maps large blocks one by one and unmaps them when they are freed. But with each that is freed it raises the size from which it does
// so, up to 32 MiB: particles, pictures and tables then come from its heaps, which small blocks that live on keep from shrinking.

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

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::process::Command;

    use super::*;

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
