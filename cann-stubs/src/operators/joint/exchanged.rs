//! Products of rows that ranks exchange, and products that are exchanged.

use aclnn_numerics::DType::F32;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::size_of_dtype;

use super::factors::Factors;
use super::parts::Joint;
use crate::collective::joint::Exchange;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::quantisation::rows_by_own_scales;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// Refuses a bias of floats where the product has none.
fn has_bias(call: &Call<'_>, factors: &Factors) -> Result {
    let has_none = factors.own.is_float() && settings::get().product != Ascend950;
    match has_none && call.optional_tensor("bias")?.is_some() {
        true => invalid("products of floats take no bias on this product, so it must be null"),
        false => Ok(()),
    }
}

/// An output that a program may leave out, by null or by a tensor without elements.
fn wanted<'c>(call: &'c Call<'_>, name: &str) -> Result<Option<Operand<'c>>> {
    Ok(call.optional(name, Call::tensor)?.filter(|out| !out.is_empty()))
}

/// Refuses the greatest absolute values of blocks, which no result has here.
fn has_no_maxima(call: &Call<'_>, name: &str) -> Result {
    match call.has(name) && wanted(call, name)?.is_some() {
        true => check::not_emulated(format_args!("maxima of blocks, so {name} must be null or empty")),
        false => Ok(()),
    }
}

/// The rows of all ranks, one rank after the other.
fn gathered<'c>(
    joint: &mut Joint<'c>,
    operand: &Operand,
    [rows, columns]: [usize; 2],
    into: Option<&Operand>,
) -> Result<Option<Operand<'c>>> {
    let dtype = check::any_dtype(operand)?;
    let copy = joint.contiguous(operand, dtype)?;
    let direct = into.filter(|into| into.is_contiguous());
    let kept = match direct {
        Some(_) => None,
        None => {
            Some(joint.kept("the rows of all ranks", dtype, &[rows.saturating_mul(joint.ranks), columns]))
        }
    };
    let bytes = rows.saturating_mul(columns).saturating_mul(size_of_dtype(dtype));
    if let Some(to) = direct.or(kept.as_ref()) {
        joint.together(Exchange::AllGather(bytes), &[copy.as_ref().unwrap_or(operand), to])?;
    }
    if let (Some(kept), Some(into)) = (&kept, into) {
        joint.deliver(Some(kept), into, dtype)?;
    }
    Ok(kept)
}

pub(super) fn all_gather_matmul(call: &Call<'_>) -> Result<Plan> {
    let out = call.tensor("output")?;
    let factors = Factors::of(call, signatures::all_gather_matmul.takes, &out)?;
    has_bias(call, &factors)?;
    has_no_maxima(call, "amaxOut")?;
    let all = wanted(call, "gatherOut")?;
    let [rows, k, columns] = factors.size(2)?;
    if !(256..65535).contains(&k) {
        return invalid(format_args!("x1 has {k} columns, but must have from 256 to 65534"));
    }
    let mut joint = Joint::of(call, "group")?;
    check::output_shape(&out, &[rows.saturating_mul(joint.ranks), columns])?;
    if let Some(all) = &all {
        check::exactly(all, factors.own)?;
        check::output_shape(all, &[rows.saturating_mul(joint.ranks), k])?;
    }
    if [rows, columns].contains(&0) {
        return Ok(Plan::empty());
    }
    let kept = gathered(&mut joint, &factors.x1, [rows, k], all.as_ref())?;
    let scales = match &factors.of_rows {
        // Those of the own rows.
        Some(scale) if scale.shape()?.numel() == Some(rows) => gathered(&mut joint, scale, [rows, 1], None)?,
        _ => None,
    };
    let left = kept.as_ref().or(all.as_ref()).unwrap_or(&factors.x1);
    joint.alone(factors.product(left, scales.as_ref().or(factors.of_rows.as_ref()), &out)?);
    Ok(joint.plan())
}

pub(super) fn matmul_reduce_scatter(call: &Call<'_>) -> Result<Plan> {
    let out = call.tensor("output")?;
    let factors = Factors::of(call, signatures::matmul_reduce_scatter.takes, &out)?;
    has_bias(call, &factors)?;
    has_no_maxima(call, "amaxOutOptional")?;
    let [rows, _, columns] = factors.size(2)?;
    let mut joint = Joint::of(call, "group")?;
    let part = parted("rows of x1", rows, joint.ranks)?;
    check::output_shape(&out, &[part, columns])?;
    if [rows, columns].contains(&0) {
        return Ok(Plan::empty());
    }
    let product = joint.kept("the product", factors.to, &[rows, columns]);
    joint.alone(factors.product(&factors.x1, factors.of_rows.as_ref(), &product)?);
    let staged = joint.staged(&out, factors.to)?;
    let exchange = Exchange::ReduceScatter(factors.to, part.saturating_mul(columns));
    joint.together(exchange, &[&product, staged.as_ref().unwrap_or(&out)])?;
    joint.deliver(staged.as_ref(), &out, factors.to)?;
    Ok(joint.plan())
}

/// The length of each of `ranks` equal parts.
fn parted(what: &str, count: usize, ranks: usize) -> Result<usize> {
    match count % ranks.max(1) {
        0 => Ok(count / ranks.max(1)),
        _ => invalid(format_args!("there are {count} {what}, which are no equal parts for {ranks} ranks")),
    }
}

