//! Mixtures of experts. Rows are whole numbers, so that sums are exact; scores are apart from each other.

use aclnn_numerics::DType::{self, BF16, F32, I8, I32, I64};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const SMALL: Domain = Domain::Whole(-4, 4);
/// Tokens, the experts of each, all experts, and elements of a row.
const ROWS: i64 = 3;
const CHOSEN: i64 = 2;
const EXPERTS: i64 = 4;
const LEN: i64 = 5;
const ALL: i64 = ROWS * CHOSEN;

/// The experts of each token, and where each choice is in their order.
const IDS: [i64; 6] = [2, 0, 1, 2, 0, 3];
const PLACES: [i64; 6] = [3, 0, 2, 4, 1, 5];
const MAP: [i64; 12] = [1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1];
/// The choices of each token, in the order of the experts.
const SORTED_PLACES: [i64; 6] = [0, 3, 2, 4, 1, 5];

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let classes = [Class::Contiguous, Class::Strided, Class::Transposed];
    let cell = |dtype| Cell::new(&[dtype], if takes.contains(dtype) { &classes } else { &classes[..1] });
    pool(takes).into_iter().map(cell).collect()
}

fn nothing(call: &mut Call<'_>, count: usize) {
    (0..count).for_each(|_| call.push(Argument::Null));
}

fn ints(call: &mut Call<'_>, values: &[i64]) {
    values.iter().for_each(|value| call.int(*value));
}

/// Scores that are apart: whole numbers in another order in each row.
fn scores(call: &mut Call<'_>, own: DType) {
    call.read_numbers(own, &[ROWS, EXPERTS], &[3, -1, 2, 0, 1, 4, -2, 3, 0, 1, 2, -3]);
}

fn places(call: &mut Call<'_>) {
    call.read_numbers(I32, &[ALL], &PLACES);
}

fn map(call: &mut Call<'_>) {
    call.read_numbers(I8, &[ROWS, EXPERTS], &MAP);
}

pub(super) fn make(call: &mut Call<'_>) {
    match call.function() {
        "gating_top_k_softmax" | "gating_top_k_softmax_v2" | "gating_top_k" => gating(call),
        "init_routing"
        | "init_routing_v2"
        | "init_routing_quant"
        | "init_routing_v3"
        | "compute_expert_tokens" => {
            routing(call);
        }
        "token_permute" | "token_permute_grad" | "token_unpermute" | "token_unpermute_grad" => permute(call),
        "token_permute_with_routing_map"
        | "token_permute_with_routing_map_grad"
        | "token_unpermute_with_routing_map"
        | "token_unpermute_with_routing_map_grad" => maps(call),
        "finalize_routing" | "finalize_routing_v2" | "finalize_routing_v3" => combine(call),
        _ => call.unserved(),
    }
}

fn gating(call: &mut Call<'_>) {
    let own = call.dtype(0);
    let chosen = [ROWS, CHOSEN];
    scores(call, own);
    if call.function() == "gating_top_k" {
        nothing(call, if call.name().ends_with("V2") { 3 } else { 1 });
        ints(call, &[CHOSEN, 1, 2, 0, 0, 1]);
        call.flag(true);
        call.push(Argument::Float(2.0));
        call.push(Argument::Float(1e-20));
        call.write(own, &chosen);
        call.write(I32, &chosen);
        return call.write(F32, &[ROWS, EXPERTS]);
    }
    nothing(call, 1);
    call.int(CHOSEN);
    if call.function() == "gating_top_k_softmax" {
        call.write(own, &chosen);
        call.write(I32, &chosen);
        return call.write(I32, &chosen);
    }
    call.int(0);
    call.flag(true);
    call.write(own, &chosen);
    call.write(I32, &chosen);
    call.write(F32, &[ROWS, EXPERTS]);
}

fn routing(call: &mut Call<'_>) {
    let own = call.dtype(0);
    if call.function() == "compute_expert_tokens" {
        call.read_numbers(own, &[ALL], &[0, 0, 1, 2, 2, 3]);
        call.int(EXPERTS);
        return call.write(I32, &[EXPERTS]);
    }
    call.read(own, &[ROWS, LEN], SMALL);
    if call.function() == "init_routing" {
        call.read_numbers(I32, &[ROWS, CHOSEN], &[0, 3, 1, 4, 2, 5]);
        call.read_numbers(I32, &[ROWS, CHOSEN], &IDS);
        call.int(ROWS);
        call.write(own, &[ALL, LEN]);
        call.write(I32, &[ALL]);
        return call.write(I32, &[ALL]);
    }
    call.read_numbers(I32, &[ROWS, CHOSEN], &IDS);
    match call.function() {
        "init_routing_v2" => {
            ints(call, &[0, 0, EXPERTS, 0, 2]);
            call.flag(false);
            call.write(own, &[ALL, LEN]);
            call.write(I32, &[ALL]);
            call.write(I32, &[EXPERTS]);
            nothing(call, 1);
        }
        "init_routing_quant" => {
            nothing(call, 2);
            ints(call, &[0, 0, EXPERTS, 0, 1]);
            call.flag(false);
            call.int(1);
            call.write(I8, &[ALL, LEN]);
            call.write(I32, &[ALL]);
            call.write(I32, &[EXPERTS]);
            nothing(call, 1);
            call.write(F32, &[ALL]);
        }
        _ => {
            call.read_numbers(F32, &[ROWS], &[1, 2, 3]);
            nothing(call, 1);
            ints(call, &[-1, 0, EXPERTS, 0, 1]);
            call.flag(true);
            call.int(-1);
            nothing(call, 1);
            call.int(0);
            call.write(own, &[ALL, LEN]);
            call.write(I32, &[ALL]);
            call.write(I64, &[EXPERTS]);
            call.write(F32, &[ALL]);
        }
    }
}

