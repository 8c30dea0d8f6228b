//! Names of shapes and axes in scene files.

use crate::parameters::choice;

choice! {
    /// Shapes of fluid, bodies and containers.
    pub enum ShapeKind, default Box {
        /// The box from `min` to `max`.
        Box = "box", "Box";
        /// The ellipsoid (in 2D the ellipse) that touches the faces of the box.
        Ellipsoid = "ellipsoid", "Ellipsoid";
        /// The sphere (in 2D the disc) that touches the faces of the box, which is a cube.
        Sphere = "sphere", "Sphere";
        /// The round cylinder along `axis` between two faces of the box.
        Cylinder = "cylinder", "Cylinder";
        /// The cylinder with round ends along `axis` that touches the faces of the box.
        Capsule = "capsule", "Capsule";
        /// The round cone along `axis`, its base on the lower face of the box and its tip on the upper one.
        Cone = "cone", "Cone";
        /// The ground below the heights of `file`, down to the lower face of the box.
        Heightfield = "heightfield", "Heightfield";
        /// The triangle mesh of `file`.
        Mesh = "mesh", "Triangle mesh";
    }
}

choice! {
    /// Axes of space.
    pub enum Axis, default Y {
        /// Along x.
        X = "x", "x";
        /// Along y, which points up.
        Y = "y", "y";
        /// Along z.
        Z = "z", "z";
    }
}
