//! Cloth: sheets of triangles that stretch, bend, fold and collide with themselves.