/// Refuses axes other than those between which elements move.
fn has_axes(call: &Call<'_>, wanted: [i64; 2]) -> Result {
    match call.optional("alltoAllAxesOptional", Call::ints)? {
        Some(axes) if !axes.is_empty() && axes[..] != wanted => {
            invalid(format_args!("alltoAllAxes are {axes:?}, but must be {wanted:?}"))
        }
        _ => Ok(()),
    }
}

/// The rows of x1 are divided among the ranks; each gets its part from all, and puts the columns of all side by side. This is
/// what the axes say; of the operator only the parameters are known.
pub(super) fn all_to_all_matmul(call: &Call<'_>) -> Result<Plan> {
    columns_together(call, signatures::all_to_all_matmul.takes)
}

pub(super) fn all_to_all_quant_matmul(call: &Call<'_>) -> Result<Plan> {
    columns_together(call, signatures::all_to_all_quant_matmul.takes)
}

fn columns_together(call: &Call<'_>, takes: Types) -> Result<Plan> {
    let out = call.tensor("output")?;
    let factors = Factors::of(call, takes, &out)?;
    let all = wanted(call, "alltoAllOutOptional")?;
    has_axes(call, [-2, -1])?;
    if call.flag("transposeX1")? {
        return invalid("transposeX1 must be false");
    }
    let [rows, k, columns] = factors.size(2)?;
    let mut joint = Joint::of(call, "group")?;
    let (dtype, ranks) = (check::any_dtype(&factors.x1)?, joint.ranks);
    let part = parted("rows of x1", rows, ranks)?;
    check::output_shape(&out, &[part, columns])?;
    if let Some(all) = &all {
        check::exactly(all, dtype)?;
        check::output_shape(all, &[part, k.saturating_mul(ranks)])?;
    }
    if [part, columns].contains(&0) {
        return Ok(Plan::empty());
    }
    let copy = joint.contiguous(&factors.x1, dtype)?;
    let received = joint.kept("the rows of all ranks", dtype, &[ranks, part, k]);
    let bytes = part.saturating_mul(k).saturating_mul(size_of_dtype(dtype));
    joint.together(Exchange::AllToAll(bytes), &[copy.as_ref().unwrap_or(&factors.x1), &received])?;
    let kept = all
        .is_none()
        .then(|| joint.kept("the columns of all ranks", dtype, &[part, k.saturating_mul(ranks)]));
    if let Some(beside) = all.as_ref().or(kept.as_ref()) {
        let sizes = [part, ranks, k];
        let (down, across) = strides_of(beside);
        let target = beside.view_of(
            dtype,
            &sizes,
            &[down, across.saturating_mul(k as isize), across],
            beside.offset(),
        )?;
        let source = received.permuted(dtype, &[1, 0, 2])?;
        joint.copy((&received, source), (beside, target), dtype, &sizes)?;
        if dtype == factors.own {
            joint.alone(factors.product(beside, factors.of_rows.as_ref(), &out)?);
        } else {
            let codes = joint.kept("the quantised rows", factors.own, &[part, k.saturating_mul(ranks)]);
            let scales = joint.kept("the scales of rows", F32, &[part]);
            joint.alone(rows_by_own_scales(beside, &codes, &scales)?);
            joint.alone(factors.product(&codes, Some(&scales), &out)?);
        }
    }
    Ok(joint.plan())
}

fn strides_of(matrix: &Operand) -> (isize, isize) {
    match matrix.strides()[..] {
        [down, across] => (down, across),
        _ => (1, 1),
    }
}

/// The columns of the product are divided among the ranks; each gets its part from all, and puts the rows of all one rank after
/// the other. This is what the axes say; of the operator only the parameters are known.
pub(super) fn matmul_all_to_all(call: &Call<'_>) -> Result<Plan> {
    rows_together(call, signatures::matmul_all_to_all.takes)
}

pub(super) fn quant_matmul_all_to_all(call: &Call<'_>) -> Result<Plan> {
    rows_together(call, signatures::quant_matmul_all_to_all.takes)
}

fn rows_together(call: &Call<'_>, takes: Types) -> Result<Plan> {
    let out = call.tensor("output")?;
    let factors = Factors::of(call, takes, &out)?;
    has_axes(call, [-1, -2])?;
    let [rows, _, columns] = factors.size(2)?;
    let mut joint = Joint::of(call, "group")?;
    let (dtype, ranks) = (factors.to, joint.ranks);
    let part = parted("columns of the product", columns, ranks)?;
    check::output_shape(&out, &[rows.saturating_mul(ranks), part])?;
    if [rows, part].contains(&0) {
        return Ok(Plan::empty());
    }
    let product = joint.kept("the product", dtype, &[rows, ranks, part]);
    joint.alone(factors.product(&factors.x1, factors.of_rows.as_ref(), &product)?);
    let sent = joint.kept("the columns for all ranks", dtype, &[ranks, rows, part]);
    let sizes = [ranks, rows, part];
    joint.copy(
        (&product, product.permuted(dtype, &[1, 0, 2])?),
        (&sent, sent.in_order(dtype)?),
        dtype,
        &sizes,
    )?;
    let staged = joint.staged(&out, dtype)?;
    let bytes = rows.saturating_mul(part).saturating_mul(size_of_dtype(dtype));
    joint.together(Exchange::AllToAll(bytes), &[&sent, staged.as_ref().unwrap_or(&out)])?;
    joint.deliver(staged.as_ref(), &out, dtype)?;
    Ok(joint.plan())
}
