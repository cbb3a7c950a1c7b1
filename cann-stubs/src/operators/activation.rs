//! Activations that combine elements: gated linear units, their gradients, and the gradient of a weight.

use aclnn_numerics::DType::{self, F32, F64, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::signature::Wide;
use aclnn_sys::ACLNN_ERR_INNER_TILING_ERROR;
use cann_kernels::functions::parametric as functions;
use cann_kernels::{Block, Elementwise, Function, LaneFunction, Many, Source, View, size_of_dtype};
use smallvec::SmallVec;

use super::axes::{axis_in, halved, invalid, output_of, temporaries, temporaries_of};
use super::call::{Call, Operand, Plan};
use super::conversions::through;
use super::lane_planner::Planner;
use super::phases::entry_points;
use super::plan_builder::{Place, PlanBuilder, innermost};
use super::{check, signatures};
use crate::mapped::mapped;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::status::{Result, Status};

aclnn_sys::activation_operators!(entry_points);

/// A tensor that is cut in halves along an axis.
struct Halves<'a> {
    operand: &'a Operand<'a>,
    dtype: DType,
    axis: usize,
    /// The shape of a half.
    shape: Shape,
}

impl<'a> Halves<'a> {
    fn of(operand: &'a Operand, dtype: DType, dim: i64) -> Result<Self> {
        check::rank(operand)?;
        let axis = axis_in("dim", dim, operand.rank())?;
        let shape = halved(operand, axis)?;
        Ok(Self { operand, dtype, axis, shape })
    }

    /// The halves of another tensor of this type and shape.
    fn of_same_shape(&self, operand: &'a Operand) -> Self {
        Self { operand, dtype: self.dtype, axis: self.axis, shape: self.shape.clone() }
    }

    /// Computes an output from both halves and some numbers beside them.
    fn plan(
        &self,
        (out, to): (&Operand, DType),
        single: Option<&Operand>,
        number: Option<f64>,
        function: fn(DType) -> Option<Many>,
    ) -> Result<Plan> {
        if self.shape.is_empty_tensor() {
            return Ok(Plan::empty());
        }
        let mut stages = Stages::new(self.dtype);
        let mut inputs = Vec::with_capacity(3);
        for half in 0..2 {
            inputs.push(stages.read(self.operand, self.dtype, self.half(half)?));
        }
        if let Some(single) = single {
            let strides: SmallVec<[isize; 8]> = SmallVec::from_elem(0, self.shape.rank());
            let view = single.view_of(self.dtype, &self.shape, &strides, single.offset())?;
            inputs.push(stages.read(single, self.dtype, view));
        }
        let to = stages.write(out, to, out.in_order(to)?)?;
        stages.compute(&inputs, number, to, &self.shape, function)?;
        Ok(stages.plan())
    }

    /// One of the halves.
    fn half(&self, number: usize) -> Result<View> {
        let strides = self.operand.strides();
        let distance = (self.shape[self.axis] * number) as i64;
        let offset = self.operand.offset().saturating_add(distance.saturating_mul(strides[self.axis] as i64));
        self.operand.view_of(self.dtype, &self.shape, &strides, offset)
    }
}

/// Functions of the elements at one position, each in a stage.
struct Stages<'a> {
    builder: PlanBuilder,
    seen: Vec<(&'a Operand<'a>, DType, DType)>,
    /// The type in which functions are computed.
    compute: DType,
}

impl<'a> Stages<'a> {
    fn new(dtype: DType) -> Self {
        let compute = if dtype == F64 { F64 } else { F32 };
        Self { builder: PlanBuilder::new(), seen: Vec::new(), compute }
    }

    fn read(&mut self, operand: &'a Operand, dtype: DType, view: View) -> (Place, DType) {
        self.seen.push((operand, dtype, dtype));
        (self.builder.read(operand, view, true), dtype)
    }

