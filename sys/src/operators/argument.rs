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

/// The kind of an argument that a parameter takes.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    Tensor,
    Tensors,
    Scalar,
    Scalars,
    Ints,
    Floats,
    Bools,
    Text,
    DType,
    Int,
    /// A number that is rounded.
    F32,
    F64,
    Bool,
}

impl Argument {
    /// Returns the bits that a parameter gets which takes this kind.
    fn bits(self, taken: Taken) -> Option<u64> {
        let address = match (self, taken) {
            (Argument::Int(value), Taken::Int) => return Some(value as u64),
            (Argument::Bool(value), Taken::Bool) => return Some(value.into()),
            (Argument::Float(value), Taken::F32) => return Some((value as f32).to_bits().into()),
            (Argument::Float(value), Taken::F64) => return Some(value.to_bits()),
            (Argument::DType(value), Taken::DType) => return Some(value.0 as u64),
            (Argument::Tensor(pointer), Taken::Tensor) => pointer.expose_provenance(),
            (Argument::Tensors(pointer), Taken::Tensors) => pointer.expose_provenance(),
            (Argument::Scalar(pointer), Taken::Scalar) => pointer.expose_provenance(),
            (Argument::Scalars(pointer), Taken::Scalars) => pointer.expose_provenance(),
            (Argument::Ints(pointer), Taken::Ints) => pointer.expose_provenance(),
            (Argument::Floats(pointer), Taken::Floats) => pointer.expose_provenance(),
            (Argument::Bools(pointer), Taken::Bools) => pointer.expose_provenance(),
            (Argument::Text(pointer), Taken::Text) => pointer.expose_provenance(),
            (Argument::Null, taken) if !taken.is_number() => 0,
            _ => return None,
        };
        Some(address as u64)
    }
}

impl Taken {
    fn is_number(self) -> bool {
        matches!(self, Taken::DType | Taken::Int | Taken::F32 | Taken::F64 | Taken::Bool)
    }
}

/// Returns the bits of arguments; `None` if they are not as many as are taken, or not of their kinds.
pub(super) fn bits<const N: usize>(arguments: &[Argument], taken: &[Taken; N]) -> Option<[u64; N]> {
    // One function for all numbers of arguments.
    fn put(arguments: &[Argument], taken: &[Taken], bits: &mut [u64]) -> Option<()> {
        for ((argument, taken), bits) in arguments.iter().zip(taken).zip(bits) {
            *bits = argument.bits(*taken)?;
        }
        (arguments.len() == taken.len()).then_some(())
    }
    let mut bits = [0; N];
    put(arguments, taken, &mut bits)?;
    Some(bits)
}

/// The type of a parameter, which is made from the bits of an argument of a kind.
pub trait FromArgument: Sized {
    #[doc(hidden)]
    const TAKEN: Taken;

    #[doc(hidden)]
    fn from_bits(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($type:ty: $taken:ident($bits:ident) => $made:expr;)*) => {$(
        impl FromArgument for $type {
            const TAKEN: Taken = Taken::$taken;

            #[inline]
            fn from_bits($bits: u64) -> Self {
                $made
            }
        }
    )*};
}

numbers! {
    i64: Int(bits) => bits as i64;
    u64: Int(bits) => bits;
    i32: Int(bits) => bits as i32;
    u32: Int(bits) => bits as u32;
    i8: Int(bits) => bits as i8;
    f64: F64(bits) => f64::from_bits(bits);
    f32: F32(bits) => f32::from_bits(bits as u32);
    bool: Bool(bits) => bits != 0;
    aclDataType: DType(bits) => aclDataType(bits as i32);
}

macro_rules! pointers {
    ($($type:ident $taken:ident)*) => {$(
        impl FromArgument for *mut $type {
            const TAKEN: Taken = Taken::$taken;

            #[inline]
            fn from_bits(bits: u64) -> Self {
                std::ptr::with_exposed_provenance_mut(bits as usize)
            }
        }

        impl FromArgument for *const $type {
            const TAKEN: Taken = Taken::$taken;

            #[inline]
            fn from_bits(bits: u64) -> Self {
                std::ptr::with_exposed_provenance(bits as usize)
            }
        }
    )*};
}

pointers! {
    aclTensor Tensor aclTensorList Tensors aclScalar Scalar aclScalarList Scalars
    aclIntArray Ints aclFloatArray Floats aclBoolArray Bools c_char Text
}
