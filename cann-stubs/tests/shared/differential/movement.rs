//! Operators that move elements, each with the element of the input that stands at a position of the result.

use aclnn_numerics::DType::{self, *};

use super::draw::{Array, Draw, call, in_place, out, scalar};
use crate::support::cases::{Argument, Case};

/// Types that most of these operators take.
const TYPES: &[DType] = &[F32, F16, BF16, I8, U8, I32, I64, Bool];

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

/// The same position with another index on one axis.
fn at(position: &[i64], axis: usize, index: i64) -> Vec<i64> {
    let mut position = position.to_vec();
    position[axis] = index;
    position
}

fn resized(dims: &[i64], axis: usize, size: i64) -> Vec<i64> {
    at(dims, axis, size)
}

pub(super) fn join(draw: &mut Draw) -> Case {
    let (dtype, dims) = (draw.one(TYPES), dims(draw));
    let count = draw.between(1, 4) as usize;
    if dims.len() < 8 && draw.once_in(3) {
        let (axis, number) = axis(draw, dims.len() + 1);
        let mut parts: Vec<Array> = (0..count).map(|_| draw.numbers(dtype, &dims)).collect();
        let tensors = parts.iter_mut().map(|part| draw.input(dtype, part)).collect();
        let mut shape = dims.clone();
        shape.insert(axis, count as i64);
        let result = Array::of(&shape, |position| {
            let mut own = position.to_vec();
            let part = own.remove(axis);
            parts[part as usize].at(&own)
        });
        return call("Stack", vec![Argument::Tensors(tensors), Argument::Int(number), out(dtype, &result)]);
    }
    let (axis, number) = axis(draw, dims.len());
    let sizes: Vec<i64> = (0..count).map(|_| draw.between(1, 4)).collect();
    let mut parts: Vec<Array> =
        sizes.iter().map(|size| draw.numbers(dtype, &resized(&dims, axis, *size))).collect();
    let tensors = parts.iter_mut().map(|part| draw.input(dtype, part)).collect();
    let result = Array::of(&resized(&dims, axis, sizes.iter().sum()), |position| {
        let (mut part, mut index) = (0, position[axis]);
        while index >= sizes[part] {
            index -= sizes[part];
            part += 1;
        }
        parts[part].at(&at(position, axis, index))
    });
    let to = if dtype == Bool { dtype } else { draw.result_type(dtype) };
    call("Cat", vec![Argument::Tensors(tensors), Argument::Int(number), out(to, &result)])
}

pub(super) fn split(draw: &mut Draw) -> Case {
    let (dtype, dims) = (draw.one(TYPES), dims(draw));
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    let (axis, number) = axis(draw, dims.len());
    let sections = draw.between((dims[axis] + 19) / 20, dims[axis] + 1);
    let mut outputs = Vec::new();
    let mut begin = 0;
    while begin < dims[axis] {
        let size = sections.min(dims[axis] - begin);
        let part = Array::of(&resized(&dims, axis, size), |position| {
            array.at(&at(position, axis, begin + position[axis]))
        });
        outputs.push(out(dtype, &part));
        begin += size;
    }
    call(
        "SplitTensor",
        vec![input, Argument::Int(sections), Argument::Int(number), Argument::Tensors(outputs)],
    )
}

pub(super) fn cut(draw: &mut Draw) -> Case {
    let (dtype, dims) = (draw.one(TYPES), dims(draw));
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    let (axis, number) = axis(draw, dims.len());
    let (start, step) = (draw.between(0, dims[axis] - 1), draw.between(1, 4));
    let end = draw.between(start, dims[axis]);
    let shape = resized(&dims, axis, (end - start + step - 1) / step);
    let result = Array::of(&shape, |position| array.at(&at(position, axis, start + step * position[axis])));
    let back = |index: i64| if index < dims[axis] { index - dims[axis] } else { index };
    let [start, end, step] = [back(start), end, step].map(Argument::Int);
    call("Slice", vec![input, Argument::Int(number), start, end, step, out(dtype, &result)])
}

