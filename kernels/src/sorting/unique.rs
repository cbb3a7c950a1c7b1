//! Slices that differ: the groups of equal ones among sorted slices, or among neighbours.

use aclnn_numerics::{DType, Shape};
use bytemuck::cast_slice;

use crate::sorting::keys::{Keys, Ranks, extent, positions};
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::order_by::order_by;
use crate::{Bound, Sizes, Whole};

/// The comparison of slices: number by number, of which a complex element has two. NaN equals nothing.
#[derive(Clone, Copy)]
pub struct Distinct {
    keys: Keys,
    /// Bytes of an element.
    size: usize,
    /// Whether slices are sorted first, and not only neighbours compared.
    sorts: bool,
}

/// Groups of equal slices.
struct Groups {
    /// The first slice of each group.
    first: Vec<usize>,
    /// The group of each slice.
    inverse: Vec<i64>,
    /// The number of slices in each group.
    counts: Vec<i64>,
}

impl Distinct {
    pub fn of(dtype: DType, sorts: bool) -> Option<Self> {
        let part = match dtype {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            real => real,
        };
        Some(Distinct { keys: Keys::of(part)?, size: dtype.bits() / 8, sorts })
    }

    /// Groups `count` slices that lie one after the other.
    fn groups(self, slices: &[u8], count: usize) -> Result<Groups> {
        let mut keys = Vec::new();
        self.keys.read(slices, &mut keys)?;
        let length = keys.len() / count.max(1);
        if self.sorts && length == 1 {
            let (least, span) = extent(&keys, 0);
            let has_nan = keys.iter().any(|key| self.keys.is_nan(*key));
            if span <= (2 * keys.len() as u64).min(MOST_COUNTED) && !has_nan {
                return counted(&keys, least, span as usize + 1);
            }
        }
        let slice = |index: usize| keys.get(index * length..(index + 1) * length).unwrap_or_default();
        let order = match (self.sorts, length) {
            (false, _) => allocation::collect(0..count)?,
            (true, 1) => {
                let (mut order, mut sorted) =
                    (allocation::for_elements(count)?, allocation::collect(keys.iter().copied())?);
                positions(&mut sorted, self.keys.greatest(), false, Ranks::All, |position| {
                    order.push(position)
                })?;
                order
            }
            (true, _) => {
                let mut order: Vec<usize> = allocation::collect(0..count)?;
                order_by(&mut order, &mut |a, b| slice(a).cmp(slice(b)));
                order
            }
        };
        let mut groups = Groups { first: Vec::new(), inverse: allocation::zeros(count)?, counts: Vec::new() };
        let mut before = None;
        for index in order {
            let own = slice(index);
            let is_same = before == Some(own) && !own.iter().any(|key| self.keys.is_nan(*key));
            match groups.counts.last_mut() {
                Some(size) if is_same => *size += 1,
                _ => {
                    groups.first.push(index);
                    groups.counts.push(1);
                }
            }
            groups.inverse[index] = groups.first.len() as i64 - 1;
            before = Some(own);
        }
        Ok(groups)
    }
}

/// So many different keys are counted instead of sorted, at most.
const MOST_COUNTED: u64 = 1 << 20;

/// Groups equal keys, of which there are at most so many from `least` on.
fn counted(keys: &[u64], least: u64, span: usize) -> Result<Groups> {
    let place = |key: u64| (key - least) as usize;
    let mut table = allocation::zeros::<[usize; 2]>(span)?;
    // Of each key its count, and its first position.
    for (position, key) in keys.iter().enumerate().rev() {
        let [count, first] = &mut table[place(*key)];
        (*count, *first) = (*count + 1, position);
    }
    let mut groups = Groups { first: Vec::new(), inverse: Vec::new(), counts: Vec::new() };
    for [count, first] in table.iter_mut().filter(|[count, _]| *count > 0) {
        groups.first.push(*first);
        groups.counts.push(*count as i64);
        *count = groups.first.len() - 1;
    }
    groups.inverse = allocation::collect(keys.iter().map(|key| table[place(*key)][0] as i64))?;
    Ok(groups)
}

/// The slices that differ, the group of each slice, and the sizes of the groups. The input has its slices one after the
/// other.
pub struct Unique {
    pub distinct: Distinct,
    pub slices: usize,
    /// The sizes of the result, were all slices different, and the axis of the slices.
    pub shape: Shape,
    pub axis: usize,
    pub has_inverse: bool,
    pub has_counts: bool,
}

impl Unique {
    /// The first slices of the groups, with the axis where it belongs.
    fn values(&self, slices: &[u8], first: &[usize]) -> Result<Vec<u8>> {
        let inner: usize = self.shape.iter().skip(self.axis + 1).product();
        let outer: usize = self.shape.iter().take(self.axis).product();
        let (piece, slice) = (inner * self.distinct.size, slices.len() / self.slices.max(1));
        let mut values = allocation::for_elements(first.len() * slice)?;
        for position in 0..outer {
            for index in first {
                let start = index * slice + position * piece;
                values.extend_from_slice(slices.get(start..start + piece).unwrap_or_default());
            }
        }
        Ok(values)
    }
}

impl Whole for Unique {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], sizes: &mut Sizes) -> Result {
        let ([own], [values, others @ ..]) = (inputs, outputs) else { return Ok(()) };
        let slices = own.copy()?;
        let groups = self.distinct.groups(&slices, self.slices)?;
        let count = groups.first.len();
        let unique = self.values(&slices, &groups.first)?;
        let mut others = others.iter();
        let inverse = self.has_inverse.then(|| others.next()).flatten().map(|out| (out, &groups.inverse));
        let counts = self.has_counts.then(|| others.next()).flatten().map(|out| (out, &groups.counts));
        let numbers = [inverse, counts].into_iter().flatten();
        let results: Vec<(&Bound<'_>, &[u8])> = [(values, &unique[..])]
            .into_iter()
            .chain(numbers.map(|(out, numbers)| (out, cast_slice(numbers))))
            .collect();
        for (out, bytes) in &results {
            if bytes.len() > out.numel() * out.size() {
                let message = format!(
                    "an output has {} elements, but the result has {}; give it as many as the input has",
                    out.numel(),
                    bytes.len() / out.size().max(1)
                );
                return Err(Failure::new(Cause::AiCore, message));
            }
        }
        for (out, bytes) in results {
            out.scatter(0..bytes.len() / out.size().max(1), bytes);
        }
        let size = |(axis, size): (usize, &usize)| if axis == self.axis { count } else { *size } as i64;
        sizes.push((0, self.shape.iter().enumerate().map(size).collect()));
        if self.has_counts {
            sizes.push((1 + usize::from(self.has_inverse), [count as i64].into_iter().collect()));
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["unique"]
    }
}
