//! Check for a display, made before the windowing library panics without one.

/// One line that says what is missing and what works without it; `None` if there may be a display.
pub fn missing() -> Option<&'static str> {
    // macOS and Windows always have a window server; elsewhere on Unix it announces itself through the environment.
    let always = cfg!(not(unix)) || cfg!(any(target_vendor = "apple", target_os = "android"));
    let announced = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"]
        .into_iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    (!always && !announced).then_some(
        "there is no display to open a window on; without one, `sph run SCENE` simulates and `sph render SCENE --out DIR` leaves pictures",
    )
}
