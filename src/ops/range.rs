//! Evenly spaced numbers, generated on the device.

use aclnn_numerics::DType;
use aclnn_numerics::range::{Number, RangeError, arange_count, range_count};

use super::fill::converted;
use crate::argument_checks::{Operation, accepts};
use crate::call::{On, launch};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

type Count = fn(Number, Number, Number, DType) -> Result<usize, RangeError>;
type Launcher = for<'a> fn(On<'a>, &Scalar, &Scalar, &Scalar, &'a Tensor) -> Result<()>;

impl Tensor {
    /// Makes `start`, `start + step`, … before `end`, as a tensor of one axis with f32, f16, bf16, f64, i32 or i64
    /// elements.
    ///
    /// f32, f16 and bf16 are computed in f32 and rounded once. The number of elements is that of CANN: for i64 by
    /// integer arithmetic, for all others `ceil((end − start) / step)` in f64, from the scalars as they are given; on a
    /// product that is not known, from the scalars converted to `dtype`. If a bound is NaN there are no elements.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor, bf16};
    ///
    /// let device = Device::open(0)?;
    /// let ramp = Tensor::arange(&device, 0.0, 2.5, 0.5, DType::BF16)?;
    /// assert_eq!(ramp.to_vec::<bf16>()?, [0.0, 0.5, 1.0, 1.5, 2.0].map(bf16::from_f32));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Range`](Error::Range) if the step is 0 or leads away from the end (for an integer type after truncation), or
    /// if there are more elements than can be counted; [`Unsupported`](Error::Unsupported) and
    /// [`Scalar`](Error::Scalar); all before anything is launched. [`OutOfMemory`](Error::OutOfMemory), or what the
    /// library returned.
    #[doc(alias = "aclnnArange")]
    #[doc(alias = "arange_step")]
    pub fn arange(
        on: impl Into<Stream>,
        start: impl Into<Scalar>,
        end: impl Into<Scalar>,
        step: impl Into<Scalar>,
        dtype: DType,
    ) -> Result<Tensor> {
        let scalars = [start.into(), end.into(), step.into()];
        progression("arange", "Arange", &on.into(), scalars, dtype, arange_count, launch::Arange)
    }

    /// Makes a range like [`Tensor::arange`], but includes `end` if a step hits it.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::range_inclusive(&device, 4, 0, -2, DType::I64)?.to_vec::<i64>()?, [4, 2, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::arange`].
    #[doc(alias = "aclnnRange")]
    #[doc(alias = "range")]
    pub fn range_inclusive(
        on: impl Into<Stream>,
        start: impl Into<Scalar>,
        end: impl Into<Scalar>,
        step: impl Into<Scalar>,
        dtype: DType,
    ) -> Result<Tensor> {
        let scalars = [start.into(), end.into(), step.into()];
        progression("range_inclusive", "Range", &on.into(), scalars, dtype, range_count, launch::Range)
    }

    /// Makes `steps` evenly spaced numbers from `start` to exactly `end`; a single one is `start`.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::linspace(&device, 0, 1, 5, DType::F32)?.to_vec::<f32>()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](Error::Unsupported) and [`Scalar`](Error::Scalar) before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory), or what the library returned.
    #[doc(alias = "aclnnLinspace")]
    pub fn linspace(
        on: impl Into<Stream>,
        start: impl Into<Scalar>,
        end: impl Into<Scalar>,
        steps: usize,
        dtype: DType,
    ) -> Result<Tensor> {
        let (stream, start, end) = (on.into(), start.into(), end.into());
        let operation = Operation::new("linspace", &stream).scalar("start", start).scalar("end", end);
        operation.takes("Linspace", signatures::linspace.takes, dtype)?;
        let [start, end] =
            [("start", start), ("end", end)].map(|(name, scalar)| real(&operation, name, scalar));
        let (start, end) = (start?, end?);
        let out = operation.empty(steps, dtype)?;
        let steps = i64::try_from(steps).map_err(|_| Error::Internal { what: "more steps than elements" })?;
        launch::Linspace((&stream).into(), &start, &end, steps, &out)?;
        Ok(out)
    }
}

