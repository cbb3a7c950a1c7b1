//! Functions of the elements of several operands, and whether elements are close, equal or there.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::Shape;
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::Promote;
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};
use cann_kernels::functions::arithmetic::compute_type;
use cann_kernels::functions::pairwise;
use cann_kernels::functions::power;
use cann_kernels::{Constant, Function};

use super::call::{Call, Operand, Plan};
use super::combination::{Combination, Given, no_kernel};
use super::functions_by_product::ternary as functions;
use super::pairwise::{accepted, rule};
use super::phases::entry_points;
use super::plan_builder::PlanBuilder;
use super::{check, signatures};
use crate::compute::alpha::Alpha;
use crate::compute::scalar_types::{self, Operands};
use crate::compute::units;
use crate::mapped::{mapped, try_mapped};
use crate::meta::scalar::Scalar;
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::n_ary_operators!(entry_points);

fn where_(call: &Call<'_>) -> Result<Plan> {
    let ([condition, own, other], output) =
        (call.tensors_of(["condition", "self", "other"])?, call.output()?);
    let list = signatures::where_.takes;
    let truth = check::dtype(&condition, Types::of("bool u8"))?;
    let (a, b, out) = (check::dtype(&own, list)?, check::dtype(&other, list)?, check::dtype(&output, list)?);
    let shape = common_shape(&[&condition, &own, &other], &output)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    // What does not promote is found only when the kernels are chosen.
    let internal = |status: Status| status.with_code(ACLNN_ERR_INNER_NULLPTR);
    let promoted = check::promote(a, b).map_err(internal)?;
    if (a, b) == (Bool, Bool) && out != Bool {
        let message = format!("{} is {out}, but a choice between bool is bool", output.name);
        return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
    }
    Together {
        values: &[
            (Given::Tensor(&condition, truth), truth),
            (Given::Tensor(&own, a), promoted),
            (Given::Tensor(&other, b), promoted),
        ],
        stored: true,
        function: functions::choose(promoted),
        made: promoted,
        output: (&output, out),
        shape: &shape,
    }
    .plan()
}

fn add_relu(call: &Call<'_>) -> Result<Plan> {
    let own = call.tensor(if call.is_in_place() { "selfRef" } else { "self" })?;
    let (other, alpha, output) = (call.tensor("other")?, call.scalar("alpha")?, call.output()?);
    let signature = &signatures::add_relu;
    let (a, b) = (check::dtype(&own, signature.takes)?, check::dtype(&other, signature.takes)?);
    let promoted = accepted(signature, check::promote(a, b)?)?;
    if !check::convertible(alpha.dtype, promoted) {
        let message = format!("alpha is {}, which is not converted to {promoted}", alpha.dtype);
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
    }
    let out = check::output_dtype(&output, promoted)?;
    let shape = common_shape(&[&own, &other], &output)?;
    Together {
        values: &[
            (Given::Tensor(&own, a), promoted),
            (Given::Tensor(&other, b), promoted),
            (Given::Scalar(alpha), promoted),
        ],
        stored: false,
        function: functions::add_relu(compute_type(promoted)),
        made: promoted,
        output: (&output, out),
        shape: &shape,
    }
    .plan()
}

fn addcmul(call: &Call<'_>) -> Result<Plan> {
    accumulate(call, &signatures::addcmul, functions::addcmul)
}

fn addcdiv(call: &Call<'_>) -> Result<Plan> {
    accumulate(call, &signatures::addcdiv, functions::addcdiv)
}

