//! Output of `sph tune`.

use super::charts;
use crate::console::counted;
use crate::searched::Searched;
use crate::simulate::Simulator;
use serde_json::{Value, json};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::tuning::{Cost, Results, Trial, Verdict};
use sph_io::Scene;
use std::fmt::Write;

/// Results, and the scene they belong to.
pub struct Report<'a> {
    pub scene: &'a Scene,
    pub simulator: &'a Simulator,
    /// Whose search.
    pub searched: &'a Searched,
    pub results: &'a Results,
    /// Wall-clock time of the trials, s.
    pub seconds: f64,
}

impl Report<'_> {
    /// Table of the best configuration of each structure, the cheapest first; the scene's own; and the recommendation.
    pub fn table(&self) -> String {
        let Self { results, simulator, searched, seconds, .. } = self;
        let count = |is: fn(&Verdict) -> bool| results.trials.iter().filter(|trial| is(&trial.verdict)).count();
        let slow = count(|verdict| matches!(verdict, Verdict::TooSlow { .. }));
        let refused = count(|verdict| matches!(verdict, Verdict::Refused(_)));
        let mut text = String::new();
        if !results.is_complete() {
            let _ = writeln!(text, "interrupted after {} of {} trials", results.done(), results.total);
        }
        let _ = writeln!(
            text,
            "{} tried in {} at step {}, {seconds:.0} s ({slow} abandoned as too slow, {refused} not supported)",
            counted(results.trials.len() as u64, "configuration"),
            counted(results.done() as u64, "trial"),
            simulator.engine().steps(),
        );
        let of = self.of();
        let _ = writeln!(text, "\nthe best configuration of each structure{of}");
        text += &self.heading();
        let mut best: Vec<(GridParameters, Cost)> =
            results.plan.structures.iter().filter_map(|&structure| results.best_of(structure)).collect();
        best.sort_by(|(_, a), (_, b)| a.total_ms().total_cmp(&b.total_ms()));
        for (grid, cost) in &best {
            text += &row(&grid.structure.to_string(), grid, cost, results.support_radius);
        }
        for structure in results.plan.structures.iter().filter(|&&structure| results.best_of(structure).is_none()) {
            let _ = writeln!(text, "{:<36}{}", structure.to_string(), self.missing_cost(*structure));
        }
        let _ = writeln!(
            text,
            "{}: cell spacing in {}; candidates: distances tested per {} found",
            self.ratio(),
            self.unit(),
            searched.found()
        );
        text += &self.comparison();
        text
    }

    /// What is searched, if it is not the fluid.
    fn of(&self) -> String {
        match self.searched {
            Searched::Fluid => String::new(),
            Searched::Set(_, name, _) => format!(" for {name}, {}", counted(self.results.particles as u64, "point")),
        }
    }

    /// Head of the column of spacings in units that suit what is searched.
    fn ratio(&self) -> &'static str {
        if *self.searched == Searched::Fluid { "× r" } else { "× s" }
    }

    /// That unit.
    fn unit(&self) -> String {
        let unit = charts::unit(self.results);
        match self.searched {
            Searched::Fluid => unit.to_owned(),
            Searched::Set(..) => format!("{unit}, {} m", self.results.support_radius),
        }
    }

    /// The table of the scene's file that holds the grid.
    fn table_of_scene(&self) -> &'static str {
        match self.searched {
            Searched::Fluid => "grid",
            Searched::Set(index, ..) => {
                let is_sheet = self.scene.setup.points.as_ref().is_some_and(|points| points.source().is_sheet(*index));
                if is_sheet { "cloth.grid" } else { "ball.grid" }
            }
        }
    }

    fn heading(&self) -> String {
        format!(
            "{:<36}{:>12}{:>11}{:>8}{:>10}{:>10}{:>10}{:>12}{:>10}\n",
            "structure",
            "table size",
            "spacing m",
            self.ratio(),
            "build ms",
            "query ms",
            "sum ms",
            "candidates",
            "KiB"
        )
    }

    /// Reason why a structure has no cost.
    fn missing_cost(&self, structure: Structure) -> String {
        let mut trials = self.results.trials.iter().filter(|trial| trial.grid.structure == structure);
        match trials.next_back().map(|trial| &trial.verdict) {
            Some(Verdict::TooSlow { predicted_ms }) => format!("too slow: about {predicted_ms:.0} ms"),
            Some(Verdict::Refused(reason)) => reason.clone(),
            Some(Verdict::Measured(_)) | None => "not tried".to_owned(),
        }
    }

    /// The best grid compared with the scene's own, and the recommended change.
    fn comparison(&self) -> String {
        let results = self.results;
        let (Some(present), Some((best, cost))) = (results.present_cost(), results.best()) else { return String::new() };
        let again = if !results.has_finals() { "" } else { ", timed again alternately" };
        let mut text = format!("\nthe scene's configuration and the best{again}\n{}", self.heading());
        text += &row(&results.present.structure.to_string(), &results.present, present, results.support_radius);
        if results.improvement().is_none() {
            return text + &self.no_improvement(&best, &cost);
        }
        text += &row(&best.structure.to_string(), &best, &cost, results.support_radius);
        let _ = writeln!(
            text,
            "\n{:.2} times faster{}. To use it, set under [{}] in the scene: {}",
            results.speed_up(),
            results.speed_up_range().map(spread).unwrap_or_default(),
            self.table_of_scene(),
            changes(&results.present, &best)
        );
        text
    }

    /// Why nothing is to be changed.
    fn no_improvement(&self, best: &GridParameters, cost: &Cost) -> String {
        let results = self.results;
        match results.speed_up_range().filter(|_| !results.is_clear()) {
            Some(range) => {
                let mut text = row(&best.structure.to_string(), best, cost, results.support_radius);
                let _ = writeln!(
                    text,
                    "\nNot clearly faster: {:.2} times{}; nothing to change.",
                    results.speed_up(),
                    spread(range)
                );
                text
            }
            None => "\nThe scene's grid is as good as the best: nothing to change.\n".to_owned(),
        }
    }

    /// The results as JSON, with every trial.
    pub fn json(&self) -> Value {
        let Self { scene, simulator, searched, results, seconds } = self;
        let with_cost = |grid: &GridParameters, cost: &Cost| {
            let mut value = configuration(grid);
            value.as_object_mut().expect("an object was made").extend(numbers(cost));
            value
        };
        // Structure by structure, not in the mixed order in which they were tried.
        let grids = results.plan.grids();
        let mut trials: Vec<&Trial> = results.trials.iter().collect();
        trials.sort_by_cached_key(|trial| grids.iter().position(|grid| *grid == trial.grid));
        json!({
            "scene": scene.name,
            "version": env!("CARGO_PKG_VERSION"),
            "optimized": !cfg!(debug_assertions),
            "threads": simulator.threads(),
            "search_of": searched.name(),
            "particles": results.particles,
            "boundary_particles": simulator.engine().view().walls.len(),
            "support_radius": results.support_radius,
            "step": simulator.engine().steps(),
            "seconds": seconds,
            "complete": results.is_complete(),
            "present": results.present_cost().map(|cost| with_cost(&results.present, cost)),
            "best": results.best().map(|(grid, cost)| with_cost(&grid, &cost)),
            "speed_up": results.speed_up(),
            "speed_up_range": results.speed_up_range(),
            "trials": trials.into_iter().map(trial).collect::<Vec<_>>(),
            "finals": results.finals.iter().map(trial).collect::<Vec<_>>(),
        })
    }
}

