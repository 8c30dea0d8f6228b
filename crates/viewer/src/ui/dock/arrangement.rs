//! Arrangement of the docked panels around the 3D view.
//!
//! Shares of linear containers are widths and heights in points, so that a panel keeps its size when the window changes, and the 3D view
//! takes the rest.

use std::collections::HashSet;

use crate::ui::theme;
use egui::Vec2;
use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};

/// Panels that commands show and hide.
#[derive(Clone, Copy, Debug)]
pub struct ShownPanels {
    /// Side panel.
    pub side_panel: bool,
    /// Panel of the lesson; empty without one.
    pub lesson: bool,
    /// Plots.
    pub plots: bool,
    /// Keys and mouse.
    pub help: bool,
    /// Query of a particle; it follows the selection.
    pub query: bool,
}

impl Default for ShownPanels {
    fn default() -> Self {
        Self { side_panel: true, lesson: false, plots: true, help: false, query: false }
    }
}

/// Arrangement of the panels.
#[derive(Clone, Debug, Default)]
pub struct Dock {
    /// Tiles; `None` before the first frame.
    pub(super) tree: Option<Panes>,
    /// Keys of the panels shown in the latest frame.
    shown: Vec<&'static str>,
    /// Panel to bring to the front.
    wanted: Option<&'static str>,
    /// Panel that was in front before the query was shown over it.
    pub(super) before_query: Option<&'static str>,
    /// Key of the parameter whose row is to be shown.
    pub(in crate::ui) row_to_show: Option<&'static str>,
    /// Lengths that panels have but for the present size of the window.
    shortened: Vec<Wanted>,
    /// Tiles at the start of this frame.
    before: Option<Panes>,
    /// Keys of the panels that are shown, but have no room in the window.
    without_room: Vec<&'static str>,
}

/// Part of the left column that the Grid panel and its fellows have by default, and where they are to be tall: at 1280 × 800 all numbers of the
/// search are then seen without scrolling.
const GRID_PARTS: [f32; 2] = [1.25 / 2.25, 0.79];

impl Dock {
    /// Puts every panel back to its default place.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Brings the panel with this key to the front of its tabs.
    pub fn show(&mut self, key: &'static str) {
        self.wanted = Some(key);
    }

    /// Key of the panel in front of the group in which that with `key` is.
    pub(super) fn front_beside(&self, key: &str) -> Option<&str> {
        let tiles = &self.tree.as_ref()?.tiles;
        let group = tiles.parent_of(tiles.find_pane(&key.to_owned())?)?;
        let Some(Tile::Container(Container::Tabs(tabs))) = tiles.get(group) else { return None };
        tiles.get_pane(&tabs.active?).map(String::as_str)
    }

    /// False if the panel with this key would be shown, but the window is too small for it.
    pub fn has_room(&self, key: &str) -> bool {
        !self.without_room.contains(&key)
    }

    /// Arrangement that has been read from a file; false, without a change, if it is damaged.
    pub fn restore(&mut self, tree: Panes) -> bool {
        let is_sound = is_sound(&tree);
        if is_sound {
            self.tree = Some(tree);
        }
        is_sound
    }

    /// Present arrangement, to be written to a file.
    pub fn tree(&self) -> Option<&Panes> {
        self.tree.as_ref()
    }

    /// Makes the Grid panel `tall` or as by default. Another height is the user's, and stays.
    pub(super) fn set_tall_grid(&mut self, tall: bool) {
        if let Some(tree) = &mut self.tree {
            let [before, now] = if tall { GRID_PARTS } else { [GRID_PARTS[1], GRID_PARTS[0]] };
            give_grid(&mut tree.tiles, before, now);
        }
    }

