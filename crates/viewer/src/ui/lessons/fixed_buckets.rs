//! Lesson: what happens when a bucket has no place left, and what linked storage does instead.

use super::basis::Basis;
use super::lesson::{Lesson, Step, Task};
use super::reading::{Figure, Reading};
use crate::ui::widgets::format;
use crate::ui::widgets::highlight::Control;
use sph_core::neighbors::{GridParameters, MAX_BUCKET_CAPACITY, MAX_PLACES, Registration, Storage, Structure, Update};

const FIGURES: &[Figure] = &[Figure::Capacity, Figure::Spills, Figure::Memory, Figure::Build, Figure::Query, Figure::Wrong];

pub const LESSON: Lesson = Lesson {
    title: "Fixed buckets overflow",
    summary: "What happens when a bucket is full, and what linked lists do instead.",
    basis: Basis { spatial_hash: false, usual_cells: true, roomy_table: true },
    steps: &[
        Step {
            heading: "Buckets with places",
            text: |_| {
                "The bucket hash keeps a list of particles in every bucket. With fixed places the lists lie in one stretch of memory: each \
                 bucket has the same number of places, filled or not."
                    .to_owned()
            },
            control: Some(Control::Structure),
            task: Some(Task {
                ask: |_| "Choose Bucket hash as the structure, with fixed places, each particle registered once.".to_owned(),
                done: |_, now| is_fixed(now),
                perform: |_, grid| fix(grid),
                figures: FIGURES,
                beside: &[],
                outcome: |columns| {
                    let [.., (_, after)] = columns else { return String::new() };
                    format!(
                        "{} buckets with {} places each. The fullest bucket holds {} particles.",
                        format::count(after.grid.table_size.into()),
                        format::count(after.grid.bucket_capacity.into()),
                        format::count(after.longest_bucket as u64)
                    )
                },
            }),
        },
        Step {
            heading: "Too few places",
            text: |now| {
                format!(
                    "The fullest bucket holds {} particles. What finds no place in its bucket spills into a list apart, one for each bucket \
                     that overflows.",
                    format::count(now.longest_bucket as u64)
                )
            },
            control: Some(Control::BucketCapacity),
            task: Some(Task {
                ask: |start| {
                    format!("Bucket hash, fixed places: drag the bucket capacity down to {} or less.", few_places(start))
                },
                done: |start, now| is_fixed(now) && now.grid.bucket_capacity <= few_places(start) && now.spills > 0,
                perform: |start, grid| {
                    fix(grid);
                    grid.bucket_capacity = few_places(start);
                },
                figures: FIGURES,
                beside: &[],
                outcome: |columns| {
                    let [.., (_, after)] = columns else { return String::new() };
                    format!(
                        "{} of the {} particles have no place in their bucket. Building takes the lists apart as well; the places take less \
                         memory.",
                        format::count(after.spills as u64),
                        format::count(after.particles as u64)
                    )
                },
            }),
        },
        Step {
            heading: "Nothing is lost",
            text: |now| {
                let checked = now.audit;
                format!(
                    "A query reads a bucket's places and then what has spilled from it, so every neighbour is found: {} lists have been \
                     checked against brute force, with {} missed. A program that drops what does not fit computes wrong forces and says \
                     nothing; that is what the badge is for.",
                    format::count(checked.queries),
                    format::count(checked.missed)
                )
            },
            control: Some(Control::Audit),
            task: None,
        },
        Step {
            heading: "Places for the worst case",
            text: |now| {
                format!(
                    "To spill nothing, every bucket needs as many places as the fullest one holds particles, and a few more for when the \
                     water moves. The fullest holds {} now.",
                    format::count(now.longest_bucket as u64)
                )
            },
            control: Some(Control::BucketCapacity),
            task: Some(Task {
                ask: |_| "Drag the bucket capacity up until there are no spills.".to_owned(),
                done: |_, now| is_fixed(now) && now.spills == 0,
                perform: |start, grid| {
                    fix(grid);
                    grid.bucket_capacity = enough_places(start, grid);
                },
                figures: FIGURES,
                beside: &[(1, "few")],
                outcome: |columns| {
                    let [.., (_, after)] = columns else { return String::new() };
                    let places = f64::from(after.grid.table_size) * f64::from(after.grid.bucket_capacity);
                    format!(
                        "No spills, for {} of memory: one place in {} is used.",
                        format::bytes(after.bytes),
                        format::count((places / after.particles.max(1) as f64).round() as u64)
                    )
                },
            }),
        },
        Step {
            heading: "Linked lists have no limit",
            text: |_| {
                "With linked storage each entry knows the one before and the one after it in its bucket. There is room for as many as come, \
                 and none is set aside; but the entries of a bucket no longer lie side by side."
                    .to_owned()
            },
            control: Some(Control::BucketStorage),
            task: Some(Task {
                ask: |_| "Choose Linked as the bucket storage of the bucket hash.".to_owned(),
                done: |_, now| matches!(now.grid.structure, Structure::BucketHash(Storage::Linked, ..)),
                perform: |_, grid| grid.structure = Structure::BucketHash(Storage::Linked, Update::Rebuilt, Registration::Once),
                figures: FIGURES,
                beside: &[(1, "few"), (3, "many")],
                outcome: |_| {
                    "Compare the three: what spills, what it takes in memory, and what it takes in time on this machine."
                        .to_owned()
                },
            }),
        },
        Step {
            heading: "What to remember",
            text: |_| {
                "Fixed places are quick to fill and easy to read, if the fullest bucket is known beforehand; too few spill, too many are \
                 wasted. Linked lists need no guess. The spatial hash avoids the question: it counts first, and then gives each bucket \
                 exactly the places it needs."
                    .to_owned()
            },
            control: None,
            task: None,
        },
    ],
};

/// Whether buckets have fixed places, with each particle in one bucket.
fn is_fixed(reading: &Reading) -> bool {
    matches!(reading.grid.structure, Structure::BucketHash(Storage::Fixed, _, Registration::Once))
}

fn fix(grid: &mut GridParameters) {
    if !matches!(grid.structure, Structure::BucketHash(Storage::Fixed, _, Registration::Once)) {
        grid.structure = Structure::BucketHash(Storage::Fixed, Update::Rebuilt, Registration::Once);
    }
}

/// Places that the fullest bucket overflows by far.
fn few_places(start: &Reading) -> u32 {
    (start.longest_bucket as u32 / 4).clamp(1, MAX_BUCKET_CAPACITY)
}

/// Places that the fullest bucket does not need even when the fluid moves on a little.
fn enough_places(start: &Reading, grid: &GridParameters) -> u32 {
    let most = (MAX_PLACES / u64::from(grid.table_size.max(1))).clamp(1, MAX_BUCKET_CAPACITY.into()) as u32;
    (start.longest_bucket as u32).saturating_mul(3).div_ceil(2).saturating_add(4).clamp(1, most)
}
