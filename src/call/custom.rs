//! `operator!`: operators that this crate does not declare, such as custom ones.

use std::sync::OnceLock;

use aclnn_sys::operators::Pair;

use crate::backend::Backend;
use crate::error::Result;

/// The functions of an operator, once they were found.
pub type Loaded = OnceLock<Pair>;

/// Returns the functions of the operator with these names of phase two and phase one. They are looked up once; missing ones
/// are looked up again by the next call.
pub fn load(loaded: &Loaded, [phase_two, phase_one]: [&'static str; 2]) -> Result<Pair> {
    match loaded.get() {
        Some(pair) => Ok(*pair),
        None => {
            let pair = Pair::load(Backend::get()?.operator_source(), [phase_one, phase_two])?;
            Ok(*loaded.get_or_init(|| pair))
        }
    }
}

/// Declares operators from other libraries, such as custom ones in `libcust_opapi.so`, as Rust functions.
///
/// A function takes the stream that does the work, then the operator's parameters in the order of its C function
/// `aclnn…GetWorkspaceSize`, each by its kind:
///
/// | kind | in Rust | in C |
/// |---|---|---|
/// | `tensor`, `tensor_mut` | `&Tensor` | `const aclTensor *`, `aclTensor *`, read |
/// | `out`, `inout` | `&mut Tensor` | `aclTensor *`, written |
/// | `out_or_null`, `out_const_or_null` | `Option<&mut Tensor>` | as without `_or_null`, null for `None` |
/// | `out_const`, `inout_const` | `&mut Tensor` | `const aclTensor *`, written all the same |
/// | `tensors`, `tensors_mut` | `&[&Tensor]` | `const aclTensorList *`, `aclTensorList *`, read |
/// | `tensors_out`, `tensors_inout` | `&mut [&mut Tensor]` | `aclTensorList *`, written |
/// | `tensors_out_const`, `tensors_inout_const` | `&mut [&mut Tensor]` | `const aclTensorList *`, written all the same |
/// | `scalar`, `scalars` | `impl Into<Scalar>`, `&[Scalar]` | `const aclScalar *`, `const aclScalarList *` |
/// | `ints`, `floats`, `bools` | `&[i64]`, `&[f32]`, `&[bool]` | `const aclIntArray *` and so on |
/// | `scalar_mut`, `ints_mut`, `floats_mut` | as without `_mut` | the same without `const` |
/// | `tensor_or_null`, `tensors_or_null`, `scalar_or_null`, `ints_or_null`, `floats_or_null`, `bools_or_null` | an `Option` of `&Tensor`, `&[&Tensor]`, [`Scalar`](crate::Scalar), `&[i64]`, `&[f32]`, `&[bool]` | the same as without `_or_null`, null for `None` |
/// | `i64` `u64` `i32` `u32` `i8` `int` `bool` `f32` `f64` | the same, `int` is `i32` | a number |
/// | `dtype` | [`DType`](crate::DType) | `aclDataType` |
/// | `str`, `str_mut` | `&CStr` | `const char *`, `char *` |
///
/// An operator gets its own copies of scalars, of arrays and of the text of `str_mut`: values that it writes there are
/// lost.
///
/// Calls are as safe as those of this crate's own operators: descriptors and executors live long enough, the workspace
/// comes from the pool, and work on tensors of other streams is put in order. Tensors of other devices, tensors of more
/// than eight axes, and outputs that overlap an operand partly are refused before anything is launched.
///
/// # Safety
/// `unsafe extern` covers what no check can find out: that the C functions have these parameters, that the operator
/// reads and writes only the memory that is described to it, and that its first phase refuses arguments that it cannot
/// handle.
///
/// ```
/// use aclnn::{Device, Tensor};
///
/// aclnn::operator! {
///     // As in aclnn_blend.h.
///     unsafe extern "aclnn" {
///         /// `out = left · weight + right · (1 − weight)`
///         pub fn blend = "aclnnBlend"(left: tensor, right: tensor, weight: f64, out: out);
///     }
/// }
///
/// let device = Device::open(0)?;
/// let a = Tensor::zeros(&device, [2], aclnn::DType::F32)?;
/// let mut out = a.copy()?;
/// let missing = blend(&device.stream(), &a, &a, 0.5, &mut out).unwrap_err();
/// assert!(missing.to_string().contains("`aclnnBlendGetWorkspaceSize` is not in"));
/// # Ok::<(), aclnn::Error>(())
/// ```
#[macro_export]
macro_rules! operator {
    (unsafe extern "aclnn" {
        $($(#[$meta:meta])* $vis:vis fn $name:ident = $function:literal(
            $($parameter:ident: $kind:ident),* $(,)?
        );)*
    }) => {$(
        $(#[$meta])*
        ///
        /// # Errors
        /// [`MissingSymbol`]($crate::Error::MissingSymbol) where no library has the operator;
        /// [`Devices`]($crate::Error::Devices), [`Rank`]($crate::Error::Rank), [`Overlap`]($crate::Error::Overlap) and
        /// [`SharedElements`]($crate::Error::SharedElements) before anything is launched;
        /// [`Launch`]($crate::Error::Launch) if the operator refuses.
        #[doc(alias = $function)]
        #[allow(clippy::too_many_arguments)]
        $vis fn $name(
            stream: &$crate::Stream,
            $($parameter: $crate::__parameter!($kind)),*
        ) -> $crate::Result<()> {
            type PhaseOne = unsafe extern "C" fn(
                $($crate::sys::parameter_type!($kind),)*
                *mut u64,
                *mut *mut $crate::sys::aclOpExecutor,
            ) -> $crate::sys::aclnnStatus;
            static LOADED: $crate::__call::Loaded = $crate::__call::Loaded::new();

            let names = [$function, ::core::concat!($function, "GetWorkspaceSize")];
            let pair = $crate::__call::load(&LOADED, names)?;
            let mut call = $crate::__call::Call::new(names, stream);
            $(call.add(::core::stringify!($parameter), $crate::__call::Given::$kind($parameter))?;)*
            call.check()?;
            // SAFETY: the declaration vouches for the functions and what they do.
            unsafe { call.run(false, pair, <PhaseOne as $crate::sys::operators::PhaseOne>::call) }
        }
    )*};
}

/// Expands to the Rust type of a kind of parameter.
#[doc(hidden)]
#[macro_export]
macro_rules! __parameter {
    (tensor) => { &$crate::Tensor };
    (tensor_mut) => { &$crate::Tensor };
    (tensor_or_null) => { ::core::option::Option<&$crate::Tensor> };
    (scalar_or_null) => { ::core::option::Option<$crate::Scalar> };
    (ints_or_null) => { ::core::option::Option<&[i64]> };
    (floats_or_null) => { ::core::option::Option<&[f32]> };
    (bools_or_null) => { ::core::option::Option<&[bool]> };
    (tensors_or_null) => { ::core::option::Option<&[&$crate::Tensor]> };
    (out_or_null) => { ::core::option::Option<&mut $crate::Tensor> };
    (out_const_or_null) => { ::core::option::Option<&mut $crate::Tensor> };
    (out) => { &mut $crate::Tensor };
    (out_const) => { &mut $crate::Tensor };
    (inout) => { &mut $crate::Tensor };
    (inout_const) => { &mut $crate::Tensor };
    (tensors) => { &[&$crate::Tensor] };
    (tensors_mut) => { &[&$crate::Tensor] };
    (tensors_out) => { &mut [&mut $crate::Tensor] };
    (tensors_out_const) => { &mut [&mut $crate::Tensor] };
    (tensors_inout) => { &mut [&mut $crate::Tensor] };
    (tensors_inout_const) => { &mut [&mut $crate::Tensor] };
    (scalar) => { impl Into<$crate::Scalar> };
    (scalar_mut) => { impl Into<$crate::Scalar> };
    (scalars) => { &[$crate::Scalar] };
    (ints) => { &[i64] };
    (ints_mut) => { &[i64] };
    (floats) => { &[f32] };
    (floats_mut) => { &[f32] };
    (bools) => { &[bool] };
    (int) => { ::core::ffi::c_int };
    (dtype) => { $crate::DType };
    (str) => { &::core::ffi::CStr };
    (str_mut) => { &::core::ffi::CStr };
    ($number:ident) => { $number };
}
