//! Functions of each element of one tensor.

use std::fmt;

use aclnn_numerics::DType::{self, Bool, F32};
use aclnn_numerics::signature;
use smallvec::{SmallVec, smallvec};

use super::prepared::{InPlace, OTHERS, Prepared, Target, follow, prepared};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::operand::Operand;
use crate::plan::{CastBy, Plan, Role, Step, casts};
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// An operator: its declaration, and how it is launched.
struct Operator {
    name: &'static str,
    /// The C name.
    form: &'static str,
    signature: signature::Unary,
    launch: for<'a> fn(&'a Stream, &'a Tensor, &'a Tensor) -> Result<()>,
    in_place: Option<InPlace<()>>,
}

/// A function of each element of a tensor, with options.
///
/// The result has the type of the tensor, except that
///
/// - integers and bool become f32 for functions whose results are no integers, such as [`exp`];
/// - a test such as [`is_finite`] gives bool;
/// - the absolute value and the real part of a complex number are real.
///
/// How exact a device is, CANN does not state. The emulator computes in f64 and rounds once, so that results in f32, f16 and
/// bf16 are the nearest number or its neighbour.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Unary<'a> {
    operator: &'static Operator,
    own: &'a Tensor,
    dtype: Option<DType>,
    stream: Option<&'a Stream>,
}

impl fmt::Debug for Unary<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unary")
            .field("operator", &self.operator.name)
            .field("own", self.own)
            .field("dtype", &self.dtype)
            .field("stream", self.stream())
            .finish()
    }
}

prepared! {
    ['a] Unary<'a>:
    dtype("Sets the type of the result, to which it is converted."),
    on("the tensor"),
    plan,
    run_into("The tensor may be the operand itself, but must not overlap it partly.")
}

impl<'a> Unary<'a> {
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
    /// [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank), [`Unsupported`](crate::Error::Unsupported),
    /// [`NoCast`](crate::Error::NoCast) and [`OutputDType`](crate::Error::OutputDType), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_anew()
    }
}

impl Prepared for Unary<'_> {
    type Extra = ();

    #[inline]
    fn operation(&self) -> Result<Operation<'_>> {
        Ok(self.named(self.operator.name))
    }

    #[inline]
    fn planned(&self, target: Target<'_>) -> Result<(Plan, ())> {
        let Operator { name, form, signature, in_place, .. } = self.operator;
        let in_place = in_place.as_ref().filter(|_| target.is_in_place());
        let name = in_place.map_or(*name, |in_place| in_place.name);
        let operation = target.named(self.named(name));
        operation.placed()?;
        target.check(&operation, self.own.shape())?;
        let own = self.own.dtype();
        let computed = signature.result(own);
        let wanted = target.dtype().or(self.dtype).unwrap_or(computed);
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        // What the operator does not take is cast where that changes nothing: an integer, to the float it is computed in.
        let widens = (own.is_integer() || own == Bool) && computed == F32;
        let operand = match operation.takes(form, signature.takes, own) {
            Ok(()) => own,
            Err(_) if widens && operation.takes(form, signature.takes, F32).is_ok() => {
                casts::cast_operand(&operation, Role::Own, self.own, F32, &mut steps)?;
                F32
            }
            Err(refused) => return Err(refused),
        };
        // A result that the library gives to no other type is cast afterwards.
        let direct = wanted == computed
            || operation.product().is_some_and(|product| {
                signature.refuses_output(product, operand, wanted).is_none()
                    && signature.computed(operand, wanted).result == computed
            });
        target.accepts(&operation, computed, wanted)?;
        let written = if direct { wanted } else { computed };
        let takes = |form: &InPlace<()>| {
            operation.takes(form.form, signature.in_place.unwrap_or(signature.takes), own).is_ok()
        };
        let in_place =
            in_place.filter(|form| target.is_written_in_place() && direct && operand == own && takes(form));
        steps.push(Step::Compute {
            operator: in_place.map_or(*form, |in_place| in_place.form),
            in_place: in_place.is_some(),
            operands: smallvec![operand],
            out: written,
        });
        if !direct {
            operation.castable(computed, wanted)?;
            steps.push(Step::Cast { operand: Role::Result, from: computed, to: wanted, by: CastBy::Cast });
        }
        let shape = self.own.shape().clone();
        Ok((Plan { operator: name, steps, compute: computed, out: wanted, shape, choice: None }, ()))
    }

    #[inline]
    fn launch(&self, plan: &Plan, (): &(), out: &Tensor) -> Result<()> {
        let (operation, stream) = (self.operation()?, self.stream());
        let operands = [(Role::Own, Operand::Tensor(self.own))];
        follow(&operation, plan, &operands, out, |operands, out| {
            match (operands, out, &self.operator.in_place) {
                ([own], Some(out), _) => (self.operator.launch)(stream, own, out),
                (operands, None, Some(in_place)) => (in_place.launch)(stream, operands, &()),
                _ => Err(OTHERS),
            }
        })
    }
}