/// The smallest and the largest speed-up of the rounds.
fn spread([least, most]: [f64; 2]) -> String {
    format!(" ({least:.2} to {most:.2} over the rounds)")
}

fn row(name: &str, grid: &GridParameters, cost: &Cost, radius: f32) -> String {
    let table = if grid.structure.has_table() { grid.table_size.to_string() } else { "–".to_owned() };
    let (size, ratio) = match grid.structure {
        Structure::BruteForce => ("–".to_owned(), "–".to_owned()),
        _ => (grid.cell_size.to_string(), format!("{:.2}", grid.cell_size / radius)),
    };
    format!(
        "{name:<36}{table:>12}{size:>11}{ratio:>8}{:>10.3}{:>10.3}{:>10.3}{:>12.2}{:>10}\n",
        cost.build_ms,
        cost.query_ms,
        cost.total_ms(),
        cost.candidates_per_neighbor(),
        cost.bytes / 1024,
    )
}

/// The settings of `grid` that differ from a scene file's for `before`, on one line: what `--save` writes.
fn changes(before: &GridParameters, grid: &GridParameters) -> String {
    // With the structure's own options where it has the keys: those are compared even if `before` does not use them.
    let old = GridParameters { structure: grid.structure.with_options(before.structure.options()), ..*before };
    let (old, new) = (settings(&old), settings(grid));
    let kept: Vec<&str> = old.split(", ").collect();
    let same = |setting: &str| {
        kept.contains(&setting) && !(setting.starts_with("structure ") && before.structure.name() != grid.structure.name())
    };
    new.split(", ").filter(|setting| !same(setting)).collect::<Vec<_>>().join(", ")
}

