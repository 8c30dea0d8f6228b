//! What is measured on the way, and the bounds that it is held to.

use std::fmt::Write as _;

/// Resident memory beyond the ring of kept moments that the program may have at any time, MiB: the driver, the largest scene with a second
/// grid beside it, and tables of millions of buckets.
const OTHER_MEMORY: f64 = 2048.0;

/// Growth that is allowed between the first scene at the start and the same scene, opened again, at the end, MiB: what the allocator keeps
/// of memory that was freed.
const GROWTH: f64 = 384.0;

/// Rows of the table.
const ROWS: usize = 12;

/// A measurement.
pub struct Sample {
    /// Time since the start, s.
    pub seconds: f64,
    /// Resident memory, now and at most since the program's start, MiB.
    pub resident: [f64; 2],
    /// Number of inputs so far.
    pub inputs: u32,
    /// Memory of the kept moments and its limit, MiB.
    pub kept: [f64; 2],
    /// Title of the window.
    pub title: String,
}

/// All measurements.
#[derive(Default)]
pub struct Record {
    pub samples: Vec<Sample>,
    /// Resident memory of the first scene at the start and at the end, MiB.
    pub first_scene: Vec<f64>,
    /// Times that an input has closed the window.
    pub closed: u32,
}

/// Memory of the kept moments and its limit, MiB, in a line about frames.
pub fn kept(line: &str) -> Option<[f64; 2]> {
    let (kept, limit) = line.rsplit_once("kept ")?.1.strip_suffix(" MiB")?.split_once(" of ")?;
    Some([kept.parse().ok()?, limit.parse().ok()?])
}

impl Record {
    /// The table and its summary.
    pub fn table(&self) -> String {
        let mut text = "  minute  resident MiB  kept MiB  inputs  scene\n".to_owned();
        let last = self.samples.len().saturating_sub(1);
        for row in 0..=ROWS.min(last) {
            let Sample { seconds, resident: [resident, _], inputs, kept: [kept, _], title } =
                &self.samples[row * last / ROWS.min(last).max(1)];
            let _ = writeln!(text, "  {:6.1}  {resident:12.0}  {kept:8.1}  {inputs:6}  {title}", seconds / 60.0);
        }
        let kept = self.samples.iter().map(|sample| sample.kept[0]).fold(0.0, f64::max);
        let limit = self.limit();
        let first: Vec<_> = self.first_scene.iter().map(|resident| format!("{resident:.0}")).collect();
        let _ = writeln!(
            text,
            "resident memory: at most {:.0} MiB; with the first scene {} MiB",
            self.most(),
            first.join(", then ")
        );
        let _ = writeln!(text, "kept moments: at most {kept:.1} of {limit:.0} MiB");
        let _ = writeln!(text, "closed by an input and started again: {}", self.closed);
        text
    }

    /// Bounds that were exceeded.
    pub fn breaches(&self) -> Vec<String> {
        let mut breaches = Vec::new();
        let bound = self.limit() + OTHER_MEMORY;
        if self.most() > bound {
            breaches.push(format!("resident memory of {:.0} MiB, at most {bound:.0}", self.most()));
        }
        if let Some(sample) = self.samples.iter().find(|sample| sample.kept[0] > sample.kept[1]) {
            let [kept, limit] = sample.kept;
            breaches.push(format!("kept moments take {kept:.1} MiB, at most {limit:.0}"));
        }
        if let [start, .., end] = self.first_scene[..]
            && end > start + GROWTH
        {
            breaches.push(format!(
                "the first scene takes {end:.0} MiB at the end and {start:.0} at the start, at most {GROWTH:.0} more"
            ));
        }
        breaches
    }

    fn most(&self) -> f64 {
        self.samples.iter().map(|sample| sample.resident[1]).fold(0.0, f64::max)
    }

    fn limit(&self) -> f64 {
        self.samples.iter().map(|sample| sample.kept[1]).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(resident: f64, kept: f64, end: f64) -> Record {
        let sample =
            Sample { seconds: 10.0, resident: [resident; 2], inputs: 5, kept: [kept, 512.0], title: "Dam break".to_owned() };
        Record { samples: vec![sample], first_scene: vec![200.0, end], closed: 0 }
    }

    #[test]
    fn lines_about_frames_have_the_ring() {
        assert_eq!(kept("5.0 frames/s; kept 31.5 of 512 MiB"), Some([31.5, 512.0]));
        assert_eq!(kept("5.0 frames/s"), None);
    }

    #[test]
    fn each_bound_is_held() {
        assert!(record(900.0, 500.0, 300.0).breaches().is_empty());
        assert!(record(2600.0, 500.0, 300.0).breaches()[0].contains("2600 MiB"));
        assert!(record(900.0, 513.0, 300.0).breaches()[0].contains("kept moments"));
        assert!(record(900.0, 500.0, 700.0).breaches()[0].contains("700 MiB at the end"));
        assert!(record(900.0, 500.0, 300.0).table().contains("at most 900 MiB; with the first scene 200, then 300 MiB"));
    }
}
