//! Balls: spheres of many sizes that collide, roll and stack.
