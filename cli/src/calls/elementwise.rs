//! Functions of each element, of one tensor or of several.

use aclnn::ops::{self, Binary, Elementwise, Factor};
use aclnn::{Scalar, Shape, Tensor};

use super::function::{Function, functions};
use super::operation::Direct;

/// Expands the declarations of functions of one tensor.
macro_rules! unary {
    (
        $family:ident, $Rule:ident:
        $($(#[$doc:meta])* $function:ident $signature:tt { $($Name:ident = $c:literal $parameters:tt $(since $since:literal)?;)* })*
    ) => {
        mod $family {
            use super::*;

            functions! {
                $($function(own: tensor)[$($Name)*] => ops::$function(own);)*
            }
        }
    };
}

aclnn::sys::unary_operators!(unary);

/// Expands the declarations of functions of a tensor and another operand.
macro_rules! binary {
    (
        $family:ident, $Rule:ident:
        $($(#[$doc:meta])* $function:ident $signature:tt { $($Name:ident = $c:literal $parameters:tt $(since $since:literal)?;)* })*
    ) => {
        mod $family {
            use super::*;

            functions! {
                $($function(own: tensor, other: operand)[$($Name)*] => ops::$function(own, other);)*
            }
        }
    };
}

aclnn::sys::binary_operators!(binary);
aclnn::sys::comparison_operators!(binary);
aclnn::sys::pairwise_operators!(binary);

/// Expands the declarations of functions with attributes: those with an example are called as they are declared.
macro_rules! parametric {
    (
        $family:ident, $Rule:ident:
        $($(#[$doc:meta])* $function:ident $signature:tt { $($Name:ident = $c:literal $parameters:tt $(since $since:literal)?;)* })*
    ) => {
        $(
            mod $function {
                use super::*;

                parametric! { @ $function [$($Name)*] $signature }
            }
        )*

        /// The functions, each in a list of its own.
        const PARAMETRIC: &[&[Function]] = &[$($function::FUNCTIONS),*];
    };
    (
        @ $function:ident [$($Name:ident)*]
        (
            $(also: $($also:literal),+;)?
            example: $given:tt $(, $other:ident $values:tt)? $(with $($attribute:ident $kind:ident = $value:literal),+)?
                => $type:ident $result:tt;
            $($field:tt)*
        )
    ) => {
        functions! {
            $function(own: tensor $(, $other: operand)? $($(, $attribute: $kind)+)?)[$($Name)*] =>
                ops::$function(own $(, $other)? $($(, $attribute)+)?);
        }
    };
    (@ $function:ident [$($Name:ident)*] $signature:tt) => {
        pub(super) const FUNCTIONS: &[Function] = &[];
    };
}

mod parametric {
    use super::*;

    aclnn::sys::parametric_operators!(parametric);

    pub(super) const FUNCTIONS: &[&[Function]] = PARAMETRIC;
}

/// Functions that differ from their declarations.
mod others {
    use super::*;

    functions! {
        add(own: tensor, other: operand, alpha: optional_scalar)[Add Adds] => scaled(ops::add(own, other), alpha);
        sub(own: tensor, other: operand, alpha: optional_scalar)[Sub Subs] => scaled(ops::sub(own, other), alpha);
        rsub(own: tensor, other: operand, alpha: optional_scalar)[Rsub Rsubs] => scaled(ops::rsub(own, other), alpha);
        mul(own: tensor, other: operand)[Mul Muls] => ops::mul(own, other);
        div(own: tensor, other: operand)[Div Divs] => ops::div(own, other);
        rdiv(own: tensor, other: operand)[] => ops::rdiv(own, other);
        div_trunc(own: tensor, other: operand)[DivMod DivMods] => ops::div_trunc(own, other);
        rremainder(own: tensor, other: operand)[RemainderScalarTensor] => ops::rremainder(own, other);
        rpow(own: tensor, other: operand)[PowScalarTensor] => ops::rpow(own, other);
        rxlogy(own: tensor, other: operand)[XLogYScalarSelf] => ops::rxlogy(own, other);
        neg(own: tensor)[Neg] => Direct(|| own.neg());
        clamp(own: tensor, min: operand, max: operand)[Clamp ClampTensor] => ops::clamp(own, min, max);
        clamp_min(own: tensor, min: operand)[ClampMin ClampMinTensor] => ops::clamp_min(own, min);
        clamp_max(own: tensor, max: operand)[ClampMax ClampMaxTensor] => ops::clamp_max(own, max);
        gelu_erf(own: tensor)[] => Direct(|| own.gelu_erf());
        gelu_erf_backward(own: tensor, x: operand)[GeluBackwardV2] => ops::gelu_erf_backward(own, x);
        log_sigmoid_backward(own: tensor, x: operand)[LogSigmoidBackward] => ops::log_sigmoid_backward(own, x);
        elu_backward(
            own: tensor, x: operand, alpha: scalar, scale: scalar = "1", input_scale: scalar = "1", is_result: bool = "false"
        )[EluBackward] => ops::elu_backward(own, x, alpha, scale, input_scale, is_result);
        where_(condition: tensor, a: operand, b: operand)[SWhere] => ops::where_(condition, a, b);
        addcmul(own: tensor, tensor1: tensor, tensor2: tensor, value: optional_scalar)[Addcmul] =>
            factored(ops::addcmul(own, tensor1, tensor2), value);
        addcdiv(own: tensor, tensor1: tensor, tensor2: tensor, value: optional_scalar)[Addcdiv] =>
            factored(ops::addcdiv(own, tensor1, tensor2), value);
        lerp(own: tensor, end: tensor, weight: operand)[Lerp Lerps] => ops::lerp(own, end, weight);
        is_close(
            own: tensor, other: tensor, rtol: f64 = "1e-5", atol: f64 = "1e-8", equal_nan: bool = "false"
        )[IsClose] => {
            let close = ops::is_close(own, other).rtol(rtol).atol(atol);
            if equal_nan { close.equal_nan() } else { close }
        };
        equal(own: tensor, other: tensor)[Equal] => truth(own, || own.equal(other));
        is_in(own: tensor, value: value)[IsInTensorScalar] => Direct(|| own.is_in(value));
        contains(own: tensor, value: value)[IsInScalarTensor] => truth(own, || own.contains(value));
        max_n(own: tensor, others: tensors)[MaxN] => ops::max_n(own, &others);
        add_n(own: tensor, others: tensors)[AddN Sum] => ops::add_n(own, &others);
        min_n(own: tensor, others: tensors)[MinN] => ops::min_n(own, &others);
        complex(own: tensor, imaginary: tensor)[Complex] => Direct(|| own.complex(imaginary));
        square(own: tensor)[Square] => Direct(|| own.square());
    }
}

/// Returns the lists of the functions; of two with one name or form the first counts.
pub(super) fn lists() -> impl Iterator<Item = &'static [Function]> {
    let families =
        [others::FUNCTIONS, unary::FUNCTIONS, binary::FUNCTIONS, comparison::FUNCTIONS, pairwise::FUNCTIONS];
    families.into_iter().chain(parametric::FUNCTIONS.iter().copied())
}

fn scaled<'a>(operation: Binary<'a, true>, alpha: Option<Scalar>) -> Binary<'a, true> {
    match alpha {
        Some(alpha) => operation.alpha(alpha),
        None => operation,
    }
}

fn factored<'a>(operation: Elementwise<'a, Factor>, value: Option<Scalar>) -> Elementwise<'a, Factor> {
    match value {
        Some(value) => operation.value(value),
        None => operation,
    }
}

/// Returns a call that answers a question, as a tensor of one element.
fn truth<'a>(
    own: &'a Tensor,
    answer: impl FnOnce() -> aclnn::Result<bool> + 'a,
) -> Direct<impl FnOnce() -> aclnn::Result<Tensor> + 'a> {
    Direct(move || Tensor::from_slice(own.stream(), &[answer()?], Shape::scalar()))
}