    /// Takes the tiles for a frame of `size` points in which the panels of `shown` are visible, and the 3D view has `least` points.
    pub(super) fn begin(&mut self, tabs: &[Tab], shown: &[&'static str], size: Vec2, least: [f32; 2]) -> Panes {
        let mut tree = self.tree.take().unwrap_or_else(|| default_tree(tabs));
        complete(&mut tree, tabs);
        let ids: Vec<TileId> = tree.tiles.tile_ids().collect();
        for id in ids {
            let visible = match tree.tiles.get(id) {
                Some(Tile::Pane(key)) => key == VIEW || shown.contains(&key.as_str()),
                _ => true,
            };
            tree.tiles.set_visible(id, visible);
        }
        // A panel that has just been opened comes to the front.
        let opened = shown.iter().copied().find(|key| !self.shown.is_empty() && !self.shown.contains(key));
        for key in [opened, self.wanted.take()].into_iter().flatten() {
            tree.make_active(|_, tile| matches!(tile, Tile::Pane(pane) if pane == key));
        }
        self.shown = shown.to_vec();
        let is_opened =
            |key: &&&str| tabs.iter().any(|tab| tab.key == **key && (tab.place == DockSlot::Right || tab.key == "lesson"));
        let opened: Vec<&str> = shown.iter().filter(is_opened).copied().collect();
        self.shortened = make_room(&mut tree, &opened, (size, least));
        self.without_room = shown.iter().copied().filter(|key| !is_visible(&tree, key)).collect();
        self.before = Some(tree.clone());
        tree
    }

    /// Puts the tiles back after the frame. `at_rest`: true if nothing is being dragged.
    pub(super) fn end(&mut self, mut tree: Panes, at_rest: bool) {
        // A panel dropped onto the 3D view would hide it behind a tab.
        if let Some(before) = self.before.take().filter(|_| !shows_view(&tree)) {
            tree = before;
        }
        if !self.shortened.is_empty() {
            set_back(&mut tree.tiles, &self.shortened);
        } else if at_rest {
            measure(&mut tree.tiles);
        }
        self.tree = Some(tree);
    }
}

/// Default arrangement: two groups of tabs on the left, the 3D view with a group below it, and a group on the right.
fn default_tree(tabs: &[Tab]) -> Panes {
    let mut tiles = Tiles::default();
    let [left_top, left_bottom, bottom, right] = DockSlot::ALL.map(|place| {
        let keys = tabs.iter().filter(|tab| tab.place == place).map(|tab| tab.key.to_owned());
        let panes = keys.map(|key| tiles.insert_pane(key)).collect();
        tiles.insert_tab_tile(panes)
    });
    let view = tiles.insert_pane(VIEW.to_owned());
    let left = insert(&mut tiles, LinearDir::Vertical, &[(left_top, GRID_PARTS[0]), (left_bottom, 1.0 - GRID_PARTS[0])]);
    let middle = insert(&mut tiles, LinearDir::Vertical, &[(view, 1.0), (bottom, theme::PLOTS_HEIGHT)]);
    let columns = [(left, theme::SIDE_PANEL_WIDTH), (middle, 1.0), (right, theme::RIGHT_PANEL_WIDTH)];
    let root = insert(&mut tiles, LinearDir::Horizontal, &columns);
    Tree::new(egui::Id::unique("dock"), root, tiles)
}

/// Gives the group of the Grid panel the part `now` of what it has together with that of the Fluid panel, if it has the part `before`.
fn give_grid(tiles: &mut Tiles<String>, before: f32, now: f32) {
    let group = |key: &str| tiles.find_pane(&key.to_owned()).and_then(|pane| tiles.parent_of(pane));
    let (Some(grid), Some(fluid)) = (group("grid"), group("fluid")) else { return };
    let column = tiles.parent_of(grid).filter(|&column| grid != fluid && tiles.parent_of(fluid) == Some(column));
    if let Some(Tile::Container(Container::Linear(linear))) = column.and_then(|column| tiles.get_mut(column)) {
        let both = linear.shares[grid] + linear.shares[fluid];
        if (linear.shares[grid] / both - before).abs() < 0.01 {
            linear.shares.set_share(grid, now * both);
            linear.shares.set_share(fluid, (1.0 - now) * both);
        }
    }
}

fn insert(tiles: &mut Tiles<String>, direction: LinearDir, children: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(direction, children.iter().map(|&(id, _)| id).collect());
    for &(id, share) in children {
        linear.shares.set_share(id, share);
    }
    tiles.insert_container(linear)
}

/// Adds the panels that an arrangement of an earlier version lacks, and removes those that are no more.
fn complete(tree: &mut Panes, tabs: &[Tab]) {
    let unknown: Vec<TileId> = (tree.tiles.iter())
        .filter(|(_, tile)| matches!(tile, Tile::Pane(key) if key != VIEW && !tabs.iter().any(|tab| tab.key == key)))
        .map(|(&id, _)| id)
        .collect();
    for id in unknown {
        tree.remove_recursively(id);
    }
    for tab in tabs {
        if tree.tiles.find_pane(&tab.key.to_owned()).is_some() {
            continue;
        }
        let id = tree.tiles.insert_pane(tab.key.to_owned());
        let fellow = tabs.iter().find(|other| other.place == tab.place && other.key != tab.key);
        let fellow = fellow.and_then(|fellow| tree.tiles.find_pane(&fellow.key.to_owned()));
        let group = fellow.and_then(|fellow| tree.tiles.parent_of(fellow)).or(tree.root);
        match group.and_then(|group| tree.tiles.get_mut(group)) {
            Some(Tile::Container(container)) => container.add_child(id),
            _ => *tree = default_tree(tabs),
        }
    }
}

/// True if the panel with this key, and all that contains it, is visible: in front of its tabs or not.
fn is_visible(tree: &Panes, key: &str) -> bool {
    let mut tile = tree.tiles.find_pane(&key.to_owned());
    while let Some(id) = tile {
        if !tree.tiles.is_visible(id) {
            return false;
        }
        tile = tree.tiles.parent_of(id);
    }
    true
}

/// True unless the 3D view shares tabs with panels, which can hide it.
fn shows_view(tree: &Panes) -> bool {
    let parent = tree.tiles.find_pane(&VIEW.to_owned()).and_then(|view| tree.tiles.parent_of(view));
    !matches!(parent.and_then(|id| tree.tiles.get(id)), Some(Tile::Container(Container::Tabs(tabs))) if tabs.children.len() > 1)
}

/// True if the tiles are a tree with one 3D view that no panel hides, no panel twice, and sizes that are numbers.
fn is_sound(tree: &Panes) -> bool {
    let (mut met, mut keys) = (HashSet::new(), HashSet::new());
    let mut open: Vec<TileId> = tree.root.into_iter().collect();
    while let Some(id) = open.pop() {
        if !met.insert(id) {
            return false;
        }
        match tree.tiles.get(id) {
            Some(Tile::Pane(key)) if keys.insert(key.as_str()) => {}
            Some(Tile::Container(container)) => {
                if let Container::Linear(linear) = container
                    && !linear.shares.iter().all(|(_, share)| share.is_finite() && *share >= 0.0)
                {
                    return false;
                }
                open.extend(container.children().copied());
            }
            _ => return false,
        }
    }
    keys.contains(VIEW) && shows_view(tree)
}

// Tiles of the window, and the default places of panels among them.

/// Key of the 3D view among the panels.
pub const VIEW: &str = "view";

/// Tiles of the window; each pane is the key of its panel.
pub type Panes = Tree<String>;

/// Default place of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DockSlot {
    /// Upper part of the left column.
    LeftTop,
    /// Lower part of the left column.
    LeftBottom,
    /// Below the 3D view.
    Bottom,
    /// Right column.
    Right,
}

