//! Products with quantised factors, groups, biases and activations. Elements are whole and small, and scales are whole, so that
//! every sum is exact.

use std::ffi::CString;

use aclnn_numerics::DType::{F16, F32, I8, I64, U64};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const SMALL: Domain = Domain::Whole(-4, 4);
const FACTORS: Domain = Domain::Whole(1, 3);

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let classes: &[Class] = match operator.info.function() {
        // Rows that are cut into groups lie one after the other.
        "trans_quant_param" => &[Class::Contiguous],
        "grouped_matmul" => &[Class::Contiguous, Class::Strided],
        _ => &[Class::Contiguous, Class::Strided, Class::Transposed],
    };
    let cell = |dtype| Cell::new(&[dtype], if takes.contains(dtype) { classes } else { &classes[..1] });
    pool(takes).into_iter().map(cell).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let own = call.dtype(0);
    let (m, k, n) = (4, 3, 5);
    let nothing = |call: &mut Call<'_>, count: usize| (0..count).for_each(|_| call.push(Argument::Null));
    match call.function() {
        "fused_matmul" => {
            call.read(own, &[m, k], SMALL);
            call.read(own, &[k, n], SMALL);
            nothing(call, 1);
            call.read(own, &[m, n], SMALL);
            call.push(Argument::Text(CString::from(c"add")));
            call.int(0);
            call.write(own, &[m, n]);
        }
        "weight_quant_batch_matmul" => {
            call.read(own, &[m, k], SMALL);
            call.read(I8, &[k, n], SMALL);
            call.read(own, &[1, n], FACTORS);
            nothing(call, 4);
            call.int(0);
            if call.name().ends_with("V3") {
                call.int(0);
            }
            call.write(own, &[m, n]);
        }
        "quant_matmul" => {
            call.read(own, &[m, k], SMALL);
            call.read(own, &[k, n], SMALL);
            let has_all = call.name().ends_with("V5") || call.name().ends_with("Nz");
            if has_all {
                nothing(call, 1);
                call.read(F32, &[n], FACTORS);
                nothing(call, 5);
            } else {
                call.read(F32, &[n], FACTORS);
                nothing(call, if call.name().ends_with("V4") { 3 } else { 2 });
            }
            call.flag(false);
            call.flag(false);
            if has_all {
                call.int(0);
            }
            call.write(F16, &[m, n]);
        }
        "trans_quant_param" => {
            call.read(own, &[n], FACTORS);
            nothing(call, 1);
            if call.name().ends_with("V3") {
                call.int(0);
            }
            call.write(U64, &[n]);
        }
        "grouped_matmul" => grouped(call, [m, k, n]),
        _ => call.unserved(),
    }
}

/// Two groups of rows; one pair of matrices in the oldest form.
fn grouped(call: &mut Call<'_>, [m, k, n]: [i64; 3]) {
    let (own, name) = (call.dtype(0), call.name());
    let out = if own == I8 { F16 } else { own };
    let (is_first, is_late) =
        (name == "GroupedMatmul", ["V4", "V5", "Nz"].iter().any(|form| name.ends_with(form)));
    let (pair, several) = ([k, n], [2, k, n]);
    call.read(own, &[m, k], SMALL);
    in_list(call);
    call.read(own, if is_first { &pair } else { &several }, SMALL);
    in_list(call);
    call.push(Argument::Null);
    if own == I8 && !is_first {
        call.read(F32, &[2, n], FACTORS);
        in_list(call);
    } else {
        call.push(Argument::Null);
    }
    (0..if is_late { 4 } else { 3 }).for_each(|_| call.push(Argument::Null));
    match name {
        "GroupedMatmul" => call.push(Argument::Null),
        "GroupedMatmulV2" => call.ints(&[1, m]),
        _ => call.read_numbers(I64, &[2], &[1, m]),
    }
    if is_late {
        (0..3).for_each(|_| call.push(Argument::Null));
    }
    call.int(if is_first { 0 } else { 3 });
    if !is_first {
        call.int(0);
    }
    if is_late {
        call.int(0);
        call.int(0);
    }
    if name.ends_with("V5") || name.ends_with("Nz") {
        call.push(Argument::Null);
    }
    if name.ends_with("Nz") {
        call.int(0);
    }
    call.write(out, &[m, n]);
    in_list(call);
    if is_late {
        (0..2).for_each(|_| call.push(Argument::Null));
    }
}

/// Puts the last argument into a list.
pub(super) fn in_list(call: &mut Call<'_>) {
    if let Some(Argument::Tensor(tensor)) = call.arguments.pop() {
        call.push(Argument::Tensors(vec![tensor]));
    }
}
