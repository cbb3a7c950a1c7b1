//! Random numbers. Which numbers a library draws is its own affair, so parameters leave it no choice: ranges of one number,
//! deviations of zero, probabilities of zero and one.

use aclnn_numerics::DType::{self, F32, I64, U8};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, LAYOUTS, LAYOUTS_IN_PLACE, is_in_place, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let layouts: Vec<Class> = match (operator.info.function(), is_in_place(operator)) {
        // A choice of one number does not exist.
        ("random_whole_range", _) => vec![Class::Empty],
        ("randperm", _) => vec![Class::Contiguous, Class::Strided, Class::Empty],
        (_, true) => LAYOUTS_IN_PLACE.into_iter().chain([Class::Empty]).collect(),
        _ => LAYOUTS.into_iter().filter(|class| *class != Class::Broadcast).chain([Class::Empty]).collect(),
    };
    let plain = layouts[0];
    let variants: &[&str] = match operator.info.function() {
        "rrelu" | "bernoulli" | "dropout" | "dropout_v3" | "dropout_mask" => &["0", "1"],
        "multinomial" => &["again", "once"],
        _ => &[""],
    };
    let cell = |own: DType| {
        let classes = if takes.contains(own) { &layouts[..] } else { std::slice::from_ref(&plain) };
        Cell::with_variants(&[own, own], classes, variants)
    };
    pool(takes).into_iter().map(cell).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let own = call.dtype(0);
    let dims = call.class.dims();
    let number = if call.variant == "1" { 1.0 } else { 0.0 };
    let bytes = (dims.iter().product::<i64>() as u64).div_ceil(128) as i64 * 16;
    let of_floats = if own.is_float() { own } else { F32 };
    match call.function() {
        "uniform" => {
            call.update(own, &dims, Domain::Finite);
            floats(call, &[3.0, 3.0]);
            seed(call);
        }
        "normal_in_place" => {
            call.update(own, &dims, Domain::Finite);
            floats(call, &[3.0, 0.0]);
            seed(call);
        }
        "normal" => {
            let [mean, std] = ["mean", "std"].map(|name| is_tensor(call, name));
            match mean {
                true => call.read(of_floats, &dims, Domain::Finite),
                false => floats(call, &[3.0]),
            }
            match std {
                true => call.read(of_floats, &dims, Domain::Whole(0, 0)),
                false => floats(call, &[0.0]),
            }
            seed(call);
            call.write(own, &dims);
        }
        "random" => {
            call.update(own, &dims, Domain::Finite);
            call.int(1);
            call.int(2);
            seed(call);
        }
        "random_whole_range" => {
            call.update(own, &dims, Domain::Finite);
            seed(call);
        }
        "bernoulli" => {
            call.own(own, &dims, Domain::Finite);
            call.scalar(F32, number);
            seed(call);
            call.out(own, &dims);
        }
        "bernoulli_tensor" => {
            call.own(own, &dims, Domain::Finite);
            call.read(F32, &dims, Domain::Whole(0, 1));
            seed(call);
            call.out(own, &dims);
        }
        "dropout" | "dropout_v3" => {
            call.read(own, &dims, Domain::Finite);
            if call.function() == "dropout_v3" {
                call.push(Argument::Null);
            }
            floats(call, &[number]);
            if call.function() == "dropout" {
                call.flag(true);
            }
            seed(call);
            call.write(own, &dims);
            call.write(U8, &[bytes]);
        }
        "dropout_mask" => {
            call.ints(&dims);
            floats(call, &[number]);
            seed(call);
            if call.operator.info.parameters.iter().any(|parameter| parameter.name == "probDataType") {
                call.push(Argument::DType(F32));
            }
            call.write(own, &[bytes]);
        }
        "dropout_do_mask" | "dropout_backward" => {
            call.read(own, &dims, Domain::Finite);
            call.read(U8, &[bytes], Domain::Whole(0, 255));
            floats(call, &[if call.function() == "dropout_backward" { 2.0 } else { 0.5 }]);
            call.write(own, &dims);
        }
        "rrelu" => {
            call.own(own, &dims, Domain::Finite);
            call.write(own, &dims);
            [0.25, 0.25].into_iter().for_each(|slope| call.scalar(F32, slope));
            call.flag(call.variant == "1");
            seed(call);
            call.out(own, &dims);
        }
        "multinomial" => {
            let rows = if call.class == Class::Empty { 0 } else { 3 };
            let weights: Vec<i64> = [0, 2, 0, 0, 0, 0, 0, 1, 5, 0, 0, 0].into_iter().take(4 * rows).collect();
            let samples = if call.variant == "once" { 1 } else { 3 };
            call.read_numbers(own, &[rows as i64, 4], &weights);
            call.int(samples);
            call.flag(samples == 3);
            seed(call);
            call.write(I64, &[rows as i64, samples]);
        }
        "randperm" => {
            let n = i64::from(call.class != Class::Empty);
            call.int(n);
            seed(call);
            call.write(own, &[n]);
        }
        _ => call.unserved(),
    }
}

fn is_tensor(call: &Call<'_>, name: &str) -> bool {
    use aclnn_sys::operators::ParameterKind::Tensor;
    call.operator.info.parameters.iter().any(|parameter| parameter.name == name && parameter.kind == Tensor)
}

fn floats(call: &mut Call<'_>, numbers: &[f64]) {
    numbers.iter().for_each(|number| call.push(Argument::Float(*number)));
}

/// The seed and the offset, as numbers or in tensors.
fn seed(call: &mut Call<'_>) {
    if is_tensor(call, "seedTensor") {
        call.read_numbers(I64, &[1], &[7]);
        call.read_numbers(I64, &[1], &[40]);
    } else {
        call.int(7);
    }
    call.int(8);
}
