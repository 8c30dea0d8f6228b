//! Gap of the density at free surfaces and in voids: only voids leave room.

use super::*;

/// A lattice of particles of one size without walls, without those that `keep` refuses, and the index of the one nearest to
/// `place`, in spacings.
fn lattice_around(
    dimensions: Dimensions,
    kernel: KernelKind,
    place: [f64; 2],
    keep: impl Fn(DVec3) -> bool,
) -> (Strewn, usize) {
    let mut strewn = Strewn::new(dimensions, kernel, Faces::NONE);
    let depth = if dimensions == Dimensions::Two { 1 } else { 9 };
    let place = DVec3::new(place[0], place[1], f64::from(depth / 2));
    let cells: Vec<DVec3> = lattice([9, 7, depth]).filter(|&cell| keep(cell - place)).collect();
    let index = cells.iter().position(|cell| cell.distance(place) < 0.5).expect("a particle at the place");
    strewn.place(&cells.iter().map(|&cell| 0.1 * cell).collect::<Vec<_>>());
    (strewn, index)
}

fn each_lattice() -> impl Iterator<Item = (Dimensions, KernelKind)> {
    [Dimensions::Two, Dimensions::Three].into_iter().flat_map(|dimensions| KernelKind::ALL.map(|kernel| (dimensions, kernel)))
}

#[test]
fn a_flat_surface_leaves_no_room() {
    for (dimensions, kernel) in each_lattice() {
        for depth in 0..4 {
            let (strewn, index) = lattice_around(dimensions, kernel, [4.0, f64::from(6 - depth)], |_| true);
            let site = strewn.density_and_alpha()[index];
            // Calibrated to 1 in the middle of the lattice.
            let full = strewn.density_and_alpha()[lattice_around(dimensions, kernel, [4.0, 3.0], |_| true).1].relative_density;
            // In deep rows the gradient is so small that it counts as disorder, and some of the gap as room.
            let room = site.gap(full);
            assert!(room == 0.0 || depth > 0 && room < 0.1, "{dimensions:?} {kernel:?}, row {depth}: {site:?} of {full}");
            assert!(depth > 0 || site.relative_density < 0.9 * full, "{dimensions:?} {kernel:?}: {site:?}");
        }
    }
}

#[test]
fn spray_and_voids_leave_room() {
    for (dimensions, kernel) in each_lattice() {
        let alone = |offset: DVec3| offset.length() < 0.1;
        let around_void = |offset: DVec3| !(0.1..2.0).contains(&offset.length());
        for (case, keep) in [("alone", &alone as &dyn Fn(DVec3) -> bool), ("in a void", &around_void)] {
            let (strewn, index) = lattice_around(dimensions, kernel, [4.0, 3.0], keep);
            let site = strewn.density_and_alpha()[index];
            let room = 1.0 - site.relative_density;
            assert!(room > 0.2 && (site.gap(1.0) / room - 1.0).abs() < 1e-3, "{dimensions:?} {kernel:?} {case}: {site:?}");
        }
    }
}

#[test]
fn compression_counts_in_full_at_a_surface() {
    for (dimensions, kernel) in each_lattice() {
        let (strewn, index) = lattice_around(dimensions, kernel, [4.0, 6.0], |_| true);
        let site = strewn.density_and_alpha()[index];
        let target = 0.9 * site.relative_density;
        assert_eq!(site.gap(target), target - site.relative_density, "{dimensions:?} {kernel:?}");
        assert!((site.attainable(target) - target).abs() < 1e-6, "{dimensions:?} {kernel:?}");
    }
}
