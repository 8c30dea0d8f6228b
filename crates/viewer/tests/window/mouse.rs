//! The mouse on the panels and in the 3D view: both grid sliders are dragged, every structure is chosen, and a particle is clicked.

use super::layout::{Choice, Layout};
use super::panels;
use super::statistics::{number, partial, read};
use super::window::Window;
use egui::{Color32, Pos2, vec2};
use viewer::ui::theme;

/// Every structure, by its name on the panel and in the statistics. The last one is that of the scene.
const STRUCTURES: [(&str, &str); 7] = [
    ("Uniform grid", "uniform_grid"),
    ("Cell hash", "cell_hash"),
    ("Bucket hash", "bucket_hash"),
    ("Block map", "block_map"),
    ("Sorted cells", "sorted_cells"),
    ("Brute force", "brute_force"),
    ("Spatial hash", "spatial_hash"),
];

#[test]
fn the_mouse_reaches_the_running_simulation() {
    let mut window = Window::open(panels::SCENE);
    drag_the_sliders(&mut window);
    window.display.photograph("window.png");
    choose_every_structure(&mut window);
    click_a_particle(&mut window, Layout::new().particle());

    let (status, folder) = window.quit();
    assert!(status.success(), "{status}");
    assert_eq!(partial(folder.path()), None, "a temporary file is left");
    let lines = read(&folder.path().join("stats.jsonl"));
    let first = &lines[0];
    assert!(
        number(first, "/search/table_size") == 1000.0 && (number(first, "/search/cell_size") - 0.1).abs() < 1e-6,
        "{first}"
    );
    for (before, after) in lines.iter().zip(&lines[1..]) {
        assert!(number(after, "/time") > number(before, "/time"), "time went back: {before} {after}");
        assert_eq!(number(after, "/step"), number(before, "/step") + 1.0, "a step is missing");
    }
    let last = lines.last().expect("there are lines");
    assert!(number(last, "/search/table_size") < 100.0 && number(last, "/search/cell_size") > 0.2, "{last}");
    // A change of the grid leaves the water alone: neighbours do not depend on it, only candidates.
    assert!(number(last, "/search/candidates") > number(last, "/search/neighbors"));
}

fn drag_the_sliders(window: &mut Window) {
    let layout = Layout::new();
    let (table, cell) = (layout.slider("Hash table size"), layout.slider("Cell spacing"));
    window.drag("a small table", [table.center(), table.left_center() + vec2(40.0, 0.0)], |window| {
        window.number("/search/table_size") < 100.0
    });
    window.drag("large cells", [cell.center(), cell.right_center() - vec2(20.0, 0.0)], |window| {
        window.number("/search/cell_size") > 0.2
    });
}

fn choose_every_structure(window: &mut Window) {
    let Choice { button, items } = Layout::new().choice("Structure", &STRUCTURES.map(|(item, _)| item));
    // The open menu marks what is chosen: the place is right of the text, and well within the item, because a panel without a scroll bar
    // is a little wider.
    let marks = |index: usize| {
        let place = items[index].right_center() - vec2(12.0, 0.0);
        move |window: &Window| window.shows(place, theme::DARK.accent_dim)
    };
    let mut present = STRUCTURES.len() - 1;
    for (index, (_, name)) in STRUCTURES.into_iter().enumerate() {
        let choose = |window: &mut Window| {
            // A click that comes before the menu is there would be lost, or meant for something else.
            window.until("an open menu", |window| window.click(button.center()), marks(present));
            window.click(items[index].center());
        };
        window.until(name, choose, |window| window.latest().is_some_and(|line| line["search"]["structure"] == name));
        window.wait("a closed menu", |window| !marks(index)(window));
        present = index;
    }
}

/// The particles that its query meets appear in their colours, with their counts; and go when the selection does.
fn click_a_particle(window: &mut Window, place: Pos2) {
    let index = viewer::color::verdict_index(sph_core::neighbors::Verdict::Neighbor);
    let [red, green, blue] = viewer::color::VERDICT_COLORS[index];
    let neighbor = Color32::from_rgb(red, green, blue);
    window.until("a query", |window| window.click(place), |window| window.display.count_pixels(neighbor) > 20);
    window.display.photograph("query.png");
    window.until("no query", |window| window.press("Escape"), |window| window.display.count_pixels(neighbor) == 0);
}
