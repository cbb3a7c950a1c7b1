//! Padding: a constant, or elements of the tensor, around it.

use aclnn_numerics::Shape;

use super::super::fill::converted;
use super::elements::{in_shape, moved};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::Tensor;

/// The elements that [`Tensor::pad`] puts around a tensor.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PadMode {
    /// One value, converted to the type of the tensor as by [`Tensor::full`]: `constant` in NumPy.
    Constant(Scalar),
    /// The mirror image of the elements, without those at the border: `reflect` in NumPy.
    Reflect,
    /// The elements at the border: `edge` in NumPy, `replicate` in PyTorch.
    Replicate,
    /// The elements from the opposite border on: `wrap` in NumPy.
    Circular,
}

impl PadMode {
    /// Returns the mode that puts one value around the elements.
    pub fn constant(value: impl Into<Scalar>) -> PadMode {
        PadMode::Constant(value.into())
    }
}

impl Tensor {
    /// Makes a tensor with indices added before and after those of the last axes. Each pair of `pads` belongs to one axis, the
    /// last pair to the last axis, and says how many indices come before and how many after. All modes but
    /// [`PadMode::Constant`] pad one to three axes.
    ///
    /// [`Tensor::slice`] takes indices away.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops::PadMode};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.pad(&[(1, 0)], PadMode::constant(9))?.to_vec::<i32>()?, [9, 1, 2, 3, 9, 4, 5, 6]);
    /// assert_eq!(grid.pad(&[(0, 1), (0, 0)], PadMode::Reflect)?.to_vec::<i32>()?, [1, 2, 3, 4, 5, 6, 1, 2, 3]);
    /// assert_eq!(grid.pad(&[(1, 1)], PadMode::Replicate)?.select(0, 0)?.to_vec::<i32>()?, [1, 1, 2, 3, 3]);
    /// assert_eq!(grid.pad(&[(1, 1)], PadMode::Circular)?.select(0, 0)?.to_vec::<i32>()?, [3, 1, 2, 3, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if there are more pairs than axes or than the mode pads, or more indices than the
    /// axis has to show, [`Unsupported`](crate::Error::Unsupported), [`Scalar`](crate::Error::Scalar) and
    /// [`Rank`](crate::Error::Rank), all before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory), or what
    /// the library returned.
    #[doc(
        alias = "aclnnConstantPadNd",
        alias = "aclnnReflectionPad1d",
        alias = "aclnnReflectionPad2d",
        alias = "aclnnReflectionPad3d",
        alias = "aclnnReplicationPad1d",
        alias = "aclnnReplicationPad2d",
        alias = "aclnnReplicationPad3d",
        alias = "aclnnCircularPad2d",
        alias = "aclnnCircularPad3d"
    )]
    #[doc(alias = "pad_with_zeros")]
    #[inline]
    pub fn pad(&self, pads: &[(usize, usize)], mode: PadMode) -> Result<Tensor> {
        let operation = Operation::new("pad", self.stream()).tensor("self", self);
        let shape = padded(&operation, self.shape(), pads)?;
        match mode {
            PadMode::Constant(value) => {
                let operation = operation.scalar("value", value);
                let list = signatures::constant_pad_nd.takes;
                operation.takes("ConstantPadNd", list, self.dtype())?;
                let value = converted(&operation, value, self.dtype())?;
                let numbers = numbers(pads);
                moved(&operation, ("ConstantPadNd", list), self, shape, |stream, own, out| {
                    launch::ConstantPadNd(stream.into(), own, &numbers, &value, out)
                })
            }
            _ => self.pad_with_own(&operation, pads, mode, shape),
        }
    }

    /// Pads the last axes with elements of the tensor itself.
    #[inline]
    fn pad_with_own(
        &self,
        operation: &Operation<'_>,
        pads: &[(usize, usize)],
        mode: PadMode,
        shape: Shape,
    ) -> Result<Tensor> {
        let border = Border::of(operation, self.shape(), &shape, pads, mode)?;
        if self.shape().is_empty_tensor() {
            return operation.empty(shape, self.dtype());
        }
        let Border { numbers, axes, own, padded } = border;
        let (by, list) = match (mode, axes) {
            (PadMode::Reflect, 1) => ("ReflectionPad1d", signatures::reflection_pad.takes),
            (PadMode::Reflect, 2) => ("ReflectionPad2d", signatures::reflection_pad.takes),
            (PadMode::Reflect, _) => ("ReflectionPad3d", signatures::reflection_pad.takes),
            (PadMode::Circular, 2) => ("CircularPad2d", signatures::circular_pad.takes),
            (PadMode::Circular, _) => ("CircularPad3d", signatures::circular_pad.takes),
            (_, 1) => ("ReplicationPad1d", signatures::replication_pad.takes),
            (_, 2) => ("ReplicationPad2d", signatures::replication_pad.takes),
            (_, _) => ("ReplicationPad3d", signatures::replication_pad.takes),
        };
        let own = in_shape(self, &own)?;
        let result = moved(operation, (by, list), &own, padded, |stream, own, out| {
            let stream = stream.into();
            match by {
                "ReflectionPad1d" => launch::ReflectionPad1d(stream, own, &numbers, out),
                "ReflectionPad2d" => launch::ReflectionPad2d(stream, own, &numbers, out),
                "ReflectionPad3d" => launch::ReflectionPad3d(stream, own, &numbers, out),
                "CircularPad2d" => launch::CircularPad2d(stream, own, &numbers, out),
                "CircularPad3d" => launch::CircularPad3d(stream, own, &numbers, out),
                "ReplicationPad1d" => launch::ReplicationPad1d(stream, own, &numbers, out),
                "ReplicationPad2d" => launch::ReplicationPad2d(stream, own, &numbers, out),
                _ => launch::ReplicationPad3d(stream, own, &numbers, out),
            }
        })?;
        result.reshape(shape)
    }
}

