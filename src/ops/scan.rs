//! Functions of all elements along one axis, with a result for each of them.

use std::fmt;

use aclnn_numerics::DType::{self, Bool, F32, I64};
use aclnn_numerics::promote::output;
use aclnn_numerics::signature::AlongAxes;
use smallvec::{SmallVec, smallvec};

use super::axes::{Axes, IntoAxes};
use super::prepared::{InPlace, OTHERS, Prepared, Target, follow, prepared};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::{Error, Result};
use crate::operand::Operand;
use crate::plan::{Plan, Role, Step, casts};
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor};

/// An operator: its declaration, and how it is launched along an axis.
struct Operator {
    name: &'static str,
    /// The C name.
    form: &'static str,
    signature: AlongAxes,
    /// Whether integers become i64, as sums do; otherwise f32.
    is_total: bool,
    launch: for<'s> fn(&'s Stream, &'s Tensor, i64, Order, &'s Tensor) -> Result<()>,
    in_place: Option<InPlace<i64>>,
}

/// What a running sum adds up.
#[derive(Clone, Copy, Default, Debug)]
struct Order {
    is_exclusive: bool,
    is_reverse: bool,
}

/// A function of all elements along one axis with a result for each of them, with options: running sums and products, and
/// softmax. `SUMS` says whether it is a running sum, which can be exclusive and reversed.
///
/// The elements are converted to the type of the result first, and computed in it. That is the type of the tensor, except that
/// running sums and products of integers and bool are i64, and the softmax of those is f32. The emulator keeps running sums in
/// f64, and rounds each of them once.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Scan<'a, const SUMS: bool> {
    operator: &'static Operator,
    own: &'a Tensor,
    axis: Axes,
    dtype: Option<DType>,
    stream: Option<&'a Stream>,
    order: Order,
}

/// A running sum, with options; see [`Scan`].
pub type RunningSum<'a> = Scan<'a, true>;

impl<const SUMS: bool> fmt::Debug for Scan<'_, SUMS> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scan")
            .field("operator", &self.operator.name)
            .field("own", self.own)
            .field("axis", &self.axis)
            .field("dtype", &self.dtype)
            .field("order", &self.order)
            .field("stream", self.stream())
            .finish()
    }
}

prepared! {
    ['a, const SUMS: bool] Scan<'a, SUMS>:
    dtype("Sets the type of the result, in which it is computed."),
    on("the tensor"),
    plan,
    run_into("The tensor may be the operand itself, but must not overlap it partly.")
}

impl<'a, const SUMS: bool> Scan<'a, SUMS> {
    fn new(operator: &'static Operator, own: &'a Tensor, axis: impl Index) -> Self {
        let axis = axis.into_axes();
        Self { operator, own, axis, dtype: None, stream: None, order: Order::default() }
    }

    #[inline]
    fn stream(&self) -> &'a Stream {
        self.stream.unwrap_or(self.own.stream())
    }

    #[inline]
    fn named<'o>(&self, name: &'static str) -> Operation<'o>
    where
        'a: 'o,
    {
        Operation::new(name, self.stream()).tensor("self", self.own)
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`View`](Error::View) if the axis does not exist, [`Rank`](Error::Rank), [`Unsupported`](Error::Unsupported),
    /// [`NoCast`](Error::NoCast) and [`OutputDType`](Error::OutputDType), all before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_anew()
    }
}

impl Scan<'_, true> {
    /// Leaves each element out of its own sum, so that the first sum is 0.
    #[inline]
    pub fn exclusive(mut self) -> Self {
        self.order.is_exclusive = true;
        self
    }

    /// Adds from the last element to the first.
    #[inline]
    pub fn reverse(mut self) -> Self {
        self.order.is_reverse = true;
        self
    }
}

impl<const SUMS: bool> Prepared for Scan<'_, SUMS> {
    /// The axis.
    type Extra = i64;

    #[inline]
    fn operation(&self) -> Result<Operation<'_>> {
        Ok(self.named(self.operator.name))
    }

    #[inline]
    fn planned(&self, target: Target<'_>) -> Result<(Plan, i64)> {
        let Operator { name, form, signature, is_total, in_place, .. } = self.operator;
        let in_place = in_place.as_ref().filter(|_| target.is_in_place());
        let name = in_place.map_or(*name, |in_place| in_place.name);
        let (own, shape) = (self.own.dtype(), self.own.shape());
        let operation = target.named(self.named(name));
        operation.placed()?;
        let axis = operation.axis_of(self.own, &self.axis)?;
        target.check(&operation, shape)?;
        let computed = match (own.is_integer() || own == Bool, is_total) {
            (false, _) => own,
            (true, true) => I64,
            (true, false) => F32,
        };
        let wanted = target.dtype().or(self.dtype).unwrap_or(computed);
        operation.takes(form, signature.takes, wanted)?;
        if let Some(product) = operation.product()
            && signature.refuses_output(product, wanted, wanted).is_some()
        {
            let (operator, operands) = (operation.operator, operation.operands());
            let (rule, in_place) =
                (output::refused(computed, wanted).unwrap_or_default(), target.is_in_place());
            return Err(Error::OutputDType { operator, operands, computed, out: wanted, rule, in_place });
        }
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        casts::cast_operand(&operation, Role::Own, self.own, wanted, &mut steps)?;
        let in_place = in_place.filter(|_| target.is_written_in_place());
        steps.push(Step::Compute {
            operator: in_place.map_or(*form, |in_place| in_place.form),
            in_place: in_place.is_some(),
            operands: smallvec![wanted],
            out: wanted,
        });
        let shape = shape.clone();
        Ok((Plan { operator: name, steps, compute: wanted, out: wanted, shape, choice: None }, axis))
    }

    #[inline]
    fn launch(&self, plan: &Plan, axis: &i64, out: &Tensor) -> Result<()> {
        if plan.shape.is_empty_tensor() {
            return Ok(());
        }
        let (operation, stream) = (self.operation()?, self.stream());
        let operands = [(Role::Own, Operand::Tensor(self.own))];
        follow(&operation, plan, &operands, out, |operands, out| {
            match (operands, out, &self.operator.in_place) {
                ([own], Some(out), _) => (self.operator.launch)(stream, own, *axis, self.order, out),
                (operands, None, Some(in_place)) => (in_place.launch)(stream, operands, axis),
                _ => Err(OTHERS),
            }
        })
    }
}

