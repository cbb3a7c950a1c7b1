//! Products of matrices of which one or both hold quantised numbers.

use aclnn_numerics::signature::Output;
use aclnn_numerics::{DType, Shape};

use super::shapes::has_rank;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// A product of floats and a weight of integers, with options.
///
/// The weight becomes `(weight + offset) · scale` in f32 before the product, whose sums are f32 and are rounded once. CANN does
/// not say where a device rounds in between.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct WeightQuantMatmul<'a> {
    x: &'a Tensor,
    weight: &'a Tensor,
    scale: &'a Tensor,
    offset: Option<&'a Tensor>,
    bias: Option<&'a Tensor>,
    group_size: usize,
    stream: Option<&'a Stream>,
}

/// Starts the product of `x`, `[m, k]` of f16 or bf16, and `weight`, `[k, n]` of integers, each times its `scale`.
///
/// The weight is i8, or i32 of which each holds eight integers of four bits, the first in the lowest bits: `[k, n / 8]`, or the
/// transposed view of `[n, k / 8]`. A transposed view of i8 is taken as well. `scale` has the type of `x`, and one number,
/// one for each column, or `[k / g, n]` where [`group_size`](WeightQuantMatmul::group_size) is `g`. The result has the type of
/// `x`. The 910 has no such product, and the 310P takes f16 and i8.
///
/// ```
/// use aclnn::{DType, Device, Tensor, f16, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::full(&device, [1, 2], 1.0, DType::F16)?;
/// let weight = Tensor::from_slice(&device, &[1i8, -2, 3, 4], [2, 2])?;
/// let scale = Tensor::from_slice(&device, &[0.5, 0.25].map(f16::from_f32), [2])?;
/// let product = ops::weight_quant_matmul(&x, &weight, &scale).run()?;
/// assert_eq!(product.to_vec::<f16>()?, [2.0, 0.5].map(f16::from_f32));
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnWeightQuantBatchMatmulV2")]
#[inline]
pub fn weight_quant_matmul<'a>(
    x: &'a Tensor,
    weight: &'a Tensor,
    scale: &'a Tensor,
) -> WeightQuantMatmul<'a> {
    WeightQuantMatmul { x, weight, scale, offset: None, bias: None, group_size: 0, stream: None }
}

prepared! {
    ['a] WeightQuantMatmul<'a>:
    on("`x`")
}

impl<'a> WeightQuantMatmul<'a> {
    /// Sets numbers that are added to the weight before it is scaled, as many as there are scales and of the type of `x`.
    #[inline]
    pub fn offset(mut self, offset: &'a Tensor) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Sets a number for each column that is added to the product: f16 beside f16, and f32 beside bf16.
    #[inline]
    pub fn bias(mut self, bias: &'a Tensor) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Sets how many rows of the weight have one scale: a multiple of 32 less than `k`. The default is 0, for all rows.
    #[inline]
    pub fn group_size(mut self, rows: usize) -> Self {
        self.group_size = rows;
        self
    }

    /// Queues the product and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Unsupported`](crate::Error::Unsupported) and
    /// [`Devices`](crate::Error::Devices) before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses scales or types.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let Self { x, weight, scale, offset, bias, group_size, .. } = *self;
        let stream = self.stream.unwrap_or(x.stream());
        let operation = Operation::new("weight_quant_matmul", stream)
            .tensor("x", x)
            .tensor("weight", weight)
            .tensor("scale", scale);
        let operation = optional(operation, [("offset", offset), ("bias", bias)]);
        operation.placed()?;
        operation.takes(
            "WeightQuantBatchMatmulV2",
            signatures::weight_quant_batch_matmul.takes,
            x.dtype(),
        )?;
        has_rank(&operation, "x", x, 2)?;
        has_rank(&operation, "weight", weight, 2)?;
        let held = if weight.dtype() == DType::I32 { 8 } else { 1 };
        let is_by_columns = matches!(weight.layout().strides(), [1, across] if *across != 1);
        let (rows, columns) = match (weight.shape().first(), weight.shape().last(), is_by_columns) {
            (Some(rows), Some(columns), true) => (rows.saturating_mul(held), *columns),
            (Some(rows), Some(columns), false) => (*rows, columns.saturating_mul(held)),
            _ => (0, 0),
        };
        let m = common(&operation, x, rows)?;
        let Ok(group) = group_size.try_into() else {
            return Err(operation.refused(format!("{group_size} rows are no group")));
        };
        if !matches!(weight.dtype(), DType::I8 | DType::I4 | DType::I32) {
            return Err(
                operation.refused(format!("weight must be i8, i4 or i32, and not {}", weight.dtype()))
            );
        }
        let groups = if group_size > 0 { rows.div_ceil(group_size) } else { 1 };
        has_numbers(&operation, "scale", Some(scale), &[1, columns, groups.saturating_mul(columns)])?;
        has_numbers(&operation, "offset", offset, &[scale.numel()])?;
        has_numbers(&operation, "bias", bias, &[columns])?;
        let out = operation.empty(Shape::from([m, columns]), x.dtype())?;
        let on = stream.into();
        launch::WeightQuantBatchMatmulV2(on, x, weight, scale, offset, None, None, bias, group, &out)?;
        Ok(out)
    }
}

/// A product of two matrices of integers, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct QuantMatmul<'a> {
    left: &'a Tensor,
    right: &'a Tensor,
    scale: &'a Tensor,
    row_scale: Option<&'a Tensor>,
    offset: Option<&'a Tensor>,
    bias: Option<&'a Tensor>,
    dtype: DType,
    stream: Option<&'a Stream>,
}

/// Starts the product of two matrices of i8, `[…, m, k]` and `[…, k, n]`, times `scale`: one number or one for each column.
///
/// Sums are exact. `scale` is f32 or bf16, or the u64 that CANN prepares. Results of i8 and i32 are rounded to the nearest
/// integer, halves to the even one, and saturate. The 910 has no such product.
///
/// ```
/// use aclnn::{DType, Device, Tensor, f16, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[1i8, 2, 3, 4], [2, 2])?;
/// let scale = Tensor::from_slice(&device, &[0.5f32], [1])?;
/// let product = ops::quant_matmul(&a, &a, &scale).dtype(DType::F16).run()?;
/// assert_eq!(product.to_vec::<f16>()?, [3.5, 5.0, 7.5, 11.0].map(f16::from_f32));
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnQuantMatmulV4")]
#[inline]
pub fn quant_matmul<'a>(left: &'a Tensor, right: &'a Tensor, scale: &'a Tensor) -> QuantMatmul<'a> {
    let (row_scale, offset, bias, dtype) = (None, None, None, DType::F16);
    QuantMatmul { left, right, scale, row_scale, offset, bias, dtype, stream: None }
}

