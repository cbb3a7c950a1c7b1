//! The operands and attributes of an operator that is called by name, and the work that comes of it.

use std::cell::RefCell;

use aclnn_numerics::DType::{self, F32, I32, I64};
use aclnn_sys::{
    ACL_DT_UNDEFINED, ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR,
};

use crate::entry::{Parameter as _, Untyped};
use crate::mapped::mapped;
use crate::meta::array::INT_ARRAYS;
use crate::meta::plan::Slot;
use crate::meta::scalar::{SCALARS, Scalar};
use crate::meta::tensor::{Own, TENSORS};
use crate::operators::argument::Argument;
use crate::operators::call::{Call, Form, Operand, Plan, described};
use crate::operators::formats::is_private;
use crate::operators::operand::{Arena, Described};
use crate::runtime::aclop::{self, Attribute, Attributes};
use crate::status::{Result, Status};

/// A call by name.
pub(super) struct Named {
    pub(super) inputs: Vec<Given>,
    pub(super) outputs: Vec<Given>,
    attributes: Attributes,
    operands: Arena<Described>,
    /// Objects that were made for the arguments of another operator; they end with this.
    temporaries: RefCell<Vec<Temporary>>,
}

/// An operand, with a tensor of its sizes if it is one in device memory.
pub(super) struct Given {
    pub(super) operand: aclop::Operand,
    tensor: Option<Own>,
}

impl Given {
    fn new(operand: aclop::Operand) -> Self {
        let description = &operand.description;
        let is_absent = description.dtype == ACL_DT_UNDEFINED;
        let tensor = (!is_absent && !description.is_on_host).then(|| {
            // Matrices in blocks are put in order where they are read; what else is in a format of its own is what lies in memory.
            let stored = description.stored_dims();
            let (format, dims) = match description.stored_format() {
                ACL_FORMAT_FRACTAL_NZ => (ACL_FORMAT_FRACTAL_NZ, &description.dims[..]),
                format if is_private(format) => (ACL_FORMAT_ND, stored),
                _ => (description.format, &description.dims[..]),
            };
            Own::at(operand.address, (description.dtype, format), dims, stored)
        });
        Self { operand, tensor }
    }

    /// The handle of its tensor; null without.
    fn handle(&self) -> usize {
        self.tensor.as_ref().map_or(0, Own::handle)
    }

    pub(super) fn is_private(&self) -> bool {
        is_private(self.operand.description.stored_format())
    }

    /// The operand in words.
    fn told(&self) -> String {
        let description = &self.operand.description;
        if description.dtype == ACL_DT_UNDEFINED {
            return "(none)".to_owned();
        }
        let place = if description.is_on_host { " on the host" } else { "" };
        let stored = match self.is_private() {
            true => format!(" as format {} {:?}", description.stored_format().0, description.stored_dims()),
            false => String::new(),
        };
        format!("{}{:?}{stored}{place}", described(description.dtype), description.dims)
    }

    /// The elements that the host has.
    fn on_host(&self) -> Result<(DType, Vec<u8>)> {
        let description = &self.operand.description;
        let wrong = |what: &str| Status::new(ACLNN_ERR_PARAM_INVALID, what);
        let dtype = DType::from_acl_code(description.dtype.0).filter(|dtype| dtype.bits() % 8 == 0);
        let dtype = dtype.ok_or_else(|| wrong("an operand on the host has no type with elements"))?;
        let count = description
            .dims
            .iter()
            .try_fold(1_usize, |count, size| count.checked_mul(usize::try_from(*size).ok()?));
        let size =
            count.and_then(|count| dtype.storage_bytes(count)).filter(|size| *size <= self.operand.size);
        let size = size.ok_or_else(|| wrong("the memory of an operand on the host is too small"))?;
        // Sizes and single numbers are passed so.
        if !description.is_on_host || size > 4096 {
            return Err(wrong("an operand must be a few numbers on the host"));
        }
        let mut bytes = vec![0; size];
        // SAFETY: the caller said that this is memory of the host, of the size that its buffer has.
        let from = unsafe { Untyped::from_c(std::ptr::with_exposed_provenance_mut(self.operand.address)) };
        if from.is_null() {
            return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, "an operand on the host is null"));
        }
        from.copy_to(&mut bytes);
        Ok((dtype, bytes))
    }
}

/// An object that an argument names.
enum Temporary {
    Ints(usize),
    Scalar(usize),
    Tensor(#[allow(dead_code, reason = "it ends with this")] Own),
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // No other value has the handle.
        match self {
            Temporary::Ints(handle) => drop(INT_ARRAYS.remove(*handle)),
            Temporary::Scalar(handle) => drop(SCALARS.remove(*handle)),
            Temporary::Tensor(_) => {}
        }
    }
}

