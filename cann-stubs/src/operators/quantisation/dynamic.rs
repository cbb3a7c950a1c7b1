//! Rows with scales of their own.

use aclnn_numerics::DType::{F32, I4, I8, I32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::{Ascend310P, Ascend910, Ascend950};
use aclnn_sys::ACLNN_ERR_INNER;
use cann_kernels::axis::quantisation::{Codes, Dynamic, Scheme};
use smallvec::SmallVec;

use super::rows::{Rows, codes_up_to, one_of, shape_of_codes};
use crate::mapped::mapped;
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, unlaunched};
use crate::operators::plan_builder::innermost;
use crate::operators::signatures;
use crate::settings;
use crate::status::{Result, Status};

/// The most groups of rows.
const MOST_GROUPS: usize = 1024;

/// Rows have at most so many elements where one fits the buffer of a core, with and without factors of elements; fewer where
/// they are no multiple of 8.
const LONGEST: [[usize; 2]; 2] = [[16320, 12800], [15040, 10288]];

/// The elements that have one scale.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Token,
    Tensor,
    Channel,
}

fn mode(call: &Call<'_>, has_groups: bool, has_offset: bool) -> Result<Mode> {
    if !call.has("quantMode") {
        return Ok(Mode::Token);
    }
    let is_symmetrical = call.flag("isSymmetrical")?;
    if is_symmetrical == has_offset {
        return invalid(format_args!(
            "isSymmetrical is {is_symmetrical}; offsetOut must be null if it is true, and given if not"
        ));
    }
    match call.text("quantMode")?.as_str() {
        "pertoken" => Ok(Mode::Token),
        mode @ ("pertensor" | "perchannel") if has_groups => {
            invalid(format_args!("quantMode is \"{mode}\", which takes no groupIndex"))
        }
        "pertensor" => Ok(Mode::Tensor),
        "perchannel" => Ok(Mode::Channel),
        other => {
            invalid(format_args!("quantMode is \"{other}\", but must be pertoken, pertensor or perchannel"))
        }
    }
}

