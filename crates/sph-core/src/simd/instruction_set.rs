//! Vector instruction sets of the processor, chosen at run time, so that one binary is fast on every machine.

use std::sync::atomic::{AtomicU8, Ordering};

use super::lanes::{Portable, Work};

#[cfg(target_arch = "aarch64")]
use super::neon;

#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// Vector instruction sets that the loops over neighbours are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Simd {
    /// Baseline of the architecture, vectorized by the compiler alone.
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

    /// Uses this instruction set in the whole process from now on; returns false, and changes nothing, if the processor lacks
    /// it.
    ///
    /// Results are identical to the bit with each. For tests and benchmarks that compare them.
    pub fn use_everywhere(self) -> bool {
        let available = Available::new(self);
        if available.is_some() {
            CHOICE.store(self as u8 + 1, Ordering::Relaxed);
        }
        available.is_some()
    }

    /// True if this processor has the instruction set.
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

    /// Display name: `AVX2`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
            Self::Neon => "NEON",
        }
    }
}

/// The instruction set in use: its index in [`Simd::ALL`] plus 1; 0 before the first use.
static CHOICE: AtomicU8 = AtomicU8::new(0);

/// An instruction set that this processor has. No other value can be made, so code compiled for it may run wherever one exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Available(Simd);

impl Available {
    /// `simd`, if the processor has it.
    pub fn new(simd: Simd) -> Option<Self> {
        simd.is_available().then_some(Self(simd))
    }

    /// The instruction set in use; costs one load.
    #[inline]
    pub fn best() -> Self {
        match CHOICE.load(Ordering::Relaxed) {
            0 => Self::detect(),
            // Only available instruction sets are stored.
            choice => Self(Simd::ALL[usize::from(choice) - 1]),
        }
    }

    #[cold]
    fn detect() -> Self {
        let widest = [Simd::Avx512, Simd::Avx2, Simd::Neon].into_iter().find(|simd| simd.is_available());
        let simd = widest.unwrap_or(Simd::Portable);
        // Another thread may have chosen in the meantime: its choice stays.
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

    /// Every instruction set of this processor, portable code first. Prints the names of those that it lacks, so that the
    /// output of a test says what was not tested.
    #[cfg(test)]
    pub fn all() -> Vec<Self> {
        use std::io::Write as _;
        let (present, missing): (Vec<_>, Vec<_>) = Simd::ALL.into_iter().partition(|simd| simd.is_available());
        // Not `println!`, whose output libtest keeps back from tests that pass.
        let tell = |simd: Simd| writeln!(std::io::stderr(), "not tested, as this processor lacks it: {}", simd.name());
        missing.into_iter().for_each(|simd| tell(simd).expect("the standard error takes all"));
        present.into_iter().map(Self).collect()
    }
}

/// Runs `$body` compiled for AVX2, FMA and POPCNT if `$simd`, an [`Available`], includes them, and otherwise for the baseline
/// of the architecture; only code that is inlined into it is compiled so. The compiler fuses no multiplication with an addition
/// by itself, so results are identical to the bit.
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
            // SAFETY: the processor has the enabled features, as `$simd` exists. AVX-512 includes AVX2, FMA and POPCNT.
            $crate::simd::Simd::Avx2 | $crate::simd::Simd::Avx512 => unsafe { avx2($($name),*) },
            _ => plain($($name),*),
        }
    }};
}

pub(crate) use with_simd;

/// Runs `work` with the lanes of the instruction set in use, mostly the widest of this processor.
#[inline]
pub(crate) fn widest<W: Work>(work: W) -> W::Output {
    on(Available::best(), work)
}

/// Runs `work` with the lanes of an instruction set.
#[inline]
pub(crate) fn on<W: Work>(available: Available, work: W) -> W::Output {
    match available.simd() {
        // SAFETY: the processor has AVX-512, as an `Available` of it exists.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { avx512::run(work) },
        // SAFETY: the processor has AVX2, as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { avx2::run(work) },
        #[cfg(target_arch = "aarch64")]
        Simd::Neon => work.run::<neon::Neon>(),
        _ => work.run::<Portable>(),
    }
}
