//! The arguments of a call, and the plan that comes of it.

use std::sync::Arc;

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product;
use aclnn_sys::operators::{OperatorInfo, ParameterKind};
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, aclDataType, aclScalar, aclTensor};
use smallvec::SmallVec;

use crate::check::{self, span};
use crate::kernels::{Body, Kernel, View};
use crate::meta::dangling::dangling;
use crate::meta::plan::PlannedTensor;
pub(crate) use crate::meta::plan::{Plan, Tasks};
use crate::meta::scalar::{self, Scalar};
use crate::meta::tensor::{Description, TENSORS, Tensor};
use crate::misuse::{Check, Level};
use crate::settings;
use crate::status::{Result, Status};

/// A call of phase one: what was declared and what was passed.
pub(crate) struct Call<'a> {
    pub(crate) info: &'static OperatorInfo,
    pub(crate) arguments: &'a [Argument],
}

/// An argument as C passes it.
#[derive(Clone, Copy)]
pub(crate) enum Argument {
    Tensor(usize),
    Scalar(usize),
    DType(aclDataType),
    Int(i64),
}

impl From<*const aclTensor> for Argument {
    fn from(tensor: *const aclTensor) -> Self {
        Argument::Tensor(tensor.addr())
    }
}

impl From<*mut aclTensor> for Argument {
    fn from(tensor: *mut aclTensor) -> Self {
        Argument::Tensor(tensor.addr())
    }
}

impl From<*const aclScalar> for Argument {
    fn from(scalar: *const aclScalar) -> Self {
        Argument::Scalar(scalar.addr())
    }
}

impl From<aclDataType> for Argument {
    fn from(dtype: aclDataType) -> Self {
        Argument::DType(dtype)
    }
}

impl From<i64> for Argument {
    fn from(value: i64) -> Self {
        Argument::Int(value)
    }
}

/// A tensor argument: its name, and its descriptor as it was when the operator was planned.
pub(crate) struct Operand {
    pub(crate) name: &'static str,
    position: usize,
    tensor: Arc<Tensor>,
    shape: Option<Shape>,
    is_contiguous: bool,
}

impl<'a> Call<'a> {
    fn position(&self, name: &str) -> Option<usize> {
        self.info.parameters.iter().position(|parameter| parameter.name == name)
    }

    fn argument(&self, name: &str) -> Option<(&'static str, Argument)> {
        let position = self.position(name)?;
        Some((self.info.parameters[position].name, *self.arguments.get(position)?))
    }

    /// The handle of the tensor at `position`.
    pub(crate) fn tensor_at(&self, position: usize) -> usize {
        match self.arguments.get(position) {
            Some(Argument::Tensor(handle)) => *handle,
            _ => 0,
        }
    }

    /// The tensor argument `name`; null is an error.
    pub(crate) fn tensor(&self, name: &str) -> Result<Operand> {
        let position = self.position(name);
        let argument = position.and_then(|position| Some((position, self.arguments.get(position)?)));
        let Some((position, Argument::Tensor(handle))) = argument else { return Err(self.undeclared(name)) };
        let name = self.info.parameters[position].name;
        let tensor = TENSORS.get(*handle).map_err(|why| dangling(name, why))?;
        Ok(Operand::new(name, position, tensor))
    }

    /// The scalar argument `name`; null is an error.
    pub(crate) fn scalar(&self, name: &str) -> Result<Arc<Scalar>> {
        match self.argument(name) {
            Some((name, Argument::Scalar(handle))) => scalar::resolve(handle, name),
            _ => Err(self.undeclared(name)),
        }
    }

    pub(crate) fn dtype(&self, name: &str) -> Result<aclDataType> {
        match self.argument(name) {
            Some((_, Argument::DType(dtype))) => Ok(dtype),
            _ => Err(self.undeclared(name)),
        }
    }

    pub(crate) fn int(&self, name: &str) -> Result<i64> {
        match self.argument(name) {
            Some((_, Argument::Int(value))) => Ok(value),
            _ => Err(self.undeclared(name)),
        }
    }

    /// Whether the operator has a parameter of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.info.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// Whether the parameter `name` is a scalar object.
    pub(crate) fn is_scalar(&self, name: &str) -> bool {
        matches!(self.argument(name), Some((_, Argument::Scalar(_))))
    }

    /// Whether the operator writes into its first operand.
    pub(crate) fn is_in_place(&self) -> bool {
        self.info
            .parameters
            .iter()
            .any(|parameter| matches!(parameter.kind, ParameterKind::InOut | ParameterKind::InOutConst))
    }

