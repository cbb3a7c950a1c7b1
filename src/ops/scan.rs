//! Functions of all elements along one axis, with a result for each of them.

use std::fmt;

use aclnn_numerics::DType::{self, Bool, F32, I64};
use aclnn_numerics::promote::output;
use aclnn_numerics::signature::AlongAxes;

use super::axes::{Axes, IntoAxes};
use super::cast::cast_into;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::declared;
use crate::error::{Error, Result};
use crate::plan::casts;
use crate::scalar::Scalar;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor};

/// An operator: its declaration, and how it is launched.
struct Operator {
    name: &'static str,
    /// The C name.
    form: &'static str,
    signature: AlongAxes,
    /// Whether integers become i64, as sums do; otherwise f32.
    is_total: bool,
    launch: for<'a> fn(&Scan<'a>, &'a Tensor, i64, &'a Tensor) -> Result<()>,
}

/// A function of all elements along one axis with a result for each of them, with options: running sums and products, and
/// softmax.
///
/// The elements are converted to the type of the result first, and computed in it. That is the type of the tensor, except that
/// running sums and products of integers and bool are i64, and the softmax of those is f32. The emulator keeps running sums in
/// f64, and rounds each of them once.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Scan<'a> {
    operator: &'static Operator,
    own: &'a Tensor,
    axis: Axes,
    dtype: Option<DType>,
    stream: Option<&'a Stream>,
    is_exclusive: bool,
    is_reverse: bool,
}

impl fmt::Debug for Scan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scan")
            .field("operator", &self.operator.name)
            .field("own", self.own)
            .field("axis", &self.axis)
            .field("dtype", &self.dtype)
            .field("stream", self.stream())
            .finish()
    }
}

impl<'a> Scan<'a> {
    fn new(operator: &'static Operator, own: &'a Tensor, axis: impl Index) -> Self {
        let axis = axis.into_axes();
        Self { operator, own, axis, dtype: None, stream: None, is_exclusive: false, is_reverse: false }
    }

    /// Sets the type of the result, in which it is computed.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.dtype = Some(dtype);
        self
    }

    /// Sets the stream that does the work; the default is the stream of the tensor.
    pub fn on(mut self, stream: &'a Stream) -> Self {
        self.stream = Some(stream);
        self
    }

    fn stream(&self) -> &'a Stream {
        self.stream.unwrap_or(self.own.stream())
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](Error::Argument), [`Rank`](Error::Rank), [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast) and
    /// [`OutputDType`](Error::OutputDType), all before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses.
    pub fn run(&self) -> Result<Tensor> {
        let Operator { name, form, signature, is_total, launch } = self.operator;
        let (own, stream) = (self.own.dtype(), self.stream());
        let operation = Operation::new(name, stream).tensor("self", self.own);
        operation.placed()?;
        let axis = axis_of(&self.axis, self.own, &operation)?;
        let is_whole = own.is_integer() || own == Bool;
        let computed = match (is_whole, is_total) {
            (false, _) => own,
            (true, true) => I64,
            (true, false) => F32,
        };
        let wanted = self.dtype.unwrap_or(computed);
        operation.takes(form, signature.takes, wanted)?;
        if let Some(product) = operation.product()
            && signature.refuses_output(product, wanted, wanted).is_some()
        {
            let (operator, operands) = (operation.operator, operation.operands());
            let rule = output::refused(computed, wanted).unwrap_or_default();
            return Err(Error::OutputDType {
                operator,
                operands,
                computed,
                out: wanted,
                rule,
                in_place: false,
            });
        }
        if own != wanted {
            operation.castable(own, wanted)?;
        }
        let out = operation.empty(self.own.shape(), wanted)?;
        if self.own.numel() == 0 {
            return Ok(out);
        }
        if own == wanted {
            launch(self, self.own, axis, &out)?;
            return Ok(out);
        }
        let operand = operation.empty(self.own.shape(), wanted)?;
        cast_into(stream, self.own, &operand, casts::cast_by(self.own))?;
        // The operand lives as long as the call alone; the stream keeps its memory.
        let again = Scan { own: &operand, stream: Some(stream), ..self.clone() };
        launch(&again, &operand, axis, &out)?;
        Ok(out)
    }
}

/// A running sum, with options; see [`Scan`].
#[must_use = "nothing is launched before `run`"]
#[derive(Clone, Debug)]
pub struct RunningSum<'a>(Scan<'a>);