/// A planned operator, and the arguments that its slots name.
pub(super) struct Work {
    pub(super) plan: Plan,
    pub(super) arguments: Vec<Argument>,
}

impl Named {
    pub(super) fn new(
        inputs: Vec<aclop::Operand>,
        outputs: Vec<aclop::Operand>,
        attributes: Attributes,
    ) -> Self {
        let [inputs, outputs] = [inputs, outputs].map(|all| all.into_iter().map(Given::new).collect());
        Self { inputs, outputs, attributes, operands: Arena::default(), temporaries: RefCell::default() }
    }

    /// Refuses operands whose elements lie in the order of another format.
    pub(super) fn must_be_plain(&self) -> Result {
        let is_read = |given: &Given| given.operand.description.stored_format() == ACL_FORMAT_FRACTAL_NZ;
        let mut inputs = self.inputs.iter().filter(|given| !is_read(given));
        match inputs.any(Given::is_private) || self.outputs.iter().any(Given::is_private) {
            true => crate::operators::check::not_emulated(
                "this operator with operands in a format of their own; allow_internal_format lets PyTorch's plugin make them",
            ),
            false => Ok(()),
        }
    }

    /// Adds the operands and the attributes to a failure.
    pub(super) fn explain(&self, status: Status) -> Status {
        let told = |all: &[Given]| {
            let all: Vec<String> = mapped(all, Given::told);
            all.join(", ")
        };
        let operands = format!(
            "inputs {}, outputs {}, attributes {:?}",
            told(&self.inputs),
            told(&self.outputs),
            self.attributes
        );
        let message = format!("{}; called with {operands}", status.message);
        status.with_message(message)
    }

    /// An input as an argument; null if it is absent.
    pub(super) fn input(&self, number: usize) -> Argument {
        Argument::Tensor(self.inputs.get(number).map_or(0, Given::handle))
    }

    pub(super) fn output(&self, number: usize) -> Argument {
        Argument::Tensor(self.outputs.get(number).map_or(0, Given::handle))
    }

    /// An input as a view of its memory.
    fn view(&self, number: usize, dims: &[i64], strides: &[i64]) -> Argument {
        let Some(given) = self.inputs.get(number) else { return Argument::Tensor(0) };
        let description = &given.operand.description;
        let format = if given.is_private() { description.stored_format() } else { ACL_FORMAT_ND };
        let kind = (description.dtype, format);
        let own = Own::strided(given.operand.address, kind, dims, strides, description.stored_dims());
        let argument = Argument::Tensor(own.handle());
        self.temporaries.borrow_mut().push(Temporary::Tensor(own));
        argument
    }

    /// The sizes of an input, and the distances between its elements.
    fn axes(&self, number: usize) -> Result<(Vec<i64>, Vec<i64>)> {
        let operand = self.required("input", number)?;
        let strides = mapped(&operand.strides(), |stride| *stride as i64);
        Ok((operand.shape()?.iter().map(|size| *size as i64).collect(), strides))
    }

    /// The first elements of an input along one of its last three axes, of which 1 is the last and 3 the first of them.
    pub(super) fn without_axis(&self, number: usize, axis: usize) -> Result<Argument> {
        let (mut dims, mut strides) = self.axes(number)?;
        let few = || Status::new(ACLNN_ERR_PARAM_INVALID, format_args!("input {number} has too few axes"));
        let axis = dims.len().checked_sub(axis).ok_or_else(few)?;
        dims.remove(axis);
        strides.remove(axis);
        Ok(self.view(number, &dims, &strides))
    }

    /// An input with an axis of one element, unless it has as many axes as the first input.
    pub(super) fn with_axis(&self, number: usize, axis: usize) -> Result<Argument> {
        let (mut dims, mut strides) = self.axes(number)?;
        if dims.len() < self.required("input", 0)?.rank() && axis <= dims.len() {
            dims.insert(axis, 1);
            strides.insert(axis, 1);
        }
        Ok(self.view(number, &dims, &strides))
    }

    /// An input whose last two axes are exchanged.
    pub(super) fn transposed(&self, number: usize) -> Result<Argument> {
        let (mut dims, mut strides) = self.axes(number)?;
        if let ([.., a, b], [.., c, d]) = (&mut dims[..], &mut strides[..]) {
            std::mem::swap(a, b);
            std::mem::swap(c, d);
        }
        Ok(self.view(number, &dims, &strides))
    }

    /// Integers as an argument.
    pub(super) fn array(&self, values: Vec<i64>) -> Argument {
        let handle = INT_ARRAYS.insert(values);
        self.temporaries.borrow_mut().push(Temporary::Ints(handle));
        Argument::Ints(handle)
    }

