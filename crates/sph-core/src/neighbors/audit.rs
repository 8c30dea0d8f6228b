//! Spot checks of neighbour lists against brute force, cheap enough to run all the time.

use super::{Candidates, NeighborLists, SphereSearch};
use crate::simd::Available;
use crate::space::{Domain, Images};
use glam::Vec3;
use rayon::prelude::*;

/// Errors found by spot checks: all counts except `queries` are 0 for a correct structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Number of lists checked.
    pub queries: u64,
    /// Number of neighbours missing from their list.
    pub missed: u64,
    /// Number of entries that repeat another entry of their list.
    pub duplicates: u64,
    /// Number of entries that are not neighbours.
    pub false_positives: u64,
}

/// Which lists a step checks.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuditPlan {
    /// Number of lists of each search.
    pub queries: usize,
    /// Number of the step: successive ones check other lists, and in the end all, if their order lasts.
    pub round: u64,
}

impl AuditPlan {
    /// The checked ones of `count` lists: every n-th, beginning with another in each round.
    fn of(self, count: usize) -> impl Iterator<Item = usize> {
        let stride = count.div_ceil(self.queries.max(1)).max(1);
        let first = (self.round % stride as u64) as usize;
        let end = if self.queries == 0 { 0 } else { count };
        (first..end).step_by(stride)
    }
}

impl Audit {
    /// True if no error was found.
    pub fn is_clean(self) -> bool {
        self.missed == 0 && self.duplicates == 0 && self.false_positives == 0
    }

    /// The sum of both audits.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            missed: self.missed + other.missed,
            duplicates: self.duplicates + other.duplicates,
            false_positives: self.false_positives + other.false_positives,
        }
    }

    /// Checks lists that were filled for `points` among themselves in `domain`, within `radius`, both m.
    pub fn of(lists: &NeighborLists, domain: &Domain, points: &[Vec3], radius: f32, plan: AuditPlan) -> Self {
        let queries: Vec<usize> = plan.of(points.len()).collect();
        if queries.is_empty() {
            return Self::default();
        }
        let mut images = Images::default();
        let mut all = Candidates::default();
        let ids: Vec<u32> = (0..points.len() as u32).collect();
        all.extend(&ids, points);
        // Images at any distance, so that the audit itself cannot miss one.
        let (registered, _) = images.behind(domain, f32::INFINITY, points, &ids);
        let registered = registered[points.len()..].to_vec();
        all.extend(images.sources(), &registered);
        let part = |chunk: &[usize]| {
            let mut all = all.clone();
            let mut expected = Vec::new();
            chunk.iter().fold(Self::default(), |sum, &query| {
                let mut end = 0;
                all.append_near(Available::best(), points[query], radius, Some(query as u32), &mut expected, &mut end);
                expected[..end].sort_unstable();
                sum.join(Self::compare(lists.of(query), &expected[..end]))
            })
        };
        queries.par_chunks(queries.len().div_ceil(8).max(1)).map(part).reduce(Self::default, Self::join)
    }

    /// Checks partners that `search` found for spheres around `centers` with these `radii`, both m.
    pub fn of_spheres(search: &SphereSearch, centers: &[Vec3], radii: &[f32], plan: AuditPlan) -> Self {
        Self::of_queries(centers.len(), plan, |query| {
            let touch = |&other: &u32| {
                let sum = radii[query] + radii[other as usize];
                centers[query].distance_squared(centers[other as usize]) < sum * sum
            };
            // Each pair is in the list of its first sphere.
            (search.partners(query).to_vec(), (query as u32 + 1..centers.len() as u32).filter(touch).collect())
        })
    }

    /// Checks some of `count` queries, for which `lists` gives what was found and what is near; the latter ascends.
    pub fn of_queries(count: usize, plan: AuditPlan, lists: impl Fn(usize) -> (Vec<u32>, Vec<u32>) + Sync) -> Self {
        let check = |query: usize| {
            let (found, expected) = lists(query);
            Self::compare(&found, &expected)
        };
        let queries: Vec<usize> = plan.of(count).collect();
        queries.into_par_iter().map(check).reduce(Self::default, Self::join)
    }

    /// Compares a list with the true neighbours, `expected`, which ascend.
    fn compare(list: &[u32], expected: &[u32]) -> Self {
        let mut found = list.to_vec();
        found.sort_unstable();
        let repeated = found.windows(2).filter(|pair| pair[0] == pair[1]).count();
        found.dedup();
        let common = found.iter().filter(|index| expected.binary_search(index).is_ok()).count();
        Self {
            queries: 1,
            missed: (expected.len() - common) as u64,
            duplicates: repeated as u64,
            false_positives: (found.len() - common) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::Pairing;
    use crate::neighbors::{BruteForce, GridParameters, NeighborSearch};

    #[test]
    fn counts_missed_repeated_and_false_entries() {
        assert!(Audit::compare(&[1, 2, 5], &[1, 2, 5]).is_clean());
        let wrong = Audit::compare(&[1, 1, 7, 5], &[1, 2, 5]);
        assert_eq!(wrong, Audit { queries: 1, missed: 1, duplicates: 1, false_positives: 1 });
        assert!(!wrong.is_clean());
    }

    #[test]
    fn successive_rounds_check_every_list() {
        let points: Vec<Vec3> = (0..10).map(|k| Vec3::new(0.3 * k as f32, 0.0, 0.0)).collect();
        let ids: Vec<u32> = (0..10).collect();
        let (mut search, mut lists) = (BruteForce::new(0.5), NeighborLists::default());
        search.update(&points, &ids).expect("unbounded");
        lists.fill(&search, &points, Pairing::Within);
        let audit = |points: &[Vec3], radius, queries, round| {
            Audit::of(&lists, &Domain::default(), points, radius, AuditPlan { queries, round })
        };
        let rounds = (0..4).map(|round| audit(&points, 0.5, 3, round)).fold(Audit::default(), Audit::join);
        assert_eq!(rounds, Audit { queries: 10, ..Audit::default() });
        assert_eq!([audit(&[], 0.5, 3, 0), audit(&points, 0.5, 0, 0)], [Audit::default(); 2]);
        // Lists for another radius are wrong.
        assert!(audit(&points, 0.7, 10, 0).missed > 0);
        assert!(audit(&points, 0.2, 10, 0).false_positives > 0);
    }

    #[test]
    fn successive_rounds_check_every_sphere() {
        let centers: Vec<Vec3> = (0..10).map(|k| Vec3::new(0.3 * k as f32, 0.0, 0.0)).collect();
        let radii: Vec<f32> = (0..10).map(|k| 0.1 + 0.02 * k as f32).collect();
        let ids: Vec<u32> = (0..10).collect();
        let mut search = SphereSearch::new(&GridParameters { cell_size: 0.5, ..GridParameters::default() });
        search.find(&centers, &radii, &ids).expect("unbounded");
        let audit = |radii: &[f32], queries, round| Audit::of_spheres(&search, &centers, radii, AuditPlan { queries, round });
        let rounds = (0..4).map(|round| audit(&radii, 3, round)).fold(Audit::default(), Audit::join);
        assert_eq!(rounds, Audit { queries: 10, ..Audit::default() });
        // Partners of spheres of other sizes are wrong.
        assert!(audit(&[0.4; 10], 10, 0).missed > 0);
        assert!(audit(&[0.1; 10], 10, 0).false_positives > 0);
    }
}