/// A sum of the first tensor and a product, or a quotient, of the others.
fn accumulate(call: &Call<'_>, signature: &Promote, function: fn(DType) -> Option<Function>) -> Result<Plan> {
    let ([own, first, second], value) =
        (call.tensors_of(["self", "tensor1", "tensor2"])?, call.scalar("value")?);
    let output = call.output()?;
    let a = check::dtype(&own, signature.takes)?;
    let (b, c) = (check::dtype(&first, signature.takes)?, check::dtype(&second, signature.takes)?);
    let promoted = accepted(signature, check::promote(check::promote(a, b)?, c)?)?;
    let out = check::output_dtype(&output, promoted)?;
    let shape = common_shape(&[&own, &first, &second], &output)?;
    let product = settings::get().product;
    let is_small_float = matches!(promoted, F32 | F16 | BF16);
    let is_left_out = product == Product::Ascend910B
        && call.info.function() == "addcmul"
        && (is_small_float || promoted == I32)
        && check::broadcast_shape(&own, &second)
            .is_ok_and(|shape| own.shape().is_ok_and(|own| *own == shape))
        && Alpha::OfOtherInAdd.is_one(product, value, promoted);
    let one = Scalar::of_bytes(I32, &1_i32.to_ne_bytes());
    let value = if is_left_out { &one } else { value };
    let scalar = if product == Product::Ascend950 && is_small_float { F32 } else { promoted };
    Together {
        values: &[
            (Given::Tensor(&own, a), promoted),
            (Given::Tensor(&first, b), promoted),
            (Given::Tensor(&second, c), promoted),
            (Given::Scalar(value), scalar),
        ],
        stored: false,
        function: function(compute_type(promoted)),
        made: promoted,
        output: (&output, out),
        shape: &shape,
    }
    .plan()
}

fn lerp(call: &Call<'_>) -> Result<Plan> {
    let [own, end] = call.tensors_of(["self", "end"])?;
    let scalar = if call.is_scalar("weight") { Some(call.scalar("weight")?) } else { None };
    let tensor = if scalar.is_none() { Some(call.tensor("weight")?) } else { None };
    let output = call.output()?;
    let dtype = check::dtype(&own, signatures::lerp.takes)?;
    let operands = [Some(&end), tensor.as_ref()];
    for operand in operands.into_iter().flatten() {
        same_dtype(operand, dtype)?;
    }
    let out = match scalar {
        None => same_dtype(&output, dtype)?,
        Some(_) => check::dtype(&output, Types::of("float f64"))?,
    };
    let shaped: Vec<&Operand> = [Some(&own), Some(&end), tensor.as_ref()].into_iter().flatten().collect();
    // The library counts axes where it has to make an operand contiguous.
    let shape = match shaped.iter().all(|operand| operand.is_contiguous()) {
        true => shape_of_any_rank(&shaped, &output)?,
        false => common_shape(&shaped, &output)?,
    };
    let is_950 = settings::get().product == Product::Ascend950;
    let weight = match (&tensor, &scalar) {
        (Some(tensor), _) => (Given::Tensor(tensor, dtype), dtype),
        (_, Some(scalar)) => (Given::Scalar(scalar), if is_950 { F32 } else { dtype }),
        _ => return Err(no_kernel(dtype)),
    };
    Together {
        values: &[(Given::Tensor(&own, dtype), dtype), (Given::Tensor(&end, dtype), dtype), weight],
        stored: false,
        function: functions::lerp(compute_type(dtype)),
        made: dtype,
        output: (&output, out),
        shape: &shape,
    }
    .plan()
}

fn is_close(call: &Call<'_>) -> Result<Plan> {
    let ([own, other], output) = (call.tensors_of(["self", "other"])?, call.output()?);
    let dtype = check::dtype(&own, signatures::is_close.takes)?;
    same_dtype(&other, dtype)?;
    let shape = common_shape(&[&own, &other], &output)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if output.known_dtype() != Some(Bool) {
        let message = format!("{} must be bool, as nothing casts the result", output.name);
        return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
    }
    // f32 does not tell large integers apart.
    let compute = if matches!(dtype, F64 | I64) { F64 } else { F32 };
    let tolerances = [call.float("rtol")?, call.float("atol")?];
    let [rtol, atol] = tolerances.map(|value| Scalar::of_bytes(F32, &(value as f32).to_ne_bytes()));
    let function = match call.flag("equal_nan")? {
        true => functions::is_close_or_nan,
        false => functions::is_close,
    };
    Together {
        values: &[
            (Given::Tensor(&own, dtype), compute),
            (Given::Tensor(&other, dtype), compute),
            (Given::Scalar(&rtol), compute),
            (Given::Scalar(&atol), compute),
        ],
        stored: false,
        function: function(compute),
        made: Bool,
        output: (&output, Bool),
        shape: &shape,
    }
    .plan()
}

