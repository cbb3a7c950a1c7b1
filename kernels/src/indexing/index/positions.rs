//! Positions of the elements that indices find.

use std::ops::Range;

use aclnn_numerics::layout::Walk;

use super::blocks::truths;
use super::runs::{SKIPPED, Table};
use crate::Bound;
use crate::views::allocation;
use crate::views::block::Line;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::instructions::for_wide_instructions;
use crate::views::runs::prefetch;

/// The runs that indices find in a tensor, the *table*. A run is so many elements of the table, one after the other; the
/// runs themselves form a grid, and have numbers in its row-major order.
pub struct Positions {
    /// The number of runs.
    pub count: usize,
    /// Elements of a run.
    pub run: usize,
    /// The element of the table at which each run begins, as far as no index says.
    pub base: Walk<1>,
    pub indices: Vec<Index>,
}

/// Indices of one axis of the table, one for each run.
pub struct Index {
    /// The name of the argument.
    pub name: &'static str,
    pub numbers: Numbers,
    /// The axis that they number, or several axes that are counted as one.
    pub axis: Walk<1>,
    /// Whether a negative number counts from the end.
    pub wraps: bool,
    pub skips: Skips,
}

/// The numbers that are passed over where they do not exist; the work fails with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skips {
    Nothing,
    Negative,
    All,
}

/// The source of indices.
pub enum Numbers {
    /// Elements of an input of the kernel, which has one for each run: i64 if they are `wide`, otherwise i32.
    Tensor { input: usize, wide: bool },
    /// Numbers of the host; `walk` leads from run to run.
    Host { numbers: Vec<i64>, walk: Walk<1> },
    /// Positions along one axis of the true elements of a mask, an input. `size` is that of the axis, and `inner` the number of
    /// elements behind one position. There must be `count` of them, or if that is `None`, any number: runs without one are
    /// passed over.
    Mask { input: usize, size: usize, inner: usize, count: Option<usize>, walk: Walk<1> },
}

/// The positions of one launch.
pub(super) struct Found<'a> {
    positions: &'a Positions,
    inputs: &'a [Bound<'a>],
    /// For each of the indices, what a mask says.
    masks: Vec<Vec<i64>>,
    /// The tensor in which runs are found, if its elements are asked for before they are used.
    table: Option<Table>,
}

/// The buffers for the positions of some runs.
#[derive(Default)]
pub(super) struct Buffers {
    pub(super) offsets: Vec<isize>,
    numbers: Vec<i64>,
    places: Vec<isize>,
}

impl Positions {
    /// Runs that are found together, at most: so few that the memory asked for meanwhile arrives while they are used.
    pub(super) const TOGETHER: usize = 256;

    /// Reads the masks. `inputs` are the operands that the indices name.
    pub(super) fn find<'a>(&'a self, inputs: &'a [Bound<'a>]) -> Result<Found<'a>> {
        let mut masks = Vec::new();
        for index in &self.indices {
            masks.push(match &index.numbers {
                Numbers::Mask { input, size, inner, count, .. } => {
                    let truths = inputs.get(*input).map(truths).unwrap_or_default();
                    let position = |truth: &usize| (truth / inner.max(&1) % size.max(&1)) as i64;
                    let found: Vec<i64> = truths.iter().map(position).collect();
                    if let Some(count) = count.filter(|count| *count != found.len() && found.len() != 1) {
                        let message = format!(
                            "{} has a mask with {} true elements, but the other operand has room for {count}",
                            index.name,
                            found.len()
                        );
                        return Err(Failure::new(Cause::AiCore, message));
                    }
                    found
                }
                _ => Vec::new(),
            });
        }
        Ok(Found { positions: self, inputs, masks, table: None })
    }
}

