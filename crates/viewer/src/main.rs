//! The program `sph`. Everything it does is in the library, where tests reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    viewer::cli::main()
}
