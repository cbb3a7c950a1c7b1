//! Operators that compute in f32 or f64: each family has a generator of its own.

use aclnn_numerics::product::Product;

use super::call::{Call, Cell};
use super::{
    activation, attention, attention_steps, caches, experts, fused, images, loss, normalization, optimizer,
    quantisation, recurrent, sparse,
};
use crate::declared::Operator;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    match operator.info.family() {
        "attention" => attention::cells(operator, product),
        "activation" => activation::cells(operator, product),
        "attention_steps" => attention_steps::cells(operator, product),
        "sparse" => sparse::cells(operator, product),
        "caches" => caches::cells(operator, product),
        "convolution" | "pooling" | "resize" | "sampling" => images::cells(operator, product),
        "experts" => experts::cells(operator, product),
        "fused" => fused::cells(operator, product),
        "normalization" => normalization::cells(operator, product),
        "loss" => loss::cells(operator, product),
        "optimizer" => optimizer::cells(operator, product),
        "quantisation" => quantisation::cells(operator, product),
        "recurrent" => recurrent::cells(operator, product),
        _ => Vec::new(),
    }
}

pub(super) fn make(call: &mut Call<'_>) {
    match call.operator.info.family() {
        "attention" => attention::make(call),
        "activation" => activation::make(call),
        "attention_steps" => attention_steps::make(call),
        "sparse" => sparse::make(call),
        "caches" => caches::make(call),
        "convolution" | "pooling" | "resize" | "sampling" => images::make(call),
        "experts" => experts::make(call),
        "fused" => fused::make(call),
        "normalization" => normalization::make(call),
        "loss" => loss::make(call),
        "optimizer" => optimizer::make(call),
        "quantisation" => quantisation::make(call),
        "recurrent" => recurrent::make(call),
        _ => call.unserved(),
    }
}
