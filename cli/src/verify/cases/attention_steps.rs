//! Steps of attention.

use std::ffi::CString;

use aclnn_numerics::DType::{F32, I32};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const SMALL: Domain = Domain::Between(-0.5, 0.5);
const POSITIVE: Domain = Domain::Between(0.5, 2.0);
const DECAY: Domain = Domain::Between(-1.0, 0.0);

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let classes = [Class::Contiguous, Class::Strided, Class::Transposed];
    let cell = |dtype| Cell::new(&[dtype], if takes.contains(dtype) { &classes } else { &classes[..1] });
    pool(takes).into_iter().map(cell).collect()
}

fn nothing(call: &mut Call<'_>, count: usize) {
    (0..count).for_each(|_| call.push(Argument::Null));
}

fn text(call: &mut Call<'_>, text: &str) {
    call.push(Argument::Text(CString::new(text).unwrap_or_default()));
}

pub(super) fn make(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    match call.function() {
        "join_parts" => {
            let sums = (0..2).map(|_| call.tensor(F32, &[3], SMALL)).collect();
            call.push(Argument::Tensors(sums));
            let results = (0..2).map(|_| call.tensor(dtype, &[3, 16], POSITIVE)).collect();
            call.push(Argument::Tensors(results));
            call.int(1);
            call.write(dtype, &[3, 16]);
            call.write(F32, &[3]);
        }
        "join_two_parts" => {
            for _ in 0..2 {
                call.read(dtype, &[3, 2, 16], POSITIVE);
                call.read(F32, &[3, 2, 8], POSITIVE);
                call.read(F32, &[3, 2, 8], POSITIVE);
            }
            nothing(call, 1);
            text(call, "TND");
            if call.name() == "RingAttentionUpdateV2" {
                text(call, "TND");
            }
            call.write(dtype, &[3, 2, 16]);
            call.write(F32, &[3, 2, 8]);
            call.write(F32, &[3, 2, 8]);
        }
        "delta_rule_by_states" | "delta_rule" => {
            let is_numbered = call.function() == "delta_rule_by_states";
            call.read(dtype, &[3, 1, 16], SMALL);
            call.read(dtype, &[3, 1, 16], SMALL);
            call.read(dtype, &[3, 2, 8], POSITIVE);
            call.read(dtype, &[3, 2], POSITIVE);
            if is_numbered {
                call.update(F32, &[4, 2, 8, 16], SMALL);
            } else {
                call.read(F32, &[2, 2, 8, 16], SMALL);
            }
            call.read_numbers(I32, &[2], &[2, 1]);
            if is_numbered {
                call.read_numbers(I32, &[3], &[3, 0, 2]);
            }
            call.read(F32, &[3, 2], DECAY);
            nothing(call, if is_numbered { 2 } else { 0 });
            call.push(Argument::Float(0.25));
            call.write(dtype, &[3, 2, 8]);
            if !is_numbered {
                call.write(F32, &[2, 2, 8, 16]);
            }
        }
        "floyd_attention" | "floyd_attention_backward" => {
            let (own, left, right, known) =
                ([1, 2, 3, 4, 16], [1, 2, 3, 2, 16], [1, 2, 2, 4, 16], [1, 2, 3, 4, 8]);
            let is_forward = call.function() == "floyd_attention";
            call.read(dtype, &own, SMALL);
            for dims in [left, right] {
                call.read(dtype, &dims, SMALL);
                call.read(dtype, &dims, POSITIVE);
            }
            if !is_forward {
                call.read(dtype, &own, POSITIVE);
            }
            nothing(call, 1);
            if !is_forward {
                call.read(F32, &known, POSITIVE);
                call.read(F32, &known, POSITIVE);
                call.read(dtype, &own, POSITIVE);
            }
            call.push(Argument::Float(0.25));
            if is_forward {
                call.write(F32, &known);
                call.write(F32, &known);
                call.write(dtype, &own);
            } else {
                [own, left, left, right, right].iter().for_each(|dims| call.write(dtype, dims));
            }
        }
        _ => call.unserved(),
    }
}
