//! One run of a node: its inputs, where it needs them.

use std::cell::RefCell;

use aclnn::{DType, Device, Shape, Stream, Tensor};
use smallvec::SmallVec;

use super::notes::{Notes, Place};
use super::wider::wider;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::value::Value;

/// The inputs of a node, and where it runs.
pub(crate) struct Call<'a> {
    pub(super) stream: &'a Stream,
    pub(super) inputs: &'a [Option<&'a Value>],
    /// Whether these are others than those of the node, so that their numbers say nothing.
    pub(super) are_others: bool,
    /// The values that the subgraphs of the node capture, in their order.
    pub(super) captured: &'a [&'a Value],
    /// The values that never change, among which inputs may be.
    pub(super) constants: &'a [Option<Value>],
    /// For each output, whether somebody uses it.
    pub(super) wanted: &'a [bool],
    pub(super) notes: Option<&'a RefCell<Notes>>,
}

impl<'a> Call<'a> {
    /// Returns the stream on which work is queued.
    pub(crate) fn stream(&self) -> &Stream {
        self.stream
    }

    /// Returns the device.
    pub(crate) fn device(&self) -> &Device {
        self.stream.device()
    }

    /// Returns the number of inputs, with those that are left out.
    pub(crate) fn count(&self) -> usize {
        self.inputs.len()
    }

    /// Returns whether somebody uses an output.
    pub(crate) fn wants(&self, output: usize) -> bool {
        self.wanted.get(output).copied().unwrap_or(false)
    }

    /// Returns the number of outputs, with those that are left out.
    pub(crate) fn outputs(&self) -> usize {
        self.wanted.len()
    }

