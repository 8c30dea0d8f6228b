//! `sph bench --structures`: all neighbour-search structures on the same scene, in one run.

use std::fmt::Write;
use std::time::Duration;

use crate::charts::{Axis, BELOW, Grid, INK, LEFT, LINE, TEXT, at, axes, page, text, units};
use crate::searched::Searched;
use crate::simulate::{Interrupt, Simulator};
use crate::{Failure, console};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use serde_json::{Value, json};
use sph_core::neighbors::{GridParameters, Occupancy, SearchStats, Structure};
use sph_core::point_sets::PointSet;
use sph_core::{Phase, StepError};
use sph_io::grouped;

/// Steps with one structure per turn. The fluid moves on meanwhile, by the same motion for all; short turns keep the states
/// similar on which the structures are measured.
const TURN: usize = 10;

/// Warm-up steps at the beginning of a turn: a new structure allocates, and an incremental one starts empty.
const WARM_UP: usize = 2;

impl Searched {
    /// Makes a step, and returns the times of building and of queries (ms), and the statistics of the search.
    fn step(&self, simulator: &mut Simulator) -> Result<Sample, StepError> {
        let stats = simulator.step();
        if let Some(error) = stats.error {
            return Err(error);
        }
        let ms = |time: Duration| 1e3 * time.as_secs_f64();
        Ok(match self {
            Self::Fluid => {
                let [build, query] = [Phase::Build, Phase::Query].map(|phase| ms(stats.phases[phase]));
                Sample { build, query, points: stats.particles, search: stats.search }
            }
            Self::Set(index, _, together) => {
                let view = simulator.engine().view();
                let search = view.set_searches[*index].stats.clone();
                let points = view.sets[together.clone()].iter().map(PointSet::len).sum();
                Sample { build: ms(search.build), query: ms(search.query), points, search }
            }
        })
    }
}

/// Search in one step.
struct Sample {
    /// Times, ms.
    build: f64,
    query: f64,
    points: usize,
    search: SearchStats,
}

/// A structure and its cost.
pub struct Row {
    pub structure: Structure,
    /// Median times, ms.
    pub build: f64,
    pub query: f64,
    /// Number of particles, or of points of the set.
    pub particles: usize,
    /// Search statistics of the last measured step.
    pub search: Option<SearchStats>,
}

impl Row {
    /// Name and options, as `bucket_hash fixed rebuilt once`.
    pub fn name(&self) -> String {
        self.structure.to_string()
    }

    /// Build and query together, ms.
    pub fn sum(&self) -> f64 {
        self.build + self.query
    }
}

/// Measures `structures` alternately until each has `steps` measured steps.
///
/// # Errors
/// If the simulation failed, or was interrupted.
pub fn measure(
    simulator: &mut Simulator,
    searched: &Searched,
    structures: &[Structure],
    steps: usize,
    interrupt: Interrupt,
) -> Result<Vec<Row>, Failure> {
    let grid = searched.grid(simulator.engine());
    let discretization = *simulator.engine().view().discretization;
    let mut measured: Vec<Vec<Sample>> = structures.iter().map(|_| Vec::new()).collect();
    let turns = steps.div_ceil(TURN - WARM_UP);
    for turn in 1..=turns {
        for (&structure, measured) in structures.iter().zip(&mut measured) {
            let other = GridParameters { structure, ..grid };
            match searched {
                Searched::Fluid => simulator.set_grid(other.adapted_from(&grid, &discretization))?,
                Searched::Set(index, ..) => {
                    let bucket_capacity = other.bucket_capacity.min(other.most_places_per_bucket());
                    simulator.set_point_grid(*index, GridParameters { bucket_capacity, ..other })?;
                }
            }
            for step in 0..TURN {
                if interrupt.requested() {
                    return Err(Failure::Run("interrupted before every structure was measured".to_owned()));
                }
                let sample = searched.step(simulator).map_err(|error| Failure::Run(format!("with {structure}: {error}")))?;
                if step >= WARM_UP {
                    measured.push(sample);
                }
            }
            console::say(&format!("round {turn} of {turns}: {structure}"));
        }
    }
    Ok(structures.iter().zip(measured).map(|(&structure, measured)| row(structure, measured)).collect())
}

