//! What a hand does by chance, as arguments of xdotool.

use super::super::random::Random;

/// Keys of the window's commands. Left out are those that leave the window or write into a scene file; the question whether to save is
/// answered by `ctrl+d` and Escape.
const KEYS: &[&str] = &[
    "space",
    "space",
    "space",
    "period",
    "comma",
    "Home",
    "End",
    "s",
    "r",
    "ctrl+z",
    "ctrl+shift+z",
    "f",
    "c",
    "p",
    "g",
    "t",
    "v",
    "x",
    "b",
    "a",
    "F1",
    "F11",
    "F12",
    "Escape",
    "Escape",
    "ctrl+d",
    "Tab",
    "shift+Tab",
    "Return",
    "Up",
    "Down",
    "Left",
    "Right",
    "Prior",
    "Next",
];

/// Texts for fields: numbers that are usual, far off, or none.
const TEXTS: &[&str] = &["0", "1", "0.01", "25", "-3", "1e9", "99999999", "abc", "1e-30", "0.5", "nan", "2000"];

/// Least and greatest sizes of the window, pixels. The least is below the least that the window asks for.
const SIZES: [[u32; 2]; 2] = [[240, 160], [1600, 1000]];

/// Something that a hand does.
#[derive(Debug, PartialEq)]
pub enum Input {
    /// Arguments of one call of xdotool; `{id}` is the window's number.
    Hand(Vec<String>),
    /// Title of a scene to open by the palette.
    Scene(String),
    /// Taking the window off the screen and, after so many milliseconds, back.
    Minimise(u64),
    /// A recording of so many milliseconds.
    Record(u64),
}

/// The next input to a window of `size` pixels, and the time to wait after it, ms.
pub fn next(random: &mut Random, size: [u32; 2], scenes: &[String]) -> (Input, u64) {
    let place = |random: &mut Random| size.map(|length| random.whole(0..length).to_string());
    let hand = |words: &[&str]| Input::Hand(words.iter().map(|&word| word.to_owned()).collect());
    let input = match random.whole(0..100) {
        0..28 => {
            let [x, y] = place(random);
            let button = random.one_of(&["1", "1", "1", "1", "1", "3", "2"]);
            let times = random.one_of(&["1", "1", "1", "2"]);
            hand(&["mousemove", &x, &y, "click", "--repeat", times, "--delay", "20", button])
        }
        28..46 => {
            let [[x0, y0], [x1, y1], [x2, y2]] = [place(random), place(random), place(random)];
            let button = random.one_of(&["1", "1", "1", "2", "3"]);
            let pause = random.one_of(&["0", "0.05", "0.2"]);
            let way = ["mousemove", &x1, &y1, "sleep", pause, "mousemove", &x2, &y2, "sleep", pause];
            hand(&[&["mousemove", &x0, &y0, "mousedown", button, "sleep", pause], &way[..], &["mouseup", button]].concat())
        }
        46..52 => {
            let [x, y] = place(random);
            let times = random.whole(1..8).to_string();
            hand(&["mousemove", &x, &y, "click", "--repeat", &times, "--delay", "10", random.one_of(&["4", "5"])])
        }
        52..82 => hand(&["key", random.one_of(KEYS)]),
        82..88 => {
            let [x, y] = place(random);
            let (text, end) = (random.one_of(TEXTS), random.one_of(&["Return", "Tab", "Escape"]));
            hand(&["mousemove", &x, &y, "click", "1", "key", "ctrl+a", "type", "--args", "1", text, "key", end])
        }
        88..92 => {
            let text = random.one_of(&["sl", "visc", "cell", "plot", "speed", "x"]);
            hand(&["key", "Escape", "ctrl+k", "type", "--args", "1", text, "key", "Down", random.one_of(&["Return", "Escape"])])
        }
        92..95 => {
            let size = [0, 1].map(|axis| random.whole(SIZES[0][axis]..SIZES[1][axis]).to_string());
            hand(&["windowsize", "{id}", &size[0], &size[1]])
        }
        95..97 => Input::Minimise(u64::from(random.whole(10..3000))),
        97 => Input::Record(u64::from(random.whole(100..3000))),
        _ => Input::Scene(scenes[random.whole(0..scenes.len() as u32) as usize].clone()),
    };
    (input, random.one_of(&[10, 50, 200, 400, 800]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_inputs_and_places_are_in_the_window() {
        let scenes = ["Dam break".to_owned()];
        let inputs = |seed| {
            let mut random = Random(seed);
            (0..500).map(|_| next(&mut random, [300, 200], &scenes).0).collect::<Vec<_>>()
        };
        assert_eq!(inputs(3), inputs(3));
        assert_ne!(inputs(3), inputs(4));
        for input in inputs(3) {
            if let Input::Hand(words) = &input
                && words[0] == "mousemove"
            {
                let [x, y]: [u32; 2] = [&words[1], &words[2]].map(|word| word.parse().expect("a number"));
                assert!(x < 300 && y < 200, "{input:?}");
            }
        }
    }
}