#[inline]
fn progression(
    name: &'static str,
    operator: &'static str,
    stream: &Stream,
    [start, end, step]: [Scalar; 3],
    dtype: DType,
    count: Count,
    launch: Launcher,
) -> Result<Tensor> {
    let operation =
        Operation::new(name, stream).scalar("start", start).scalar("end", end).scalar("step", step);
    operation.takes(operator, signatures::range.takes, dtype)?;
    let start = real(&operation, "start", start)?;
    let end = real(&operation, "end", end)?;
    let step = real(&operation, "step", step)?;
    let known = operation.product().is_some();
    // A product that is not known may hold the scalars in the output type, so they are converted before counting.
    let held = |scalar| if known { Ok(scalar) } else { converted(&operation, scalar, dtype) };
    let (start, end, step) = (held(start)?, held(end)?, held(step)?);
    let count = match (start.number(), end.number(), step.number()) {
        (Some(start), Some(end), Some(step)) => match count(start, end, step, dtype) {
            Ok(usize::MAX) => Err(RangeError::Endless { start, end, step }),
            count => count,
        },
        _ => Err(RangeError::Output { dtype }),
    };
    let (operator, operands) = (name, || operation.operands());
    let count = count.map_err(|cause| Error::Range { operator, operands: operands(), cause })?;
    let mut out = operation.empty(count, dtype)?;
    if !known {
        // If the library counts fewer elements, the others are at least defined.
        out.fill_in_place(0)?;
    }
    launch(stream.into(), &start, &end, &step, &out)?;
    Ok(out)
}

/// Returns the scalar in a type that the library takes here, with the same value.
#[inline]
fn real(operation: &Operation<'_>, name: &'static str, scalar: Scalar) -> Result<Scalar> {
    if scalar.number().is_none() {
        return Err(
            operation.bad_scalar(format!("{name} is {scalar} ({}), not a real number", scalar.dtype()))
        );
    }
    if accepts(operation.stream.device(), signatures::range.scalars, scalar.dtype())
        && !is_unsigned(scalar.dtype())
    {
        return Ok(scalar);
    }
    let wide = if scalar.dtype().is_float() { DType::F32 } else { DType::I64 };
    match scalar.to(wide) {
        Some(wide) if wide.number().map(Number::to_f64) == scalar.number().map(Number::to_f64) => Ok(wide),
        _ => {
            Err(operation
                .bad_scalar(format!("{name} is {scalar}, which exceeds the i64 that the library takes")))
        }
    }
}

#[inline]
fn is_unsigned(dtype: DType) -> bool {
    matches!(dtype, DType::U16 | DType::U32 | DType::U64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    #[test]
    fn a_product_that_is_not_known_counts_what_it_is_sent() -> Result<()> {
        let device = Device::of_unknown_product()?;
        // Of the f64 there are three: 0.3 / 0.1 is less than 3 there, and more in f16.
        let ramp = Tensor::arange(&device, 0.0, 0.3, 0.1, DType::F16)?;
        assert_eq!(ramp.cast(DType::F32)?.to_vec::<f32>()?, [0.0, 0.099975586, 0.19995117, 0.2998047]);
        let whole = Tensor::range_inclusive(&device, 0.9, 3.9, 1.9, DType::I32)?;
        assert_eq!(whole.to_vec::<i32>()?, [0, 1, 2, 3]);
        let none = Tensor::arange(&device, 0, 3, 0.5, DType::I64);
        assert!(matches!(none, Err(Error::Range { .. })), "{none:?}");
        let range = crate::onnx::range(&device, 0, 10, 3);
        assert!(!range.plan()?.is_on_device(), "{}", range.plan()?);
        assert_eq!(range.run()?.to_vec::<i32>()?, [0, 3, 6, 9]);
        Ok(())
    }
}
