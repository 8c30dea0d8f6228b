//! Choices of the walls.

use super::table::choice::choice;

choice! {
    /// Boundary conditions for the velocity along a wall.
    pub enum Slip, default Free {
        /// Free slip: the wall pushes but does not drag.
        Free = "free", "Free slip";
        /// No slip: fluid at the wall has the wall's velocity; its laminar viscosity acts between them (Adami2012).
        NoSlip = "no_slip", "No slip";
    }
}

choice! {
    /// Models of the pressure of walls.
    pub enum WallPressure, default Extrapolated {
        /// Mean pressure of the fluid in reach, extrapolated into the wall along the hydrostatic gradient (Adami2012, eq. 27).
        Extrapolated = "extrapolated", "Extrapolated";
        /// Linear pressure field fitted to the fluid in reach by moving least squares, its slopes damped (after Band2018).
        ///
        /// The slopes are damped by about half; Band2018 does not damp them.
        Mls = "mls", "Fitted (MLS)";
        /// No pressure of its own: walls push by the fluid's pressure alone (Akinci2012); about twice the pressure next to walls,
        /// and with large support radii even that does not bear still water, which then rests on the limit to how close particles
        /// may come.
        OneSided = "one_sided", "One-sided";
    }
}

choice! {
    /// Discretisations of walls into particles.
    pub enum WallSampling, default Layers {
        /// Layers of particles, as deep as the support radius.
        Layers = "layers", "Layers";
        /// One layer with larger volumes, which stands for all: fewer particles, less accurate (Akinci2012).
        SingleLayer = "single_layer", "Single layer";
        /// No particles: the kernel is integrated over the space behind the faces of containers. Bodies are in layers.
        Analytic = "analytic", "Analytic";
    }
}
