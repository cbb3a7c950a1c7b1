//! A step of an optimizer in the making: operands of one shape that are read and written, and numbers in tensors beside them.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use cann_kernels::LaneBody;
use cann_kernels::networks::optimizer::SEEN;
use smallvec::SmallVec;

use crate::mapped::mapped;
use crate::operators::call::{Operand, Plan, described, workspace};
use crate::operators::check;
use crate::operators::operand::MaybeOperand;
use crate::operators::plan_builder::{PlanBuilder, read_lanes, written_lanes};
use crate::status::{Result, Status};

pub(super) fn refuse<T>(message: String) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

/// The type of a tensor, which must be in a list, or that of all of them.
pub(super) fn one_dtype(tensors: &[impl MaybeOperand], takes: Types) -> Result<Option<DType>> {
    let mut tensors = tensors.iter().filter_map(MaybeOperand::operand);
    let Some(first) = tensors.next() else { return Ok(None) };
    let dtype = check::dtype(first, takes)?;
    match tensors.find(|tensor| tensor.known_dtype() != Some(dtype)) {
        None => Ok(Some(dtype)),
        Some(other) => refuse(format!(
            "{} is {}, but {} is {dtype}; both must have one type",
            other.name,
            described(other.raw_dtype()),
            first.name
        )),
    }
}

/// Checks that tensors have the shape of the first.
pub(super) fn one_shape(tensors: &[impl MaybeOperand]) -> Result {
    let mut tensors = tensors.iter().filter_map(MaybeOperand::operand);
    let Some(first) = tensors.next() else { return Ok(()) };
    check::rank(first)?;
    for other in tensors {
        if other.shape()? != first.shape()? {
            let (own, shape) = (other.shape()?, first.shape()?);
            return refuse(format!("{} has shape {own}, but {} has {shape}", other.name, first.name));
        }
    }
    Ok(())
}

/// Checks that a tensor is one element of one of some types. Returns the type.
pub(super) fn one_element(tensor: &Operand, takes: &[DType]) -> Result<DType> {
    let count = tensor.shape()?.numel();
    match tensor.known_dtype().filter(|dtype| takes.contains(dtype) && count == Some(1)) {
        Some(dtype) => Ok(dtype),
        None => refuse(format!(
            "{} is {} of shape {}, but must be one element of {}",
            tensor.name,
            described(tensor.raw_dtype()),
            tensor.shape()?,
            mapped::<_, Vec<_>>(takes, ToString::to_string).join(" or ")
        )),
    }
}

/// Steps of an optimizer, one parameter after the other.
#[derive(Default)]
pub(super) struct Steps {
    builder: PlanBuilder,
    temporaries: Vec<Option<usize>>,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds a step of tensors of one shape. `numbers` are one element each.
    pub(super) fn add(
        &mut self,
        numbers: &[&Operand],
        inputs: &[&Operand],
        outputs: &[&Operand],
        step: Box<dyn LaneBody>,
    ) -> Result {
        let Some(first) = outputs.first() else { return Ok(()) };
        let shape = first.shape()?.clone();
        if shape.is_empty_tensor() {
            return Ok(());
        }
        let mut read = Vec::new();
        for number in numbers {
            let dtype = check::any_dtype(number)?;
            let strides: SmallVec<[isize; 8]> = SmallVec::from_elem(0, shape.rank());
            let view = number.view_of(dtype, &shape, &strides, number.offset())?;
            read.push((self.builder.read(number, view, true), read_lanes(1, dtype, SEEN)?));
        }
        for input in inputs {
            let dtype = check::any_dtype(input)?;
            self.kept(input, dtype);
            let view = input.view(dtype, &shape)?;
            read.push((self.builder.read(input, view, true), read_lanes(1, dtype, SEEN)?));
        }
        let mut written = Vec::new();
        for output in outputs {
            let dtype = check::any_dtype(output)?;
            self.kept(output, dtype);
            let view = output.view(dtype, &shape)?;
            written.push((self.builder.write(output, dtype, view, true)?, written_lanes(1, SEEN, dtype)?));
        }
        self.builder.lanes_of(&read, &written, shape.numel().unwrap_or(usize::MAX), step);
        Ok(())
    }

    /// Notes that a device makes a tensor contiguous, or writes it through a temporary.
    fn kept(&mut self, tensor: &Operand, dtype: DType) {
        let bytes = || dtype.storage_bytes(tensor.shape().ok()?.numel()?);
        self.temporaries.push((!tensor.is_contiguous()).then(bytes).flatten());
    }

    pub(super) fn plan(self) -> Plan {
        self.builder.in_sequence().plan(workspace(self.temporaries))
    }
}
