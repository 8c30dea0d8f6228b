//! Buckets of points, stored in a fixed number of places or as linked lists; counts of the points in each cell.

use std::collections::HashMap;
use std::ops::Range;

use crate::neighbors::grid::{CellBox, EMPTY, Table};
use crate::neighbors::lookups::prefetch;
use crate::neighbors::runs::{Run, each_run};
use crate::neighbors::statistics::{Census, FilledCells};
use crate::neighbors::stencil;
use crate::parameters::Storage;
use crate::report::held;
use glam::IVec3;

/// Buckets of one storage. An entry occurs at most once in a bucket; the order of entries is unspecified but after
/// [`Buckets::refill`].
#[derive(Clone, Debug)]
pub(crate) enum Buckets {
    Fixed(FixedBuckets),
    Linked(LinkedBuckets),
}

impl Buckets {
    /// `count` empty buckets; `capacity` ≥ 1 applies to [`Storage::Fixed`].
    pub fn new(storage: Storage, count: u32, capacity: u32) -> Self {
        match storage {
            Storage::Fixed => Self::Fixed(FixedBuckets::new(count, capacity)),
            Storage::Linked => Self::Linked(LinkedBuckets::new(count)),
        }
    }

    /// Adds an entry to a bucket.
    pub fn insert(&mut self, bucket: u32, entry: u32) {
        match self {
            Self::Fixed(buckets) => buckets.insert(bucket, entry),
            Self::Linked(buckets) => buckets.insert(bucket, entry),
        }
    }

    /// Removes an entry from the bucket that holds it.
    pub fn remove(&mut self, bucket: u32, entry: u32) {
        match self {
            Self::Fixed(buckets) => buckets.remove(bucket, entry),
            Self::Linked(buckets) => buckets.remove(bucket, entry),
        }
    }

    /// Empties every bucket.
    pub fn clear(&mut self) {
        match self {
            Self::Fixed(buckets) => buckets.clear(),
            Self::Linked(buckets) => buckets.clear(),
        }
    }

    /// Number of entries in a bucket.
    pub fn len(&self, bucket: u32) -> usize {
        match self {
            Self::Fixed(buckets) => buckets.lengths[bucket as usize] as usize,
            Self::Linked(buckets) => buckets.lengths[bucket as usize] as usize,
        }
    }

    /// True if a bucket has no entries.
    pub fn is_empty(&self, bucket: u32) -> bool {
        match self {
            Self::Fixed(buckets) => buckets.lengths[bucket as usize] == 0,
            Self::Linked(buckets) => buckets.heads[bucket as usize] == NONE,
        }
    }

    /// True if none of these buckets has an entry.
    pub fn are_empty(&self, buckets: Range<usize>) -> bool {
        let (Self::Fixed(FixedBuckets { lengths, .. }) | Self::Linked(LinkedBuckets { lengths, .. })) = self;
        // Blocks without a branch, which vector instructions read.
        lengths[buckets].chunks(64).all(|block| block.iter().fold(0, |any, length| any | length) == 0)
    }

    /// Calls `visit` for each entry of a bucket.
    #[inline]
    pub fn each(&self, bucket: u32, visit: impl FnMut(u32)) {
        match self {
            Self::Fixed(buckets) => {
                let (places, spilled) = buckets.of(bucket);
                places.iter().chain(spilled).copied().for_each(visit);
            }
            Self::Linked(buckets) => buckets.iter(bucket).for_each(visit),
        }
    }

    /// Replaces all entries by those of `runs`, which ascend: `insert` is called with all buckets, each number of a run and what is given with the run,
    /// and inserts it where it belongs. [`Buckets::each`] then visits those of a bucket in ascending order.
    pub fn refill<T: Copy>(
        &mut self,
        runs: impl DoubleEndedIterator<Item = (Run, T)>,
        mut insert: impl FnMut(&mut Self, u32, T),
    ) {
        self.clear();
        match self {
            Self::Fixed(_) => {
                runs.for_each(|(run, with)| (run.start..run.end).for_each(|entry| insert(self, entry, with)));
            }
            // An entry is inserted before those that are there.
            Self::Linked(_) => {
                runs.rev().for_each(|(run, with)| (run.start..run.end).rev().for_each(|entry| insert(self, entry, with)));
            }
        }
    }

