//! Pairs of vertices that may touch, pushed apart in passes.
//!
//! A substep begins with passes over all pairs. Few are still much too near after these, so passes may follow that are for the vertices of these
//! few: a vertex is *awake* in a pass if one of its pairs was too near in the pass before, or has been found so in this one.
//!
//! Pairs are tested [`TESTED`] at a time. Of those that touch, up to four that follow each other and have no common vertex are pushed apart at a
//! time, each from where those before have left its vertices.

use super::vertices::{Vertex, XYZ};
use crate::four::Four;
use glam::{Vec3A, Vec4};

/// Distance of a pair, of its least distance, below which its vertices are awake in the next pass, if there is one: what pushes these may make
/// others too near.
const AWAKE: f32 = 0.98;

/// Distance of a pair, of its least distance, below which it may touch in the passes over those that are awake: the others are not looked at.
const NEAR: f32 = 1.2;

/// Number of pairs that are tested before the first of them is pushed apart: as many as a mask has bits.
pub(super) const TESTED: usize = 64;

/// Two vertices that may touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Vector from the second to the first at the beginning of the step, m; last their least distance squared, m².
    pub span: Vec4,
    /// Least distance, m.
    pub least: f32,
    /// Share of a push that moves the first; the rest moves the second.
    pub share: f32,
}

/// Pairs that a pass is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    All,
    /// Those with a vertex that is awake.
    Awake,
}

/// Vertices of a group of pairs, by the places of a pair.
pub(super) trait Vertices {
    fn get(&self, places: [u16; 2]) -> [Vertex; 2];
    fn set(&mut self, places: [u16; 2], vertices: [Vertex; 2]);
}

/// Vertices of one block.
pub(super) struct Within<'a>(pub &'a mut [Vertex]);

/// Vertices of two blocks.
pub(super) struct Between<'a>(pub &'a mut [Vertex], pub &'a mut [Vertex]);

impl Vertices for Within<'_> {
    #[inline(always)]
    fn get(&self, [a, b]: [u16; 2]) -> [Vertex; 2] {
        [self.0[usize::from(a)], self.0[usize::from(b)]]
    }

    #[inline(always)]
    fn set(&mut self, [a, b]: [u16; 2], vertices: [Vertex; 2]) {
        [self.0[usize::from(a)], self.0[usize::from(b)]] = vertices;
    }
}

impl Vertices for Between<'_> {
    #[inline(always)]
    fn get(&self, [a, b]: [u16; 2]) -> [Vertex; 2] {
        [self.0[usize::from(a)], self.1[usize::from(b)]]
    }

    #[inline(always)]
    fn set(&mut self, [a, b]: [u16; 2], vertices: [Vertex; 2]) {
        [self.0[usize::from(a)], self.1[usize::from(b)]] = vertices;
    }
}

/// A pass over a group of pairs.
#[derive(Clone, Copy)]
pub(super) struct Pass {
    /// Number of the pass in the substep, from 0.
    pub number: f32,
    pub over: Over,
    /// Distance of a pair, of its least distance, from which another pass over the contacts is not worth its time.
    pub tight: f32,
    pub friction: f32,
}

impl Pass {
    /// Pushes the vertices of pairs apart. Returns true if two were nearer than [`Self::tight`] allows. A pass over all pairs says which are `near`, and
    /// one over those that are awake looks at no others.
    pub fn solve(self, pairs: &[Pair], places: &[[u16; 2]], near: &mut [u64], mut vertices: impl Vertices) -> bool {
        let mut is_loose = false;
        for ((pairs, places), near) in pairs.chunks(TESTED).zip(places.chunks(TESTED)).zip(near) {
            // Few of the pairs touch, which no processor foresees: a mask of those that do costs less than a branch for each.
            let mut touching = 0_u64;
            match self.over {
                Over::All => {
                    (touching, *near) = (0, 0);
                    let mut note = |first: usize, squared: Vec4, least: Vec4| {
                        touching |= u64::from(squared.cmplt(least).bitmask()) << first;
                        *near |= u64::from(squared.cmplt(NEAR * NEAR * least).bitmask()) << first;
                    };
                    let (fours, rest) = pairs.as_chunks::<4>();
                    for (number, (four, places)) in fours.iter().zip(places.as_chunks::<4>().0).enumerate() {
                        let span = |lane: usize| four[lane].present_span(vertices.get(places[lane]));
                        let (span, least) = Four::with_last([span(0), span(1), span(2), span(3)]);
                        note(4 * number, span.dot(span), least);
                    }
                    for (k, pair) in (4 * fours.len()..).zip(rest) {
                        let squared = pair.distance_squared(vertices.get(places[k]));
                        let of_first = |number: f32, others: f32| Vec4::new(number, others, others, others);
                        note(k, of_first(squared, 1.0), of_first(pair.span.w, 0.0));
                    }
                }
                Over::Awake => {
                    for k in bits(*near) {
                        let both = vertices.get(places[k]);
                        let is_awake = both[0].is_awake_in(self.number) | both[1].is_awake_in(self.number);
                        touching |= u64::from(is_awake & (pairs[k].distance_squared(both) < pairs[k].span.w)) << k;
                    }
                }
            }
            while touching != 0 {
                let (mut four, mut count) = ([0; 4], 0);
                for k in bits(touching).take(4) {
                    if four[..count].iter().any(|&other: &usize| share_a_vertex(places[other], places[k])) {
                        break;
                    }
                    four[count] = k;
                    count += 1;
                    touching &= touching - 1;
                }
                is_loose |= self.part(pairs, places, &four, count, &mut vertices);
            }
        }
        is_loose
    }

