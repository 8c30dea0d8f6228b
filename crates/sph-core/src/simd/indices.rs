//! Indices with a known upper bound, so that one bounds check serves sixteen.

/// Number of lanes.
pub(crate) const WIDTH: usize = 16;

/// [`WIDTH`] indices and an upper bound of all of them, so that as many records are gathered with one bounds check.
///
/// A check of each index would cost as much as the arithmetic on the records. A check of all sixteen in a register makes the
/// compiler extract them from it one by one, which costs more than loading them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indices<'a> {
    values: &'a [u32; WIDTH],
    largest: u32,
}

impl<'a> Indices<'a> {
    /// # Safety
    /// None of `values` is larger than `largest`.
    #[inline(always)]
    pub unsafe fn up_to(largest: u32, values: &'a [u32; WIDTH]) -> Self {
        debug_assert!(values.iter().all(|&index| index <= largest), "an index of {values:?} exceeds the bound {largest}");
        Self { values, largest }
    }

    /// The indices.
    #[cfg(test)]
    pub fn values(self) -> &'a [u32; WIDTH] {
        self.values
    }

    /// Upper bound of the indices.
    #[cfg(test)]
    pub fn largest(self) -> u32 {
        self.largest
    }

    /// Returns `gather(numbers, indices)`, where each index is that of a number and below 2³¹ − 1.
    ///
    /// # Panics
    /// The upper bound is not, even if all indices are.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn gathered<T>(self, numbers: &[f32], gather: impl FnOnce(&[f32], &[u32; WIDTH]) -> T) -> T {
        assert!(
            (self.largest as usize) < numbers.len().min(i32::MAX as usize),
            "index bound {} is out of range for {} numbers",
            self.largest,
            numbers.len()
        );
        gather(numbers, self.values)
    }

    /// The function from k to the record at the k-th index.
    ///
    /// # Panics
    /// The upper bound is no index of `buffers`, even if all indices are.
    #[inline(always)]
    pub(super) fn of<T: Copy>(self, buffers: &[T]) -> impl Fn(usize) -> T {
        assert!(
            (self.largest as usize) < buffers.len(),
            "index bound {} is out of range for {} records",
            self.largest,
            buffers.len()
        );
        // SAFETY: no index exceeds `largest`, which is below the length.
        move |k| unsafe { *buffers.get_unchecked(self.values[k] as usize) }
    }
}
