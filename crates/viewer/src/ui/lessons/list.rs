//! All lessons, and those about the search of the fluid: collisions in small hash tables, cell spacing, buckets of fixed capacity.

use super::lesson::{Lesson, Metric, Reading, Requirements, Searched, Step, Task, has_usual_cells, large_table};
use super::points::{BALLS, CLOTH};
use crate::ui::widgets::format;
use crate::ui::widgets::outline::Control;
use sph_core::neighbors::{GridParameters, MAX_BUCKET_CAPACITY, Registration, Storage, Structure, Update};

/// All lessons, in the order of the menu.
pub const LESSONS: [&Lesson; 5] = [&TABLE_SIZE, &CELL_SPACING, &FIXED_BUCKETS, &BALLS, &CLOTH];

// Lesson: buckets, collisions, and the cost of a small hash table.

/// Load factor of the small table.
const HIGH_LOAD_FACTOR: usize = 8;

pub const TABLE_SIZE: Lesson = Lesson {
    title: "Shrink the hash table",
    summary: "Buckets, collisions, and the cost of a small table.",
    searched: Searched::Fluid,
    requirements: Requirements { spatial_hash: true, usual_cells: true, large_table: false },
    steps: &[
        Step {
            heading: "Cells and buckets",
            text: |now| {
                format!(
                    "The grid divides space into cells. A hash function maps each cell to one of {} buckets, which lists the \
                     particles of the cell. Now {} cells and {} buckets contain particles.",
                    buckets(now),
                    count(now.occupied_cells),
                    count(now.occupied_buckets)
                )
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |start| {
                    format!("Start with a large table: set the hash table size to {} or more.", count(2 * start.occupied_cells))
                },
                done: |start, now| now.grid.table_size as usize >= 2 * start.occupied_cells,
                perform: |start, grid| grid.table_size = large_table(start),
                metrics: &[Metric::TableSize, Metric::LoadFactor, Metric::Candidates],
                beside: &[],
                outcome: |_| "Now most cells have their own bucket.".to_owned(),
            }),
        },
        Step {
            heading: "Load factor of the table",
            text: |now| {
                format!(
                    "The load factor is the number of occupied cells divided by the number of buckets: {} / {} = {}. Cells in \
                     the same bucket collide; even in a large table some do, here {} of {}. To see them, tick Show cells in \
                     the Inspector, and set the cell colour to Collisions.",
                    count(now.occupied_cells),
                    buckets(now),
                    format::significant(now.load_factor),
                    count(now.cells_in_collision),
                    count(now.occupied_cells)
                )
            },
            control: Some(Control::LoadFactor),
            task: None,
        },
        Step {
            heading: "Fewer buckets",
            text: |_| {
                "With fewer buckets, more cells share a bucket. The buckets that a query visits then contain particles of \
                 distant cells: the query tests their distance and rejects them."
                    .to_owned()
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |start| format!("Drag the hash table size down to {} or less.", count(small_table(start) as usize)),
                done: |start, now| now.grid.table_size <= small_table(start),
                perform: |start, grid| grid.table_size = small_table(start),
                metrics: &[Metric::TableSize, Metric::LoadFactor, Metric::Candidates, Metric::Query, Metric::Wrong],
                beside: &[],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    format!(
                        "For each neighbour found, a query now tests {} times as many distances. The neighbours are the same, \
                         because they are selected by distance.",
                        format::significant(after.candidates / before.candidates.max(f64::MIN_POSITIVE))
                    )
                },
            }),
        },
        Step {
            heading: "The motion is unchanged",
            text: |now| {
                let checked = now.audit;
                format!(
                    "In every step, the neighbour lists of some particles are compared with a brute-force search: {} lists so \
                     far, with {} missed and {} duplicate neighbours. Sums over neighbours have a fixed order for any table, \
                     so the motion of the fluid is identical, bit for bit.",
                    format::count(checked.queries),
                    format::count(checked.missed),
                    format::count(checked.duplicates)
                )
            },
            control: Some(Control::Audit),
            task: None,
        },
        Step {
            heading: "A single bucket",
            text: |now| {
                format!(
                    "In a table with 1 bucket, all cells collide and a query tests every particle, like brute force. With {} \
                     particles a step can take long; the window stays responsive.",
                    count(now.particles)
                )
            },
            control: Some(Control::TableSize),
            task: Some(Task {
                ask: |_| "Drag the hash table size down to 1.".to_owned(),
                done: |_, now| now.grid.table_size == 1,
                perform: |_, grid| grid.table_size = 1,
                metrics: &[Metric::TableSize, Metric::LoadFactor, Metric::Candidates, Metric::Query, Metric::Wrong],
                beside: &[],
                outcome: |columns| {
                    let [.., (_, after)] = columns else { return String::new() };
                    format!(
                        "Each of the {} particles is now tested against {}, including itself, to find {} neighbours.",
                        count(after.particles),
                        format::count(after.tests().round() as u64),
                        format::count(after.neighbors.round() as u64)
                    )
                },
            }),
        },
        Step {
            heading: "Summary",
            text: |_| {
                "A small table costs time, but loses no neighbours. With two buckets per particle, collisions are few; a \
                 larger table only costs memory, and time to clear. The cell hash compares cells before it tests particles, so \
                 it tolerates a small table: try it under Structure."
                    .to_owned()
            },
            control: Some(Control::Structure),
            task: None,
        },
    ],
};

