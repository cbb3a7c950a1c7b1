//! Tensors as images: which axes hold batches, channels, and planes, rows and columns, by the storage format.

use std::fmt::Display;

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_sys::*;
use cann_kernels::{Lane, View, size_of_dtype};
use smallvec::SmallVec;

use super::axes::invalid;
use super::call::Operand;
use super::conversions::through;
use crate::mapped::mapped;
use crate::status::Result;

/// An operand whose last axes are those of an image, or which has the channels behind them.
pub(super) struct Images<'a> {
    pub(super) operand: &'a Operand<'a>,
    /// The axes of the operand: a batch, if there is one, channels, and those of an image.
    order: SmallVec<[usize; 8]>,
    /// Their sizes.
    pub(super) shape: SmallVec<[usize; 8]>,
    /// How many axes an image has.
    axes: usize,
}

impl<'a> Images<'a> {
    /// Sees an operand as images of so many axes, in a batch or not.
    pub(super) fn of(operand: &'a Operand, axes: usize) -> Result<Self> {
        let (rank, own) = (operand.rank(), operand.shape()?);
        if !(axes + 1..=axes + 2).contains(&rank) {
            return invalid(format_args!(
                "{} has {rank} axes, but must have one for channels and {axes} for an image, perhaps after one for batches",
                operand.name
            ));
        }
        let count = own.iter().try_fold(1_usize, |count, size| count.checked_mul((*size).max(1)));
        if count.is_none_or(|count| count > MOST) {
            return invalid(format_args!(
                "{} has shape {own}, and no device has so much memory",
                operand.name
            ));
        }
        let is_last = matches!((axes, operand.format()), (2, ACL_FORMAT_NHWC) | (3, ACL_FORMAT_NDHWC))
            && rank == axes + 2;
        let order: SmallVec<[usize; 8]> = match is_last {
            true => channels_first(rank),
            false => (0..rank).collect(),
        };
        let shape = order.iter().filter_map(|axis| own.get(*axis).copied()).collect();
        Ok(Self { operand, order, shape, axes })
    }

    /// Sees an operand with batches as images, whose channels stand behind them, whatever its storage format says.
    pub(super) fn with_channels_last(operand: &'a Operand, axes: usize) -> Result<Self> {
        let images = Self::of(operand, axes)?;
        let rank = operand.rank();
        if rank != axes + 2 {
            return invalid(format_args!("{} has {rank} axes, but must have {}", operand.name, axes + 2));
        }
        let order = channels_first(rank);
        let own = operand.shape()?;
        let shape = order.iter().filter_map(|axis| own.get(*axis).copied()).collect();
        Ok(Self { order, shape, ..images })
    }

    /// Sees an operand as images whose axes lie as those of others, whatever its own storage format says.
    pub(super) fn like(operand: &'a Operand, others: &Images<'_>) -> Result<Self> {
        let own = operand.shape()?;
        let shape = others.order.iter().filter_map(|axis| own.get(*axis).copied()).collect();
        Ok(Self { operand, order: others.order.clone(), shape, axes: others.axes })
    }

    /// The sizes of the batch and the channels.
    pub(super) fn leading(&self) -> &[usize] {
        self.shape.get(..self.shape.len() - self.axes).unwrap_or_default()
    }

    /// How many images there are, one for each channel.
    pub(super) fn planes(&self) -> usize {
        self.leading().iter().product()
    }

    /// The sizes of an image.
    pub(super) fn sizes(&self) -> &[usize] {
        self.shape.get(self.shape.len() - self.axes..).unwrap_or_default()
    }

    /// The shape, in the order of the operand's axes, with other images.
    pub(super) fn resized(&self, sizes: &[usize]) -> Shape {
        let sizes = [self.leading(), sizes].concat();
        let mut own: SmallVec<[usize; 8]> = SmallVec::from_elem(0, self.order.len());
        for (axis, size) in self.order.iter().zip(sizes) {
            own[*axis] = size;
        }
        Shape::from(&own[..])
    }