    fn write(&mut self, operand: &'a Operand, dtype: DType, view: View) -> Result<(Place, DType)> {
        self.seen.push((operand, dtype, dtype));
        Ok((self.builder.write(operand, dtype, view, true)?, dtype))
    }

    /// Computes an output from some inputs and, after them, a number.
    fn compute(
        &mut self,
        inputs: &[(Place, DType)],
        number: Option<f64>,
        (out, to): (Place, DType),
        shape: &Shape,
        function: fn(DType) -> Option<Many>,
    ) -> Result {
        let compute = self.compute;
        let missing =
            || Status::new(ACLNN_ERR_INNER_TILING_ERROR, format_args!("there is no kernel for {compute}"));
        let mut sources: SmallVec<[Source; 2]> = SmallVec::new();
        for (input, (_, dtype)) in inputs.iter().enumerate() {
            sources.push(Source::Tensor { input, conversions: through(&[*dtype, compute])? });
        }
        if let Some(number) = number {
            let (single, double) = ((number as f32).to_ne_bytes(), number.to_ne_bytes());
            let element = if compute == F64 { &double[..] } else { &single[..] };
            sources
                .push(Source::Constant { block: Box::new(Block::filled_with(element)), size: element.len() });
        }
        let body = Elementwise {
            sources,
            scale: None,
            function: Some(Function::Many(function(compute).ok_or_else(missing)?)),
            fused: None,
            result: through(&[compute, to])?,
            compute_size: size_of_dtype(compute),
        };
        let places: Vec<Place> = mapped(inputs, |(place, _)| *place);
        self.builder.elements(&places, out, shape, body);
        Ok(())
    }

    fn plan(self) -> Plan {
        self.builder.plan(temporaries(&self.seen))
    }
}

fn glu(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let signature = &signatures::glu;
    let from = check::dtype(&own, signature.takes)?;
    let to = output_of(signature.output, from, from, &out)?;
    let halves = Halves::of(&own, from, call.int("dim")?)?;
    check::output_shape(&out, &halves.shape)?;
    halves.plan((&out, to), None, None, functions::glu)
}

fn swi_glu(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("x")?, call.tensor("out")?);
    let signature = &signatures::swi_glu;
    let from = check::dtype(&own, signature.takes)?;
    output_of(signature.output, from, from, &out)?;
    let halves = Halves::of(&own, from, call.int("dim")?).map_err(check::when_divided)?;
    check::output_shape(&out, &halves.shape).map_err(check::when_divided)?;
    halves.plan((&out, from), None, None, functions::swi_glu)
}

/// Elements of a row, and rows, that GeluMul takes at most.
const LONGEST: usize = 1024;
const MOST_ROWS: usize = 200_000;

fn gelu_mul(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["input", "out"])?;
    let name = "approximateOptional";
    let ([own, out], mode) = (&tensors, call.optional_text(name)?);
    let from = check::alike(&[own, out], signatures::gelu_mul.takes)?;
    let by_tanh = match mode.as_deref() {
        None | Some("none") => 0.0,
        Some("tanh") => 1.0,
        Some(other) => {
            return check::untiled(format_args!("{name} is \"{other}\", but must be \"none\" or \"tanh\""));
        }
    };
    let checked = || -> Result<Halves<'_>> {
        let halves = Halves::of(own, from, -1)?;
        let len = own.shape()?.last().copied().unwrap_or(0);
        let count = own.shape()?.numel().map_or(usize::MAX, |all| all / len.max(1));
        if own.rank() < 2 || !(1..=LONGEST).contains(&len) || count > MOST_ROWS {
            return invalid(format_args!(
                "input has shape {}, but must have 2 axes or more, rows of 1 to {LONGEST} elements, and at most {MOST_ROWS} rows",
                own.shape()?
            ));
        }
        check::output_shape(out, &halves.shape)?;
        Ok(halves)
    };
    let halves = checked().map_err(check::when_divided)?;
    halves.plan((out, from), None, Some(by_tanh), functions::ge_glu)
}

