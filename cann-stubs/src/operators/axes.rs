//! Common parts of operators along axes: the choice of axes, the shapes and types of outputs, and the plan of a
//! reduction.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::signature::{AlongAxes, Output, Refused};
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, aclDataType};
use cann_kernels::axis::reduce::{Axis, Function, Reduce};
use cann_kernels::size_of_dtype;
use smallvec::SmallVec;

use super::call::{Operand, Plan, Tasks, described, workspace};
use super::check;
use super::conversions;
use super::plan_builder::{PlanBuilder, innermost};
use crate::compute::units;
use crate::mapped::mapped;
use crate::meta::scalar::Scalar;
use crate::settings;
use crate::status::{Result, Status};

pub(super) fn invalid<T>(message: impl std::fmt::Display) -> Result<T> {
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

/// The axes of an operator, counted from the front.
pub(super) type Axes = SmallVec<[usize; 8]>;

/// One of `count` axes, counted from the front; `name` is the parameter that numbers it, from the end if it is negative.
#[inline(never)]
pub(super) fn axis_in(name: &str, number: i64, count: usize) -> Result<usize> {
    let end = count as i64;
    match number {
        _ if (-end..end).contains(&number) => Ok(number.rem_euclid(end) as usize),
        _ if count == 0 => invalid(format_args!("{name} is {number}, but there are no axes")),
        _ => invalid(format_args!("{name} is {number}, but axes are numbered from {} to {}", -end, end - 1)),
    }
}

/// The shape of a half of an operand along an axis.
pub(super) fn halved(operand: &Operand, axis: usize) -> Result<Shape> {
    let shape = operand.shape()?;
    if let Some(size) = shape.get(axis).filter(|size| !size.is_multiple_of(2)) {
        let name = operand.name;
        return invalid(format_args!("{name} has {size} elements along axis {axis}, which is not even"));
    }
    Ok(shape.iter().enumerate().map(|(own, size)| if own == axis { size / 2 } else { *size }).collect())
}

/// The items at some places.
pub(super) fn picked<T: Copy + Default, const N: usize>(items: &[T], places: [usize; N]) -> [T; N] {
    let mut picked = [T::default(); N];
    for (picked, place) in picked.iter_mut().zip(places) {
        *picked = items[place];
    }
    picked
}

/// The axis of an operand that `dim` numbers; a tensor without axes takes those of a tensor with one.
pub(super) fn axis(own: &Operand, dim: i64) -> Result<usize> {
    axis_in("dim", dim, own.rank().max(1))
}

/// The axes of a list, all of the operand if it is empty, in ascending order.
pub(super) fn axes(own: &Operand, dims: &[i64]) -> Result<Axes> {
    let mut axes = Axes::new();
    for dim in dims {
        let axis = axis(own, *dim)?;
        if axes.contains(&axis) {
            return invalid(format_args!("axis {axis} is listed twice in {dims:?}"));
        }
        axes.push(axis);
    }
    Ok(in_order(own, axes))
}

/// The axes that the operand has, in ascending order; all of them instead of none.
pub(super) fn in_order(own: &Operand, mut axes: Axes) -> Axes {
    axes.sort_unstable();
    axes.dedup();
    if axes.is_empty() {
        (0..own.rank()).collect()
    } else {
        axes.into_iter().filter(|axis| *axis < own.rank()).collect()
    }
}

/// The shape of a result: each axis that is reduced has one element, or is gone.
pub(super) fn reduced(own: &Operand, axes: &[usize], keeps: bool) -> Result<Shape> {
    let sizes = own.shape()?.iter().enumerate();
    Ok(Shape::from_iter(sizes.filter_map(|(axis, size)| match axes.contains(&axis) {
        true => keeps.then_some(1),
        false => Some(*size),
    })))
}

/// The output has exactly this shape, or both have one element.
pub(super) fn shape_or_single(output: &Operand, shape: &Shape) -> Result {
    match output.shape()?.numel() == Some(1) && shape.numel() == Some(1) {
        true => Ok(()),
        false => check::output_shape(output, shape),
    }
}

/// The same, of a result whose shape is compared only where it is written.
pub(super) fn written(output: &Operand, shape: &Shape) -> Result {
    shape_or_single(output, shape).map_err(|status| status.with_code(ACLNN_ERR_INNER_NULLPTR))
}

/// A type among the arguments.
pub(super) fn named(dtype: aclDataType) -> Option<DType> {
    DType::from_acl_code(dtype.0)
}

/// The type of an output, which must be `dtype`, an argument.
pub(super) fn output_is(output: &Operand, dtype: aclDataType) -> Result {
    match output.raw_dtype() == dtype {
        true => Ok(()),
        false => invalid(format_args!(
            "dtype is {}, but {} is {}; both must be the same",
            described(dtype),
            output.name,
            described(output.raw_dtype())
        )),
    }
}

/// The type of an output, which must be one that the operator gives for an operand of type `own`.
pub(super) fn output_type(signature: &AlongAxes, own: DType, output: &Operand) -> Result<DType> {
    output_of(signature.output, own, own, output)
}

/// The type of an output, which must suit an operand and a result.
#[inline(never)]
pub(super) fn output_of(types: Output, own: DType, result: DType, output: &Operand) -> Result<DType> {
    let Some(out) = output.known_dtype() else {
        return invalid(format_args!("{} has a type that no operator writes", output.name));
    };
    match types.refuses(settings::get().product, own, result, out) {
        // This is found out where the result is written.
        None | Some(Refused::Unwritten(_)) => Ok(out),
        Some(refused) => Err(refuse_output(refused, out, output.name)),
    }
}

/// Why an output of type `out` is refused, with CANN's code.
pub(super) fn refuse_output(refused: Refused, out: DType, name: &str) -> Status {
    let invalid = |message: String| Status::new(ACLNN_ERR_PARAM_INVALID, message);
    match refused {
        Refused::Only(only) => invalid(format!("{name} is {out}, but must be {only}")),
        Refused::NotCast(from) => {
            invalid(format!("the result is {from}, which is not converted to {out} of {name}"))
        }
        Refused::NotListed(types) => invalid(format!("{name} is {out}, but the operator makes {types}")),
        Refused::Unwritten(result) => {
            let message = format!("the result is {result}, which nothing converts to {out} of {name}");
            Status::new(ACLNN_ERR_INNER_NULLPTR, message)
        }
    }
}

/// Refuses an output to whose type nothing converts a result, after all other checks.
pub(super) fn written_as(types: Output, result: DType, output: &Operand) -> Result {
    let refused = |out| Some((types.refuses(settings::get().product, result, result, out)?, out));
    match output.known_dtype().and_then(refused) {
        None => Ok(()),
        Some((refused, out)) => Err(refuse_output(refused, out, output.name)),
    }
}

/// Refuses a conversion from `from` to `to` that the library does not do itself.
pub(super) fn castable(from: DType, to: DType) -> Result {
    match check::convertible(from, to) {
        true => Ok(()),
        false => invalid(format_args!("{from} is not converted to {to}")),
    }
}

/// A number written to every element of the outputs that have some.
#[inline(never)]
pub(super) fn filled(outputs: &[(&Operand, DType)], number: f64) -> Result<Plan> {
    filled_each(&mapped::<_, Vec<_>>(outputs, |(output, dtype)| (*output, *dtype, number)))
}

/// A number for each output, written to every element of it, if it has some.
pub(super) fn filled_each(outputs: &[(&Operand, DType, f64)]) -> Result<Plan> {
    let mut builder = PlanBuilder::new();
    let mut is_empty = true;
    for &(output, dtype, number) in outputs {
        let shape = output.shape()?;
        if shape.is_empty_tensor() {
            continue;
        }
        // Powers of two have no zero: the byte 0 stands for what is not there.
        let of_zero = dtype == DType::F8E8M0 && number == 0.0;
        let made = if of_zero { DType::U8 } else { dtype };
        let element = Scalar::of_bytes(DType::F64, &number.to_ne_bytes()).converted(made);
        let element = element.ok_or_else(|| no_kernel(format_args!("no {dtype} is made of {number}")))?;
        let place = builder.write(output, dtype, output.in_order(dtype)?, true)?;
        builder.fill(place, shape, element.get(..size_of_dtype(dtype)).unwrap_or_default());
        is_empty = false;
    }
    Ok(if is_empty { Plan::empty() } else { builder.plan(0) })
}

/// Elements converted one by one, into an output of the same shape or of one element in any number of axes.
pub(super) fn converted(
    own: &Operand,
    from: DType,
    through: DType,
    output: &Operand,
    to: DType,
) -> Result<Plan> {
    written(output, own.shape()?)?;
    let mut builder = PlanBuilder::new();
    let input = builder.read(own, own.in_order(from)?, from == to);
    let out = builder.write(output, to, output.in_order(to)?, from == to)?;
    builder.copy(input, out, own.shape()?, conversions::through(&[from, through, to])?);
    let tasks = tasks(true, &[(from, through), (through, to)]);
    Ok(builder.plan(temporaries(&[(own, from, to), (output, to, to)])).by(tasks))
}

/// Returns whether AI cores compute and convert, or processors among them.
#[inline(never)]
pub(super) fn tasks(on_cores: bool, conversions: &[(DType, DType)]) -> Tasks {
    let product = settings::get().product;
    let converts = |(from, to): &(DType, DType)| units::converts(product, *from, *to);
    if on_cores && conversions.iter().all(converts) { Tasks::Cores } else { Tasks::Processors }
}

/// Bytes of workspace for the operands that are converted between two types, or not contiguous.
pub(super) fn temporaries(operands: &[(&Operand, DType, DType)]) -> u64 {
    workspace(operands.iter().map(|(operand, own, seen)| {
        let count = operand.shape().ok()?.numel()?;
        (own != seen || !operand.is_contiguous()).then(|| seen.storage_bytes(count).unwrap_or(usize::MAX))
    }))
}

/// Bytes of workspace for operands of one type, which are all converted to another.
pub(super) fn temporaries_of(operands: &[&Operand], own: DType, seen: DType) -> u64 {
    temporaries(&mapped::<_, Vec<_>>(operands, |operand| (*operand, own, seen)))
}

/// A result of a reduction.
pub(super) struct Reduced<'a> {
    pub(super) output: &'a Operand<'a>,
    /// Which of the results of the function it is.
    pub(super) part: usize,
    /// The type that the result is rounded to first.
    pub(super) through: DType,
    pub(super) dtype: DType,
}

