//! `sph bench --movers`: the share of moving particles above which rebuilding a structure is cheaper than updating it.

use std::fmt::Write;
use std::time::Instant;

use crate::charts::Axis;
use crate::charts::line_chart::{self, COLORS, Chart, Curve, Style};
use crate::console::counted;
use crate::simulate::{Interrupt, Simulator};
use crate::{Failure, console};
use glam::Vec3;
use serde_json::{Value, json};
use sph_core::neighbors::{GridParameters, Registration, Search, Storage, Structure, TooManyCells, Update};

/// Shares of the particles that move into another cell before an update.
const SHARES: [f64; 9] = [0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0];

/// Number of measured updates of each kind at each share, and of warm-up updates before them.
const REPEATS: usize = 15;
const WARM_UP: usize = 2;

/// The incremental and the rebuilt variant of one structure.
struct Pair {
    name: String,
    incremental: Structure,
    rebuilt: Structure,
}

/// Cost of a pair at one share of moving particles.
pub struct Row {
    pub share: f64,
    /// Median times of an update, ms.
    pub incremental: f64,
    pub rebuilt: f64,
}

impl Row {
    /// Time of rebuilding divided by the time of the incremental update.
    fn ratio(&self) -> f64 {
        self.rebuilt / self.incremental.max(1e-9)
    }
}

/// A pair and its rows, by increasing share.
pub struct Comparison {
    pub name: String,
    pub rows: Vec<Row>,
}

impl Comparison {
    /// The share of movers at which both cost the same, interpolated linearly over the logarithm; `None` if one always wins.
    pub fn crossover(&self) -> Option<f64> {
        self.rows.windows(2).find_map(|pair| {
            let [below, above] = [pair[0].ratio().ln(), pair[1].ratio().ln()];
            let along = below / (below - above);
            // A share of 0 has no logarithm: interpolated linearly from there.
            let between = |low: f64, high: f64| if low > 0.0 { low * (high / low).powf(along) } else { high * along };
            (below >= 0.0 && above < 0.0).then(|| between(pair[0].share, pair[1].share))
        })
    }
}

/// Results, and the state that they were measured on.
pub struct Movers {
    pub comparisons: Vec<Comparison>,
    /// Share of the particles that changed their cell in a step of the scene: mean over some steps.
    pub in_the_scene: f64,
    pub particles: usize,
    pub grid: GridParameters,
}

/// Measures the share of particles that change cell in `steps` steps, and then the structures on that state.
///
/// # Errors
/// If interrupted, or if the simulation failed.
pub fn measure(simulator: &mut Simulator, steps: usize, interrupt: Interrupt) -> Result<Movers, Failure> {
    let in_the_scene = measure_share(simulator, steps, interrupt)?;
    let fluid = simulator.engine().view();
    let (grid, radius) = (fluid.parameters.grid, fluid.discretization.support_radius);
    let mut particles = fluid.particles.clone();
    // By id, so that the result does not depend on the order in memory.
    particles.positions = particles.positions_by_id();
    let mut comparisons = Vec::new();
    for Pair { name, incremental, rebuilt } in pairs() {
        let grids = [incremental, rebuilt].map(|structure| GridParameters { structure, ..grid });
        let mut rows = Vec::new();
        for share in SHARES {
            if interrupt.requested() {
                return Err(Failure::Run("interrupted before everything was measured".to_owned()));
            }
            let states = displaced(&particles.positions, share, grid.cell_size);
            let [incremental, rebuilt] = simulator
                .install(|| time(&grids, radius, &states))
                .map_err(|error| Failure::Run(format!("with {name}: {error}")))?;
            rows.push(Row { share, incremental, rebuilt });
        }
        console::say(&format!("measured: {name}"));
        comparisons.push(Comparison { name, rows });
    }
    Ok(Movers { comparisons, in_the_scene, particles: particles.positions.len(), grid })
}

/// Every structure that can be updated either way.
fn pairs() -> Vec<Pair> {
    let mut pairs = vec![(Update::ALL.map(Structure::CellHash), "cell_hash".to_owned())];
    for registration in Registration::ALL {
        for storage in Storage::ALL {
            let kinds = Update::ALL.map(|update| Structure::BucketHash(storage, update, registration));
            pairs.push((kinds, format!("bucket_hash {} {}", storage.name(), registration.name())));
        }
    }
    pairs.into_iter().map(|([rebuilt, incremental], name)| Pair { name, incremental, rebuilt }).collect()
}

/// Two states between which `share` of the points, evenly chosen, move between their cell and the next along x.
fn displaced(points: &[Vec3], share: f64, cell_size: f32) -> [Vec<Vec3>; 2] {
    let moves = |index: usize| (((index + 1) as f64 * share).floor() - (index as f64 * share).floor()) >= 1.0;
    let there = points.iter().enumerate().map(|(index, &point)| if moves(index) { point + cell_size * Vec3::X } else { point });
    [points.to_vec(), there.collect()]
}

