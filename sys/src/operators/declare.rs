//! The C types that the declaration of an operator becomes.

/// Expands to the type of an operator's parameter of a kind, as C passes it.
///
/// | kind | C | | kind | C |
/// |---|---|---|---|---|
/// | `tensor` | `const aclTensor *`, read | | `i64` | `int64_t` |
/// | `tensor_mut` | `aclTensor *`, only read all the same | | `u64` | `uint64_t` |
/// | `tensor_or_null` `out_or_null` `out_const_or_null` `scalar_or_null` `ints_or_null` `floats_or_null` `bools_or_null` `tensors_or_null` | as without `_or_null`, may be null | | | |
/// | `out` | `aclTensor *`, written | | `i32` | `int32_t` |
/// | `out_const` | `const aclTensor *`, written all the same | | `i8` | `int8_t` |
/// | `inout` | `aclTensor *`, read and written | | `int` | `int` |
/// | `inout_const` | `const aclTensor *`, read and written all the same | | `bool`, `u32` | `bool`, `uint32_t` |
/// | `scalar` `scalar_mut` | `const aclScalar *`, `aclScalar *` | | `f32` | `float` |
/// | `ints` `floats` `bools` | `const aclIntArray *` and so on | | `f64` | `double` |
/// | `ints_mut` `floats_mut` | `aclIntArray *`, `aclFloatArray *` | | `dtype` | `aclDataType` |
/// | `scalars` | `const aclScalarList *` | | `str` | `const char *` |
/// | `tensors` `tensors_mut` | `const aclTensorList *`, `aclTensorList *`, read | | `str_mut` | `char *` |
/// | `tensors_out` `tensors_out_const` | `aclTensorList *`, `const aclTensorList *`, written | | | |
/// | `tensors_inout` `tensors_inout_const` | the same, read and written | | | |
///
/// ```
/// let axis: aclnn_sys::parameter_type!(i64) = -1;
/// let tensor: aclnn_sys::parameter_type!(tensor) = std::ptr::null();
/// # let _: (i64, *const aclnn_sys::aclTensor) = (axis, tensor);
/// ```
#[macro_export]
macro_rules! parameter_type {
    (tensor) => { *const $crate::aclTensor };
    (tensor_mut) => { *mut $crate::aclTensor };
    (tensor_or_null) => { *const $crate::aclTensor };
    (out) => { *mut $crate::aclTensor };
    (out_or_null) => { *mut $crate::aclTensor };
    (out_const) => { *const $crate::aclTensor };
    (out_const_or_null) => { *const $crate::aclTensor };
    (inout) => { *mut $crate::aclTensor };
    (inout_const) => { *const $crate::aclTensor };
    (scalar) => { *const $crate::aclScalar };
    (scalar_mut) => { *mut $crate::aclScalar };
    (scalar_or_null) => { *const $crate::aclScalar };
    (ints_or_null) => { *const $crate::aclIntArray };
    (ints) => { *const $crate::aclIntArray };
    (ints_mut) => { *mut $crate::aclIntArray };
    (floats) => { *const $crate::aclFloatArray };
    (floats_mut) => { *mut $crate::aclFloatArray };
    (floats_or_null) => { *const $crate::aclFloatArray };
    (bools) => { *const $crate::aclBoolArray };
    (bools_or_null) => { *const $crate::aclBoolArray };
    (tensors) => { *const $crate::aclTensorList };
    (tensors_or_null) => { *const $crate::aclTensorList };
    (tensors_mut) => { *mut $crate::aclTensorList };
    (tensors_out) => { *mut $crate::aclTensorList };
    (tensors_out_const) => { *const $crate::aclTensorList };
    (tensors_inout) => { *mut $crate::aclTensorList };
    (tensors_inout_const) => { *const $crate::aclTensorList };
    (scalars) => { *const $crate::aclScalarList };
    (i64) => { i64 };
    (u64) => { u64 };
    (i32) => { i32 };
    (u32) => { u32 };
    (i8) => { i8 };
    (int) => { ::core::ffi::c_int };
    (bool) => { bool };
    (f32) => { f32 };
    (f64) => { f64 };
    (dtype) => { $crate::aclDataType };
    (str) => { *const ::core::ffi::c_char };
    (str_mut) => { *mut ::core::ffi::c_char };
}

/// Expands the declarations of a family into the types of the operators' functions, and what calls each.
macro_rules! family {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[doc = $doc:literal])*
            $function:ident $signature:tt {
                $($Name:ident = $c:literal $parameters:tt $(since $since:literal)?;)*
            }
        )*
    ) => {
        $($crate::operators::declare::function! {
            concat!($($doc),*) => $($Name = $c $parameters;)*
        })*

        /// The functions that call phase one of each operator.
        pub(super) const CALLERS: &[$crate::operators::Caller] = &[
            $($($Name::CALLER,)*)*
        ];
    };
}

/// Expands the forms of one function.
macro_rules! function {
    (
        $doc:expr =>
        $($Name:ident = $c:literal ($($parameter:ident: $kind:ident),* $(,)?);)*
    ) => {
        $(
            #[doc = concat!("`", $c, "`:", $doc)]
            pub type $Name = $crate::operators::Functions<unsafe extern "C" fn(
                $($parameter: $crate::parameter_type!($kind),)*
                workspace_size: *mut u64,
                executor: *mut *mut $crate::aclOpExecutor,
            ) -> $crate::aclnnStatus>;
        )*
    };
}

pub(super) use {family, function};