    /// Calls `visit` for each run of consecutive numbers in a bucket, after [`Buckets::refill`].
    #[inline(always)]
    pub fn each_run(&self, bucket: u32, visit: impl FnMut(Run)) {
        match self {
            Self::Fixed(buckets) => {
                let (places, spilled) = buckets.of(bucket);
                each_run(places.iter().chain(spilled).copied(), visit);
            }
            Self::Linked(buckets) => each_run(buckets.iter(bucket), visit),
        }
    }

    /// Asks for what tells where a bucket's entries are.
    #[inline(always)]
    pub fn prefetch_length(&self, bucket: u32) {
        match self {
            Self::Fixed(buckets) => {
                prefetch(&buckets.lengths, bucket as usize);
                prefetch(&buckets.places, bucket as usize * buckets.capacity as usize);
            }
            Self::Linked(buckets) => {
                prefetch(&buckets.heads, bucket as usize);
                prefetch(&buckets.lengths, bucket as usize);
            }
        }
    }

    /// Asks for a bucket's entries.
    #[inline(always)]
    pub fn prefetch_entries(&self, bucket: u32) {
        match self {
            Self::Fixed(buckets) => {
                let (start, length) = (bucket as usize * buckets.capacity as usize, buckets.lengths[bucket as usize]);
                prefetch(&buckets.places, start + length.min(buckets.capacity).saturating_sub(1) as usize);
            }
            Self::Linked(buckets) => prefetch(&buckets.nodes, buckets.heads[bucket as usize] as usize),
        }
    }

    /// Number of spills: entries that did not fit into the places of their bucket.
    pub fn spills(&self) -> usize {
        match self {
            Self::Fixed(buckets) => buckets.spilled.values().map(Vec::len).sum(),
            Self::Linked(_) => 0,
        }
    }

    /// Census of the buckets of `table`, whose cells have the numbers of points `counts`. The structure has cells of side `cell_size` (m)
    /// and holds `bytes`, the buckets included.
    pub fn census(
        &self,
        table: Table,
        cell_size: f32,
        counts: CellCounts,
        bytes: usize,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bucket = move |bucket, cells: &mut FilledCells| {
            let length = self.len(bucket);
            if length > 0 {
                cells.extend(counts.in_bucket(bucket));
            }
            length
        };
        Census {
            table_size: table.size as usize,
            cell_size,
            bytes,
            spills: self.spills(),
            bucket,
            are_empty: |buckets: Range<usize>| self.are_empty(buckets),
        }
    }

    /// Heap memory, bytes, including spare capacity.
    pub fn memory(&self) -> usize {
        match self {
            Self::Fixed(FixedBuckets { capacity: _, lengths, places, spilled }) => {
                let entries = spilled.capacity() * size_of::<(u32, Vec<u32>)>();
                held(lengths) + held(places) + entries + spilled.values().map(held).sum::<usize>()
            }
            Self::Linked(LinkedBuckets { heads, lengths, nodes, free }) => {
                held(heads) + held(lengths) + held(nodes) + held(free)
            }
        }
    }

    /// Memory of the contents, bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Fixed(buckets) => {
                size_of_val(&*buckets.lengths)
                    + size_of_val(&*buckets.places)
                    + buckets.spilled.values().map(|list| size_of_val(&**list)).sum::<usize>()
            }
            Self::Linked(buckets) => {
                size_of_val(&*buckets.heads) + size_of_val(&*buckets.lengths) + size_of_val(&*buckets.nodes)
            }
        }
    }
}

/// See [`Storage::Fixed`].
#[derive(Clone, Debug)]
pub(crate) struct FixedBuckets {
    capacity: u32,
    /// Number of entries in each bucket, spilled ones included.
    lengths: Vec<u32>,
    places: Vec<u32>,
    /// Spilled entries, by bucket.
    spilled: HashMap<u32, Vec<u32>>,
}

