//! The order of work row by row: within a row, neighbours of each operand are at one distance.

use std::ops::Range;

use super::bound::Bound;
use super::staged::{OUTPUT, Staged, Walks, placed};

pub(super) struct Rows {
    walk: Walks,
}

impl Rows {
    pub(super) fn new(walk: Walks) -> Self {
        Self { walk }
    }

    /// Visits rows, and parts of a row at the ends of `range`.
    pub(super) fn for_each(
        &self,
        range: Range<usize>,
        (inputs, output): (&[Bound<'_>], Bound<'_>),
        visit: &mut dyn FnMut(&[Bound<'_>], Bound<'_>, Range<usize>),
    ) {
        let strides = self.walk.inner_strides();
        let mut staged = Staged::from_slice(inputs);
        let mut begin = range.start;
        self.walk.for_each_run_in(range.start, range.end, |offsets, count| {
            for ((place, input), staged) in placed(inputs).zip(&mut staged) {
                // A copy is one run as a whole.
                if input.is_strided() {
                    *staged = input.run(begin, offsets[place], strides[place]);
                }
            }
            visit(&staged, output.run(begin, offsets[OUTPUT], strides[OUTPUT]), begin..begin + count);
            begin += count;
        });
    }
}
