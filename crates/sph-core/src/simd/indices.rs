//! Indices that the neighbour lists vouch for, checked once for sixteen.

/// How many numbers go together.
pub(crate) const WIDTH: usize = 16;

/// [`WIDTH`] indices up to a largest, so that as many records are gathered with one check.
///
/// A check of each index would cost as much as all that is done with the records; one of all sixteen in a register makes the compiler take
/// them out of it again one by one, which costs more than loading them.
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
        debug_assert!(values.iter().all(|&index| index <= largest), "{values:?} up to {largest}");
        Self { values, largest }
    }

    /// The indices.
    #[cfg(test)]
    pub fn values(self) -> &'a [u32; WIDTH] {
        self.values
    }

    /// No index is larger.
    #[cfg(test)]
    pub fn largest(self) -> u32 {
        self.largest
    }

    /// What `gather` makes of the numbers and the indices: each is that of a number, and below 2³¹ − 1.
    ///
    /// # Panics
    /// The largest is not, even if all these are.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn gathered<T>(self, numbers: &[f32], gather: impl FnOnce(&[f32], &[u32; WIDTH]) -> T) -> T {
        assert!(
            (self.largest as usize) < numbers.len().min(i32::MAX as usize),
            "indices up to {} of {} numbers",
            self.largest,
            numbers.len()
        );
        gather(numbers, self.values)
    }

    /// The record at the k-th index.
    ///
    /// # Panics
    /// The largest is no index of `buffers`, even if all these are.
    #[inline(always)]
    pub(super) fn of<T: Copy>(self, buffers: &[T]) -> impl Fn(usize) -> T {
        assert!((self.largest as usize) < buffers.len(), "indices up to {} of {} records", self.largest, buffers.len());
        // SAFETY: no index is larger than the largest, which is below the length.
        move |k| unsafe { *buffers.get_unchecked(self.values[k] as usize) }
    }
}
