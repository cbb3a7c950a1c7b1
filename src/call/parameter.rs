//! The arguments of a call by the kinds of parameters.

use std::ffi::{CStr, c_char, c_int};

use aclnn_numerics::DType;
use aclnn_sys::{
    aclBoolArray, aclDataType, aclFloatArray, aclIntArray, aclScalar, aclScalarList, aclTensor, aclTensorList,
};

use super::Call;
use super::argument::{Argument, Slot};
use crate::error::Result;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

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

/// One method per kind of parameter, under its name in the declarations; see [`aclnn_sys::parameter_type!`].
#[allow(missing_docs, reason = "the kinds are documented where they are declared")]
impl<'a> Call<'a> {
    /// Notes a tensor by its name, for a call that is run again.
    #[inline]
    pub(crate) fn note_tensor(&mut self, (name, tensor): (&'static str, &'a Tensor), writes: bool) {
        self.arguments.note(name, || Argument::Tensor { tensor, writes });
    }

    /// Notes a scalar for a call that is run again. Returns `None` if CANN has no such scalars.
    #[inline]
    pub(crate) fn note_scalar(&mut self, name: &'static str, scalar: Scalar) -> Option<()> {
        let dtype = scalar.dtype().acl_code().map(aclDataType)?;
        self.arguments.note(name, || Argument::Scalar(scalar, dtype));
        Some(())
    }

