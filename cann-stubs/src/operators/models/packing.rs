//! Signs in bits, and numbers of places.

use aclnn_numerics::DType::U8;
use aclnn_numerics::layout::Shape;
use cann_kernels::functions::signs::{pack_signs, unpack_signs};
use cann_kernels::{Cause, Failure};

use crate::operators::axes::{invalid, output_is, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, sizes, when_divided};
use crate::operators::lane_planner::{Planner, ints, ints_mut};
use crate::operators::signatures;
use crate::status::Result;

/// The shape of `count` elements in `size` rows.
fn in_rows(call: &Call<'_>, count: usize) -> Result<Shape> {
    let size = call.int("size")?;
    match usize::try_from(size) {
        Ok(size @ 1..) if count.is_multiple_of(size) => Ok(Shape::from([size, count / size])),
        _ => invalid(format_args!("size is {size}, which does not divide {count} elements")),
    }
}

pub(super) fn sign_bits_pack(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["self", "out"])?;
    let [own, out] = &tensors;
    check::dtype(own, signatures::sign_bits_pack.takes)?;
    check::exactly(out, U8)?;
    let [len] = sizes(own)?;
    let shape = in_rows(call, len.div_ceil(8))?;
    check::output_shape(out, &shape)?;
    if len == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (x, out) = (planner.rows(own, len)?, planner.out(out, len.div_ceil(8))?);
    planner.lanes(1, [x], [out], "pack signs", |[x], [out]| pack_signs(x, out))?;
    Ok(planner.plan())
}

pub(super) fn sign_bits_unpack(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["self", "out"])?;
    let [own, out] = &tensors;
    let from = check::dtype(own, signatures::sign_bits_unpack.takes)?;
    output_of(signatures::sign_bits_unpack.output, from, from, out)?;
    output_is(out, call.dtype("dtype")?)?;
    let [len] = sizes(own)?;
    let shape = in_rows(call, len.saturating_mul(8))?;
    check::output_shape(out, &shape)?;
    if len == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (bytes, out) = (planner.rows(own, len)?, planner.out(out, len.saturating_mul(8))?);
    planner.lanes(1, [bytes], [out], "unpack signs", |[bytes], [out]| unpack_signs(bytes, out))?;
    Ok(planner.plan())
}

pub(super) fn data_format_dim_map(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "y"])?;
    let ([x, y], from, to) = (&tensors, call.text("srcFormat")?, call.text("dstFormat")?);
    check::alike(&[x, y], signatures::data_format_dim_map.takes)?;
    let place = |letter: char| to.chars().position(|other| other == letter);
    let places: Option<Vec<i32>> =
        from.chars().map(|letter| place(letter).and_then(|place| place.try_into().ok())).collect();
    let Some(places) = places.filter(|places| places.len() == to.chars().count() && !places.is_empty())
    else {
        return invalid(format_args!(
            "srcFormat is \"{from}\" and dstFormat \"{to}\"; both must have the same letters"
        ));
    };
    check::rank(x)?;
    check::output_shape(y, x.shape()?)?;
    let len = x.shape()?.numel().unwrap_or(0);
    if len == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (x, y) = (planner.numbers(x, len)?, planner.out(y, len)?.map(|lanes| lanes.whole()));
    planner.lanes(1, [x], [y], "map axes", move |[x], [y]| {
        let count = places.len() as i32;
        for (y, x) in ints_mut(y).iter_mut().zip(ints(x)) {
            // An axis that the format does not have stays as it is.
            *y = if (-count..count).contains(x) { places[x.rem_euclid(count) as usize] } else { *x };
        }
    })?;
    Ok(planner.plan())
}

pub(super) fn expand_into_jagged_permute(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["permute", "inputOffset", "outputOffset", "outputPermuteOut"])?;
    let [permute, from, to, out] = &tensors;
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::expand_into_jagged_permute.takes)?;
    let checked = || -> Result<[usize; 2]> {
        let ([count], [_], [ends], [len]) = (sizes(permute)?, sizes::<1>(from)?, sizes(to)?, sizes(out)?);
        check::have_elements(&[Some(to)], count.saturating_add(1))?;
        let given = call.int("outputSize")?;
        if usize::try_from(given) != Ok(len) {
            return invalid(format_args!("outputSize is {given}, but outputPermuteOut has {len} elements"));
        }
        Ok([ends, len])
    };
    let [_, len] = checked().map_err(when_divided)?;
    let count = permute.shape()?[0];
    if len == 0 || count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let inputs = [
        planner.numbers(permute, count)?,
        planner.numbers(from, from.shape()?[0])?,
        planner.numbers(to, count + 1)?,
    ];
    let out = planner.out(out, len)?.map(|lanes| lanes.whole());
    planner.try_lanes(1, inputs, [out], "places of segments", |[permute, from, to], [out]| {
        let (permute, from, to, out) = (ints(permute), ints(from), ints(to), ints_mut(out));
        out.fill(0);
        for (segment, start) in permute.iter().zip(to) {
            let segment = *segment as usize;
            let source = from.get(segment..).and_then(|ends| Some(*ends.first()?..*ends.get(1)?));
            let places = source.clone().and_then(|source| {
                let start = usize::try_from(*start).ok()?;
                out.get_mut(start..start.checked_add(source.len())?)
            });
            let (Some(source), Some(places)) = (source, places) else {
                return Err(Failure::new(
                    Cause::AiCore,
                    format_args!("segment {segment} does not exist, or does not fit"),
                ));
            };
            places.iter_mut().zip(source).for_each(|(place, index)| *place = index);
        }
        Ok(())
    })?;
    Ok(planner.plan())
}
