//! Which vector instructions the processor has. The choice is made while the program runs, so that one binary is fast everywhere.

/// Vector instructions that loops over neighbours are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Simd {
    /// What every processor of the architecture has, as the compiler uses it by itself.
    Portable,
    /// x86-64 with AVX2, FMA and POPCNT: 8 floats at a time.
    Avx2,
    /// The same with AVX-512F: 16 floats at a time.
    Avx512,
    /// AArch64: 4 floats at a time.
    Neon,
}

impl Simd {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Avx2, Self::Avx512, Self::Neon];

    /// The widest that this processor has. Asking costs a load.
    #[inline]
    pub fn best() -> Self {
        [Self::Avx512, Self::Avx2, Self::Neon].into_iter().find(|simd| simd.is_available()).unwrap_or(Self::Portable)
    }

    /// Whether this processor has it.
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                std::arch::is_x86_feature_detected!("avx2")
                    && std::arch::is_x86_feature_detected!("fma")
                    && std::arch::is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Self::Avx2.is_available() && std::arch::is_x86_feature_detected!("avx512f"),
            // Part of every AArch64.
            Self::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// Name for people: `AVX2`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
            Self::Neon => "NEON",
        }
    }
}

/// Runs `$body` compiled once for each [`Simd`] of the architecture and once without any; the compiler uses the instructions of the one that
/// `$simd` names in all that it inlines. It fuses no multiplication with an addition by itself, so the results are the same to the bit.
macro_rules! with_simd {
    ($simd:expr, ($($name:ident: $type:ty),*) $(-> $result:ty)?, [$($generics:tt)*], $body:expr) => {{
        #[inline(always)]
        fn plain<$($generics)*>($($name: $type),*) $(-> $result)? { $body }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,popcnt")]
        fn avx2<$($generics)*>($($name: $type),*) $(-> $result)? { plain($($name),*) }

        match $simd {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has what is enabled: that is what `Simd::best` says.
            $crate::simd::Simd::Avx2 | $crate::simd::Simd::Avx512 => unsafe { avx2($($name),*) },
            _ => plain($($name),*),
        }
    }};
}
pub(crate) use with_simd;
