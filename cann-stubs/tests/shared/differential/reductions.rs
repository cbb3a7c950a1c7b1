//! Reductions and scans, each by a list of the elements that make a result.

use aclnn_numerics::DType::*;

use super::draw::{Array, Draw, NUMBERS, call, out};
use crate::support::cases::{Argument, Case};

/// The elements of each result, in row-major order, as a function makes it of them.
fn reduced(array: &Array, axes: &[usize], keeps: bool, function: impl Fn(&[i64]) -> i64) -> Array {
    let rank = array.dims.len();
    let is_reduced = |axis: &usize| axes.contains(axis);
    let along: Vec<i64> =
        (0..rank).map(|axis| if is_reduced(&axis) { array.dims[axis] } else { 1 }).collect();
    let dims: Vec<i64> = (0..rank)
        .filter(|axis| keeps || !is_reduced(axis))
        .map(|axis| if is_reduced(&axis) { 1 } else { array.dims[axis] })
        .collect();
    Array::of(&dims, |position| {
        let mut rest = position.iter();
        let base: Vec<i64> = (0..rank)
            .map(|axis| match is_reduced(&axis) && !keeps {
                true => 0,
                false => *rest.next().expect("an axis that is kept"),
            })
            .collect();
        let mut elements = Vec::new();
        Array::of(&along, |step| {
            let at: Vec<i64> = base.iter().zip(step).map(|(base, step)| base + step).collect();
            elements.push(array.at(&at));
            0
        });
        function(&elements)
    })
}

/// Some axes in any order, and their numbers from the start or from the end; an empty list stands for all.
fn axes(draw: &mut Draw, rank: usize) -> (Vec<usize>, Vec<i64>) {
    if draw.once_in(5) {
        return ((0..rank).collect(), Vec::new());
    }
    let mut axes: Vec<usize> = (0..rank).filter(|_| draw.once_in(2)).collect();
    if draw.once_in(2) {
        axes.reverse();
    }
    let numbers =
        axes.iter().map(|axis| *axis as i64 - if draw.once_in(2) { rank as i64 } else { 0 }).collect();
    if axes.is_empty() { ((0..rank).collect(), numbers) } else { (axes, numbers) }
}

fn with_elements(draw: &mut Draw) -> Vec<i64> {
    loop {
        let dims = draw.dims();
        if !dims.contains(&0) {
            return dims;
        }
    }
}

pub(super) fn reduce(draw: &mut Draw) -> Case {
    let operator = draw.one(&["ReduceSum", "Amax", "Amin", "MaxV2", "All", "Any", "Mean"]);
    let dtype = match operator {
        "Mean" => draw.one(&[F32, F64]),
        _ => draw.one(NUMBERS),
    };
    let dims = with_elements(draw);
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    let (axes, numbers) = axes(draw, dims.len());
    let (keeps, numbers) = (draw.once_in(2), Argument::Ints(numbers));
    let result = |function: &dyn Fn(&[i64]) -> i64| reduced(&array, &axes, keeps, function);
    let keeps = Argument::Bool(keeps);
    match operator {
        "ReduceSum" => {
            let to = draw.one(&[dtype, dtype, I64, F32]);
            let sum = result(&|all| all.iter().sum()).held(to);
            call(operator, vec![input, numbers, keeps, Argument::DType(to), out(to, &sum)])
        }
        "Mean" => {
            // A multiple of the count, so that the mean is whole.
            let count: i64 = axes.iter().map(|axis| dims[*axis]).product();
            let whole =
                Array { values: array.values.iter().map(|value| value * count).collect(), ..array.clone() };
            let mean = result(&|all| all.iter().sum());
            let input = Argument::Tensor(whole.elements(dtype));
            call(operator, vec![input, numbers, keeps, Argument::DType(dtype), out(dtype, &mean)])
        }
        "All" | "Any" => {
            let truth = match operator {
                "All" => result(&|all| all.iter().all(|value| *value != 0).into()),
                _ => result(&|all| all.iter().any(|value| *value != 0).into()),
            };
            let to = draw.one(&[Bool, U8]);
            call(operator, vec![input, numbers, keeps, out(to, &truth)])
        }
        _ => {
            let extreme = match operator {
                "Amin" => result(&|all| all.iter().copied().min().expect("elements")),
                _ => result(&|all| all.iter().copied().max().expect("elements")),
            };
            let mut arguments = vec![input, numbers, keeps];
            arguments.extend((operator == "MaxV2").then_some(Argument::Bool(false)));
            arguments.push(out(dtype, &extreme));
            call(operator, arguments)
        }
    }
}