fn fatrelu_mul(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["input", "threshold", "out"])?;
    let [own, threshold, out] = &tensors;
    let from = check::alike(&[own, threshold, out], signatures::fatrelu_mul.takes)?;
    let checked = || -> Result<Halves<'_>> {
        check::have_elements(&[Some(threshold)], 1)?;
        let halves = Halves::of(own, from, -1)?;
        check::output_shape(out, &halves.shape)?;
        Ok(halves)
    };
    let halves = checked().map_err(check::when_divided)?;
    halves.plan((out, from), Some(threshold), None, functions::fatrelu_mul)
}

fn swiglu_clamp(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "y"])?;
    let [own, out] = &tensors;
    let from = check::alike(&[own, out], signatures::swiglu_clamp.takes)?;
    let halves = Halves::of(own, from, -1)?;
    check::output_shape(out, &halves.shape)?;
    halves.plan((out, from), None, Some(call.float("limit")?), functions::swiglu_clamp)
}

fn clipped_swiglu_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradY", "x", "gradXOut"])?;
    let ([grad, x, out], groups) = (&tensors, call.optional_tensor("groupIndexOptional")?);
    check::alike(&[grad, x, out], signatures::clipped_swiglu_grad.takes)?;
    if let Some(groups) = &groups {
        check::exactly(groups, I64)?;
    }
    let checked = || -> Result<usize> {
        let halves = Halves::of(x, F32, call.int("dim")?)?;
        check::output_shape(grad, &halves.shape)?;
        check::output_shape(out, x.shape()?)?;
        if let Some(groups) = &groups {
            check::sizes::<1>(groups)?;
        }
        Ok(halves.shape[halves.axis..].iter().product())
    };
    let len = checked().map_err(check::when_divided)?;
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let (alpha, limit, bias) = (call.float("alpha")?, call.float("limit")?, call.float("bias")?);
    let interleaved = call.flag("interleaved")?;
    let count = grad.shape()?.numel().unwrap_or(0) / len;
    let mut planner = Planner::new();
    let inputs = [planner.rows(grad, len)?, planner.rows(x, 2 * len)?];
    let out = planner.out(out, 2 * len)?;
    planner.lanes(count, inputs, [out], "gradients of units", move |[grad, x], [out]| {
        for (index, grad) in grad.iter().enumerate() {
            let places = if interleaved { [2 * index, 2 * index + 1] } else { [index, index + len] };
            let (gate, up) = (f64::from(x[places[0]]), f64::from(x[places[1]]));
            let (a, b, g) = (gate.min(limit), up.min(limit).max(-limit), f64::from(*grad));
            let s = 1.0 / (1.0 + (-alpha * a).exp());
            let of_gate = if gate > limit { 0.0 } else { g * (b + bias) * s * (1.0 + alpha * a * (1.0 - s)) };
            let of_up = if up > limit || up < -limit { 0.0 } else { g * a * s };
            out[places[0]] = of_gate as f32;
            out[places[1]] = of_up as f32;
        }
    })?;
    Ok(planner.plan())
}

fn glu_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["gradOut", "self", "out"];
    gradient(
        call,
        &signatures::glu_backward,
        names,
        |status| status,
        [functions::glu_first, functions::glu_second],
    )
}

fn swi_glu_grad(call: &Call<'_>) -> Result<Plan> {
    let names = ["yGrad", "x", "out"];
    let functions = [functions::swi_glu_first, functions::swi_glu_second];
    gradient(call, &signatures::swi_glu_grad, names, check::when_divided, functions)
}