impl Found<'_> {
    /// Asks for elements of a tensor before the runs that are found in it are used.
    pub(super) fn among(self, table: Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Asks for the elements among which the only index chooses for the runs behind `range`, where others are chosen among for
    /// these. No processor foresees them, since they are used in any order.
    fn prefetch_behind(&self, range: &Range<usize>) {
        /// More bytes stay in no first-level cache.
        const MOST: usize = 16 << 10;
        let Positions { count, base, indices, .. } = self.positions;
        let (Some(table), [Index { axis, .. }]) = (&self.table, &indices[..]) else { return };
        let last = (range.end + range.len()).saturating_sub(1);
        if range.is_empty() || last >= *count || !axis.is_single_run() || axis.inner_strides() != [1] {
            return;
        }
        let ([now], [next]) = (base.offsets_at(range.end - 1), base.offsets_at(last));
        if now != next {
            table.prefetch(next, axis.numel(), MOST);
        }
    }

    /// The number of runs, and the elements of each.
    pub(super) fn runs_of(&self) -> (usize, usize) {
        (self.positions.count, self.positions.run)
    }

    /// Finds the runs `range`: where each begins, counted in elements from the first one of the table, or [`SKIPPED`].
    pub(super) fn runs(&self, range: Range<usize>, buffers: &mut Buffers) -> Result {
        let Buffers { offsets, numbers, places } = buffers;
        let base = &self.positions.base;
        if self.positions.indices.is_empty() {
            follow(base, range.clone(), offsets);
        }
        let mut may_skip = false;
        for (order, (index, mask)) in self.positions.indices.iter().zip(&self.masks).enumerate() {
            numbers.clear();
            let numbers: &[i64] = match &index.numbers {
                Numbers::Tensor { input, wide } => {
                    let Some(input) = self.inputs.get(*input) else { continue };
                    // Most often the indices are elements in memory as they are needed.
                    let elements = if *wide { input.contiguous(range.clone()) } else { None };
                    match elements.and_then(|bytes| bytemuck::try_cast_slice::<_, i64>(bytes).ok()) {
                        Some(numbers) => {
                            // Those of later runs arrive while these are used.
                            let later = numbers.as_ptr().wrapping_add(2 * Positions::TOGETHER);
                            for ahead in (0..numbers.len()).step_by(Line::SIZE / size_of::<i64>()) {
                                prefetch(later.wrapping_add(ahead).cast(), true);
                            }
                            numbers
                        }
                        None => {
                            read(input, *wide, range.clone(), numbers)?;
                            &numbers[..]
                        }
                    }
                }
                Numbers::Host { walk, .. } | Numbers::Mask { walk, .. } => {
                    let known =
                        if let Numbers::Host { numbers, .. } = &index.numbers { numbers } else { mask };
                    // Whatever lies behind the last true element is no run, if there may be any number of them.
                    let only = (known.len() == 1 && !index.may_end()).then(|| known[0]);
                    let number =
                        |at: &isize| known.get(at.cast_unsigned()).copied().or(only).unwrap_or(i64::MAX);
                    follow(walk, range.clone(), places);
                    numbers.extend(places.iter().map(number));
                    &numbers[..]
                }
            };
            let is_placed = order == 0 && index.place_existing(base, range.clone(), numbers, offsets);
            if order == 0 && !is_placed {
                follow(base, range.clone(), offsets);
            }
            if !is_placed && (may_skip || !index.add_existing(numbers, offsets)) {
                index.add(range.start, numbers, offsets)?;
            }
            may_skip |= index.skips != Skips::Nothing || index.may_end();
        }
        self.prefetch_behind(&range);
        Ok(())
    }
}

/// The offsets of the elements `range` of a walk.
fn follow(walk: &Walk<1>, range: Range<usize>, offsets: &mut Vec<isize>) {
    let [stride] = walk.inner_strides();
    offsets.clear();
    walk.for_each_run_in(range.start, range.end, |[first], len| {
        // Adding is quicker than multiplying each step.
        let mut next = first;
        offsets.extend((0..len).map(|_| {
            let offset = next;
            next = next.wrapping_add(stride);
            offset
        }));
    });
}

/// Reads the elements `range` of a tensor of indices.
pub(crate) fn read(tensor: &Bound<'_>, wide: bool, range: Range<usize>, numbers: &mut Vec<i64>) -> Result {
    let mut lines = Vec::new();
    let bytes = match tensor.contiguous(range.clone()) {
        Some(bytes) => bytes,
        None => {
            let copy = allocation::bytes_of(&mut lines, range.len() * tensor.size())?;
            tensor.gather(range, copy);
            copy
        }
    };
    if wide {
        let (words, _) = bytes.as_chunks();
        numbers.extend(words.iter().map(|word| i64::from_ne_bytes(*word)));
    } else {
        let (words, _) = bytes.as_chunks();
        numbers.extend(words.iter().map(|word| i64::from(i32::from_ne_bytes(*word))));
    }
    Ok(())
}

impl Index {
    /// Returns whether there may be fewer numbers than runs.
    fn may_end(&self) -> bool {
        matches!(self.numbers, Numbers::Mask { count: None, .. })
    }

    /// Finds the positions of runs, of which this is the first index. Returns whether all numbers exist, and the axis has one
    /// stride; otherwise positions are others.
    fn place_existing(
        &self,
        base: &Walk<1>,
        range: Range<usize>,
        numbers: &[i64],
        offsets: &mut Vec<isize>,
    ) -> bool {
        /// Fewer runs on an axis of the grid are followed sooner one by one.
        const FEW: usize = 16;
        let (size, [step], [stride]) =
            (self.axis.numel() as i64, base.inner_strides(), self.axis.inner_strides());
        let wrap = if self.wraps { size } else { 0 };
        if !self.axis.is_single_run() || base.inner_len() < FEW || numbers.len() != range.len() {
            return false;
        }
        offsets.resize(range.len(), 0);
        let (mut numbers, mut places, mut exist) = (numbers, &mut offsets[..], true);
        base.for_each_run_in(range.start, range.end, |[first], len| {
            let (own, behind) = numbers.split_at(len);
            let (to, after) = std::mem::take(&mut places).split_at_mut(len);
            exist &= place(own, [size, wrap], [first, step, stride], to);
            (numbers, places) = (behind, after);
        });
        exist
    }