prepared! {
    ['a] QuantMatmul<'a>:
    on("the first factor")
}

impl<'a> QuantMatmul<'a> {
    /// Sets a factor of f32 for each row.
    #[doc(alias = "pertokenScaleOptional")]
    #[inline]
    pub fn row_scale(mut self, scale: &'a Tensor) -> Self {
        self.row_scale = Some(scale);
        self
    }

    /// Sets numbers of f32, one or one for each column, that are added to a result of i8.
    #[inline]
    pub fn offset(mut self, offset: &'a Tensor) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Sets a number for each column: of i32, added to the sums, or of f32 or bf16, added after the scales.
    #[inline]
    pub fn bias(mut self, bias: &'a Tensor) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Sets the type of the result: f16, which is the default, bf16 (not on the 310P), i8 or i32.
    #[inline]
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.dtype = dtype;
        self
    }

    /// Queues the product and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// As [`WeightQuantMatmul::run`].
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let Self { left, right, scale, row_scale, offset, bias, dtype, .. } = *self;
        let stream = self.stream.unwrap_or(left.stream());
        let operation = Operation::new("quant_matmul", stream)
            .tensor("left", left)
            .tensor("right", right)
            .tensor("scale", scale);
        let operation = optional(operation, [("row_scale", row_scale), ("offset", offset), ("bias", bias)]);
        operation.placed()?;
        for factor in [left, right] {
            operation.takes("QuantMatmulV4", signatures::quant_matmul.takes, factor.dtype())?;
        }
        if let Output::Any(results) = signatures::quant_matmul.output {
            operation.takes("QuantMatmulV4", results, dtype)?;
        }
        let shape = super::shapes::product(&operation, left, right)?;
        let (columns, rows) =
            (shape.last().copied().unwrap_or(1), shape.iter().rev().nth(1).copied().unwrap_or(1));
        has_numbers(&operation, "scale", Some(scale), &[1, columns])?;
        has_numbers(&operation, "offset", offset, &[1, columns])?;
        has_numbers(&operation, "row_scale", row_scale, &[rows])?;
        has_numbers(&operation, "bias", bias, &[columns, shape.numel().unwrap_or(0) / rows.max(1)])?;
        let out = operation.empty(shape, dtype)?;
        let on = stream.into();
        launch::QuantMatmulV4(on, left, right, scale, offset, row_scale, bias, false, false, &out)?;
        Ok(out)
    }
}

/// A product of groups of rows, each with a matrix of its own, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct GroupedMatmul<'a> {
    x: &'a Tensor,
    weight: &'a Tensor,
    ends: &'a Tensor,
    bias: Option<&'a Tensor>,
    stream: Option<&'a Stream>,
}