impl Operation<'_> {
    /// Returns the one axis that is named.
    #[inline]
    fn axis_of(&self, own: &Tensor, axis: &Axes) -> Result<i64> {
        axis.one(own, self).map(Option::unwrap_or_default)
    }
}

/// Prepares the sums of the elements up to each one, along one axis.
///
/// Nothing is launched before [`Scan::run`].
#[doc(alias = "aclnnCumsum")]
#[doc(alias = "aclnnCumsumV2")]
pub fn cumsum(own: &Tensor, axis: impl Index) -> RunningSum<'_> {
    const OPERATOR: &Operator = &Operator {
        name: "cumsum",
        form: "CumsumV2",
        signature: signatures::cumsum_v2,
        is_total: true,
        launch: |stream, own, axis, Order { is_exclusive, is_reverse }, out| {
            launch::CumsumV2(stream.into(), own, axis, is_exclusive, is_reverse, out)
        },
        in_place: None,
    };
    Scan::new(OPERATOR, own, axis)
}

/// Prepares the products of the elements up to each one, along one axis.
///
/// Nothing is launched before [`Scan::run`].
#[doc(alias = "aclnnCumprod")]
pub fn cumprod(own: &Tensor, axis: impl Index) -> Scan<'_, false> {
    const OPERATOR: &Operator = &Operator {
        name: "cumprod",
        form: "Cumprod",
        signature: signatures::cumprod,
        is_total: true,
        launch: |stream, own, axis, _, out| {
            launch::Cumprod(stream.into(), own, &Scalar::from(axis), own.dtype(), out)
        },
        in_place: Some(InPlace {
            name: "cumprod_in_place",
            form: "InplaceCumprod",
            launch: |stream, operands, axis| match operands {
                [own] => launch::InplaceCumprod(stream.into(), own, &Scalar::from(*axis)),
                _ => Err(OTHERS),
            },
        }),
    };
    Scan::new(OPERATOR, own, axis)
}

/// Prepares the exponentials of the elements along one axis, divided by their sum.
///
/// Nothing is launched before [`Scan::run`].
#[doc(alias = "aclnnSoftmax")]
pub fn softmax(own: &Tensor, axis: impl Index) -> Scan<'_, false> {
    const OPERATOR: &Operator = &Operator {
        name: "softmax",
        form: "Softmax",
        signature: signatures::softmax,
        is_total: false,
        launch: |stream, own, axis, _, out| launch::Softmax(stream.into(), own, axis, out),
        in_place: None,
    };
    Scan::new(OPERATOR, own, axis)
}

/// Prepares the logarithms of the softmax along one axis.
///
/// Nothing is launched before [`Scan::run`].
#[doc(alias = "aclnnLogSoftmax")]
pub fn log_softmax(own: &Tensor, axis: impl Index) -> Scan<'_, false> {
    const OPERATOR: &Operator = &Operator {
        name: "log_softmax",
        form: "LogSoftmax",
        signature: signatures::log_softmax,
        is_total: false,
        launch: |stream, own, axis, _, out| launch::LogSoftmax(stream.into(), own, axis, out),
        in_place: None,
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

    /// Computes [`cumprod`](Tensor::cumprod) in place: the products replace the elements of the tensor, which keeps its type.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
    /// x.cumprod_in_place(0)?;
    /// assert_eq!(x.to_vec::<f32>()?, [1.0, 2.0, 6.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scan::run_into`](crate::ops::Scan::run_into).
    #[doc(alias = "aclnnInplaceCumprod")]
    pub fn cumprod_in_place(&mut self, axis: impl Index) -> Result<()> {
        cumprod(self, axis).run_to(Target::InPlace(self))
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
        running_extreme(
            self,
            axis,
            "cummax",
            "Cummax",
            signatures::cummax,
            |own, axis, [values, positions]| {
                launch::Cummax(own.stream().into(), own, axis, values, positions)
            },
        )
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
        running_extreme(
            self,
            axis,
            "cummin",
            "Cummin",
            signatures::cummin,
            |own, axis, [values, positions]| {
                launch::Cummin(own.stream().into(), own, axis, values, positions)
            },
        )
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
    let axis = operation.axis_of(own, &axis.into_axes())?;
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
