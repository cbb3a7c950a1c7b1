//! Functions of lists of tensors.

use aclnn_numerics::DType::*;

use super::draw::{Array, Draw, call, in_place, out, scalar};
use crate::support::cases::{Argument, Case};

/// The number beside the lists.
#[derive(Clone, Copy)]
enum Number {
    Nothing,
    /// One for all tensors.
    Scalar,
    /// One for each tensor.
    Scalars,
    /// One for each tensor, in a tensor.
    Elements,
}

/// The operator, how many lists it reads, its numbers, and its reference of an element of each list and the number.
type Function = (&'static str, usize, Number, fn(&[i64], i64) -> i64);

const FUNCTIONS: &[Function] = &[
    ("Neg", 1, Number::Nothing, |x, _| -x[0]),
    ("Sign", 1, Number::Nothing, |x, _| x[0].signum()),
    ("Copy", 1, Number::Nothing, |x, _| x[0]),
    ("MulList", 2, Number::Nothing, |x, _| x[0] * x[1]),
    ("MaximumList", 2, Number::Nothing, |x, _| x[0].max(x[1])),
    ("MinimumList", 2, Number::Nothing, |x, _| x[0].min(x[1])),
    ("AddScalarV2", 1, Number::Scalar, |x, number| x[0] + number),
    ("SubScalarV2", 1, Number::Scalar, |x, number| x[0] - number),
    ("MulScalarList", 1, Number::Scalars, |x, number| x[0] * number),
    ("MaximumScalarList", 1, Number::Scalars, |x, number| x[0].max(number)),
    ("AddListV2", 2, Number::Scalar, |x, number| x[0] + number * x[1]),
    ("SubListV2", 2, Number::Scalar, |x, number| x[0] - number * x[1]),
    ("AddcmulScalarV2", 3, Number::Scalar, |x, number| x[0] + number * x[1] * x[2]),
    ("AddcmulScalarList", 3, Number::Elements, |x, number| x[0] + number * x[1] * x[2]),
];

pub(super) fn lists(draw: &mut Draw) -> Case {
    let (operator, count, number, function) = draw.one(FUNCTIONS);
    let dtype = draw.one(&[F32, F16, BF16, I32]);
    let [wide, narrow] =
        if dtype.is_float() { [F64, if dtype == F16 { F16 } else { F32 }] } else { [I64, I32] };
    let tensors = draw.below(5);
    let numbers: Vec<i64> = match number {
        Number::Scalar => vec![draw.between(-3, 3); tensors.max(1)],
        _ => (0..tensors).map(|_| draw.between(-3, 3)).collect(),
    };
    // The first list is also the one that is written.
    let is_own_output = draw.once_in(3);
    let (mut read, mut written) = (vec![Vec::new(); count], Vec::new());
    for index in 0..tensors {
        let dims = draw.dims();
        let mut arrays: Vec<Array> = (0..count).map(|_| draw.numbers(dtype, &dims)).collect();
        for (position, list) in read.iter_mut().enumerate().skip(usize::from(is_own_output)) {
            list.push(draw.input(dtype, &mut arrays[position]));
        }
        let values = (0..arrays[0].values.len()).map(|element| {
            let operands: Vec<i64> = arrays.iter().map(|array| array.values[element]).collect();
            function(&operands, numbers.get(index).copied().unwrap_or(0))
        });
        let after = Array { values: values.collect(), dims };
        match is_own_output {
            true => read[0].push(in_place(dtype, &arrays[0], &after)),
            false => written.push(out(dtype, &after)),
        }
    }
    let mut arguments: Vec<Argument> = read.into_iter().map(Argument::Tensors).collect();
    arguments.extend(match number {
        Number::Nothing => None,
        Number::Scalar => Some(scalar(wide, numbers[0])),
        Number::Scalars => {
            let of = if dtype.is_float() { F32 } else { I64 };
            Some(Argument::Scalars(numbers.iter().map(|number| scalar(of, *number)).collect()))
        }
        Number::Elements => {
            let array = Array { dims: vec![tensors as i64], values: numbers };
            Some(Argument::Tensor(array.elements(narrow)))
        }
    });
    arguments.push(if is_own_output { Argument::Same(0) } else { Argument::Tensors(written) });
    call(&format!("Foreach{operator}"), arguments)
}
