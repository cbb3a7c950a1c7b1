//! Whole quotients, remainders, powers, of which one operand may be a scalar.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::product::Product;
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use cann_kernels::functions::arithmetic::{Binary, compute_type};
use cann_kernels::functions::pairwise;
use cann_kernels::functions::power;

use super::call::{Call, Plan};
use super::combination::no_kernel;
use super::functions_by_product::division;
use super::pairwise::{Pair, Types, Value, accepted, combine, rule};
use super::phases::entry_points;
use super::{check, signatures};
use crate::meta::scalar::Scalar;
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::binary_operators!(entry_points);

fn floor_divide(call: &Call<'_>) -> Result<Plan> {
    let (pair, signature) = (Pair::of(call)?, signatures::floor_divide);
    let given = pair.dtypes(&signature)?;
    let promoted = accepted(&signature, pair.promoted(signature.scalars, given)?)?;
    let operands = signature.result(promoted);
    // Before the 950 every output is accepted to which Cast converts.
    let out = match settings::get().product {
        Product::Ascend950 => check::output_dtype(&pair.output, operands)?,
        _ => check::any_dtype(&pair.output)?,
    };
    let shape = pair.shape()?;
    let compute = compute_type(operands);
    let function = division::floor_divide(compute).ok_or_else(|| no_kernel(operands))?;
    pair.plan(&Types { given, operands, result: operands, out }, compute, &shape, function)
}

fn fmod(call: &Call<'_>) -> Result<Plan> {
    combine(call, &signatures::fmod, division::fmod)
}

fn remainder(call: &Call<'_>) -> Result<Plan> {
    combine(call, &signatures::remainder, division::remainder)
}

fn xlogy(call: &Call<'_>) -> Result<Plan> {
    rule(call, &signatures::xlogy, pairwise::xlogy)
}

fn pow(call: &Call<'_>) -> Result<Plan> {
    let (pair, signature) = (Pair::of(call)?, signatures::pow);
    let product = settings::get().product;
    let given = pair.dtypes(&signature)?;
    let [a, b] = given;
    // The operands must promote as two tensors too.
    check::output_dtype(&pair.output, accepted(&signature, check::promote(a, b)?)?)?;
    let is_double = product != Product::Ascend950 && matches!(pair.values, [Value::Scalar(_), _]) && b == F64;
    let operands = match pair.output.known_dtype() {
        Some(F32) if is_double => F32,
        _ => accepted(&signature, pair.promoted(signature.scalars, given)?)?,
    };
    let out = check::output_dtype(&pair.output, operands)?;
    let shape = pair.shape()?;
    let exponent = match &pair.values {
        [_, Value::Scalar(exponent)] if !shape.is_empty_tensor() => {
            if product == Product::Ascend950 {
                check_exponent(exponent, operands)?;
            }
            exponent.real(F32).filter(|_| !exponent.dtype.is_complex())
        }
        _ => None,
    };
    let mut types = Types { given, operands, result: operands, out };
    let function = match exponent.and_then(|exponent| known(product, exponent as f32, &mut types)) {
        Some(function) => Some(function),
        None => pairwise::pow(compute_type(operands)),
    };
    let function = function.ok_or_else(|| no_kernel(operands))?;
    pair.plan(&types, compute_type(types.operands), &shape, function.into())
}

/// The function for an exponent that is a scalar, if there is one; it takes the base alone. It may compute in another type.
fn known(product: Product, exponent: f32, types: &mut Types) -> Option<Binary> {
    let dtype = types.operands;
    let is_small_float = matches!(dtype, F32 | F16 | BF16);
    if exponent == 1.0 {
        return power::first(compute_type(dtype));
    }
    if exponent == 2.0 {
        let squares = product != Product::Ascend950 || is_small_float || matches!(dtype, I64 | C64 | C128);
        if product != Product::Ascend950 && matches!(dtype, I8 | U8 | I16) {
            (types.operands, types.result) = (I32, I32);
        }
        return if squares { power::square(compute_type(types.operands)) } else { None };
    }
    if is_small_float && product != Product::Ascend910 { power::special(exponent) } else { None }
}

/// The checks of the 950: no negative exponent beside integers, none beyond the type that is computed in.
fn check_exponent(exponent: &Scalar, operands: DType) -> Result {
    let refuse = |why: std::string::String| Err(Status::new(ACLNN_ERR_PARAM_INVALID, why));
    let Some(value) = exponent.real(F64) else { return Ok(()) };
    if operands.is_integer() && value < 0.0 {
        return refuse(format!("the exponent {value} is negative, which {operands} has no powers for"));
    }
    let largest = match operands {
        F32 | C64 => f64::from(f32::MAX),
        F16 => 65504.0,
        BF16 => f64::from(f32::from_bits(0x7F7F_0000)),
        I8 => f64::from(i8::MAX),
        U8 => f64::from(u8::MAX),
        I16 => f64::from(i16::MAX),
        I32 => f64::from(i32::MAX),
        I64 => i64::MAX as f64,
        _ => return Ok(()),
    };
    if value.is_finite() && value.abs() > largest {
        return refuse(format!("the exponent {value} is beyond {operands}, in which the power is computed"));
    }
    Ok(())
}
