//! The kinds of kernel, as scene files spell them.

/// The kernels one can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelKind {
    /// [`CubicSpline`](super::CubicSpline): few neighbours needed; the kernel of computer graphics.
    CubicSpline,
    /// [`WendlandC2`](super::WendlandC2): no pairing instability; the kernel of engineering.
    WendlandC2,
    /// [`WendlandC4`](super::WendlandC4): smoother still, for large support radii.
    WendlandC4,
    /// [`Poly6`](super::Poly6): does not push particles apart that have come close; for comparison.
    Poly6,
    /// [`Spiky`](super::Spiky): with a point at the centre; for comparison.
    Spiky,
}

impl KernelKind {
    /// Every kernel.
    pub const ALL: [Self; 5] = [Self::CubicSpline, Self::WendlandC2, Self::WendlandC4, Self::Poly6, Self::Spiky];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::CubicSpline => "cubic_spline",
            Self::WendlandC2 => "wendland_c2",
            Self::WendlandC4 => "wendland_c4",
            Self::Poly6 => "poly6",
            Self::Spiky => "spiky",
        }
    }
}
