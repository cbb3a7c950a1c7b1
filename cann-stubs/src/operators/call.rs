//! The arguments of a call, and the plan that comes of it.

use std::fmt::Debug;
use std::sync::Arc;

use aclnn_numerics::DType;
use aclnn_numerics::layout::{Layout, Shape};
use aclnn_numerics::product::Product;
use aclnn_sys::operators::{OperatorInfo, ParameterKind};
use aclnn_sys::{
    ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, aclDataType, aclFormat,
};
use smallvec::SmallVec;

use super::argument::Argument;
use crate::check::{self, span};
use crate::entry::{Parameter as _, Text};
use crate::handle::{Dangling, Registry};
use crate::kernels::{Body, Kernel, View};
use crate::meta::array::{BOOL_ARRAYS, FLOAT_ARRAYS, INT_ARRAYS};
use crate::meta::dangling::dangling;
use crate::meta::list::{SCALAR_LISTS, TENSOR_LISTS};
pub(crate) use crate::meta::plan::{Plan, Tasks};
use crate::meta::plan::{PlannedTensor, Slot};
use crate::meta::scalar::{self, SCALARS, Scalar};
use crate::meta::tensor::{Description, TENSORS, Tensor};
use crate::misuse::{Check, Level};
use crate::settings;
use crate::status::{Result, Status};

/// A call of phase one: what was declared and what was passed.
pub(crate) struct Call<'a> {
    pub(crate) info: &'static OperatorInfo,
    pub(crate) arguments: &'a [Argument],
}

/// A tensor argument: its name, and its descriptor as it was when the operator was planned.
pub(crate) struct Operand {
    pub(crate) name: &'static str,
    slot: Slot,
    tensor: Arc<Tensor>,
    shape: Option<Shape>,
    is_contiguous: bool,
}

#[allow(dead_code, reason = "not every kind of argument is declared yet")]
impl<'a> Call<'a> {
    /// The number of the parameter `name`, its name and its argument.
    fn argument(&self, name: &str) -> Result<(usize, &'static str, Argument)> {
        let position = self.info.parameters.iter().position(|parameter| parameter.name == name);
        let found = position.and_then(|position| {
            Some((position, self.info.parameters.get(position)?.name, *self.arguments.get(position)?))
        });
        found.ok_or_else(|| self.undeclared(name))
    }

