//! Tokens in the order of their experts and back, in the forms that training uses.

use aclnn_numerics::DType::{BF16, F16, F32, I8, I32};
use aclnn_numerics::product::Product;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::functions::rows::scaled;
use cann_kernels::networks::experts::combine::{self, int};
use cann_kernels::networks::experts::routing::Routing;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::{
    ANY_INDICES, Divided, INDICES, StagePlanner, Used, again, numel_of, sizes, typed, within,
};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

const MOST_CHOICES: usize = 512;
const MOST_INDICES: usize = 16_777_215;

fn is_950() -> bool {
    settings::get().product == Product::Ascend950
}

/// The code with which the first four operators refuse what is found out where the work is divided.
fn divided() -> Divided {
    if is_950() { Divided::Launched } else { Divided::Generated }
}

/// The 950 refuses a mode before anything else.
fn not_padded(call: &Call<'_>) -> Result {
    match is_950() && call.flag("paddedMode")? {
        true => invalid("paddedMode is true, but must be false"),
        false => Ok(()),
    }
}

pub(super) fn numel(operand: &Operand) -> Result<usize> {
    Ok(operand.shape()?.numel().unwrap_or(0))
}

pub(super) fn token_permute(call: &Call<'_>) -> Result<Plan> {
    let [tokens, ids] = [call.tensor("tokens")?, call.tensor("indices")?];
    let [out, places] = [call.tensor("permuteTokensOut")?, call.tensor("sortedIndicesOut")?];
    not_padded(call)?;
    check::alike(&[&tokens, &out], signatures::token_permute.takes)?;
    let dtype = check::any_dtype(&tokens)?;
    typed(&ids, ANY_INDICES)?;
    check::exactly(&places, I32)?;
    let checked = || -> Result<[usize; 4]> {
        let (rows, k) = match &ids.shape()?[..] {
            [rows] => (*rows, 1),
            [rows, k] => (*rows, *k),
            _ => return invalid(format_args!("indices has shape {}", ids.shape()?)),
        };
        let (given, wanted) = (tokens.shape()?, out.shape()?);
        if given.rank() < 2 || given[0] != rows || wanted.rank() < 2 {
            return invalid(format_args!(
                "tokens has shape {given} for {rows} rows of indices, and the result {wanted}"
            ));
        }
        let len = numel_of(&given[1..]);
        let number = call.int("numOutTokens")?;
        let count = match usize::try_from(number) {
            _ if dtype == I8 && is_950() => wanted[0].min(rows * k),
            Ok(number) if number > 0 => number.min(rows * k),
            _ => (rows * k).saturating_sub(usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX)),
        };
        if wanted[0] != count || numel_of(&wanted[1..]) != len {
            return invalid(format_args!(
                "permuteTokensOut has shape {wanted} for {count} rows of {len} elements"
            ));
        }
        check::output_shape(&places, &[rows * k])?;
        let is_too_much = k > MOST_CHOICES || rows * k >= MOST_INDICES || call.flag("paddedMode")?;
        if !is_950() && is_too_much {
            return invalid(
                "paddedMode must be false, a token has at most 512 choices, and all fewer than 16777215",
            );
        }
        Ok([rows, k, len, count])
    };
    let [rows, k, len, count] = divided().check(checked())?;
    if rows * k == 0 {
        return Ok(Plan::empty());
    }
    let routing = Routing::default();
    let mut planner = StagePlanner::default();
    let ids = planner.list(&ids, Some(I32))?;
    let outputs = [
        planner.write_list(Some(&places), I32, 1)?,
        planner.kept(I32, count)?,
        planner.kept(I32, 1)?,
        planner.kept(aclnn_numerics::DType::I64, 1)?,
        planner.kept(I32, 1)?,
    ];
    let sources = again(&outputs[1], I32)?;
    planner.lanes([ids], outputs, 1, routing.body());
    planner.copy_rows(&tokens, &sources, &out, [len, count, k], true)?;
    Ok(planner.plan())
}

/// Sums up the rows of the choices of each token, times the factors if there are some.
pub(super) fn sum_choices(
    planner: &mut StagePlanner,
    [own, out]: [&Operand; 2],
    lists: Vec<Used>,
    [rows, k, len]: [usize; 3],
) -> Result {
    if [rows, len].contains(&0) {
        return Ok(());
    }
    let (tables, outputs) =
        (vec![planner.table(own, len, Some(F32))?], vec![planner.write(out, len, Some(F32))?]);
    planner.rows("sum up choices", [tables, lists, outputs], rows, move |row, tables, lists, outputs| {
        let ([places, factors @ ..], [out]) = (lists, outputs) else { return Ok(false) };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        out.fill(0.0);
        for flat in row * k..(row + 1) * k {
            let factor = factors.first().map_or(1.0, |factors| combine::float(factors, flat));
            if factor != 0.0 {
                combine::add(tables, 0, int(places, flat), factor, out)?;
            }
        }
        Ok(true)
    });
    Ok(())
}

