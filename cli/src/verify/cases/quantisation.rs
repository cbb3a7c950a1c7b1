//! Numbers in steps. Elements are whole and steps powers of two, so that nothing is rounded but to steps.

use aclnn_numerics::DType::{Bool, F32, I8, I32};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let classes = [Class::Contiguous, Class::Strided, Class::Transposed];
    let cell = |dtype| Cell::new(&[dtype], if takes.contains(dtype) { &classes } else { &classes[..1] });
    pool(takes).into_iter().map(cell).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let (own, shape) = (call.dtype(0), [3, 4]);
    call.read(own, &shape, Domain::Whole(-9, 9));
    match call.function() {
        "fake_quantize_per_tensor" => {
            call.read_numbers(F32, &[1], &[2]);
            call.read_numbers(I32, &[1], &[1]);
            call.push(Argument::Float(1.0));
        }
        "quantize" | "fake_quantize_per_channel" => {
            call.read_numbers(F32, &[4], &[1, 2, 4, 2]);
            call.read_numbers(I32, &[4], &[0, 1, -1, 3]);
        }
        _ => return call.unserved(),
    }
    match call.function() {
        "quantize" => {
            call.push(Argument::DType(I8));
            call.int(1);
            call.write(I8, &shape);
            return;
        }
        "fake_quantize_per_channel" => call.int(1),
        _ => {}
    }
    call.int(-4);
    call.int(3);
    call.write(own, &shape);
    call.write(Bool, &shape);
}
