//! Products of rows of integers and matrices of integers, whose results are combined with those of other rows, or whose rows are
//! quantised first.

use aclnn_numerics::DType::{BF16, F16, F32, I4, I8, I32, I64};
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::axis::quantisation::{
    Groups, Listed, add_products, add_sums, dequantise_sums, quantise_by_scale, scale_sums, scale_totals,
};
use cann_kernels::networks::experts::combine::{self, Steps, float};
use cann_kernels::{Cause, Failure, LaneFunction, allocation};

use super::rows::{given_as, one_of};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::plan_builder::read_lanes;
use crate::operators::signatures;
use crate::operators::stage_planner::{StagePlanner, Used, again};
use crate::status::{Result, Status};

/// The matrices of a weight of three axes, one after the other, each by rows; transposed ones are stored by columns.
struct Weight<'c> {
    operand: Operand<'c>,
    transposed: bool,
    groups: usize,
    rows: usize,
    columns: usize,
}

impl<'c> Weight<'c> {
    fn of(operand: Operand<'c>, transposed: bool) -> Result<Self> {
        match one_of(&operand, &[I8, I4, I32])? {
            I8 => {}
            _ => return check::not_emulated("products of rows of i8 with weights of four bits here"),
        }
        let [groups, rows, columns] = sizes(&operand)?;
        let (rows, columns) = if transposed { (columns, rows) } else { (rows, columns) };
        Ok(Self { operand, transposed, groups, rows, columns })
    }

    /// All matrices as one list.
    fn list(&self, planner: &mut StagePlanner) -> Result<Used> {
        let operand = &self.operand;
        planner.count(operand, I8);
        let order = if self.transposed { [0, 2, 1] } else { [0, 1, 2] };
        let len = operand.shape()?.numel().unwrap_or(0);
        Ok((planner.builder.read(operand, operand.permuted(I8, &order)?, true), read_lanes(len, I8, I8)?))
    }
}

/// The sums of the products of a row and the columns of one of the matrices.
fn sums_of(x: &[i8], matrices: &[u8], number: usize, sums: &mut Vec<i32>, columns: usize) {
    sums.clear();
    sums.resize(columns, 0);
    let matrices: &[i8] = bytemuck::cast_slice(matrices);
    add_products(x, matrices.get(number * x.len() * columns..).unwrap_or_default(), sums);
}

/// Returns the numbers of a list from a place on.
fn numbers_from(list: &[u8], place: usize) -> &[f32] {
    bytemuck::cast_slice(list).get(place..).unwrap_or_default()
}

