//! Adapters of low rank, and heads cut out of rows.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::functions::rows::add_divide;
use cann_kernels::networks::adapters::add_adapter;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes, when_divided};
use crate::operators::lane_planner::{Planner, ints};
use crate::operators::signatures;
use crate::status::Result;

pub(super) fn add_lora(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["y", "x", "weightB", "out"])?;
    let ([y, x, b, out], indices) = (&tensors, call.tensor("indices")?);
    let a = call.optional_tensor("weightAOptional")?;
    let all = [&tensors[..], a.as_slice()].concat();
    check::alike(&all, signatures::add_lora.takes)?;
    check::dtype(&indices, Types::of("i32 i64"))?;
    let of = |name| -> Result<usize> {
        let number = call.int(name)?;
        usize::try_from(number).or_else(|_| invalid(format_args!("{name} is {number}")))
    };
    let checked = || -> Result<[usize; 5]> {
        let ([rows, columns], [_, len]) = (sizes(y)?, sizes::<2>(x)?);
        let [adapters, layers, slice, rank] = sizes(b)?;
        has_shape(x, &[rows, len])?;
        has_shape(&indices, &[rows])?;
        let short = match &a {
            Some(a) => {
                has_shape(a, &[adapters, layers, rank, len])?;
                len
            }
            None => {
                has_shape(x, &[rows, rank])?;
                rank
            }
        };
        check::output_shape(out, y.shape()?)?;
        let (layer, first, wide) = (of("layerIdx")?, of("yOffset")?, of("ySliceSize")?);
        if layer >= layers {
            return invalid(format_args!("layerIdx is {layer}, but weightB has {layers} layers"));
        }
        if wide != slice || first.saturating_add(wide) > columns {
            return invalid(format_args!(
                "ySliceSize is {wide} and yOffset {first}, but weightB has {slice} columns and y {columns}"
            ));
        }
        Ok([rows, columns, short, slice, rank])
    };
    let [rows, columns, len, slice, rank] = checked().map_err(when_divided)?;
    if rows == 0 || columns == 0 {
        return Ok(Plan::empty());
    }
    let (layer, layers, first) = (of("layerIdx")?, b.shape()?[1], of("yOffset")?);
    let factor = call.float("scale")?;
    let has_first = a.is_some();
    // Sums of nothing add nothing.
    let adds = slice > 0 && rank > 0 && len > 0;
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(y, columns)?,
        planner.rows(x, len)?,
        planner.numbers(&indices, 1)?,
        planner.all(a.as_ref(), rows)?,
        planner.all(Some(b), rows)?,
    ];
    let out = planner.out(out, columns)?;
    planner.try_lanes(rows, inputs, [out], "add adapters", move |[y, x, index, a, b], [out]| {
        out.copy_from_slice(y);
        if !adds {
            return Ok(());
        }
        let Ok(adapter) = usize::try_from(ints(index)[0]) else { return Ok(()) };
        let matrix = adapter.saturating_mul(layers).saturating_add(layer);
        let Some(b) = b.chunks(slice * rank).nth(matrix) else { return Ok(()) };
        let a = if has_first { a.chunks(rank * len).nth(matrix) } else { None };
        add_adapter(x, a, (b, rank), factor, out.get_mut(first..).unwrap_or_default())
    })?;
    Ok(planner.plan())
}

pub(super) fn transform_bias_rescale_qkv(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["qkv", "qkvBias", "qOut", "kOut", "vOut"])?;
    let [qkv, bias, outputs @ ..] = &tensors;
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::transform_bias_rescale_qkv.takes)?;
    let checked = || -> Result<[usize; 4]> {
        let ([batch, tokens, wide], heads) = (sizes(qkv)?, call.int("numHeads")?);
        let heads = usize::try_from(heads)
            .ok()
            .filter(|heads| *heads > 0 && wide.is_multiple_of(3) && (wide / 3).is_multiple_of(*heads));
        let Some(heads) = heads else {
            return invalid(format_args!("numHeads must divide a third of {wide} columns of qkv"));
        };
        has_shape(bias, &[wide])?;
        let size = wide / 3 / heads;
        let shape = Shape::from([batch, heads, tokens, size]);
        check::each(outputs, |output| check::output_shape(output, &shape))?;
        Ok([batch, heads, tokens, size])
    };
    let grid = checked().map_err(when_divided)?;
    let [batch, heads, tokens, size] = grid;
    if qkv.is_empty() {
        return Ok(Plan::empty());
    }
    let (strides, step) = (qkv.strides(), bias.strides()[0]);
    let mut planner = Planner::new();
    for (third, output) in outputs.iter().enumerate() {
        let view = |operand: &Operand, dtype: DType, strides: [isize; 4]| {
            let first = (third * heads * size) as i64 * strides[3] as i64;
            operand.view_of(dtype, &grid, &strides, operand.offset() + first)
        };
        let across = strides[2];
        let inputs = [
            planner.read(qkv, size, &|qkv, dtype| {
                view(qkv, dtype, [strides[0], size as isize * across, strides[1], across])
            })?,
            planner.read(bias, size, &|bias, dtype| view(bias, dtype, [0, size as isize * step, 0, step]))?,
        ];
        let out = planner.out(output, size)?;
        let divisor = if third == 0 { (size as f64).sqrt() } else { 1.0 };
        planner.lanes(batch * heads * tokens, inputs, [out], "heads with a bias", move |lanes, [out]| {
            add_divide(lanes, divisor, out);
        })?;
    }
    Ok(planner.plan())
}
