//! [`Argument`]: an argument of any kind, for programs that take operators and arguments from data.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

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
    /// Returns what a parameter gets that takes this kind.
    fn word(self, taken: Taken) -> Option<Word> {
        let bits = match (self, taken) {
            (Argument::Int(value), Taken::Int) => value as u64,
            (Argument::Bool(value), Taken::Bool) => value.into(),
            (Argument::Float(value), Taken::F32) => (value as f32).to_bits().into(),
            (Argument::Float(value), Taken::F64) => value.to_bits(),
            (Argument::DType(value), Taken::DType) => value.0 as u64,
            (argument, taken) => return Some(Word { pointer: argument.pointer(taken)? }),
        };
        Some(Word { bits })
    }

    /// Returns the pointer that a parameter gets which takes this kind of pointers.
    fn pointer(self, taken: Taken) -> Option<*mut c_void> {
        Some(match (self, taken) {
            (Argument::Tensor(pointer), Taken::Tensor) => pointer.cast(),
            (Argument::Tensors(pointer), Taken::Tensors) => pointer.cast(),
            (Argument::Scalar(pointer), Taken::Scalar) => pointer.cast(),
            (Argument::Scalars(pointer), Taken::Scalars) => pointer.cast(),
            (Argument::Ints(pointer), Taken::Ints) => pointer.cast(),
            (Argument::Floats(pointer), Taken::Floats) => pointer.cast(),
            (Argument::Bools(pointer), Taken::Bools) => pointer.cast(),
            (Argument::Text(pointer), Taken::Text) => pointer.cast(),
            (Argument::Null, taken) if !taken.is_number() => null_mut(),
            _ => return None,
        })
    }
}

impl Taken {
    fn is_number(self) -> bool {
        matches!(self, Taken::DType | Taken::Int | Taken::F32 | Taken::F64 | Taken::Bool)
    }
}

/// The value of a parameter of any type: its first bytes are those of the value.
#[derive(Clone, Copy)]
pub(super) union Word {
    pub(super) bits: u64,
    pointer: *mut c_void,
}

// A narrow integer is the first bytes of a wide one.
const _: () = assert!(cfg!(target_endian = "little"), "arguments are passed by their first bytes");

/// Writes the values of arguments; returns whether they are as many as are taken, and of their kinds.
pub(super) fn put(arguments: &[Argument], taken: &[Taken], words: &mut [Word]) -> bool {
    let each = arguments.iter().zip(taken).zip(words);
    let mut put = each.map(|((argument, taken), word)| argument.word(*taken).map(|value| *word = value));
    arguments.len() == taken.len() && put.all(|put| put.is_some())
}

/// The type of a parameter, which takes a kind of argument.
///
/// # Safety
/// The first bytes of a [`Word`] for an argument of this kind are a value of the type, which is no larger than a word and needs
/// no other alignment.
pub unsafe trait FromArgument: Copy {
    #[doc(hidden)]
    const TAKEN: Taken;
}

macro_rules! takes {
    ($($type:ty: $taken:ident;)*) => {$(
        // SAFETY: `Argument::word` writes a value of this type, a wider integer or a pointer to another type.
        unsafe impl FromArgument for $type {
            const TAKEN: Taken = Taken::$taken;
        }

        const _: () = assert!(size_of::<$type>() <= size_of::<Word>() && align_of::<$type>() <= align_of::<Word>());
    )*};
}

takes! {
    i64: Int;
    u64: Int;
    i32: Int;
    u32: Int;
    i8: Int;
    f64: F64;
    f32: F32;
    bool: Bool;
    aclDataType: DType;
}

macro_rules! pointers {
    ($($type:ident $taken:ident)*) => {
        takes! { $(*const $type: $taken; *mut $type: $taken;)* }
    };
}

pointers! {
    aclTensor Tensor aclTensorList Tensors aclScalar Scalar aclScalarList Scalars
    aclIntArray Ints aclFloatArray Floats aclBoolArray Bools c_char Text
}
