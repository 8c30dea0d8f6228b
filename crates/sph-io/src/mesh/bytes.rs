//! Numbers in bytes, from which nothing is read past the end.

/// Reader of little- or big-endian numbers.
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
    big_endian: bool,
}

impl<'a> Bytes<'a> {
    /// Reader of `rest`.
    pub fn new(rest: &'a [u8], big_endian: bool) -> Self {
        Self { rest, big_endian }
    }

    /// The next `N` bytes, the lowest first.
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        let mut taken = *taken;
        if self.big_endian {
            taken.reverse();
        }
        Some(taken)
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }
}