pub(super) fn token_permute_grad(call: &Call<'_>) -> Result<Plan> {
    not_padded(call)?;
    let [grad, places, out] =
        [call.tensor("permutedOutputGrad")?, call.tensor("sortedIndices")?, call.tensor("out")?];
    check::alike(&[&grad, &out], signatures::token_permute_grad.takes)?;
    check::exactly(&places, I32)?;
    let given = divided().check(sizes::<2>(&grad).and_then(|[_, len]| {
        let k = within("numTopk", call.int("numTopk")?, 1..=i64::from(i32::MAX))?;
        let rows = numel(&places)? / k;
        check::output_shape(&out, &[rows, len])?;
        Ok([rows, k, len])
    }))?;
    let mut planner = StagePlanner::default();
    let lists = vec![planner.list(&places, None)?];
    sum_choices(&mut planner, [&grad, &out], lists, given)?;
    Ok(planner.plan())
}

/// The factors of choices have a type of floats of their own.
fn choices(probs: Option<&Operand>, takes: Types) -> Result {
    probs.map_or(Ok(()), |probs| check::dtype(probs, takes).map(drop))
}

pub(super) fn token_unpermute(call: &Call<'_>) -> Result<Plan> {
    not_padded(call)?;
    let [own, places, out] =
        [call.tensor("permutedTokens")?, call.tensor("sortedIndices")?, call.tensor("out")?];
    let (probs, takes) = (call.optional_tensor("probsOptional")?, signatures::token_unpermute.takes);
    check::alike(&[&own, &out], takes)?;
    choices(probs.as_ref(), takes)?;
    check::exactly(&places, I32)?;
    let given = divided().check(sizes::<2>(&own).and_then(|[_, len]| {
        let count = numel(&places)?;
        let [rows, k] = probs.as_ref().map_or(Ok([count, 1]), sizes::<2>)?;
        if rows * k != count || k > MOST_CHOICES {
            return invalid(format_args!(
                "sortedIndices has {count} elements for {rows} tokens of {k} choices"
            ));
        }
        check::output_shape(&out, &[rows, len])?;
        Ok([rows, k, len])
    }))?;
    let mut planner = StagePlanner::default();
    let mut lists = vec![planner.list(&places, None)?];
    if let Some(probs) = &probs {
        lists.push(planner.list(probs, Some(F32))?);
    }
    sum_choices(&mut planner, [&own, &out], lists, given)?;
    Ok(planner.plan())
}

pub(super) fn token_unpermute_grad(call: &Call<'_>) -> Result<Plan> {
    not_padded(call)?;
    let own = match is_950() {
        true => Some(call.tensor("permuteTokens")?),
        false => call.optional_tensor("permuteTokens")?,
    };
    let [grad, places, out] = [
        call.tensor("unpermutedTokensGrad")?,
        call.tensor("sortedIndices")?,
        call.tensor("permutedTokensGradOut")?,
    ];
    let of_probs = match is_950() {
        true => Some(call.tensor("probsGradOut")?),
        false => call.optional_tensor("probsGradOut")?,
    };
    let (probs, takes) = (call.optional_tensor("probsOptional")?, signatures::token_unpermute_grad.takes);
    check::alike(&[&grad, &out], takes)?;
    choices(probs.as_ref(), takes)?;
    match (&probs, &of_probs) {
        (Some(probs), Some(of_probs)) => check::alike(&[probs, of_probs], takes).map(drop)?,
        _ => choices(of_probs.as_ref(), takes)?,
    }
    check::exactly(&places, I32)?;
    let checked = || -> Result<[usize; 3]> {
        let ([rows, len], count) = (sizes::<2>(&grad)?, numel(&places)?);
        let [_, k] = probs.as_ref().map_or(Ok([rows, 1]), sizes::<2>)?;
        if [rows, len, k, count].contains(&0) || k > MOST_CHOICES || rows.checked_mul(k) != Some(count) {
            return invalid(format_args!(
                "{count} indices for {rows} tokens of {k} choices and {len} elements"
            ));
        }
        check::each(probs.as_slice(), |probs| check::output_shape(probs, &[rows, k]))?;
        let [_, wanted] = sizes::<2>(&out)?;
        if wanted != len {
            return invalid(format_args!(
                "permutedTokensGradOut has rows of {wanted} elements, but must have {len}"
            ));
        }
        Ok([rows, k, len])
    };
    let [rows, k, len] = divided().check(checked())?;
    let pair = match (&probs, &own, &of_probs) {
        (None, ..) => None,
        (Some(_), Some(own), Some(of_probs)) => Some((own, of_probs)),
        _ => return Divided::Generated.check(invalid("probsOptional needs permuteTokens and probsGradOut")),
    };
    if let Some((own, of_probs)) = pair {
        check::alike(&[&grad, own], takes)?;
        Divided::Generated.check(sizes::<2>(own).and_then(|[_, other]| {
            check::output_shape(of_probs, &[rows, k])?;
            if other == len {
                Ok(())
            } else {
                invalid(format_args!("permuteTokens has rows of {other} elements"))
            }
        }))?;
    }
    let mut planner = StagePlanner::default();
    // Each row of the result looks up its choice.
    let count = out.shape()?[0];
    let (at, of_places) = (planner.list(&places, None)?, planner.kept(I32, count)?);
    let sources = again(&of_places, I32)?;
    let inverted = cann_kernels::LaneFunction::new("invert places", |_, inputs, outputs| {
        let ([at], [out]) = (inputs, outputs) else { return Ok(()) };
        let out: &mut [i32] = bytemuck::cast_slice_mut(out);
        out.fill(-1);
        for (flat, place) in bytemuck::cast_slice::<u8, i32>(at).iter().enumerate() {
            if let Some(to) = usize::try_from(*place).ok().and_then(|place| out.get_mut(place)) {
                *to = flat as i32;
            }
        }
        Ok(())
    });
    planner.lanes([at], [of_places], 1, inverted);
    let factors = probs.as_ref().map(|probs| planner.list(probs, Some(F32))).transpose()?;
    let mut lists = vec![sources];
    lists.extend(factors);
    let (tables, outputs) =
        (vec![planner.table(&grad, len, Some(F32))?], vec![planner.write(&out, len, Some(F32))?]);
    planner.rows("scale rows", [tables, lists, outputs], count, move |row, tables, lists, outputs| {
        let ([sources, factors @ ..], [out]) = (lists, outputs) else { return Ok(false) };
        let flat = int(sources, row);
        let factor = factors.first().map_or(1.0, |factors| combine::float(factors, flat.max(0) as usize));
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        tables.visit::<f32>(0, if flat < 0 { -1 } else { flat / k as i64 }, &mut |row| {
            scaled(row, factor, out);
        })
    });
    if let Some((own, of_probs)) = pair {
        let tables = vec![planner.table(&grad, len, Some(F32))?, planner.table(own, len, Some(F32))?];
        let (lists, outputs) =
            (vec![planner.list(&places, None)?], vec![planner.write(of_probs, k, Some(F32))?]);
        planner.rows("multiply rows", [tables, lists, outputs], rows, move |row, tables, lists, outputs| {
            let ([places], [out]) = (lists, outputs) else { return Ok(false) };
            let out: &mut [f32] = bytemuck::cast_slice_mut(out);
            for (choice, to) in out.iter_mut().enumerate() {
                *to = combine::dot(tables, [(0, row as i64), (1, int(places, row * k + choice))])?;
            }
            Ok(true)
        });
    }
    Ok(planner.plan())
}