impl FixedBuckets {
    fn new(count: u32, capacity: u32) -> Self {
        let (lengths, places) = (vec![0; count as usize], vec![0; count as usize * capacity as usize]);
        Self { capacity, lengths, places, spilled: HashMap::new() }
    }

    /// The entries in a bucket's places, and its spilled entries.
    fn of(&self, bucket: u32) -> (&[u32], &[u32]) {
        let (start, length) = (bucket as usize * self.capacity as usize, self.lengths[bucket as usize]);
        let places = &self.places[start..start + length.min(self.capacity) as usize];
        let spilled = if length > self.capacity { self.spilled.get(&bucket).map_or(&[][..], Vec::as_slice) } else { &[] };
        (places, spilled)
    }

    fn insert(&mut self, bucket: u32, entry: u32) {
        let length = &mut self.lengths[bucket as usize];
        if *length < self.capacity {
            self.places[bucket as usize * self.capacity as usize + *length as usize] = entry;
        } else {
            self.spilled.entry(bucket).or_default().push(entry);
        }
        *length += 1;
    }

    fn remove(&mut self, bucket: u32, entry: u32) {
        let start = bucket as usize * self.capacity as usize;
        let length = self.lengths[bucket as usize];
        self.lengths[bucket as usize] -= 1;
        let places = &mut self.places[start..start + length.min(self.capacity) as usize];
        let place = places.iter().position(|&other| other == entry);
        if length <= self.capacity {
            if let Some(place) = place {
                places[place] = places[length as usize - 1];
            }
            return;
        }
        // A spilled entry moves into the place that became free.
        let Some(spilled) = self.spilled.get_mut(&bucket) else { return };
        match place {
            Some(place) => places[place] = spilled.pop().unwrap_or(places[place]),
            None => spilled.retain(|&other| other != entry),
        }
        if spilled.is_empty() {
            self.spilled.remove(&bucket);
        }
    }

    fn clear(&mut self) {
        self.lengths.fill(0);
        self.spilled.clear();
    }
}

/// Index of no node: the end of a list.
const NONE: u32 = u32::MAX;

/// See [`Storage::Linked`].
#[derive(Clone, Debug)]
pub(crate) struct LinkedBuckets {
    /// First node of each bucket; [`NONE`] if it is empty.
    heads: Vec<u32>,
    /// Number of entries in each bucket.
    lengths: Vec<u32>,
    nodes: Vec<Node>,
    /// Unused nodes.
    free: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    entry: u32,
    previous: u32,
    next: u32,
}

impl LinkedBuckets {
    fn new(count: u32) -> Self {
        let (heads, lengths) = (vec![NONE; count as usize], vec![0; count as usize]);
        Self { heads, lengths, nodes: Vec::new(), free: Vec::new() }
    }

    fn nodes(&self, bucket: u32) -> impl Iterator<Item = u32> {
        let first = Some(self.heads[bucket as usize]).filter(|&node| node != NONE);
        std::iter::successors(first, |&node| Some(self.nodes[node as usize].next).filter(|&next| next != NONE))
    }

    fn iter(&self, bucket: u32) -> impl Iterator<Item = u32> {
        self.nodes(bucket).map(|node| self.nodes[node as usize].entry)
    }

    fn insert(&mut self, bucket: u32, entry: u32) {
        let next = self.heads[bucket as usize];
        let node = Node { entry, previous: NONE, next };
        let place = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        });
        self.nodes[place as usize] = node;
        if next != NONE {
            self.nodes[next as usize].previous = place;
        }
        self.heads[bucket as usize] = place;
        self.lengths[bucket as usize] += 1;
    }

    fn remove(&mut self, bucket: u32, entry: u32) {
        let Some(place) = self.nodes(bucket).find(|&node| self.nodes[node as usize].entry == entry) else { return };
        let Node { previous, next, .. } = self.nodes[place as usize];
        match previous {
            NONE => self.heads[bucket as usize] = next,
            previous => self.nodes[previous as usize].next = next,
        }
        if next != NONE {
            self.nodes[next as usize].previous = previous;
        }
        self.free.push(place);
        self.lengths[bucket as usize] -= 1;
    }

    fn clear(&mut self) {
        self.heads.fill(NONE);
        self.lengths.fill(0);
        self.nodes.clear();
        self.free.clear();
    }
}

