//! Bounding volume hierarchy of triangles.

use glam::DVec3;

/// Most triangles of a leaf.
const LEAF: usize = 4;
/// Deepest path of a tree that is halved at each node, for up to 2³² triangles.
const DEPTH: usize = 64;

/// A binary tree of boxes, halved by the number of triangles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Triangles in the order of the leaves.
    pub order: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    min: DVec3,
    max: DVec3,
    /// First entry of `order` of a leaf; index of the second child otherwise, the first child being the next node.
    link: u32,
    /// Number of triangles of a leaf; 0 otherwise.
    count: u32,
}

impl Tree {
    /// The tree of triangles with the given boxes (m), of which there is at least one.
    pub fn new(boxes: &[[DVec3; 2]]) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..boxes.len() as u32).collect() };
        tree.split(boxes, 0, boxes.len());
        tree
    }

    fn split(&mut self, boxes: &[[DVec3; 2]], from: usize, to: usize) {
        let members = &mut self.order[from..to];
        let unit = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let join = |[low, high]: [DVec3; 2], &member: &u32| {
            let [min, max] = boxes[member as usize];
            [low.min(min), high.max(max)]
        };
        let [min, max] = members.iter().fold(unit, join);
        let node = self.nodes.len();
        self.nodes.push(Node { min, max, link: from as u32, count: (to - from) as u32 });
        if to - from <= LEAF {
            return;
        }
        let extent = max - min;
        let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
        let key = |member: u32| boxes[member as usize][0][axis] + boxes[member as usize][1][axis];
        let half = (to - from) / 2;
        members.select_nth_unstable_by(half, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        self.split(boxes, from, from + half);
        let second = self.nodes.len() as u32;
        self.split(boxes, from + half, to);
        (self.nodes[node].link, self.nodes[node].count) = (second, 0);
    }

    /// Lowest and highest corner, m.
    pub fn bounds(&self) -> [DVec3; 2] {
        [self.nodes[0].min, self.nodes[0].max]
    }

    /// Squared distance of `at` (m) from the box around all, m².
    pub fn box_distance_squared(&self, at: DVec3) -> f64 {
        self.nodes[0].distance_squared(at)
    }

    /// Calls `visit` for triangles in boxes nearer to `at` (m) than the squared distance (m²) that it has returned last, nearer
    /// boxes first.
    pub fn visit_near(&self, at: DVec3, mut visit: impl FnMut(u32) -> f64) {
        let mut nearest = f64::INFINITY;
        let (mut stack, mut height) = ([(0u32, 0.0f64); DEPTH], 1);
        stack[0] = (0, self.nodes[0].distance_squared(at));
        while height > 0 {
            height -= 1;
            let (index, distance) = stack[height];
            if distance >= nearest {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.count > 0 {
                for &triangle in &self.order[node.link as usize..(node.link + node.count) as usize] {
                    nearest = visit(triangle);
                }
                continue;
            }
            let children = [index + 1, node.link].map(|child| (child, self.nodes[child as usize].distance_squared(at)));
            let [near, far] = if children[0].1 <= children[1].1 { children } else { [children[1], children[0]] };
            (stack[height], stack[height + 1]) = (far, near);
            height += 2;
        }
    }

    /// Calls `visit` for triangles in leaves whose boxes overlap the box from `min` to `max` (m), until it returns true.
    pub fn any_overlapping(&self, [min, max]: [DVec3; 2], mut visit: impl FnMut(u32) -> bool) -> bool {
        let (mut stack, mut height) = ([0u32; DEPTH], 1);
        while height > 0 {
            height -= 1;
            let index = stack[height];
            let node = &self.nodes[index as usize];
            if node.min.cmpgt(max).any() || node.max.cmplt(min).any() {
                continue;
            }
            if node.count == 0 {
                (stack[height], stack[height + 1]) = (node.link, index + 1);
                height += 2;
            } else if self.order[node.link as usize..(node.link + node.count) as usize].iter().any(|&member| visit(member)) {
                return true;
            }
        }
        false
    }
}

impl Node {
    fn distance_squared(&self, at: DVec3) -> f64 {
        at.distance_squared(at.clamp(self.min, self.max))
    }
}
