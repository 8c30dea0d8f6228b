//! Progress of a user in a lesson, and the requests of its card's buttons.

use super::lesson::{Lesson, Reading, Searched, Step, Task, Watch};
use crate::command::Command;
use crate::session::{Notice, Snapshot};
use crate::ui::widgets::outline::Control;
use crate::ui::{Action, Model, Side, State};
use sph_core::neighbors::GridParameters;

/// Least number of particles that shows collisions and spills.
const LEAST_PARTICLES: usize = 100;

/// Progress in a lesson.
#[derive(Clone, Debug)]
pub struct Progress {
    lesson: &'static Lesson,
    step: usize,
    /// Result of the task of each step.
    results: Vec<Option<TaskResult>>,
    /// Grid before the lesson.
    grid: GridParameters,
    /// Generation of the scene.
    generation: u64,
    watch: Watch,
    /// Latest reading.
    latest: Option<Reading>,
    /// Reading at the start of this step.
    start: Option<Reading>,
    /// Last reading before a change.
    before: Option<Reading>,
    /// True while the user is asked whether to restore the grid.
    ending: bool,
    /// True once a scene has been opened that has nothing that the lesson is about.
    is_over: bool,
    /// True if more of what it is about is to come: a scene may pour its balls.
    awaits_more: bool,
}

/// Result of a task.
#[derive(Clone, Debug)]
struct TaskResult {
    before: Reading,
    after: Reading,
}

impl Progress {
    /// Starts `lesson` with the scene of `snapshot`; `None` without what it is about.
    pub fn begin(lesson: &'static Lesson, snapshot: &Snapshot) -> Option<Self> {
        Some(Self {
            lesson,
            step: 0,
            results: vec![None; lesson.steps.len()],
            grid: lesson.searched.grid(snapshot)?,
            generation: snapshot.generation,
            watch: Watch::default(),
            latest: None,
            start: None,
            before: None,
            ending: false,
            is_over: false,
            awaits_more: false,
        })
    }

