//! Attention, and the rotation of its operands. Values are positive, so that weighted means of them do not cancel.

use std::ffi::CString;

use aclnn_numerics::DType::{Bool, F32, I32, I64 as I64s};
use aclnn_numerics::product::Product;
use aclnn_sys::operators::Parameter;
use aclnn_sys::operators::ParameterKind::{
    Bool as Flag, F64, I64, IntsOrNull, StrMut, TensorOrNull, Tensors,
};

use super::call::{Call, Cell, LAYOUTS_IN_PLACE, is_in_place, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const SMALL: Domain = Domain::Between(-1.0, 1.0);
/// Blocks, tokens of a block, heads and elements of a cache.
const CACHE: [i64; 4] = [2, 4, 2, 16];
const POSITIVE: Domain = Domain::Between(0.5, 2.0);

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let function = operator.info.function();
    let mut classes = match is_in_place(operator) {
        true => LAYOUTS_IN_PLACE.to_vec(),
        false => vec![Class::Contiguous, Class::Strided, Class::Transposed, Class::Empty],
    };
    if ["deinterleaved_rotary_embedding", "rotary_embedding_by_positions"].contains(&function) {
        classes.retain(|class| *class != Class::Empty);
    }
    let variants: &[&str] = match function {
        "rotary_embedding" | "rotary_embedding_backward" => &["half", "interleaved"],
        "infer_attention" | "stepwise_attention" | "attention" | "attention_backward" => &["plain", "mask"],
        _ => &[""],
    };
    let cell = |dtype| match takes.contains(dtype) {
        true => Cell::with_variants(&[dtype], &classes, variants),
        false => Cell::with_variants(&[dtype], &classes[..1], &variants[..1]),
    };
    pool(takes).into_iter().map(cell).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let (dtype, mode) = (call.dtype(0), i64::from(call.variant == "interleaved"));
    let batch = if call.class == Class::Empty { 0 } else { 2 };
    let (own, angles) = ([batch, 3, 4, 8], [1, 3, 1, 8]);
    match call.function() {
        "rotary_embedding" => {
            call.read(dtype, &own, SMALL);
            call.read(dtype, &angles, SMALL);
            call.read(dtype, &angles, SMALL);
            call.int(mode);
            if call.name() == "RotaryPositionEmbeddingV2" {
                call.push(Argument::Null);
            }
            call.write(dtype, &own);
        }
        "rotary_embedding_backward" => {
            call.read(dtype, &own, SMALL);
            call.read(dtype, &angles, SMALL);
            call.read(dtype, &angles, SMALL);
            call.read(dtype, &own, SMALL);
            call.int(mode);
            call.write(dtype, &own);
            call.write(dtype, &angles);
            call.write(dtype, &angles);
        }
        "apply_rotary_embedding" => {
            call.update(dtype, &[2, 3, 2, 128], SMALL);
            call.update(dtype, &[2, 3, 1, 128], SMALL);
            call.read(dtype, &[2, 3, 1, 128], SMALL);
            call.read(dtype, &[2, 3, 1, 128], SMALL);
            call.int(1);
            if call.name() == "ApplyRotaryPosEmbV2" {
                text(call, "half");
            }
        }
        "deinterleaved_rotary_embedding" => {
            call.read(dtype, &[2, 3, 4, 64], SMALL);
            call.read(dtype, &[2, 1, 4, 64], SMALL);
            call.read(dtype, &[2, 1, 4, 64], SMALL);
            call.write(dtype, &[2, 3, 4, 64]);
        }
        "rotary_embedding_by_positions" => {
            call.read_numbers(I64s, &[4], &[3, 0, 4, 3]);
            call.read(dtype, &[4, 64], SMALL);
            call.read(dtype, &[4, 32], SMALL);
            call.read(dtype, &[5, 32], SMALL);
            call.push(Argument::Null);
            call.int(32);
            call.flag(true);
            if call.name() == "RopeWithSinCosCacheV2" {
                call.int(0);
            }
            call.write(dtype, &[4, 64]);
            call.write(dtype, &[4, 32]);
        }
        "write_to_cache" => {
            call.read(dtype, &[4, 2, 16], SMALL);
            call.update(dtype, &CACHE, SMALL);
            call.read_numbers(I32, &[4], &[5, 0, -1, 3]);
            call.read(dtype, &[4, 2, 16], SMALL);
            call.update(dtype, &CACHE, SMALL);
            (0..7).for_each(|_| call.push(Argument::Null));
        }
        "write_keys_to_cache" => {
            call.read(dtype, &[4, 2, 16], SMALL);
            call.update(dtype, &CACHE, SMALL);
            call.read_numbers(I32, &[4], &[5, 0, -1, 3]);
            (0..4).for_each(|_| call.push(Argument::Null));
        }
        "read_from_cache" => {
            call.read(dtype, &CACHE, SMALL);
            call.read(dtype, &CACHE, SMALL);
            call.read_numbers(I32, &[2, 1], &[1, 0]);
            call.read_numbers(I32, &[2], &[3, 2]);
            call.update(dtype, &[6, 2, 16], SMALL);
            call.update(dtype, &[6, 2, 16], SMALL);
            call.push(Argument::Null);
            text(call, "Norm");
            call.flag(false);
        }
        "infer_attention" | "stepwise_attention" | "attention" | "attention_backward" => {
            for parameter in call.operator.info.parameters {
                argument(call, &parameter);
            }
        }
        _ => call.unserved(),
    }
}