fn approximate_equal(call: &Call<'_>) -> Result<Plan> {
    let ([first, second], output) = (call.tensors_of(["x1", "x2"])?, call.output()?);
    let dtype = check::dtype(&first, signatures::approximate_equal.takes)?;
    same_dtype(&second, dtype)?;
    same_dtype(&output, Bool)?;
    let shape = common_shape(&[&first, &second], &output)?;
    let tolerance = Scalar::of_bytes(F32, &(call.float("tolerance")? as f32).to_ne_bytes());
    Together {
        values: &[
            (Given::Tensor(&first, dtype), F32),
            (Given::Tensor(&second, dtype), F32),
            (Given::Scalar(&tolerance), F32),
        ],
        stored: false,
        function: functions::approximate_equal(F32),
        made: Bool,
        output: (&output, Bool),
        shape: &shape,
    }
    .plan()
}

fn equal(call: &Call<'_>) -> Result<Plan> {
    let ([own, other], output) = (call.tensors_of(["self", "other"])?, call.output()?);
    let a = check::any_dtype(&own)?;
    let b = check::any_dtype(&other)?;
    let promoted = accepted(&signatures::equal, check::promote(a, b)?)?;
    same_dtype(&output, Bool)?;
    check::output_shape(&output, &Shape::from(1))?;
    check::rank(&own)?;
    check::rank(&other)?;
    let shape = own.shape()?;
    if shape != other.shape()? || shape.is_empty_tensor() {
        let is_equal = shape == other.shape()?;
        return Plan::new(&[], (&output, Bool), &Shape::from(1), 0, Constant::new(&[u8::from(is_equal)]));
    }
    let values = [(Given::Tensor(&own, a), promoted), (Given::Tensor(&other, b), promoted)];
    any(&values, shape, pairwise::ne(compute_type(promoted)), &output, true)
}

fn is_in_tensor_scalar(call: &Call<'_>) -> Result<Plan> {
    let (own, scalar, output) = (call.tensor("element")?, call.scalar("test_element")?, call.output()?);
    let dtype = check::dtype(&own, signatures::is_in_tensor_scalar.takes)?;
    let compared = compared(dtype, scalar, &signatures::is_in_tensor_scalar)?;
    same_dtype(&output, Bool)?;
    let shape = common_shape(&[&own], &output)?;
    let function = if call.flag("invert")? { pairwise::ne } else { pairwise::eq };
    Together {
        values: &[(Given::Tensor(&own, dtype), compared), (Given::Scalar(scalar), compared)],
        stored: false,
        function: function(compute_type(compared)).map(Into::into),
        made: Bool,
        output: (&output, Bool),
        shape: &shape,
    }
    .plan()
}

fn is_in_scalar_tensor(call: &Call<'_>) -> Result<Plan> {
    let (scalar, tensor, output) = (call.scalar("element")?, call.tensor("test_elements")?, call.output()?);
    let dtype = check::dtype(&tensor, signatures::is_in_scalar_tensor.takes)?;
    let compared = compared(dtype, scalar, &signatures::is_in_scalar_tensor)?;
    same_dtype(&output, Bool)?;
    check::rank(&tensor)?;
    if output.shape()?.numel() != Some(1) {
        let message = format!("{} has not one element, as the result has", output.name);
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
    }
    let inverts = call.flag("invert")?;
    let shape = tensor.shape()?;
    if shape.is_empty_tensor() {
        return Plan::new(&[], (&output, Bool), output.shape()?, 0, Constant::new(&[u8::from(inverts)]));
    }
    let values = [(Given::Tensor(&tensor, dtype), compared), (Given::Scalar(scalar), compared)];
    any(&values, shape, pairwise::eq(compute_type(compared)), &output, inverts)
}