/// The gradients of both halves, each a function of the gradient of the result and both halves.
fn gradient(
    call: &Call<'_>,
    signature: &Wide,
    [grad, own, out]: [&str; 3],
    refused: fn(Status) -> Status,
    functions: [fn(DType) -> Option<Many>; 2],
) -> Result<Plan> {
    let (grad, own, out) = (call.tensor(grad)?, call.tensor(own)?, call.tensor(out)?);
    let from = check::dtype(&own, signature.takes)?;
    check::exactly(&grad, from)?;
    output_of(signature.output, from, from, &out)?;
    let halves = Halves::of(&own, from, call.int("dim")?).map_err(refused)?;
    check::output_shape(&grad, &halves.shape).map_err(refused)?;
    check::output_shape(&out, own.shape()?).map_err(refused)?;
    if halves.shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let results = halves.of_same_shape(&out);
    let mut stages = Stages::new(from);
    let inputs = [
        stages.read(&grad, from, grad.in_order(from)?),
        stages.read(&own, from, halves.half(0)?),
        stages.read(&own, from, halves.half(1)?),
    ];
    for (number, function) in functions.into_iter().enumerate() {
        let to = stages.write(&out, from, results.half(number)?)?;
        stages.compute(&inputs, None, to, &halves.shape, function)?;
    }
    Ok(stages.plan())
}

/// Returns 1 if gelu is approximated with tanh, else 0.
fn approximate(call: &Call<'_>) -> Result<f64> {
    match call.int("approximate")? {
        number @ (0 | 1) => Ok(number as f64),
        other => invalid(format_args!("approximate is {other}, but must be 0 or 1")),
    }
}

/// The number of the half that gelu is computed of.
fn activated(call: &Call<'_>) -> Result<usize> {
    Ok(if call.has("activateLeft") && call.flag("activateLeft")? { 0 } else { 1 })
}

fn ge_glu(call: &Call<'_>) -> Result<Plan> {
    let (own, out, gelu) = (call.tensor("self")?, call.tensor("out")?, call.tensor("outGelu")?);
    let signature = &signatures::ge_glu;
    let from = check::dtype(&own, signature.takes)?;
    for output in [&out, &gelu] {
        output_of(signature.output, from, from, output)?;
    }
    let (approximate, activated) = (approximate(call)?, activated(call)?);
    if own.rank() == 0 || own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let halves = Halves::of(&own, from, call.int("dim")?)?;
    check::each(&[&out, &gelu], |output| check::output_shape(output, &halves.shape))?;
    let mut stages = Stages::new(from);
    let of_gelu = stages.read(&own, from, halves.half(activated)?);
    let other = stages.read(&own, from, halves.half(1 - activated)?);
    let to = stages.write(&out, from, out.in_order(from)?)?;
    stages.compute(&[of_gelu, other], Some(approximate), to, &halves.shape, functions::ge_glu)?;
    let to = stages.write(&gelu, from, gelu.in_order(from)?)?;
    stages.compute(&[of_gelu], Some(approximate), to, &halves.shape, functions::gelu_v2)?;
    Ok(stages.plan())
}

fn ge_glu_backward(call: &Call<'_>) -> Result<Plan> {
    let [grad, own, gelu, out] = call.tensors_of(["gradOutput", "self", "gelu", "gradInput"])?;
    let signature = &signatures::ge_glu_backward;
    let from = check::dtype(&grad, signature.takes)?;
    check::all_exactly(&[&own, &gelu], from)?;
    output_of(signature.output, from, from, &out)?;
    let (approximate, activated) = (approximate(call)?, activated(call)?);
    if grad.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let halves = Halves::of(&own, from, call.int("dim")?)?;
    check::each(&[&grad, &gelu], |operand| check::output_shape(operand, &halves.shape))?;
    check::output_shape(&out, own.shape()?)?;
    let results = halves.of_same_shape(&out);
    let mut stages = Stages::new(from);
    let grad = stages.read(&grad, from, grad.in_order(from)?);
    let gelu = stages.read(&gelu, from, gelu.in_order(from)?);
    let of_gelu = stages.read(&own, from, halves.half(activated)?);
    let other = stages.read(&own, from, halves.half(1 - activated)?);
    let to = stages.write(&out, from, results.half(1 - activated)?)?;
    stages.compute(&[grad, gelu], None, to, &halves.shape, functions::product)?;
    let to = stages.write(&out, from, results.half(activated)?)?;
    stages.compute(&[grad, other, of_gelu], Some(approximate), to, &halves.shape, functions::ge_glu_slope)?;
    Ok(stages.plan())
}

