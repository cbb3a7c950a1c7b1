//! Products of matrices that are added to a tensor.

use std::fmt;

use aclnn_numerics::promote::Edition;
use aclnn_numerics::types_by_product::Types;
use aclnn_numerics::{DType, Shape};

use super::precision::Precision;
use super::shapes::{has_rank, lies_apart, planned};
use crate::argument_checks::Operation;
use crate::call::{On, launch};
use crate::error::Result;
use crate::ops::prepared::{Prepared, Target, prepared};
use crate::plan::Plan;
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// An operator, and how it is launched.
struct Operator {
    name: &'static str,
    form: &'static str,
    takes: Types,
    /// The axes of both factors.
    ranks: [usize; 2],
    /// The shape of the product of factors of these shapes, whose common axis has one size in both.
    shape: fn(&[usize], &[usize]) -> Option<Shape>,
    launch: for<'a> fn(&AddMatmul<'a>, [&Scalar; 2], &'a Tensor) -> Result<()>,
}

/// A product of matrices times `alpha` that is added to a tensor times `beta`, with options.
///
/// Tensors are f32, f16 or bf16 (not on the 910 and the 310P), in any mix; [`addmv`] and [`addr`] take f64, integers and bool
/// too. The tensor broadcasts to the result. A factor `beta` of 0 leaves the tensor unread, and, where matrices are multiplied,
/// a factor `alpha` of 0 the product: what is not finite there does not reach the result.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct AddMatmul<'a> {
    operator: &'static Operator,
    own: &'a Tensor,
    left: &'a Tensor,
    right: &'a Tensor,
    alpha: Scalar,
    beta: Scalar,
    dtype: Option<DType>,
    precision: Precision,
    stream: Option<&'a Stream>,
}

impl fmt::Debug for AddMatmul<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddMatmul")
            .field("operator", &self.operator.name)
            .field("own", self.own)
            .field("left", self.left)
            .field("right", self.right)
            .field("alpha", &self.alpha)
            .field("beta", &self.beta)
            .field("dtype", &self.dtype)
            .field("precision", &self.precision)
            .field("stream", self.stream())
            .finish()
    }
}

macro_rules! sums {
    ($(
        $(#[$doc:meta])*
        $function:ident = $Form:ident [$left:literal, $right:literal], $shape:expr,
            |$on:ident, $call:ident, $beta:ident, $alpha:ident, $out:ident| $launch:expr;
    )*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $function<'a>(own: &'a Tensor, left: &'a Tensor, right: &'a Tensor) -> AddMatmul<'a> {
            static OPERATOR: Operator = Operator {
                name: stringify!($function),
                form: stringify!($Form),
                takes: signatures::$function.takes,
                ranks: [$left, $right],
                shape: $shape,
                launch: |$call, [$beta, $alpha], $out| {
                    let $on: On<'_> = $call.stream().into();
                    $launch
                },
            };
            AddMatmul::new(&OPERATOR, own, left, right)
        }
    )*};
}

