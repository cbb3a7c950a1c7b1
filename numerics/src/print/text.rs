//! The layout of text: brackets, columns and lines.

use std::fmt::{self, Write};

use super::numbers::{Numbers, Words};
use super::{Shown, shown};
use crate::dtype::DType;
use crate::layout::Shape;

/// The number of columns of a line.
const WIDTH: usize = 75;

/// The number of digits after the point, at most, unless the format asks for another number.
const PRECISION: usize = 8;

/// Elements as text: `[[1, 2], [3, 4]]` with a line for every row, aligned columns, and `...` for elements that are
/// left out.
///
/// The text is what NumPy's `array2string` prints with a comma as separator: at most eight digits after the point, and
/// no more than tell an element from its neighbours; exponents if the largest number has more digits than its type, the
/// smallest is below 10⁻⁴, or they differ by a factor of more than 1000. The precision of a format, as in `{:.3}`,
/// replaces the eight. Beyond 10,000 elements the outer axes lose more of their indices, as [`excerpt`](super::excerpt)
/// says, where NumPy prints them all. Truth values are `true` and `false`, as in Rust. Of the types that NumPy lacks,
///
/// - c32 is printed as a pair of f16, bf16 with the digits that tell it from its neighbours,
/// - floats of a byte or less with the digits of the same number as f32,
/// - integers of less than a byte like other integers.
#[derive(Clone, Debug)]
pub struct Text {
    shape: Shape,
    numbers: Numbers,
}

impl Text {
    /// Creates the text of a tensor of type `dtype` and this shape. `elements` are those of its
    /// [`excerpt`](super::excerpt) in row-major order; elements narrower than a byte take one byte each. Missing
    /// elements are left out of the text.
    pub fn new(dtype: DType, shape: impl Into<Shape>, elements: &[u8]) -> Text {
        Text { shape: shape.into(), numbers: Numbers::decode(dtype, elements) }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shape.is_empty_tensor() {
            return f.write_str("[]");
        }
        let is_single = self.shape.rank() == 0;
        let words = self.numbers.words(f.precision().unwrap_or(PRECISION), is_single);
        Page { words, next: 0, column: 0, axes: &shown(&self.shape), out: f }.print()
    }
}

struct Page<'a, 'f> {
    words: Words,
    /// The index of the next element.
    next: usize,
    /// The number of columns of the line that are taken.
    column: usize,
    axes: &'a [Shown],
    out: &'a mut fmt::Formatter<'f>,
}

impl Page<'_, '_> {
    /// Writes the whole text. It does not recurse, as there may be more axes than the stack has room for.
    fn print(&mut self) -> fmt::Result {
        // For every open axis, the item that is being printed: an index, or the gap.
        let mut items: Vec<usize> = Vec::with_capacity(self.axes.len());
        loop {
            while items.len() < self.axes.len() {
                self.out.write_char('[')?;
                items.push(0);
                self.column = items.len();
            }
            let word = self.words.word(self.next);
            self.next += 1;
            self.item(&word)?;
            loop {
                let (depth, Some(item)) = (items.len(), items.last_mut()) else { return Ok(()) };
                let Some(&axis) = self.axes.get(depth - 1) else { return Ok(()) };
                *item += 1;
                if *item == axis.count() + usize::from(axis.has_gap()) {
                    self.out.write_char(']')?;
                    items.pop();
                    continue;
                }
                self.out.write_char(',')?;
                self.column += 1;
                let inner = self.axes.len() - depth;
                if inner > 0 {
                    self.new_lines(inner, depth)?;
                }
                if !(axis.has_gap() && *item == axis.head) {
                    break;
                }
                if inner > 0 {
                    self.out.write_str("...")?;
                } else {
                    self.item("...")?;
                }
            }
        }
    }

    /// Writes an item of the innermost axis, on a new line if this one is full.
    fn item(&mut self, word: &str) -> fmt::Result {
        let indent = self.axes.len();
        if self.column > indent {
            // Keeps room for all closing brackets.
            if self.column + 1 + word.len() > WIDTH.saturating_sub(indent) {
                self.new_lines(1, indent)?;
                self.column = indent;
            } else {
                self.out.write_char(' ')?;
                self.column += 1;
            }
        }
        self.column += word.len();
        self.out.write_str(word)
    }

    fn new_lines(&mut self, count: usize, indent: usize) -> fmt::Result {
        for _ in 0..count {
            self.out.write_char('\n')?;
        }
        write!(self.out, "{:indent$}", "")
    }
}
