//! Pairs of vertices by the blocks of both, in an order in which a processor core works on several at once.

use super::blocks::BLOCK;
use super::pairs::Pair;
use std::ops::Range;

/// Number of colours of the pairs of a group.
const COLOURS: usize = 64;

/// Pairs whose first vertex is in one block.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockPairs {
    pub pairs: Vec<Pair>,
    /// Places of the two vertices of each pair in their blocks, apart: passes that few pairs are awake in read nothing else of the others.
    pub places: Vec<[u16; 2]>,
    /// Second blocks, ascending, and their pairs.
    pub groups: Vec<(u32, Range<usize>)>,
    /// Pairs as they were found.
    pub found: Vec<Found>,
    /// Memory of [`Self::sort`].
    order: Vec<usize>,
    colours: Vec<usize>,
    starts: Vec<usize>,
}

/// A pair before it is sorted, with the block of its second vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub pair: Pair,
    pub places: [u16; 2],
    pub block: u32,
}

impl BlockPairs {
    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.places.clear();
        self.groups.clear();
        self.found.clear();
    }

    /// Puts the pairs of the block `own` with one block side by side, ascending by block, and within these groups by colour, so that successive
    /// pairs mostly have no common vertex, and a processor core works on several at once. A pair has the lowest colour that none before it
    /// has at one of its vertices; from the 64th at a vertex on, pairs share the last one, which only costs speed.
    pub fn sort(&mut self, own: u32) {
        let Self { pairs, places, groups, found, order, colours, starts } = self;
        let Some(&Found { pair, places: at, .. }) = found.first() else { return };
        pairs.resize(found.len(), pair);
        places.resize(found.len(), at);
        order.resize(found.len(), 0);
        let of_block = found.iter().map(|found| found.block as usize);
        sort_by_counting(of_block, own as usize + 1, starts, |k, place| order[place] = k);
        let mut first = 0;
        for group in order.chunk_by(|&a, &b| found[a].block == found[b].block) {
            let block = found[group[0]].block;
            // Vertices of the two blocks, which may be one.
            let second = if block == own { 0 } else { BLOCK };
            let mut taken = [0_u64; 2 * BLOCK];
            colours.clear();
            colours.extend(group.iter().map(|&k| {
                let [a, b] = found[k].places.map(usize::from);
                let colour = (!(taken[a] | taken[second + b])).trailing_zeros().min(COLOURS as u32 - 1);
                taken[a] |= 1 << colour;
                taken[second + b] |= 1 << colour;
                colour as usize
            }));
            sort_by_counting(colours.iter().copied(), COLOURS, starts, |k, place| {
                let Found { pair, places: at, .. } = found[group[k]];
                (pairs[first + place], places[first + place]) = (pair, at);
            });
            groups.push((block, first..first + group.len()));
            first += group.len();
        }
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.pairs.capacity() * size_of::<Pair>()
            + self.places.capacity() * size_of::<[u16; 2]>()
            + self.found.capacity() * size_of::<Found>()
            + (self.order.capacity() + self.colours.capacity() + self.starts.capacity()) * size_of::<usize>()
            + self.groups.capacity() * size_of::<(u32, Range<usize>)>()
    }
}

/// Calls `put(k, place)` for each item k, with its place among all when they are sorted by `keys`, which are below `count`; those of one key stay
/// in their order.
fn sort_by_counting(
    keys: impl Iterator<Item = usize> + Clone,
    count: usize,
    starts: &mut Vec<usize>,
    mut put: impl FnMut(usize, usize),
) {
    starts.clear();
    starts.resize(count + 1, 0);
    keys.clone().for_each(|key| starts[key + 1] += 1);
    (0..count).for_each(|key| starts[key + 1] += starts[key]);
    for (k, key) in keys.enumerate() {
        put(k, starts[key]);
        starts[key] += 1;
    }
}

// Places in blocks have 16 bits.
const _: () = assert!(BLOCK <= 1 << 16);