    /// The operand that the result is written to.
    pub(crate) fn output(&self) -> Result<Operand> {
        self.tensor(if self.is_in_place() { "self" } else { "out" })
    }

    /// Adds the operator and what is known of its operands to a failure.
    pub(crate) fn explain(&self, status: Status) -> Status {
        let mut operands = String::new();
        for (parameter, argument) in self.info.parameters.iter().zip(self.arguments) {
            let told = match *argument {
                Argument::Tensor(handle) => TENSORS.get(handle).ok().map(|tensor| {
                    let description = &tensor.description;
                    let dtype = described(description.dtype);
                    format!("{} {dtype}{:?}", parameter.name, description.dims.as_slice())
                }),
                Argument::Scalar(handle) => scalar::resolve(handle, "")
                    .ok()
                    .map(|scalar| format!("{} {} scalar", parameter.name, scalar.dtype)),
                Argument::DType(dtype) => Some(format!("{} = {}", parameter.name, described(dtype))),
                Argument::Int(value) => Some(format!("{} = {value}", parameter.name)),
            };
            let told = told.unwrap_or_else(|| format!("{} (no object)", parameter.name));
            operands = if operands.is_empty() { told } else { operands + ", " + &told };
        }
        let message = format!("{}; called with {operands}", status.message);
        status.told_as(message)
    }

    fn undeclared(&self, name: &str) -> Status {
        Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("no parameter is called {name}"))
    }
}

/// A data type in words: its short name, or its number when CANN has no such type.
pub(crate) fn described(dtype: aclDataType) -> String {
    DType::from_acl_code(dtype.0).map_or_else(|| format!("dtype {}", dtype.0), |dtype| dtype.to_string())
}

impl Operand {
    fn new(name: &'static str, position: usize, tensor: Arc<Tensor>) -> Self {
        let shape = tensor.description.shape();
        let is_contiguous = shape.is_some() && tensor.description.is_contiguous();
        Operand { name, position, tensor, shape, is_contiguous }
    }

    /// The element type, when it is one of CANN's.
    pub(crate) fn known_dtype(&self) -> Option<DType> {
        self.tensor.description.known_dtype()
    }

    pub(crate) fn raw_dtype(&self) -> aclDataType {
        self.tensor.description.dtype
    }

    pub(crate) fn rank(&self) -> usize {
        self.tensor.description.dims.len()
    }

    /// The sizes of the view.
    pub(crate) fn shape(&self) -> Result<&Shape> {
        self.shape.as_ref().ok_or_else(|| {
            let dims = self.tensor.description.dims.as_slice();
            Status::new(ACLNN_ERR_PARAM_INVALID, format_args!("{} has a negative size: {dims:?}", self.name))
        })
    }

