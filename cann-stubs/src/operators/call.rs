//! The arguments of a call, and the plan that comes of it.

use std::fmt::Debug;
use std::sync::Arc;

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_sys::operators::{OperatorInfo, ParameterKind};
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_NULLPTR, aclDataType};
use smallvec::SmallVec;

use super::argument::Argument;
pub(crate) use super::operand::Operand;
use super::operand::{Arena, Described};
use crate::entry::{Parameter as _, Text};
use crate::handle::{Dangling, Registry};
use crate::mapped::{mapped, try_mapped};
use crate::meta::array::{BOOL_ARRAYS, FLOAT_ARRAYS, INT_ARRAYS};
use crate::meta::handle_codes::dangling;
use crate::meta::list::{SCALAR_LISTS, TENSOR_LISTS};
pub(crate) use crate::meta::plan::{Plan, Tasks};
use crate::meta::plan::{PlannedTensor, Slot};
use crate::meta::scalar::{self, SCALARS, Scalar};
use crate::meta::tensor::TENSORS;
use crate::status::{Result, Status};
use cann_kernels::{Body, Kernel, View};

/// A call of phase one: what was declared and what was passed.
pub(crate) struct Call<'a> {
    pub(crate) info: &'static OperatorInfo,
    pub(crate) arguments: &'a [Argument],
    operands: Arena<Described>,
    lists: Arena<Vec<Option<Described>>>,
    ints: Arena<Arc<Vec<i64>>>,
    scalars: Arena<Arc<Scalar>>,
}

/// An operator: what was declared, and the function that plans it.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    pub(crate) info: &'static OperatorInfo,
    pub(crate) rule: fn(&Call<'_>) -> Result<Plan>,
}

/// The handle of a tensor among arguments.
#[inline]
pub(crate) fn tensor_in(arguments: &[Argument], slot: Slot) -> usize {
    match arguments.get(slot.argument) {
        Some(Argument::Tensor(handle)) => *handle,
        Some(Argument::Tensors(list)) => tensor_in_list(*list, slot.element),
        _ => 0,
    }
}

/// The tensors of the list `name`, none of which may be null; `code` is that of the failure.
pub(super) fn all_given<'c>(list: &[Option<Operand<'c>>], name: &str, code: i32) -> Result<Vec<Operand<'c>>> {
    let mut given = Vec::with_capacity(list.len());
    for (index, tensor) in list.iter().enumerate() {
        let null = || Status::new(code, format_args!("tensor {index} of {name} is null"));
        given.push(tensor.ok_or_else(null)?);
    }
    Ok(given)
}

impl<'a> Call<'a> {
    pub(crate) fn new(info: &'static OperatorInfo, arguments: &'a [Argument]) -> Self {
        Call {
            info,
            arguments,
            operands: Arena::default(),
            lists: Arena::default(),
            ints: Arena::default(),
            scalars: Arena::default(),
        }
    }