impl<'a> RunningSum<'a> {
    /// Leaves each element out of its own sum, so that the first sum is 0.
    pub fn exclusive(mut self) -> Self {
        self.0.is_exclusive = true;
        self
    }

    /// Adds from the last element to the first.
    pub fn reverse(mut self) -> Self {
        self.0.is_reverse = true;
        self
    }

    /// Sets the type of the result, in which it is computed.
    pub fn dtype(self, dtype: DType) -> Self {
        Self(self.0.dtype(dtype))
    }

    /// Sets the stream that does the work; the default is the stream of the tensor.
    pub fn on(self, stream: &'a Stream) -> Self {
        Self(self.0.on(stream))
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// Those of [`Scan::run`].
    pub fn run(&self) -> Result<Tensor> {
        self.0.run()
    }
}

/// Returns the one axis; a tensor without axes has axis 0 here.
fn axis_of(axis: &Axes, own: &Tensor, operation: &Operation<'_>) -> Result<i64> {
    let zero = [0.into_axes(), (-1).into_axes()];
    if own.rank() == 0 && zero.contains(axis) {
        return Ok(0);
    }
    axis.one(own, operation).map(Option::unwrap_or_default)
}

/// Prepares the sums of the elements up to each one, along one axis.
///
/// Nothing is launched before [`RunningSum::run`].
#[doc(alias = "aclnnCumsum")]
#[doc(alias = "aclnnCumsumV2")]
pub fn cumsum(own: &Tensor, axis: impl Index) -> RunningSum<'_> {
    const OPERATOR: &Operator = &Operator {
        name: "cumsum",
        form: "CumsumV2",
        signature: declared::cumsum_v2,
        is_total: true,
        launch: |scan, own, axis, out| {
            launch::CumsumV2(scan.stream().into(), own, axis, scan.is_exclusive, scan.is_reverse, out)
        },
    };
    RunningSum(Scan::new(OPERATOR, own, axis))
}

/// Prepares the products of the elements up to each one, along one axis.
///
/// Nothing is launched before [`Scan::run`].
#[doc(alias = "aclnnCumprod")]
pub fn cumprod(own: &Tensor, axis: impl Index) -> Scan<'_> {
    const OPERATOR: &Operator = &Operator {
        name: "cumprod",
        form: "Cumprod",
        signature: declared::cumprod,
        is_total: true,
        launch: |scan, own, axis, out| {
            launch::Cumprod(scan.stream().into(), own, &Scalar::from(axis), own.dtype(), out)
        },
    };
    Scan::new(OPERATOR, own, axis)
}

/// Prepares the exponentials of the elements along one axis, divided by their sum.
///
/// Nothing is launched before [`Scan::run`].
#[doc(alias = "aclnnSoftmax")]
pub fn softmax(own: &Tensor, axis: impl Index) -> Scan<'_> {
    const OPERATOR: &Operator = &Operator {
        name: "softmax",
        form: "Softmax",
        signature: declared::softmax,
        is_total: false,
        launch: |scan, own, axis, out| launch::Softmax(scan.stream().into(), own, axis, out),
    };
    Scan::new(OPERATOR, own, axis)
}

/// Prepares the logarithms of the softmax along one axis.
///
/// Nothing is launched before [`Scan::run`].
#[doc(alias = "aclnnLogSoftmax")]
pub fn log_softmax(own: &Tensor, axis: impl Index) -> Scan<'_> {
    const OPERATOR: &Operator = &Operator {
        name: "log_softmax",
        form: "LogSoftmax",
        signature: declared::log_softmax,
        is_total: false,
        launch: |scan, own, axis, out| launch::LogSoftmax(scan.stream().into(), own, axis, out),
    };
    Scan::new(OPERATOR, own, axis)
}

impl Tensor {
    /// Adds the elements along one axis up to each one. Sums of integers and bool are i64.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
    /// assert_eq!(x.cumsum(0)?.to_vec::<f32>()?, [1.0, 3.0, 6.0]);
    /// assert_eq!(ops::cumsum(&x, 0).reverse().exclusive().run()?.to_vec::<f32>()?, [5.0, 3.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scan::run`](crate::ops::Scan::run).
    #[doc(alias = "aclnnCumsum")]
    #[doc(alias = "aclnnCumsumV2")]
    pub fn cumsum(&self, axis: impl Index) -> Result<Tensor> {
        cumsum(self, axis).run()
    }