fn count(value: usize) -> String {
    format::count(value as u64)
}

fn buckets(reading: &Reading) -> String {
    format::count(reading.grid.table_size.into())
}

/// Table size with a high load factor.
fn small_table(start: &Reading) -> u32 {
    u32::try_from(start.occupied_cells / HIGH_LOAD_FACTOR).unwrap_or(u32::MAX).max(1)
}

// Lesson: large and small cell spacings.

/// Spacings that count as large, as small, and as between, in support radii.
const LARGE: f32 = 3.0;
const SMALL: f32 = 0.5;
const BETWEEN: std::ops::Range<f32> = 0.6..2.5;

/// Tolerance for values set by a slider.
const TOLERANCE: f32 = 1e-3;

const SPACING_METRICS: &[Metric] = &[Metric::Spacing, Metric::CellsPerQuery, Metric::Candidates, Metric::Query, Metric::Wrong];

pub const CELL_SPACING: Lesson = Lesson {
    title: "Vary the cell spacing",
    summary: "Few large cells or many small ones: both are slow, for opposite reasons.",
    searched: Searched::Fluid,
    requirements: Requirements { spatial_hash: true, usual_cells: false, large_table: true },
    steps: &[
        Step {
            heading: "Cells of a query",
            text: |now| {
                format!(
                    "Neighbours lie within the support radius, {} m. With cells of {} m, a query visits up to {} cells and \
                     tests all particles in them: {} per query, of which {} are neighbours.",
                    format::length(now.support_radius.into()),
                    format::length(now.grid.cell_size.into()),
                    format::count(now.cells()),
                    format::significant(now.tests()),
                    format::significant(now.neighbors)
                )
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Start with the usual cells: set the cell spacing to about {}.", radii(start, 1.0)),
                done: |start, now| has_usual_cells(&now.grid, start),
                perform: |start, grid| grid.cell_size = start.support_radius,
                metrics: SPACING_METRICS,
                beside: &[],
                outcome: |_| "The next steps compare with these values.".to_owned(),
            }),
        },
        Step {
            heading: "Large cells",
            text: |_| {
                "With large cells, a query visits few of them. But they extend far beyond the support radius, and every \
                 particle in them is tested."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Drag the cell spacing up to {} or more.", radii(start, LARGE)),
                done: |_, now| now.ratio() >= LARGE - TOLERANCE,
                perform: |start, grid| grid.cell_size = LARGE * start.support_radius,
                metrics: SPACING_METRICS,
                beside: &[(0, "usual")],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    format!(
                        "Up to {} cells per query instead of {}, and {} times as many distance tests.",
                        format::count(after.cells()),
                        format::count(before.cells()),
                        format::significant(after.tests() / before.tests().max(1.0))
                    )
                },
            }),
        },
        Step {
            heading: "Small cells",
            text: |_| {
                "Small cells fit the support sphere closely: few particles outside it are tested. But a query must look up \
                 many cells, including empty ones."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| format!("Drag the cell spacing down to {} or less.", radii(start, SMALL)),
                done: |_, now| now.ratio() <= SMALL + TOLERANCE,
                perform: |start, grid| grid.cell_size = SMALL * start.support_radius,
                metrics: SPACING_METRICS,
                beside: &[(0, "usual"), (1, "large")],
                outcome: |columns| {
                    let [(_, before), .., (_, after)] = columns else { return String::new() };
                    let candidates = if after.candidates < before.candidates {
                        "fewer candidates"
                    } else {
                        "no fewer candidates, because many cells share buckets"
                    };
                    let time = if after.query_ms > before.query_ms { "longer" } else { "less time" };
                    let cells = format::count(after.cells());
                    format!(
                        "Up to {cells} cells per query, and {candidates}. The query takes {time} than with the usual cells."
                    )
                },
            }),
        },
        Step {
            heading: "The fastest spacing",
            text: |_| {
                "The best spacing balances cells against candidates. It depends on the scene and on the machine: watch Query \
                 in the list of phases while you drag."
                    .to_owned()
            },
            control: Some(Control::CellSpacing),
            task: Some(Task {
                ask: |start| {
                    format!(
                        "Find the shortest query time between {} and {}.",
                        radii(start, BETWEEN.start),
                        radii(start, BETWEEN.end)
                    )
                },
                done: |_, now| BETWEEN.contains(&now.ratio()),
                perform: |start, grid| grid.cell_size = start.support_radius,
                metrics: SPACING_METRICS,
                beside: &[(1, "large"), (2, "small")],
                outcome: |columns| {
                    let by_time = |a: &&(&str, &Reading), b: &&(&str, &Reading)| a.1.query_ms.total_cmp(&b.1.query_ms);
                    let Some((_, fastest)) = columns.iter().min_by(by_time) else { return String::new() };
                    format!(
                        "The fastest of these spacings is {:.2} support radii: {} ms.",
                        fastest.ratio(),
                        format::significant(fastest.query_ms)
                    )
                },
            }),
        },
        Step {
            heading: "Summary",
            text: |_| {
                "A cell spacing far from the support radius usually makes the search slow: too many candidates, or too many \
                 cells. One support radius is a good start: a query visits at most 27 cells in 3D and 9 in 2D. Auto-tune, in \
                 the Grid panel, finds the fastest spacing."
                    .to_owned()
            },
            control: None,
            task: None,
        },
    ],
};

/// Text for a length of `ratio` support radii, in metres and in support radii.
fn radii(reading: &Reading, ratio: f32) -> String {
    let length = format::length(f64::from(ratio * reading.support_radius));
    let noun = if ratio == 1.0 { "support radius" } else { "support radii" };
    format!("{length} m ({ratio} {noun})")
}

// Lesson: overflow of buckets of fixed capacity, and linked storage.

const BUCKET_METRICS: &[Metric] =
    &[Metric::Capacity, Metric::Spills, Metric::Memory, Metric::Build, Metric::Query, Metric::Wrong];

pub const FIXED_BUCKETS: Lesson = Lesson {
    title: "Overflow fixed buckets",
    summary: "Buckets of fixed capacity overflow; linked lists do not.",
    searched: Searched::Fluid,
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
                metrics: BUCKET_METRICS,
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
                metrics: BUCKET_METRICS,
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
                metrics: BUCKET_METRICS,
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
                metrics: BUCKET_METRICS,
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
    let most = grid.most_places_per_bucket();
    (start.longest_bucket as u32).saturating_mul(3).div_ceil(2).saturating_add(4).clamp(1, most)
}