// Number of points registered in each cell, where each point is registered in a box of cells.

/// The occupied cells, sorted by bucket. Counting all cells at once hashes each of them once, not once per registered point.
#[derive(Debug)]
pub(crate) struct CellCounts(Vec<(u32, IVec3, u32)>);

impl CellCounts {
    /// Counts the points registered in `registered`, one box of cells per point, which is empty for a point in no cell. Vast
    /// boxes are left out: they have too many cells to count.
    pub fn new(registered: &[CellBox], table: Table) -> Self {
        let boxes = registered.iter().copied().filter(|&cells| !stencil::is_vast(cells));
        let registrations: i64 = boxes.clone().map(stencil::count).sum();
        let around = boxes.clone().fold(EMPTY, |a, b| if stencil::is_empty(b) { a } else { (a.0.min(b.0), a.1.max(b.1)) });
        let mut counts = Vec::new();
        let mut add = |cell, points| counts.push((table.bucket(cell), cell, points));
        if stencil::count(around) <= 2 * registrations + 4096 {
            count_densely(boxes, around, &mut add);
        } else {
            count_sparsely(boxes, &mut add);
        }
        counts.sort_unstable_by_key(|&(bucket, cell, _)| (bucket, cell.z, cell.y, cell.x));
        Self(counts)
    }

    /// The occupied cells of a bucket, with their numbers of points.
    pub fn in_bucket(&self, bucket: u32) -> impl Iterator<Item = (IVec3, u32)> {
        let first = self.0.partition_point(|&(other, ..)| other < bucket);
        self.0[first..].iter().take_while(move |&&(other, ..)| other == bucket).map(|&(_, cell, points)| (cell, points))
    }
}

/// Counts with one counter per cell of the bounding box `around`.
fn count_densely(boxes: impl Iterator<Item = CellBox>, around: CellBox, add: &mut impl FnMut(IVec3, u32)) {
    if stencil::is_empty(around) {
        return;
    }
    let size = (around.1 - around.0 + 1).as_usizevec3();
    let mut counts = vec![0u32; size.element_product()];
    for (low, high) in boxes.filter(|&cells| !stencil::is_empty(cells)) {
        let (low, high) = ((low - around.0).as_usizevec3(), (high - around.0).as_usizevec3());
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                let row = (z * size.y + y) * size.x;
                counts[row + low.x..=row + high.x].iter_mut().for_each(|count| *count += 1);
            }
        }
    }
    for (cell, &count) in stencil::each(around).zip(&counts) {
        if count > 0 {
            add(cell, count);
        }
    }
}