pub(super) fn reorder(draw: &mut Draw) -> Case {
    let (dtype, dims) = (draw.one(TYPES), dims(draw));
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    match draw.below(4) {
        0 => {
            let mut order: Vec<usize> = (0..dims.len()).collect();
            for axis in 0..order.len() {
                let other = axis + draw.below(order.len() - axis);
                order.swap(axis, other);
            }
            let shape: Vec<i64> = order.iter().map(|axis| dims[*axis]).collect();
            let result = Array::of(&shape, |position| {
                let mut own = position.to_vec();
                order.iter().zip(position).for_each(|(axis, index)| own[*axis] = *index);
                array.at(&own)
            });
            let order = Argument::Ints(order.iter().map(|axis| *axis as i64).collect());
            call("Permute", vec![input, order, out(dtype, &result)])
        }
        1 => {
            let axes: Vec<usize> = (0..dims.len()).filter(|_| draw.once_in(2)).collect();
            let result = Array::of(&dims, |position| {
                let flipped = axes.iter().fold(position.to_vec(), |position, axis| {
                    at(&position, *axis, dims[*axis] - 1 - position[*axis])
                });
                array.at(&flipped)
            });
            let axes = Argument::Ints(axes.iter().map(|axis| *axis as i64).collect());
            call("Flip", vec![input, axes, out(dtype, &result)])
        }
        2 => {
            let rolled: Vec<(usize, i64)> =
                (0..draw.between(1, 3)).map(|_| (axis(draw, dims.len()).0, draw.between(-9, 9))).collect();
            let result = Array::of(&dims, |position| {
                let from = rolled.iter().fold(position.to_vec(), |position, (axis, shift)| {
                    at(&position, *axis, (position[*axis] - shift).rem_euclid(dims[*axis]))
                });
                array.at(&from)
            });
            let shifts = Argument::Ints(rolled.iter().map(|(_, shift)| *shift).collect());
            let axes = Argument::Ints(rolled.iter().map(|(axis, _)| *axis as i64).collect());
            call("Roll", vec![input, shifts, axes, out(dtype, &result)])
        }
        _ => {
            let (shift, count) = (draw.between(-999, 999), array.values.len() as i64);
            let mut values = array.values.clone();
            values.rotate_right(shift.rem_euclid(count) as usize);
            let result = Array { dims: dims.clone(), values };
            call(
                "Roll",
                vec![input, Argument::Ints(vec![shift]), Argument::Ints(Vec::new()), out(dtype, &result)],
            )
        }
    }
}

pub(super) fn repeat(draw: &mut Draw) -> Case {
    let (dtype, dims) = (draw.one(TYPES), dims(draw));
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    match draw.below(3) {
        0 => {
            let missing = draw.below(9 - dims.len()).min(2);
            let counts: Vec<i64> = (0..missing + dims.len()).map(|_| draw.between(1, 2)).collect();
            let own = [vec![1; missing], dims.clone()].concat();
            let shape: Vec<i64> = own.iter().zip(&counts).map(|(size, count)| size * count).collect();
            let result = Array::of(&shape, |position| {
                let from: Vec<i64> = position.iter().zip(&own).map(|(index, size)| index % size).collect();
                array.at(&from)
            });
            call("Repeat", vec![input, Argument::Ints(counts), out(dtype, &result)])
        }
        1 => {
            let (axis, number) = axis(draw, dims.len());
            let counts = draw.array(&[dims[axis]], 0, 3);
            let from: Vec<i64> = (0..dims[axis])
                .flat_map(|index| vec![index; counts.values[index as usize] as usize])
                .collect();
            let size = from.len() as i64;
            let result = Array::of(&resized(&dims, axis, size), |position| {
                array.at(&at(position, axis, from[position[axis] as usize]))
            });
            let counts = Argument::Tensor(counts.elements(draw.one(&[I32, I64])));
            let [number, size] = [number, size].map(Argument::Int);
            call("RepeatInterleaveWithDim", vec![input, counts, number, size, out(dtype, &result)])
        }
        _ => {
            let (axis, number) = axis(draw, dims.len());
            let (count, number) = (draw.between(1, 4), Argument::Int(number));
            let size = count * dims[axis];
            let result = Array::of(&resized(&dims, axis, size), |position| {
                array.at(&at(position, axis, position[axis] / count))
            });
            let [count, size] = [count, size].map(Argument::Int);
            call("RepeatInterleaveIntWithDim", vec![input, count, number, size, out(dtype, &result)])
        }
    }
}