    /// The handle of a tensor.
    pub(crate) fn tensor_in(&self, slot: Slot) -> usize {
        match self.arguments.get(slot.argument) {
            Some(Argument::Tensor(handle)) => *handle,
            Some(Argument::Tensors(list)) => {
                TENSOR_LISTS.with(*list, |list| list.get(slot.element).copied()).ok().flatten().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The tensor argument `name`; null is an error.
    pub(crate) fn tensor(&self, name: &str) -> Result<Operand> {
        let (argument, name, value) = self.argument(name)?;
        let Argument::Tensor(handle) = value else { return Err(self.undeclared(name)) };
        let tensor = TENSORS.get(handle).map_err(|why| dangling(name, why))?;
        Ok(Operand::new(name, Slot { argument, element: 0 }, tensor))
    }

    /// The tensors of the list `name`; null, as a list or as a tensor of it, is an error.
    pub(crate) fn tensors(&self, name: &str) -> Result<Vec<Operand>> {
        let tensors = self.optional_tensors(name)?.into_iter().enumerate();
        let null =
            |index| Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("tensor {index} of {name} is null"));
        tensors.map(|(index, tensor)| tensor.ok_or_else(|| null(index))).collect()
    }

    /// The tensors of the list `name`, which may be null; a null list is an error.
    pub(crate) fn optional_tensors(&self, name: &str) -> Result<Vec<Option<Operand>>> {
        let (argument, name, value) = self.argument(name)?;
        let Argument::Tensors(list) = value else { return Err(self.undeclared(name)) };
        let list = TENSOR_LISTS.get(list).map_err(|why| dangling(name, why))?;
        let operand = |(element, &handle): (usize, &usize)| match TENSORS.get(handle) {
            Ok(tensor) => Ok(Some(Operand::new(name, Slot { argument, element }, tensor))),
            Err(Dangling::Null) => Ok(None),
            Err(why) => Err(dangling(&format!("tensor {element} of {name}"), why)),
        };
        list.iter().enumerate().map(operand).collect()
    }

    /// The scalar argument `name`; null is an error.
    pub(crate) fn scalar(&self, name: &str) -> Result<Arc<Scalar>> {
        match self.argument(name)? {
            (_, name, Argument::Scalar(handle)) => scalar::resolve(handle, name),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The scalars of the list `name`; null is an error.
    pub(crate) fn scalars(&self, name: &str) -> Result<Vec<Arc<Scalar>>> {
        let (_, name, Argument::Scalars(list)) = self.argument(name)? else {
            return Err(self.undeclared(name));
        };
        let list = SCALAR_LISTS.get(list).map_err(|why| dangling(name, why))?;
        list.iter().map(|&scalar| scalar::resolve(scalar, name)).collect()
    }

    /// The integers of the array `name`; null is an error.
    pub(crate) fn ints(&self, name: &str) -> Result<Arc<Vec<i64>>> {
        match self.argument(name)? {
            (_, name, Argument::Ints(array)) => INT_ARRAYS.get(array).map_err(|why| dangling(name, why)),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The numbers of the array `name`; null is an error.
    pub(crate) fn floats(&self, name: &str) -> Result<Arc<Vec<f32>>> {
        match self.argument(name)? {
            (_, name, Argument::Floats(array)) => FLOAT_ARRAYS.get(array).map_err(|why| dangling(name, why)),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The truth values of the array `name`; null is an error.
    pub(crate) fn bools(&self, name: &str) -> Result<Vec<bool>> {
        let (_, name, Argument::Bools(array)) = self.argument(name)? else {
            return Err(self.undeclared(name));
        };
        let bytes = BOOL_ARRAYS.get(array).map_err(|why| dangling(name, why))?;
        Ok(bytes.iter().map(|byte| *byte != 0).collect())
    }

    /// What `get` finds for the argument `name`; `None` if that is null.
    pub(crate) fn optional<T>(
        &self,
        name: &str,
        get: impl FnOnce(&Self, &str) -> Result<T>,
    ) -> Result<Option<T>> {
        use Argument::{Bools, Floats, Ints, Scalar, Scalars, Tensor, Tensors};
        match self.argument(name)?.2 {
            Tensor(0) | Tensors(0) | Scalar(0) | Scalars(0) | Ints(0) | Floats(0) | Bools(0) => Ok(None),
            _ => get(self, name).map(Some),
        }
    }

    /// The tensor argument `name`, which may be null.
    pub(crate) fn optional_tensor(&self, name: &str) -> Result<Option<Operand>> {
        self.optional(name, Self::tensor)
    }

    /// The scalar argument `name`, which may be null.
    pub(crate) fn optional_scalar(&self, name: &str) -> Result<Option<Arc<Scalar>>> {
        self.optional(name, Self::scalar)
    }

    pub(crate) fn dtype(&self, name: &str) -> Result<aclDataType> {
        match self.argument(name)? {
            (_, _, Argument::DType(dtype)) => Ok(dtype),
            _ => Err(self.undeclared(name)),
        }
    }

    pub(crate) fn int(&self, name: &str) -> Result<i64> {
        match self.argument(name)? {
            (_, _, Argument::Int(value)) => Ok(value),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The number `name`, a `float` or `double` of C.
    pub(crate) fn float(&self, name: &str) -> Result<f64> {
        match self.argument(name)? {
            (_, _, Argument::Float(value)) => Ok(value),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The truth value `name`.
    pub(crate) fn flag(&self, name: &str) -> Result<bool> {
        match self.argument(name)? {
            (_, _, Argument::Bool(value)) => Ok(value),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The text `name`; null is an error.
    pub(crate) fn text(&self, name: &str) -> Result<String> {
        let (_, name, Argument::Text(text)) = self.argument(name)? else {
            return Err(self.undeclared(name));
        };
        // SAFETY: it comes straight from the C caller, who promises a text that ends with a zero byte.
        let text = unsafe { Text::from_c(text) };
        let null = || Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is null"));
        text.read().ok_or_else(null)
    }

    /// Whether the operator has a parameter of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.info.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// Whether the parameter `name` is a scalar object.
    pub(crate) fn is_scalar(&self, name: &str) -> bool {
        matches!(self.argument(name), Ok((_, _, Argument::Scalar(_))))
    }

    /// Whether the parameter `name` is a tensor.
    pub(crate) fn is_tensor(&self, name: &str) -> bool {
        matches!(self.argument(name), Ok((_, _, Argument::Tensor(_))))
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
        let operands = self.info.parameters.iter().zip(self.arguments);
        let operands: Vec<String> =
            operands.map(|(parameter, argument)| told(parameter.name, *argument)).collect();
        let operands = operands.join(", ");
        let message = format!("{}; called with {operands}", status.message);
        status.told_as(message)
    }

    fn undeclared(&self, name: &str) -> Status {
        Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("no parameter is called {name}"))
    }
}

/// An argument in words.
fn told(name: &str, argument: Argument) -> String {
    fn tensor(handle: usize) -> Option<String> {
        TENSORS
            .with(handle, |tensor| {
                let Description { dtype, dims, .. } = &tensor.description;
                format!("{}{:?}", described(*dtype), dims.as_slice())
            })
            .ok()
    }
    fn array<T: Debug>(registry: &Registry<Vec<T>>, handle: usize) -> Option<String> {
        registry.with(handle, |values| format!("= {values:?}")).ok()
    }
    let value = match argument {
        Argument::Tensor(handle) => tensor(handle),
        Argument::Tensors(list) => TENSOR_LISTS.get(list).ok().map(|list| {
            let tensors =
                list.iter().map(|handle| tensor(*handle).unwrap_or_else(|| "(no object)".to_owned()));
            format!("= [{}]", tensors.collect::<Vec<_>>().join(", "))
        }),
        Argument::Scalar(handle) => SCALARS.with(handle, |scalar| format!("{} scalar", scalar.dtype)).ok(),
        Argument::Scalars(list) => SCALAR_LISTS.with(list, |list| format!("= {} scalars", list.len())).ok(),
        Argument::Ints(handle) => array(&INT_ARRAYS, handle),
        Argument::Floats(handle) => array(&FLOAT_ARRAYS, handle),
        Argument::Bools(handle) => array(&BOOL_ARRAYS, handle),
        Argument::DType(dtype) => Some(format!("= {}", described(dtype))),
        Argument::Int(value) => Some(format!("= {value}")),
        Argument::Float(value) => Some(format!("= {value}")),
        Argument::Bool(value) => Some(format!("= {value}")),
        Argument::Text(text) => (!text.is_null()).then(|| "(text)".to_owned()),
    };
    format!("{name} {}", value.unwrap_or_else(|| "(no object)".to_owned()))
}

/// A data type in words: its short name, or its number when CANN has no such type.
pub(crate) fn described(dtype: aclDataType) -> String {
    DType::from_acl_code(dtype.0).map_or_else(|| format!("dtype {}", dtype.0), |dtype| dtype.to_string())
}

impl Operand {
    fn new(name: &'static str, slot: Slot, tensor: Arc<Tensor>) -> Self {
        let shape = tensor.description.shape();
        let is_contiguous = shape.is_some() && tensor.description.is_contiguous();
        Operand { name, slot, tensor, shape, is_contiguous }
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

    /// Whether the product computes into a temporary tensor and copies that to this output.
    pub(crate) fn is_copied_to(&self) -> bool {
        matches!(settings::get().product, Product::Ascend910 | Product::Ascend310P)
            && self.is_contiguous()
            && !self.ends_its_storage()
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

    pub(crate) fn slot(&self) -> Slot {
        self.slot
    }

    /// The layout of the elements in the storage.
    pub(crate) fn layout(&self) -> Result<Layout> {
        let (shape, offset) = (self.shape()?, usize::try_from(self.offset()).ok());
        let layout = offset.and_then(|offset| Layout::new(shape, &self.strides(), offset).ok());
        layout.ok_or_else(|| {
            let Description { dims, strides, offset, .. } = &self.tensor.description;
            let message =
                format!("{} has strides {strides:?} for sizes {dims:?} from element {offset} on", self.name);
            Status::new(ACLNN_ERR_INNER_NULLPTR, message)
        })
    }

    pub(crate) fn format(&self) -> aclFormat {
        self.tensor.description.format
    }

    /// Elements from one to the next along each axis.
    pub(crate) fn strides(&self) -> SmallVec<[isize; 8]> {
        strides(&self.tensor.description)
    }

    /// The first element, counted from the start of the storage.
    pub(crate) fn offset(&self) -> i64 {
        self.tensor.description.offset
    }

    /// Refuses a type that the product does not write through this view.
    pub(crate) fn must_be_writable(&self, dtype: DType) -> Result {
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
    pub(crate) fn must_not_share(&self) -> Result {
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
        let strides = self.strides();
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

    /// Elements of the operand's storage, of any sizes and strides, from element `offset` of it on.
    ///
    /// The operand must lie inside its storage; whoever asks for other elements than it has vouches for them.
    pub(crate) fn view_of(
        &self,
        dtype: DType,
        sizes: &[usize],
        strides: &[isize],
        offset: i64,
    ) -> Result<View> {
        let own = self.view(dtype, self.shape()?)?;
        if dtype.bits() < 8 {
            if own.shape() == sizes {
                return Ok(own);
            }
            let message = format!("{} is packed {dtype}, which is only taken as a whole", self.name);
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        View::new(dtype, sizes, strides, offset)
            .map_err(|status| Status::new(status.code, format_args!("{}: {}", self.name, status.message)))
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
            tensors.push(PlannedTensor { name: operand.name, slot: operand.slot, direct });
        }
        output.0.must_be_writable(output.1)?;
        if !body.is_uniform() {
            output.0.must_not_share()?;
        }
        let plan = Plan::of(Some(Kernel::new(views, shape, body)), workspace, tensors);
        Ok(if output.0.is_copied_to() { plan.by(Tasks::Copy) } else { plan })
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