pub(super) fn dynamic_quant(call: &Call<'_>) -> Result<Plan> {
    let product = settings::get().product;
    if call.has("quantMode") && product != Ascend950 {
        return Err(Status::new(ACLNN_ERR_INNER, "only the 950 has this form; call DynamicQuantV2"));
    }
    let (x, y, scale) = (call.tensor("x")?, call.tensor("yOut")?, call.tensor("scaleOut")?);
    let smooth = call.optional_tensor("smoothScalesOptional")?;
    let optional = |name: &str| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
    let (ends, offset) = (optional("groupIndexOptional")?, optional("offsetOut")?);
    let mode = mode(call, ends.is_some(), offset.is_some())?;
    // Without factors nothing tells groups apart.
    let ends = ends.filter(|_| smooth.is_some());

    let own = check::dtype(&x, signatures::dynamic_quant.takes)?;
    let to = output_of(signatures::dynamic_quant.output, own, own, &y)?;
    if let Some(smooth) = &smooth {
        check::exactly(smooth, own)?;
    }
    let of_ends = ends.as_ref().map(|ends| one_of(ends, &[I32, I64])).transpose()?;
    check::all_exactly(&[Some(scale), offset], F32)?;

    let shape = x.shape()?;
    let [outer @ .., last] = &shape[..] else { return invalid("x has no axes, but must have from 2 to 8") };
    if !(2..=8).contains(&shape.rank()) {
        return invalid(format_args!("x has {} axes, but must have from 2 to 8", shape.rank()));
    }
    let channel = shape.rank() - 2;
    match (&smooth, &ends) {
        (Some(_), Some(ends)) if ends.rank() != 1 => {
            return invalid(format_args!("groupIndex has {} axes, but must have one", ends.rank()));
        }
        (Some(smooth), None) => {
            let axis = if mode == Mode::Channel { channel } else { channel + 1 };
            check::output_shape(smooth, &[shape[axis]])?;
        }
        _ => {}
    }
    shape_of_codes(&y, to, shape)?;
    let scales = match mode {
        Mode::Token => Shape::from(outer),
        Mode::Tensor => Shape::from([1]),
        Mode::Channel => Shape::from([&outer[..channel], &[*last]].concat()),
    };
    for output in [Some(scale), offset].iter().flatten() {
        check::output_shape(output, &scales)?;
    }
    if [&x, &y, &scale].iter().any(|operand| operand.is_empty()) {
        return Ok(Plan::empty());
    }

    let is_old = matches!(product, Ascend910 | Ascend310P);
    if is_old && (offset.is_some() || last % 32 != 0) {
        return unlaunched("this product has no offsets, and rows have a multiple of 32 elements there");
    }
    let smooth = smooth.filter(|_| !is_old);
    let ends = ends.filter(|_| !is_old);
    if let (Some(smooth), Some(ends)) = (&smooth, &ends) {
        let groups = ends.shape()?[0];
        if of_ends != Some(I32) || smooth.shape()?[..] != [groups, *last] || groups > MOST_GROUPS {
            return unlaunched(format_args!(
                "groupIndex must be i32 of at most {MOST_GROUPS} groups, and smoothScales have a row of {last} elements for \
                 each; they have shapes {} and {}",
                ends.shape()?,
                smooth.shape()?
            ));
        }
    }
    let longest = LONGEST[usize::from(last % 8 != 0)][usize::from(smooth.is_some())];
    let scheme = match ends.is_some() || *last > longest {
        _ if is_old => Scheme::Halves,
        true => Scheme::Inverse,
        false => Scheme::Product,
    };
    let form = codes_up_to(call, to)?;
    if offset.is_some() && matches!(form, Codes::Floats(..)) {
        return check::not_emulated(format_args!("rows of {to} with offsets"));
    }

    let count = scales.numel().unwrap_or(0);
    let mut rows = Rows::new(count);
    let len = shape.numel().unwrap_or(0) / count;
    if mode == Mode::Channel && matches!(to, I4 | I32) {
        return check::not_emulated("channels of packed integers with scales of their own");
    }
    let along: &[usize] = if mode == Mode::Channel { &[channel] } else { &[] };
    let order = innermost(shape.rank(), along);
    rows.read(&x, x.permuted(own, &order)?, [own, F32], len)?;
    let by = match &smooth {
        Some(smooth) if ends.is_some() => Some(rows.all(smooth, [own, F32])?),
        Some(smooth) => {
            // In the order of the elements of x, of which they belong to the last axis or to the one before.
            let step = smooth.strides()[0];
            let axis = if mode == Mode::Channel { channel } else { channel + 1 };
            let sizes: SmallVec<[usize; 8]> = mapped(&order, |axis| shape[*axis]);
            let strides: SmallVec<[isize; 8]> = mapped(&order, |own| if *own == axis { step } else { 0 });
            let view = smooth.view_of(own, &sizes, &strides, smooth.offset())?;
            Some(rows.read(smooth, view, [own, F32], len)?)
        }
        None => None,
    };
    let ends = ends.as_ref().map(|ends| rows.all(ends, [I32, I32])).transpose()?;
    let view = if mode == Mode::Channel { y.permuted(to, &order)? } else { y.in_order(to)? };
    rows.write_view(&y, view, [to, to])?;
    for output in [Some(&scale), offset.as_ref()].iter().flatten() {
        rows.write(output, [F32, F32])?;
    }
    rows.plan(Dynamic { scheme, codes: form, smooth: by, ends, is_shifted: offset.is_some() }.rows())
}

/// Rows of floats as i8, and the scale of each row, by which its greatest magnitude becomes 127.
pub(in crate::operators) fn rows_by_own_scales(x: &Operand, y: &Operand, scale: &Operand) -> Result<Plan> {
    let mut rows = Rows::new(scale.shape()?.numel().unwrap_or(0));
    rows.each(x, [check::any_dtype(x)?, F32])?;
    rows.write(y, [I8, I8])?;
    rows.write(scale, [F32, F32])?;
    let (scheme, codes) = (Scheme::Product, Codes::Bytes);
    rows.plan(Dynamic { scheme, codes, smooth: None, ends: None, is_shifted: false }.rows())
}