pub(super) fn triangle(draw: &mut Draw) -> Case {
    let mut dims = dims(draw);
    if dims.len() == 1 {
        dims.push(draw.between(1, 5));
    }
    let (dtype, is_lower, diagonal) = (draw.one(TYPES), draw.once_in(2), draw.between(-5, 5));
    let mut array = draw.numbers(dtype, &dims);
    let triangle = |array: &Array| {
        Array::of(&dims, |position| {
            let [.., row, column] = position else { return 0 };
            let is_kept = if is_lower { column - row <= diagonal } else { column - row >= diagonal };
            if is_kept { array.at(position) } else { 0 }
        })
    };
    let name = if is_lower { "Tril" } else { "Triu" };
    let diagonal = Argument::Int(diagonal);
    if draw.once_in(3) {
        return call(&format!("Inplace{name}"), vec![in_place(dtype, &array, &triangle(&array)), diagonal]);
    }
    let input = draw.input(dtype, &mut array);
    call(name, vec![input, diagonal, out(dtype, &triangle(&array))])
}

pub(super) fn pad(draw: &mut Draw) -> Case {
    let mode = draw.below(4);
    let dtype =
        draw.one(if mode == 3 { &[F32, F16, BF16, I8, I32] } else { &[F32, F16, BF16, I8, U8, I32, I64] });
    let padded = draw.between(if mode == 3 { 2 } else { 1 }, 3) as usize;
    let rank = padded + 1 + draw.below(2);
    let dims: Vec<i64> = (0..rank).map(|_| draw.between(2, 5)).collect();
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    let pads: Vec<(i64, i64)> = dims
        .iter()
        .enumerate()
        .map(|(axis, size)| {
            if axis < rank - padded { (0, 0) } else { (draw.between(0, size - 1), draw.between(0, size - 1)) }
        })
        .collect();
    let shape: Vec<i64> =
        dims.iter().zip(&pads).map(|(size, (before, after))| size + before + after).collect();
    let value = draw.between(0, 9);
    let result = Array::of(&shape, |position| {
        let shown = position.iter().zip(&pads).zip(&dims).map(|((index, (before, _)), size)| {
            let index = index - before;
            match mode {
                0 => (0..*size).contains(&index).then_some(index),
                1 => Some(if index < 0 {
                    -index
                } else if index >= *size {
                    2 * size - 2 - index
                } else {
                    index
                }),
                2 => Some(index.clamp(0, size - 1)),
                _ => Some(index.rem_euclid(*size)),
            }
        });
        shown.collect::<Option<Vec<i64>>>().map_or(value, |position| array.at(&position))
    });
    let pairs = pads.iter().rev().take(padded).flat_map(|(before, after)| [*before, *after]).collect();
    let name = [
        "ConstantPadNd".to_owned(),
        format!("ReflectionPad{padded}d"),
        format!("ReplicationPad{padded}d"),
        format!("CircularPad{padded}d"),
    ];
    let mut arguments = vec![input, Argument::Ints(pairs)];
    arguments.extend((mode == 0).then(|| scalar(I32, value)));
    arguments.push(out(dtype, &result));
    call(&name[mode], arguments)
}

pub(super) fn windows(draw: &mut Draw) -> Case {
    let dtype = draw.one(&[F32, F16, BF16]);
    let two = |draw: &mut Draw, low, high| [draw.between(low, high), draw.between(low, high)];
    let [kernel, dilation] = [two(draw, 1, 3), two(draw, 1, 2)];
    let [padding, stride] = [two(draw, 0, 3), two(draw, 1, 3)];
    let dims = [draw.between(1, 2), draw.between(1, 3), draw.between(5, 8), draw.between(5, 8)];
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    let positions = [0, 1].map(|axis| {
        (dims[2 + axis] + 2 * padding[axis] - dilation[axis] * (kernel[axis] - 1) - 1) / stride[axis] + 1
    });
    let shape = [dims[0], dims[1] * kernel[0] * kernel[1], positions[0] * positions[1]];
    let result = Array::of(&shape, |position| {
        let (row, column) = (position[1], position[2]);
        let of_window = [row / kernel[1] % kernel[0], row % kernel[1]];
        let of_place = [column / positions[1], column % positions[1]];
        let at = [0, 1]
            .map(|axis| of_place[axis] * stride[axis] + of_window[axis] * dilation[axis] - padding[axis]);
        let is_inside = [0, 1].into_iter().all(|axis| (0..dims[2 + axis]).contains(&at[axis]));
        if is_inside { array.at(&[position[0], row / kernel[0] / kernel[1], at[0], at[1]]) } else { 0 }
    });
    let mut arguments = vec![input];
    arguments.extend([kernel, dilation, padding, stride].map(|pair| Argument::Ints(pair.to_vec())));
    arguments.push(out(dtype, &result));
    call("Im2col", arguments)
}
