//! Room for the 3D view between the panels around it.

use super::place::{Panes, VIEW};
use crate::ui::theme;
use egui::Vec2;
use egui_tiles::{Container, LinearDir, Tile, TileId, Tiles};

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

/// Gives the panels around the 3D view their sizes, and the view what is left of `size`. In a window that is too small they become
/// smaller, and then invisible, the left ones first; the lengths that they would have are returned. One of `opened`, which the user has asked for, takes the place of the view instead.
pub(super) fn make_room(tree: &mut Panes, opened: &[&str], size: Vec2) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    let view = tree.tiles.find_pane(&VIEW.to_owned());
    if let (Some(root), Some(view)) = (tree.root, view) {
        let opened: Vec<TileId> = opened.iter().filter_map(|key| tree.tiles.find_pane(&(*key).to_owned())).collect();
        make_room_in(&mut tree.tiles, root, (view, &opened), size, &mut wanted);
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
    mut size: Vec2,
    wanted: &mut Vec<Wanted>,
) {
    let Some(Tile::Container(Container::Linear(linear))) = tiles.get(id) else { return };
    let axis = usize::from(linear.dir == LinearDir::Vertical);
    let Some(holder) = linear.children.iter().copied().find(|&child| contains(tiles, child, view)) else { return };
    let visible = linear.children.iter().copied().filter(|&child| child != holder && tiles.is_visible_in_layout(child));
    let mut others: Vec<(TileId, f32)> = visible.map(|child| (child, linear.shares[child])).collect();
    let free = size[axis] - theme::LEAST_SCENE[axis];
    let taken = |others: &[(TileId, f32)]| others.iter().map(|(_, length)| length + GAP).sum::<f32>();
    for index in 0..others.len() {
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
        make_room_in(tiles, holder, (view, opened), size, wanted);
    }
}

fn contains(tiles: &Tiles<String>, id: TileId, sought: TileId) -> bool {
    id == sought
        || match tiles.get(id) {
            Some(Tile::Container(container)) => container.children().any(|&child| contains(tiles, child, sought)),
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
