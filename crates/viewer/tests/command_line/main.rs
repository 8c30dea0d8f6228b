//! The program `sph` as its users meet it: started as a process, judged by its exit status, its words and its files.

mod bad_input;
mod bench;
mod commands;
mod endings;
mod outputs;
mod pictures;
mod support;
mod tuning;