sums! {
    /// Starts `beta · own + alpha · left · right`, for the matrices `left`, `[m, k]`, and `right`, `[k, n]`.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let bias = Tensor::from_slice(&device, &[0.5f32, 1.5], [2])?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// let sum = ops::addmm(&bias, &x, &x).alpha(2).run()?;
    /// assert_eq!(sum.to_vec::<f32>()?, [14.5, 21.5, 30.5, 45.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnAddmm")]
    addmm = Addmm [2, 2], |left, right| match (left, right) {
        ([m, k], [l, n]) if k == l => Some(Shape::from([*m, *n])),
        _ => None,
    }, |on, call, beta, alpha, out| {
        launch::Addmm(on, call.own, call.left, call.right, beta, alpha, out, call.precision.code())
    };

    /// Starts `beta · own + alpha · left · right` for each of the matrices of two batches: `left`, `[b, m, k]`, and `right`,
    /// `[b, k, n]` or `[1, k, n]`.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::arange(&device, 0, 4, 1, DType::F32)?.reshape([2, 1, 2])?;
    /// let sum = ops::baddbmm(&Tensor::ones(&device, [1], DType::F32)?, &x, &x.transpose(1, 2)?).run()?;
    /// assert_eq!(sum.to_vec::<f32>()?, [2.0, 14.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnBaddbmm")]
    baddbmm = Baddbmm [3, 3], |left, right| match (left, right) {
        ([b, m, k], [c, l, n]) if k == l && (c == b || *c == 1) => Some(Shape::from([*b, *m, *n])),
        _ => None,
    }, |on, call, beta, alpha, out| {
        launch::Baddbmm(on, call.own, call.left, call.right, beta, alpha, out, call.precision.code())
    };

    /// Starts `beta · own + alpha · s`, where `s` is the sum of the products of the matrices of two batches: `left`,
    /// `[b, m, k]`, and `right`, `[b, k, n]`; each batch may also have a single matrix.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::arange(&device, 0, 4, 1, DType::F32)?.reshape([2, 1, 2])?;
    /// let sum = ops::addbmm(&Tensor::ones(&device, [1], DType::F32)?, &x, &x.transpose(1, 2)?).run()?;
    /// assert_eq!(sum.to_vec::<f32>()?, [15.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnAddbmm")]
    addbmm = Addbmm [3, 3], |left, right| match (left, right) {
        ([b, m, k], [c, l, n]) if k == l && (c == b || *c == 1 || *b == 1) => Some(Shape::from([*m, *n])),
        _ => None,
    }, |on, call, beta, alpha, out| {
        launch::Addbmm(on, call.own, call.left, call.right, beta, alpha, out, call.precision.code())
    };

    /// Starts `beta · own + alpha · left · right`, for the matrix `left`, `[m, k]`, and the vector `right`, `[k]`.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// let v = Tensor::from_slice(&device, &[1.0f32, 10.0], [2])?;
    /// assert_eq!(ops::addmv(&v, &x, &v).beta(0.5).run()?.to_vec::<f32>()?, [21.5, 48.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnAddmv")]
    addmv = Addmv [2, 1], |left, right| match (left, right) {
        ([m, k], [l]) if k == l => Some(Shape::from([*m])),
        _ => None,
    }, |on, call, beta, alpha, out| {
        launch::Addmv(on, call.own, call.left, call.right, alpha, beta, out, call.precision.code())
    };

    /// Starts `beta · own + alpha · p`, where `p` has the products of each element of the vector `left`, `[n]`, and each of
    /// `right`, `[m]`.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let v = Tensor::from_slice(&device, &[1, 10], [2])?;
    /// assert_eq!(ops::addr(&v, &v, &v).run()?.to_vec::<i32>()?, [2, 20, 11, 110]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnAddr")]
    addr = Addr [1, 1], |left, right| match (left, right) {
        ([n], [m]) => Some(Shape::from([*n, *m])),
        _ => None,
    }, |on, call, beta, alpha, out| {
        launch::Addr(on, call.own, call.left, call.right, Some(*beta), Some(*alpha), out)
    };
}

impl<'a> AddMatmul<'a> {
    #[inline]
    fn new(operator: &'static Operator, own: &'a Tensor, left: &'a Tensor, right: &'a Tensor) -> Self {
        let (alpha, beta) = (one(own.dtype()), one(own.dtype()));
        Self {
            operator,
            own,
            left,
            right,
            alpha,
            beta,
            dtype: None,
            precision: Precision::default(),
            stream: None,
        }
    }

    /// Sets the factor of the product; the default is 1.
    pub fn alpha(mut self, alpha: impl Into<Scalar>) -> Self {
        self.alpha = alpha.into();
        self
    }

    /// Sets the factor of the tensor that is added; the default is 1.
    pub fn beta(mut self, beta: impl Into<Scalar>) -> Self {
        self.beta = beta.into();
        self
    }