fn compared(tensor: DType, scalar: &Scalar, signature: &Promote) -> Result<DType> {
    let operands = Operands { tensor, scalar, alpha: None, out: None };
    accepted(signature, scalar_types::beside(signature.scalars, settings::get().product, operands)?)
}

fn max_n(call: &Call<'_>) -> Result<Plan> {
    folded(call, &signatures::max_n, functions::max_n)
}

fn min_n(call: &Call<'_>) -> Result<Plan> {
    folded(call, &signatures::min_n, functions::min_n)
}

fn add_n(call: &Call<'_>) -> Result<Plan> {
    folded(call, &signatures::add_n, functions::add_n)
}

fn bitwise_and_out(call: &Call<'_>) -> Result<Plan> {
    rule(call, &signatures::bitwise_and_out, pairwise::bitwise_and)
}

fn folded(call: &Call<'_>, signature: &Promote, function: fn(DType) -> Option<Function>) -> Result<Plan> {
    let (tensors, output) = (call.tensors("tensors")?, call.output()?);
    let dtypes: Vec<DType> = try_mapped(&tensors, |tensor| check::dtype(tensor, signature.takes))?;
    let Some((first, rest)) = dtypes.split_first() else {
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, "tensors is a list of none; pass at least one"));
    };
    let promoted = rest.iter().try_fold(*first, |promoted, dtype| check::promote(promoted, *dtype))?;
    let promoted = accepted(signature, promoted)?;
    let out = check::output_dtype(&output, promoted)?;
    let shape = common_shape(&tensors.iter().collect::<Vec<_>>(), &output)?;
    let operands = tensors.iter().zip(&dtypes);
    let values: Vec<_> = operands.map(|(tensor, dtype)| (Given::Tensor(tensor, *dtype), promoted)).collect();
    Together {
        values: &values,
        stored: false,
        function: function(compute_type(promoted)),
        made: promoted,
        output: (&output, out),
        shape: &shape,
    }
    .plan()
}

fn complex(call: &Call<'_>) -> Result<Plan> {
    complex_of(call, ["real", "imag"], functions::complex)
}

fn polar(call: &Call<'_>) -> Result<Plan> {
    complex_of(call, ["input", "angle"], functions::polar)
}

/// Complex numbers of two tensors of real ones.
fn complex_of(call: &Call<'_>, names: [&str; 2], function: fn(DType) -> Option<Function>) -> Result<Plan> {
    let ([real, imag], output) = (call.tensors_of(names)?, call.output()?);
    let dtype = check::dtype(&real, signatures::complex.takes)?;
    same_dtype(&imag, dtype)?;
    let out = same_dtype(&output, if dtype == F64 { C128 } else { C64 })?;
    let shape = common_shape(&[&real, &imag], &output)?;
    Together {
        values: &[(Given::Tensor(&real, dtype), dtype), (Given::Tensor(&imag, dtype), dtype)],
        stored: true,
        function: function(dtype),
        made: out,
        output: (&output, out),
        shape: &shape,
    }
    .plan()
}

fn add_v3(call: &Call<'_>) -> Result<Plan> {
    let (own, other, alpha) = (call.scalar("self")?, call.tensor("other")?, call.scalar("alpha")?);
    let output = call.output()?;
    let dtype = check::dtype(&other, signatures::add_v3.takes)?;
    let promoted = compared(dtype, own, &signatures::add_v3)?;
    if !check::convertible(alpha.dtype, promoted) {
        let message = format!("alpha is {}, which is not converted to {promoted}", alpha.dtype);
        return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
    }
    let out = check::output_dtype(&output, promoted)?;
    let shape = common_shape(&[&other], &output)?;
    let one = Scalar::of_bytes(I32, &1_i32.to_ne_bytes());
    Together {
        values: &[
            (Given::Scalar(own), promoted),
            (Given::Tensor(&other, dtype), promoted),
            (Given::Scalar(alpha), promoted),
            (Given::Scalar(&one), promoted),
        ],
        stored: false,
        function: functions::addcmul(compute_type(promoted)),
        made: promoted,
        output: (&output, out),
        shape: &shape,
    }
    .plan()
}

