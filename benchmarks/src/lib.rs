//! Empty library: the measurements are in `benches/table`.
