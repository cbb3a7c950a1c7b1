//! Recurrent networks and their cells.

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;

use super::call::{Call, Cell};
use super::images;
use crate::declared::Operator;
use crate::verify::case::{Argument, Class, Role, Tensor};
use crate::verify::draw::Domain;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    images::cells(operator, product)
}

pub(super) fn make(call: &mut Call<'_>) {
    let (dtype, n) = (call.dtype(0), if call.class == Class::Empty { 0 } else { 3 });
    let (cell, gates): (&[i64], &[i64]) = (&[n, 5], &[n, 20]);
    let domain = Domain::Between(-2.0, 2.0);
    match call.function() {
        "lstm_cell" | "lstm_cell_backward" => {}
        "lstm" | "lstm_backward" | "gru" | "gru_backward" => return network(call),
        "bidirection_lstm" => return one_layer(call),
        _ => return call.unserved(),
    }
    if call.function() == "lstm_cell" {
        call.read(dtype, gates, domain);
        call.read(dtype, gates, domain);
        call.read(dtype, cell, domain);
        call.read(dtype, &[20], domain);
        call.read(dtype, &[20], domain);
        call.write(dtype, cell);
        call.write(dtype, cell);
        call.write(dtype, gates);
        return;
    }
    // The two gradients, and the states of the cell.
    (0..4).for_each(|_| call.read(dtype, cell, domain));
    // Gates lie between 0 and 1, but for those of the cell.
    call.read(dtype, gates, Domain::Between(0.0, 1.0));
    call.flag(true);
    call.write(dtype, gates);
    call.write(dtype, cell);
    call.write(dtype, &[20]);
}

/// Batches, elements of the input, and those of a state; a layer in two directions.
const BATCHES: i64 = 2;
const INPUT: i64 = 3;
const SIZE: i64 = 4;
const SMALL: Domain = Domain::Between(-1.0, 1.0);

fn list(call: &mut Call<'_>, dtype: DType, shapes: &[Vec<i64>], domain: Domain) {
    let tensors: Vec<Tensor> = shapes.iter().map(|shape| call.tensor(dtype, shape, domain)).collect();
    call.push(Argument::Tensors(tensors));
}

fn written(call: &mut Call<'_>, dtype: DType, shapes: &[Vec<i64>]) {
    let layout = call.class.layout();
    let tensor = |shape: &Vec<i64>| Tensor::new(Role::Written, dtype, shape, layout, Vec::new());
    call.push(Argument::Tensors(shapes.iter().map(tensor).collect()));
}

/// The shapes of the parameters of both directions.
fn parameters(gates: i64) -> Vec<Vec<i64>> {
    let rows = gates * SIZE;
    [vec![rows, INPUT], vec![rows, SIZE], vec![rows], vec![rows]].into_iter().cycle().take(8).collect()
}

fn network(call: &mut Call<'_>) {
    let (dtype, steps) = (call.dtype(0), if call.class == Class::Empty { 0 } else { 3 });
    let is_lstm = call.function().starts_with("lstm");
    let is_backward = call.function().ends_with("_backward");
    let (gates, lists) = if is_lstm { (4, 7) } else { (3, 5) };
    let (x, state) = (vec![steps, BATCHES, INPUT], vec![2, BATCHES, SIZE]);
    let (shown, kept) = (vec![steps, BATCHES, 2 * SIZE], vec![vec![steps, BATCHES, SIZE]; 2]);
    let states = |call: &mut Call<'_>| match is_lstm {
        true => list(call, dtype, &[state.clone(), state.clone()], SMALL),
        false => call.read(dtype, &state, SMALL),
    };
    call.read(dtype, &x, SMALL);
    if is_lstm && is_backward {
        states(call);
        list(call, dtype, &parameters(gates), SMALL);
    } else {
        list(call, dtype, &parameters(gates), SMALL);
        states(call);
    }
    if !is_backward {
        call.push(Argument::Null);
        call.flag(true);
        call.int(1);
        call.push(Argument::Float(0.0));
        [true, true, false].into_iter().for_each(|flag| call.flag(flag));
        call.write(dtype, &shown);
        (0..if is_lstm { 2 } else { 1 }).for_each(|_| call.write(dtype, &state));
        (0..lists).for_each(|_| written(call, dtype, &kept));
        return;
    }
    call.read(dtype, &shown, SMALL);
    (0..if is_lstm { 2 } else { 1 }).for_each(|_| call.read(dtype, &state, SMALL));
    // Gates lie between 0 and 1, and so may all others.
    (0..lists).for_each(|_| list(call, dtype, &kept, Domain::Between(0.0, 1.0)));
    call.push(Argument::Null);
    call.flag(true);
    call.int(1);
    if is_lstm {
        call.push(Argument::Float(0.0));
        call.flag(true);
    }
    [true, false].into_iter().for_each(|flag| call.flag(flag));
    if is_lstm {
        call.push(Argument::Null);
    }
    call.write(dtype, &x);
    (0..if is_lstm { 2 } else { 1 }).for_each(|_| call.write(dtype, &state));
    written(call, dtype, &parameters(gates));
}

fn one_layer(call: &mut Call<'_>) {
    let (dtype, steps) = (call.dtype(0), if call.class == Class::Empty { 0 } else { 3 });
    let is_second = call.name().ends_with("V2");
    call.read(dtype, &[steps, BATCHES, INPUT], SMALL);
    (0..2).for_each(|_| call.read(dtype, &[2, BATCHES, SIZE], SMALL));
    parameters(4).iter().for_each(|shape| call.read(dtype, shape, SMALL));
    if is_second {
        call.push(Argument::Null);
    }
    call.int(1);
    [true, false, true].into_iter().for_each(|flag| call.flag(flag));
    if is_second {
        call.flag(false);
    }
    call.write(dtype, &[steps, BATCHES, 2 * SIZE]);
    (0..2).for_each(|_| call.write(dtype, &[2, BATCHES, SIZE]));
}