fn square(call: &Call<'_>) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.output()?);
    let dtype = check::dtype(&own, signatures::square.takes)?;
    let out = same_dtype(&output, dtype)?;
    let shape = common_shape(&[&own], &output)?;
    Together {
        values: &[(Given::Tensor(&own, dtype), dtype)],
        stored: false,
        function: power::square(compute_type(dtype)).map(Into::into),
        made: dtype,
        output: (&output, out),
        shape: &shape,
    }
    .plan()
}

/// The tensors of these names; null is an error.
fn same_dtype(operand: &Operand, dtype: DType) -> Result<DType> {
    if operand.known_dtype() == Some(dtype) {
        return Ok(dtype);
    }
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, format_args!("{} must be {dtype}", operand.name)))
}

/// The shape to which all broadcast, which the output must have; at most eight axes each.
fn common_shape(operands: &[&Operand], output: &Operand) -> Result<Shape> {
    check::ranks(operands)?;
    shape_of_any_rank(operands, output)
}

fn shape_of_any_rank(operands: &[&Operand], output: &Operand) -> Result<Shape> {
    let shape = check::broadcast_all(operands)?;
    check::output_shape(output, &shape)?;
    Ok(shape)
}

/// Operands that are combined, and what becomes of them.
struct Together<'a> {
    /// With the types that they are converted to.
    values: &'a [(Given<'a>, DType)],
    /// Whether the function takes elements as they are stored, and not in their compute types.
    stored: bool,
    function: Option<Function>,
    /// The type of the result, before it is converted to that of the output.
    made: DType,
    output: (&'a Operand<'a>, DType),
    shape: &'a Shape,
}

impl<'a> Together<'a> {
    fn plan(self) -> Result<Plan> {
        if self.shape.is_empty_tensor() {
            return Ok(Plan::empty());
        }
        let on_cores = |to: &DType| units::adds(settings::get().product, *to);
        let on_cores = self.values.iter().all(|(_, to)| on_cores(to));
        let value = |(given, to): &(Given<'a>, DType)| match self.stored {
            true => given.stored(*to),
            false => given.promoted(*to),
        };
        Combination {
            values: mapped(self.values, value),
            function: self.function.ok_or_else(|| no_kernel(self.made))?,
            made: if self.stored { self.made } else { compute_type(self.made) },
            result: self.made,
            output: self.output,
            shape: self.shape,
            on_cores,
        }
        .plan()
    }
}

/// Plans the test whether a function is true for any element of `shape`, or with `inverts` for none.
fn any(
    values: &[(Given<'_>, DType)],
    shape: &Shape,
    function: Option<cann_kernels::functions::arithmetic::Binary>,
    output: &Operand,
    inverts: bool,
) -> Result<Plan> {
    let values = mapped(values, |(given, to)| given.promoted(*to));
    let function = function.ok_or_else(|| no_kernel(Bool))?.into();
    let combination = Combination {
        values,
        function,
        made: Bool,
        result: Bool,
        output: (output, Bool),
        shape,
        on_cores: false,
    };
    let parts = combination.parts()?;
    let mut builder = PlanBuilder::new();
    let mut read = Vec::new();
    for (operand, dtype) in &parts.inputs {
        read.push(builder.read(operand, operand.view(*dtype, shape)?, true));
    }
    let truths = builder.temporary(Bool, shape.numel().unwrap_or(usize::MAX))?;
    let result = builder.write(output, Bool, output.view(Bool, output.shape()?)?, true)?;
    let workspace = parts.workspace;
    builder.elements(&read, truths, shape, parts.body);
    builder.whole(&[truths], &[result], cann_kernels::axis::any::Any { inverts });
    Ok(builder.plan(workspace))
}
