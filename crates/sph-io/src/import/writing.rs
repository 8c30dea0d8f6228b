//! Values as TOML.

/// A number with the fewest digits that are the same in single precision: 0.03, where the file has 0.029999999329447746.
pub(super) fn number(number: f64) -> String {
    format!("{:?}", number as f32)
}

/// The numbers of a list.
pub(super) fn numbers(list: &[f64]) -> String {
    format!("[{}]", list.iter().map(|&item| number(item)).collect::<Vec<_>>().join(", "))
}

pub(super) fn text(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

/// Keys of a table, in the order in which they are set.
#[derive(Debug, Default)]
pub(super) struct Section {
    lines: String,
}

impl Section {
    /// A section under `header`, such as `[[bodies]]`.
    pub fn new(header: &str) -> Self {
        Self { lines: format!("\n{header}\n") }
    }

    pub fn set(&mut self, key: &str, value: impl AsRef<str>) {
        self.lines += &format!("{key} = {}\n", value.as_ref());
    }

    /// Sets a key with a comment above it.
    pub fn set_because(&mut self, key: &str, value: impl AsRef<str>, comment: &str) {
        self.lines += &format!("# {comment}\n");
        self.set(key, value);
    }

    pub fn text(&self) -> &str {
        &self.lines
    }
}