/// The first of the elements that no other one exceeds.
fn first(all: &[i64], sign: i64) -> i64 {
    let best = all.iter().map(|value| sign * value).max().expect("elements");
    all.iter().position(|value| sign * value == best).expect("it is there") as i64
}

pub(super) fn position(draw: &mut Draw) -> Case {
    let dims = loop {
        let dims = with_elements(draw);
        if !dims.is_empty() {
            break dims;
        }
    };
    let axis = draw.below(dims.len());
    let number = axis as i64 - if draw.once_in(2) { dims.len() as i64 } else { 0 };
    let (keeps, sign, to) = (draw.once_in(2), draw.one(&[1, -1]), draw.one(&[I32, I64]));
    let has_value = draw.once_in(2);
    let dtype = if has_value { draw.one(&[F32, F16, BF16, I64, Bool]) } else { draw.one(NUMBERS) };
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    let at = reduced(&array, &[axis], keeps, |all| first(all, sign));
    let mut arguments = vec![input, Argument::Int(number), Argument::Bool(keeps)];
    if has_value {
        let value = reduced(&array, &[axis], keeps, |all| all[first(all, sign) as usize]);
        arguments.extend([out(dtype, &value), out(to, &at)]);
        return call(if sign == 1 { "MaxDim" } else { "MinDim" }, arguments);
    }
    arguments.push(out(to, &at));
    call(if sign == 1 { "ArgMax" } else { "ArgMin" }, arguments)
}

pub(super) fn scan(draw: &mut Draw) -> Case {
    let dims = loop {
        let dims = draw.dims();
        if !dims.is_empty() {
            break dims;
        }
    };
    let axis = draw.below(dims.len());
    let number = axis as i64 - if draw.once_in(2) { dims.len() as i64 } else { 0 };
    let operator = draw.one(&["Cumsum", "CumsumV2", "Cummax", "Cummin"]);
    let dtype = draw.one(NUMBERS);
    let mut array = draw.numbers(dtype, &dims);
    let input = draw.input(dtype, &mut array);
    // The elements of a lane, and the index on it.
    let each = |function: &dyn Fn(&[i64], usize) -> i64| {
        Array::of(&dims, |position| {
            let lane: Vec<i64> = (0..dims[axis])
                .map(|index| {
                    let mut at = position.to_vec();
                    at[axis] = index;
                    array.at(&at)
                })
                .collect();
            function(&lane, position[axis] as usize)
        })
    };
    let mut arguments = vec![input, Argument::Int(number)];
    match operator {
        "Cumsum" => {
            let to = draw.one(&[dtype, I64, F32]);
            let sums = each(&|lane, index| lane[..=index].iter().sum()).held(to);
            arguments.extend([Argument::DType(to), out(to, &sums)]);
        }
        "CumsumV2" => {
            let (is_exclusive, is_reverse) = (draw.once_in(2), draw.once_in(2));
            let sums = each(&|lane, index| {
                let all = if is_reverse { &lane[index..] } else { &lane[..=index] };
                all.iter().sum::<i64>() - if is_exclusive { lane[index] } else { 0 }
            });
            let flags = [Argument::Bool(is_exclusive), Argument::Bool(is_reverse)];
            arguments.extend(flags);
            arguments.push(out(dtype, &sums.held(dtype)));
        }
        _ => {
            let sign = if operator == "Cummax" { 1 } else { -1 };
            let last = |lane: &[i64], index: usize| {
                let best = lane[..=index].iter().map(|value| sign * value).max().expect("elements");
                lane[..=index].iter().rposition(|value| sign * value == best).expect("it is there")
            };
            let (values, at) =
                (each(&|lane, index| lane[last(lane, index)]), each(&|lane, index| last(lane, index) as i64));
            arguments.extend([out(dtype, &values), out(draw.one(&[I32, I64]), &at)]);
        }
    }
    call(operator, arguments)
}