fn row(structure: Structure, measured: Vec<Sample>) -> Row {
    let median = |time: &dyn Fn(&Sample) -> f64| {
        let mut times: Vec<f64> = measured.iter().map(time).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(0.0)
    };
    let (build, query) = (median(&|sample| sample.build), median(&|sample| sample.query));
    let particles = measured.last().map_or(0, |sample| sample.points);
    Row { structure, build, query, particles, search: measured.into_iter().last().map(|sample| sample.search) }
}

/// One line per structure, the cheapest first.
pub fn table(searched: &Searched, rows: &[Row]) -> String {
    let mut text = format!(
        "{:<42}{:>10}{:>10}{:>10}{:>12}{:>12}{:>10}\n",
        "structure", "build ms", "query ms", "sum ms", "candidates", "KiB", "spills"
    );
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| a.sum().total_cmp(&b.sum()));
    for row in sorted {
        let (candidates, bytes, spills) = row.search.as_ref().map_or((0.0, 0, 0), |search| {
            (search.candidates_per_neighbor(), search.occupancy.bytes / 1024, search.occupancy.spills)
        });
        let _ = writeln!(
            text,
            "{:<42}{:>10.3}{:>10.3}{:>10.3}{candidates:>12.2}{bytes:>12}{spills:>10}",
            row.name(),
            row.build,
            row.query,
            row.sum(),
        );
    }
    let points = rows.first().map_or(0, |row| row.particles);
    let _ = match searched {
        Searched::Fluid => Ok(()),
        Searched::Set(_, name, together) => {
            let others = if together.len() > 1 { format!(" and {} more", together.len() - 1) } else { String::new() };
            writeln!(text, "search of {name}{others}: {} points", grouped(points as u64))
        }
    };
    text + "candidates: distances tested per " + searched.found() + " found"
}