/// A reduction of an operand.
pub(super) struct Reduction<'a> {
    pub(super) own: &'a Operand<'a>,
    pub(super) from: DType,
    /// The type that elements are converted to, in which they are computed.
    pub(super) through: DType,
    pub(super) axes: &'a [usize],
    pub(super) function: Function,
    pub(super) cores: bool,
}

impl Reduction<'_> {
    pub(super) fn plan(&self, outputs: &[Reduced<'_>]) -> Result<Plan> {
        let Reduction { own, from, through, axes, function, .. } = *self;
        let none = || no_kernel(format_args!("there is no kernel for {through}"));
        let (element, result) = function.types(through).ok_or_else(none)?;
        let order = innermost(own.rank(), axes);
        let kept = own.rank() - axes.len();
        let (shape, strides) = (own.shape()?, own.strides());
        let mut all: Vec<Axis> =
            mapped(&order, |axis| Axis { size: shape[*axis], input: strides[*axis], outputs: [0; 2] });
        let mut builder = PlanBuilder::new();
        let input = builder.read(own, own.permuted(from, &order)?, from == through);
        let (mut places, mut conversions) = (Vec::new(), Vec::new());
        let results = all[..kept].iter().map(|axis| axis.size).product();
        for (number, to) in outputs.iter().enumerate() {
            let given = to.output.shape()?;
            if given.numel() != Some(results) {
                let name = to.output.name;
                return Err(no_kernel(format_args!(
                    "{name} has shape {given}, but there are {results} results"
                )));
            }
            let strides = to.output.strides();
            // An output of one element may have any number of axes.
            let is_single = to.output.shape()?.numel() == Some(1);
            let keeps = to.output.rank() == own.rank();
            for (position, (axis, stride)) in all[..kept].iter_mut().zip(&order).enumerate() {
                let from = if keeps { *stride } else { position };
                axis.outputs[number] = if is_single { 0 } else { strides[from] };
            }
            let view = to.output.in_order(to.dtype)?;
            places.push(builder.write(to.output, to.dtype, view, to.through == to.dtype)?);
            conversions.push((to.part, conversions::through(&[result, to.through, to.dtype])?));
        }
        let load = (conversions::through(&[from, through, element])?, size_of_dtype(element));
        let loops = function.loops(element).ok_or_else(none)?;
        builder.whole(&[input], &places, Reduce::new(all, kept, load, loops, conversions));
        let mut bytes = vec![(own, from, through)];
        bytes.extend(outputs.iter().map(|to| (to.output, to.dtype, to.through)));
        let mut casts = vec![(from, through)];
        casts.extend(outputs.iter().map(|to| (to.through, to.dtype)));
        Ok(builder.plan(temporaries(&bytes)).by(tasks(self.cores, &casts)))
    }
}

/// Returns whether AI cores compute a type.
pub(super) fn on_cores(signature: &AlongAxes, dtype: DType) -> bool {
    check::types(signature.cores).contains(dtype)
}

/// A result in the type in which it is computed.
pub(super) fn plain<'a>(output: &'a Operand, through: DType, dtype: DType) -> Reduced<'a> {
    Reduced { output, part: 0, through, dtype }
}

pub(super) fn no_kernel(message: impl std::fmt::Display) -> Status {
    Status::new(ACLNN_ERR_INNER_NULLPTR, message)
}