/// Starts the products of groups of the rows of `x`, `[m, k]`, each with one of the matrices of `weight`, `[groups, k, n]`.
///
/// `ends` is a tensor of i64 that tells behind which row each group ends, as the running sum of their sizes does; it is read on
/// the device. The library leaves rows behind the last end as they are, so they are zero here. All tensors have one type of
/// f32, f16 or bf16; the 310P takes f16 alone. This is how a layer of experts multiplies tokens that were sorted by expert.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3, 1])?;
/// let experts = Tensor::from_slice(&device, &[10.0f32, 100.0], [2, 1, 1])?;
/// let ends = Tensor::from_slice(&device, &[1i64, 3], [2])?;
/// let product = ops::grouped_matmul(&x, &experts, &ends).run()?;
/// assert_eq!(product.to_vec::<f32>()?, [10.0, 200.0, 300.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnGroupedMatmulV3")]
#[inline]
pub fn grouped_matmul<'a>(x: &'a Tensor, weight: &'a Tensor, ends: &'a Tensor) -> GroupedMatmul<'a> {
    GroupedMatmul { x, weight, ends, bias: None, stream: None }
}

prepared! {
    ['a] GroupedMatmul<'a>:
    on("`x`")
}

impl<'a> GroupedMatmul<'a> {
    /// Sets numbers for the columns of each group, `[groups, n]`: of the type of `x`, and f32 beside bf16.
    #[inline]
    pub fn bias(mut self, bias: &'a Tensor) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Queues the products and returns the result, a new contiguous tensor of `[m, n]`.
    ///
    /// # Errors
    /// As [`WeightQuantMatmul::run`]; groups that do not follow each other fail when they are computed on the emulator.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let Self { x, weight, ends, bias, .. } = *self;
        let stream = self.stream.unwrap_or(x.stream());
        let operation = Operation::new("grouped_matmul", stream)
            .tensor("x", x)
            .tensor("weight", weight)
            .tensor("ends", ends);
        let operation = optional(operation, [("bias", bias)]);
        operation.placed()?;
        operation.takes("GroupedMatmulV3", signatures::grouped_matmul.takes, x.dtype())?;
        if !x.dtype().is_float() || weight.dtype() != x.dtype() || ends.dtype() != DType::I64 {
            let reason = "x and weight must have one type of floats, and ends must be i64".to_owned();
            return Err(operation.refused(reason));
        }
        has_rank(&operation, "x", x, 2)?;
        has_rank(&operation, "weight", weight, 3)?;
        has_rank(&operation, "ends", ends, 1)?;
        let [groups, rows, columns] = match weight.shape()[..] {
            [groups, rows, columns] => [groups, rows, columns],
            _ => [0; 3],
        };
        if ends.numel() != groups {
            return Err(operation.refused(format!("weight has {groups} matrices and ends {}", ends.numel())));
        }
        has_numbers(&operation, "bias", bias, &[groups.saturating_mul(columns)])?;
        let m = common(&operation, x, rows)?;
        let mut out = operation.empty(Shape::from([m, columns]), x.dtype())?;
        launch::InplaceZero(stream.into(), &out)?;
        let bias = bias.map(|bias| [bias]);
        // A transposed view of x is refused by the library.
        let copy = x.contiguous()?;
        launch::GroupedMatmulV3(
            stream.into(),
            &[&copy],
            &[weight],
            bias.as_ref().map(<[_; 1]>::as_slice),
            None,
            None,
            None,
            None,
            Some(ends),
            3,
            0,
            &[&mut out],
        )?;
        Ok(out)
    }
}

/// Adds operands that may be missing.
fn optional<'a, const N: usize>(
    operation: Operation<'a>,
    operands: [(&'static str, Option<&'a Tensor>); N],
) -> Operation<'a> {
    operands.into_iter().fold(operation, |operation, (name, tensor)| match tensor {
        Some(tensor) => operation.tensor(name, tensor),
        None => operation,
    })
}

/// Refuses an operand that has another number of elements than some.
#[inline]
fn has_numbers(
    operation: &Operation<'_>,
    name: &str,
    tensor: Option<&Tensor>,
    counts: &[usize],
) -> Result<()> {
    match tensor {
        Some(tensor) if !counts.contains(&tensor.numel()) => Err(operation.refused(format!(
            "{name} has {} numbers, but must have as many as one of {counts:?}",
            tensor.numel()
        ))),
        _ => Ok(()),
    }
}

/// Returns the rows of the left factor, whose columns must be the rows of the right one.
#[inline]
fn common(operation: &Operation<'_>, left: &Tensor, rows: usize) -> Result<usize> {
    match left.shape()[..] {
        [m, k] if k == rows => Ok(m),
        _ => Err(operation.refused(format!("x must have as many columns as the weight has rows, {rows}"))),
    }
}
