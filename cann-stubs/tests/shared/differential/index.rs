//! Operators that find elements by indices or by a mask, each compared with a loop over positions.

use aclnn_numerics::DType::{self, *};

use super::draw::{Array, Draw, call, in_place, out, scalar};
use crate::support::cases::{Argument, Case};

/// Types that most of these operators take.
const TYPES: &[DType] = &[F32, F16, BF16, F64, I8, U8, I16, I32, I64, Bool, C64];

/// Sizes of at least one axis, with elements.
fn dims(draw: &mut Draw) -> Vec<i64> {
    loop {
        let dims = draw.dims();
        if !dims.is_empty() && !dims.contains(&0) {
            return dims;
        }
    }
}

/// An axis, and its number counted from the start or from the end.
fn axis(draw: &mut Draw, rank: usize) -> (usize, i64) {
    let axis = draw.below(rank);
    (axis, axis as i64 - if draw.once_in(2) { rank as i64 } else { 0 })
}

/// Indices of an axis of `size` elements, as an argument and counted from the start.
fn indices(draw: &mut Draw, dims: &[i64], size: i64, wraps: bool) -> (Argument, Array) {
    let dtype = if draw.once_in(2) { I64 } else { I32 };
    let mut given = draw.array(dims, if wraps { -size } else { 0 }, size - 1);
    let argument = draw.input(dtype, &mut given);
    let counted = Array { values: given.values.iter().map(|one| one.rem_euclid(size)).collect(), ..given };
    (argument, counted)
}

/// The same position with another index on one axis.
fn at(position: &[i64], axis: usize, index: i64) -> Vec<i64> {
    let mut position = position.to_vec();
    position[axis] = index;
    position
}

/// The number of a position in row-major order.
fn place(dims: &[i64], position: &[i64]) -> usize {
    dims.iter().zip(position).fold(0, |place, (size, index)| place * size + index) as usize
}

/// Every position, in row-major order.
fn positions(dims: &[i64]) -> Vec<Vec<i64>> {
    let mut all = Vec::new();
    Array::of(dims, |position| {
        all.push(position.to_vec());
        0
    });
    all
}

/// Slices and elements, copied from where indices say.
pub(super) fn select(draw: &mut Draw) -> Case {
    let (dtype, shape) = (draw.one(TYPES), dims(draw));
    let mut own = draw.numbers(dtype, &shape);
    let tensor = draw.input(dtype, &mut own);
    let (axis, number) = axis(draw, shape.len());
    let size = shape[axis];
    match draw.below(4) {
        0 => {
            let count = draw.between(1, 6);
            let (index, counted) = indices(draw, &[count], size, false);
            let result = Array::of(&at(&shape, axis, count), |position| {
                own.at(&at(position, axis, counted.values[position[axis] as usize]))
            });
            call("IndexSelect", vec![tensor, Argument::Int(number), index, out(dtype, &result)])
        }
        1 if shape.len() < 7 => {
            let two = [draw.between(1, 3), draw.between(1, 3)];
            let (index, counted) = indices(draw, &two, size, true);
            let mut made = shape.clone();
            made.splice(axis..=axis, two);
            let result = Array::of(&made, |position| {
                let mut source = position.to_vec();
                source.splice(axis..axis + 2, [counted.at(&position[axis..axis + 2])]);
                own.at(&source)
            });
            call("GatherV2", vec![tensor, Argument::Int(number), index, out(dtype, &result)])
        }
        2 if dtype != C64 => {
            let mut narrow: Vec<i64> = shape.iter().map(|size| draw.between(1, *size)).collect();
            narrow[axis] = draw.between(1, 6);
            let (index, counted) = indices(draw, &narrow, size, true);
            let result = Array::of(&narrow, |position| own.at(&at(position, axis, counted.at(position))));
            call("Gather", vec![tensor, Argument::Int(number), index, out(dtype, &result)])
        }
        _ => {
            let numel = shape.iter().product();
            let wanted = draw.dims();
            let (index, counted) = indices(draw, &wanted, numel, true);
            let result = Array::of(&wanted, |position| own.values[counted.at(position) as usize]);
            call("Take", vec![tensor, index, out(dtype, &result)])
        }
    }
}

/// A number of a type, as integers: sums and products that are bool or wrap.
fn combined(dtype: DType, reduce: i64, own: i64, with: i64) -> i64 {
    match (reduce, dtype) {
        (1, Bool) => own | with,
        (1, _) => own + with,
        (2, Bool) => own & with,
        (2, _) => own * with,
        (3, _) => own.max(with),
        (4, _) => own.min(with),
        _ => with,
    }
}