impl DockSlot {
    /// All places.
    pub const ALL: [Self; 4] = [Self::LeftTop, Self::LeftBottom, Self::Bottom, Self::Right];
}

/// Tab of a panel: all that the arrangement knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Tab {
    /// Name in the file of the layout.
    pub key: &'static str,
    /// Title.
    pub title: &'static str,
    /// Default place.
    pub place: DockSlot,
}

// Room for the 3D view between the panels around it.

/// Width of the line between tiles, points.
pub(super) const GAP: f32 = 1.0;

/// Least width of a column and least height of a row of panels, points.
const LEAST_PANEL: [f32; 2] = [260.0, 140.0];

/// Length of a tile in a container, points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    container: TileId,
    child: TileId,
    length: f32,
}

/// Gives the panels around the 3D view their sizes, and the view what is left of `size`. In a window that is too small for them and the
/// `least` size of the view, they become smaller, the right ones first, since the left column has the longest rows, and then invisible, the
/// left ones first; the lengths that they would have are returned. One of `opened`, which the user has asked for, takes the place of the view instead.
pub(super) fn make_room(tree: &mut Panes, opened: &[&str], (size, least): (Vec2, [f32; 2])) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    let view = tree.tiles.find_pane(&VIEW.to_owned());
    if let (Some(root), Some(view)) = (tree.root, view) {
        let opened: Vec<TileId> = opened.iter().filter_map(|key| tree.tiles.find_pane(&(*key).to_owned())).collect();
        make_room_in(&mut tree.tiles, root, (view, &opened), (size, least), &mut wanted);
    }
    wanted
}

