//! Published colour maps: their tables, and the colours between two entries.

/// A published map: its colours at even distances, 0xRRGGBB.
pub(super) type Table = &'static [u32];

/// The colour at `t`, 0 to 1, linear between two of `colors`, as sRGB.
pub(super) fn sample(colors: Table, t: f32) -> [u8; 3] {
    let place = t * (colors.len() - 1) as f32;
    let first = (place as usize).min(colors.len() - 2);
    let part = place - first as f32;
    let [from, to] = [first, first + 1].map(|index| channels(colors[index]));
    std::array::from_fn(|channel| {
        let [from, to] = [from, to].map(|color| f32::from(color[channel]));
        (from + part * (to - from)).round() as u8
    })
}

fn channels(color: u32) -> [u8; 3] {
    let [_, red, green, blue] = color.to_be_bytes();
    [red, green, blue]
}