    /// Pushes the vertices of the first `count` of `four` pairs apart, which touch and have no common vertex. Returns true if two were nearer than
    /// [`Self::tight`] allows.
    ///
    /// What they overlapped by before the substep is undone without giving them a velocity, as contacts must not add energy. Friction is
    /// Coulomb's: along the contact they are moved back by at most μ times the rest of the push.
    #[inline(always)]
    fn part(self, pairs: &[Pair], places: &[[u16; 2]], four: &[usize; 4], count: usize, vertices: &mut impl Vertices) -> bool {
        let (mut now, mut earlier) = ([Vec4::ZERO; 4], [Vec4::ZERO; 4]);
        // What is not there has no least distance, and so does not overlap.
        let mut least = [0.0; 4];
        for lane in 0..4 {
            let pair = &pairs[four[lane]];
            let [a, b] = vertices.get(places[four[lane]]);
            now[lane] = pair.span + a.moved - b.moved;
            earlier[lane] = pair.span + a.before - b.before;
            least[lane] = if lane < count { pair.least } else { 0.0 };
        }
        let least = Vec4::from_array(least);
        let from = Four::of(earlier);
        let mut normal = Four::of(now);
        let slip = normal - from;
        let distance = normal.dot(normal).sqrt();
        let at_one_place = distance.cmpeq(Vec4::ZERO);
        if at_one_place.any() {
            // Vertices at one place part the way that they came, or up.
            for lane in (0..4).filter(|&lane| at_one_place.test(lane)) {
                now[lane] = Vec3A::from_vec4(earlier[lane]).normalize_or(Vec3A::Y).extend(0.0);
            }
            normal = Four::of(now) * Vec4::select(at_one_place, Vec4::ONE, distance).recip();
        } else {
            normal = normal * distance.recip();
        }
        let overlap = (least - distance).max(Vec4::ZERO);
        let old = (least - from.dot(normal)).max(Vec4::ZERO).min(overlap);
        let push = overlap - old;
        let slip = slip - normal * slip.dot(normal);
        let (length_squared, most) = (slip.dot(slip), self.friction * push);
        let slides = length_squared.cmpgt(most * most);
        let back = Vec4::select(slides, most / length_squared.sqrt(), Vec4::ONE);
        // Without a push there is no friction.
        let back = Vec4::select(push.cmpgt(Vec4::ZERO), back, Vec4::ZERO);
        let relocations = (normal * old).each();
        let moves = (normal * overlap - slip * back).each();
        let nearness = (distance / least).to_array();
        let mut is_loose = false;
        for lane in 0..count {
            let (share, places) = (pairs[four[lane]].share, places[four[lane]]);
            let [mut a, mut b] = vertices.get(places);
            a.moved += moves[lane] * share;
            a.before += relocations[lane] * share;
            b.moved -= moves[lane] * (1.0 - share);
            b.before -= relocations[lane] * (1.0 - share);
            if nearness[lane] < AWAKE {
                a.awake_in(self.number + 1.0);
                b.awake_in(self.number + 1.0);
                is_loose |= nearness[lane] < self.tight;
            }
            vertices.set(places, [a, b]);
        }
        is_loose
    }
}

/// True if two pairs of a group at these places may have a common vertex: always if they have.
#[inline(always)]
fn share_a_vertex([a, b]: [u16; 2], [c, d]: [u16; 2]) -> bool {
    (a == c) | (b == d) | (a == d) | (b == c)
}