    /// Multiplies the elements along one axis up to each one. Products of integers and bool are i64.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1, 2, 3, 4], [4])?;
    /// assert_eq!(x.cumprod(0)?.to_vec::<i64>()?, [1, 2, 6, 24]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scan::run`](crate::ops::Scan::run).
    #[doc(alias = "aclnnCumprod")]
    pub fn cumprod(&self, axis: impl Index) -> Result<Tensor> {
        cumprod(self, axis).run()
    }

    /// Divides the exponentials of the elements along one axis by their sum.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 1.0, f32::NEG_INFINITY], [3])?;
    /// assert_eq!(x.softmax(-1)?.to_vec::<f32>()?, [0.5, 0.5, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scan::run`](crate::ops::Scan::run).
    #[doc(alias = "aclnnSoftmax")]
    pub fn softmax(&self, axis: impl Index) -> Result<Tensor> {
        softmax(self, axis).run()
    }

    /// Computes the logarithms of the softmax along one axis, without the loss of digits of both functions in turn.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[0.0f32, 1000.0], [2])?;
    /// assert_eq!(x.log_softmax(-1)?.to_vec::<f32>()?, [-1000.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scan::run`](crate::ops::Scan::run).
    #[doc(alias = "aclnnLogSoftmax")]
    pub fn log_softmax(&self, axis: impl Index) -> Result<Tensor> {
        log_softmax(self, axis).run()
    }

    /// Finds the greatest of the elements along one axis up to each one, and its position as i64, that of the last of several.
    /// After a NaN all of them are NaN, as in PyTorch.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (values, positions) = Tensor::from_slice(&device, &[1.0f32, 3.0, 2.0, 3.0], [4])?.cummax(0)?;
    /// assert_eq!(values.to_vec::<f32>()?, [1.0, 3.0, 3.0, 3.0]);
    /// assert_eq!(positions.to_vec::<i64>()?, [0, 1, 1, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](Error::Argument), [`Rank`](Error::Rank) and [`Unsupported`](Error::Unsupported) before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    #[doc(alias = "aclnnCummax")]
    pub fn cummax(&self, axis: impl Index) -> Result<(Tensor, Tensor)> {
        running_extreme(self, axis, "cummax", "Cummax", declared::cummax, |own, axis, [values, positions]| {
            launch::Cummax(own.stream().into(), own, axis, values, positions)
        })
    }

    /// Finds the smallest of the elements along one axis up to each one, and its position as i64, that of the last of several.
    /// After a NaN all of them are NaN, as in PyTorch; the 950 begins again after it.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (values, positions) = Tensor::from_slice(&device, &[3.0f32, 1.0, 2.0], [3])?.cummin(0)?;
    /// assert_eq!(values.to_vec::<f32>()?, [3.0, 1.0, 1.0]);
    /// assert_eq!(positions.to_vec::<i64>()?, [0, 1, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::cummax`].
    #[doc(alias = "aclnnCummin")]
    pub fn cummin(&self, axis: impl Index) -> Result<(Tensor, Tensor)> {
        running_extreme(self, axis, "cummin", "Cummin", declared::cummin, |own, axis, [values, positions]| {
            launch::Cummin(own.stream().into(), own, axis, values, positions)
        })
    }
}

fn running_extreme(
    own: &Tensor,
    axis: impl Index,
    name: &'static str,
    form: &'static str,
    signature: AlongAxes,
    launch: for<'a> fn(&'a Tensor, i64, [&'a Tensor; 2]) -> Result<()>,
) -> Result<(Tensor, Tensor)> {
    let operation = Operation::new(name, own.stream()).tensor("self", own);
    operation.placed()?;
    let axis = axis_of(&axis.into_axes(), own, &operation)?;
    operation.takes(form, signature.takes, own.dtype())?;
    let results = (operation.empty(own.shape(), own.dtype())?, operation.empty(own.shape(), I64)?);
    // Cummax takes no tensor without axes, which is the same with one.
    match own.rank() {
        0 => launch(&own.reshape(1)?, axis, [&results.0.reshape(1)?, &results.1.reshape(1)?])?,
        _ if own.numel() == 0 => {}
        _ => launch(own, axis, [&results.0, &results.1])?,
    }
    Ok(results)
}
