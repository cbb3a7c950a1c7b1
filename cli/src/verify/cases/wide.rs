//! What is computed in f32 or f64: each family has a generator of its own.

use aclnn_numerics::product::Product;

use super::call::{Call, Cell};
use super::fused;
use super::loss;
use super::optimizer;
use crate::declared::Operator;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    match operator.info.family {
        "fused" => fused::cells(operator, product),
        "loss" => loss::cells(operator, product),
        "optimizer" => optimizer::cells(operator, product),
        _ => Vec::new(),
    }
}

pub(super) fn make(call: &mut Call<'_>) {
    match call.operator.info.family {
        "fused" => fused::make(call),
        "loss" => loss::make(call),
        "optimizer" => optimizer::make(call),
        _ => {}
    }
}
