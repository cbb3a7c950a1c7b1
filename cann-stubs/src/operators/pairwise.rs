//! Functions of the elements of two tensors, and what they have in common with comparisons: two operands are promoted to
//! one type and combined.

use std::sync::Arc;

use aclnn_numerics::DType::{self, Bool, F32};
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::{Computes, Promote};
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};
use smallvec::SmallVec;

use super::call::{Call, Operand, Plan, Tasks, workspace};
use super::phases::entry_points;
use super::scalar_types::{self, Operands};
use super::{check, compute_units};
use crate::kernels::arithmetic::{Binary, compute_type};
use crate::kernels::{Block, Conversions, Elementwise, Source, size_of_dtype};
use crate::meta::scalar::Scalar;
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::pairwise_operators!(entry_points);
aclnn_sys::pairwise_operators!(rules);

/// Expands to a function for each operator: its signature with the kernel of the same name.
macro_rules! rules {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[$doc:meta])*
            $function:ident $signature:tt { $($form:tt)* }
        )*
    ) => {$(
        fn $function(call: &Call<'_>) -> Result<Plan> {
            $crate::operators::pairwise::combine(
                call,
                &$crate::operators::declared::$function,
                $crate::kernels::pairwise::$function,
            )
        }
    )*};
}
pub(super) use rules;

/// The second operand.
enum Other {
    Tensor(Operand),
    Scalar(Arc<Scalar>),
}

impl Other {
    fn dtype(&self, signature: &Promote) -> Result<DType> {
        match self {
            Other::Tensor(tensor) => check::dtype(tensor, signature.takes),
            Other::Scalar(scalar) => Ok(scalar.dtype),
        }
    }
}

pub(super) fn combine(
    call: &Call<'_>,
    signature: &Promote,
    function: fn(DType) -> Option<Binary>,
) -> Result<Plan> {
    let own = call.tensor("self")?;
    let other = match call.is_scalar("other") {
        true => Other::Scalar(call.scalar("other")?),
        false => Other::Tensor(call.tensor("other")?),
    };
    let output = call.output()?;
    let (a, b) = (check::dtype(&own, signature.takes)?, other.dtype(signature)?);
    let operands = operand_type(signature, &own, a, &other, b)?;
    let result = signature.result(operands);
    if let Some(list) = signature.output {
        check::dtype(&output, list)?;
    }
    let out = check::output_dtype(&output, result)?;
    let shape = match &other {
        Other::Tensor(other) => check::broadcast_shape(&own, other)?,
        Other::Scalar(_) => own.shape()?.clone(),
    };
    check::rank(&own)?;
    check::output_shape(&output, &shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let compute = compute_type(operands);
    let made = signature.gives.made_of(compute);
    let no_kernel =
        || Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("there is no kernel for {operands}"));
    let source = |input, dtype: DType| -> Result<Source> {
        let conversions = Conversions::through(&[dtype, operands, compute]).ok_or_else(no_kernel)?;
        Ok(Source::Tensor { input, conversions })
    };
    let second = match &other {
        Other::Tensor(_) => source(1, b)?,
        Other::Scalar(scalar) => Source::Constant(constant(scalar, operands, compute).ok_or_else(no_kernel)?),
    };
    let body = Elementwise {
        sources: [source(0, a)?, second].into_iter().collect(),
        scale: None,
        function: Some(function(compute).ok_or_else(no_kernel)?),
        fused: None,
        result: Conversions::through(&[made, result, out]).ok_or_else(no_kernel)?,
        compute_size: size_of_dtype(made),
    };
    let mut inputs: SmallVec<[(&Operand, DType); 2]> = SmallVec::from_slice(&[(&own, a)]);
    if let Other::Tensor(other) = &other {
        inputs.push((other, b));
    }
    let product = settings::get().product;
    let kept = |operand: &Operand, from: DType, to: DType| {
        let count = operand.shape().ok()?.numel()?;
        (from != to || !operand.is_contiguous()).then(|| to.storage_bytes(count)).flatten()
    };
    let temporaries = inputs.iter().map(|(operand, dtype)| kept(operand, *dtype, operands));
    let workspace = workspace(temporaries.chain([kept(&output, out, result)]));
    let conversions = inputs.iter().map(|input| (input.1, operands)).chain([(result, out)]);
    let on_cores = compute_units::adds(product, operands)
        && conversions.into_iter().all(|(from, to)| compute_units::converts(product, from, to));
    let converts = |index: usize| inputs.get(index).map_or(out != result, |input| input.1 != operands);
    let tasks = if on_cores { Tasks::Cores } else { Tasks::Processors };
    Ok(Plan::new(&inputs, (&output, out), &shape, workspace, body)?.converting(converts).by(tasks))
}

/// The type that the operands are converted to.
fn operand_type(signature: &Promote, own: &Operand, a: DType, other: &Other, b: DType) -> Result<DType> {
    if signature.computes == Computes::Truth {
        return Ok(Bool);
    }
    let product = settings::get().product;
    let is_bitwise = |dtype: DType| !dtype.is_float() && !dtype.is_complex();
    let promoted = match other {
        Other::Tensor(tensor) => match (product, own.rank(), tensor.rank()) {
            // A tensor without axes weighs as little as a scalar there.
            (Product::Ascend950, 1.., 0) => scalar_types::combined(a, b)?,
            (Product::Ascend950, 0, 1..) => scalar_types::combined(b, a)?,
            _ => check::promote(a, b)?,
        },
        // Bits have no rule of their own for scalars.
        Other::Scalar(_) if signature.takes.on(product).iter().all(is_bitwise) => check::promote(a, b)?,
        Other::Scalar(scalar) => {
            scalar_types::compares(product, Operands { tensor: a, scalar, alpha: None, out: None })?
        }
    };
    let promoted = match signature.computes {
        Computes::Float if !promoted.is_float() => F32,
        _ => promoted,
    };
    let list = check::types(signature.takes);
    if list.contains(promoted) {
        return Ok(promoted);
    }
    let message = format!("the operands promote to {promoted}, but the operator computes in {list}");
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

/// A scalar as a block of the compute type, after it was converted to the operands' type.
pub(super) fn constant(scalar: &Scalar, operands: DType, compute: DType) -> Option<Box<Block>> {
    let converted = scalar.converted(operands)?;
    let mut element = [0; 16];
    let element = element.get_mut(..size_of_dtype(compute))?;
    let widen = Conversions::through(&[operands, compute])?;
    widen.apply(1, converted.get(..size_of_dtype(operands))?, element, &mut Block::new());
    Some(Box::new(Block::filled_with(element)))
}