/// The results as JSON.
pub fn json(searched: &Searched, rows: &[Row]) -> Value {
    let candidates = format!("candidates_per_{}", if *searched == Searched::Fluid { "neighbor" } else { "pair" });
    let row = |row: &Row| {
        let occupancy = row.search.as_ref().map(|search| &search.occupancy);
        json!({
            "structure": row.structure.name(),
            "options": row.structure.option_names(),
            "build_ms": row.build,
            "query_ms": row.query,
            (candidates.as_str()): row.search.as_ref().map(SearchStats::candidates_per_neighbor),
            "bytes": occupancy.map(|occupancy| occupancy.bytes),
            "spills": occupancy.map(|occupancy| occupancy.spills),
            "hash_quality": occupancy.map(Occupancy::hash_quality),
            "longest_bucket": occupancy.map(|occupancy| occupancy.longest_bucket),
        })
    };
    json!({
        "optimized": !cfg!(debug_assertions),
        "search_of": searched.name(),
        "particles": rows.first().map(|row| row.particles),
        "structures": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

// A bar chart of what the structures cost, as SVG.

/// Sizes in pixels.
const WIDTH: f64 = 860.0;
const NAMES: f64 = 300.0;
const ROW: f64 = 24.0;
const TOP: f64 = 64.0;

/// Colours of the two parts of a bar.
const BUILD: RGBColor = RGBColor(0x2a, 0x6f, 0xdb);
const QUERY: RGBColor = RGBColor(0x6f, 0xc3, 0xf2);

/// Ratio of the dearest to the cheapest above which a common scale from zero would hide all but the dearest.
const FLATTENED: f64 = 20.0;

/// The cheapest structure on top. Build and query are stacked on a scale from zero; where one structure would flatten the others, such as
/// brute force, their sum is on a logarithmic scale with the build, a narrower bar, within it.
pub fn svg(title: &str, rows: &[Row]) -> String {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| b.sum().total_cmp(&a.sum()));
    let most = sorted.first().map_or(1.0, |row| row.sum()).max(1e-6);
    let least = sorted.last().map_or(1.0, |row| row.sum()).max(1e-6);
    let logarithmic = most / least > FLATTENED;
    // Room for the number behind the longest bar.
    let (cost, start) = if logarithmic {
        let start = 0.5 * least;
        (Axis::logarithmic("ms per step (medians), logarithmic", start..most * (most / start).powf(0.16)), start)
    } else {
        (Axis::between("ms per step (medians)", 0.0..1.1 * most, 8), 0.0)
    };
    let place = |value: f64| if logarithmic { value.max(start).ln() } else { value };
    let names = Axis::named("", sorted.iter().map(|row| row.name()).collect());
    page([WIDTH, TOP + ROW * sorted.len() as f64 + BELOW], title, |area| {
        let query = if logarithmic { "build and query" } else { "query" };
        for (number, (name, color)) in [("build", BUILD), (query, QUERY)].into_iter().enumerate() {
            let [x, y] = [LEFT + 70.0 * number as f64, 42.0];
            area.draw(&Rectangle::new([at([x, y - 5.0]), at([x + 10.0, y + 5.0])], color.filled()))?;
            area.draw_text(name, &text(TEXT, INK, HPos::Left), at([x + 16.0, y]))?;
        }
        let plot = axes(&area.margin(units(TOP), 0, 0, units(LINE)), NAMES, cost, names, Grid::OfX)?;
        for (row, number) in sorted.iter().zip(0..) {
            let height = |part: f64| f64::from(number) + part;
            let bars = if logarithmic {
                [(start, row.sum(), QUERY, [0.17, 0.83]), (start, row.build, BUILD, [0.34, 0.66])]
            } else {
                [(0.0, row.build, BUILD, [0.17, 0.83]), (row.build, row.sum(), QUERY, [0.17, 0.83])]
            };
            for (from, to, color, [low, high]) in bars {
                plot.draw(&Rectangle::new([(place(from), height(low)), (place(to), height(high))], color.filled()))?;
            }
            let number = EmptyElement::at((place(row.sum()), height(0.5)))
                + Text::new(format!("{:.2}", row.sum()), (units(8.0), 0), text(TEXT, INK, HPos::Left));
            plot.draw(&number)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::drawn::Page;
    use sph_core::neighbors::Structure;

    #[test]
    fn bars_are_as_long_as_their_costs() {
        let row = |structure, build, query| Row { structure, build, query, particles: 0, search: None };
        let rows = [row(Structure::BruteForce, 0.0, 8.0), row(Structure::UniformGrid, 1.0, 3.0)];
        let page = Page::read(&svg("Two & two", &rows));
        assert_eq!(page.place("Two & two")[0], LEFT);
        let [cheap, dear] = ["uniform_grid", "brute_force"].map(|name| page.place(name)[1]);
        assert!(cheap < dear, "the cheapest is on top");
        // Behind the sample before the name, the cheaper last, as rows are drawn from below.
        let [_, nothing, build] = page.rectangles(BUILD)[..] else { panic!("bars") };
        let [_, whole, query] = page.rectangles(QUERY)[..] else { panic!("bars") };
        let width = |bar: &[[f64; 2]]| bar[1][0] - bar[0][0];
        assert!(width(nothing) == 0.0 && (width(build) / width(whole) - 0.125).abs() < 1e-3, "{build:?} of {whole:?}");
        assert!(query[0][0] == build[1][0] && (width(query) / width(whole) - 0.375).abs() < 1e-3, "{query:?} after {build:?}");
        assert!(build[0][1] < cheap && cheap < build[1][1] && whole[0][1] < dear && dear < whole[1][1]);
        for (number, bar) in [("4.00", query), ("8.00", whole)] {
            let [x, y] = page.place(number);
            assert!((x - bar[1][0] - 8.0).abs() < 0.3 && bar[0][1] < y && y < bar[1][1], "{number} at {x}, {y} behind {bar:?}");
            assert!(x + 40.0 < page.size[0]);
        }
    }

    #[test]
    fn brute_force_does_not_flatten_the_others() {
        let row = |structure, build, query| Row { structure, build, query, particles: 0, search: None };
        let rows = [
            row(Structure::BruteForce, 0.0, 1000.0),
            row(Structure::UniformGrid, 0.1, 0.9),
            row(Structure::SortedCells, 0.1, 9.9),
        ];
        let page = Page::read(&svg("Three", &rows));
        page.place("build and query");
        // Behind the sample before the name, the dearest first.
        let [_, brute, sorted, uniform] = page.rectangles(QUERY)[..] else { panic!("bars") };
        let width = |bar: &[[f64; 2]]| bar[1][0] - bar[0][0];
        let decade = width(sorted) - width(uniform);
        assert!((width(brute) - width(sorted) - 2.0 * decade).abs() < 0.02 * decade, "equal factors, equal lengths");
        assert!(width(uniform) > 0.05 * width(brute), "{uniform:?} beside {brute:?}");
        assert!(page.place("1000.00")[0] + 60.0 < page.size[0]);
    }
}