    /// The elements, image by image.
    pub(super) fn view(&self, dtype: DType) -> Result<View> {
        self.operand.permuted(dtype, &self.order)
    }

    /// Refuses images without channels, rows or columns. A batch may be empty.
    pub(super) fn must_have_elements(&self) -> Result {
        self.last_are_there(self.axes + 1, "channels and all axes of an image")
    }

    /// Refuses images without rows or columns. A batch may be empty, and have no channels.
    pub(super) fn must_have_sizes(&self) -> Result {
        self.last_are_there(self.axes, "all axes of an image")
    }

    /// Refuses images with an empty axis other than the first.
    pub(super) fn must_have_elements_but_first(&self) -> Result {
        self.last_are_there(self.shape.len() - 1, "all axes but the first")
    }

    fn last_are_there(&self, count: usize, which: &str) -> Result {
        match self.shape.iter().rev().take(count).any(|size| *size == 0) {
            true => invalid(format_args!(
                "{} has shape {}; {which} must have elements",
                self.operand.name,
                self.operand.shape()?
            )),
            false => Ok(()),
        }
    }
}

/// The axes of images whose channels are the last axis, in the order in which those are the second one.
fn channels_first(rank: usize) -> SmallVec<[usize; 8]> {
    let mut order: SmallVec<[usize; 8]> = (0..rank).collect();
    order[1..].rotate_right(1);
    order
}

/// Elements of an operand at most: sizes of windows over it are computed without overflow.
const MOST: usize = 1 << 40;

/// Lanes of `len` elements that go through the types of a chain, to a body or from it.
pub(super) fn lane(len: usize, dtypes: &[DType], seen: DType) -> Result<Lane> {
    Ok(Lane { len, conversions: through(dtypes)?, size: size_of_dtype(seen) })
}

/// Three of something, for planes, rows and columns; the first ones are `none` where there are fewer.
#[inline(never)]
pub(super) fn of_three<T: Clone>(some: impl IntoIterator<Item = T>, none: &T) -> [T; 3] {
    let some: Vec<T> = some.into_iter().collect();
    std::array::from_fn(|axis| {
        (axis + some.len()).checked_sub(3).and_then(|axis| some.get(axis)).unwrap_or(none).clone()
    })
}

/// The storage formats of images: channels before each image.
pub(super) const FIRST: &[aclFormat] = &[ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW];

/// The storage formats that say how axes lie, but not in which blocks.
pub(super) const PUBLIC: &[aclFormat] = &[
    ACL_FORMAT_NCL,
    ACL_FORMAT_NCHW,
    ACL_FORMAT_NCDHW,
    ACL_FORMAT_NHWC,
    ACL_FORMAT_NDHWC,
    ACL_FORMAT_ND,
    ACL_FORMAT_NC,
    ACL_FORMAT_HWCN,
];

/// Refuses an operand that has another storage format than these.
#[inline(never)]
pub(super) fn has_format(operand: &Operand, formats: &[aclFormat]) -> Result {
    match formats.contains(&operand.format()) {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has storage format {}, but must have one of {:?} here: ND, for example, is 2, NCHW 0 and NCL 47",
            operand.name,
            operand.format().0,
            mapped::<_, Vec<_>>(formats, |format| format.0)
        )),
    }
}

/// Refuses operands of different storage formats.
pub(super) fn have_one_format(a: &Operand, b: &Operand) -> Result {
    match a.format() == b.format() {
        true => Ok(()),
        false => invalid(format_args!("{} and {} have different storage formats", a.name, b.name)),
    }
}

/// Refuses an array with a number below `least`, or with none of the lengths.
pub(super) fn numbers(name: impl Display, values: &[i64], lengths: &[usize], least: i64) -> Result {
    let is_number = |value: &i64| (least..=i32::MAX.into()).contains(value);
    match lengths.contains(&values.len()) && values.iter().all(is_number) {
        true => Ok(()),
        false => invalid(format_args!(
            "{name} is {values:?}, but must have one of {lengths:?} numbers, each from {least} on"
        )),
    }
}
