//! Names of pictures and recordings.

use std::path::{Path, PathBuf};

/// Folder that pictures are saved to without a question: the user's pictures, else the current folder.
pub fn folder() -> PathBuf {
    let pictures = dirs::picture_dir().filter(|folder| folder.is_dir());
    pictures.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("."))
}

/// A name in `folder` that is not taken yet: STEM, or STEM_2 and so on, with the extension unless that is empty.
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    let name = |stem: String| if extension.is_empty() { folder.join(stem) } else { folder.join(format!("{stem}.{extension}")) };
    let numbered = (2..).map(|number| format!("{stem}_{number}"));
    let mut names = std::iter::once(stem.to_owned()).chain(numbered).map(name);
    names.find(|path| !path.exists()).expect("the numbers do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_taken_get_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let names =
            |extension: &str| free_name(folder.path(), "dam_0.5s", extension).strip_prefix(folder.path()).unwrap().to_owned();
        assert_eq!(names("png"), Path::new("dam_0.5s.png"));
        std::fs::write(folder.path().join("dam_0.5s.png"), "").unwrap();
        std::fs::write(folder.path().join("dam_0.5s_2.png"), "").unwrap();
        assert_eq!(names("png"), Path::new("dam_0.5s_3.png"));
        assert_eq!(names(""), Path::new("dam_0.5s"));
    }
}
