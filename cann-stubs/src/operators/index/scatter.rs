//! Elements and slices written to the positions that indices find, or combined with what is there.

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::Indexed;
use aclnn_sys::ACL_FLOAT;
use cann_kernels::functions::arithmetic::compute_type;
use cann_kernels::indexing::index::{Reduce, Reduction};
use cann_kernels::networks::experts::combine;

use super::checks::{
    fits, invalid, is_950, is_empty, is_wide, no_kernel, numel, ranks, same_rank, same_type, shape,
};
use super::gather::{at_coordinates, beside_index, coordinates, leading};
use super::grid::{Grid, Indices, axis_of, flattened};
use super::plans::{self, Written};
use super::slices::{element, numbered};
use crate::mapped::mapped;
use crate::operators::axes::axis;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::StagePlanner;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// The number of a reduction among the arguments; every other one overwrites.
fn reduction(number: i64) -> Option<Reduction> {
    Some(match number {
        1 => Reduction::Add,
        2 => Reduction::Mul,
        3 => Reduction::Max,
        4 => Reduction::Min,
        5 => Reduction::Mean,
        _ => return None,
    })
}

pub(super) fn scatter(call: &Call<'_>) -> Result<Plan> {
    elements(call, reduction(call.int("reduce")?), true)
}

pub(super) fn scatter_value(call: &Call<'_>) -> Result<Plan> {
    elements(call, reduction(call.int("reduce")?), true)
}

pub(super) fn scatter_add(call: &Call<'_>) -> Result<Plan> {
    elements(call, Some(Reduction::Add), true)
}

pub(super) fn scatter_reduce(call: &Call<'_>) -> Result<Plan> {
    let (number, includes_own) = (call.int("reduce")?, call.flag("include_self")?);
    if !(0..=5).contains(&number) {
        return invalid(format!("reduce is {number}, but must be from 0 to 5"));
    }
    if settings::get().product == Product::Ascend910B
        && let Some(own) = call.optional_tensor("self")?
        && (own.raw_dtype() != ACL_FLOAT || number != 1 || !includes_own)
    {
        return invalid("this product takes f32, reduce 1 and includeSelf only");
    }
    elements(call, reduction(number), includes_own)
}

/// Writes or combines element by element, along an axis where the elements of `index` say.
fn elements(call: &Call<'_>, reduction: Option<Reduction>, includes_own: bool) -> Result<Plan> {
    let (own, index) = (call.tensor("self")?, call.tensor("index")?);
    let src = if call.has("src") { Some(call.tensor("src")?) } else { None };
    let value = if call.has("value") { Some(call.scalar("value")?) } else { None };
    let out = if call.is_in_place() { None } else { Some(call.tensor("out")?) };
    let dtype = check::dtype(&own, signatures::scatter.takes)?;
    for other in [src, out].iter().flatten() {
        same_type(other, &own)?;
    }
    if value.as_ref().is_some_and(|value| value.dtype.is_complex()) && !dtype.is_complex() {
        return invalid(format!("value is complex, but self is {dtype}"));
    }
    let nothing = is_empty(&index)?;
    let wide = !nothing && is_wide(&index, signatures::scatter.indices)?;
    let target = out.as_ref().unwrap_or(&own);
    let is_single = |operand: &Operand| -> Result<bool> { Ok(operand.shape()?.numel() == Some(1)) };
    if !nothing {
        same_rank(&own, &index, is_950())?;
        if let Some(src) = &src {
            same_rank(&own, src, is_950())?;
        }
        if target.rank() > 0 {
            shape(target, own.shape()?)?;
        }
        let dim =
            axis(&own, call.int("dim")?.clamp(-(own.rank().max(1) as i64), own.rank().max(1) as i64 - 1))?;
        if let Some(src) = &src {
            fits(&index, src, None)?;
        }
        fits(&index, &own, Some(dim))?;
        check::rank(&own)?;
    }
    if nothing || target.rank() == 0 {
        let differ = own.shape()? != target.shape()?;
        if differ && !(is_single(&own)? && is_single(target)?) {
            return no_kernel(format!("out has shape {}, but self has {}", target.shape()?, own.shape()?));
        }
    }
    if nothing {
        return match &out {
            Some(out) if !is_empty(&own)? => plans::copy(&own, out, dtype),
            _ => Ok(Plan::empty()),
        };
    }
    let dim = axis(&own, call.int("dim")?)?;
    let grid = beside_index(target, dim, &index, wide, !is_950())?;
    let written = match (&src, &value) {
        (Some(src), _) => {
            let strides = src.strides();
            // A tensor without axes counts as one with a single axis.
            let sizes = index.shape()?;
            let strides = if strides.len() == sizes.rank() { strides } else { mapped(sizes, |_| 1) };
            Written::Tensor(src, Box::new(src.view_of(dtype, sizes, &strides, src.offset())?))
        }
        (_, Some(value)) => Written::Element(element(value, dtype)?),
        _ => return no_kernel("nothing is written"),
    };
    let reduce = match reduction {
        Some(reduction) => {
            Some(Reduce::new(settings::get().product, reduction, dtype, compute_type(dtype), includes_own)?)
        }
        None => None,
    };
    plans::scatter(grid, (out.is_some().then_some(&own), target), dtype, written, reduce)
}