    /// Whether the elements lie one after the other.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.is_contiguous
    }

    /// Whether the last element of a contiguous view is the last of the storage.
    fn ends_its_storage(&self) -> bool {
        let count = self.shape.as_ref().and_then(|shape| shape.numel()).unwrap_or(0);
        i128::from(self.tensor.description.offset) + count as i128 == self.storage_elements()
    }

    fn storage_elements(&self) -> i128 {
        self.tensor
            .description
            .storage
            .iter()
            .fold(1, |count: i128, size| count.saturating_mul(i128::from(*size)))
    }

    /// Refuses a type that the product does not write through this view.
    fn must_be_writable(&self, dtype: DType) -> Result {
        // A view is written by the device's processors there, which lack these types.
        let lacks = matches!(settings::get().product, Product::Ascend910 | Product::Ascend910B)
            && matches!(dtype, DType::U16 | DType::U32 | DType::U64);
        if lacks && !self.is_contiguous() {
            let message = format!(
                "{} is a view that is not contiguous, through which this product does not write {dtype}; write to a \
                 contiguous tensor and copy its bytes as a signed type of the same width",
                self.name
            );
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        Ok(())
    }

    /// Refuses elements that share memory.
    fn must_not_share(&self) -> Result {
        let shared = check::level() != Level::Off
            && span::shares_elements(self.shape()?, &strides(&self.tensor.description));
        if shared {
            let message = format!(
                "{} has elements that share memory, as a broadcast view has, so what they hold afterwards depends on \
                 the order in which they are written; give every element memory of its own",
                self.name
            );
            return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message).of(Check::SharedElements));
        }
        Ok(())
    }

    /// The view as elements of `shape`, to which it broadcasts.
    ///
    /// A view that is not contiguous must lie inside its storage, as where CANN makes it contiguous.
    pub(crate) fn view(&self, dtype: DType, shape: &Shape) -> Result<View> {
        let sizes = self.shape()?;
        let strides = strides(&self.tensor.description);
        if strides.len() != sizes.rank() {
            let message = format!("{} has {} strides for {} axes", self.name, strides.len(), sizes.rank());
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        let named =
            |status: Status| Status::new(status.code, format_args!("{}: {}", self.name, status.message));
        if dtype.bits() < 8 && self.is_contiguous() && sizes == shape {
            let numel = shape.numel().unwrap_or(usize::MAX);
            return View::packed(dtype, numel, self.tensor.description.offset).map_err(named);
        }
        if dtype.bits() < 8 {
            let message =
                format!("{} is packed {dtype} and not contiguous; make it contiguous first", self.name);
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        if !self.is_contiguous() {
            self.check_storage(sizes, &strides)?;
        }
        let missing = shape.rank().saturating_sub(sizes.rank());
        let mut spread: SmallVec<[isize; 8]> = SmallVec::from_elem(0, shape.rank());
        for (axis, (size, stride)) in sizes.iter().zip(&strides).enumerate() {
            let target = missing + axis;
            spread[target] = if *size == 1 && shape[target] != 1 { 0 } else { *stride };
        }
        View::new(dtype, shape, &spread, self.tensor.description.offset).map_err(named)
    }

    fn check_storage(&self, sizes: &[usize], strides: &[isize]) -> Result {
        let mut low = i128::from(self.tensor.description.offset);
        let mut high = low;
        for (size, stride) in sizes.iter().zip(strides) {
            let reach = (*size as i128 - 1) * *stride as i128;
            if reach < 0 { low += reach } else { high += reach }
        }
        let storage = self.storage_elements();
        if low < 0 || high >= storage {
            let message = format!(
                "{} reaches from element {low} to {high}, but its storage {:?} has {storage} elements",
                self.name,
                self.tensor.description.storage.as_slice()
            );
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        Ok(())
    }
}

fn strides(description: &Description) -> SmallVec<[isize; 8]> {
    description.strides.iter().map(|stride| *stride as isize).collect()
}

impl Plan {
    /// A plan without a kernel, for empty tensors.
    pub(crate) fn empty() -> Self {
        Plan::of(None, 0, SmallVec::new())
    }

    /// A device converts the tensors that `converts` names, by their number, into temporaries or out of them.
    pub(crate) fn converting(mut self, converts: impl Fn(usize) -> bool) -> Self {
        for (index, tensor) in self.tensors.iter_mut().enumerate() {
            tensor.direct &= !converts(index);
        }
        self
    }

    /// Computes `output` from `inputs` by `body`; each operand is given with the type and shape it is seen in.
    pub(crate) fn new(
        inputs: &[(&Operand, DType)],
        output: (&Operand, DType),
        shape: &Shape,
        workspace: u64,
        body: impl Body + 'static,
    ) -> Result<Self> {
        let mut views: SmallVec<[View; 3]> = SmallVec::new();
        let mut tensors = SmallVec::new();
        for (operand, dtype) in inputs.iter().chain([&output]) {
            views.push(operand.view(*dtype, shape)?);
            let direct = operand.is_contiguous();
            tensors.push(PlannedTensor { name: operand.name, position: operand.position, direct });
        }
        output.0.must_be_writable(output.1)?;
        if !body.is_uniform() {
            output.0.must_not_share()?;
        }
        let plan = Plan::of(Some(Kernel::new(views, shape, body)), workspace, tensors);
        // These products compute into a temporary tensor and copy it to the output.
        let copied = matches!(settings::get().product, Product::Ascend910 | Product::Ascend310P)
            && output.0.is_contiguous()
            && !output.0.ends_its_storage();
        Ok(if copied { plan.by(Tasks::Copy) } else { plan })
    }
}

/// Bytes of workspace for temporaries of the given sizes, rounded as CANN rounds each.
///
/// The emulator converts inside its kernels and needs none of it, but a program that passes no workspace, or too little,
/// would fail on a device.
pub(crate) fn workspace(temporaries: impl IntoIterator<Item = Option<usize>>) -> u64 {
    let slot = |bytes: usize| (bytes as u64).saturating_add(32).next_multiple_of(512);
    temporaries.into_iter().flatten().map(slot).fold(0, u64::saturating_add)
}
