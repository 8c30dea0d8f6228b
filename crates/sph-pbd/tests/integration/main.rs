//! Tests of cloth and balls as those who use the library see them, in one program.

mod balls;
