//! The reductions: a function and a method for each.

use super::axes::{IntoAxes, reduced};
use super::reduction::{Given, Gives, Operator, Reduction, partial};
use crate::call::{On, launch};
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// Expands to a function with options and a method for each reduction. The example reduces `[[1, 2], [4, 3]]`.
macro_rules! reductions {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident by $Form:ident, $declared:ident, $gives:ident, $results:tt, $corrected:literal
            ($($alias:literal),*) $example:literal => $launch:expr;
    )*) => {$(
        /// Prepares a reduction:
        $(#[doc = $doc])*
        ///
        /// Nothing is launched before `run`.
        $(#[doc(alias = $alias)])*
        #[inline]
        pub fn $name(own: &Tensor) -> Reduction<'_, $results, $corrected> {
            const OPERATOR: &Operator<$results> = &Operator {
                name: stringify!($name),
                form: stringify!($Form),
                signature: signatures::$declared,
                gives: Gives::$gives,
                launch: $launch,
            };
            Reduction::new(OPERATOR, own)
        }

        impl Tensor {
            /// Reduces along axes (`-1`, `[0, 2]`, `..` for all of them):
            $(#[doc = $doc])*
            ///
            /// ```
            /// use aclnn::{Device, Tensor};
            ///
            /// let device = Device::open(0)?;
            /// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0, 3.0], [2, 2])?;
            #[doc = $example]
            /// # Ok::<(), aclnn::Error>(())
            /// ```
            ///
            #[doc = concat!("[`ops::", stringify!($name), "`](crate::ops::", stringify!($name), ") takes options.")]
            ///
            /// # Errors
            /// Those of [`Reduction::run`](crate::ops::Reduction).
            $(#[doc(alias = $alias)])*
            pub fn $name(&self, axes: impl IntoAxes) -> Result<results!($results)> {
                $name(self).axes(axes).run()
            }
        }
    )*};
}

macro_rules! results {
    (1) => {
        Tensor
    };
    (2) => {
        (Tensor, Tensor)
    };
}

reductions! {
    /// the sum of the elements, 0 for none. Integers and bool are added as i64.
    sum by ReduceSum, sum, Total, 1, false ("aclnnReduceSum", "sum_all", "sum_dim", "sum_dims")
        "assert_eq!(x.sum(0)?.to_vec::<f32>()?, [5.0, 5.0]);" =>
        |on, own, given, [out]| launch::ReduceSum(on, own, given.axes, given.keeps, given.dtype, out);
    /// the sum of the elements that are not NaN. Only the 910B and the 950 have it.
    nansum by ReduceNansum, nansum, Total, 1, false ("aclnnReduceNansum")
        "assert_eq!(x.nansum(..)?.to_vec::<f32>()?, [10.0]);" =>
        |on, own, given, [out]| launch::ReduceNansum(on, own, given.axes, given.keeps, given.dtype, out);
    /// the mean of the elements, NaN for none. Integers and bool are averaged as f32.
    mean by Mean, mean, Average, 1, false ("aclnnMean", "aclnnMeanV2", "mean_all", "mean_dim", "mean_dims")
        "assert_eq!(x.mean(-1)?.to_vec::<f32>()?, [1.5, 3.5]);" =>
        |on, own, given, [out]| launch::Mean(on, own, given.axes, given.keeps, given.dtype, out);
    /// the product of the elements, 1 for none. Integers and bool are multiplied as i64.
    prod by ProdDim, prod, Total, 1, false ("aclnnProd", "aclnnProdDim", "prod_dim", "prod_dims")
        "assert_eq!(x.prod(..)?.to_vec::<f32>()?, [24.0]);" =>
        product;
    /// the greatest element, NaN if there is one.
    max by Amax, amax, Element, 1, false ("aclnnAmax", "aclnnMax", "aclnnMaxV2", "amax", "max_all")
        "assert_eq!(x.max(0)?.to_vec::<f32>()?, [4.0, 3.0]);" =>
        |on, own, given, [out]| launch::Amax(on, own, given.axes, given.keeps, out);
    /// the smallest element, NaN if there is one.
    min by Amin, amin, Element, 1, false ("aclnnAmin", "aclnnMin", "amin", "min_all")
        "assert_eq!(x.min(0)?.to_vec::<f32>()?, [1.0, 2.0]);" =>
        |on, own, given, [out]| launch::Amin(on, own, given.axes, given.keeps, out);
    /// the smallest and the greatest element, NaN if there is one.
    min_max by Aminmax, aminmax, Element, 2, false ("aclnnAminmax", "aclnnAminmaxDim", "aclnnAminmaxAll", "aminmax")
        "let (least, most) = x.min_max(..)?;\nassert_eq!((least.to_vec::<f32>()?[0], most.to_vec::<f32>()?[0]), (1.0, 4.0));" =>
        both_extremes;
    /// the position of the greatest element along one axis, or among all elements in order. Of several it is the first, and
    /// NaN is greater than all numbers.
    argmax by ArgMax, argmax, Position, 1, false ("aclnnArgMax")
        "assert_eq!(x.argmax(1)?.to_vec::<i64>()?, [1, 0]);\nassert_eq!(x.argmax(..)?.to_vec::<i64>()?, [2]);" =>
        |on, own, given, [out]| launch::ArgMax(on, own, given.axis(), given.keeps, out);
    /// the position of the smallest element along one axis, or among all elements in order. Of several it is the first, and
    /// NaN is smaller than all numbers.
    argmin by ArgMin, argmin, Position, 1, false ("aclnnArgMin")
        "assert_eq!(x.argmin(1)?.to_vec::<i64>()?, [0, 1]);" =>
        |on, own, given, [out]| launch::ArgMin(on, own, given.axis(), given.keeps, out);
    /// the greatest element along one axis, and its position, that of the first of several.
    max_dim by MaxDim, max_dim, ElementAndPosition, 2, false ("aclnnMaxDim", "max_dim_with_indices")
        "let (values, positions) = x.max_dim(1)?;\nassert_eq!(values.to_vec::<f32>()?, [2.0, 4.0]);\nassert_eq!(positions.to_vec::<i64>()?, [1, 0]);" =>
        |on, own, given, [out, at]| launch::MaxDim(on, own, given.axis(), given.keeps, out, at);
    /// the smallest element along one axis, and its position, that of the first of several.
    min_dim by MinDim, min_dim, ElementAndPosition, 2, false ("aclnnMinDim", "min_dim_with_indices")
        "let (values, positions) = x.min_dim(1)?;\nassert_eq!(values.to_vec::<f32>()?, [1.0, 3.0]);\nassert_eq!(positions.to_vec::<i64>()?, [0, 1]);" =>
        |on, own, given, [out, at]| launch::MinDim(on, own, given.axis(), given.keeps, out, at);
    /// whether every element is true, as every number but zero is; true for none.
    all by All, all, Truth, 1, false ("aclnnAll", "all_dim")
        "assert_eq!(x.all(..)?.to_vec::<bool>()?, [true]);" =>
        |on, own, given, [out]| launch::All(on, own, given.axes, given.keeps, out);
    /// whether at least one element is true, as every number but zero is; false for none.
    any by Any, any, Truth, 1, false ("aclnnAny", "any_dim")
        "assert_eq!(x.any(0)?.to_vec::<bool>()?, [true, true]);" =>
        |on, own, given, [out]| launch::Any(on, own, given.axes, given.keeps, out);
    /// the variance, an unbiased estimate unless another correction is set. It is NaN for a single element, and where the
    /// correction leaves no count, the library gives +∞.
    var by VarCorrection, var, Float, 1, true ("aclnnVarCorrection", "aclnnVar")
        "assert_eq!(x.var(1)?.to_vec::<f32>()?, [0.5, 0.5]);" =>
        |on, own, given, [out]| launch::VarCorrection(on, own, Some(given.axes), given.correction, given.keeps, out);
    /// the variance, as [`var`](Tensor::var) has it, and the mean.
    var_mean by VarMean, var_mean, Float, 2, true ("aclnnVarMean")
        "let (var, mean) = x.var_mean(1)?;\nassert_eq!(var.to_vec::<f32>()?, [0.5, 0.5]);\nassert_eq!(mean.to_vec::<f32>()?, [1.5, 3.5]);" =>
        |on, own, given, [var, mean]| launch::VarMean(on, own, Some(given.axes), given.correction, given.keeps, var, mean);
    /// the standard deviation, the root of [`var`](Tensor::var).
    std by Std, std, Float, 1, true ("aclnnStd")
        "assert_eq!(x.std(1)?.to_vec::<f32>()?, [0.5f32.sqrt(); 2]);" =>
        |on, own, given, [out]| launch::Std(on, own, Some(given.axes), given.correction, given.keeps, out);
    /// the standard deviation and the mean.
    std_mean by StdMeanCorrection, std_mean, Float, 2, true ("aclnnStdMeanCorrection")
        "let (std, mean) = x.std_mean(1)?;\nassert_eq!(std.to_vec::<f32>()?, [0.5f32.sqrt(); 2]);\nassert_eq!(mean.to_vec::<f32>()?, [1.5, 3.5]);" =>
        |on, own, given, [std, mean]| launch::StdMeanCorrection(on, own, Some(given.axes), given.correction, given.keeps, std, mean);
    /// the logarithm of the sum of the exponentials, `log(Σeˣ)`, without overflow in between; −∞ for none.
    logsumexp by LogSumExp, logsumexp, Float, 1, false ("aclnnLogSumExp", "log_sum_exp")
        "let y = x.logsumexp(0)?.to_vec::<f32>()?;\nassert!((y[1] - (2f32.exp() + 3f32.exp()).ln()).abs() < 1e-6);" =>
        |on, own, given, [out]| launch::LogSumExp(on, own, given.axes, given.keeps, out);
    /// the logarithm of the sum of the elements, `log(Σx)`.
    log_sum by ReduceLogSum, log_sum, Float, 1, false ("aclnnReduceLogSum")
        "assert_eq!(x.log_sum(..)?.to_vec::<f32>()?, [10f32.ln()]);" =>
        |on, own, given, [out]| launch::ReduceLogSum(on, own, given.axes, given.keeps, false, out);
}

/// Prepares the norm `(Σ|x|ᵖ)^(1/p)` of an order `p`; see [`Tensor::norm`].
///
/// Nothing is launched before `run`.
#[doc(alias = "aclnnNorm")]
#[doc(alias = "aclnnLinalgVectorNorm")]
#[inline]
pub fn norm(own: &Tensor, order: f64) -> Reduction<'_, 1, false> {
    const OPERATOR: &Operator<1> = &Operator {
        name: "norm",
        form: "Norm",
        signature: signatures::norm,
        gives: Gives::Float,
        launch: |on, own, given, [out]| launch::Norm(on, own, &given.order(), given.axes, given.keeps, out),
    };
    Reduction::new(OPERATOR, own).order(order)
}

impl Tensor {
    /// Reduces along axes (`-1`, `[0, 2]`, `..` for all of them): the norm `(Σ|x|ᵖ)^(1/p)` of an order `p`, 0 for no elements.
    ///
    /// The order +∞ gives the greatest absolute value, −∞ the smallest, and 0 the number of elements that are not zero. The
    /// library takes the order as f32. f64 is computed in f32, as CANN has no kernel for it.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[3.0f32, 4.0, -6.0, 8.0], [2, 2])?;
    /// assert_eq!(x.norm(2.0, 1)?.to_vec::<f32>()?, [5.0, 10.0]);
    /// assert_eq!(x.norm(f64::INFINITY, ..)?.to_vec::<f32>()?, [8.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::norm`](crate::ops::norm) takes options.
    ///
    /// # Errors
    /// Those of [`Reduction::run`](crate::ops::Reduction).
    #[doc(alias = "aclnnNorm")]
    #[doc(alias = "aclnnLinalgVectorNorm")]
    pub fn norm(&self, order: f64, axes: impl IntoAxes) -> Result<Tensor> {
        norm(self, order).axes(axes).run()
    }
}

/// Launches a product along all axes, or along one after the other.
#[inline]
fn product<'a>(on: On<'a>, own: &'a Tensor, given: Given<'a>, [out]: [&'a Tensor; 1]) -> Result<()> {
    let [others @ .., last] = given.axes else { return launch::Prod(on, own, given.dtype, out) };
    if given.axes.len() == own.rank() {
        return launch::Prod(on, own, given.dtype, out);
    }
    let stream = on.stream;
    // The axes stay until the last one, so that their numbers do.
    let mut part = None;
    for axis in others.iter().rev() {
        let from = part.as_ref().unwrap_or(own);
        let next = partial(stream, reduced(from.shape(), &[*axis], true), given.dtype)?;
        launch::ProdDim(stream.into(), from, *axis, true, given.dtype, &next)?;
        part = Some(next);
    }
    let Some(part) = part else {
        return launch::ProdDim(on, own, *last, given.keeps, given.dtype, out);
    };
    if given.keeps {
        return launch::ProdDim(stream.into(), &part, *last, true, given.dtype, out);
    }
    let shape = reduced(part.shape(), &[*last], true);
    launch::ProdDim(stream.into(), &part, *last, true, given.dtype, &out.reshape(shape)?)
}

/// Launches the form of Aminmax for one axis, several, or all.
#[inline]
fn both_extremes<'a>(
    on: On<'a>,
    own: &'a Tensor,
    given: Given<'a>,
    [least, most]: [&'a Tensor; 2],
) -> Result<()> {
    match given.axes {
        axes if axes.len() == own.rank() => launch::AminmaxAll(on, own, least, most),
        [axis] => launch::AminmaxDim(on, own, *axis, given.keeps, least, most),
        axes => launch::Aminmax(on, own, axes, given.keeps, least, most),
    }
}
