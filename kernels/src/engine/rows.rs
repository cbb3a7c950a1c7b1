//! The order of work row by row: within a row, neighbours of each operand are at one distance.

use std::ops::Range;

use crate::engine::planes::Planes;
use crate::engine::staged::{OUTPUT, Sides, Visit, VisitPlane, Walks, input_side, part, placed};
use crate::views::bound::{Bound, Operands};
use crate::views::runs::whole_rows;

pub(crate) struct Rows {
    walk: Walks,
}

impl Rows {
    pub(crate) fn new(walk: Walks) -> Self {
        Self { walk }
    }

    /// Returns whether rows are those of such planes of so many inputs.
    pub(crate) fn has(&self, planes: Planes, inputs: usize) -> bool {
        let [inputs @ .., output] = &self.walk.inner_strides()[OUTPUT - inputs..] else { return false };
        *output == 1 && inputs.iter().all(|across| planes.takes(*across))
    }

    /// The elements of a row that lie one after the other in the output.
    pub(crate) fn written_together(&self) -> usize {
        if self.walk.inner_strides()[OUTPUT] == 1 { self.walk.inner_len() } else { 1 }
    }

    /// Returns whether all rows are one plane.
    pub(crate) fn is_plane(&self) -> bool {
        let rows = self.walk.axis_of_runs().map_or(1, |(rows, _)| rows);
        rows * self.walk.inner_len() == self.walk.numel()
    }

    /// Visits planes of rows, and parts of a row at the ends of `range`.
    pub(crate) fn for_each_plane(
        &self,
        range: Range<usize>,
        (inputs, output): (&[Bound<'_>], Bound<'_>),
        visit: &mut VisitPlane<'_>,
    ) {
        let (columns, rows) = (self.walk.inner_len(), self.walk.axis_of_runs().map_or(1, |(rows, _)| rows));
        let mut begin = range.start;
        while begin < range.end {
            let offsets = self.walk.offsets_at(begin);
            let counts = whole_rows(begin..range.end, rows, columns);
            let sides: Sides = placed(inputs)
                .map(|(place, input)| input_side(part(&self.walk, input, place, begin, &offsets), input))
                .collect();
            let (offset, strides) = part(&self.walk, &output, OUTPUT, begin, &offsets);
            visit(&sides, output.side(offset, strides), counts, true);
            begin += counts[0] * counts[1];
        }
    }

    /// Visits rows, and parts of a row at the ends of `range`.
    pub(crate) fn for_each(
        &self,
        range: Range<usize>,
        (inputs, output): (&[Bound<'_>], Bound<'_>),
        visit: &mut Visit<'_>,
    ) {
        let strides = self.walk.inner_strides();
        let mut staged = Operands::from_slice(inputs);
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