    /// Returns an input; `None` if it is left out.
    pub(crate) fn optional(&self, input: usize) -> Option<&'a Value> {
        self.inputs.get(input).copied().flatten()
    }

    /// Returns whether an input never changes, whoever made it.
    pub(super) fn is_fixed(&self, input: &Value) -> bool {
        self.constants.as_ptr_range().contains(&std::ptr::from_ref(input).cast())
    }

    /// Returns whether an input is given.
    pub(crate) fn has(&self, input: usize) -> bool {
        self.optional(input).is_some()
    }

    /// Returns an input.
    pub(crate) fn value(&self, input: usize) -> NodeResult<&'a Value> {
        match self.optional(input) {
            Some(value) => Ok(value),
            None => Reason::text(format!("its input {input} is missing")),
        }
    }

    /// Returns the element type of an input.
    pub(crate) fn dtype(&self, input: usize) -> NodeResult<DType> {
        let value = self.value(input)?;
        match value.dtype() {
            Some(dtype) => Ok(dtype),
            None => Reason::text(format!("its input {input} is a {value}, not a tensor")),
        }
    }

    /// Returns the shape of an input.
    pub(crate) fn shape(&self, input: usize) -> NodeResult<&'a Shape> {
        let value = self.value(input)?;
        match value.shape() {
            Some(shape) => Ok(shape),
            None => Reason::text(format!("its input {input} is a {value}, not a tensor")),
        }
    }

    /// Returns an input as a tensor on the device.
    pub(crate) fn tensor(&self, input: usize) -> NodeResult<Tensor> {
        self.on_device(self.value(input)?)
    }

    /// Returns an input as a tensor on the device, if it is given.
    pub(crate) fn optional_tensor(&self, input: usize) -> NodeResult<Option<Tensor>> {
        self.optional(input).map(|value| self.on_device(value)).transpose()
    }

    /// Returns all inputs as tensors on the device.
    pub(crate) fn tensors(&self) -> NodeResult<SmallVec<[Tensor; 4]>> {
        (0..self.count()).map(|input| self.tensor(input)).collect()
    }

    /// Returns a value as a tensor on the device.
    pub(crate) fn on_device(&self, value: &Value) -> NodeResult<Tensor> {
        match value {
            Value::Tensor(tensor) => Ok(tensor.clone()),
            Value::Known(known) if known.array().dtype() == DType::String => {
                Reason::text("it takes no strings")
            }
            Value::Known(known) => Ok(known.tensor(self.stream)?),
            other => Reason::text(format!("it takes a tensor, not a {other}")),
        }
    }

    /// Copies an array to the device.
    pub(crate) fn upload(&self, array: &Array) -> NodeResult<Tensor> {
        Ok(Tensor::from_bytes(self.stream, array.dtype(), array.bytes(), array.shape().clone())?)
    }

    /// Returns an input on the host. Waits for the device if the host does not know it.
    pub(crate) fn array(&self, input: usize) -> NodeResult<Array> {
        self.on_host(self.value(input)?)
    }

    /// Returns an input on the host, if it is given.
    pub(crate) fn optional_array(&self, input: usize) -> NodeResult<Option<Array>> {
        self.optional(input).map(|value| self.on_host(value)).transpose()
    }

    /// Returns a value on the host. Waits for the device if the host does not know it.
    pub(crate) fn on_host(&self, value: &Value) -> NodeResult<Array> {
        self.note(|notes| {
            let is_it = |input: &Option<&Value>| input.is_some_and(|input| std::ptr::eq(input, value));
            notes.looks.add(self.inputs.iter().position(is_it).filter(|_| !self.are_others));
            notes.waits += usize::from(matches!(value, Value::Tensor(_)));
        });
        Ok(value.to_array()?)
    }

    /// Returns the integers of an input, on the host.
    pub(crate) fn ints(&self, input: usize) -> NodeResult<Vec<i64>> {
        Ok(self.array(input)?.to_i64s()?)
    }

    /// Returns the integers of an input, on the host, if it is given.
    pub(crate) fn optional_ints(&self, input: usize) -> NodeResult<Option<Vec<i64>>> {
        self.optional(input).map(|_| self.ints(input)).transpose()
    }

    /// Returns the one number of an input, on the host, if it is given.
    pub(crate) fn optional_number(&self, input: usize) -> NodeResult<Option<f64>> {
        let Some(array) = self.optional_array(input)? else { return Ok(None) };
        match array.to_f64s()?.as_slice() {
            &[number] => Ok(Some(number)),
            _ => Reason::text(format!("its input {input} is {array:?}, not one number")),
        }
    }

    /// Returns a value that is one truth value, on the host.
    pub(crate) fn truth(&self, value: &Value) -> NodeResult<bool> {
        let array = self.on_host(value)?;
        match array.to_i64s()?.as_slice() {
            &[number] => Ok(number != 0),
            numbers => Reason::text(format!("a condition has {} elements, not 1", numbers.len())),
        }
    }

    /// Returns the one integer of an input, on the host.
    pub(crate) fn int(&self, input: usize) -> NodeResult<i64> {
        match self.ints(input)?.as_slice() {
            &[number] => Ok(number),
            numbers => Reason::text(format!("its input {input} has {} elements, not 1", numbers.len())),
        }
    }

    /// Runs an operator. Where the device does not take the type of the operands, they are cast to the next wider type
    /// that it takes, and a result of that type is cast back.
    pub(crate) fn widened<const N: usize>(
        &self,
        operands: [&Tensor; N],
        run: impl Fn([&Tensor; N]) -> Result<Tensor, aclnn::Error>,
    ) -> NodeResult<Tensor> {
        let (result, cast) = self.widened_as(operands, run)?;
        match cast {
            Some((from, to)) if result.dtype() == to => Ok(result.cast(from)?),
            _ => Ok(result),
        }
    }

    /// Runs an operator like [`Call::widened`] that has two results, of which only the first one is of the type of the
    /// operands.
    pub(crate) fn widened_pair<const N: usize>(
        &self,
        operands: [&Tensor; N],
        run: impl Fn([&Tensor; N]) -> Result<(Tensor, Tensor), aclnn::Error>,
    ) -> NodeResult<(Tensor, Tensor)> {
        let ((first, second), cast) = self.widened_as(operands, run)?;
        match cast {
            Some((from, to)) if first.dtype() == to => Ok((first.cast(from)?, second)),
            _ => Ok((first, second)),
        }
    }

    /// Runs an operator like [`Call::widened`], without the cast of the result: returns the cast of the operands.
    pub(crate) fn widened_as<T, const N: usize>(
        &self,
        operands: [&Tensor; N],
        run: impl Fn([&Tensor; N]) -> Result<T, aclnn::Error>,
    ) -> NodeResult<(T, Option<(DType, DType)>)> {
        let refused = match run(operands) {
            Ok(result) => return Ok((result, None)),
            Err(error) => error,
        };
        let aclnn::Error::Unsupported { dtype, accepted, .. } = &refused else { return Err(refused.into()) };
        let (from, accepted) = (*dtype, *accepted);
        let to = wider(from).find(|to| accepted.contains(*to));
        let Some(to) = to else { return Err(refused.into()) };
        let mut cast: SmallVec<[Tensor; 4]> = SmallVec::new();
        for operand in operands {
            cast.push(match operand.dtype() == from {
                true => operand.cast(to)?,
                false => operand.clone(),
            });
        }
        let mut wide = operands;
        for (operand, cast) in wide.iter_mut().zip(&cast) {
            *operand = cast;
        }
        Ok((run(wide)?, Some((from, to))))
    }

    /// Returns a tensor for several steps of arithmetic: halves and what has fewer bits become f32, whole numbers of 32 bits
    /// and more f64, so that [`Call::as_type`] rounds once.
    pub(crate) fn wide(&self, tensor: &Tensor) -> NodeResult<Tensor> {
        let wide = match tensor.dtype() {
            dtype @ (DType::F32 | DType::F64) => dtype,
            DType::I32 | DType::U32 | DType::I64 | DType::U64 => DType::F64,
            _ => DType::F32,
        };
        self.as_type(tensor.clone(), wide)
    }

    /// Returns a tensor as elements of a type: itself, if they are.
    pub(crate) fn as_type(&self, tensor: Tensor, dtype: DType) -> NodeResult<Tensor> {
        Ok(if tensor.dtype() == dtype { tensor } else { tensor.cast(dtype)? })
    }

    /// Returns the next wider type that an operator takes in place of the one that it refused.
    pub(crate) fn wider_than(&self, refused: &aclnn::Error) -> Option<DType> {
        let aclnn::Error::Unsupported { dtype, accepted, .. } = refused else { return None };
        wider(*dtype).find(|to| accepted.contains(*to))
    }

    /// Notes that the node runs on the host, and why.
    pub(crate) fn note_host(&self, because: &str) {
        self.note(|notes| notes.place = Place::Host(because.to_owned()));
    }

    /// Adds to what the plan tells of the node.
    pub(crate) fn note(&self, add: impl FnOnce(&mut Notes)) {
        if let Some(notes) = self.notes {
            add(&mut notes.borrow_mut());
        }
    }
}