/// Elements written where indices say, or combined with what is there.
pub(super) fn scatter(draw: &mut Draw) -> Case {
    let (dtype, shape) = (draw.one(TYPES), dims(draw));
    let own = draw.numbers(dtype, &shape);
    let (axis, number) = axis(draw, shape.len());
    let mut narrow: Vec<i64> = shape.iter().map(|size| draw.between(1, *size)).collect();
    narrow[axis] = draw.between(1, 4);
    let (index, counted) = indices(draw, &narrow, shape[axis], true);
    // Products of a few small numbers are exact in every type.
    let mut reduce = [0, 1, 2, 3, 4][draw.below(5)];
    if dtype == C64 && reduce > 1 {
        reduce = 1;
    }
    let wide: Vec<i64> = narrow.iter().map(|size| size + draw.between(0, 2)).collect();
    let mut src = match reduce {
        2 => draw.array(&wide, if dtype == Bool { 0 } else { 1 }, if dtype == Bool { 1 } else { 2 }),
        _ => draw.numbers(dtype, &wide),
    };
    let tensor = draw.input(dtype, &mut src);
    let mut result = own.clone();
    for position in positions(&narrow) {
        let to = place(&shape, &at(&position, axis, counted.at(&position)));
        result.values[to] = combined(dtype, reduce, result.values[to], src.at(&position));
    }
    let held = result.values.iter().all(|value| value.abs() < 256);
    if !held && dtype.is_float() {
        return select(draw);
    }
    let result = result.held(dtype);
    let (number, reduction) = (Argument::Int(number), Argument::Int(reduce));
    if draw.once_in(2) {
        return call(
            "InplaceScatter",
            vec![in_place(dtype, &own, &result), number, index, tensor, reduction],
        );
    }
    let given = Argument::Tensor(own.elements(dtype));
    call("Scatter", vec![given, number, index, tensor, reduction, out(dtype, &result)])
}

/// Slices added, copied or filled where indices say.
pub(super) fn slices(draw: &mut Draw) -> Case {
    let dtype = draw.one(&[F32, F16, BF16, F64, I8, U8, I16, I32, I64, Bool]);
    let shape = dims(draw);
    let own = draw.numbers(dtype, &shape);
    let (axis, number) = axis(draw, shape.len());
    let count = draw.between(1, 4);
    let (index, counted) = indices(draw, &[count], shape[axis], false);
    let source_shape = at(&shape, axis, count);
    let mut source = draw.numbers(dtype, &source_shape);
    let tensor = draw.input(dtype, &mut source);
    let adds = draw.once_in(2);
    let alpha = if dtype == Bool { 1 } else { draw.between(1, 3) };
    let mut result = own.clone();
    for position in positions(&source_shape) {
        let to = place(&shape, &at(&position, axis, counted.values[position[axis] as usize]));
        let with = source.at(&position);
        result.values[to] = if adds { combined(dtype, 1, result.values[to], alpha * with) } else { with };
    }
    let result = result.held(dtype);
    let number = Argument::Int(number);
    if adds {
        let given = Argument::Tensor(own.elements(dtype));
        return call("IndexAdd", vec![given, number, index, tensor, scalar(I64, alpha), out(dtype, &result)]);
    }
    call("InplaceIndexCopy", vec![in_place(dtype, &own, &result), number, index, tensor])
}