/// Numbers of the bits of `mask` that are set, ascending.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

impl Pair {
    /// Vector from the second vertex to the first, m; last their least distance squared, m².
    #[inline(always)]
    fn present_span(&self, [a, b]: [Vertex; 2]) -> Vec4 {
        self.span + (a.moved - b.moved) * XYZ
    }

    /// Square of the distance of the two vertices, m².
    #[inline(always)]
    fn distance_squared(&self, both: [Vertex; 2]) -> f32 {
        Vec3A::from_vec4(self.present_span(both)).length_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of vertices of one block, all nearer than 1 m: some apart from each other, some at one place, some in a chain.
    fn pairs() -> (Vec<Vertex>, Vec<Pair>, Vec<[u16; 2]>) {
        let vertex = |k: u16| {
            let place = |k: f32| Vec4::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin(), 0.0);
            let before = 0.1 * place(f32::from(k));
            Vertex { moved: (before + 0.02 * place(f32::from(k) + 0.5)).with_w(1.0 + f32::from(k % 3)), before }
        };
        let mut vertices: Vec<Vertex> = (0..60).map(vertex).collect();
        vertices[3] = vertices[2];
        let places = (0..10).map(|k| [2 * k + 1, 2 * k]).chain((20..59).map(|k| [k + 1, k])).collect::<Vec<[u16; 2]>>();
        let pair = |&[a, b]: &[u16; 2]| {
            let [a, b] = [a, b].map(|k| vertices[usize::from(k)].inverse_mass());
            Pair { span: Vec4::new(0.0, 0.0, 0.0, 1.0), least: 1.0, share: a / (a + b) }
        };
        let pairs = places.iter().map(pair).collect();
        (vertices, pairs, places)
    }

    #[test]
    fn four_pairs_at_a_time_are_one_after_the_other() {
        let (mut together, pairs, places) = pairs();
        let mut apart = together.clone();
        let pass = Pass { number: 0.0, over: Over::All, tight: 0.95, friction: 0.3 };
        assert!(pass.solve(&pairs, &places, &mut [0], Within(&mut together)));
        for (pair, places) in pairs.iter().zip(&places) {
            pass.solve(std::slice::from_ref(pair), std::slice::from_ref(places), &mut [0], Within(&mut apart));
        }
        let bits = |of: &[Vertex]| -> Vec<[u32; 8]> {
            let numbers = |vertex: &Vertex| [vertex.moved.to_array(), vertex.before.to_array()].concat();
            of.iter().map(|vertex| std::array::from_fn(|k| numbers(vertex)[k].to_bits())).collect()
        };
        assert_eq!(bits(&together), bits(&apart));
    }

    /// Momentum is kept, and pairs alone are as far apart as they must be.
    #[test]
    fn pairs_part_by_their_masses() {
        let (mut vertices, pairs, places) = pairs();
        let before = vertices.clone();
        let pass = Pass { number: 0.0, over: Over::All, tight: 0.95, friction: 0.3 };
        pass.solve(&pairs, &places, &mut [0], Within(&mut vertices));
        for (pair, &[a, b]) in pairs.iter().zip(&places).take(10) {
            let distance = pair.distance_squared([a, b].map(|k| vertices[usize::from(k)])).sqrt();
            assert!(distance > 0.999, "{distance}");
        }
        let gain = |k: usize| (vertices[k].moved - before[k].moved) / before[k].inverse_mass();
        let sum: Vec4 = (0..vertices.len()).map(gain).sum();
        assert!(Vec3A::from_vec4(sum).length() < 1e-5, "{sum}");
    }

    #[test]
    fn a_pass_over_those_awake_leaves_the_others() {
        let (mut vertices, pairs, places) = pairs();
        vertices[4].awake_in(2.0);
        let before = vertices.clone();
        let pass = Pass { number: 2.0, over: Over::Awake, tight: 0.95, friction: 0.0 };
        assert!(pass.solve(&pairs, &places, &mut [u64::MAX >> (64 - pairs.len())], Within(&mut vertices)));
        let moved: Vec<usize> = (0..vertices.len()).filter(|&k| vertices[k].moved != before[k].moved).collect();
        assert_eq!(moved, [4, 5]);
        // The two are awake in the next pass as well.
        assert!([4, 5].into_iter().all(|k| vertices[k].is_awake_in(3.0)));
    }
}