    /// Current lesson.
    pub fn lesson(&self) -> &'static Lesson {
        self.lesson
    }

    /// Index of the current step, from 0.
    pub fn step_index(&self) -> usize {
        self.step
    }

    pub(super) fn step(&self) -> &'static Step {
        &self.lesson.steps[self.step]
    }

    /// Heading of the current step.
    pub fn heading(&self) -> &'static str {
        self.step().heading
    }

    /// True in the last step.
    pub fn is_last(&self) -> bool {
        self.step + 1 == self.lesson.steps.len()
    }

    /// True while the user is asked whether to restore the grid.
    pub fn is_ending(&self) -> bool {
        self.ending
    }

    /// Latest reading and reading at the start of the step; `None` before the first time step.
    pub(super) fn readings(&self) -> Option<(&Reading, &Reading)> {
        self.latest.as_ref().zip(self.start.as_ref())
    }

    /// Latest reading; `None` before the first time step.
    pub(super) fn latest(&self) -> Option<&Reading> {
        self.latest.as_ref()
    }

    /// Reading at the start of the step; `None` before its first time step.
    pub(super) fn start(&self) -> Option<&Reading> {
        self.start.as_ref()
    }

    /// Grid before the lesson.
    pub(super) fn grid(&self) -> GridParameters {
        self.grid
    }

    /// True if `grid` differs from the grid before the lesson.
    pub fn has_changed(&self, grid: Option<GridParameters>) -> bool {
        grid.is_some_and(|grid| grid != self.grid)
    }

    /// Task of this step; `None` if it was already done at the start of the step.
    pub(super) fn task(&self) -> Option<&'static Task> {
        let given = self.results[self.step].as_ref().is_some_and(|result| result.before.grid == result.after.grid);
        self.step().task.as_ref().filter(|_| !given)
    }

    /// True if the task of this step is done, or if there is none.
    pub fn is_done(&self) -> bool {
        self.task().is_none() || self.results[self.step].is_some()
    }

    /// Named readings to compare once the task is done, the latest last.
    pub(super) fn comparison(&self) -> Option<Vec<(&'static str, &Reading)>> {
        let task = self.task()?;
        let result = self.results[self.step].as_ref()?;
        let earlier = |&(step, name): &(usize, &'static str)| Some((name, &self.results[step].as_ref()?.after));
        let mut columns: Vec<_> = task.beside.iter().filter_map(earlier).collect();
        if columns.is_empty() {
            columns.push(("before", &result.before));
        }
        columns.push(("after", &result.after));
        Some(columns)
    }

    /// Control that the card points at.
    pub fn control(&self) -> Option<Control> {
        if self.ending { None } else { self.step().control }
    }

    /// True if the scene has nothing that the lesson is about, or too few particles for it.
    pub fn is_impossible(&self) -> bool {
        let has_few = self.latest.as_ref().is_some_and(|reading| reading.particles < LEAST_PARTICLES);
        self.is_over || has_few && !self.awaits_more
    }

    /// Updates the progress from a snapshot. Returns a message for the user.
    ///
    /// `up_to_date`: true if no edit of the parameters is pending.
    pub fn follow(&mut self, snapshot: &Snapshot, up_to_date: bool) -> Option<Notice> {
        let mut notice = None;
        if snapshot.generation != self.generation {
            // Whoever was about to end the lesson has done so by opening another scene.
            if self.ending {
                self.is_over = true;
                return None;
            }
            let Some(anew) = Self::begin(self.lesson, snapshot) else {
                self.is_over = snapshot.scene.is_some();
                let title = format!("The lesson has ended: this scene has no {}", self.lesson.searched.name());
                return self.is_over.then(|| Notice::info(title));
            };
            *self = anew;
            notice = Some(Notice::info(format!("New scene: the lesson starts again ({})", self.lesson.title)));
        }
        self.latest = Reading::take(self.lesson.searched, snapshot, &mut self.watch);
        self.awaits_more = snapshot.scene.as_ref().is_some_and(|scene| match self.lesson.searched {
            Searched::Fluid => !scene.setup.openings.emitters.is_empty(),
            Searched::Cloth | Searched::Balls => {
                let points = scene.setup.points.as_ref().map_or(0, |points| points.source().count());
                points >= LEAST_PARTICLES as u64
            }
        });
        if self.is_impossible() {
            let things = match self.lesson.searched {
                Searched::Fluid => "particles",
                Searched::Cloth => "vertices",
                Searched::Balls => "balls",
            };
            let title = format!("This lesson needs at least {LEAST_PARTICLES} {things} ({})", self.lesson.title);
            return Some(Notice::warning(title, "Open another scene, then start the lesson again."));
        }
        let latest = self.latest.clone()?;
        // A step starts after the first time step with the grid that the panel shows.
        let in_use = up_to_date && self.lesson.searched.grid(snapshot) == Some(latest.grid);
        if self.start.is_none() && in_use {
            self.start = Some(latest.clone());
        }
        let Some(start) = &self.start else { return notice };
        let task = self.lesson.steps[self.step].task.as_ref();
        let result = &mut self.results[self.step];
        if latest.grid == start.grid && result.is_none() {
            self.before = Some(latest.clone());
        }
        if task.is_some_and(|task| (task.done)(start, &latest)) {
            let before =
                result.take().map_or_else(|| self.before.clone().unwrap_or_else(|| start.clone()), |result| result.before);
            *result = Some(TaskResult { before, after: latest });
        }
        notice
    }

    /// Sets whether the user is asked to restore the grid.
    pub(super) fn set_ending(&mut self, ending: bool) {
        self.ending = ending;
    }

    /// Begins the present step again, with a grid that has been changed for it, and forgets its readings with another grid.
    fn begin_step_again(&mut self) {
        self.results[self.step] = None;
        self.enter(self.step);
    }

    /// Goes to step `step`.
    pub(super) fn enter(&mut self, step: usize) {
        self.step = step;
        self.start = None;
        self.before = None;
    }
}

