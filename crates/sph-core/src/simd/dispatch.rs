//! Run-time choice of the lanes for a piece of work.

use super::instruction_set::{Available, Simd};
use super::lanes::Work;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::portable::Portable;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

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
