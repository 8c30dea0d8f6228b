//! A task: successive contacts, and copies of the balls that they touch.

use super::contact::{Contact, Substep};
use super::material::Laws;
use super::quads::Quad;
use super::rows::{Balls, Body, Strikes};
use glam::Vec3;
use std::cell::Cell;
use std::hint::black_box;

/// Number of quads that are filled at the same time: as many as a mask has bits.
const OPEN_QUADS: u32 = u64::BITS;

/// Contacts that one thread solves in order.
///
/// A pass copies the balls of the task from their rows to one place, works on the copies, and writes them back. A ball has several
/// contacts, so this costs less than it saves: the copies stay in the nearest cache, and the compiler knows that nobody else changes
/// them.
#[derive(Debug, Default)]
pub(super) struct Task {
    /// Rows of the balls.
    rows: Vec<u32>,
    quads: Vec<Quad>,
    /// Contacts that overlapped deeply when balls were last moved apart.
    deep: u32,
}

/// What filling a task needs to know of the balls.
pub(super) struct Filling<'a> {
    pub balls: &'a Balls,
    pub laws: &'a Laws,
}

/// Buffers with which a thread fills a task.
#[derive(Debug, Default)]
struct Buffers {
    /// Place of each row in the task, and 0 for rows that have none yet; places count from 1.
    places: Vec<u32>,
    /// For each place, the quads being filled that hold a contact of its ball.
    holding: Vec<u64>,
    bodies: Vec<Body>,
}

thread_local! {
    static BUFFERS: Cell<Buffers> = Cell::default();
}

/// Calls `work` with buffers that the thread keeps.
fn with_buffers<R>(work: impl FnOnce(&mut Buffers) -> R) -> R {
    let mut buffers = BUFFERS.take();
    let result = work(&mut buffers);
    BUFFERS.set(buffers);
    result
}

impl Task {
    /// Replaces the contacts by these, which are between rows.
    ///
    /// Each goes into the first quad that has a lane left and no contact of its balls, among up to 64 that are being filled.
    pub fn fill(&mut self, contacts: impl Iterator<Item = Contact>, filling: &Filling<'_>) {
        let Filling { balls, laws } = filling;
        let Self { rows, quads, deep } = self;
        rows.clear();
        quads.clear();
        *deep = 0;
        with_buffers(|Buffers { places, holding, bodies }| {
            places.resize(places.len().max(balls.len()), 0);
            holding.clear();
            bodies.clear();
            let (mut first, mut full, mut lanes) = (0, 0_u64, [0_u8; OPEN_QUADS as usize]);
            for contact in contacts {
                let [a, b] = [contact.a, contact.b].map(|row| {
                    let place = &mut places[row as usize];
                    if *place == 0 {
                        rows.push(row);
                        holding.push(0);
                        bodies.push(balls.body(row as usize));
                        *place = rows.len() as u32;
                    }
                    *place - 1
                });
                let mut quad = (full | holding[a as usize] | holding[b as usize]).trailing_ones();
                if quad == OPEN_QUADS {
                    holding.fill(0);
                    (first, full, lanes, quad) = (quads.len(), 0, [0; OPEN_QUADS as usize], 0);
                }
                let number = first + quad as usize;
                if number == quads.len() {
                    quads.push(Quad::default());
                }
                let (body_a, body_b) = (&bodies[a as usize], &bodies[b as usize]);
                *deep += u32::from(contact.is_deep(body_a.radius(), body_b.radius()));
                let law = laws.of(body_a.material(), body_b.material());
                let is_fixed = body_a.inverse_mass() + body_b.inverse_mass() == 0.0;
                let lane = &mut lanes[quad as usize];
                quads[number].put(usize::from(*lane), &Contact { a, b, ..contact }, law, is_fixed);
                *lane += 1;
                full |= u64::from(*lane == 4) << quad;
                holding[a as usize] |= 1 << quad;
                holding[b as usize] |= 1 << quad;
            }
            rows.iter().for_each(|&row| places[row as usize] = 0);
        });
    }

    /// Contacts between rows that have an impulse.
    pub fn lasting(&self) -> impl Iterator<Item = Contact> {
        self.quads.iter().flat_map(Quad::lasting).map(|contact| self.between_rows(contact))
    }

    fn between_rows(&self, contact: Contact) -> Contact {
        let [a, b] = [contact.a, contact.b].map(|place| self.rows[place as usize]);
        Contact { a, b, ..contact }
    }

    /// Adds to the velocities and spins of balls what their contacts that last change in a substep.
    pub fn push(&self, balls: &Balls) {
        with_bodies(&self.rows, balls, |bodies| {
            self.quads.iter().for_each(|quad| quad.push(bodies));
            if self.is_deep() {
                bodies.iter_mut().for_each(Body::mark_deep);
            }
        });
    }

    /// Solves the velocities of the contacts once. The first pass of a substep finds which of them are held and which are open. `free` is the velocity of the ball in a row without contacts, m/s.
    pub fn solve(&mut self, balls: &Balls, strikes: &Strikes, laws: &Laws, substep: &Substep, free: &impl Fn(u32) -> Vec3) {
        let Self { rows, quads, .. } = self;
        with_bodies(rows, balls, |bodies| {
            for quad in quads {
                if substep.is_first {
                    quad.begin(bodies, substep);
                }
                if quad.is_held() {
                    quad.solve_held(bodies, substep);
                }
                if !quad.is_open() {
                    continue;
                }
                quad.solve_open(bodies, |contact, a, b| {
                    let law = laws.of(a.material, b.material);
                    let [row_a, row_b] = [contact.a, contact.b].map(|place| rows[place as usize]);
                    let changes = contact.solve(a, b, law, substep, || free(row_b) - free(row_a));
                    if let Some(Some(both)) = changes {
                        strikes.add(row_a as usize, a, &both.a);
                        strikes.add(row_b as usize, b, &both.b);
                    }
                    changes.is_some()
                });
            }
        });
    }

    /// Moves overlapping balls apart once, and counts those that overlapped deeply.
    pub fn separate(&mut self, balls: &Balls) {
        let Self { rows, quads, deep } = self;
        *deep = with_bodies(rows, balls, |bodies| {
            let deep = quads.iter().filter(|quad| quad.is_active()).map(|quad| quad.separate(bodies)).sum();
            if deep > 0 {
                bodies.iter_mut().for_each(Body::mark_deep);
            }
            deep
        });
    }

    /// True if contacts overlapped deeply when balls were last moved apart.
    pub fn is_deep(&self) -> bool {
        self.deep > 0
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.rows.capacity() * size_of::<u32>() + self.quads.capacity() * size_of::<Quad>()
    }
}

/// Calls `work` with copies of the balls in `rows`, and writes them back.
fn with_bodies<R>(rows: &[u32], balls: &Balls, work: impl FnOnce(&mut [Body]) -> R) -> R {
    with_buffers(|Buffers { bodies, .. }| {
        read(rows, balls, bodies);
        let result = work(bodies);
        rows.iter().zip(&*bodies).for_each(|(&row, body)| balls.set_body(row as usize, body));
        result
    })
}

/// Copies the balls in `rows` to `bodies`.
#[inline(always)]
fn read(rows: &[u32], balls: &Balls, bodies: &mut Vec<Body>) {
    // A glance at each row before the first is copied: the processor waits for many rows from memory at a time.
    black_box(rows.iter().fold(0, |all, &row| all | balls.glance(row as usize)));
    bodies.clear();
    bodies.extend(rows.iter().map(|&row| balls.body(row as usize)));
}