/// Median times of updating each of two structures, ms, measured in turns.
fn time(grids: &[GridParameters; 2], radius: f32, states: &[Vec<Vec3>; 2]) -> Result<[f64; 2], TooManyCells> {
    let ids: Vec<u32> = (0..states[0].len() as u32).collect();
    let mut searches = grids.each_ref().map(|grid| Search::new(grid, radius));
    let mut times = [const { Vec::new() }; 2];
    for round in 0..WARM_UP + REPEATS {
        for (search, times) in searches.iter_mut().zip(&mut times) {
            let start = Instant::now();
            search.update(&states[round % 2], &ids)?;
            if round >= WARM_UP {
                times.push(1e3 * start.elapsed().as_secs_f64());
            }
        }
    }
    Ok(times.map(|mut times| {
        times.sort_unstable_by(f64::total_cmp);
        times[times.len() / 2]
    }))
}

/// Makes `steps` steps; returns the mean share of particles that change cell in a step.
fn measure_share(simulator: &mut Simulator, steps: usize, interrupt: Interrupt) -> Result<f64, Failure> {
    let cell_size = simulator.engine().parameters().grid.cell_size;
    let cells = |simulator: &Simulator| -> Vec<glam::IVec3> {
        let positions = simulator.engine().view().particles.positions_by_id();
        positions.iter().map(|&position| (position * cell_size.recip()).floor().as_ivec3()).collect()
    };
    let (mut before, mut changed) = (cells(simulator), 0);
    for _ in 0..steps {
        if interrupt.requested() {
            return Err(Failure::Run("interrupted before everything was measured".to_owned()));
        }
        if let Some(error) = simulator.step().error {
            return Err(Failure::Run(format!("the simulation failed: {error}")));
        }
        let after = cells(simulator);
        changed += before.iter().zip(&after).filter(|(before, after)| before != after).count();
        before = after;
    }
    Ok(changed as f64 / (before.len().max(1) * steps.max(1)) as f64)
}

/// A table for each pair, and the conclusion.
pub fn table(movers: &Movers) -> String {
    let Movers { comparisons, in_the_scene, particles, grid } = movers;
    let mut text = format!(
        "{}, {}, cell size {} m; in a step of the scene, {} of the particles change cells\n",
        counted(*particles as u64, "particle"),
        counted(grid.table_size, "bucket"),
        grid.cell_size,
        percent(*in_the_scene)
    );
    for Comparison { name, rows } in comparisons {
        let _ = writeln!(
            text,
            "\n{name:<30}{:>10}{:>16}{:>14}{:>22}",
            "movers", "incremental ms", "rebuild ms", "rebuild/incremental"
        );
        for row in rows {
            let _ = writeln!(
                text,
                "{:<30}{:>10}{:>16.3}{:>14.3}{:>22.2}",
                "",
                percent(row.share),
                row.incremental,
                row.rebuilt,
                row.ratio()
            );
        }
    }
    text += "\nincremental updates are faster";
    for comparison in comparisons {
        let always = comparison.rows.iter().all(|row| row.ratio() >= 1.0);
        let until = match comparison.crossover() {
            Some(share) => format!("up to {} movers", percent(share)),
            None if always => "always".to_owned(),
            None => "never".to_owned(),
        };
        let _ = write!(text, "\n  {:<30}{until}", comparison.name);
    }
    text
}

/// The results as JSON.
pub fn json(movers: &Movers) -> Value {
    let row = |row: &Row| json!({ "movers": row.share, "incremental_ms": row.incremental, "rebuilt_ms": row.rebuilt, "ratio": row.ratio() });
    let comparison = |comparison: &Comparison| {
        json!({
            "structure": comparison.name,
            "crossover": comparison.crossover(),
            "shares": comparison.rows.iter().map(row).collect::<Vec<_>>(),
        })
    };
    json!({
        "optimized": !cfg!(debug_assertions),
        "particles": movers.particles,
        "table_size": movers.grid.table_size,
        "cell_size": movers.grid.cell_size,
        "movers_in_the_scene": movers.in_the_scene,
        "structures": movers.comparisons.iter().map(comparison).collect::<Vec<_>>(),
    })
}

/// A share in per cent with the necessary digits.
fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".to_owned(),
        percent if percent < 0.995 => format!("{percent:.2} %"),
        percent if percent < 9.95 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

// Incremental updates against rebuilding over the share of moving particles, as SVG.

/// Size of the chart, pixels.
const SIZE: [f64; 2] = [720.0, 340.0];