/// Expands to the type of the numbers of an example.
macro_rules! example_type {
    () => {
        "f32"
    };
    ($type:ident) => {
        stringify!($type)
    };
}

/// Expands to the form in place.
macro_rules! in_place {
    ($function:ident) => {
        None
    };
    ($function:ident $InPlace:ident) => {
        Some(InPlace {
            name: concat!(stringify!($function), "_in_place"),
            form: stringify!($InPlace),
            launch: |stream, operands, ()| match operands {
                [own] => launch::$InPlace(stream.into(), own),
                _ => Err(OTHERS),
            },
        })
    };
}

/// Expands the declarations to a function and a method for each operator, and one in place where CANN has it.
macro_rules! functions {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident ($(also: $($also:literal),+;)? example: $given:tt $(as $from:ident)? => $type:ident $result:tt; $($field:tt)*) {
                $Name:ident = $c:literal ($own:ident: $own_kind:ident, $out:ident: $out_kind:ident);
                $($InPlace:ident = $in_place_c:literal $in_place:tt;)?
            }
        )*
    ) => {$(
        /// Prepares a function of each element:
        $(#[doc = $doc])*
        ///
        /// Nothing is launched before [`Unary::run`].
        #[doc(alias = $c)]
        #[inline]
        pub fn $function(own: &Tensor) -> Unary<'_> {
            const OPERATOR: &Operator = &Operator {
                name: stringify!($function),
                form: stringify!($Name),
                signature: signatures::$function,
                launch: |stream, own, out| launch::$Name(stream.into(), own, out),
                in_place: in_place!($function $($InPlace)?),
            };
            Unary { operator: OPERATOR, own, dtype: None, stream: None }
        }

        impl Tensor {
            /// Computes a function of each element:
            $(#[doc = $doc])*
            ///
            /// ```
            /// use aclnn::{Device, Tensor};
            ///
            /// let device = Device::open(0)?;
            #[doc = concat!("let x: &[", example_type!($($from)?), "] = &", stringify!($given), ";")]
            #[doc = concat!("let y = Tensor::from_slice(&device, x, x.len())?.", stringify!($function), "()?;")]
            #[doc = concat!("assert_eq!(y.to_vec::<", stringify!($type), ">()?, ", stringify!($result), ");")]
            /// # Ok::<(), aclnn::Error>(())
            /// ```
            ///
            #[doc = concat!("[`ops::", stringify!($function), "`](crate::ops::", stringify!($function), ") takes options.")]
            ///
            /// # Errors
            /// Those of [`Unary::run`](crate::ops::Unary::run).
            #[doc(alias = $c)]
            $($(#[doc(alias = $also)])+)?
            #[inline]
            pub fn $function(&self) -> Result<Tensor> {
                $function(self).run()
            }
        }
    )*};
}

aclnn_sys::unary_operators!(functions);

/// Expands to the methods that replace the elements of a tensor; what they do is in the declarations.
macro_rules! methods_in_place {
    ($($function:ident $in_place:ident $alias:literal: $given:tt => $result:tt;)*) => {
        impl Tensor {
            $(
                #[doc = concat!("Computes [`", stringify!($function), "`](Tensor::", stringify!($function), ") in place: the result replaces the elements of the tensor, which keeps its type and shape.")]
                ///
                /// ```
                /// use aclnn::{Device, Tensor};
                ///
                /// let device = Device::open(0)?;
                #[doc = concat!("let x: &[f32] = &", stringify!($given), ";")]
                /// let mut x = Tensor::from_slice(&device, x, x.len())?;
                #[doc = concat!("x.", stringify!($in_place), "()?;")]
                #[doc = concat!("assert_eq!(x.to_vec::<f32>()?, ", stringify!($result), ");")]
                /// # Ok::<(), aclnn::Error>(())
                /// ```
                ///
                /// # Errors
                /// Those of [`Unary::run_into`](crate::ops::Unary::run_into);
                /// [`OutputDType`](crate::Error::OutputDType) also if an integer would have to hold fractions.
                #[doc(alias = $alias)]
                #[inline]
                pub fn $in_place(&mut self) -> Result<()> {
                    $function(self).run_to(Target::InPlace(self))
                }
            )*
        }
    };
}

methods_in_place! {
    exp exp_in_place "aclnnInplaceExp": [0.0, 1.0] => [1.0, 2.7182817];
    exp2 exp2_in_place "aclnnInplaceExp2": [0.0, 3.0] => [1.0, 8.0];
    expm1 expm1_in_place "aclnnInplaceExpm1": [0.0, 1.0] => [0.0, 1.7182819];
    log log_in_place "aclnnInplaceLog": [1.0, 10.0] => [0.0, 2.3025851];
    log2 log2_in_place "aclnnInplaceLog2": [1.0, 8.0] => [0.0, 3.0];
    log10 log10_in_place "aclnnInplaceLog10": [1.0, 1000.0] => [0.0, 3.0];
    log1p log1p_in_place "aclnnInplaceLog1p": [0.0, 1.0] => [0.0, 0.6931472];
    sqrt sqrt_in_place "aclnnInplaceSqrt": [4.0, 2.0] => [2.0, 1.4142135];
    rsqrt rsqrt_in_place "aclnnInplaceRsqrt": [4.0, 0.25] => [0.5, 2.0];
    reciprocal reciprocal_in_place "aclnnInplaceReciprocal": [4.0, -0.5] => [0.25, -2.0];
    sigmoid sigmoid_in_place "aclnnInplaceSigmoid": [0.0, 2.0] => [0.5, 0.8807971];
    sin sin_in_place "aclnnInplaceSin": [0.0, 1.0] => [0.0, 0.84147096];
    cos cos_in_place "aclnnInplaceCos": [0.0, 1.0] => [1.0, 0.5403023];
    tan tan_in_place "aclnnInplaceTan": [0.0, 1.0] => [0.0, 1.5574077];
    asin asin_in_place "aclnnInplaceAsin": [0.0, 1.0] => [0.0, 1.5707964];
    acos acos_in_place "aclnnInplaceAcos": [1.0, 0.0] => [0.0, 1.5707964];
    atan atan_in_place "aclnnInplaceAtan": [0.0, 1.0] => [0.0, 0.7853982];
    sinh sinh_in_place "aclnnInplaceSinh": [0.0, 1.0] => [0.0, 1.1752012];
    cosh cosh_in_place "aclnnInplaceCosh": [0.0, 1.0] => [1.0, 1.5430807];
    tanh tanh_in_place "aclnnInplaceTanh": [0.0, 1.0] => [0.0, 0.7615942];
    asinh asinh_in_place "aclnnInplaceAsinh": [0.0, 1.0] => [0.0, 0.8813736];
    acosh acosh_in_place "aclnnInplaceAcosh": [1.0, 2.0] => [0.0, 1.316958];
    atanh atanh_in_place "aclnnInplaceAtanh": [0.0, 0.5] => [0.0, 0.54930615];
    erf erf_in_place "aclnnInplaceErf": [0.0, 1.0] => [0.0, 0.8427008];
    erfc erfc_in_place "aclnnInplaceErfc": [0.0, 1.0] => [1.0, 0.1572992];
    erfinv erfinv_in_place "aclnnInplaceErfinv": [0.0, 0.5] => [0.0, 0.47693628];
    floor floor_in_place "aclnnInplaceFloor": [-1.5, 2.5] => [-2.0, 2.0];
    ceil ceil_in_place "aclnnInplaceCeil": [-1.5, 2.5] => [-1.0, 3.0];
    trunc trunc_in_place "aclnnInplaceTrunc": [-1.5, 2.5] => [-1.0, 2.0];
    frac frac_in_place "aclnnInplaceFrac": [-1.25, 2.5] => [-0.25, 0.5];
    round round_in_place "aclnnInplaceRound": [0.5, 1.5, 2.5] => [0.0, 2.0, 2.0];
    negative negative_in_place "aclnnInplaceNeg": [-1.5, 2.0] => [1.5, -2.0];
    sinc sinc_in_place "aclnnInplaceSinc": [0.0, 0.5] => [1.0, 0.63661975];
    logical_not logical_not_in_place "aclnnInplaceLogicalNot": [0.0, 2.0] => [1.0, 0.0];
    relu relu_in_place "aclnnInplaceRelu": [-1.5, 2.0] => [0.0, 2.0];
    mish mish_in_place "aclnnInplaceMish": [-1.0, 1.0] => [-0.30340147, 0.8650984];
    hard_swish hard_swish_in_place "aclnnInplaceHardswish": [-1.0, 4.0] => [-0.33333334, 4.0];
    hard_sigmoid hard_sigmoid_in_place "aclnnInplaceHardsigmoid": [-3.0, 0.0] => [0.0, 0.5];
    selu selu_in_place "aclnnInplaceSelu": [-1.0, 2.0] => [-1.1113307, 2.101402];
}
