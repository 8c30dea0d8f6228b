//! Changes of text: tokens, values, lines and blocks.

use crate::random::Random;
use std::ops::Range;

/// Values that are of the wrong kind or out of range at most places.
const ODD: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "1e-9",
    "1e-40",
    "1e-300",
    "1e6",
    "1e9",
    "-1e9",
    "1e20",
    "1e38",
    "-1e38",
    "1e300",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "0x10",
    "true",
    "false",
    "null",
    "\"\"",
    "\"a\"",
    "\"é\\u0000\"",
    "\"../x\"",
    "[]",
    "{}",
    "[0]",
    "[0, 0]",
    "[0, 0, 0]",
    "[1, 1, 1, 1]",
    "[[0, 0]]",
    "[nan, 0]",
    "[1e38, -1e38, 1e38]",
    "{ a = 1 }",
    "[{}]",
    "{ \"a\": 1 }",
    "1979-05-27",
    "\u{feff}",
    "🌊",
    "\0",
    "\r",
    "'''",
    "\"",
    "[[",
    "]]",
    "=",
    ".",
    ",",
    "#",
];

/// `text` after one change.
pub fn changed(text: &str, other: &str, words: &[String], random: &mut Random) -> String {
    let tokens = tokens(text);
    let numbers = || tokens.iter().filter(|token| text[(*token).clone()].parse::<f64>().is_ok()).cloned().collect::<Vec<_>>();
    match random.below(16) {
        0..=3 => match numbers() {
            numbers if numbers.is_empty() => inserted(text, odd(random), random),
            numbers => {
                let place = random.pick(&numbers).clone();
                let value = number(&text[place.clone()], random);
                replaced(text, place, &value)
            }
        },
        4..=6 => match values(text) {
            values if values.is_empty() => inserted(text, odd(random), random),
            values => {
                let place = random.pick(&values).clone();
                let from = if random.once_in(3) { self::values(other) } else { Vec::new() };
                let value = match (from.is_empty(), random.below(3)) {
                    (false, _) => other[random.pick(&from).clone()].to_owned(),
                    (true, 0) if !words.is_empty() => random.pick(words).clone(),
                    _ => odd(random).to_owned(),
                };
                replaced(text, place, &value)
            }
        },
        7 if !tokens.is_empty() => replaced(text, random.pick(&tokens).clone(), ""),
        8 if !tokens.is_empty() && !words.is_empty() => {
            replaced(text, random.pick(&tokens).clone(), random.pick(words).as_str())
        }
        9 if !tokens.is_empty() => {
            let others = self::tokens(other);
            let token = if others.is_empty() { "" } else { &other[random.pick::<Range<usize>>(&others).clone()] };
            replaced(text, random.pick(&tokens).clone(), token)
        }
        10 if !words.is_empty() => {
            let value = if random.once_in(3) { random.pick(words).as_str() } else { odd(random) };
            let line = format!("{} = {value}\n", random.pick(words));
            replaced(text, line_start(text, random), &line)
        }
        11 => nested(text, random),
        12 => inserted(text, odd(random), random),
        _ => lines(text, other, random),
    }
}

fn odd(random: &mut Random) -> &'static str {
    ODD[random.below(ODD.len())]
}

/// A number like another: larger, smaller, negative, or extreme.
fn number(text: &str, random: &mut Random) -> String {
    let value: f64 = text.parse().unwrap_or(0.0);
    match random.below(8) {
        0 => format!("{}", -value),
        1 => format!("{}", value * 10.0),
        2 => format!("{}", value / 10.0),
        3 => format!("{}", value + 1.0),
        4 => format!("{:e}", value * 10f64.powi(random.below(80) as i32 - 40)),
        5 => format!("{}", value * (0.5 + random.below(1000) as f64 / 1000.0)),
        _ => odd(random).to_owned(),
    }
}

/// Changes of whole lines: removed, doubled, moved, exchanged, taken from `other`.
fn lines(text: &str, other: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let range = random.range(lines.len());
    let at = random.below(lines.len() + 1);
    match random.below(6) {
        0 => drop(lines.drain(range)),
        1 => {
            let copy = lines[range].to_vec();
            lines.splice(at..at, copy);
        }
        2 if !lines.is_empty() => {
            let (first, second) = (random.below(lines.len()), random.below(lines.len()));
            lines.swap(first, second);
        }
        3 => {
            let others: Vec<&str> = other.split_inclusive('\n').collect();
            lines.splice(range, others[random.range(others.len())].iter().copied());
        }
        4 => lines.truncate(at),
        _ if !lines.is_empty() => drop(lines.remove(random.below(lines.len()))),
        _ => {}
    }
    lines.concat()
}

/// Many brackets, one within the other.
fn nested(text: &str, random: &mut Random) -> String {
    let (open, close) = *random.pick(&[("[", "]"), ("{\"a\":", "}"), ("{ a = ", "}"), ("a.", "")]);
    let depth = 10usize.pow(random.below(5) as u32);
    let value = format!("{}0{}", open.repeat(depth), close.repeat(if random.once_in(4) { 0 } else { depth }));
    match values(text) {
        values if values.is_empty() => inserted(text, &value, random),
        values => replaced(text, random.pick(&values).clone(), &value),
    }
}

fn inserted(text: &str, part: &str, random: &mut Random) -> String {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    replaced(text, at..at, part)
}

fn replaced(text: &str, place: Range<usize>, part: &str) -> String {
    format!("{}{part}{}", &text[..place.start], &text[place.end..])
}

/// The start of a line.
fn line_start(text: &str, random: &mut Random) -> Range<usize> {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let at = *random.pick(&starts);
    at..at
}

/// Values: what follows `=` or `:`, to the end of the line or to a comma or bracket that is not its own.
fn values(text: &str) -> Vec<Range<usize>> {
    let starts = text.match_indices(['=', ':']).map(|(at, _)| at + 1);
    starts.map(|start| start..start + value_length(&text[start..])).collect()
}

fn value_length(text: &str) -> usize {
    let (mut depth, mut quoted) = (0u32, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '\n' if depth == 0 => return at,
            _ if quoted => {}
            '[' | '{' => depth += 1,
            ']' | '}' if depth == 0 => return at,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Words and numbers, quoted text, and single other characters.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let is_word = |letter: char| letter.is_alphanumeric() || "_.+-".contains(letter);
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let mut end = start + letter.len_utf8();
        if is_word(letter) {
            while let Some((at, next)) = letters.next_if(|&(_, next)| is_word(next)) {
                end = at + next.len_utf8();
            }
        } else if letter == '"' {
            for (at, next) in letters.by_ref() {
                end = at + next.len_utf8();
                if next == '"' || next == '\n' {
                    break;
                }
            }
        }
        if !letter.is_whitespace() {
            tokens.push(start..end);
        }
    }
    tokens
}