/// Request of a button of the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Go to the previous card.
    Back,
    /// Go to the next card; after the last one, end the lesson.
    Next,
    /// Perform the task for the user.
    Perform,
    /// Change the grid to meet the requirements of the lesson.
    MeetRequirements,
    /// Show the grid of the lesson in the panel.
    ShowGrid,
    /// Run the simulation.
    Play,
    /// End the lesson; ask first if the grid has changed.
    End,
    /// Restore the grid from before the lesson, and end the lesson.
    RestoreAndEnd,
    /// End the lesson and keep the grid.
    Leave,
}

/// Executes a request. Returns true if the lesson continues.
pub fn apply(
    request: Request,
    progress: &mut Progress,
    (state, model): (&mut State, &Model<'_>),
    actions: &mut Vec<Action>,
) -> bool {
    let searched = progress.lesson().searched;
    let changed = progress.has_changed(shown_grid(searched, state, model.snapshot));
    match request {
        Request::Back if progress.is_ending() => progress.set_ending(false),
        Request::Back => progress.enter(progress.step_index().saturating_sub(1)),
        Request::Next if progress.is_last() => return false,
        Request::Next => progress.enter(progress.step_index() + 1),
        Request::ShowGrid => show(searched, state, model.snapshot),
        Request::Play => actions.push(Action::Command(Command::PlayPause)),
        Request::Perform => {
            if let (Some(task), Some(start)) = (progress.task(), progress.start()) {
                edit_grid(searched, (state, model), actions, |grid| (task.perform)(start, grid));
            }
        }
        Request::MeetRequirements => {
            if let Some(latest) = progress.latest() {
                edit_grid(searched, (state, model), actions, |grid| progress.lesson().requirements.restore(grid, latest));
            }
            progress.begin_step_again();
        }
        Request::End if changed => progress.set_ending(true),
        Request::End | Request::Leave => return false,
        Request::RestoreAndEnd => {
            edit_grid(searched, (state, model), actions, |grid| *grid = progress.grid());
            return false;
        }
    }
    true
}

/// Grid of `searched` as the sliders show it; `None` without one.
pub(super) fn shown_grid(searched: Searched, state: &State, snapshot: &Snapshot) -> Option<GridParameters> {
    match searched {
        Searched::Fluid => state.edited.parameters.map(|parameters| parameters.grid),
        Searched::Cloth | Searched::Balls => state.edited.point_grids.get(searched.set(snapshot)?),
    }
}

/// Lets the Grid panel show the grid of `searched`.
pub(super) fn show(searched: Searched, state: &mut State, snapshot: &Snapshot) {
    state.comparing.side = Side::A;
    state.show_search_of(searched.set(snapshot));
}

/// Changes the grid of `searched` as the panel does: that of the fluid keeps a bucket capacity that was the usual one the usual one.
fn edit_grid(
    searched: Searched,
    (state, model): (&mut State, &Model<'_>),
    actions: &mut Vec<Action>,
    change: impl FnOnce(&mut GridParameters),
) {
    if let (Some(set), Some(scene)) = (searched.set(model.snapshot), &model.snapshot.scene) {
        if let (Some(mut grid), Some(points)) = (state.edited.point_grids.get(set), &scene.setup.points) {
            change(&mut grid);
            state.edited.edit_point_grid(points, set, grid, actions);
        }
        return;
    }
    let (Some(mut parameters), Some(scene)) = (state.edited.parameters, &model.snapshot.scene) else { return };
    let before = parameters;
    change(&mut parameters.grid);
    parameters.grid = parameters.grid.adapted_from(&before.grid, &scene.setup.discretization);
    if parameters != before {
        state.edited.edit(parameters, actions);
    }
}