    /// A number as an argument.
    pub(super) fn scalar(&self, scalar: Scalar) -> Argument {
        let handle = SCALARS.insert(scalar);
        self.temporaries.borrow_mut().push(Temporary::Scalar(handle));
        Argument::Scalar(handle)
    }

    /// The work of the operator of a form, called with these arguments.
    pub(super) fn call(&self, form: Form, arguments: Vec<Argument>) -> Result<Work> {
        self.must_be_plain()?;
        let plan = (form.rule)(&Call::new(form.info, &arguments))?;
        Ok(Work { plan, arguments })
    }

    /// The work of a plan whose operands are those of this call.
    pub(super) fn work(&self, plan: Plan) -> Work {
        let all = self.inputs.iter().chain(&self.outputs);
        Work { plan, arguments: all.map(|given| Argument::Tensor(given.handle())).collect() }
    }

    fn operand(
        &self,
        name: &'static str,
        number: usize,
        given: Option<&Given>,
    ) -> Result<Option<Operand<'_>>> {
        let Some(tensor) = given.and_then(|given| given.tensor.as_ref()) else { return Ok(None) };
        let lost = |_| Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is gone"));
        let tensor = TENSORS.get(tensor.handle()).map_err(lost)?;
        let operand = Described::new(name, Slot { argument: number, element: 0 }, tensor);
        Ok(Some(Operand(self.operands.keep(operand))))
    }

    /// An input of an operator that is planned here; `None` if it is absent.
    pub(super) fn optional(&self, name: &'static str, number: usize) -> Result<Option<Operand<'_>>> {
        self.operand(name, number, self.inputs.get(number))
    }

    /// An input that must be there.
    pub(super) fn required(&self, name: &'static str, number: usize) -> Result<Operand<'_>> {
        self.optional(name, number)?
            .ok_or_else(|| Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is null")))
    }

    /// An output that must be there.
    pub(super) fn written(&self, name: &'static str, number: usize) -> Result<Operand<'_>> {
        self.operand(name, self.inputs.len() + number, self.outputs.get(number))?
            .ok_or_else(|| Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is null")))
    }

    fn host(&self, number: usize) -> Result<(DType, Vec<u8>)> {
        let missing = || Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("input {number} is missing"));
        self.inputs.get(number).ok_or_else(missing)?.on_host()
    }

    /// Integers that the host gives as an input.
    pub(super) fn host_ints(&self, number: usize) -> Result<Vec<i64>> {
        match self.host(number)? {
            (I64, bytes) => {
                Ok(bytes.as_chunks::<8>().0.iter().map(|bytes| i64::from_ne_bytes(*bytes)).collect())
            }
            (I32, bytes) => {
                Ok(bytes.as_chunks::<4>().0.iter().map(|bytes| i32::from_ne_bytes(*bytes).into()).collect())
            }
            (dtype, _) => Err(Status::new(
                ACLNN_ERR_PARAM_INVALID,
                format_args!("input {number} is {dtype}, not i64 or i32"),
            )),
        }
    }

    /// A number that the host gives as an input.
    pub(super) fn host_scalar(&self, number: usize) -> Result<Scalar> {
        let (dtype, bytes) = self.host(number)?;
        Ok(Scalar::of_bytes(dtype, &bytes))
    }

    /// A real number that the host gives as an input, rounded to f32.
    pub(super) fn host_number(&self, number: usize) -> Result<f64> {
        let wrong = || Status::new(ACLNN_ERR_PARAM_INVALID, format_args!("input {number} is no number"));
        self.host_scalar(number)?.real(F32).ok_or_else(wrong)
    }

    /// Whether the host gives an input.
    pub(super) fn is_on_host(&self, number: usize) -> bool {
        self.inputs.get(number).is_some_and(|given| given.operand.description.is_on_host)
    }

    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    pub(super) fn int(&self, name: &str, default: i64) -> i64 {
        match self.attribute(name) {
            Some(Attribute::Int(value)) => *value,
            Some(Attribute::Bool(value)) => i64::from(*value),
            _ => default,
        }
    }

    pub(super) fn flag(&self, name: &str, default: bool) -> bool {
        self.int(name, i64::from(default)) != 0
    }

    pub(super) fn float(&self, name: &str, default: f64) -> f64 {
        match self.attribute(name) {
            Some(Attribute::Float(value)) => f64::from(*value),
            Some(Attribute::Int(value)) => *value as f64,
            _ => default,
        }
    }

    pub(super) fn text<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        match self.attribute(name) {
            Some(Attribute::Text(value)) => value,
            _ => default,
        }
    }

    /// Integers; none if there is no such attribute.
    pub(super) fn ints(&self, name: &str) -> &[i64] {
        match self.attribute(name) {
            Some(Attribute::Ints(values)) => values,
            _ => &[],
        }
    }
}
