//! Cells of recurrent networks.

use aclnn_numerics::product::Product;

use super::call::{Call, Cell};
use super::images;
use crate::declared::Operator;
use crate::verify::case::Class;
use crate::verify::draw::Domain;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    images::cells(operator, product)
}

pub(super) fn make(call: &mut Call<'_>) {
    let (dtype, n) = (call.dtype(0), if call.class == Class::Empty { 0 } else { 3 });
    let (cell, gates): (&[i64], &[i64]) = (&[n, 5], &[n, 20]);
    let domain = Domain::Between(-2.0, 2.0);
    if !matches!(call.function(), "lstm_cell" | "lstm_cell_backward") {
        return call.unserved();
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
