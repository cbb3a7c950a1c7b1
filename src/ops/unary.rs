//! Functions of each element of one tensor.

use std::fmt;

use aclnn_numerics::DType::{self, Bool, F32};
use aclnn_numerics::promote::output;
use aclnn_numerics::signature;
use smallvec::{SmallVec, smallvec};

use super::cast::cast_into;
use super::copy::write_bits;
use crate::argument_checks::{Operation, written_as};
use crate::call::launch;
use crate::declared;
use crate::error::{Error, Result};
use crate::plan::{CastBy, Plan, Role, Step, casts};
use crate::stream::Stream;
use crate::tensor::Tensor;

/// An operator: its declaration, and how it is launched.
struct Operator {
    name: &'static str,
    /// The C name.
    form: &'static str,
    signature: signature::Unary,
    launch: for<'a> fn(&'a Stream, &'a Tensor, &'a Tensor) -> Result<()>,
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unary")
            .field("operator", &self.operator.name)
            .field("own", self.own)
            .field("dtype", &self.dtype)
            .field("stream", self.stream())
            .finish()
    }
}

impl<'a> Unary<'a> {
    /// Sets the type of the result, to which it is converted.
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

    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`Unary::run`] that are found before anything is launched.
    pub fn plan(&self) -> Result<Plan> {
        self.planned(None)
    }

    fn planned(&self, out: Option<&Tensor>) -> Result<Plan> {
        let Operator { name, form, signature, .. } = self.operator;
        let mut operation = Operation::new(name, self.stream()).tensor("self", self.own);
        if let Some(out) = out {
            operation = operation.tensor("out", out);
        }
        operation.placed()?;
        if let Some(out) = out {
            operation.writable("out", out, self.own.shape())?;
        }
        let own = self.own.dtype();
        let computed = signature.result(own);
        let wanted = out.map(Tensor::dtype).or(self.dtype).unwrap_or(computed);
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
        if !casts::casts_result(computed, wanted) {
            let rule = output::refused(computed, wanted).unwrap_or_default();
            let (operator, operands) = (operation.operator, operation.operands());
            let in_place = false;
            return Err(Error::OutputDType { operator, operands, computed, out: wanted, rule, in_place });
        }
        let written = if direct { wanted } else { computed };
        steps.push(Step::Compute {
            operator: form,
            in_place: false,
            operands: smallvec![operand],
            out: written,
        });
        if !direct {
            operation.castable(computed, wanted)?;
            steps.push(Step::Cast { operand: Role::Result, from: computed, to: wanted, by: CastBy::Cast });
        }
        let shape = self.own.shape().clone();
        Ok(Plan { operator: name, steps, compute: computed, out: wanted, shape, choice: None })
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Devices`](Error::Devices), [`Rank`](Error::Rank), [`Unsupported`](Error::Unsupported),
    /// [`NoCast`](Error::NoCast) and [`OutputDType`](Error::OutputDType), all before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    pub fn run(&self) -> Result<Tensor> {
        let plan = self.planned(None)?;
        let out = self.empty(plan.out)?;
        self.launch(&plan, &out)?;
        Ok(out)
    }

    /// Queues the operation, with the result in a tensor of exactly its shape and of any type that [`Unary::dtype`]
    /// accepts. The tensor may be the operand itself, but must not overlap it partly.
    ///
    /// # Errors
    /// Those of [`Unary::run`], and [`OutputShape`](Error::OutputShape), [`Overlap`](Error::Overlap),
    /// [`SharedElements`](Error::SharedElements) and [`SharedBytes`](Error::SharedBytes), before anything is launched.
    pub fn run_into(&self, out: &mut Tensor) -> Result<()> {
        self.run_to(out)
    }

    fn run_to(&self, out: &Tensor) -> Result<()> {
        let plan = self.planned(Some(out))?;
        match written_as(out) {
            None => self.launch(&plan, out),
            Some(signed) => {
                let result = self.empty(plan.out)?;
                self.launch(&plan, &result)?;
                write_bits(self.stream(), out, &result, signed)
            }
        }
    }

    fn empty(&self, dtype: DType) -> Result<Tensor> {
        Operation::new(self.operator.name, self.stream())
            .tensor("self", self.own)
            .empty(self.own.shape(), dtype)
    }

    fn launch(&self, plan: &Plan, out: &Tensor) -> Result<()> {
        let stream = self.stream();
        let (mut cast, mut computed) = (None, None);
        for step in &plan.steps {
            match step {
                Step::Cast { operand: Role::Result, by, .. } => {
                    let computed =
                        computed.as_ref().ok_or(Error::Internal { what: "a Cast of no result" })?;
                    cast_into(stream, computed, out, *by)?;
                }
                Step::Cast { to, by, .. } => {
                    let operand = self.empty(*to)?;
                    cast_into(stream, self.own, &operand, *by)?;
                    cast = Some(operand);
                }
                Step::Compute { out: written, .. } => {
                    let own = cast.as_ref().unwrap_or(self.own);
                    if *written == out.dtype() {
                        (self.operator.launch)(stream, own, out)?;
                    } else {
                        let result = self.empty(*written)?;
                        (self.operator.launch)(stream, own, &result)?;
                        computed = Some(result);
                    }
                }
                Step::Fill { .. } => return Err(Error::Internal { what: "a fill without a scalar" }),
            }
        }
        Ok(())
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

/// Expands the declarations to a function and a method for each operator, and one in place where CANN has it.
macro_rules! functions {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident (example: $given:tt $(as $from:ident)? => $type:ident $result:tt; $($field:tt)*) {
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
        pub fn $function(own: &Tensor) -> Unary<'_> {
            const OPERATOR: &Operator = &Operator {
                name: stringify!($function),
                form: stringify!($Name),
                signature: declared::$function,
                launch: |stream, own, out| launch::$Name(stream.into(), own, out),
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
            pub fn $function(&self) -> Result<Tensor> {
                $function(self).run()
            }
        }
    )*};
}

aclnn_sys::unary_operators!(functions);
