//! [`Given`]: a value for a parameter of an operator, by the kind of the parameter.

use std::ffi::{CStr, c_int};

use aclnn_numerics::DType;

use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// A value for a parameter. There is one function per kind of parameter, under its name in the declarations; see
/// [`aclnn_sys::parameter_type!`].
#[derive(Clone, Copy)]
pub enum Given<'g, 'a> {
    /// A tensor that is read.
    Read(&'a Tensor),
    /// A tensor that is written.
    Written(&'a Tensor),
    /// Tensors that are read.
    ReadList(&'g [&'a Tensor]),
    /// Tensors that are written.
    WrittenList(&'a [&'a mut Tensor]),
    /// A number, whose type CANN may not have.
    Scalar(Scalar),
    /// Numbers, whose types CANN may not have.
    Scalars(&'g [Scalar]),
    /// Integers.
    Ints(&'a [i64]),
    /// Floats.
    Floats(&'a [f32]),
    /// Truth values.
    Bools(&'a [bool]),
    /// A text that is read.
    Text(&'a CStr),
    /// A text that the operator may write to.
    TextMut(&'a CStr),
    /// A type, which CANN may not have.
    DType(DType),
    /// A number that is passed as it is.
    Plain(Plain),
    /// A null pointer.
    Null,
}

/// A number that is passed as it is.
#[derive(Clone, Copy)]
pub enum Plain {
    /// An integer of any width.
    Int(i64),
    /// A float of any width.
    Float(f64),
    /// A truth value.
    Bool(bool),
}

/// A tensor that an operator writes: exclusively borrowed by those who call it.
pub trait Written<'a> {
    /// Returns the tensor.
    fn tensor(self) -> &'a Tensor;
}

impl<'a> Written<'a> for &'a Tensor {
    fn tensor(self) -> &'a Tensor {
        self
    }
}

impl<'a> Written<'a> for &'a mut Tensor {
    fn tensor(self) -> &'a Tensor {
        self
    }
}

/// Declares the functions of kinds that differ only in how C passes the same value.
macro_rules! kinds {
    ($($($kind:ident)+ ($value:ident: $type:ty) => $given:expr;)*) => {
        #[allow(missing_docs, reason = "the kinds are documented where they are declared")]
        impl<'g, 'a> Given<'g, 'a> {
            $($(
                #[inline]
                pub fn $kind($value: $type) -> Self {
                    $given
                }
            )+)*
        }
    };
}

kinds! {
    tensor tensor_mut(tensor: &'a Tensor) => Self::Read(tensor);
    tensor_or_null(tensor: Option<&'a Tensor>) => tensor.map_or(Self::Null, Self::Read);
    out out_const inout inout_const(tensor: impl Written<'a>) => Self::Written(tensor.tensor());
    out_or_null out_const_or_null(tensor: Option<impl Written<'a>>) => tensor.map_or(Self::Null, Self::out);
    tensors tensors_mut(tensors: &'g [&'a Tensor]) => Self::ReadList(tensors);
    tensors_or_null(tensors: Option<&'g [&'a Tensor]>) => tensors.map_or(Self::Null, Self::ReadList);
    tensors_out tensors_out_const tensors_inout tensors_inout_const(tensors: &'a [&'a mut Tensor]) =>
        Self::WrittenList(tensors);
    scalar scalar_mut(scalar: impl Into<Scalar>) => Self::Scalar(scalar.into());
    scalar_or_null(scalar: Option<Scalar>) => scalar.map_or(Self::Null, Self::Scalar);
    scalars(scalars: &'g [Scalar]) => Self::Scalars(scalars);
    ints ints_mut(values: &'a [i64]) => Self::Ints(values);
    ints_or_null(values: Option<&'a [i64]>) => values.map_or(Self::Null, Self::Ints);
    floats floats_mut(values: &'a [f32]) => Self::Floats(values);
    floats_or_null(values: Option<&'a [f32]>) => values.map_or(Self::Null, Self::Floats);
    bools(values: &'a [bool]) => Self::Bools(values);
    bools_or_null(values: Option<&'a [bool]>) => values.map_or(Self::Null, Self::Bools);
    str(text: &'a CStr) => Self::Text(text);
    str_mut(text: &'a CStr) => Self::TextMut(text);
    dtype(dtype: DType) => Self::DType(dtype);
    i64(value: i64) => Self::Plain(Plain::Int(value));
    u64(value: u64) => Self::Plain(Plain::Int(value as i64));
    i32(value: i32) => Self::Plain(Plain::Int(value.into()));
    u32(value: u32) => Self::Plain(Plain::Int(value.into()));
    i8(value: i8) => Self::Plain(Plain::Int(value.into()));
    int(value: c_int) => Self::Plain(Plain::Int(value.into()));
    f32(value: f32) => Self::Plain(Plain::Float(value.into()));
    f64(value: f64) => Self::Plain(Plain::Float(value));
    bool(value: bool) => Self::Plain(Plain::Bool(value));
}
