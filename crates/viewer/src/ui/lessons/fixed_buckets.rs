//! Lesson: overflow of buckets of fixed capacity, and linked storage.

use super::lesson::{Lesson, Step, Task};
use super::reading::{Metric, Reading};
use super::requirements::Requirements;
use crate::ui::widgets::format;
use crate::ui::widgets::highlight::Control;
use sph_core::neighbors::{GridParameters, MAX_BUCKET_CAPACITY, MAX_PLACES, Registration, Storage, Structure, Update};

const METRICS: &[Metric] = &[Metric::Capacity, Metric::Spills, Metric::Memory, Metric::Build, Metric::Query, Metric::Wrong];

pub const LESSON: Lesson = Lesson {
    title: "Overflow fixed buckets",
    summary: "Buckets of fixed capacity overflow; linked lists do not.",
    requirements: Requirements { spatial_hash: false, usual_cells: true, large_table: true },
    steps: &[
        Step {
            heading: "Buckets of fixed capacity",
            text: |_| {
                "The bucket hash keeps a list of particles in every bucket. With fixed places, all lists lie in one block of \
                 memory, and each bucket has the same number of places, used or not."
                    .to_owned()
            },
            control: Some(Control::Structure),
            task: Some(Task {
                ask: |_| "Choose the structure Bucket hash with Fixed places, each particle registered once.".to_owned(),
                done: |_, now| is_fixed(now),
                perform: |_, grid| set_fixed_storage(grid),
                metrics: METRICS,
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
                    "The fullest bucket holds {} particles. Particles beyond the capacity of a bucket spill into a separate \
                     list for that bucket.",
                    format::count(now.longest_bucket as u64)
                )
            },
            control: Some(Control::BucketCapacity),
            task: Some(Task {
                ask: |start| {
                    format!("Bucket hash, fixed places: drag the bucket capacity down to {} or less.", small_capacity(start))
                },
                done: |start, now| is_fixed(now) && now.grid.bucket_capacity <= small_capacity(start) && now.spills > 0,
                perform: |start, grid| {
                    set_fixed_storage(grid);
                    grid.bucket_capacity = small_capacity(start);
                },
                metrics: METRICS,
                beside: &[],
                outcome: |columns| {
                    let [.., (_, after)] = columns else { return String::new() };
                    format!(
                        "{} of the {} particles do not fit into their bucket. The build also fills the overflow lists; the \
                         buckets use less memory.",
                        format::count(after.spills as u64),
                        format::count(after.particles as u64)
                    )
                },
            }),
        },
        Step {
            heading: "No neighbour is lost",
            text: |now| {
                let checked = now.audit;
                format!(
                    "A query reads a bucket and then its overflow list, so it finds every neighbour: {} neighbour lists have \
                     been checked by brute force, with {} missed neighbours. A program that drops particles on overflow \
                     computes wrong forces without a warning; this check would show it.",
                    format::count(checked.queries),
                    format::count(checked.missed)
                )
            },
            control: Some(Control::Audit),
            task: None,
        },
        Step {
            heading: "Capacity for the worst case",
            text: |now| {
                format!(
                    "To avoid spills, the capacity must exceed the number of particles in the fullest bucket, with some \
                     reserve as the fluid moves. The fullest bucket holds {} now.",
                    format::count(now.longest_bucket as u64)
                )
            },
            control: Some(Control::BucketCapacity),
            task: Some(Task {
                ask: |_| "Drag the bucket capacity up until there are no spills.".to_owned(),
                done: |_, now| is_fixed(now) && now.spills == 0,
                perform: |start, grid| {
                    set_fixed_storage(grid);
                    grid.bucket_capacity = sufficient_capacity(start, grid);
                },
                metrics: METRICS,
                beside: &[(1, "small")],
                outcome: |columns| {
                    let [.., (_, after)] = columns else { return String::new() };
                    let places = f64::from(after.grid.table_size) * f64::from(after.grid.bucket_capacity);
                    format!(
                        "No spills, with {} of memory: one of {} places is used.",
                        format::bytes(after.bytes),
                        format::count((places / after.particles.max(1) as f64).round() as u64)
                    )
                },
            }),
        },
        Step {
            heading: "Linked lists",
            text: |_| {
                "With linked storage, each entry points to the previous and the next entry of its bucket. The length is \
                 unlimited and no memory is reserved; but the entries of a bucket are no longer contiguous."
                    .to_owned()
            },
            control: Some(Control::BucketStorage),
            task: Some(Task {
                ask: |_| "Set the bucket storage of the bucket hash to Linked.".to_owned(),
                done: |_, now| matches!(now.grid.structure, Structure::BucketHash(Storage::Linked, ..)),
                perform: |_, grid| grid.structure = Structure::BucketHash(Storage::Linked, Update::Rebuilt, Registration::Once),
                metrics: METRICS,
                beside: &[(1, "small"), (3, "large")],
                outcome: |_| "Compare the three: spills, memory, and time on this machine.".to_owned(),
            }),
        },
        Step {
            heading: "Summary",
            text: |_| {
                "Fixed places are fast to fill and to read, but need the right capacity: too small a capacity causes spills, \
                 too large a capacity wastes memory. Linked lists need no capacity. The spatial hash counts first (counting \
                 sort), and then reserves exactly as many places as each bucket needs."
                    .to_owned()
            },
            control: None,
            task: None,
        },
    ],
};

/// True for the bucket hash with fixed places and each particle in one bucket.
fn is_fixed(reading: &Reading) -> bool {
    matches!(reading.grid.structure, Structure::BucketHash(Storage::Fixed, _, Registration::Once))
}

fn set_fixed_storage(grid: &mut GridParameters) {
    if !matches!(grid.structure, Structure::BucketHash(Storage::Fixed, _, Registration::Once)) {
        grid.structure = Structure::BucketHash(Storage::Fixed, Update::Rebuilt, Registration::Once);
    }
}

/// Capacity that the fullest bucket exceeds by far.
fn small_capacity(start: &Reading) -> u32 {
    (start.longest_bucket as u32 / 4).clamp(1, MAX_BUCKET_CAPACITY)
}

/// Capacity for the fullest bucket, with a reserve for the moving fluid.
fn sufficient_capacity(start: &Reading, grid: &GridParameters) -> u32 {
    let most = (MAX_PLACES / u64::from(grid.table_size.max(1))).clamp(1, MAX_BUCKET_CAPACITY.into()) as u32;
    (start.longest_bucket as u32).saturating_mul(3).div_ceil(2).saturating_add(4).clamp(1, most)
}