/// Sets the lengths back that had to be shortened for a frame.
pub(super) fn set_back(tiles: &mut Tiles<String>, wanted: &[Wanted]) {
    for &Wanted { container, child, length } in wanted {
        if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(container) {
            linear.shares.set_share(child, length);
        }
    }
}

fn make_room_in(
    tiles: &mut Tiles<String>,
    id: TileId,
    (view, opened): (TileId, &[TileId]),
    (mut size, least): (Vec2, [f32; 2]),
    wanted: &mut Vec<Wanted>,
) {
    let Some(Tile::Container(Container::Linear(linear))) = tiles.get(id) else { return };
    let axis = usize::from(linear.dir == LinearDir::Vertical);
    let Some(holder) = linear.children.iter().copied().find(|&child| contains(tiles, child, view)) else { return };
    let visible = linear.children.iter().copied().filter(|&child| child != holder && tiles.is_visible_in_layout(child));
    let mut others: Vec<(TileId, f32)> = visible.map(|child| (child, linear.shares[child])).collect();
    let free = size[axis] - least[axis];
    let taken = |others: &[(TileId, f32)]| others.iter().map(|(_, length)| length + GAP).sum::<f32>();
    for index in (0..others.len()).rev() {
        let excess = (taken(&others) - free).max(0.0);
        let (child, length) = others[index];
        if excess > 0.0 {
            wanted.push(Wanted { container: id, child, length });
        }
        others[index].1 = (length - excess).max(LEAST_PANEL[axis].min(length));
    }
    let mut squeezed = Vec::new();
    while taken(&others) > free && !others.is_empty() {
        squeezed.push(others.remove(0).0);
    }
    size[axis] -= taken(&others);
    if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(id) {
        for &(child, length) in &others {
            linear.shares.set_share(child, length);
        }
        linear.shares.set_share(holder, size[axis].max(1.0));
    }
    let asked_for = squeezed.iter().copied().find(|&child| opened.iter().any(|&pane| contains(tiles, child, pane)));
    squeezed.into_iter().for_each(|child| tiles.set_visible(child, asked_for == Some(child)));
    if asked_for.is_some() {
        tiles.set_visible(holder, false);
    } else {
        make_room_in(tiles, holder, (view, opened), (size, least), wanted);
    }
}

fn contains(tiles: &Tiles<String>, id: TileId, searched: TileId) -> bool {
    id == searched
        || match tiles.get(id) {
            Some(Tile::Container(container)) => container.children().any(|&child| contains(tiles, child, searched)),
            _ => false,
        }
}

