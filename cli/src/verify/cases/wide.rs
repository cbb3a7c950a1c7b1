//! What is computed in f32 or f64: each family has a generator of its own.

use aclnn_numerics::product::Product;

use super::call::{Call, Cell};
use super::loss;
use crate::declared::Operator;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    match operator.info.family {
        "loss" => loss::cells(operator, product),
        _ => Vec::new(),
    }
}

pub(super) fn make(call: &mut Call<'_>) {
    match call.operator.info.family {
        "loss" => loss::make(call),
        _ => {}
    }
}
