//! Counts of values. The size of a result may depend on the greatest element, which is read first.

use aclnn_numerics::DType::{self, F32, F64, I64};
use aclnn_numerics::Shape;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::signatures;
use crate::tensor::Tensor;

impl Tensor {
    /// Counts how often each of the numbers 0, 1, 2, … occurs among the elements, on one axis, of
    /// i8, i16, i32, i64 or u8. The result has i64
    /// elements, one for each number up to the greatest element, and at least `at_least`.
    ///
    /// The greatest element is read first, so this function waits for the stream.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1, 3, 1], [3])?;
    /// assert_eq!(x.bincount(0)?.to_vec::<i64>()?, [0, 2, 0, 1]);
    /// assert_eq!(x.bincount(6)?.to_vec::<i64>()?, [0, 2, 0, 1, 0, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](Error::Unsupported) if the elements have another type, [`Argument`](Error::Argument) if
    /// they are not on one axis or one is negative, all before anything is counted; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses.
    #[doc(alias = "aclnnBincount")]
    #[inline]
    pub fn bincount(&self, at_least: usize) -> Result<Tensor> {
        counted(self, None, at_least)
    }

    /// Adds the weights of the elements that are 0, 1, 2, …, like [`Tensor::bincount`], in f32 if the weights are f32, and
    /// otherwise in f64.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1, 2, 1], [3])?;
    /// let weights = Tensor::from_slice(&device, &[0.5f32, 1.0, 2.0], [3])?;
    /// assert_eq!(x.bincount_weighted(&weights, 0)?.to_vec::<f32>()?, [0.0, 2.5, 1.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::bincount`], and [`OutputShape`](Error::OutputShape) if the shapes of both tensors differ.
    #[doc(alias = "aclnnBincount")]
    #[inline]
    pub fn bincount_weighted(&self, weights: &Tensor, at_least: usize) -> Result<Tensor> {
        counted(self, Some(weights), at_least)
    }

    /// Counts how many elements lie in each of `bins` equal parts of the range from `min` to `max`, as i64.
    ///
    /// A part includes its lower limit, and the last one also the upper. Elements outside of the range and NaN are not counted.
    /// If both limits are equal, those of the elements are taken instead, as in PyTorch (not on the 310P). Integers are placed
    /// by integer arithmetic.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[0.0f32, 0.2, 0.9, 1.0, 7.0], [5])?;
    /// assert_eq!(x.histc(2, 0.0, 1.0)?.to_vec::<i64>()?, [2, 2]);
    /// assert_eq!(x.histc(2, 0.0, 0.0)?.to_vec::<i64>()?, [4, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsupported`](Error::Unsupported) for elements of other types than f32, f16 and integers, and
    /// [`Scalar`](Error::Scalar) for no bins and for limits that are not finite or not in order, all before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    #[doc(alias = "aclnnHistc")]
    #[doc(alias = "histogram")]
    #[inline]
    pub fn histc(&self, bins: usize, min: f64, max: f64) -> Result<Tensor> {
        let (least, most) = (Scalar::from(min as f32), Scalar::from(max as f32));
        let operation = Operation::new("histc", self.stream())
            .tensor("self", self)
            .scalar("min", least)
            .scalar("max", most);
        operation.placed()?;
        operation.takes("Histc", signatures::histc.takes, self.dtype())?;
        let (low, high) = (min as f32, max as f32);
        let is_range = low == high || low < high && low.is_finite() && high.is_finite();
        if !is_range {
            return Err(operation.bad_scalar(format!("the limits {min} and {max} are no range")));
        }
        let count = i64::try_from(bins).ok().filter(|bins| *bins > 0);
        let count = count.ok_or_else(|| operation.bad_scalar(format!("{bins} bins cannot be counted")))?;
        let out = operation.empty(bins, I64)?;
        launch::Histc(self.stream().into(), self, count, &least, &most, &out)?;
        Ok(out)
    }
}

#[inline]
fn counted(own: &Tensor, weights: Option<&Tensor>, at_least: usize) -> Result<Tensor> {
    let mut operation = Operation::new("bincount", own.stream()).tensor("self", own);
    if let Some(weights) = weights {
        operation = operation.tensor("weights", weights);
    }
    operation.placed()?;
    operation.takes("Bincount", signatures::bincount.takes, own.dtype())?;
    let refused = |reason: &str| operation.refused(reason.to_owned());
    if own.rank() != 1 {
        return Err(refused("the elements that are counted lie on one axis; flatten the tensor first"));
    }
    if let Some(weights) = weights.filter(|weights| weights.shape() != own.shape()) {
        return Err(Error::OutputShape {
            operator: operation.operator,
            operands: operation.operands(),
            name: "weights",
            expected: Box::new(own.shape().clone()),
            given: Box::new(weights.shape().clone()),
        });
    }
    let sums = match weights.map(Tensor::dtype) {
        None => I64,
        Some(F32) => F32,
        Some(_) => F64,
    };
    let mut length = at_least;
    if own.numel() > 0 {
        let (least, most) = own.min_max(..)?;
        let value = |of: &Tensor| -> Result<i64> {
            Ok(of.cast(DType::I64)?.to_vec::<i64>()?.first().copied().unwrap_or_default())
        };
        if value(&least)? < 0 {
            return Err(refused("an element is negative, and only numbers from 0 on are counted"));
        }
        let greatest = value(&most)?;
        if greatest >= i64::from(i32::MAX) {
            return Err(refused("an element is greater than the numbers that the library counts"));
        }
        length = length.max(greatest as usize + 1);
    }
    let out = operation.empty(Shape::from([length]), sums)?;
    if length > 0 {
        let at_least =
            i64::try_from(length).map_err(|_| Error::Internal { what: "more elements than i64" })?;
        launch::Bincount(own.stream().into(), own, weights, at_least, &out)?;
    }
    Ok(out)
}
