//! Circles of a directed graph: its strongly connected components, and the shortest way round in each.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The nodes that each node leads to.
pub type Graph<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The sets of two nodes or more that all lead to each other, the largest first.
pub fn components<'a>(graph: &Graph<'a>) -> Vec<BTreeSet<&'a str>> {
    let mut search = Search { graph, index: BTreeMap::new(), low: BTreeMap::new(), open: Vec::new(), found: Vec::new() };
    for node in graph.keys() {
        if !search.index.contains_key(node) {
            search.visit(node);
        }
    }
    search.found.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    search.found
}

/// Tarjan's search in depth.
struct Search<'a, 'g> {
    graph: &'g Graph<'a>,
    /// The number of each node in the order of discovery.
    index: BTreeMap<&'a str, usize>,
    /// The smallest number that a node is known to lead to.
    low: BTreeMap<&'a str, usize>,
    /// Nodes whose component is not complete.
    open: Vec<&'a str>,
    found: Vec<BTreeSet<&'a str>>,
}

impl<'a> Search<'a, '_> {
    /// Recursion as deep as the longest chain of imports.
    fn visit(&mut self, node: &'a str) -> usize {
        let index = self.index.len();
        self.index.insert(node, index);
        self.low.insert(node, index);
        self.open.push(node);
        let mut low = index;
        for &next in self.graph.get(node).into_iter().flatten() {
            match self.index.get(next) {
                None => low = low.min(self.visit(next)),
                Some(&number) if self.open.contains(&next) => low = low.min(number),
                Some(_) => {}
            }
        }
        self.low.insert(node, low);
        if low == index {
            let start = self.open.iter().position(|&open| open == node).unwrap_or(0);
            let component: BTreeSet<&str> = self.open.drain(start..).collect();
            if component.len() > 1 {
                self.found.push(component);
            }
        }
        low
    }
}

/// The shortest way round inside a component, each node once; of several as short the first by name.
pub fn shortest_circle<'a>(graph: &Graph<'a>, component: &BTreeSet<&'a str>) -> Vec<&'a str> {
    component.iter().filter_map(|start| shortest_from(graph, component, start)).min_by_key(Vec::len).unwrap_or_default()
}

fn shortest_from<'a>(graph: &Graph<'a>, component: &BTreeSet<&'a str>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut reached_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for &next in graph.get(node).into_iter().flatten().filter(|next| component.contains(*next)) {
            if next == start {
                let mut circle = vec![node];
                while let Some(&before) = reached_from.get(circle[circle.len() - 1]) {
                    circle.push(before);
                }
                circle.reverse();
                return Some(circle);
            }
            if let Entry::Vacant(entry) = reached_from.entry(next) {
                entry.insert(node);
                waiting.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph from arrows like `a b`: a leads to b.
    fn graph(arrows: &'static str) -> Graph<'static> {
        let mut graph = Graph::new();
        for arrow in arrows.split(", ") {
            let (from, to) = arrow.split_once(' ').unwrap();
            graph.entry(from).or_default().insert(to);
        }
        graph
    }

    fn components_of(arrows: &'static str) -> Vec<String> {
        let names = |component: BTreeSet<&str>| component.into_iter().collect::<Vec<_>>().join(" ");
        components(&graph(arrows)).into_iter().map(names).collect()
    }

    #[test]
    fn a_graph_that_runs_one_way_has_none() {
        assert_eq!(components_of("a b, a c, b d, c d, e a"), Vec::<String>::new());
    }

    #[test]
    fn components_are_found_apart_and_sorted() {
        assert_eq!(components_of("a b, b a, b x, x y, y z, z x, z q, p a"), ["x y z", "a b"]);
        assert_eq!(components_of("c d, d c, a b, b a"), ["a b", "c d"]);
    }

    #[test]
    fn circles_that_touch_are_one_component() {
        assert_eq!(components_of("a b, b c, c b, c a, c d, d c"), ["a b c d"]);
    }

    #[test]
    fn the_shortest_way_round_is_shown() {
        let graph = graph("a b, b c, c d, d a, d c, c x");
        let component = &components(&graph)[0];
        assert_eq!(shortest_circle(&graph, component), ["c", "d"]);
    }

    #[test]
    fn of_circles_as_short_the_first_by_name_is_shown() {
        let graph = graph("a b, b c, c a, b d, d e, e b");
        let component = &components(&graph)[0];
        assert_eq!(shortest_circle(&graph, component), ["a", "b", "c"]);
    }
}