/// Sorts the rows of groups by the results that they are added to. Outputs are where the rows of each result begin, and the rows, in
/// their order.
fn by_place(groups: Groups, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> cann_kernels::Result {
    let ([places, list], [starts, rows]) = (inputs, outputs) else { return Ok(()) };
    let (places, list): (&[i64], &[i64]) = (bytemuck::cast_slice(places), bytemuck::cast_slice(list));
    // Rows behind the last group add nothing, and may have any place.
    let places = &places[..groups.rows(list).min(places.len())];
    let starts: &mut [i64] = bytemuck::cast_slice_mut(starts);
    let rows: &mut [i64] = bytemuck::cast_slice_mut(rows);
    let results = starts.len().saturating_sub(1);
    starts.fill(0);
    for (row, place) in places.iter().enumerate() {
        match usize::try_from(*place).ok().filter(|place| *place < results) {
            Some(place) => starts[place] += 1,
            None => {
                let message =
                    format_args!("rowIndex has {place} for row {row}, but there are {results} results");
                return Err(Failure::new(Cause::AiCore, message));
            }
        }
    }
    // Where the rows of a result end, and from there, the last row first, where each stands.
    let mut end = 0;
    for start in starts.iter_mut() {
        end += *start;
        *start = end;
    }
    for (row, place) in places.iter().enumerate().rev() {
        let start = &mut starts[*place as usize];
        *start -= 1;
        rows[*start as usize] = row as i64;
    }
    Ok(())
}

/// An operand that must not be null.
fn needed<'c>(call: &'c Call<'_>, name: &str) -> Result<Operand<'c>> {
    call.given(name)?.ok_or_else(|| Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} is null")))
}

/// Refuses operands whose effect is left to a device.
fn are_missing(call: &Call<'_>, names: &[&str]) -> Result {
    for name in names {
        if call.given(name)?.is_some() {
            return check::not_emulated(format_args!(
                "products of integers with {name}, which must be null or empty"
            ));
        }
    }
    Ok(())
}

fn listed(kind: i64) -> Result<Listed> {
    match kind {
        0 => Ok(Listed::Ends),
        1 => Ok(Listed::Counts),
        other => invalid(format_args!("groupListType is {other}, but must be 0 or 1")),
    }
}

/// A list of whole elements in f32, if an operand is there; its place among the lists.
fn add_list(
    planner: &mut StagePlanner,
    lists: &mut Vec<Used>,
    operand: Option<&Operand>,
) -> Result<Option<usize>> {
    let Some(operand) = operand else { return Ok(None) };
    lists.push(planner.list(operand, Some(F32))?);
    Ok(Some(lists.len() - 1))
}

pub(super) fn grouped_matmul_finalize_routing(call: &Call<'_>) -> Result<Plan> {
    let names = if call.has("w") {
        ["x", "w", "y", "transposeX", "transposeW"]
    } else {
        ["x1", "x2", "out", "transposeX1", "transposeX2"]
    };
    let [x, weight, out] = [call.tensor(names[0])?, call.tensor(names[1])?, call.tensor(names[2])?];
    let [scale, list, places] =
        [needed(call, "scale")?, needed(call, "groupList")?, needed(call, "rowIndex")?];
    let [bias, of_rows] = [call.given("bias")?, call.given("pertokenScale")?];
    let [shared, factors] = [call.given("sharedInput")?, call.given("logit")?];
    let signature = &signatures::grouped_matmul_finalize_routing;
    let own = check::dtype(&x, signature.takes)?;
    let weight = Weight::of(weight, call.flag(names[4])?)?;
    let to = output_of(signature.output, own, own, &out)?;
    one_of(&scale, &[F32, BF16])?;
    check::exactly(&list, I64)?;
    one_of(&places, &[I64, I32])?;
    given_as(bias.as_ref(), &[F32, BF16, F16])?;
    given_as(of_rows.as_ref(), &[F32])?;
    given_as(factors.as_ref(), &[F32])?;
    given_as(shared.as_ref(), &[BF16, F16, F32])?;
    are_missing(call, &["offset", "antiquantScale", "antiquantOffset"])?;
    if call.flag(names[3])? {
        return invalid(format_args!("{} must be false", names[3]));
    }
    let number = match to {
        F32 => 0,
        F16 => 1,
        _ => 2,
    };
    if call.int("dtype")? != number {
        return invalid(format_args!(
            "dtype is {}, but must be {number} for a result of {to}",
            call.int("dtype")?
        ));
    }
    let groups = Groups { input: 0, listed: listed(call.int("groupListType")?)? };
    let ([rows, k], [results, n]) = (sizes(&x)?, sizes(&out)?);
    if [weight.rows, weight.columns] != [k, n] {
        return invalid(format_args!(
            "x has {k} columns and the result {n}, but matrices have {} rows and {} columns",
            weight.rows, weight.columns
        ));
    }
    check::have_shape(&[Some(&scale), bias.as_ref()], &[weight.groups, n])?;
    check::have_shape(&[of_rows.as_ref(), factors.as_ref(), Some(&places)], &[rows])?;
    let [entries] = sizes(&list)?;
    if entries > weight.groups {
        return invalid(format_args!("groupList has {entries} entries for {} matrices", weight.groups));
    }
    let (first, by) = (call.int("sharedInputOffset")?, call.float("sharedInputWeight")? as f32);
    if let Some(shared) = &shared {
        let [count, columns] = sizes(shared)?;
        let end = usize::try_from(first).ok().and_then(|first| first.checked_add(count));
        if columns != n || end.is_none_or(|end| end > results) {
            return invalid(format_args!(
                "sharedInput has shape {}, which the {results} rows of the result do not have from row {first} on",
                shared.shape()?
            ));
        }
    }
    if [results, n].contains(&0) {
        return Ok(Plan::empty());
    }

    let mut planner = StagePlanner::default();
    let mut tables = Vec::new();
    let has_rows = ![rows, k, entries].contains(&0);
    if has_rows {
        let of_x = planner.table(&x, k, None)?;
        let mut lists =
            vec![planner.list(&list, None)?, weight.list(&mut planner)?, planner.list(&scale, Some(F32))?];
        let of_rows = add_list(&mut planner, &mut lists, of_rows.as_ref())?;
        let of_bias = add_list(&mut planner, &mut lists, bias.as_ref())?;
        let of_factors = add_list(&mut planner, &mut lists, factors.as_ref())?;
        let products = planner.kept(F32, rows.saturating_mul(n))?;
        tables.push((products.0, read_lanes(n, F32, F32)?));
        let outputs = vec![(products.0, read_lanes(n, F32, F32)?)];
        planner.rows(
            "multiply groups",
            [vec![of_x], lists, outputs],
            rows,
            move |row, tables, lists, outputs| {
                let ([list, weights, scales, ..], [out]) = (lists, outputs) else { return Ok(false) };
                let out: &mut [f32] = bytemuck::cast_slice_mut(out);
                out.fill(0.0);
                // Rows behind the last group add nothing.
                let Some(group) = groups.group(bytemuck::cast_slice(list), row) else { return Ok(true) };
                let at = |list: Option<usize>, place: usize| {
                    list.and_then(|list| lists.get(list)).map(|list| float(list, place))
                };
                let (of_row, factor) = (at(of_rows, row).unwrap_or(1.0), at(of_factors, row).unwrap_or(1.0));
                let mut sums = Vec::new();
                tables.visit::<i8>(0, row as i64, &mut |x| sums_of(x, weights, group, &mut sums, n))?;
                let bias = of_bias.and_then(|list| lists.get(list)).map(|list| numbers_from(list, group * n));
                let (scales, bias) = (numbers_from(scales, group * n), bias.unwrap_or_default());
                dequantise_sums((&sums, &[]), scales, bias, [of_row, factor], out);
                Ok(true)
            },
        );
    }
    let of_shared = match &shared {
        Some(shared) if !shared.is_empty() => {
            tables.push(planner.table(shared, n, Some(F32))?);
            Some(tables.len() - 1)
        }
        _ => None,
    };
    // The rows of each result, and where they begin; the last number is that of all rows.
    let mut lists = Vec::new();
    if has_rows {
        let mut written = Vec::new();
        for count in [results.saturating_add(1), rows] {
            let kept = planner.kept(I64, count)?;
            lists.push(again(&kept, I64)?);
            written.push(kept);
        }
        let inputs = vec![planner.list(&places, Some(I64))?, planner.list(&list, None)?];
        let body =
            LaneFunction::new("sort rows", move |_, inputs, outputs| by_place(groups, inputs, outputs));
        planner.builder.lanes(inputs, written, 1, body);
    }
    let outputs = vec![planner.write(&out, n, Some(F32))?];
    planner.rows("add rows", [tables, lists, outputs], results, move |number, tables, lists, outputs| {
        let [out] = outputs else { return Ok(false) };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        out.fill(0.0);
        if let Some(table) = of_shared {
            combine::add(tables, table, number as i64 - first, by, out)?;
        }
        if let [starts, rows] = lists {
            let (starts, rows): (&[i64], &[i64]) = (bytemuck::cast_slice(starts), bytemuck::cast_slice(rows));
            for row in &rows[starts[number] as usize..starts[number + 1] as usize] {
                combine::add(tables, 0, *row, 1.0, out)?;
            }
        }
        Ok(true)
    });
    Ok(planner.plan())
}

pub(super) fn quant_matmul_reduce_sum(call: &Call<'_>) -> Result<Plan> {
    let [x, weight, out] = call.tensors_of(["x1", "x2", "out"])?;
    let [of_rows, scale] = [needed(call, "x1Scale")?, needed(call, "x2Scale")?];
    let dims = call.ints("dims")?;
    let signature = &signatures::quant_matmul_reduce_sum;
    let own = check::dtype(&x, signature.takes)?;
    let weight = Weight::of(weight, call.flag("transposeX2")?)?;
    output_of(signature.output, own, own, &out)?;
    check::exactly(&of_rows, F32)?;
    one_of(&scale, &[BF16, F32])?;
    are_missing(call, &["yScale", "x1Offset", "x2Offset", "yOffset", "bias"])?;
    if call.int("groupSize")? != 0 {
        return check::not_emulated("products of integers with scales of groups, so groupSize must be 0");
    }
    if call.flag("transposeX1")? || dims[..] != [0] {
        return invalid(format_args!("transposeX1 must be false, and dims, which are {dims:?}, [0]"));
    }
    let ([pairs, rows, k], n) = (sizes(&x)?, weight.columns);
    if [weight.groups, weight.rows] != [pairs, k] {
        return invalid(format_args!(
            "x1 has {pairs} matrices of {k} columns, but x2 {} of {} rows",
            weight.groups, weight.rows
        ));
    }
    has_shape(&of_rows, &[pairs, rows])?;
    has_shape(&scale, &[n])?;
    let kept: &[usize] = if call.flag("keepDims")? { &[1] } else { &[] };
    check::output_shape(&out, &[kept, &[rows, n]].concat())?;
    if [pairs, rows, k, n].contains(&0) {
        return invalid("a product of integers takes no empty tensors");
    }
    let mut planner = StagePlanner::default();
    let tables = vec![planner.table(&x, k, None)?];
    let lists =
        vec![weight.list(&mut planner)?, planner.list(&of_rows, None)?, planner.list(&scale, Some(F32))?];
    let outputs = vec![planner.write(&out, n, Some(F32))?];
    planner.rows("multiply and add", [tables, lists, outputs], rows, move |row, tables, lists, outputs| {
        let ([weights, of_rows, scales], [out]) = (lists, outputs) else { return Ok(false) };
        let (mut sums, mut all) = (Vec::new(), allocation::zeros::<f64>(n)?);
        for pair in 0..pairs {
            let number = pair * rows + row;
            tables.visit::<i8>(0, number as i64, &mut |x| sums_of(x, weights, pair, &mut sums, n))?;
            let factor = f64::from(float(of_rows, number));
            add_sums(&sums, factor, &mut all);
        }
        scale_totals(&all, numbers_from(scales, 0), bytemuck::cast_slice_mut(out));
        Ok(true)
    });
    Ok(planner.plan())
}

pub(super) fn quant_grouped_matmul_dequant(call: &Call<'_>) -> Result<Plan> {
    let [x, weight, scale] = call.tensors_of(["x", "weight", "weightScale"])?;
    let [list, out] = call.tensors_of(["groupList", "out"])?;
    let [given, smooth] = [call.given("xScale")?, call.given("smoothScale")?];
    let mode = call.optional_text("xQuantMode")?.unwrap_or_else(|| "pertoken".to_owned());
    let signature = &signatures::quant_grouped_matmul_dequant;
    let own = check::dtype(&x, signature.takes)?;
    output_of(signature.output, own, own, &out)?;
    let weight = Weight::of(weight, call.flag("transposeWeight")?)?;
    let of_scale = one_of(&scale, &[F32, I64])?;
    check::exactly(&list, I64)?;
    given_as(given.as_ref(), &[F32, F16])?;
    given_as(smooth.as_ref(), &[F16])?;
    are_missing(call, &["bias", "xOffset"])?;
    let is_whole = match mode.as_str() {
        "pertoken" => false,
        "pertensor" => true,
        other => {
            return invalid(format_args!("xQuantMode is \"{other}\", but must be pertoken or pertensor"));
        }
    };
    if of_scale == I64 && !(is_whole && given.is_some()) {
        return invalid("weightScale is i64, which goes with one scale of all rows, that is given");
    }
    let ([rows, k], n) = (sizes(&x)?, weight.columns);
    if weight.rows != k {
        return invalid(format_args!("x has {k} columns, but matrices have {} rows", weight.rows));
    }
    has_shape(&scale, &[weight.groups, n])?;
    check::have_shape(smooth.as_slice(), &[k])?;
    check::have_shape(given.as_slice(), &[if is_whole { 1 } else { rows }])?;
    check::output_shape(&out, &[rows, n])?;
    let [entries] = sizes(&list)?;
    if entries != weight.groups {
        return invalid(format_args!("groupList has {entries} entries for {} matrices", weight.groups));
    }
    if [rows, n, k, entries].contains(&0) {
        return Ok(Plan::empty());
    }
    let groups = Groups { input: 0, listed: Listed::Ends };
    let mut planner = StagePlanner::default();
    let tables = vec![planner.table(&x, k, Some(F32))?];
    // f32 in the lower half of each element.
    let scales = planner.list(&scale, None)?;
    let mut lists = vec![planner.list(&list, None)?, weight.list(&mut planner)?, scales];
    let of_given = add_list(&mut planner, &mut lists, given.as_ref())?;
    let of_smooth = add_list(&mut planner, &mut lists, smooth.as_ref())?;
    let outputs = vec![planner.write(&out, n, Some(F32))?];
    planner.rows(
        "quantise and multiply",
        [tables, lists, outputs],
        rows,
        move |row, tables, lists, outputs| {
            let ([list, weights, scales, ..], [out]) = (lists, outputs) else { return Ok(false) };
            let Some(group) = groups.group(bytemuck::cast_slice(list), row) else { return Ok(false) };
            let smooth =
                of_smooth.and_then(|list| lists.get(list)).map(|list| bytemuck::cast_slice::<u8, f32>(list));
            let given = of_given
                .and_then(|list| lists.get(list))
                .map(|list| float(list, if is_whole { 0 } else { row }));
            let (mut codes, mut of_row) = (allocation::zeros::<i8>(k)?, 1.0);
            tables.visit::<f32>(0, row as i64, &mut |x| {
                of_row = quantised(x, smooth, given, &mut codes);
            })?;
            let mut sums = Vec::new();
            sums_of(&codes, weights, group, &mut sums, n);
            // Scales of i64 contain the scale of all rows already, in their lower halves.
            let (step, of_row) = if of_scale == I64 { (2, 1.0) } else { (1, of_row) };
            let scales = numbers_from(scales, step * group * n);
            scale_sums(&sums, (scales, step), of_row, bytemuck::cast_slice_mut(out));
            Ok(true)
        },
    );
    Ok(planner.plan())
}

/// Quantises a row, times factors of its elements, by a scale that is given or its own; returns the scale.
fn quantised(x: &[f32], smooth: Option<&[f32]>, given: Option<f32>, codes: &mut [i8]) -> f32 {
    match given {
        None => combine::quantize(Steps::Own { away: false }, x, smooth, [0.0; 2], codes),
        Some(scale) => {
            quantise_by_scale(x, smooth.unwrap_or_default(), scale, codes);
            scale
        }
    }
}