/// The shape of a tensor with indices added before and after those of the last axes.
#[inline]
pub(super) fn padded(operation: &Operation<'_>, shape: &Shape, pads: &[(usize, usize)]) -> Result<Shape> {
    let Some(first) = shape.rank().checked_sub(pads.len()) else {
        let (given, rank) = (pads.len(), shape.rank());
        return Err(operation.refused(format!("{given} axes are to be padded, but there are {rank}")));
    };
    let size = |(index, &size): (usize, &usize)| {
        let pad = index.checked_sub(first).and_then(|index| pads.get(index));
        pad.map_or(size, |(before, after)| size.saturating_add(*before).saturating_add(*after))
    };
    Ok(shape.iter().enumerate().map(size).collect())
}

/// The pads as the library has them, which begins with the last axis.
#[inline]
fn numbers(pads: &[(usize, usize)]) -> Vec<i64> {
    pads.iter()
        .rev()
        .flat_map(|(before, after)| [*before, *after])
        .map(|number| i64::try_from(number).unwrap_or(i64::MAX))
        .collect()
}

/// How the library puts elements of a tensor around it.
pub(super) struct Border {
    pub(super) numbers: Vec<i64>,
    /// The axes that the operator pads.
    pub(super) axes: usize,
    /// The shapes as which it sees the tensor and the result: with one axis before those that are padded.
    pub(super) own: Shape,
    pub(super) padded: Shape,
}

impl Border {
    #[inline]
    pub(super) fn of(
        operation: &Operation<'_>,
        shape: &Shape,
        padded: &Shape,
        pads: &[(usize, usize)],
        mode: PadMode,
    ) -> Result<Self> {
        let (outer, inner) = shape.split_at(shape.rank() - pads.len());
        if pads.is_empty() || pads.len() > 3 {
            return Err(operation.refused(format!("{mode:?} pads one to three axes, not {}", pads.len())));
        }
        for (&size, &(before, after)) in inner.iter().zip(pads) {
            let most = match mode {
                PadMode::Reflect => size.saturating_sub(1),
                PadMode::Circular => size,
                _ if size == 0 => 0,
                _ => usize::MAX,
            };
            if before.max(after) > most {
                return Err(operation.refused(format!(
                    "an axis of size {size} shows at most {most} indices on a side by {mode:?}, not {}",
                    before.max(after)
                )));
            }
        }
        // The library does not go round a single axis.
        let turns_one = matches!((mode, pads), (PadMode::Circular, [_]));
        let between: &[usize] = if turns_one { &[1] } else { &[] };
        let batches = outer.iter().product::<usize>();
        let flat =
            |sizes: &[usize]| -> Shape { [batches].iter().chain(between).chain(sizes).copied().collect() };
        let mut numbers = numbers(pads);
        if turns_one {
            numbers.extend([0, 0]);
        }
        let padded = flat(padded.get(outer.len()..).unwrap_or_default());
        Ok(Self { numbers, axes: pads.len() + between.len(), own: flat(inner), padded })
    }
}
