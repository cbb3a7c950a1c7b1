//! Brackets, columns and lines.

use std::fmt::{self, Write};

use super::numbers::{Numbers, Words};
use super::{EDGE, has_gap, is_shortened};
use crate::dtype::DType;
use crate::layout::Shape;

/// Columns of a line.
const WIDTH: usize = 75;

/// Digits after the point, at most, unless the format asks for others.
const PRECISION: usize = 8;

/// Elements as text: `[[1, 2], [3, 4]]` with a line for every row, columns aligned, and `...` for what is left out.
///
/// It is what NumPy's `array2string` prints with a comma as separator: at most eight digits after the point, and no more
/// than tell an element from its neighbours; exponents if the largest number has more digits than its type, the smallest
/// is below 10⁻⁴, or they differ by a factor of more than 1000. The precision of a format, as in `{:.3}`, takes the place
/// of the eight. Truth values are `true` and `false`, as in Rust. Of the types that NumPy lacks,
///
/// - c32 is printed as a pair of f16, bf16 with the digits that tell it from its neighbours,
/// - floats of a byte and less with the digits of the same number as f32,
/// - integers of less than a byte like other integers.
#[derive(Clone, Debug)]
pub struct Text {
    shape: Shape,
    numbers: Numbers,
}

impl Text {
    /// A tensor of type `dtype` and this shape. `elements` are those of its [`excerpt`](super::excerpt) in row-major order;
    /// those of less than a byte take one each. Elements that are missing are left out.
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
        let mut page = Page { words, next: 0, shortened: is_shortened(&self.shape), out: f };
        page.axis(0, &self.shape)
    }
}

struct Page<'a, 'f> {
    words: Words,
    /// The element that comes next.
    next: usize,
    shortened: bool,
    out: &'a mut fmt::Formatter<'f>,
}

/// What stands on an axis.
#[derive(Clone, Copy)]
enum Item {
    Elements,
    Gap,
}

impl Page<'_, '_> {
    /// Everything on the axes `sizes`, of which the first is axis `axis` of the tensor.
    fn axis(&mut self, axis: usize, sizes: &[usize]) -> fmt::Result {
        let Some((&size, inner)) = sizes.split_first() else {
            let word = self.word();
            return self.out.write_str(&word);
        };
        let indent = axis + 1;
        let mut column = indent;
        self.out.write_char('[')?;
        let gap = self.shortened && has_gap(size);
        let count = if gap { 2 * EDGE + 1 } else { size };
        for index in 0..count {
            let item = if gap && index == EDGE { Item::Gap } else { Item::Elements };
            let is_last = index + 1 == count;
            if inner.is_empty() {
                let word = match item {
                    Item::Gap => "...".to_owned(),
                    Item::Elements => self.word(),
                };
                // Room for as many brackets as have to be closed.
                if column > indent && column + 1 + word.len() > WIDTH - axis - 1 {
                    self.new_lines(1, indent)?;
                    column = indent;
                } else if column > indent {
                    self.out.write_char(' ')?;
                    column += 1;
                }
                self.out.write_str(&word)?;
                column += word.len();
                if !is_last {
                    self.out.write_char(',')?;
                    column += 1;
                }
                continue;
            }
            match item {
                Item::Gap => self.out.write_str("...")?,
                Item::Elements => self.axis(axis + 1, inner)?,
            }
            if !is_last {
                self.out.write_char(',')?;
                self.new_lines(inner.len(), indent)?;
            }
        }
        self.out.write_char(']')
    }

    fn new_lines(&mut self, count: usize, indent: usize) -> fmt::Result {
        for _ in 0..count {
            self.out.write_char('\n')?;
        }
        write!(self.out, "{:indent$}", "")
    }

    fn word(&mut self) -> String {
        self.next += 1;
        self.words.word(self.next - 1)
    }
}
