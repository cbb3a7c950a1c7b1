//! Products whose matrices are found by other axes than the last two, or by parts of the common one.

use aclnn_numerics::DType::{F32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_sys::{ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_NCL, ACL_FORMAT_ND};
use cann_kernels::axis::normalization::gelu;
use cann_kernels::functions::rows::{add_pairs, map_rows};
use cann_kernels::products::matrix::{Compute, Products};
use cann_kernels::{Cause, Failure, allocation};

use super::operands::one_of;
use crate::operators::axes::{invalid, picked};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, sizes};
use crate::operators::images::has_format;
use crate::operators::lane_planner::{Planner, ints};
use crate::operators::matrix::CubeMath;
use crate::operators::signatures;
use crate::settings;
use crate::status::Result;

/// Writes a product of matrices with so many rows, common elements and columns.
pub(super) fn multiply(
    sizes: [usize; 3],
    transposes: [bool; 2],
    [left, right]: [&[f32]; 2],
    out: &mut [f32],
) -> cann_kernels::Result {
    let product = Products::plain(Compute::F32, sizes, transposes);
    product.multiply_into(
        bytemuck::cast_slice(left),
        bytemuck::cast_slice(right),
        bytemuck::cast_slice_mut(out),
    )
}

/// The axes that a list puts in another order.
fn order(call: &Call<'_>, name: &str, known: &[[usize; 3]]) -> Result<[usize; 3]> {
    let given = call.ints(name)?;
    let is_given =
        |order: &&[usize; 3]| order.iter().zip(given.iter()).all(|(axis, given)| *axis as i64 == *given);
    match known.iter().find(is_given).filter(|_| given.len() == 3) {
        Some(order) => Ok(*order),
        None => invalid(format_args!("{name} is {given:?}, but must be one of {known:?}")),
    }
}

/// The sizes and strides of an operand with its axes in another order.
fn ordered(operand: &Operand, order: [usize; 3]) -> Result<([usize; 3], [isize; 3])> {
    let (own, strides) = (sizes::<3>(operand)?, operand.strides());
    Ok((picked(&own, order), picked(&strides, order)))
}

/// Sizes from this one on are too large for a device.
const TOO_LONG: usize = 65536;

pub(super) fn transpose_batch_mat_mul(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x1", "x2", "out"])?;
    let [x1, x2, out] = &tensors;
    let is_950 = settings::get().product == Ascend950;
    for name in ["permX1", "permX2", "permY"] {
        call.ints(name)?;
    }
    check::each(&[x1, x2], |operand| sizes::<3>(operand))?;
    let own = check::alike(&[x1, x2], signatures::transpose_batch_mat_mul.takes)?;
    CubeMath::of(call)?.kinds([own, own], own)?;
    if call.optional_tensor("scale")?.is_some() {
        return check::not_emulated("products of transposed matrices that are quantised");
    }
    if call.optional_tensor("bias")?.is_some() {
        return check::not_emulated("products of transposed matrices with a bias");
    }
    for operand in [x1, out] {
        if operand.format() == ACL_FORMAT_FRACTAL_NZ {
            return invalid(format_args!("{} has the storage format FRACTAL_NZ", operand.name));
        }
    }
    check::exactly(out, own)?;
    let first = order(call, "permX1", &[[0, 1, 2], [1, 0, 2]])?;
    let both = [[0, 1, 2], [0, 2, 1]];
    let second = order(call, "permX2", if is_950 { &both } else { &both[..1] })?;
    order(call, "permY", &[[1, 0, 2]])?;
    let (([batch, m, k], of_left), ([own_batch, own_k, n], of_right)) =
        (ordered(x1, first)?, ordered(x2, second)?);
    if batch != own_batch || k != own_k {
        return invalid(format_args!(
            "x1 has {batch} matrices with {k} columns and x2 {own_batch} with {own_k} rows; both must be the same"
        ));
    }
    if !is_950 && [n, batch, k].into_iter().any(|size| size >= TOO_LONG) {
        return invalid(format_args!(
            "x1 and x2 have sizes {batch}, {k} and {n}, which must be less than {TOO_LONG}"
        ));
    }
    let factor = call.int("batchSplitFactor")?;
    let parts = usize::try_from(factor).ok().filter(|parts| *parts > 0 && batch.is_multiple_of(*parts));
    let Some(parts) = parts else {
        return invalid(format_args!("batchSplitFactor is {factor}, which does not divide {batch} matrices"));
    };
    let shape = match parts {
        1 => Shape::from([m, batch, n]),
        _ => Shape::from([parts, m, (batch / parts).saturating_mul(n)]),
    };
    check::output_shape(out, &shape)?;
    if call.info.name().ends_with("WeightNz") && [n, k].contains(&1) {
        return invalid("x2 has one row or one column, which FRACTAL_NZ does not have");
    }
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let to = out.strides();
    // Where the matrices of a part lie in the output, and the rows and columns of one.
    let strides = match parts {
        1 => [0, to[1], to[0], to[2]],
        _ => [to[0], to[2].saturating_mul(n as isize), to[1], to[2]],
    };
    let mut planner = Planner::new();
    let inputs = [
        planner.read(x1, m.saturating_mul(k), &|x1, dtype| {
            x1.view_of(dtype, &[batch, m, k], &of_left, x1.offset())
        })?,
        planner.read(x2, k.saturating_mul(n), &|x2, dtype| {
            x2.view_of(dtype, &[batch, k, n], &of_right, x2.offset())
        })?,
    ];
    let grid = [parts, batch / parts, m, n];
    let out = planner.write(out, m * n, &|out, dtype| out.view_of(dtype, &grid, &strides, out.offset()))?;
    planner.try_lanes(
        batch,
        inputs,
        [out],
        "products of transposed matrices",
        move |[left, right], [out]| multiply([m, k, n], [false; 2], [left, right], out),
    )?;
    Ok(planner.plan())
}

