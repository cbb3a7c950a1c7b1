//! The order of work row by row: within a row, neighbours of each operand are at one distance.

use std::ops::Range;

use super::bound::Bound;
use super::staged::{Buffers, MOST, OUTPUT, Staged, Walks, placed};

pub(super) struct Rows {
    walk: Walks,
}

impl Rows {
    pub(super) fn new(walk: Walks) -> Self {
        Self { walk }
    }

    /// Visits rows, and parts of a row at the ends of `range`. An input that repeats one element in a row is a buffer of
    /// up to `step` copies of it.
    pub(super) fn for_each(
        &self,
        range: Range<usize>,
        step: usize,
        (inputs, output): (&[Bound<'_>], Bound<'_>),
        buffers: &mut Buffers,
        visit: &mut dyn FnMut(&[Bound<'_>], Bound<'_>, Range<usize>),
    ) {
        let strides = self.walk.inner_strides();
        let repeated = step.min(self.walk.inner_len());
        let mut bytes = [0; MOST];
        for (place, input) in placed(inputs) {
            if strides[place] == 0 && input.is_strided() {
                bytes[place] = repeated * input.size();
            }
        }
        let mut copies = buffers.of(bytes);
        // Which element the copies are of, so that it is copied once for all rows that share it.
        let mut copied = [None; MOST];
        let mut begin = range.start;
        self.walk.for_each_run_in(range.start, range.end, |offsets, count| {
            for (place, input) in placed(inputs) {
                if !copies[place].is_empty() && copied[place] != Some(offsets[place]) {
                    input.repeat(offsets[place], copies[place]);
                    copied[place] = Some(offsets[place]);
                }
            }
            let staged: Staged<'_> = placed(inputs)
                .map(|(place, input)| match &copies[place] {
                    _ if !input.is_strided() => *input,
                    copies if copies.is_empty() => input.run(begin, offsets[place], strides[place]),
                    copies => input.repeated(copies),
                })
                .collect();
            visit(&staged, output.run(begin, offsets[OUTPUT], strides[OUTPUT]), begin..begin + count);
            begin += count;
        });
    }
}
