//! The fill operators: the checks and the plans of writing one constant to every element.

use aclnn_numerics::DType;
use aclnn_numerics::convert::cann::scalar_converter;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::{Constant, size_of_dtype};

use super::call::{Call, Operand, Plan};
use super::phases::entry_points;
use super::{check, signatures};
use crate::status::{Result, Status};

aclnn_sys::fill_operators!(entry_points);

fn fill_scalar(call: &Call<'_>) -> Result<Plan> {
    let own = call.tensor("self")?;
    let value = call.scalar("value")?;
    let dtype = check::dtype(&own, signatures::fill_scalar.takes)?;
    check::promote(dtype, value.dtype)?;
    fill(&own, dtype, value.dtype, value.bytes())
}

fn zero(call: &Call<'_>) -> Result<Plan> {
    one_number(call, signatures::zero.takes, 0)
}

fn one(call: &Call<'_>) -> Result<Plan> {
    one_number(call, signatures::one.takes, 1)
}

fn one_number(call: &Call<'_>, list: Types, number: u8) -> Result<Plan> {
    let own = call.tensor("self")?;
    let dtype = check::dtype(&own, list)?;
    fill(&own, dtype, DType::U8, &[number])
}

/// Fills with a value that is converted by the rules for scalars.
fn fill(own: &Operand, dtype: DType, from: DType, value: &[u8]) -> Result<Plan> {
    check::rank(own)?;
    let shape = own.shape()?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let convert = scalar_converter(from, dtype).ok_or_else(|| {
        Status::new(
            ACLNN_ERR_INNER_NULLPTR,
            format_args!("there is no kernel that converts {from} to {dtype}"),
        )
    })?;
    let mut element = [0; 16];
    let element = &mut element[..size_of_dtype(dtype)];
    convert(value, element);
    Plan::new(&[], (own, dtype), shape, 0, Constant::new(element))
}
