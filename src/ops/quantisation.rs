//! Numbers in steps: integers of them, and floats as these integers would give them back.

use std::ops::RangeInclusive;

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::{Index, Tensor};

/// Checks elements, steps and zero points: one of them for all elements, or for each index of an axis.
#[inline]
fn checked(
    operation: &Operation<'_>,
    (by, takes): (&'static str, Types),
    [x, scales, zeros]: [&Tensor; 3],
    zero_types: &[DType],
    counts: &[usize],
) -> Result<()> {
    operation.placed()?;
    operation.takes(by, takes, x.dtype())?;
    if scales.dtype() != DType::F32 && scales.dtype() != x.dtype() {
        return Err(operation.refused(format!("scales must be f32 or {}; cast them first", x.dtype())));
    }
    if !zero_types.contains(&zeros.dtype()) {
        return Err(operation.refused(format!("zero points must be one of {zero_types:?}; cast them first")));
    }
    let fits = scales.rank() == 1 && counts.contains(&scales.numel()) && scales.shape() == zeros.shape();
    match fits {
        true => Ok(()),
        false => Err(operation.refused(format!(
            "scales and zero points must have one axis of as many elements, one of {counts:?}, but have shapes {} and {}",
            scales.shape(),
            zeros.shape()
        ))),
    }
}

/// Checks that the limits are in order.
#[inline]
fn limits(operation: &Operation<'_>, range: &RangeInclusive<i64>) -> Result<[i64; 2]> {
    match range.is_empty() {
        true => Err(operation.refused(format!("the range {range:?} has no numbers"))),
        false => Ok([*range.start(), *range.end()]),
    }
}

impl Tensor {
    /// Returns the elements as whole numbers of steps, counted from a zero point: `x / scale + zero_point`, rounded to the nearest
    /// integer, halves to the even one, within the range of `dtype`, which is i8, u8 or i32.
    ///
    /// `scales` and `zero_points` have one axis, of one element for all of this tensor, or of one for each index of `axis`. Types
    /// are f32, f16 and bf16; scales are f32 or of the type of this tensor, zero points i32, i8 or u8. Steps are inverted in f32,
    /// as in PyTorch, and NaN becomes the least number.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[0.25f32, 1.0, -3.0, 80.0], [2, 2])?;
    /// let scales = Tensor::from_slice(&device, &[0.5f32, 0.25], [2])?;
    /// let zeros = Tensor::from_slice(&device, &[0, 1], [2])?;
    /// assert_eq!(x.quantize(&scales, &zeros, 0, DType::I8)?.to_vec::<i8>()?, [0, 2, -11, 127]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`View`](crate::Error::View) for an axis that
    /// does not exist and [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnQuantize")]
    pub fn quantize(
        &self,
        scales: &Tensor,
        zero_points: &Tensor,
        axis: impl Index,
        dtype: DType,
    ) -> Result<Tensor> {
        let operation = Operation::new("quantize", self.stream())
            .tensor("self", self)
            .tensor("scales", scales)
            .tensor("zero_points", zero_points);
        let axis = operation.axis(self, axis)?;
        let counts = [1, self.dims().get(axis).copied().unwrap_or(1)];
        let (by, zeros) = (("Quantize", signatures::quantize.takes), [DType::I32, DType::I8, DType::U8]);
        checked(&operation, by, [self, scales, zero_points], &zeros, &counts)?;
        if ![DType::I8, DType::U8, DType::I32].contains(&dtype) {
            return Err(operation.refused(format!("the result is i8, u8 or i32, not {dtype}")));
        }
        let out = operation.empty(self.shape().clone(), dtype)?;
        launch::Quantize(operation.stream.into(), self, scales, zero_points, dtype, axis as i32, &out)?;
        Ok(out)
    }

    /// Returns the rows along the last axis as integers of eight bits, and the step of each row in f32, `[…]` without the last
    /// axis: the greatest magnitude of a row is 127 steps, and elements are rounded to the nearest integer, halves to the even
    /// one; a row of zeros has the step 0. [`quant_matmul`](crate::ops::quant_matmul) multiplies such rows, with the steps as
    /// [`row_scale`](crate::ops::QuantMatmul::row_scale). Types are f16 and, not on the 910 and the 310P, bf16.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[127.0f32, -50.0, 1.0, 0.5], [2, 2])?.cast(DType::F16)?;
    /// let (codes, steps) = x.quantize_rows()?;
    /// assert_eq!(codes.to_vec::<i8>()?, [127, -50, 127, 64]);
    /// assert_eq!(steps.to_vec::<f32>()?, [1.0, 1.0 / 127.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tensor::quantize`]; [`Argument`](crate::Error::Argument) for fewer than two axes.
    #[doc(alias = "aclnnDynamicQuant")]
    #[inline]
    pub fn quantize_rows(&self) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("quantize_rows", self.stream()).tensor("self", self);
        operation.placed()?;
        operation.takes("DynamicQuant", signatures::dynamic_quant.takes, self.dtype())?;
        let rows = match self.dims() {
            [rows @ .., elements] if !rows.is_empty() && *elements > 0 => rows.to_vec(),
            _ => return Err(operation.refused("rows need two axes at least, and elements".to_owned())),
        };
        let codes = operation.empty(self.shape().clone(), DType::I8)?;
        let steps = operation.empty(rows, DType::F32)?;
        if self.numel() > 0 {
            launch::DynamicQuant(operation.stream.into(), self, None, &codes, &steps)?;
        }
        Ok((codes, steps))
    }

    /// Returns the elements as they come back from integers of a range, and whether they were within it, as bool: each is rounded
    /// to a whole number of steps as by [`Tensor::quantize`], kept within `range`, and multiplied by the step again. Training with
    /// this prepares weights for integers; the gradient is that of the result, where the second tensor is true.
    ///
    /// `scale` and `zero_point` have one element. Types are those of [`Tensor::quantize`], and i32 for the zero point.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[0.3f32, 0.8, 9.0], [3])?;
    /// let scale = Tensor::from_slice(&device, &[0.5f32], [1])?;
    /// let zero = Tensor::from_slice(&device, &[0], [1])?;
    /// let (values, inside) = x.fake_quantize(&scale, &zero, -8..=7)?;
    /// assert_eq!(values.to_vec::<f32>()?, [0.5, 1.0, 3.5]);
    /// assert_eq!(inside.to_vec::<bool>()?, [true, true, false]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tensor::quantize`].
    #[doc(alias = "aclnnFakeQuantPerTensorAffineCachemask")]
    #[inline]
    pub fn fake_quantize(
        &self,
        scale: &Tensor,
        zero_point: &Tensor,
        range: RangeInclusive<i64>,
    ) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("fake_quantize", self.stream())
            .tensor("self", self)
            .tensor("scale", scale)
            .tensor("zero_point", zero_point);
        let by = ("FakeQuantPerTensorAffineCachemask", signatures::fake_quantize_per_tensor.takes);
        checked(&operation, by, [self, scale, zero_point], &[DType::I32], &[1])?;
        let [least, most] = limits(&operation, &range)?;
        let out = operation.empty(self.shape().clone(), self.dtype())?;
        let inside = operation.empty(self.shape().clone(), DType::Bool)?;
        let on = operation.stream.into();
        launch::FakeQuantPerTensorAffineCachemask(
            on, self, scale, zero_point, 1.0, least, most, &out, &inside,
        )?;
        Ok((out, inside))
    }

    /// Does what [`Tensor::fake_quantize`] does, with a step and a zero point for each index of `axis`.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[0.3f32, 0.3, 9.0, 9.0], [2, 2])?;
    /// let scales = Tensor::from_slice(&device, &[0.5f32, 0.25], [2])?;
    /// let zeros = Tensor::from_slice(&device, &[0, 1], [2])?;
    /// let (values, _) = x.fake_quantize_along(1, &scales, &zeros, -8..=7)?;
    /// assert_eq!(values.to_vec::<f32>()?, [0.5, 0.25, 3.5, 1.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tensor::quantize`].
    #[doc(alias = "aclnnFakeQuantPerChannelAffineCachemask")]
    pub fn fake_quantize_along(
        &self,
        axis: impl Index,
        scales: &Tensor,
        zero_points: &Tensor,
        range: RangeInclusive<i64>,
    ) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("fake_quantize_along", self.stream())
            .tensor("self", self)
            .tensor("scales", scales)
            .tensor("zero_points", zero_points);
        let axis = operation.axis(self, axis)?;
        let by = ("FakeQuantPerChannelAffineCachemask", signatures::fake_quantize_per_channel.takes);
        let count = self.dims().get(axis).copied().unwrap_or(1);
        checked(&operation, by, [self, scales, zero_points], &[DType::I32], &[count])?;
        let [least, most] = limits(&operation, &range)?;
        let out = operation.empty(self.shape().clone(), self.dtype())?;
        let inside = operation.empty(self.shape().clone(), DType::Bool)?;
        launch::FakeQuantPerChannelAffineCachemask(
            operation.stream.into(),
            self,
            scales,
            zero_points,
            axis as i64,
            least,
            most,
            &out,
            &inside,
        )?;
        Ok((out, inside))
    }
}
