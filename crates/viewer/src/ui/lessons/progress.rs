//! How far a user has come in a lesson.

use super::lesson::{Lesson, Step, Task};
use super::reading::{Reading, Watch};
use crate::session::{Notice, Snapshot};
use crate::ui::widgets::highlight::Control;
use sph_core::neighbors::GridParameters;

/// Fewest particles that collisions and spills can be shown with.
const LEAST_PARTICLES: usize = 100;

/// A lesson under way.
#[derive(Clone, Debug)]
pub struct Progress {
    lesson: &'static Lesson,
    step: usize,
    /// What each step's task came to.
    findings: Vec<Option<Finding>>,
    /// The grid from before the lesson.
    grid: GridParameters,
    /// The scene that all this belongs to.
    generation: u64,
    watch: Watch,
    /// The latest moment.
    latest: Option<Reading>,
    /// The beginning of this step.
    start: Option<Reading>,
    /// The last moment before something changed.
    before: Option<Reading>,
    /// Whether the user wants to end it, and is asked what to do with the grid.
    ending: bool,
}

/// What a task came to.
#[derive(Clone, Debug)]
struct Finding {
    before: Reading,
    after: Reading,
}

impl Progress {
    /// The beginning of `lesson`, over the scene of `snapshot`; `None` where there is no scene.
    pub fn begin(lesson: &'static Lesson, snapshot: &Snapshot) -> Option<Self> {
        Some(Self {
            lesson,
            step: 0,
            findings: vec![None; lesson.steps.len()],
            grid: snapshot.parameters?.grid,
            generation: snapshot.generation,
            watch: Watch::default(),
            latest: None,
            start: None,
            before: None,
            ending: false,
        })
    }

    /// The lesson.
    pub fn lesson(&self) -> &'static Lesson {
        self.lesson
    }

    /// Number of the step, from 0.
    pub fn step_index(&self) -> usize {
        self.step
    }

    pub(super) fn step(&self) -> &'static Step {
        &self.lesson.steps[self.step]
    }

    /// What the step is called.
    pub fn heading(&self) -> &'static str {
        self.step().heading
    }

    /// Whether this is the last step.
    pub fn is_last(&self) -> bool {
        self.step + 1 == self.lesson.steps.len()
    }

    /// Whether the user is asked what to do with the grid.
    pub fn is_ending(&self) -> bool {
        self.ending
    }

    /// The latest moment, and the beginning of the step; `None` while no step has been made.
    pub(super) fn readings(&self) -> Option<(&Reading, &Reading)> {
        self.latest.as_ref().zip(self.start.as_ref())
    }

    /// The latest moment, if there was one.
    pub(super) fn latest(&self) -> Option<&Reading> {
        self.latest.as_ref()
    }

    /// The beginning of the step; `None` while no step of the simulation has been made in it.
    pub(super) fn start(&self) -> Option<&Reading> {
        self.start.as_ref()
    }

    /// The grid from before the lesson.
    pub(super) fn grid(&self) -> GridParameters {
        self.grid
    }

    /// Whether `grid` is not the one from before the lesson.
    pub fn has_changed(&self, grid: Option<GridParameters>) -> bool {
        grid.is_some_and(|grid| grid != self.grid)
    }

    /// The task of this step, unless there was nothing left to do when the step began.
    pub(super) fn task(&self) -> Option<&'static Task> {
        let given = self.findings[self.step].as_ref().is_some_and(|finding| finding.before.grid == finding.after.grid);
        self.step().task.as_ref().filter(|_| !given)
    }

    /// Whether the task of this step has been done; true where there is none.
    pub fn is_done(&self) -> bool {
        self.task().is_none() || self.findings[self.step].is_some()
    }

    /// What is to be compared once the task is done, each with its name, the latest last.
    pub(super) fn comparison(&self) -> Option<Vec<(&'static str, &Reading)>> {
        let task = self.task()?;
        let finding = self.findings[self.step].as_ref()?;
        let earlier = |&(step, name): &(usize, &'static str)| Some((name, &self.findings[step].as_ref()?.after));
        let mut columns: Vec<_> = task.beside.iter().filter_map(earlier).collect();
        if columns.is_empty() {
            columns.push(("before", &finding.before));
        }
        columns.push(("after", &finding.after));
        Some(columns)
    }

    /// What the card points at.
    pub fn control(&self) -> Option<Control> {
        if self.ending { None } else { self.step().control }
    }

    /// Whether the scene has too few particles to show anything.
    pub fn is_impossible(&self) -> bool {
        self.latest.as_ref().is_some_and(|reading| reading.particles < LEAST_PARTICLES)
    }

    /// Takes over what the simulation did since; what to tell the user about it.
    ///
    /// `settled` says that no edit of the parameters is on its way to the simulation.
    pub fn follow(&mut self, snapshot: &Snapshot, settled: bool) -> Option<Notice> {
        let mut notice = None;
        if snapshot.generation != self.generation {
            *self = Self::begin(self.lesson, snapshot)?;
            notice = Some(Notice::info(format!("Another scene: the lesson begins anew ({})", self.lesson.title)));
        }
        self.latest = Reading::take(snapshot, &mut self.watch);
        if self.is_impossible() {
            let title = format!("This lesson needs at least {LEAST_PARTICLES} particles ({})", self.lesson.title);
            return Some(Notice::warning(title, "Choose another scene, then begin it again."));
        }
        let latest = self.latest.clone()?;
        // A step begins with the grid that the user sees, once a step has been made with it.
        let in_force = settled && snapshot.parameters.is_some_and(|parameters| parameters.grid == latest.grid);
        if self.start.is_none() && in_force {
            self.start = Some(latest.clone());
        }
        let Some(start) = &self.start else { return notice };
        let task = self.lesson.steps[self.step].task.as_ref();
        let finding = &mut self.findings[self.step];
        if latest.grid == start.grid && finding.is_none() {
            self.before = Some(latest.clone());
        }
        if task.is_some_and(|task| (task.done)(start, &latest)) {
            let before =
                finding.take().map_or_else(|| self.before.clone().unwrap_or_else(|| start.clone()), |finding| finding.before);
            *finding = Some(Finding { before, after: latest });
        }
        notice
    }

    /// Asks the user what to do with the grid, or no longer.
    pub(super) fn set_ending(&mut self, ending: bool) {
        self.ending = ending;
    }

    /// Begins step `step`.
    pub(super) fn enter(&mut self, step: usize) {
        self.step = step;
        self.start = None;
        self.before = None;
    }
}