fn permute(call: &mut Call<'_>) {
    let own = call.dtype(0);
    match call.function() {
        "token_permute" => {
            call.read(own, &[ROWS, LEN], SMALL);
            call.read_numbers(I32, &[ROWS, CHOSEN], &IDS);
            call.int(0);
            call.flag(false);
            call.write(own, &[ALL, LEN]);
            call.write(I32, &[ALL]);
        }
        "token_permute_grad" => {
            call.read(own, &[ALL, LEN], SMALL);
            places(call);
            call.int(CHOSEN);
            call.flag(false);
            call.write(own, &[ROWS, LEN]);
        }
        "token_unpermute" => {
            call.read(own, &[ALL, LEN], SMALL);
            places(call);
            call.read(own, &[ROWS, CHOSEN], SMALL);
            call.flag(false);
            nothing(call, 1);
            call.write(own, &[ROWS, LEN]);
        }
        _ => {
            call.read(own, &[ALL, LEN], SMALL);
            call.read(own, &[ROWS, LEN], SMALL);
            places(call);
            call.read(own, &[ROWS, CHOSEN], SMALL);
            call.flag(false);
            nothing(call, 1);
            call.write(own, &[ALL, LEN]);
            call.write(own, &[ROWS, CHOSEN]);
        }
    }
}

fn maps(call: &mut Call<'_>) {
    let own = call.dtype(0);
    let places = |call: &mut Call<'_>| call.read_numbers(I32, &[ALL], &SORTED_PLACES);
    match call.function() {
        "token_permute_with_routing_map" => {
            call.read(own, &[ROWS, LEN], SMALL);
            map(call);
            call.read(own, &[ROWS, EXPERTS], SMALL);
            call.int(ALL);
            call.flag(false);
            call.write(own, &[ALL, LEN]);
            call.write(own, &[ALL]);
            call.write(I32, &[ALL]);
        }
        "token_permute_with_routing_map_grad" => {
            call.read(own, &[ALL, LEN], SMALL);
            call.read(own, &[ALL], SMALL);
            places(call);
            map(call);
            ints(call, &[EXPERTS, ROWS]);
            call.flag(false);
            call.write(own, &[ROWS, LEN]);
            call.write(own, &[ROWS, EXPERTS]);
        }
        "token_unpermute_with_routing_map" => {
            call.read(own, &[ALL, LEN], SMALL);
            places(call);
            map(call);
            call.read(own, &[ROWS, EXPERTS], SMALL);
            call.flag(false);
            nothing(call, 1);
            call.write(own, &[ROWS, LEN]);
            nothing(call, 2);
            call.write(own, &[ALL]);
        }
        _ => {
            call.read(own, &[ROWS, LEN], SMALL);
            call.read_numbers(I32, &[ALL], &[0, 1, 2, 3, 4, 5]);
            call.read_numbers(I32, &[ALL], &[0, 2, 1, 0, 1, 2]);
            map(call);
            call.read(own, &[ALL, LEN], SMALL);
            call.read(own, &[ROWS, EXPERTS], SMALL);
            call.flag(false);
            nothing(call, 1);
            call.write(own, &[ALL, LEN]);
            call.write(own, &[ROWS, EXPERTS]);
        }
    }
}

fn combine(call: &mut Call<'_>) {
    let own = call.dtype(0);
    // Sums of bf16 have few digits, whatever is rounded to the nearest.
    let small = if own == BF16 { Domain::Whole(-1, 1) } else { SMALL };
    call.read(own, &[ALL, LEN], small);
    if call.function() == "finalize_routing" {
        call.read(own, &[ROWS, LEN], small);
        call.read(own, &[ROWS, LEN], small);
        call.read(own, &[EXPERTS, LEN], small);
        call.read(own, &[ROWS, CHOSEN], small);
        places(call);
        call.read_numbers(I32, &[ROWS, CHOSEN], &IDS);
        return call.write(own, &[ROWS, LEN]);
    }
    places(call);
    if call.product == Product::Ascend310P && call.function() == "finalize_routing_v2" {
        nothing(call, 3);
        call.read(own, &[ROWS, CHOSEN], small);
        nothing(call, 1);
    } else {
        call.read(own, &[ROWS, LEN], small);
        nothing(call, 1);
        call.read(own, &[EXPERTS, LEN], small);
        call.read(own, &[ROWS, CHOSEN], small);
        call.read_numbers(I32, &[ROWS, CHOSEN], &IDS);
    }
    let is_later = call.function() == "finalize_routing_v3";
    nothing(call, if is_later { 4 } else { 0 });
    call.int(2);
    nothing(call, if is_later { 3 } else { 0 });
    if call.name().ends_with("V4") {
        call.int(CHOSEN);
    }
    call.write(own, &[ROWS, LEN]);
}
