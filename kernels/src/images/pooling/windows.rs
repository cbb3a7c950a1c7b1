//! Windows over an image, and the elements under them.

use std::sync::OnceLock;

use crate::views::allocation;
use crate::views::failure::Result;

/// The elements under a window along one axis, at one of its positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: usize,
    pub(super) count: usize,
    /// Of how many elements along the axis an average is.
    pub(super) divisor: usize,
    /// The distance between two elements.
    pub(super) step: usize,
}

/// The windows along one axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Elements of the image along the axis.
    pub size: usize,
    /// The number of positions.
    pub positions: usize,
    pub kind: Kind,
}

/// The windows along one axis.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A window that moves.
    Moves {
        kernel: i64,
        stride: i64,
        /// Elements before the image, and behind it.
        padding: [i64; 2],
        dilation: i64,
        /// Whether an average is also of the elements of the padding.
        counts_padding: bool,
    },
    /// As many parts of the image as there are positions.
    Parts,
}

/// The number of steps that lead to a distance, or beyond it.
fn steps(distance: i64, step: i64) -> i64 {
    (distance.max(0) + step - 1).div_euclid(step)
}

impl Axis {
    /// Returns an axis that the image does not have.
    pub fn none() -> Self {
        Self { size: 1, positions: 1, kind: Kind::Parts }
    }

    /// The elements under the window at each position.
    pub(super) fn spans(&self) -> impl Iterator<Item = Span> + use<> {
        let axis = *self;
        (0..axis.positions).map(move |position| axis.span(position))
    }

    fn span(&self, position: usize) -> Span {
        let size = self.size as i64;
        let Kind::Moves { kernel, stride, padding: [before, behind], dilation, counts_padding } = self.kind
        else {
            let (first, end) = (
                position * self.size / self.positions,
                ((position + 1) * self.size).div_ceil(self.positions),
            );
            return Span { first, count: end - first, divisor: end - first, step: 1 };
        };
        let begin = position as i64 * stride - before;
        let end = begin + dilation * (kernel - 1) + 1;
        // The first element of the window that lies on the image.
        let first = begin + steps(-begin, dilation) * dilation;
        let count = steps(end.min(size) - first, dilation);
        let divisor = if counts_padding { end.min(size + behind) - begin } else { count };
        Span {
            first: first.max(0) as usize,
            count: count as usize,
            divisor: divisor.max(0) as usize,
            step: dilation as usize,
        }
    }
}

impl Span {
    pub(super) fn indices(self) -> impl Iterator<Item = usize> + use<> {
        (0..self.count).map(move |number| self.first + number * self.step)
    }

    /// Returns the lines of some rows of the planes under this span.
    pub(super) fn lines(
        self,
        rows: Span,
        line: impl Fn(usize, usize) -> usize,
    ) -> impl Iterator<Item = usize> {
        let all = self.indices().flat_map(move |plane| rows.indices().map(move |row| (plane, row)));
        all.map(move |(plane, row)| line(plane, row))
    }
}

/// Windows over the planes, rows and columns of an image.
#[derive(Clone, Debug)]
pub struct Windows {
    pub(super) axes: [Axis; 3],
    /// The elements under them along each axis, when they are known.
    spans: OnceLock<[Vec<Span>; 3]>,
}

impl Windows {
    pub fn new(axes: [Axis; 3]) -> Self {
        Self { axes, spans: OnceLock::new() }
    }

    /// Returns the windows along planes, rows and columns.
    pub fn axes(&self) -> &[Axis; 3] {
        &self.axes
    }

    /// Returns the elements of an image.
    pub fn elements(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// Returns the positions of the window.
    pub fn positions(&self) -> usize {
        self.axes.iter().map(|axis| axis.positions).product()
    }

    /// The elements under the windows, along each axis.
    pub(super) fn spans(&self) -> Result<&[Vec<Span>; 3]> {
        if let Some(spans) = self.spans.get() {
            return Ok(spans);
        }
        let [planes, rows, columns] = self.axes.each_ref().map(|axis| allocation::collect(axis.spans()));
        let spans = [planes?, rows?, columns?];
        Ok(self.spans.get_or_init(|| spans))
    }

    /// The number of the first element of a row of an image.
    pub(super) fn line(&self, plane: usize, row: usize) -> usize {
        (plane * self.axes[1].size + row) * self.axes[2].size
    }

    /// Returns the number of the first element under the window, at each position.
    pub fn firsts(&self) -> Result<Vec<i64>> {
        let mut firsts = allocation::for_elements(self.positions())?;
        let [planes, rows, columns] = self.spans()?;
        for plane in planes {
            for row in rows {
                let line = self.line(plane.first, row.first);
                firsts.extend(columns.iter().map(|column| (line + column.first) as i64));
            }
        }
        Ok(firsts)
    }
}