fn text(call: &mut Call<'_>, text: &str) {
    call.push(Argument::Text(CString::new(text).unwrap_or_default()));
}

/// Makes an argument of attention of four heads that share two of keys; batches are `BSND`, or follow each other.
fn argument(call: &mut Call<'_>, parameter: &Parameter) {
    let (dtype, name) = (call.dtype(0), parameter.name);
    let parameters = call.operator.info.parameters;
    let is_joined = parameters.iter().any(|parameter| parameter.name == "actualSeqQLenOptional");
    let is_single = !parameters.iter().any(|parameter| parameter.name == "preTokens");
    let is_empty = call.class == Class::Empty;
    let (batches, queries, keys) = (if is_empty { 0 } else { 2 }, if is_single { 1 } else { 3 }, 5);
    let of = |heads: i64, tokens: i64| match is_joined {
        true => vec![if is_empty { 0 } else { 2 * tokens }, heads, 16],
        false => vec![batches, tokens, heads, 16],
    };
    let known =
        if is_joined { vec![if is_empty { 0 } else { 6 }, 4, 8] } else { vec![batches, 4, queries, 8] };
    match (name, parameter.kind) {
        ("query", _) => call.read(dtype, &of(4, queries), SMALL),
        ("dy", _) => call.read(dtype, &of(4, queries), POSITIVE),
        ("key" | "keyIn" | "value", kind) => {
            let domain = if name == "value" { POSITIVE } else { SMALL };
            let tensor = call.tensor(dtype, &of(2, keys), domain);
            call.push(if kind == Tensors {
                Argument::Tensors(vec![tensor])
            } else {
                Argument::Tensor(tensor)
            });
        }
        ("attenMask" | "attenMaskOptional", _) if call.variant == "mask" => {
            // The first key is always visible.
            let sizes = if is_single { vec![batches, keys] } else { vec![queries, keys] };
            let hidden: Vec<i64> =
                (0..sizes.iter().product()).map(|at| i64::from(at % keys % 2 == 1)).collect();
            call.read_numbers(Bool, &sizes, &hidden);
        }
        ("softmaxMaxOptional" | "softmaxSumOptional", _) => {
            let numbers = vec![4; known.iter().product::<i64>() as usize];
            call.read_numbers(F32, &known, &numbers);
        }
        ("actualSeqQLenOptional", _) => call.ints(&if is_empty { [0, 0] } else { [2, 6] }),
        ("actualSeqKvLenOptional", _) => call.ints(&if is_empty { [0, 0] } else { [5, 10] }),
        (_, TensorOrNull | IntsOrNull) => call.push(Argument::Null),
        ("scaleValue", _) => call.push(Argument::Float(0.25)),
        (_, F64) => call.push(Argument::Float(1.0)),
        ("numHeads" | "headNum", _) => call.int(4),
        ("numKeyValueHeads", _) => call.int(2),
        ("preTokens" | "nextTokens", _) => call.int(i32::MAX.into()),
        ("sparseMode" | "pseType", _) => call.int(1),
        (_, I64) => call.int(0),
        (_, Flag) => call.flag(false),
        ("softmaxOutLayout" | "softmaxInLayout", _) => text(call, ""),
        (_, StrMut) => text(call, if is_joined { "TND" } else { "BSND" }),
        ("softmaxMaxOut" | "softmaxSumOut", _) => call.write(F32, &known),
        ("dkOut" | "dvOut", _) => call.write(dtype, &of(2, keys)),
        ("attentionOut" | "attentionOutOut" | "dqOut", _) => call.write(dtype, &of(4, queries)),
        _ => call.absent(parameter),
    }
}