/// Counts with a map, for points so far apart that most cells between them are empty. Points near each other mostly have equal
/// boxes.
fn count_sparsely(boxes: impl Iterator<Item = CellBox>, add: &mut impl FnMut(IVec3, u32)) {
    let mut boxes: Vec<[i32; 6]> = boxes.map(|(low, high)| [low.x, low.y, low.z, high.x, high.y, high.z]).collect();
    boxes.sort_unstable();
    let mut counts: HashMap<IVec3, u32> = HashMap::new();
    for equal in boxes.chunk_by(|a, b| a == b) {
        let [x, y, z, to_x, to_y, to_z] = equal[0];
        for cell in stencil::each((IVec3::new(x, y, z), IVec3::new(to_x, to_y, to_z))) {
            *counts.entry(cell).or_default() += equal.len() as u32;
        }
    }
    counts.into_iter().for_each(|(cell, count)| add(cell, count));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::HashFunction;

    fn sorted(buckets: &Buckets, bucket: u32) -> Vec<u32> {
        let mut entries = Vec::new();
        buckets.each(bucket, |entry| entries.push(entry));
        assert_eq!(entries.len(), buckets.len(bucket));
        entries.sort_unstable();
        entries
    }

    #[test]
    fn no_entry_is_lost() {
        for storage in Storage::ALL {
            let mut buckets = Buckets::new(storage, 3, 2);
            for entry in 0..7 {
                buckets.insert(1, entry);
            }
            buckets.insert(2, 7);
            assert_eq!(sorted(&buckets, 1), [0, 1, 2, 3, 4, 5, 6], "{storage:?}");
            assert_eq!(buckets.spills(), if storage == Storage::Fixed { 5 } else { 0 });
            for entry in [6, 0, 3] {
                buckets.remove(1, entry);
            }
            assert_eq!(sorted(&buckets, 1), [1, 2, 4, 5], "{storage:?}");
            assert_eq!(buckets.spills(), if storage == Storage::Fixed { 2 } else { 0 });
            buckets.remove(2, 7);
            assert!(buckets.is_empty(2) && buckets.is_empty(0) && !buckets.is_empty(1));
            buckets.clear();
            assert!(buckets.is_empty(1) && buckets.spills() == 0);
        }
    }

    /// Refilled buckets ascend, whatever was in them before, with spills too, and are found as runs.
    #[test]
    fn refilled_buckets_ascend() {
        // Bucket 0: 0 to 4 and 9; bucket 1: 5 to 8; bucket 2: nothing.
        let bucket_of = [0, 0, 0, 0, 0, 1, 1, 1, 1, 0];
        for (storage, capacity) in [(Storage::Fixed, 8), (Storage::Fixed, 2), (Storage::Linked, 1)] {
            let mut buckets = Buckets::new(storage, 3, capacity);
            (0..20).for_each(|entry| buckets.insert(entry % 3, entry));
            let all = Run { start: 0, end: bucket_of.len() as u32 };
            buckets.refill([(all, ())].into_iter(), |buckets, entry, ()| buckets.insert(bucket_of[entry as usize], entry));
            let entries = |bucket| {
                let mut entries = Vec::new();
                buckets.each(bucket, |entry| entries.push(entry));
                entries
            };
            assert_eq!([0, 1, 2].map(entries), [vec![0, 1, 2, 3, 4, 9], vec![5, 6, 7, 8], vec![]], "{storage:?}");
            let runs = |bucket| {
                let mut runs = Vec::new();
                buckets.each_run(bucket, |run| runs.push((run.start, run.end)));
                runs
            };
            assert_eq!([0, 1, 2].map(runs), [vec![(0, 5), (9, 10)], vec![(5, 9)], vec![]], "{storage:?}");
        }
    }

    /// A distant box makes the count sparse instead of dense; the counts of the other cells stay the same.
    #[test]
    fn counts_the_same_densely_and_sparsely() {
        let table = Table::new(7, HashFunction::Teschner);
        let boxes: Vec<CellBox> = (0..60)
            .map(|k| (IVec3::new(k * 37 % 11, -k * 53 % 7, k * 29 % 5), IVec3::new(k % 3, k % 2, 1)))
            .map(|(low, extent)| (low, low + extent))
            .chain([EMPTY])
            .collect();
        let far = IVec3::splat(1 << 30);
        let with_far: Vec<CellBox> = boxes.iter().copied().chain([(far, far)]).collect();
        let (dense, sparse) = (CellCounts::new(&boxes, table), CellCounts::new(&with_far, table));
        for bucket in 0..7 {
            let mut expected: HashMap<IVec3, u32> = HashMap::new();
            for &cells in &boxes {
                for cell in stencil::each(cells).filter(|&cell| table.bucket(cell) == bucket) {
                    *expected.entry(cell).or_default() += 1;
                }
            }
            assert_eq!(dense.in_bucket(bucket).collect::<HashMap<_, _>>(), expected);
            assert_eq!(sparse.in_bucket(bucket).filter(|&(cell, _)| cell != far).collect::<HashMap<_, _>>(), expected);
        }
    }

    #[test]
    fn counts_no_points_and_leaves_out_vast_boxes() {
        let table = Table::new(1, HashFunction::Muller);
        assert_eq!(CellCounts::new(&[], table).in_bucket(0).count(), 0);
        assert_eq!(CellCounts::new(&[EMPTY, (IVec3::MIN, IVec3::MAX)], table).in_bucket(0).count(), 0);
    }
}
