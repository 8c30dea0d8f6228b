//! Triangle meshes from files: OBJ, STL, PLY, glTF; and `heights` over a grid.
//!
//! OBJ is read by `tobj` and the JSON of glTF by `gltf`. STL and PLY are read here: the readers at hand reserve memory by counts that
//! a damaged file states, and know STL by its first letters, which binary files may have as well.

mod bytes;
mod file;
mod gltf_file;
mod heights;
mod obj;
mod ply;
mod read;
mod stl;
mod triangles;

pub(crate) use file::MAX_FILE_BYTES;
pub(crate) use heights::read_heights;
pub(crate) use read::read;
pub(crate) use triangles::Triangles;

#[cfg(test)]
mod tests;