/// Sets every share to the size that its tile has on the screen: shares that egui_tiles gave to moved tiles are no lengths.
pub(super) fn measure(tiles: &mut Tiles<String>) {
    let ids: Vec<TileId> = tiles.tile_ids().collect();
    for id in ids {
        let Some(Tile::Container(Container::Linear(linear))) = tiles.get(id) else { continue };
        let axis = usize::from(linear.dir == LinearDir::Vertical);
        let lengths: Vec<(TileId, f32)> =
            linear.children.iter().filter_map(|&child| Some((child, tiles.rect(child)?.size()[axis].max(1.0)))).collect();
        if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(id) {
            lengths.into_iter().for_each(|(child, length)| linear.shares.set_share(child, length));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABS: [Tab; 3] = [
        Tab { key: "a", title: "A", place: DockSlot::LeftTop },
        Tab { key: "b", title: "B", place: DockSlot::LeftBottom },
        Tab { key: "c", title: "C", place: DockSlot::Right },
    ];

    fn keys(tree: &Panes) -> Vec<&str> {
        let mut keys: Vec<_> =
            tree.tiles.tiles().filter_map(|tile| if let Tile::Pane(key) = tile { Some(key.as_str()) } else { None }).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn an_arrangement_of_another_version_is_completed() {
        let mut tree = default_tree(&TABS[..2]);
        assert!(is_sound(&tree));
        complete(&mut tree, &TABS[1..]);
        assert_eq!(keys(&tree), ["b", "c", "view"]);
        assert!(is_sound(&tree));
    }

    #[test]
    fn a_panel_dropped_onto_the_view_goes_back() {
        let mut dock = Dock::default();
        let mut tree = dock.begin(&TABS, &["a", "b", "c"], Vec2::new(1280.0, 800.0), theme::LEAST_SCENE);
        let mut tiles = Tiles::default();
        let panes = [VIEW, "a", "b", "c"].map(|key| tiles.insert_pane(key.to_owned()));
        let root = tiles.insert_tab_tile(panes.to_vec());
        (tree.root, tree.tiles) = (Some(root), tiles);
        assert!(!is_sound(&tree), "the view can be hidden");
        dock.end(tree, true);
        assert!(dock.tree().is_some_and(is_sound));
    }

    #[test]
    fn the_grid_is_tall_where_it_is_wanted_unless_it_has_a_height_of_the_user() {
        let tabs = [
            Tab { key: "grid", title: "Grid", place: DockSlot::LeftTop },
            Tab { key: "fluid", title: "Fluid", place: DockSlot::LeftBottom },
        ];
        let part = |dock: &Dock| {
            let tiles = &dock.tree().expect("there is one").tiles;
            let group = |key: &str| tiles.parent_of(tiles.find_pane(&key.to_owned())?);
            let [grid, fluid] = [group("grid"), group("fluid")].map(|group| group.expect("a group of tabs"));
            match tiles.get(tiles.parent_of(grid).expect("a column")) {
                Some(Tile::Container(Container::Linear(linear))) => {
                    linear.shares[grid] / (linear.shares[grid] + linear.shares[fluid])
                }
                other => panic!("no column, but {other:?}"),
            }
        };
        let mut dock = Dock { tree: Some(default_tree(&tabs)), ..Dock::default() };
        for (tall, wanted) in [(false, GRID_PARTS[0]), (true, GRID_PARTS[1]), (true, GRID_PARTS[1]), (false, GRID_PARTS[0])] {
            dock.set_tall_grid(tall);
            assert!((part(&dock) - wanted).abs() < 1e-5, "{tall}");
        }
        // A layout that was saved while it was tall is one of the program's own.
        dock.set_tall_grid(true);
        let mut later = Dock { tree: dock.tree.clone(), ..Dock::default() };
        later.set_tall_grid(false);
        assert!((part(&later) - GRID_PARTS[0]).abs() < 1e-5);
        give_grid(&mut later.tree.as_mut().expect("there is one").tiles, GRID_PARTS[0], 0.65);
        later.set_tall_grid(true);
        assert!((part(&later) - 0.65).abs() < 1e-5, "the user's height stays");
    }

    #[test]
    fn a_damaged_arrangement_is_refused() {
        let text = serde_json::to_string(&default_tree(&TABS)).expect("it can be written");
        let read = |text: &str| serde_json::from_str::<Panes>(text).ok().is_some_and(|tree| Dock::default().restore(tree));
        assert!(read(&text));
        assert!(!read(&text.replace("\"view\"", "\"other\"")), "there is no 3D view");
        assert!(!read(&text.replace("\"b\"", "\"a\"")), "a panel is there twice");
        assert!(!read(&text[..text.len() / 2]));
    }
}
