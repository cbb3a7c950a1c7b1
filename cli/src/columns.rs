//! Tables for terminals: the first column to the left, numbers to the right.

use std::fmt;

/// Rows of texts, under their titles.
#[derive(Debug)]
pub(crate) struct Columns(Vec<Vec<String>>);

impl Columns {
    pub(crate) fn new(titles: Vec<String>) -> Self {
        Self(vec![titles])
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.0.push(cells);
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.0.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..count).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.0 {
            let mut line = String::new();
            for (number, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                line += &if number == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