/// A tensor of indices for some axes, read or written.
pub(super) fn advanced(draw: &mut Draw) -> Case {
    let dtype = draw.one(&[F32, F16, F64, I8, U8, I16, I32, I64, Bool]);
    let shape = dims(draw);
    let own = draw.numbers(dtype, &shape);
    let made = [draw.between(1, 3), draw.between(1, 3)];
    let (mut list, mut counted) = (Vec::new(), Vec::new());
    for size in &shape {
        if draw.once_in(2) || shape.len() > 6 && !counted.is_empty() {
            let of = draw.broadcastable(&made);
            let (index, numbers) = indices(draw, &of, *size, true);
            list.push(index);
            counted.push(Some(numbers));
        } else {
            list.push(Argument::Tensor(draw.array(&[0], 0, 0).elements(I64)));
            counted.push(None);
        }
    }
    let indexed: Vec<usize> = (0..shape.len()).filter(|axis| counted[*axis].is_some()).collect();
    let free: Vec<usize> = (0..shape.len()).filter(|axis| counted[*axis].is_none()).collect();
    // The indices broadcast together, to as many axes as the longest has.
    let found = counted.iter().flatten().fold(Vec::new(), |found: Vec<i64>, one| joined(&found, &one.dims));
    if indexed.is_empty() || free.len() + found.len() > 8 || found.len() + shape.len() > 8 {
        return select(draw);
    }
    let first = indexed[0];
    let adjacent = indexed.iter().enumerate().all(|(step, axis)| *axis == first + step);
    let begin = if adjacent { first } else { 0 };
    let mut result_shape: Vec<i64> = free.iter().map(|axis| shape[*axis]).collect();
    result_shape.splice(begin..begin, found.iter().copied());
    let source = |position: &[i64]| -> Vec<i64> {
        let mut outer = position.to_vec();
        let inner: Vec<i64> = outer.drain(begin..begin + found.len()).collect();
        let mut rest = outer.into_iter();
        counted
            .iter()
            .map(|one| match one {
                Some(numbers) => numbers.at(&inner),
                None => rest.next().expect("an axis of the result"),
            })
            .collect()
    };
    let list = Argument::Tensors(list);
    if draw.once_in(2) {
        let result = Array::of(&result_shape, |position| own.at(&source(position)));
        return call("Index", vec![Argument::Tensor(own.elements(dtype)), list, out(dtype, &result)]);
    }
    let narrow = draw.broadcastable(&result_shape);
    let mut values = draw.numbers(dtype, &narrow);
    let tensor = draw.input(dtype, &mut values);
    let adds = draw.once_in(2);
    let mut result = own.clone();
    for position in positions(&result_shape) {
        let to = place(&shape, &source(&position));
        result.values[to] = combined(dtype, i64::from(adds), result.values[to], values.at(&position));
    }
    if dtype.is_float() && result.values.iter().any(|value| value.abs() > 256) {
        return select(draw);
    }
    let result = result.held(dtype);
    let (adds, checks) = (Argument::Bool(adds), Argument::Bool(false));
    call("IndexPutImpl", vec![in_place(dtype, &own, &result), list, tensor, adds, checks])
}

/// Two shapes broadcast to one.
fn joined(a: &[i64], b: &[i64]) -> Vec<i64> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut joined = long.to_vec();
    let missing = long.len() - short.len();
    for (size, other) in joined[missing..].iter_mut().zip(short) {
        *size = if *size == 1 { *other } else { *size };
    }
    joined
}

/// Elements chosen by a mask, or by not being zero.
pub(super) fn masked(draw: &mut Draw) -> Case {
    let dtype = draw.one(&[F32, F16, BF16, I8, I32, I64, Bool]);
    let shape = dims(draw);
    let mut own = draw.numbers(dtype, &shape);
    let narrow = draw.broadcastable(&shape);
    let mut mask = draw.array(&narrow, 0, 1);
    let truth = draw.input(Bool, &mut mask);
    match draw.below(4) {
        0 => {
            let result =
                Array::of(&shape, |position| if mask.at(position) != 0 { 7 } else { own.at(position) });
            let result = result.held(dtype);
            call("InplaceMaskedFillScalar", vec![in_place(dtype, &own, &result), truth, scalar(I32, 7)])
        }
        1 => {
            let numel = shape.iter().product::<i64>();
            let source = draw.numbers(dtype, &[numel]);
            let mut next = 0;
            let result = Array::of(&shape, |position| {
                if mask.at(position) == 0 {
                    return own.at(position);
                }
                next += 1;
                source.values[next - 1]
            });
            let given = Argument::Tensor(source.elements(dtype));
            call("InplaceMaskedScatter", vec![in_place(dtype, &own, &result), truth, given])
        }
        2 => {
            let tensor = draw.input(dtype, &mut own);
            let found = positions(&shape).into_iter().filter(|position| mask.at(position) != 0);
            let values: Vec<i64> = found.map(|position| own.at(&position)).collect();
            let result = Array { dims: vec![values.len() as i64], values };
            let made = vec![shape.iter().product()];
            let sized = Argument::Sized { made, expected: result.elements(dtype) };
            call("MaskedSelect", vec![tensor, truth, sized])
        }
        _ => {
            let mut few = draw.array(&shape, 0, 1);
            let tensor = draw.input(dtype, &mut few);
            let found: Vec<_> =
                positions(&shape).into_iter().filter(|position| few.at(position) != 0).collect();
            let (count, rank) = (found.len() as i64, shape.len() as i64);
            let result = Array { dims: vec![count, rank], values: found.concat() };
            let made = vec![shape.iter().product(), rank];
            let sized = Argument::Sized { made, expected: result.elements(I64) };
            call("Nonzero", vec![tensor, sized])
        }
    }
}
