//! The candidates of successive queries from one cell, side by side.

use glam::Vec3;

/// Points whose distance is to be tested. Coordinates lie in arrays of their own: distances to all of them are computed in one loop
/// that the compiler turns into vector instructions.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    ids: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    /// 1 for a candidate that is near, 0 for one that is not; padded with 0 to whole words.
    near: Vec<u8>,
}

impl Candidates {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Indices of the points, in the order in which they were collected.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        let Self { ids, x, y, z, .. } = self;
        ids.clear();
        for coordinates in [x, y, z] {
            coordinates.clear();
        }
    }

    /// Adds the point `id` at `point`, m.
    #[inline]
    pub fn push(&mut self, id: u32, point: Vec3) {
        self.ids.push(id);
        self.x.push(point.x);
        self.y.push(point.y);
        self.z.push(point.z);
    }

    /// Adds points that lie side by side: `ids` and `points` (m) have the same length.
    pub fn extend(&mut self, ids: &[u32], points: &[Vec3]) {
        self.ids.extend_from_slice(ids);
        self.x.extend(points.iter().map(|point| point.x));
        self.y.extend(points.iter().map(|point| point.y));
        self.z.extend(points.iter().map(|point| point.z));
    }

    /// Appends to `indices` the candidates strictly closer than `radius` to `center` (m), less the one that is the query itself, in
    /// the order of collection.
    pub(super) fn append_near(&mut self, center: Vec3, radius: f32, itself: Option<u32>, indices: &mut Vec<u32>) {
        let Self { ids, x, y, z, near } = self;
        near.resize(ids.len().next_multiple_of(size_of::<u64>()), 0);
        near[ids.len()..].fill(0);
        let radius_squared = radius * radius;
        for (((near, x), y), z) in near.iter_mut().zip(&*x).zip(&*y).zip(&*z) {
            *near = u8::from((center - Vec3::new(*x, *y, *z)).length_squared() < radius_squared);
        }
        // One candidate in seven is near. Eight flags are read as one number and its ones counted off, so that the other six cost
        // next to nothing and no branch.
        let (words, _) = near.as_chunks();
        for (word, ids) in words.iter().zip(ids.chunks(size_of::<u64>())) {
            let mut word = u64::from_le_bytes(*word);
            while word != 0 {
                let id = ids[word.trailing_zeros() as usize / 8];
                word &= word - 1;
                if Some(id) != itself {
                    indices.push(id);
                }
            }
        }
    }
}