    /// An operand that is no argument, and lives as long as the call.
    pub(crate) fn keep(&self, operand: Described) -> Operand<'_> {
        Operand(self.operands.keep(operand))
    }

    /// The number of the parameter `name`, its name and its argument.
    fn argument(&self, name: &str) -> Result<(usize, &'static str, Argument)> {
        let mut passed = self.info.parameters.iter().zip(self.arguments).enumerate();
        let found = passed.find(|(_, (parameter, _))| parameter.name == name);
        found
            .map(|(position, (parameter, argument))| (position, parameter.name, *argument))
            .ok_or_else(|| self.undeclared(name))
    }

    /// The tensor argument `name`; null is an error.
    #[inline(never)]
    pub(crate) fn tensor(&self, name: &str) -> Result<Operand<'_>> {
        let (argument, name, value) = self.argument(name)?;
        let Argument::Tensor(handle) = value else { return Err(self.undeclared(name)) };
        let tensor = TENSORS.get(handle).map_err(|why| dangling(name, why))?;
        Ok(self.keep(Described::new(name, Slot { argument, element: 0 }, tensor)))
    }

    /// The tensor arguments of these names; null is an error.
    #[inline(never)]
    pub(crate) fn tensors_of<const N: usize>(&self, names: [&str; N]) -> Result<[Operand<'_>; N]> {
        let found = self.each_of(&names)?;
        found.try_into().map_err(|_| Status::new(ACLNN_ERR_INNER_NULLPTR, "an operand is missing"))
    }

    fn each_of(&self, names: &[&str]) -> Result<Vec<Operand<'_>>> {
        try_mapped(names, |name| self.tensor(name))
    }

    /// The tensor arguments of these names, which may be null.
    #[inline(never)]
    pub(crate) fn optional_tensors_of<const N: usize>(
        &self,
        names: [&str; N],
    ) -> Result<[Option<Operand<'_>>; N]> {
        let mut found = [None; N];
        for (found, name) in found.iter_mut().zip(names) {
            *found = self.optional_tensor(name)?;
        }
        Ok(found)
    }

    /// The tensors of the list `name`; null, as a list or as a tensor of it, is an error.
    #[inline(never)]
    pub(crate) fn tensors(&self, name: &str) -> Result<Vec<Operand<'_>>> {
        all_given(&self.optional_tensors(name)?, name, ACLNN_ERR_PARAM_NULLPTR)
    }

    /// The tensors of the list `name`, which may be null; a null list is an error.
    pub(crate) fn optional_tensors(&self, name: &str) -> Result<Vec<Option<Operand<'_>>>> {
        let (argument, name, value) = self.argument(name)?;
        let Argument::Tensors(list) = value else { return Err(self.undeclared(name)) };
        let list = TENSOR_LISTS.get(list).map_err(|why| dangling(name, why))?;
        let mut operands = Vec::with_capacity(list.len());
        for (element, handle) in list.iter().enumerate() {
            operands.push(match TENSORS.get(*handle) {
                Ok(tensor) => Some(Described::new(name, Slot { argument, element }, tensor)),
                Err(Dangling::Null) => None,
                Err(why) => return Err(dangling(&format!("tensor {element} of {name}"), why)),
            });
        }
        Ok(mapped(self.lists.keep(operands), |operand| operand.as_ref().map(Operand)))
    }

    /// The scalar argument `name`; null is an error.
    #[inline(never)]
    pub(crate) fn scalar(&self, name: &str) -> Result<&Scalar> {
        match self.argument(name)? {
            (_, name, Argument::Scalar(handle)) => Ok(self.scalars.keep(scalar::resolve(handle, name)?)),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The integers of the array `name`; null is an error.
    #[inline(never)]
    pub(crate) fn ints(&self, name: &str) -> Result<&[i64]> {
        match self.argument(name)? {
            (_, name, Argument::Ints(array)) => {
                Ok(self.ints.keep(INT_ARRAYS.get(array).map_err(|why| dangling(name, why))?))
            }
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

    /// The scalars of the list `name`; null is an error.
    pub(crate) fn scalars(&self, name: &str) -> Result<Vec<Arc<Scalar>>> {
        let (_, name, Argument::Scalars(list)) = self.argument(name)? else {
            return Err(self.undeclared(name));
        };
        let list = SCALAR_LISTS.get(list).map_err(|why| dangling(name, why))?;
        try_mapped(&list, |&scalar| scalar::resolve(scalar, name))
    }

    /// The truth values of the array `name`; null is an error.
    pub(crate) fn bools(&self, name: &str) -> Result<Vec<bool>> {
        let (_, name, Argument::Bools(array)) = self.argument(name)? else {
            return Err(self.undeclared(name));
        };
        let bytes = BOOL_ARRAYS.get(array).map_err(|why| dangling(name, why))?;
        Ok(mapped(&bytes, |byte| *byte != 0))
    }

    /// What `get` finds for the argument `name`; `None` if that is null.
    #[inline(never)]
    pub(crate) fn optional<'s, T>(
        &'s self,
        name: &str,
        get: impl FnOnce(&'s Self, &str) -> Result<T>,
    ) -> Result<Option<T>> {
        use Argument::{Bools, Floats, Ints, Scalar, Scalars, Tensor, Tensors};
        match self.argument(name)?.2 {
            Tensor(0) | Tensors(0) | Scalar(0) | Scalars(0) | Ints(0) | Floats(0) | Bools(0) => Ok(None),
            _ => get(self, name).map(Some),
        }
    }

    /// The tensor argument `name`, which may be null. An operand with one axis of no elements counts as null: PyTorch's plugin
    /// passes such a tensor where an operand is absent.
    pub(crate) fn optional_tensor(&self, name: &str) -> Result<Option<Operand<'_>>> {
        let is_read = self
            .info
            .parameters
            .iter()
            .any(|parameter| parameter.name == name && parameter.kind == ParameterKind::TensorOrNull);
        Ok(self.optional(name, Self::tensor)?.filter(|operand| !(is_read && operand.is_nothing())))
    }

    /// The tensor argument `name`, which some forms of an operator call `nameOptional` and others lack.
    pub(crate) fn given(&self, name: &str) -> Result<Option<Operand<'_>>> {
        let optional = format!("{name}Optional");
        match [name, &optional].into_iter().find(|name| self.has(name)) {
            Some(name) => self.optional_tensor(name),
            None => Ok(None),
        }
    }

    /// The scalar argument `name`, which may be null.
    pub(crate) fn optional_scalar(&self, name: &str) -> Result<Option<&Scalar>> {
        self.optional(name, Self::scalar)
    }

    #[inline(never)]
    pub(crate) fn dtype(&self, name: &str) -> Result<aclDataType> {
        match self.argument(name)? {
            (_, _, Argument::DType(dtype)) => Ok(dtype),
            _ => Err(self.undeclared(name)),
        }
    }

    #[inline(never)]
    pub(crate) fn int(&self, name: &str) -> Result<i64> {
        match self.argument(name)? {
            (_, _, Argument::Int(value)) => Ok(value),
            // A count beyond any size of memory is as good as the largest.
            (_, _, Argument::Unsigned(value)) => Ok(value.try_into().unwrap_or(i64::MAX)),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The integer `name`, of which every bit counts and not the sign.
    pub(crate) fn bits(&self, name: &str) -> Result<u64> {
        match self.argument(name)? {
            (_, _, Argument::Int(value)) => Ok(value as u64),
            (_, _, Argument::Unsigned(value)) => Ok(value),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The number `name`, a `float` or `double` of C.
    #[inline(never)]
    pub(crate) fn float(&self, name: &str) -> Result<f64> {
        match self.argument(name)? {
            (_, _, Argument::Float(value)) => Ok(value),
            _ => Err(self.undeclared(name)),
        }
    }

    /// The truth value `name`.
    #[inline(never)]
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

    /// The text `name`, which may be null.
    #[inline(never)]
    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<String>> {
        match self.argument(name)?.2 {
            Argument::Text(text) if text.is_null() => Ok(None),
            _ => self.text(name).map(Some),
        }
    }

    /// Returns whether the operator has a parameter of this name.
    #[inline(never)]
    pub(crate) fn has(&self, name: &str) -> bool {
        self.info.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// Returns whether the parameter `name` is a scalar object.
    pub(crate) fn is_scalar(&self, name: &str) -> bool {
        matches!(self.argument(name), Ok((_, _, Argument::Scalar(_))))
    }

    /// Returns whether the parameter `name` is a tensor.
    #[inline(never)]
    pub(crate) fn is_tensor(&self, name: &str) -> bool {
        matches!(self.argument(name), Ok((_, _, Argument::Tensor(_))))
    }

    /// Returns whether the operator writes into its first operand.
    #[inline(never)]
    pub(crate) fn is_in_place(&self) -> bool {
        self.info
            .parameters
            .iter()
            .any(|parameter| matches!(parameter.kind, ParameterKind::InOut | ParameterKind::InOutConst))
    }

    /// The operand that the result is written to.
    #[inline(never)]
    pub(crate) fn output(&self) -> Result<Operand<'_>> {
        use ParameterKind::{InOut, InOutConst, Out, OutConst};
        let is_written = |kind| matches!(kind, Out | OutConst | InOut | InOutConst);
        let written = self.info.parameters.iter().find(|parameter| is_written(parameter.kind));
        self.tensor(written.map_or("out", |parameter| parameter.name))
    }

    /// The tensors that the operator writes, but for those of lists and null ones.
    pub(super) fn outputs(&self) -> impl Iterator<Item = Operand<'_>> {
        use ParameterKind::{InOut, InOutConst, Out, OutConst, OutConstOrNull, OutOrNull};
        let is_written =
            |kind| matches!(kind, Out | OutConst | OutOrNull | OutConstOrNull | InOut | InOutConst);
        let written = self.info.parameters.iter().filter(move |parameter| is_written(parameter.kind));
        written.filter_map(|parameter| self.tensor(parameter.name).ok())
    }

    /// Adds the operator and what is known of its operands to a failure.
    pub(crate) fn explain(&self, status: Status) -> Status {
        let operands = self.info.parameters.iter().zip(self.arguments);
        let operands: Vec<String> =
            operands.map(|(parameter, argument)| told(parameter.name, *argument)).collect();
        let operands = operands.join(", ");
        let message = format!("{}; called with {operands}", status.message);
        status.with_message(message)
    }

    fn undeclared(&self, name: &str) -> Status {
        Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("no parameter is called {name}"))
    }
}

/// The handle of an element of a list; 0 if there is none.
fn tensor_in_list(list: usize, element: usize) -> usize {
    TENSOR_LISTS.with(list, |list| list.get(element).copied()).ok().flatten().unwrap_or(0)
}

/// An argument in words.
fn told(name: &str, argument: Argument) -> String {
    fn tensor(handle: usize) -> Option<String> {
        TENSORS
            .with(handle, |tensor| {
                let (dtype, dims) = (&tensor.description.dtype, tensor.description.dims());
                format!("{}{:?}", described(*dtype), dims)
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
        Argument::Unsigned(value) => Some(format!("= {value}")),
        Argument::Float(value) => Some(format!("= {value}")),
        Argument::Bool(value) => Some(format!("= {value}")),
        Argument::Text(text) => (!text.is_null()).then(|| "(text)".to_owned()),
    };
    format!("{name} {}", value.unwrap_or_else(|| "(no object)".to_owned()))
}

/// A data type in words: its short name, or its number when CANN has no such type.
#[inline(never)]
pub(crate) fn described(dtype: aclDataType) -> String {
    DType::from_acl_code(dtype.0).map_or_else(|| format!("dtype {}", dtype.0), |dtype| dtype.to_string())
}

impl Plan {
    /// A plan without a kernel, for empty tensors.
    pub(crate) fn empty() -> Self {
        Plan::of(None, 0, SmallVec::new())
    }

    /// A device converts the tensors for which `converts` holds, in their order, into temporaries or out of them.
    pub(crate) fn converting(mut self, converts: impl IntoIterator<Item = bool>) -> Self {
        for (tensor, converts) in self.tensors.iter_mut().zip(converts) {
            tensor.direct &= !converts;
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
        Self::of_body(inputs, output, shape, workspace, Box::new(body))
    }

    fn of_body(
        inputs: &[(&Operand, DType)],
        output: (&Operand, DType),
        shape: &Shape,
        workspace: u64,
        body: Box<dyn Body>,
    ) -> Result<Self> {
        let mut views: SmallVec<[View; 3]> = SmallVec::new();
        let mut tensors = SmallVec::new();
        for (operand, dtype) in inputs.iter().chain([&output]) {
            operand.must_lie_plainly()?;
            views.push(operand.view(*dtype, shape)?);
            let direct = operand.is_contiguous();
            tensors.push(PlannedTensor {
                name: operand.name,
                slot: operand.slot(),
                direct,
                looked_up: false,
            });
        }
        output.0.must_be_writable(output.1)?;
        output.0.must_not_share()?;
        let plan = Plan::of(Some(Kernel::new(views, shape, body)), workspace, tensors);
        Ok(if output.0.is_copied_to() { plan.by(Tasks::Copy) } else { plan })
    }
}

/// Bytes of workspace for temporaries of the given sizes, rounded as CANN rounds each.
///
/// The emulator converts inside its kernels and needs none of it, but a program that passes no workspace, or too little,
/// would fail on a device.
#[inline(never)]
pub(crate) fn workspace(temporaries: impl IntoIterator<Item = Option<usize>>) -> u64 {
    // More than can be counted is more than any device has.
    let rounded = |bytes: usize| (bytes as u64).checked_add(32)?.checked_next_multiple_of(512);
    let slot = |bytes: usize| rounded(bytes).unwrap_or(u64::MAX);
    temporaries.into_iter().flatten().map(slot).fold(0, u64::saturating_add)
}
