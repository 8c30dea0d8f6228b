//! Reference data: tables of comma-separated values that begin with comments on their source.

/// The text of a file in `assets/reference/`.
macro_rules! reference {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/reference/", $name))
    };
}
pub(super) use reference;

/// Two columns of a table as points. Rows that lack one of the two are skipped.
pub fn points(text: &str, x: &str, y: &str) -> Vec<[f64; 2]> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let index_of = |name: &str| columns.iter().position(|column| *column == name);
    let (Some(x), Some(y)) = (index_of(x), index_of(y)) else { return Vec::new() };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |index: usize| cells.get(index)?.trim().parse::<f64>().ok();
        Some([number(x)?, number(y)?])
    };
    lines.filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_by_the_names_of_their_columns() {
        let text = "# source: a book, p. 7\nt,u,v\n0,1,2\n1,,3\n2,5,6\n";
        assert_eq!(points(text, "t", "u"), [[0.0, 1.0], [2.0, 5.0]]);
        assert_eq!(points(text, "v", "t"), [[2.0, 0.0], [3.0, 1.0], [6.0, 2.0]]);
        assert_eq!(points(text, "t", "w"), [[0.0; 2]; 0]);
    }
}
