//! The arguments of a call as C passes them.

use std::ffi::c_char;

use aclnn_sys::{
    aclBoolArray, aclDataType, aclFloatArray, aclIntArray, aclScalar, aclScalarList, aclTensor, aclTensorList,
};

/// An argument. Objects are their handles, 0 for null.
#[derive(Clone, Copy)]
pub(crate) enum Argument {
    Tensor(usize),
    Tensors(usize),
    Scalar(usize),
    Scalars(usize),
    Ints(usize),
    Floats(usize),
    Bools(usize),
    DType(aclDataType),
    Int(i64),
    Unsigned(u64),
    Float(f64),
    Bool(bool),
    /// A text that ends with a zero byte, or null.
    Text(*const c_char),
}

/// Expands to the conversions of the C types.
macro_rules! arguments {
    (objects: { $($object:ty => $Object:ident,)* } values: { $($value:ty => $Value:ident,)* }) => {
        $(
            impl From<*const $object> for Argument {
                fn from(object: *const $object) -> Self {
                    Argument::$Object(object.addr())
                }
            }

            impl From<*mut $object> for Argument {
                fn from(object: *mut $object) -> Self {
                    Argument::$Object(object.addr())
                }
            }
        )*
        $(
            impl From<$value> for Argument {
                fn from(value: $value) -> Self {
                    Argument::$Value(value.into())
                }
            }
        )*
    };
}

arguments! {
    objects: {
    aclTensor => Tensor,
    aclTensorList => Tensors,
    aclScalar => Scalar,
    aclScalarList => Scalars,
    aclIntArray => Ints,
    aclFloatArray => Floats,
    aclBoolArray => Bools,
    }
    values: {
    aclDataType => DType,
    i64 => Int,
    i32 => Int,
    i8 => Int,
    u64 => Unsigned,
    u32 => Unsigned,
    f64 => Float,
    f32 => Float,
    bool => Bool,
    }
}

impl From<*const c_char> for Argument {
    fn from(text: *const c_char) -> Self {
        Argument::Text(text)
    }
}

impl From<*mut c_char> for Argument {
    fn from(text: *mut c_char) -> Self {
        Argument::Text(text)
    }
}