    /// Sets how precisely f32 is multiplied.
    #[inline]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    #[inline]
    fn stream(&self) -> &'a Stream {
        self.stream.unwrap_or(self.own.stream())
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Broadcast`](crate::Error::Broadcast), [`Unsupported`](crate::Error::Unsupported),
    /// [`Scalar`](crate::Error::Scalar) and [`Devices`](crate::Error::Devices), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_anew()
    }

    #[inline]
    fn named<'o>(&self) -> Operation<'o>
    where
        'a: 'o,
    {
        Operation::new(self.operator.name, self.stream())
            .tensor("own", self.own)
            .tensor("left", self.left)
            .tensor("right", self.right)
            .scalar("beta", self.beta)
            .scalar("alpha", self.alpha)
    }

    /// The shape and the type of the result, for an output of a type if there is one.
    #[inline]
    fn checked(&self, operation: &Operation<'_>, out: Option<DType>) -> Result<(Shape, DType)> {
        let Operator { form, takes, ranks, .. } = *self.operator;
        operation.placed()?;
        let tensors = [self.own, self.left, self.right];
        for tensor in tensors {
            operation.takes(form, takes, tensor.dtype())?;
        }
        has_rank(operation, "left", self.left, ranks[0])?;
        has_rank(operation, "right", self.right, ranks[1])?;
        let shape = (self.operator.shape)(self.left.shape(), self.right.shape());
        let shape = shape
            .ok_or_else(|| operation.refused("the factors have no product of these shapes".to_owned()))?;
        if operation.broadcast(self.own.shape(), &shape)? != shape {
            let reason = format!("own has shape {}, which does not broadcast to {shape}", self.own.shape());
            return Err(operation.refused(reason));
        }
        self.precision.suits(operation, [self.left.dtype(), self.right.dtype()])?;
        let promote = |a: DType, b: DType| Edition::default().promote(a, b);
        let promoted =
            promote(self.left.dtype(), self.right.dtype()).and_then(|both| promote(self.own.dtype(), both));
        let promoted = promoted.map_err(|why| operation.refused(why.to_string()))?;
        for factor in [self.alpha, self.beta] {
            let is_whole = promoted.is_integer() || promoted == DType::Bool;
            if factor.dtype().is_complex() || is_whole && factor.dtype().is_float() {
                let reason = format!("{factor} does not suit tensors of {promoted}; convert them first");
                return Err(operation.bad_scalar(reason));
            }
        }
        let out = out.or(self.dtype).unwrap_or(promoted);
        operation.takes(form, takes, out)?;
        Ok((shape, out))
    }
}

prepared! {
    ['a] AddMatmul<'a>:
    dtype("Sets the type of the result. The default is the one to which all three tensors promote."),
    on("the tensor that is added"),
    plan,
    run_into("The tensor may be the one that is added, but must not share memory with a factor.")
}

impl Prepared for AddMatmul<'_> {
    type Extra = ();

    #[inline]
    fn operation(&self) -> Result<Operation<'_>> {
        Ok(self.named())
    }

    #[inline]
    fn planned(&self, target: Target<'_>) -> Result<(Plan, ())> {
        let operation = target.named(self.named());
        let (shape, out) = self.checked(&operation, target.dtype())?;
        target.check(&operation, &shape)?;
        lies_apart(&operation, target, [self.left, self.right])?;
        let dtypes = [self.own, self.left, self.right].map(Tensor::dtype);
        Ok((planned(self.operator.name, self.operator.form, &dtypes, shape, out), ()))
    }

    #[inline]
    fn launch(&self, _: &Plan, (): &(), out: &Tensor) -> Result<()> {
        match out.numel() {
            0 => Ok(()),
            _ => (self.operator.launch)(self, [&self.beta, &self.alpha], out),
        }
    }
}

/// The number 1 as a scalar that suits a tensor.
#[inline]
fn one(dtype: DType) -> Scalar {
    match dtype {
        DType::Bool => Scalar::from(true),
        dtype if dtype.is_integer() => Scalar::from(1),
        _ => Scalar::from(1.0f32),
    }
}