fn prelu_backward(call: &Call<'_>) -> Result<Plan> {
    let [grad, own, weight] = call.tensors_of(["gradOutput", "self", "weight"])?;
    let (of_input, of_weight) = (call.tensor("gradInput")?, call.tensor("gradWeight")?);
    let signature = &signatures::prelu_backward;
    let from = check::dtype(&own, signature.takes)?;
    check::all_exactly(&[&grad, &weight], from)?;
    for output in [&of_input, &of_weight] {
        output_of(signature.output, from, from, output)?;
    }
    check::ranks(&[&grad, &own, &weight])?;
    let shape = own.shape()?;
    let channels = if own.rank() < 2 { 1 } else { shape[1] };
    let weights = weight.shape()?.numel().unwrap_or(0);
    if weights != 1 && weights != channels {
        return invalid(format_args!("weight has {weights} elements, but self has {channels} channels"));
    }
    if check::broadcast_shape(&grad, &own)? != *shape {
        return invalid(format_args!(
            "gradOutput has shape {}, which does not broadcast to {shape}",
            grad.shape()?
        ));
    }
    check::output_shape(&of_input, shape)?;
    let of_channels = Shape::from([channels]);
    check::output_shape(&of_weight, if weights == 1 { weight.shape()? } else { &of_channels })?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    // One lane for each weight.
    let axes: SmallVec<[usize; 8]> = match weights {
        1 => (0..own.rank()).collect(),
        _ => (0..own.rank()).filter(|axis| *axis != 1).collect(),
    };
    let order = innermost(own.rank(), &axes);
    let len = shape.numel().unwrap_or(0) / weights;
    let mut builder = PlanBuilder::new();
    let spread = grad.view(from, shape)?;
    let transposed: (SmallVec<[usize; 8]>, SmallVec<[isize; 8]>) =
        order.iter().map(|axis| (shape[*axis], spread.strides()[*axis])).unzip();
    let grads = grad.view_of(from, &transposed.0, &transposed.1, grad.offset())?;
    let (read, written) = (read_lanes(len, from, F32)?, written_lanes(len, F32, from)?);
    let inputs = [
        (builder.read(&grad, grads, true), read),
        (builder.read(&own, own.permuted(from, &order)?, true), read),
        (builder.read(&weight, weight.in_order(from)?, true), read_lanes(1, from, F32)?),
    ];
    let outputs = [
        (builder.write(&of_input, from, of_input.permuted(from, &order)?, true)?, written),
        (builder.write(&of_weight, from, of_weight.in_order(from)?, true)?, written_lanes(1, F32, from)?),
    ];
    let body = LaneFunction::new("gradients of prelu", |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([g, x, weight], [of_input, of_weight]) = (inputs, outputs) else { return Ok(()) };
        let (g, x): (&[f32], &[f32]) = (bytemuck::cast_slice(g), bytemuck::cast_slice(x));
        let weight = bytemuck::cast_slice::<u8, f32>(weight)[0];
        let mut sum = 0.0;
        let of_input: &mut [f32] = bytemuck::cast_slice_mut(of_input);
        for ((g, x), out) in g.iter().zip(x).zip(of_input) {
            *out = if *x > 0.0 { *g } else { weight * g };
            sum += if *x > 0.0 { 0.0 } else { f64::from(*g) * f64::from(*x) };
        }
        bytemuck::cast_slice_mut::<u8, f32>(of_weight)[0] = sum as f32;
        Ok(())
    });
    builder.lanes(inputs, outputs, weights, body);
    Ok(builder.plan(temporaries_of(&[&grad, &own, &weight, &of_input, &of_weight], from, from)))
}
