//! A Python with the libraries that read exports back in the tests, in a folder of its own: `target/python`.

use std::path::PathBuf;

use crate::workspace::Workspace;

/// The libraries: tested with NumPy 2.4.6, plyfile 1.1.5 and trimesh 4.12.2.
pub const LIBRARIES: [&str; 4] = ["numpy>=1.26,<3", "meshio==5.3.5", "plyfile>=1,<2", "trimesh>=4,<5"];

/// A program that ends well if the libraries are there.
pub const PROBE: [&str; 2] = ["-c", "import numpy, meshio, plyfile, trimesh"];

/// The interpreter.
pub fn interpreter(workspace: &Workspace) -> PathBuf {
    folder(workspace).join("bin/python")
}

/// The two commands that make it and install the libraries.
pub fn install_commands(workspace: &Workspace) -> [Vec<String>; 2] {
    let environment = ["python3", "-m", "venv"].map(str::to_owned).into_iter();
    let environment = environment.chain([folder(workspace).display().to_string()]).collect();
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"].into_iter().chain(LIBRARIES);
    let install = [interpreter(workspace).display().to_string()].into_iter().chain(install.map(str::to_owned)).collect();
    [environment, install]
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target/python")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_are_installed_beside_the_build() {
        let [environment, install] = install_commands(&Workspace::find().ok().unwrap()).map(|words| words.join(" "));
        assert!(environment.starts_with("python3 -m venv ") && environment.ends_with("target/python"), "{environment}");
        assert!(install.contains("target/python/bin/python -m pip install ") && install.contains(" meshio=="), "{install}");
    }
}