pub(super) fn scatter_nd(call: &Call<'_>) -> Result<Plan> {
    let (data, indices, updates) = (call.tensor("data")?, call.tensor("indices")?, call.tensor("updates")?);
    let out = call.tensor("out")?;
    let dtype = check::dtype(&data, signatures::scatter_nd.takes)?;
    same_type(&updates, &data)?;
    same_type(&out, &data)?;
    let wide = is_wide(&indices, signatures::scatter_nd.indices)?;
    if updates.rank() == 0 {
        return invalid("updates has no axes");
    }
    let count = coordinates(&data, &indices)?;
    ranks(&[&data, &indices, &updates])?;
    shape(&updates, &[leading(&indices)?, &data.shape()?[count..]].concat())?;
    shape(&out, data.shape()?)?;
    if is_empty(&data)? || is_empty(&indices)? || is_empty(&updates)? {
        return Ok(Plan::empty());
    }
    let grid = at_coordinates(&out, &indices, wide, false)?;
    let written = Written::Tensor(&updates, Box::new(updates.in_order(dtype)?));
    plans::scatter(grid, (Some(&data), &out), dtype, written, None)
}

pub(super) fn scatter_nd_update(call: &Call<'_>) -> Result<Plan> {
    let (var, indices, updates) = (call.tensor("var")?, call.tensor("indices")?, call.tensor("updates")?);
    let dtype = check::dtype(&var, signatures::scatter_nd_update.takes)?;
    same_type(&updates, &var)?;
    let wide = is_wide(&indices, signatures::scatter_nd_update.indices)?;
    if is_empty(&var)? || is_empty(&indices)? || is_empty(&updates)? {
        return Ok(Plan::empty());
    }
    // The library does not look at the shapes before the kernel does.
    let fits = || {
        let count = coordinates(&var, &indices)?;
        shape(&updates, &[leading(&indices)?, &var.shape()?[count..]].concat())
    };
    if let Err(why) = fits() {
        return no_kernel(&why.message);
    }
    let grid = at_coordinates(&var, &indices, wide, false)?;
    let written = Written::Tensor(&updates, Box::new(updates.in_order(dtype)?));
    plans::scatter(grid, (None, &var), dtype, written, None)
}

/// Adds whole slices along the first axis.
pub(super) fn scatter_add_slices(call: &Call<'_>) -> Result<Plan> {
    slices(call, "var", signatures::scatter_add_slices, Reduction::Add, |status| status)
}

pub(super) fn scatter_slices(call: &Call<'_>) -> Result<Plan> {
    let reduction = match call.info.name() {
        "ScatterMul" => Reduction::Mul,
        "ScatterMax" => Reduction::Max,
        _ => Reduction::Min,
    };
    slices(call, "varRef", signatures::scatter_slices, reduction, check::when_divided)
}

pub(super) fn scatter_div(call: &Call<'_>) -> Result<Plan> {
    slices(call, "varRef", signatures::scatter_div, Reduction::Div, check::when_divided)
}

/// Combines whole slices along the first axis; shapes that do not fit are refused with a code of their own.
fn slices(
    call: &Call<'_>,
    name: &str,
    signature: Indexed,
    reduction: Reduction,
    refused: fn(Status) -> Status,
) -> Result<Plan> {
    let (var, indices, updates) = (call.tensor(name)?, call.tensor("indices")?, call.tensor("updates")?);
    let dtype = check::dtype(&var, signature.takes)?;
    same_type(&updates, &var)?;
    let wide = is_wide(&indices, signature.indices)?;
    let checked = || -> Result {
        ranks(&[&var, &indices, &updates])?;
        let Some((_, slice)) = var.shape()?.split_first() else { return invalid("var has no axes") };
        shape(&updates, &[&indices.shape()?[..], slice].concat())
    };
    checked().map_err(refused)?;
    if is_empty(&var)? || is_empty(&updates)? {
        return Ok(Plan::empty());
    }
    let grid = numbered(&var, 0, &indices, wide, false)?;
    let written = Written::Tensor(&updates, Box::new(updates.in_order(dtype)?));
    let reduce = Reduce::new(settings::get().product, reduction, dtype, compute_type(dtype), true)?;
    plans::scatter(grid, (None, &var), dtype, written, Some(reduce))
}