/// Whole lines: incremental; dashed: rebuilt.
pub fn svg(title: &str, movers: &Movers) -> String {
    // Registered everywhere, updates cost so much more that the others would lie on the floor.
    let (left_out, shown): (Vec<_>, Vec<_>) =
        movers.comparisons.iter().partition(|comparison| comparison.name.ends_with("everywhere"));
    let mut curves = Vec::new();
    for (comparison, color) in shown.into_iter().zip(COLORS) {
        for (kind, style) in [("incremental", Style::Line), ("rebuilt", Style::Dashed)] {
            let cost = |row: &Row| if style == Style::Line { row.incremental } else { row.rebuilt };
            // No movers at all have no place on a logarithmic axis.
            let points = comparison.rows.iter().filter(|row| row.share > 0.0).map(|row| [(100.0 * row.share).ln(), cost(row)]);
            curves.push(Curve { name: format!("{} {kind}", comparison.name), color, style, points: points.collect() });
        }
    }
    let most = curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]).fold(1e-6, f64::max);
    let ticks = [0.1f64, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0].map(|percent| (percent.ln(), format!("{percent} %")));
    let remark = if left_out.is_empty() { "" } else { "left out because they cost far more: buckets registered everywhere" };
    let chart = Chart {
        x: Axis::of("particles that move into another cell before each update", ticks.to_vec()),
        y: Axis::between("update, ms (medians)", 0.0..1.05 * most, 8),
        curves,
        marked: true,
    };
    line_chart::svg(title, remark, SIZE, &[chart])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::drawn::Page;
    use sph_core::neighbors::{GridParameters, HashFunction, Structure};

    #[test]
    fn the_given_share_of_points_moves() {
        let points = vec![Vec3::splat(0.5); 1000];
        for share in SHARES {
            let [here, there] = displaced(&points, share, 1.0);
            let moved = here.iter().zip(&there).filter(|(a, b)| a.floor() != b.floor()).count();
            assert_eq!(moved, (1000.0 * share).round() as usize, "{share}");
        }
    }

    #[test]
    fn the_crossover_lies_where_both_cost_the_same() {
        let row = |share, incremental| Row { share, incremental, rebuilt: 1.0 };
        let comparison = |rows| Comparison { name: String::new(), rows };
        let crossed = comparison(vec![row(0.01, 0.25), row(0.1, 0.5), row(1.0, 2.0)]);
        assert!((crossed.crossover().expect("they cross") - 0.1f64.sqrt()).abs() < 1e-9);
        assert_eq!(comparison(vec![row(0.0, 0.5), row(1.0, 0.9)]).crossover(), None);
        assert_eq!(comparison(vec![row(0.0, 2.0), row(1.0, 3.0)]).crossover(), None);
    }

    #[test]
    fn every_pair_is_of_one_structure() {
        let pairs = pairs();
        assert_eq!(pairs.len(), 5);
        for Pair { incremental, rebuilt, .. } in pairs {
            assert_ne!(incremental, rebuilt, "{incremental}");
            assert_eq!(incremental.options().update, Update::Incremental);
            assert_eq!(rebuilt.options().update, Update::Rebuilt);
            assert_eq!(incremental.name(), rebuilt.name());
        }
    }

    fn movers(names: &[&str]) -> Movers {
        let row = |share, incremental| Row { share, incremental, rebuilt: 1.0 };
        let comparison = |name: &&str| Comparison {
            name: (*name).to_owned(),
            rows: vec![row(0.0, 0.1), row(0.001, 0.25), row(0.1, 0.5), row(1.0, 2.0)],
        };
        let comparisons = names.iter().map(comparison).collect();
        let (structure, hash) = (Structure::SortedCells, HashFunction::Mix);
        let grid = GridParameters { structure, table_size: 64, cell_size: 0.1, hash, bucket_capacity: 4 };
        Movers { comparisons, in_the_scene: 0.0, particles: 0, grid }
    }

    #[test]
    fn each_structure_has_a_whole_and_a_dashed_line() {
        let page = Page::read(&svg("Title", &movers(&["cell_hash", "bucket_hash once"])));
        for (name, color) in [("cell_hash", COLORS[0]), ("bucket_hash once", COLORS[1])] {
            assert!(page.place(&format!("{name} incremental")) != page.place(&format!("{name} rebuilt")));
            // Three shares that are not nothing, incremental and rebuilt.
            let (discs, shares) = (page.discs(color), ["0.1 %", "10 %", "100 %"].map(|label| page.place(label)[0]));
            let at_shares = |places: &[[f64; 2]]| {
                places.len() == 3 && places.iter().zip(shares).all(|(place, x)| (place[0] - x).abs() < 0.3)
            };
            assert!(discs.len() == 6 && at_shares(&discs[..3]) && at_shares(&discs[3..]), "{discs:?}");
            assert_eq!(page.lines(color).into_iter().filter(|line| at_shares(line)).count(), 1, "the dashed line is in parts");
        }
        assert!(!page.texts.iter().any(|(text, _)| text.starts_with("left out")));
    }

    #[test]
    fn what_is_left_out_is_named() {
        let page = Page::read(&svg("Title", &movers(&["cell_hash", "bucket_hash everywhere"])));
        page.place("left out because they cost far more: buckets registered everywhere");
        assert!(!page.texts.iter().any(|(text, _)| text.contains("everywhere incremental")));
    }
}
