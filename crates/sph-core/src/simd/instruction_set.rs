//! Vector instruction sets of the processor. The choice is made while the program runs, so that one binary is fast everywhere.

use std::sync::atomic::{AtomicU8, Ordering};

/// Vector instruction sets that the loops over neighbours are written for.
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
    /// Every instruction set.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Avx2, Self::Avx512, Self::Neon];

    /// The instruction set in use: the widest of this processor, unless [`Simd::use_everywhere`] has chosen another.
    #[inline]
    pub fn best() -> Self {
        Available::best().simd()
    }

    /// Uses this instruction set in the whole process from now on; false, and no change, where the processor lacks it.
    ///
    /// Results are the same to the bit with each. This is for tests and benchmarks that compare them.
    pub fn use_everywhere(self) -> bool {
        let available = Available::new(self);
        if available.is_some() {
            CHOICE.store(self as u8 + 1, Ordering::Relaxed);
        }
        available.is_some()
    }

    /// Whether this processor has it.
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

/// The instruction set in use, as its place in [`Simd::ALL`] plus 1; 0 before it has been asked for.
static CHOICE: AtomicU8 = AtomicU8::new(0);

/// An instruction set that this processor has: no other value can be made, so whoever holds one may run code compiled for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Available(Simd);

impl Available {
    /// `simd`, if the processor has it.
    pub fn new(simd: Simd) -> Option<Self> {
        simd.is_available().then_some(Self(simd))
    }

    /// The instruction set in use. Asking costs a load.
    #[inline]
    pub fn best() -> Self {
        match CHOICE.load(Ordering::Relaxed) {
            0 => Self::detect(),
            // Only what is available is ever stored.
            choice => Self(Simd::ALL[usize::from(choice) - 1]),
        }
    }

    #[cold]
    fn detect() -> Self {
        let widest = [Simd::Avx512, Simd::Avx2, Simd::Neon].into_iter().find(|simd| simd.is_available());
        let simd = widest.unwrap_or(Simd::Portable);
        // Another thread may have chosen meanwhile: that choice stays.
        match CHOICE.compare_exchange(0, simd as u8 + 1, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => Self(simd),
            Err(choice) => Self(Simd::ALL[usize::from(choice) - 1]),
        }
    }

    /// The instruction set.
    #[inline(always)]
    pub fn simd(self) -> Simd {
        self.0
    }

    /// Every instruction set of this processor, portable code first. Prints the names of those that it lacks, so that a test that cannot
    /// run them says so.
    #[cfg(test)]
    pub fn all() -> Vec<Self> {
        let (present, missing): (Vec<_>, Vec<_>) = Simd::ALL.into_iter().partition(|simd| simd.is_available());
        missing.into_iter().for_each(|simd| println!("not tested, as this processor lacks it: {}", simd.name()));
        present.into_iter().map(Self).collect()
    }
}

/// Runs `$body` compiled once for each [`Simd`] of the architecture and once without any; the compiler uses the instructions of the one that
/// `$simd`, an [`Available`], holds in all that it inlines. It fuses no multiplication with an addition by itself, so the results are the same to the bit.
macro_rules! with_simd {
    ($simd:expr, ($($name:ident: $type:ty),*) $(-> $result:ty)?, [$($generics:tt)*], $body:expr) => {{
        #[inline(always)]
        fn plain<$($generics)*>($($name: $type),*) $(-> $result)? { $body }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,popcnt")]
        fn avx2<$($generics)*>($($name: $type),*) $(-> $result)? { plain($($name),*) }

        let available: $crate::simd::Available = $simd;
        match available.simd() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has what is enabled: an `Available` of it was made. AVX-512 includes AVX2, FMA and POPCNT.
            $crate::simd::Simd::Avx2 | $crate::simd::Simd::Avx512 => unsafe { avx2($($name),*) },
            _ => plain($($name),*),
        }
    }};
}
pub(crate) use with_simd;