/// The settings of `grid` in a scene file, on one line.
pub fn settings(grid: &GridParameters) -> String {
    let GridParameters { structure, table_size, cell_size, hash, bucket_capacity } = grid;
    let mut text = format!("structure = \"{}\", cell_size = {cell_size}", structure.name());
    if structure.has_table() {
        let _ = write!(text, ", table_size = {table_size}, hash = \"{}\"", hash.name());
    }
    let options = structure.options();
    if structure.has_storage() {
        let _ = write!(text, ", storage = \"{}\"", options.storage.name());
    }
    if structure.has_fixed_buckets() {
        let _ = write!(text, ", bucket_capacity = {bucket_capacity}");
    }
    match structure {
        Structure::CellHash(update) => text += &format!(", update = \"{}\"", update.name()),
        Structure::BucketHash(_, update, registration) => {
            let _ = write!(text, ", update = \"{}\", registration = \"{}\"", update.name(), registration.name());
        }
        Structure::BlockMap(_, walk) => text += &format!(", walk = \"{}\"", walk.name()),
        Structure::BruteForce | Structure::UniformGrid | Structure::SortedCells | Structure::SpatialHash => {}
    }
    text
}

fn configuration(grid: &GridParameters) -> Value {
    json!({
        "structure": grid.structure.name(),
        "options": grid.structure.option_names(),
        "table_size": grid.table_size,
        // The shortest decimal form, without the digits that double precision would add.
        "cell_size": grid.cell_size.to_string().parse::<f64>().ok(),
        "hash": grid.hash.name(),
        "bucket_capacity": grid.bucket_capacity,
    })
}

fn numbers(cost: &Cost) -> serde_json::Map<String, Value> {
    [
        ("build_ms", json!(cost.build_ms)),
        ("query_ms", json!(cost.query_ms)),
        ("total_ms", json!(cost.total_ms())),
        ("repeats", json!(cost.repeats)),
        ("candidates", json!(cost.tally.candidates)),
        ("neighbors", json!(cost.tally.neighbors)),
        ("candidates_per_neighbor", json!(cost.candidates_per_neighbor())),
        ("load_factor", json!(cost.load_factor)),
        ("spills", json!(cost.spills)),
        ("bytes", json!(cost.bytes)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

fn trial(trial: &Trial) -> Value {
    let mut value = configuration(&trial.grid);
    let fields = value.as_object_mut().expect("an object was made");
    match &trial.verdict {
        Verdict::Measured(cost) => fields.extend(numbers(cost)),
        Verdict::TooSlow { predicted_ms } => drop(fields.insert("too_slow_ms".to_owned(), json!(predicted_ms))),
        Verdict::Refused(reason) => drop(fields.insert("refused".to_owned(), json!(reason))),
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::neighbors::{HashFunction, Storage, Update, Walk};

    #[test]
    fn only_different_settings_are_written() {
        let before = GridParameters {
            structure: Structure::SpatialHash,
            table_size: 512,
            cell_size: 0.08,
            hash: HashFunction::Mix,
            bucket_capacity: 9,
        };
        let text = |grid: GridParameters| changes(&before, &grid);
        assert_eq!(text(GridParameters { structure: Structure::UniformGrid, ..before }), "structure = \"uniform_grid\"");
        assert_eq!(text(GridParameters { table_size: 64, cell_size: 0.1, ..before }), "cell_size = 0.1, table_size = 64");
        let incremental = GridParameters { structure: Structure::CellHash(Update::Incremental), ..before };
        assert_eq!(text(incremental), "structure = \"cell_hash\", update = \"incremental\"");
    }

    #[test]
    fn settings_load_as_the_grid_they_were_written_from() {
        for structure in Structure::all().into_iter().filter(|&structure| structure != Structure::BruteForce) {
            let grid =
                GridParameters { structure, table_size: 512, cell_size: 0.08, hash: HashFunction::Mix, bucket_capacity: 9 };
            let text = format!(
                "format = 1\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.4, 0.4, 0.4]\n[grid]\n{}",
                settings(&grid).replace(", ", "\n")
            );
            let scene = sph_io::parse(&text, "test", &[]).unwrap_or_else(|error| panic!("{error}"));
            let loaded = scene.setup.parameters.grid;
            assert_eq!((loaded.structure, loaded.cell_size), (structure, 0.08));
            assert!(!structure.has_table() || (loaded.table_size, loaded.hash) == (512, HashFunction::Mix));
            assert!(!structure.has_fixed_buckets() || loaded.bucket_capacity == 9);
        }
        let options = [Structure::CellHash(Update::Incremental), Structure::BlockMap(Storage::Linked, Walk::Points)];
        assert!(options.into_iter().all(|structure| Structure::all().contains(&structure)));
    }
}