pub(super) fn grouped_matmul_add(call: &Call<'_>) -> Result<Plan> {
    let (tensors, list) = (call.tensors_of(["x", "weight", "yRef"])?, call.tensor("groupList")?);
    let [x, weight, y] = &tensors;
    check::each(&[x, weight, &list], |operand| has_format(operand, &[ACL_FORMAT_ND]))?;
    has_format(y, &[ACL_FORMAT_ND, ACL_FORMAT_NCL])?;
    let ([k, m], [own, n], [count]) = (sizes(x)?, sizes(weight)?, sizes(&list)?);
    if k != own {
        return invalid(format_args!("x has {k} rows and weight {own}; both must have as many"));
    }
    check::have_elements(&[Some(y)], count.saturating_mul(m).saturating_mul(n))?;
    check::alike(&[x, weight], signatures::grouped_matmul_add.takes)?;
    check::exactly(&list, I64)?;
    check::exactly(y, F32)?;
    let sizes_listed = call.has("groupListType")
        && match call.int("groupListType")? {
            0 => false,
            1 => true,
            other => {
                return invalid(format_args!(
                    "groupListType is {other}, but must be 0, for ends, or 1, for sizes"
                ));
            }
        };
    if call.int("groupType")? != 2 || !call.flag("transposeX")? || call.flag("transposeWeight")? {
        return invalid("groupType must be 2, transposeX true and transposeWeight false");
    }
    if x.is_empty() || weight.is_empty() || y.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (all, matrix) = (count * m * n, m * n);
    let inputs = [
        planner.rows(x, k * m)?,
        planner.rows(weight, k * n)?,
        planner.numbers(&list, count)?,
        planner.rows(y, all)?,
    ];
    let out = planner.out(y, all)?;
    planner.try_lanes(1, inputs, [out], "add products of groups", move |[x, weight, list, y], [out]| {
        let mut product = allocation::zeros::<f32>(matrix)?;
        let mut end = 0;
        for (number, (y, out)) in ints(list).iter().zip(y.chunks(matrix).zip(out.chunks_mut(matrix))) {
            let start = end;
            end = usize::try_from(*number).unwrap_or(usize::MAX).saturating_add(if sizes_listed {
                start
            } else {
                0
            });
            if end < start || end > k {
                let message =
                    format_args!("groupList has {number}, but x has {k} rows and a group begins at {start}");
                return Err(Failure::new(Cause::AiCore, message));
            }
            let (left, right) = (&x[start * m..end * m], &weight[start * n..end * n]);
            match start == end {
                true => product.fill(0.0),
                false => multiply([m, end - start, n], [true, false], [left, right], &mut product)?,
            }
            add_pairs(y, &product, out);
        }
        Ok(())
    })?;
    Ok(planner.plan())
}

pub(super) fn fused_matmul_gelu(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "weight", "y"])?;
    let ([x, weight, y], bias) = (&tensors, call.optional_tensor("bias")?);
    let own = check::alike(&[x, weight, y], signatures::fused_matmul_gelu.takes)?;
    if let Some(bias) = &bias {
        one_of(bias, &[own, F32])?;
    }
    let by_tanh = match call.int("approximate")? {
        number @ (0 | 1) => number == 1,
        other => return invalid(format_args!("approximate is {other}, but must be 0 or 1")),
    };
    let ([m, k], [own_k, n]) = (sizes(x)?, sizes(weight)?);
    if k != own_k {
        return invalid(format_args!(
            "the left factor has {k} columns and the right one {own_k} rows; both must be the same"
        ));
    }
    check::output_shape(y, &[m, n])?;
    check::have_elements(&[bias.as_ref()], n)?;
    if y.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(x, m.saturating_mul(k))?,
        planner.rows(weight, k.saturating_mul(n))?,
        planner.read_if(bias.as_ref(), n, &Operand::in_order)?,
    ];
    let out = planner.out(y, m * n)?;
    planner.try_lanes(1, inputs, [out], "product with gelu", move |[x, weight, bias], [out]| {
        multiply([m, k, n], [false; 2], [x, weight], out)?;
        map_rows(if by_tanh { |x| gelu(x, true) } else { |x| gelu(x, false) }, n, bias, out);
        Ok(())
    })?;
    Ok(planner.plan())
}
