//! [`Argument`]: an argument of any kind, for programs that take operators and arguments from data.

use std::ffi::c_char;

use crate::{
    aclBoolArray, aclDataType, aclFloatArray, aclIntArray, aclScalar, aclScalarList, aclTensor, aclTensorList,
};

/// An argument of an operator that is called by its name.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "each is the C type of its name")]
pub enum Argument {
    Tensor(*mut aclTensor),
    Tensors(*mut aclTensorList),
    Scalar(*mut aclScalar),
    Scalars(*mut aclScalarList),
    Ints(*mut aclIntArray),
    Floats(*mut aclFloatArray),
    Bools(*mut aclBoolArray),
    /// A C string.
    Text(*mut c_char),
    DType(aclDataType),
    /// An integer of any width; the bits that a parameter has no place for are dropped.
    Int(i64),
    /// A number that a parameter of type `float` rounds.
    Float(f64),
    Bool(bool),
    /// A null pointer of any type.
    Null,
}

/// The type of a parameter, taken from an argument of the same kind.
pub trait FromArgument: Sized {
    fn from_argument(argument: Argument) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty: $variant:ident($value:ident) => $made:expr;)*) => {$(
        impl FromArgument for $type {
            fn from_argument(argument: Argument) -> Option<Self> {
                match argument {
                    Argument::$variant($value) => Some($made),
                    _ => None,
                }
            }
        }
    )*};
}

numbers! {
    i64: Int(value) => value;
    u64: Int(value) => value as u64;
    i32: Int(value) => value as i32;
    u32: Int(value) => value as u32;
    i8: Int(value) => value as i8;
    f64: Float(value) => value;
    f32: Float(value) => value as f32;
    bool: Bool(value) => value;
    aclDataType: DType(value) => value;
}

macro_rules! pointers {
    ($($type:ident $variant:ident)*) => {$(
        impl FromArgument for *mut $type {
            fn from_argument(argument: Argument) -> Option<Self> {
                match argument {
                    Argument::$variant(pointer) => Some(pointer),
                    Argument::Null => Some(std::ptr::null_mut()),
                    _ => None,
                }
            }
        }

        impl FromArgument for *const $type {
            fn from_argument(argument: Argument) -> Option<Self> {
                <*mut $type>::from_argument(argument).map(<*mut $type>::cast_const)
            }
        }
    )*};
}

pointers! {
    aclTensor Tensor aclTensorList Tensors aclScalar Scalar aclScalarList Scalars
    aclIntArray Ints aclFloatArray Floats aclBoolArray Bools c_char Text
}
