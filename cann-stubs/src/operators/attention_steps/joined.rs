//! Results of attention over several parts of the keys, joined.

use aclnn_numerics::DType::F32;
use aclnn_numerics::product::Product::Ascend950;
use cann_kernels::networks::attention::{Statistics, join_parts as join_all, join_two};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, when_launched};
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::signatures;
use crate::operators::stage_planner::{Divided, StagePlanner, sizes, typed};
use crate::settings;
use crate::status::Result;

/// The most parts, on the 950 and elsewhere, and the largest size of a head, which is a multiple of the last number.
const PARTS: [usize; 2] = [16, 128];
const LARGEST: usize = 512;
const MULTIPLE: usize = 8;

pub(super) fn join_parts(call: &Call<'_>) -> Result<Plan> {
    let kind = call.int("updateType")?;
    let lse_out = call.optional_tensor("lseOut")?;
    if kind != i64::from(lse_out.is_some()) {
        return invalid(format_args!("updateType is {kind}, but must be 1 with lseOut, and 0 without"));
    }
    let (sums, results, out) = (call.tensors("lse")?, call.tensors("localOut")?, call.tensor("out")?);
    let takes = signatures::join_parts.takes;
    check::each(&sums, |sum| typed(sum, &[F32]))?;
    for result in results.iter().filter(|result| !result.is_empty()) {
        check::dtype(result, takes)?;
    }
    let is_950 = settings::get().product == Ascend950;
    let most = if is_950 { PARTS[0] } else { PARTS[1] };
    let ([first, ..], [own, ..]) = (&sums[..], &results[..]) else { return invalid("there are no parts") };
    if sums.len() != results.len() || sums.len() > most {
        return invalid(format_args!(
            "there are {} logarithms and {} results; both are as many, and at most {most}",
            sums.len(),
            results.len()
        ));
    }
    let ([rows], [of_rows, len]) = (sizes::<1>(first)?, sizes::<2>(own)?);
    check::each(&sums, |sum| check::output_shape(sum, &[rows]))?;
    check::each(&results, |result| check::output_shape(result, &[of_rows, len]))?;
    if rows != of_rows || len == 0 || len > LARGEST || !len.is_multiple_of(MULTIPLE) {
        return invalid(format_args!(
            "there are {rows} logarithms for {of_rows} rows of {len} elements, a multiple of {MULTIPLE} up to {LARGEST}"
        ));
    }
    check::output_shape(&out, &[rows, len])?;
    check::each(lse_out.as_slice(), |lse| check::output_shape(lse, &[rows]))?;
    if rows == 0 {
        return Ok(Plan::empty());
    }
    let dtype = check::any_dtype(own)?;
    let types = check::exactly(&out, dtype)
        .and_then(|()| lse_out.as_ref().map_or(Ok(()), |lse| check::exactly(lse, F32)));
    if is_950 {
        types?;
        check::all_exactly(&results, dtype)?;
    } else {
        types.map_err(when_launched)?;
    }
    let mut planner = StagePlanner::default();
    let mut inputs = Vec::new();
    for (list, len) in [(&sums, 1), (&results, len)] {
        for operand in list {
            inputs.push(planner.read(operand, len, Some(F32))?);
        }
    }
    let mut outputs = vec![planner.write(&out, len, Some(F32))?];
    if let Some(lse) = &lse_out {
        outputs.push(planner.write(lse, 1, Some(F32))?);
    }
    planner.builder.lanes(inputs, outputs, rows, join_all(sums.len()));
    Ok(planner.plan())
}

/// Statistics are in the order of their shape here: batches, heads and tokens, or tokens and heads where sequences follow each
/// other, for which their lengths are not needed.
pub(super) fn join_two_parts(call: &Call<'_>) -> Result<Plan> {
    let names = [
        "prevAttnOut",
        "prevSoftmaxMax",
        "prevSoftmaxSum",
        "curAttnOut",
        "curSoftmaxMax",
        "curSoftmaxSum",
        "attnOutOut",
        "softmaxMaxOut",
        "softmaxSumOut",
    ];
    let [a, a_most, a_sum, b, b_most, b_sum, out, most, sum] = &call.tensors_of(names)?;
    call.optional_tensor("actualSeqQlenOptional")?;
    let dtype = check::alike(&[a, b, out], signatures::join_two_parts.takes)?;
    check::all_exactly(&[a_most, a_sum, b_most, b_sum, most, sum], F32)?;
    let copies = Statistics::COPIES;
    let checked = || -> Result<([usize; 4], [Vec<usize>; 2])> {
        let layout = call.optional_text("inputLayoutOptional")?.unwrap_or_else(|| "SBH".to_owned());
        let (own, orders) = match layout.as_str() {
            "SBH" => {
                let ([tokens, batches, width], [_, heads, ..]) = (sizes::<3>(a)?, sizes::<4>(a_most)?);
                ([tokens, batches, heads, width], [vec![batches, heads, tokens], vec![1, 2, 0]])
            }
            "TND" => {
                let [tokens, heads, len] = sizes::<3>(a)?;
                ([tokens, 1, heads, heads.saturating_mul(len)], [vec![tokens, heads], vec![0, 2]])
            }
            _ => return invalid(format_args!("inputLayout is {layout:?}, but must be \"SBH\" or \"TND\"")),
        };
        let known = [&orders[0][..], &[copies]].concat();
        check::each(&[a_most, a_sum, b_most, b_sum, most, sum], |one| check::output_shape(one, &known))?;
        check::each(&[b, out], |one| check::output_shape(one, a.shape()?))?;
        match own[2] > 0 && own[3] % own[2] == 0 {
            true => Ok((own, orders)),
            false => invalid(format_args!("{} heads have {} elements", own[2], own[3])),
        }
    };
    let ([tokens, batches, heads, width], [_, order]) = Divided::Generated.check(checked())?;
    let (len, count) =
        (width / heads, [tokens, batches, heads].iter().fold(1_usize, |all, size| all.saturating_mul(*size)));
    if count == 0 || len == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = StagePlanner::default();
    // Tokens, batches, heads and elements of results, in the order of statistics.
    let view = |operand: &Operand| {
        let strides = operand.strides();
        let at = |axis: usize| strides.get(axis).copied().unwrap_or(0);
        let of = match strides.len() == 3 && order.len() == 2 {
            true => [at(0), 0, at(1), at(2)],
            false => [at(0), at(1), at(2).saturating_mul(len as isize), at(2)],
        };
        let sizes = [tokens, batches, heads, len];
        let pick = |axis: &usize| (sizes[*axis], of[*axis]);
        let (sizes, strides): (Vec<usize>, Vec<isize>) = [&order[..], &[3]].concat().iter().map(pick).unzip();
        operand.view_of(dtype, &sizes, &strides, operand.offset())
    };
    let mut inputs = Vec::new();
    for [result, most, sum] in [[a, a_most, a_sum], [b, b_most, b_sum]] {
        planner.count(result, dtype);
        inputs.push((planner.builder.read(result, view(result)?, true), read_lanes(len, dtype, F32)?));
        inputs.push(planner.read(most, copies, Some(F32))?);
        inputs.push(planner.read(sum, copies, Some(F32))?);
    }
    planner.count(out, dtype);
    let mut outputs =
        vec![(planner.builder.write(out, dtype, view(out)?, true)?, written_lanes(len, F32, dtype)?)];
    for known in [most, sum] {
        outputs.push(planner.write(known, copies, Some(F32))?);
    }
    planner.builder.lanes(inputs, outputs, count, join_two());
    Ok(planner.plan())
}
