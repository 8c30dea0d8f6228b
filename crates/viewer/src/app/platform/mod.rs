//! Platform requirements of a window, checked before winit panics, and settings of the process.

mod allocator;

pub use allocator::give_back_large_blocks;

use winit::error::EventLoopError;

/// Reason why no window can be opened, with advice.
#[derive(Debug, thiserror::Error)]
pub enum PlatformError {
    /// A library that winit loads at run time, and panics without.
    #[error("the library {library} is missing, which windows need; on Debian and Ubuntu it is in the package {package}")]
    MissingLibrary {
        /// Its file name.
        library: &'static str,
        /// The package that contains it.
        package: &'static str,
    },
    /// No display, or one that cannot be used.
    #[error(
        "no window can be opened: {}; without one, `sph run SCENE` simulates and `sph render SCENE --out DIR` leaves pictures",
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
