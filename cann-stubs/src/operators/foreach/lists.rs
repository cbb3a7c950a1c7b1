//! The arguments of a call: lists of tensors of one type, one length and the same shapes, and the numbers beside them.

use std::sync::Arc;

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::operators::{Parameter, ParameterKind};
use aclnn_sys::{ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR};

use crate::meta::scalar::Scalar;
use crate::operators::call::{Call, Operand, all_given, described};
use crate::operators::check;
use crate::status::{Result, Status};

/// An argument beside the list that is written, in the order of the parameters.
pub(crate) enum Given<'c> {
    /// A list of tensors.
    Tensors(Vec<Operand<'c>>),
    /// Numbers in a tensor.
    Tensor(Operand<'c>),
    /// One number.
    Scalar(&'c Scalar),
    /// A number for each tensor.
    Scalars(Vec<Arc<Scalar>>),
}

/// The arguments of a call.
pub(crate) struct Lists<'c> {
    pub(crate) given: Vec<Given<'c>>,
    /// The list that is written; the first list that is read where there is no other.
    pub(crate) outputs: Vec<Operand<'c>>,
}

impl<'c> Lists<'c> {
    /// The arguments of a call. Null is refused.
    pub(crate) fn of(call: &'c Call<'_>) -> Result<Self> {
        let (mut given, mut outputs) = (Vec::new(), None);
        for Parameter { name, kind } in call.info.parameters {
            use ParameterKind::{
                InOutConst, Scalar, Scalars, Tensor, Tensors, TensorsInOutConst, TensorsOut,
            };
            match kind {
                TensorsOut => outputs = Some(tensors(call, name)?),
                Tensors => given.push(Given::Tensors(tensors(call, name)?)),
                TensorsInOutConst => {
                    outputs = Some(tensors(call, name)?);
                    given.push(Given::Tensors(tensors(call, name)?));
                }
                Tensor | InOutConst => given.push(Given::Tensor(call.tensor(name)?)),
                Scalar => given.push(Given::Scalar(call.scalar(name)?)),
                Scalars => given.push(Given::Scalars(call.scalars(name)?)),
                _ => {}
            }
        }
        let lists = Self { given, outputs: outputs.unwrap_or_default() };
        lists.same_length(call)?;
        Ok(lists)
    }

    /// The lists of tensors that are read.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = &Vec<Operand<'_>>> {
        self.given.iter().filter_map(|given| match given {
            Given::Tensors(tensors) => Some(tensors),
            _ => None,
        })
    }

    fn same_length(&self, call: &Call<'_>) -> Result {
        let count = self.outputs.len();
        let scalars = self.given.iter().filter_map(|given| match given {
            Given::Scalars(scalars) => Some(scalars.len()),
            _ => None,
        });
        let Some(other) = self.tensors().map(Vec::len).chain(scalars).find(|len| *len != count) else {
            return Ok(());
        };
        // This one of all has another code for it.
        let code = match call.info.name() {
            "ForeachAddScalarV2" => ACLNN_ERR_PARAM_NULLPTR,
            _ => ACLNN_ERR_PARAM_INVALID,
        };
        let message = format!("the list that is written has {count} elements, but another has {other}");
        Err(Status::new(code, message))
    }

    /// The type of all tensors of all lists, which must be in the operator's list; `None` if there are no tensors.
    pub(crate) fn dtype(&self, takes: Types) -> Result<Option<DType>> {
        let Some(first) = self.outputs.first() else { return Ok(None) };
        let dtype = check::dtype(first, takes)?;
        let other = self
            .tensors()
            .chain([&self.outputs])
            .flatten()
            .find(|tensor| tensor.known_dtype() != Some(dtype));
        match other {
            None => Ok(Some(dtype)),
            Some(tensor) => refuse(format!(
                "a tensor of {} is {}, but {} begins with {dtype}; all tensors must have one type",
                tensor.name,
                described(tensor.raw_dtype()),
                first.name
            )),
        }
    }

    /// Checks that the tensors at one place of the lists have one shape.
    pub(crate) fn same_shapes(&self) -> Result {
        for (index, output) in self.outputs.iter().enumerate() {
            check::rank(output)?;
            for tensor in self.tensors().filter_map(|tensors| tensors.get(index)) {
                if tensor.shape()? != output.shape()? {
                    return refuse(format!(
                        "tensor {index} of {} has shape {}, but that of {} has {}",
                        tensor.name,
                        tensor.shape()?,
                        output.name,
                        output.shape()?
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The tensors of a list: a null list is a null argument, and a null tensor in it a wrong one.
fn tensors<'c>(call: &'c Call<'_>, name: &str) -> Result<Vec<Operand<'c>>> {
    all_given(&call.optional_tensors(name)?, name, ACLNN_ERR_PARAM_INVALID)
}

/// The elements of a shape.
pub(crate) fn numel(shape: &Shape) -> usize {
    shape.numel().unwrap_or(usize::MAX)
}

pub(crate) fn refuse<T>(message: String) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}
