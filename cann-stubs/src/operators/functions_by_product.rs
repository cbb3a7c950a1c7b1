//! Functions of elements that products compute in ways of their own: the only table of such differences.
//!
//! Each module stands for the one of the kernels with this name, and has all that it has.

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;

use crate::settings;

/// Chooses the function of an operator by the emulated product.
macro_rules! by_product {
    ($($(#[$documentation:meta])* $module:ident::$name:ident -> $function:ident: $before:ident, on the 950 $on_950:ident;)*) => {$(
        $(#[$documentation])*
        pub(crate) fn $name(dtype: DType) -> Option<$function> {
            match settings::get().product {
                Product::Ascend950 => cann_kernels::functions::$module::$on_950(dtype),
                _ => cann_kernels::functions::$module::$before(dtype),
            }
        }
    )*};
}

/// Functions of one element.
pub(super) mod unary {
    use cann_kernels::functions::arithmetic::Binary;
    pub(crate) use cann_kernels::functions::unary::*;

    use super::*;

    by_product! {
        /// Before the 950 by comparison with zero, so that −0 and NaN are not negative.
        unary::signbit -> Binary: less_than_zero, on the 950 sign_bit;
        /// Before the 950 each step rounds to the type.
        unary::sinc -> Binary: sinc_in_steps, on the 950 sinc_in_f32;
        /// The factor of the 950 is one of f32, and its −∞ gives −0 and not NaN.
        unary::hard_swish -> Binary: hard_swish, on the 950 hard_swish_narrowed_away;
        unary::hard_sigmoid -> Binary: hard_sigmoid, on the 950 hard_sigmoid_narrowed_away;
        unary::selu -> Binary: selu, on the 950 selu_narrowed_away;
    }
}

/// Functions with attributes.
pub(super) mod parametric {
    use cann_kernels::Many;
    pub(crate) use cann_kernels::functions::parametric::*;

    use super::*;

    by_product! {
        /// The 950 makes 0 of NaN.
        parametric::soft_shrink -> Many: soft_shrink, on the 950 soft_shrink_or_zero;
        parametric::celu -> Many: celu, on the 950 celu_narrowed_away;
    }
}

/// Functions of three tensors and more.
pub(super) mod ternary {
    use cann_kernels::Function;
    pub(crate) use cann_kernels::functions::ternary::*;

    use super::*;

    by_product! {
        /// The 950 multiplies and adds by one instruction, which rounds once.
        ternary::addcmul -> Function: addcmul, on the 950 addcmul_fused;
    }
}

/// Quotients.
pub(super) mod division {
    use cann_kernels::Function;
    pub(crate) use cann_kernels::functions::division::*;

    use super::*;

    by_product! {
        /// On the 950 integers have a quotient by zero too.
        division::trunc_divide -> Function: trunc_divide, on the 950 trunc_divide_always;
    }
}
