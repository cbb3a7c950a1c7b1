//! One function per declared operator: takes a stream, tensors and scalars, queues the work.
//!
//! The declaration tells which arguments are read and which are written, and so the order between streams.

// Every declared operator has a function here, even an unused one.
#![allow(non_snake_case, dead_code)]

use aclnn_sys::operators::Rule;

use super::{Call, On, Pass};
use crate::error::Result;

/// Expands to the type of an argument of a kind.
macro_rules! argument {
    (scalar) => { &$crate::scalar::Scalar };
    (scalar_mut) => { $crate::scalar::Scalar };
    (scalar_or_null) => { Option<$crate::scalar::Scalar> };
    (scalars) => { &[$crate::scalar::Scalar] };
    (tensor_or_null) => { Option<&'a $crate::tensor::Tensor> };
    (out_or_null) => { Option<&'a $crate::tensor::Tensor> };
    (out_const_or_null) => { Option<&'a $crate::tensor::Tensor> };
    (tensors) => { &[&'a $crate::tensor::Tensor] };
    (tensors_or_null) => { Option<&[&'a $crate::tensor::Tensor]> };
    (tensors_mut) => { &[&'a $crate::tensor::Tensor] };
    (tensors_out_const) => { &'a [&'a mut $crate::tensor::Tensor] };
    (tensors_out) => { &'a [&'a mut $crate::tensor::Tensor] };
    (tensors_inout_const) => { &'a [&'a mut $crate::tensor::Tensor] };
    (tensors_inout) => { &'a [&'a mut $crate::tensor::Tensor] };
    (ints) => { &'a [i64] };
    (ints_mut) => { &'a [i64] };
    (ints_or_null) => { Option<&'a [i64]> };
    (floats) => { &'a [f32] };
    (floats_or_null) => { Option<&'a [f32]> };
    (bools) => { &'a [bool] };
    (bools_or_null) => { Option<&'a [bool]> };
    (str) => { &'a std::ffi::CStr };
    (str_mut) => { &'a std::ffi::CStr };
    (dtype) => { aclnn_numerics::DType };
    (i64) => { i64 };
    (u64) => { u64 };
    (i32) => { i32 };
    (i8) => { i8 };
    (int) => { std::ffi::c_int };
    (bool) => { bool };
    (f32) => { f32 };
    (f64) => { f64 };
    ($tensor:ident) => { &'a $crate::tensor::Tensor };
}

macro_rules! functions {
    (
        $family:ident, $rule:ident:
        $(
            $(#[$doc:meta])*
            $function:ident $signature:tt {
                $($Name:ident = $c:literal ($($parameter:ident: $kind:ident),* $(,)?) $(since $since:literal)?;)*
            }
        )*
    ) => {
        $($(
            #[allow(clippy::too_many_arguments)]
            pub(crate) fn $Name<'a>(on: On<'a>, $($parameter: argument!($kind)),*) -> Result<()> {
                // Two draws of random numbers are never of one kind, so that none would be found again.
                const REUSES: bool = !matches!(Rule::$rule, Rule::Random);
                let operator = on.stream.device().backend().operators().$Name()?;
                let names = [$c, concat!($c, "GetWorkspaceSize")];
                let mut call = Call::on(names, on);
                $(let $parameter = call.$kind(stringify!($parameter).trim_end_matches('_'), $parameter)?;)*
                // SAFETY: the operator's own phases, with what `call` made of the arguments; declared operators are
                // composed of others.
                unsafe {
                    call.run(REUSES, operator.launcher(), |descriptors, size, executor| {
                        operator.get_workspace_size($($parameter.pass(descriptors),)* size, executor)
                    })
                }
            }
        )*)*
    };
}

/// Expands to the functions of every family.
macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        $(aclnn_sys::$operators!(functions);)*
    };
}

aclnn_sys::operator_families!(families);