/// Writes `updates` along an axis from a position on that `indices` gives for each entry of the first axis: one number, or the
/// entry and the number.
pub(super) fn scatter_update(call: &Call<'_>) -> Result<Plan> {
    let (data, indices, updates) = (call.tensor("data")?, call.tensor("indices")?, call.tensor("updates")?);
    let dtype = check::dtype(&data, signatures::scatter_update.takes)?;
    same_type(&updates, &data)?;
    is_wide(&indices, signatures::scatter_update.indices)?;
    for operand in [&data, &indices, &updates] {
        if is_empty(operand)? {
            return invalid(format!("{} has no elements", operand.name));
        }
    }
    let grid = places_along(&data, &indices, &updates, call.int("axis")?)?;
    let written = Written::Tensor(&updates, Box::new(updates.in_order(dtype)?));
    plans::scatter(grid, (None, &data), dtype, written, None)
}

/// The places of `updates` along an axis of `data`, from a position on that `indices` gives for each entry of the first axis:
/// one number, or the entry and the number.
pub(in crate::operators) fn places_along<'a>(
    data: &'a Operand,
    indices: &'a Operand,
    updates: &Operand,
    dim: i64,
) -> Result<Grid<'a>> {
    let wide = is_wide(indices, signatures::scatter_update.indices)?;
    same_rank(updates, data, false)?;
    let entries = updates.shape()?.first().copied().unwrap_or(1);
    match indices.rank() {
        0 if entries != 1 => {
            return invalid(format!("indices is one number, but updates has {entries} entries"));
        }
        0..=2 => {}
        rank => return invalid(format!("indices has {rank} axes, but may have two")),
    }
    let dim = axis(data, dim)?;
    let (own, new) = (data.shape()?, updates.shape()?);
    let others = own.iter().zip(new.iter()).enumerate().all(|(axis, (own, new))| match axis {
        axis if axis == dim => new <= own,
        0 => true,
        _ => new == own,
    });
    let numbers = indices.shape()?;
    let has_entries = indices.rank() == 2 && numbers.get(1) == Some(&2);
    let fits = numbers.first().is_none_or(|count| *count == entries) && (indices.rank() < 2 || has_entries);
    if dim == 0 || !others || !fits || (!has_entries && own.first() < new.first()) {
        return no_kernel(format!(
            "data{own}, indices{numbers} and updates{new} do not fit along axis {dim}, which must not be the first one"
        ));
    }
    // A start from which the updates fit: indices of the axis less what the updates need.
    let length = new.get(dim).copied().unwrap_or(1);
    let starts = own.get(dim).copied().unwrap_or(1) - length + 1;
    let mut grid = Grid::new(data);
    let stride = data.strides().get(dim).copied().unwrap_or(0);
    let start = aclnn_numerics::layout::Walk::new(&[starts], [&[stride]]);
    let steps = indices.strides();
    let down = steps.first().copied().unwrap_or(0);
    if has_entries {
        let entry = grid.add(Indices::of(indices, wide, axis_of(data, 0)?));
        let across = steps.get(1).copied().unwrap_or(1) as i64;
        let start = grid.add(Indices::of(indices, wide, start).further(across));
        grid.along(entries, [(entry, down), (start, down)]);
    } else {
        let start = grid.add(Indices::of(indices, wide, start));
        grid.beside(entries, 0, [(start, down)]);
    }
    for axis in 1..data.rank() {
        grid.beside(new.get(axis).copied().unwrap_or(1), axis, []);
    }
    Ok(grid)
}