/// The probabilities have the type of tokens, or f32 beside bf16.
pub(super) fn suits(probs: &Operand, own: &Operand) -> Result {
    match (probs.known_dtype(), own.known_dtype()) {
        (Some(F32), Some(BF16)) => Ok(()),
        (a, b) if a == b && matches!(a, Some(F32 | F16 | BF16)) => Ok(()),
        _ => invalid(format_args!("{} must have the type of {}, or f32 beside bf16", probs.name, own.name)),
    }
}

/// Sums up the rows of groups of places, times factors if there are some.
pub(super) fn sum_groups(
    planner: &mut StagePlanner,
    [own, out]: [&Operand; 2],
    [order, starts]: [&Used; 2],
    factors: Option<Used>,
    [rows, len]: [usize; 2],
) -> Result {
    if [rows, len].contains(&0) {
        return Ok(());
    }
    let (tables, outputs) =
        (vec![planner.table(own, len, Some(F32))?], vec![planner.write(out, len, Some(F32))?]);
    let mut lists = vec![again(order, I32)?, again(starts, I32)?];
    lists.extend(factors);
    planner.rows("sum up groups", [tables, lists, outputs], rows, |row, tables, lists, outputs| {
        let ([order, starts, factors @ ..], [out]) = (lists, outputs) else { return Ok(false) };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        out.fill(0.0);
        for number in int(starts, row)..int(starts, row + 1) {
            let place = int(order, number.max(0) as usize);
            let factor =
                factors.first().map_or(1.0, |factors| combine::float(factors, place.max(0) as usize));
            combine::add(tables, 0, place, factor, out)?;
        }
        Ok(true)
    });
    Ok(())
}

/// Writes numbers to the cells of a map that have a place, and 0 to the others.
pub(super) fn spread(planner: &mut StagePlanner, numbers: Used, cells: &Used, out: &Operand) -> Result {
    let [rows, experts] = sizes::<2>(out)?;
    let (lists, outputs) = (vec![numbers, again(cells, I32)?], vec![planner.write(out, experts, Some(F32))?]);
    planner.rows("spread numbers", [Vec::new(), lists, outputs], rows, move |row, _, lists, outputs| {
        let ([numbers, cells], [out]) = (lists, outputs) else { return Ok(false) };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        for (expert, to) in out.iter_mut().enumerate() {
            let place = usize::try_from(int(cells, row * experts + expert)).ok();
            *to = place.map_or(0.0, |place| combine::float(numbers, place));
        }
        Ok(true)
    });
    Ok(())
}

/// All indices are i32.
pub(super) fn indices(operands: &[&Operand]) -> Result {
    check::each(operands, |operand| match INDICES.contains(&check::any_dtype(operand)?) {
        true => Ok(()),
        false => invalid(format_args!("{} must be i32", operand.name)),
    })
}
