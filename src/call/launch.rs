//! One function per declared operator: takes a stream, tensors and scalars, queues the work.
//!
//! The declaration tells which arguments are read and which are written, and so the order between streams.

// Every declared operator has a function here, even an unused one.
#![allow(non_snake_case, dead_code)]

use aclnn_sys::operators::{Caller, OperatorInfo, Rule};

use super::parameter::Given;
use super::{Call, On};
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
    (floats_mut) => { &'a [f32] };
    (floats_or_null) => { Option<&'a [f32]> };
    (bools) => { &'a [bool] };
    (bools_or_null) => { Option<&'a [bool]> };
    (str) => { &'a std::ffi::CStr };
    (str_mut) => { &'a std::ffi::CStr };
    (dtype) => { aclnn_numerics::DType };
    (i64) => { i64 };
    (u64) => { u64 };
    (i32) => { i32 };
    (u32) => { u32 };
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
            #[inline]
            pub(crate) fn $Name<'a>(on: On<'a>, $($parameter: argument!($kind)),*) -> Result<()> {
                use aclnn_sys::operators::$family::$Name;
                // SAFETY: type and value of this name, and the kinds of the parameters, are of one declaration.
                unsafe { launch(on, &$Name, $Name::CALLER, &[$(Given::$kind($parameter)),*]) }
            }
        )*)*
    };
}

/// Calls a declared operator.
///
/// # Safety
/// `caller` is that of the type of the operator's phase one, and `given` has an argument of the kind of each parameter.
unsafe fn launch<'a>(
    on: On<'a>,
    operator: &'static OperatorInfo,
    caller: Caller,
    given: &[Given<'_, 'a>],
) -> Result<()> {
    let pair = on.stream.device().backend().operators().get(operator)?;
    let [phase_one, phase_two] = operator.c_names();
    let mut call = Call::on([phase_two, phase_one], on);
    for (parameter, given) in operator.parameters.iter().zip(given) {
        call.add(parameter.name, *given)?;
    }
    // Two draws of random numbers are never of one kind, so that none would be found again.
    let reuse = !matches!(operator.rule, Rule::Random);
    // SAFETY: the pair is that of the declaration, and so are `caller` and the kinds of the arguments, as who calls this
    // function vouches; declared operators are composed of others.
    unsafe { call.run(reuse, pair, caller) }
}

/// Expands to the functions of every family.
macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        $(aclnn_sys::$operators!(functions);)*
    };
}

aclnn_sys::operator_families!(families);
