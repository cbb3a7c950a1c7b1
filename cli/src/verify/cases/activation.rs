//! Gated linear units along the last axis, their gradients, and the gradients of prelu.

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, SHAPES, pool};
use crate::declared::Operator;
use crate::verify::case::Class;
use crate::verify::draw::Domain;

/// Beyond these numbers, activations are 0 or their operand.
const ANY: Domain = Domain::Between(-4.0, 4.0);

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let classes: Vec<Class> = SHAPES.into_iter().filter(|class| *class != Class::NoAxes).collect();
    let is_gelu = matches!(operator.info.function(), "ge_glu" | "ge_glu_backward");
    let variants: &[&str] = if is_gelu { &["", "tanh"] } else { &[""] };
    let of = |dtype: DType| {
        let classes = if takes.contains(dtype) { &classes[..] } else { &classes[..1] };
        Cell::with_variants(&[dtype], classes, variants)
    };
    // Other types are refused alike: one of them is enough.
    pool(takes).into_iter().filter(|dtype| takes.contains(*dtype) || *dtype == DType::I32).map(of).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    let half = call.class.dims();
    let mut whole = half.clone();
    if let Some(last) = whole.last_mut() {
        *last *= 2;
    }
    let approximate = i64::from(call.variant == "tanh");
    match call.name() {
        "Glu" | "SwiGlu" => {
            call.read(dtype, &whole, ANY);
            call.int(-1);
            call.write(dtype, &half);
        }
        "GluBackward" | "SwiGluGrad" => {
            call.read(dtype, &half, ANY);
            call.read(dtype, &whole, ANY);
            call.int(-1);
            call.write(dtype, &whole);
        }
        name @ ("GeGlu" | "GeGluV3") => {
            call.read(dtype, &whole, ANY);
            call.int(-1);
            call.int(approximate);
            if name == "GeGluV3" {
                call.flag(true);
            }
            call.write(dtype, &half);
            call.write(dtype, &half);
        }
        name @ ("GeGluBackward" | "GeGluV3Backward") => {
            call.read(dtype, &half, ANY);
            call.read(dtype, &whole, ANY);
            call.read(dtype, &half, ANY);
            call.int(-1);
            call.int(approximate);
            if name == "GeGluV3Backward" {
                call.flag(true);
            }
            call.write(dtype, &whole);
        }
        "PreluBackward" => {
            let channels = [half.get(1).copied().unwrap_or(1)];
            call.read(dtype, &half, ANY);
            call.read(dtype, &half, ANY);
            call.read(dtype, &channels, ANY);
            call.write(dtype, &half);
            call.write(dtype, &channels);
        }
        _ => call.unserved(),
    }
}
