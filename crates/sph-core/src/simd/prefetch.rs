//! Fetching memory ahead of its use.

use std::sync::LazyLock;

/// Way to fetch memory ahead. No result depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prefetch {
    /// For one use, past the second level of the caches: what the pass reads again stays there.
    NonTemporal,
    /// Into all levels.
    AllLevels,
}

impl Prefetch {
    /// The faster way on this processor for memory that a pass reads only once, as measured on one of AMD, where it is the first, and on one of
    /// Intel (docs/adr/0040).
    pub fn best_for_one_use() -> Self {
        static BEST: LazyLock<Prefetch> = LazyLock::new(|| if is_amd() { Prefetch::NonTemporal } else { Prefetch::AllLevels });
        *BEST
    }

    /// Asks the processor for the memory `bytes` after `place`. Does nothing where the compiler has no such instruction.
    #[inline(always)]
    pub fn fetch<T>(self, place: &T, bytes: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_NTA, _MM_HINT_T0, _mm_prefetch};
            let place = std::ptr::from_ref(place).cast::<i8>().wrapping_add(bytes);
            // SAFETY: every x86-64 has the instructions, which take any address and have no effect that a program can observe.
            unsafe {
                match self {
                    Self::NonTemporal => _mm_prefetch::<_MM_HINT_NTA>(place),
                    Self::AllLevels => _mm_prefetch::<_MM_HINT_T0>(place),
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (place, bytes);
    }
}

/// True on processors of AMD and of Hygon, which builds AMD's.
#[cfg(target_arch = "x86_64")]
fn is_amd() -> bool {
    let vendor = std::arch::x86_64::__cpuid(0);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    [*b"AuthenticAMD", *b"HygonGenuine"].iter().any(|amd| name.as_flattened() == amd)
}

#[cfg(not(target_arch = "x86_64"))]
fn is_amd() -> bool {
    false
}