    fn read<P>(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<Slot<P>> {
        Ok(self.arguments.push(name, Argument::Tensor { tensor, writes: false }))
    }

    fn written<P>(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<Slot<P>> {
        Ok(self.arguments.push(name, Argument::Tensor { tensor, writes: true }))
    }

    fn plain<T>(&mut self, name: &'static str, value: T, bits: u64) -> Result<T> {
        self.arguments.note(name, || Argument::Plain(bits));
        Ok(value)
    }

    pub fn tensor(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<Slot<*const aclTensor>> {
        self.read(name, tensor)
    }

    pub fn tensor_mut(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<Slot<*mut aclTensor>> {
        self.read(name, tensor)
    }

    fn nothing<P>(&mut self, name: &'static str) -> Result<Slot<P>> {
        Ok(self.arguments.push(name, Argument::Null))
    }

    pub fn tensor_or_null(
        &mut self,
        name: &'static str,
        tensor: Option<&'a Tensor>,
    ) -> Result<Slot<*const aclTensor>> {
        match tensor {
            Some(tensor) => self.read(name, tensor),
            None => self.nothing(name),
        }
    }

    pub fn out(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<Slot<*mut aclTensor>> {
        self.written(name, tensor)
    }

    pub fn out_or_null<T: Written<'a>>(
        &mut self,
        name: &'static str,
        tensor: Option<T>,
    ) -> Result<Slot<*mut aclTensor>> {
        match tensor {
            Some(tensor) => self.written(name, tensor.tensor()),
            None => self.nothing(name),
        }
    }

    pub fn out_const(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<Slot<*const aclTensor>> {
        self.written(name, tensor)
    }

    pub fn out_const_or_null<T: Written<'a>>(
        &mut self,
        name: &'static str,
        tensor: Option<T>,
    ) -> Result<Slot<*const aclTensor>> {
        match tensor {
            Some(tensor) => self.written(name, tensor.tensor()),
            None => self.nothing(name),
        }
    }

    pub fn inout(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<Slot<*mut aclTensor>> {
        self.written(name, tensor)
    }

    pub fn inout_const(&mut self, name: &'static str, tensor: &'a Tensor) -> Result<Slot<*const aclTensor>> {
        self.written(name, tensor)
    }

    fn read_list<P>(&mut self, name: &'static str, tensors: &[&'a Tensor]) -> Result<Slot<P>> {
        let tensors = tensors.to_vec();
        Ok(self.arguments.push(name, Argument::Tensors { tensors, writes: false }))
    }

    fn written_list<P>(&mut self, name: &'static str, tensors: &'a [&'a mut Tensor]) -> Result<Slot<P>> {
        let tensors = tensors.iter().map(|tensor| &**tensor).collect();
        Ok(self.arguments.push(name, Argument::Tensors { tensors, writes: true }))
    }

    pub fn tensors(
        &mut self,
        name: &'static str,
        tensors: &[&'a Tensor],
    ) -> Result<Slot<*const aclTensorList>> {
        self.read_list(name, tensors)
    }

    pub fn tensors_or_null(
        &mut self,
        name: &'static str,
        values: Option<&[&'a Tensor]>,
    ) -> Result<Slot<*const aclTensorList>> {
        match values {
            Some(values) => self.tensors(name, values),
            None => self.nothing(name),
        }
    }

    pub fn tensors_mut(
        &mut self,
        name: &'static str,
        tensors: &[&'a Tensor],
    ) -> Result<Slot<*mut aclTensorList>> {
        self.read_list(name, tensors)
    }

    pub fn tensors_out(
        &mut self,
        name: &'static str,
        tensors: &'a [&'a mut Tensor],
    ) -> Result<Slot<*mut aclTensorList>> {
        self.written_list(name, tensors)
    }

    pub fn tensors_out_const(
        &mut self,
        name: &'static str,
        tensors: &'a [&'a mut Tensor],
    ) -> Result<Slot<*const aclTensorList>> {
        self.written_list(name, tensors)
    }

    pub fn tensors_inout(
        &mut self,
        name: &'static str,
        tensors: &'a [&'a mut Tensor],
    ) -> Result<Slot<*mut aclTensorList>> {
        self.written_list(name, tensors)
    }

    pub fn tensors_inout_const(
        &mut self,
        name: &'static str,
        tensors: &'a [&'a mut Tensor],
    ) -> Result<Slot<*const aclTensorList>> {
        self.written_list(name, tensors)
    }

    fn number<P>(&mut self, name: &'static str, scalar: Scalar) -> Result<Slot<P>> {
        let dtype = self.acl_dtype(name, scalar.dtype())?;
        Ok(self.arguments.push(name, Argument::Scalar(scalar, dtype)))
    }

    pub fn scalar(
        &mut self,
        name: &'static str,
        scalar: impl Into<Scalar>,
    ) -> Result<Slot<*const aclScalar>> {
        self.number(name, scalar.into())
    }

    pub fn scalar_mut(
        &mut self,
        name: &'static str,
        scalar: impl Into<Scalar>,
    ) -> Result<Slot<*mut aclScalar>> {
        self.number(name, scalar.into())
    }

    pub fn scalar_or_null(
        &mut self,
        name: &'static str,
        scalar: Option<Scalar>,
    ) -> Result<Slot<*const aclScalar>> {
        match scalar {
            Some(scalar) => self.number(name, scalar),
            None => self.nothing(name),
        }
    }

    pub fn scalars(&mut self, name: &'static str, scalars: &[Scalar]) -> Result<Slot<*const aclScalarList>> {
        let with_dtype = |scalar: &Scalar| Ok((*scalar, self.acl_dtype(name, scalar.dtype())?));
        let scalars = scalars.iter().map(with_dtype).collect::<Result<_>>()?;
        Ok(self.arguments.push(name, Argument::Scalars(scalars)))
    }

    pub fn ints(&mut self, name: &'static str, values: &'a [i64]) -> Result<Slot<*const aclIntArray>> {
        Ok(self.arguments.push(name, Argument::Ints(values)))
    }

    pub fn ints_mut(&mut self, name: &'static str, values: &'a [i64]) -> Result<Slot<*mut aclIntArray>> {
        Ok(self.arguments.push(name, Argument::Ints(values)))
    }

    pub fn ints_or_null(
        &mut self,
        name: &'static str,
        values: Option<&'a [i64]>,
    ) -> Result<Slot<*const aclIntArray>> {
        match values {
            Some(values) => self.ints(name, values),
            None => self.nothing(name),
        }
    }

    pub fn floats(&mut self, name: &'static str, values: &'a [f32]) -> Result<Slot<*const aclFloatArray>> {
        Ok(self.arguments.push(name, Argument::Floats(values)))
    }

    pub fn floats_mut(&mut self, name: &'static str, values: &'a [f32]) -> Result<Slot<*mut aclFloatArray>> {
        Ok(self.arguments.push(name, Argument::Floats(values)))
    }

    pub fn floats_or_null(
        &mut self,
        name: &'static str,
        values: Option<&'a [f32]>,
    ) -> Result<Slot<*const aclFloatArray>> {
        match values {
            Some(values) => self.floats(name, values),
            None => self.nothing(name),
        }
    }

    pub fn bools(&mut self, name: &'static str, values: &'a [bool]) -> Result<Slot<*const aclBoolArray>> {
        Ok(self.arguments.push(name, Argument::Bools(values)))
    }

    pub fn bools_or_null(
        &mut self,
        name: &'static str,
        values: Option<&'a [bool]>,
    ) -> Result<Slot<*const aclBoolArray>> {
        match values {
            Some(values) => self.bools(name, values),
            None => self.nothing(name),
        }
    }

    pub fn str(&mut self, name: &'static str, text: &'a CStr) -> Result<*const c_char> {
        self.arguments.note(name, || Argument::Text);
        Ok(text.as_ptr())
    }

    pub fn str_mut(&mut self, name: &'static str, text: &'a CStr) -> Result<Slot<*mut c_char>> {
        Ok(self.arguments.push(name, Argument::TextMut(text)))
    }

    pub fn dtype(&mut self, name: &'static str, dtype: DType) -> Result<aclDataType> {
        let dtype = self.acl_dtype(name, dtype)?;
        self.plain(name, dtype, dtype.0 as u64)
    }

    pub fn i64(&mut self, name: &'static str, value: i64) -> Result<i64> {
        self.plain(name, value, value as u64)
    }

    pub fn u64(&mut self, name: &'static str, value: u64) -> Result<u64> {
        self.plain(name, value, value)
    }

    pub fn i32(&mut self, name: &'static str, value: i32) -> Result<i32> {
        self.plain(name, value, value as u64)
    }

    pub fn i8(&mut self, name: &'static str, value: i8) -> Result<i8> {
        self.plain(name, value, value as u64)
    }

    pub fn int(&mut self, name: &'static str, value: c_int) -> Result<c_int> {
        self.plain(name, value, value as u64)
    }

    pub fn bool(&mut self, name: &'static str, value: bool) -> Result<bool> {
        self.plain(name, value, value.into())
    }

    pub fn f32(&mut self, name: &'static str, value: f32) -> Result<f32> {
        self.plain(name, value, value.to_bits().into())
    }

    pub fn f64(&mut self, name: &'static str, value: f64) -> Result<f64> {
        self.plain(name, value, value.to_bits())
    }
}
