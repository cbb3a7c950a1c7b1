//! Functions of the tensors of lists: those that the element-wise operators compute, tensor after tensor.
//!
//! `lists` checks what a call passes, `numbers` the numbers beside the lists, and `each` plans a function of the elements at one
//! position. The others are operators that are more than that.

mod copies;
mod each;
mod lists;
mod norm;
mod numbers;
mod unscale;

use cann_kernels::functions::arithmetic::Operation::{Add, Div, Mul, Sub};
use cann_kernels::functions::pairwise;
use cann_kernels::networks::foreach;

use super::call::{Call, Plan};
use super::functions_by_product::{ternary, unary};
use super::phases::entry_points;
use super::signatures;
use crate::status::Result;
use copies::*;
use norm::*;
use unscale::*;

aclnn_sys::foreach_operators!(entry_points);

/// Expands to an operator for each function of the elements at one position.
macro_rules! functions {
    ($($operator:ident = $function:expr;)*) => {$(
        fn $operator(call: &Call<'_>) -> Result<Plan> {
            each::plan(call, signatures::$operator.takes, |compute| ($function)(compute).map(Into::into))
        }
    )*};
}

functions! {
    foreach_abs = unary::abs;
    foreach_acos = unary::acos;
    foreach_asin = unary::asin;
    foreach_atan = unary::atan;
    foreach_cos = unary::cos;
    foreach_cosh = unary::cosh;
    foreach_erf = unary::erf;
    foreach_erfc = unary::erfc;
    foreach_exp = unary::exp;
    foreach_expm1 = unary::expm1;
    foreach_log = unary::log;
    foreach_log10 = unary::log10;
    foreach_log1p = unary::log1p;
    foreach_log2 = unary::log2;
    foreach_neg = unary::negative;
    foreach_reciprocal = unary::reciprocal;
    foreach_sigmoid = unary::sigmoid;
    foreach_sign = unary::sign;
    foreach_sin = unary::sin;
    foreach_sinh = unary::sinh;
    foreach_sqrt = unary::sqrt;
    foreach_tan = unary::tan;
    foreach_tanh = unary::tanh;
    foreach_add_scalar = |compute| Add.in_type(compute);
    foreach_add_list = foreach::add_scaled;
    foreach_add_list_v2 = foreach::add_scaled;
    foreach_sub_scalar = |compute| Sub.in_type(compute);
    foreach_sub_list = foreach::sub_scaled;
    foreach_sub_list_v2 = foreach::sub_scaled;
    foreach_mul_scalar = |compute| Mul.in_type(compute);
    foreach_mul_list = |compute| Mul.in_type(compute);
    foreach_div_scalar = |compute| Div.in_type(compute);
    foreach_div_list = |compute| Div.in_type(compute);
    foreach_maximum_scalar = pairwise::maximum;
    foreach_maximum_list = pairwise::maximum;
    foreach_minimum_scalar = pairwise::minimum;
    foreach_minimum_list = pairwise::minimum;
    foreach_pow_scalar = pairwise::pow;
    foreach_pow_list = pairwise::pow;
    foreach_pow_scalar_and_tensor = pairwise::pow;
    foreach_round_off_number = foreach::round_off;
    foreach_addcdiv = ternary::addcdiv;
    foreach_addcmul = ternary::addcmul;
    foreach_lerp = ternary::lerp;
}