    /// Adds the distance along the axis to the positions of runs, none of which is passed over, without a branch for each.
    /// Returns whether all numbers exist, and the axis has one stride; otherwise nothing is added.
    fn add_existing(&self, numbers: &[i64], offsets: &mut [isize]) -> bool {
        let size = self.axis.numel() as i64;
        let wrap = if self.wraps { size } else { 0 };
        if !self.axis.is_single_run() || !all_exist(numbers, size, wrap) {
            return false;
        }
        let [stride] = self.axis.inner_strides();
        add_places(numbers, wrap, stride, offsets);
        true
    }

    /// Adds the distance along the axis to the positions of runs from number `first` on, but for those that are passed over;
    /// marks those whose number does not exist.
    fn add(&self, first: usize, numbers: &[i64], offsets: &mut [isize]) -> Result {
        let size = self.axis.numel() as i64;
        for (run, (number, offset)) in numbers.iter().zip(offsets).enumerate() {
            let counted = if *number < 0 && self.wraps { number.saturating_add(size) } else { *number };
            if !(0..size).contains(&counted) {
                let is_skipped = match self.skips {
                    Skips::Nothing => false,
                    Skips::Negative => counted < 0,
                    Skips::All => true,
                };
                if is_skipped || self.may_end() && *number == i64::MAX {
                    *offset = SKIPPED;
                    continue;
                }
                return Err(self.outside(*number, first + run));
            }
            if *offset != SKIPPED {
                *offset = offset.wrapping_add(self.axis.offsets_at(counted as usize)[0]);
            }
        }
        Ok(())
    }

    #[cold]
    fn outside(&self, number: i64, run: usize) -> Failure {
        let size = self.axis.numel();
        let lowest = if self.wraps { format!("-{size}") } else { "0".to_owned() };
        let message = format!(
            "{} has the index {number} for slice {run}, but indices from {lowest} to {} exist",
            self.name,
            size as i128 - 1
        );
        Failure::new(Cause::AiCore, message)
    }
}

for_wide_instructions! {
    /// Returns whether all numbers are below `size` once `wrap` was added to the negative ones. It is computed without branches.
    fn all_exist(numbers: &[i64], size: i64, wrap: i64) -> bool {
        let signs = numbers.iter().fold(0, |signs, number| {
            let counted = number.wrapping_add(number >> 63 & wrap);
            signs | counted | (size - 1).wrapping_sub(counted)
        });
        signs >= 0
    }

    /// Writes the positions of runs that lie at one distance from each other but for the number of each along an axis. Returns
    /// whether all numbers exist, as [`all_exist`] does. Most often the axis is the last one, and nothing is multiplied.
    fn place(numbers: &[i64], sizes: [i64; 2], steps: [isize; 3], offsets: &mut [isize]) -> bool {
        let ([size, wrap], [mut next, step, stride], mut signs) = (sizes, steps, 0);
        macro_rules! each {
            ($counted:ident => $along:expr) => {
                for (offset, number) in offsets.iter_mut().zip(numbers) {
                    let counted = number.wrapping_add(number >> 63 & wrap);
                    signs |= counted | (size - 1).wrapping_sub(counted);
                    let $counted = counted as isize;
                    *offset = next.wrapping_add($along);
                    next = next.wrapping_add(step);
                }
            };
        }
        match stride {
            1 => each!(counted => counted),
            _ => each!(counted => stride.wrapping_mul(counted)),
        }
        signs >= 0
    }

    /// Adds the distances of numbers along an axis of one stride to positions. Most often the axis is the last one, and nothing
    /// is multiplied.
    fn add_places(numbers: &[i64], wrap: i64, stride: isize, offsets: &mut [isize]) {
        let places = offsets.iter_mut().zip(numbers);
        let counted = |number: i64| number.wrapping_add(number >> 63 & wrap) as isize;
        match stride {
            1 => places.for_each(|(offset, number)| *offset = offset.wrapping_add(counted(*number))),
            _ => places.for_each(|(offset, number)| {
                *offset = offset.wrapping_add(stride.wrapping_mul(counted(*number)));
            }),
        }
    }
}

/// The failure where runs do not lie in the table although the indices exist.
#[cold]
pub(super) fn outside() -> Failure {
    Failure::new(Cause::AiCore, "the indices lead out of the tensor")
}