/// Writes each entry of `updates` to the tensor of a list that has its number. Positions that a tensor does not have are left out.
pub(super) fn scatter_list(call: &Call<'_>) -> Result<Plan> {
    let (vars, starts, updates) = (call.tensors("varRef")?, call.tensor("indice")?, call.tensor("updates")?);
    let mask = call.optional_tensor("maskOptional")?;
    check::dtype(&updates, signatures::scatter_list.takes)?;
    check::each(&vars, |var| same_type(var, &updates))?;
    is_wide(&starts, signatures::scatter_list.indices)?;
    check::all_exactly(mask.as_slice(), DType::U8)?;
    if starts.rank() == 2 {
        return check::not_emulated("lists of tensors with two numbers for each position");
    }
    let checked = || -> Result<usize> {
        if let Some(reduce) = call.optional_text("reduceOptional")?.filter(|reduce| reduce != "update") {
            return invalid(format!("reduce is \"{reduce}\", but must be \"update\""));
        }
        shape(&starts, &[vars.len()])?;
        check::each(mask.as_slice(), |mask| shape(mask, &[vars.len()]))?;
        let (dim, sizes) = (axis(&updates, call.int("axis")?)?, updates.shape()?);
        let is_like = |var: &Operand| -> Result<bool> {
            let own = var.shape()?;
            let suits =
                |(axis, (own, new)): (usize, (&usize, &usize))| own == new || axis + 1 == dim && own > new;
            Ok(own.rank() + 1 == sizes.rank() && own.iter().zip(&sizes[1..]).enumerate().all(suits))
        };
        for var in &vars {
            if dim == 0 || sizes[0] != vars.len() || !is_like(var)? {
                return invalid(format!(
                    "{}{} and updates{sizes} do not fit along axis {dim}, for {} tensors",
                    var.name,
                    var.shape()?,
                    vars.len()
                ));
            }
        }
        Ok(dim)
    };
    let dim = checked().map_err(check::when_divided)?;
    let mut planner = StagePlanner::default();
    for (number, var) in vars.iter().enumerate() {
        let (own, len) = (var.shape()?, updates.shape()?[dim]);
        let [outer, inner] = [&own[..dim - 1], &own[dim..]].map(|sizes| sizes.iter().product::<usize>());
        let (size, count) = (own[dim - 1], outer.saturating_mul(own[dim - 1]));
        if [inner, count, len].contains(&0) {
            continue;
        }
        let tables = vec![planner.table(&updates, inner, None)?];
        let mut lists = vec![planner.list(&starts, Some(DType::I64))?];
        if let Some(mask) = &mask {
            lists.push(planner.list(mask, None)?);
        }
        let outputs = vec![planner.write(var, inner, None)?];
        planner.rows("copy rows", [tables, lists, outputs], count, move |row, tables, lists, outputs| {
            let ([starts, mask @ ..], [out]) = (lists, outputs) else { return Ok(false) };
            let start = bytemuck::cast_slice::<u8, i64>(starts).get(number).copied().unwrap_or(-1);
            let is_left_out = mask.first().is_some_and(|mask| mask.get(number) == Some(&0));
            let place = ((row % size) as i64).saturating_sub(start);
            if is_left_out || !(0..len as i64).contains(&place) {
                return Ok(false);
            }
            let entry = (number * outer + row / size) * len;
            combine::copy(tables, entry as i64 + place, out)?;
            Ok(true)
        });
    }
    Ok(planner.plan())
}

pub(super) fn put(call: &Call<'_>) -> Result<Plan> {
    let (own, index, source) = (call.tensor("self")?, call.tensor("index")?, call.tensor("source")?);
    let accumulates = call.flag("accumulate")?;
    let dtype = check::dtype(&own, signatures::put.takes)?;
    if accumulates && dtype == DType::BF16 {
        return invalid("self is bf16, which is not added");
    }
    same_type(&source, &own)?;
    let wide = is_wide(&index, signatures::put.indices)?;
    ranks(&[&own, &index])?;
    if numel(&index)? != numel(&source)? {
        return invalid(format!("index has {} elements, but source has {}", numel(&index)?, numel(&source)?));
    }
    if is_empty(&index)? {
        return Ok(Plan::empty());
    }
    if is_empty(&own)? {
        return invalid("self has no elements, but index is not empty");
    }
    let mut grid = Grid::new(&own);
    let number = grid.add(Indices::of(&index, wide, flattened(&own)?));
    grid.along_all(number, &index)?;
    let reduce = match accumulates {
        true => Some(Reduce::new(settings::get().product, Reduction::Add, dtype, compute_type(dtype), true)?),
        false => None,
    };
    let written = Written::Tensor(&source, Box::new(source.in_order(dtype)?));
    plans::scatter(grid, (None, &own), dtype, written, reduce)
}
