//! Line charts as SVG.

use super::svg::escape;
use std::fmt::Write;

/// Colours of lines on white, told apart by people with any kind of colour vision (Wong2011).
pub const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Space around the plot for numbers and names, pixels.
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 46.0;
const TOP: f64 = 22.0;

/// A line through points from left to right.
pub struct Line {
    pub name: String,
    pub color: &'static str,
    pub dashed: bool,
    pub points: Vec<[f64; 2]>,
}

/// A chart: x logarithmic, with a tick at each of `ticks`; y from 0 to `top`, where lines that go higher are cut off.
pub struct Chart<'a> {
    pub heading: &'a str,
    pub x_label: &'a str,
    pub ticks: &'a [(f64, String)],
    pub top: f64,
    pub lines: &'a [Line],
}

impl Chart<'_> {
    /// The chart in a rectangle: left, top, width, height in pixels.
    pub fn svg(&self, [x, y, width, height]: [f64; 4], id: &str) -> String {
        let Self { heading, x_label, ticks, top, lines } = self;
        let (left, right, ceiling, floor) = (x + LEFT, x + width - 12.0, y + TOP, y + height - BOTTOM);
        let ends = [ticks.first(), ticks.last()].map(|tick| tick.map_or(1.0, |tick| tick.0.ln()));
        let span = (ends[1] - ends[0]).max(1e-9);
        let across = |value: f64| left + (right - left) * (value.ln() - ends[0]) / span;
        let up = |value: f64| floor - (floor - ceiling) * value / top;
        let mut text = format!("<text x=\"{left:.1}\" y=\"{:.1}\" fill=\"#47536b\">{}</text>\n", y + 10.0, escape(heading));
        for (value, label) in even_ticks(*top) {
            let level = up(value);
            let _ = writeln!(
                text,
                "<line x1=\"{left:.1}\" y1=\"{level:.1}\" x2=\"{right:.1}\" y2=\"{level:.1}\" stroke=\"#dfe3ea\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"12\" fill=\"#1b2433\">{label}</text>",
                left - 6.0,
                level + 4.0
            );
        }
        for (value, label) in *ticks {
            let place = across(*value);
            let _ = writeln!(
                text,
                "<line x1=\"{place:.1}\" y1=\"{floor:.1}\" x2=\"{place:.1}\" y2=\"{:.1}\" stroke=\"#8b95a7\"/>\
                 <text x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"12\" fill=\"#1b2433\">{}</text>",
                floor + 4.0,
                floor + 18.0,
                escape(label)
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#47536b\">{}</text>\n\
             <clipPath id=\"{id}\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/></clipPath>",
            0.5 * (left + right),
            floor + 38.0,
            escape(x_label),
            left - 4.0,
            ceiling,
            right - left + 8.0,
            floor - ceiling + 4.0
        );
        for Line { color, dashed, points, .. } in *lines {
            let places: Vec<String> = points.iter().map(|&[a, b]| format!("{:.1},{:.1}", across(a), up(b))).collect();
            let dash = if *dashed { " stroke-dasharray=\"6 4\"" } else { "" };
            let _ = writeln!(
                text,
                "<polyline clip-path=\"url(#{id})\" points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"{dash}/>",
                places.join(" ")
            );
            for &[a, b] in points.iter().filter(|point| point[1] <= *top) {
                let _ = writeln!(text, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\" fill=\"{color}\"/>", across(a), up(b));
            }
        }
        text
    }
}

/// Names of lines side by side from `x`, on the baseline `y`, broken before `width`; the text, and the lowest baseline.
pub fn legend(lines: &[Line], x: f64, y: f64, width: f64) -> (String, f64) {
    let (mut text, mut place, mut baseline) = (String::new(), x, y);
    for Line { name, color, dashed, .. } in lines {
        let long = 34.0 + 7.2 * name.chars().count() as f64;
        if place + long > x + width {
            (place, baseline) = (x, baseline + 20.0);
        }
        let level = baseline - 4.0;
        let dash = if *dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let _ = writeln!(
            text,
            "<line x1=\"{place:.1}\" y1=\"{level:.1}\" x2=\"{:.1}\" y2=\"{level:.1}\" stroke=\"{color}\" stroke-width=\"3\"{dash}/>\
             <text x=\"{:.1}\" y=\"{baseline:.1}\" fill=\"#1b2433\">{}</text>",
            place + 20.0,
            place + 26.0,
            escape(name)
        );
        place += long;
    }
    (text, baseline)
}

/// Round values from 0 to at most `top`, four to eight of them.
fn even_ticks(top: f64) -> Vec<(f64, String)> {
    let rough = top / 5.0;
    let magnitude = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude).into_iter().find(|&step| step >= rough).unwrap_or(rough);
    let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    (0..=(top / step + 1e-9) as usize).map(|k| (k as f64 * step, format!("{:.decimals$}", k as f64 * step))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let labels = |top| even_ticks(top).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(10.0), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(0.7), ["0.0", "0.2", "0.4", "0.6"]);
        assert_eq!(labels(33.0), ["0", "10", "20", "30"]);
    }
}
