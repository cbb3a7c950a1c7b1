//! Attention over chosen keys. Scores are apart from each other, so that the chosen keys have one order.

use std::ffi::CString;

use aclnn_numerics::DType::{F16, F32, I8, I32};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const SMALL: Domain = Domain::Between(-0.25, 0.25);
const POSITIVE: Domain = Domain::Between(0.5, 2.0);
const WHOLE: Domain = Domain::Whole(-4, 4);

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

/// A mode, and no bound of the tokens before and after.
fn mode(call: &mut Call<'_>, mode: i64) {
    [mode, i64::MAX, i64::MAX].into_iter().for_each(|value| call.int(value));
}

/// The chosen keys of two queries, of blocks of one key.
fn chosen(call: &mut Call<'_>, dims: &[i64]) {
    call.read_numbers(I32, dims, &[3, 0, -1, 1, 2, 3]);
}

/// Layouts of queries and keys that are not joined.
fn layouts(call: &mut Call<'_>) {
    text(call, "BSND");
    text(call, "BSND");
}

pub(super) fn make(call: &mut Call<'_>) {
    match call.function() {
        "chosen_attention" | "chosen_attention_backward" => latent(call),
        "selected_attention" | "selected_attention_backward" => selected(call),
        "choose_keys" | "choose_quantised_keys" | "choose_keys_backward" | "scores_log_sum" => indexer(call),
        "compress_blocks" | "compress_blocks_backward" => blocks(call),
        "compress_last_blocks" => last_blocks(call),
        "selected_attention_infer" => answers(call),
        "compress_attention" | "compress_attention_infer" => ranked(call),
        "flagged_attention" | "flagged_attention_backward" => flagged(call),
        "divergence" => divergence(call),
        _ => call.unserved(),
    }
}

fn latent(call: &mut Call<'_>) {
    let (dtype, is_forward) = (call.dtype(0), call.function() == "chosen_attention");
    let (own, keys, known) = ([1, 2, 2, 512], [1, 4, 1, 512], [1, 1, 2, 2]);
    call.read(dtype, &own, SMALL);
    call.read(dtype, &keys, POSITIVE);
    call.read(dtype, &keys, POSITIVE);
    chosen(call, &[1, 2, 1, 3]);
    if is_forward {
        nothing(call, 3);
    } else {
        call.read(dtype, &own, POSITIVE);
        call.read(dtype, &own, POSITIVE);
        call.read(F32, &known, POSITIVE);
        call.read(F32, &known, POSITIVE);
        nothing(call, 2);
    }
    call.read(dtype, &[1, 2, 2, 64], SMALL);
    call.read(dtype, &[1, 4, 1, 64], SMALL);
    if call.name() == "SparseFlashAttentionV2" {
        nothing(call, 1);
    }
    call.push(Argument::Float(0.05));
    call.int(1);
    if is_forward {
        layouts(call);
        mode(call, 0);
        call.int(2);
        call.flag(true);
        call.write(dtype, &own);
        call.write(F32, &known);
        call.write(F32, &known);
    } else {
        text(call, "BSND");
        mode(call, 0);
        call.flag(false);
        for dims in [own, keys, keys, [1, 2, 2, 64], [1, 4, 1, 64]] {
            call.write(dtype, &dims);
        }
    }
}

fn selected(call: &mut Call<'_>) {
    let (dtype, is_forward) = (call.dtype(0), call.function() == "selected_attention");
    let (own, keys, known) = ([2, 2, 16], [4, 1, 16], [2, 2, 8]);
    call.read(dtype, &own, SMALL);
    call.read(dtype, &keys, SMALL);
    call.read(dtype, &keys, POSITIVE);
    if !is_forward {
        call.read(dtype, &own, POSITIVE);
        call.read(dtype, &own, POSITIVE);
        call.read(F32, &known, POSITIVE);
        call.read(F32, &known, POSITIVE);
    }
    chosen(call, &[2, 1, 3]);
    if is_forward {
        nothing(call, 1);
    }
    call.ints(&[2]);
    call.ints(&[4]);
    if !is_forward {
        nothing(call, 1);
    }
    call.push(Argument::Float(0.5));
    if is_forward {
        call.int(2);
        text(call, "TND");
        call.int(0);
    }
    call.int(1);
    call.int(3);
    if !is_forward {
        call.int(2);
        text(call, "TND");
        call.int(0);
    }
    if is_forward {
        call.write(F32, &known);
        call.write(F32, &known);
        call.write(dtype, &own);
    } else {
        [&own, &keys, &keys].into_iter().for_each(|dims| call.write(dtype, dims));
    }
}

fn indexer(call: &mut Call<'_>) {
    let (dtype, function) = (call.dtype(0), call.function());
    let (own, keys, weights) = ([1, 2, 8, 128], [1, 5, 1, 128], [1, 2, 8]);
    call.read(dtype, &own, WHOLE);
    call.read(dtype, &keys, WHOLE);
    if function == "choose_keys_backward" {
        call.read(dtype, &[1, 2, 1, 3], WHOLE);
        chosen(call, &[1, 2, 1, 3]);
    }
    call.read(if function == "choose_quantised_keys" { F16 } else { dtype }, &weights, POSITIVE);
    if function == "choose_quantised_keys" {
        call.read(F16, &weights, POSITIVE);
        call.read(F16, &[1, 5, 1], POSITIVE);
    }
    nothing(call, if matches!(function, "choose_keys" | "choose_quantised_keys") { 3 } else { 2 });
    match function {
        "choose_keys_backward" => {
            call.int(8);
            text(call, "BSND");
            mode(call, 0);
            call.flag(false);
            call.write(dtype, &own);
            call.write(dtype, &keys);
            call.write(dtype, &weights);
        }
        "scores_log_sum" => {
            text(call, "BSND");
            mode(call, 0);
            call.write(F32, &[1, 1, 2]);
            call.write(F32, &[1, 1, 2]);
        }
        _ => {
            if function == "choose_quantised_keys" {
                call.int(0);
                call.int(0);
            }
            layouts(call);
            call.int(3);
            mode(call, 0);
            if function == "choose_keys" {
                call.flag(true);
            }
            call.write(I32, &[1, 2, 1, 3]);
            if function == "choose_keys" {
                call.write(dtype, &[1, 2, 1, 3]);
            }
        }
    }
}

fn blocks(call: &mut Call<'_>) {
    let (dtype, is_forward) = (call.dtype(0), call.function() == "compress_blocks");
    if !is_forward {
        call.read(dtype, &[3, 2, 8], POSITIVE);
    }
    call.read(dtype, &[8, 2, 8], POSITIVE);
    call.read(dtype, &[4, 2], POSITIVE);
    nothing(call, if is_forward { 2 } else { 1 });
    [4, 2, 0].into_iter().for_each(|value| call.int(value));
    if is_forward {
        call.write(dtype, &[3, 2, 8]);
    } else {
        nothing(call, 1);
        call.write(dtype, &[8, 2, 8]);
        call.write(dtype, &[4, 2]);
    }
}

fn last_blocks(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    call.read(dtype, &[8, 2, 8], POSITIVE);
    call.read(dtype, &[4, 2], POSITIVE);
    call.read_numbers(I32, &[2], &[2, 0]);
    call.ints(&[4, 8]);
    nothing(call, 1);
    text(call, "TND");
    [4, 2, 0, 16].into_iter().for_each(|value| call.int(value));
    call.update(dtype, &[3, 2, 8], POSITIVE);
}

/// Queries, keys and values of one sequence, with other axes before their tokens.
fn sides(call: &mut Call<'_>, own: &[i64], keys: &[i64]) {
    let dtype = call.dtype(0);
    call.read(dtype, own, SMALL);
    call.read(dtype, keys, SMALL);
    call.read(dtype, keys, POSITIVE);
}

fn answers(call: &mut Call<'_>) {
    let own = [1, 2, 2, 16];
    sides(call, &own, &[1, 4, 1, 16]);
    chosen(call, &[1, 2, 1, 3]);
    nothing(call, 4);
    text(call, "BSND");
    [2, 1, 1, 3, 16].into_iter().for_each(|value| call.int(value));
    call.push(Argument::Float(0.5));
    call.int(0);
    call.write(call.dtype(0), &own);
}

fn ranked(call: &mut Call<'_>) {
    let is_infer = call.function() == "compress_attention_infer";
    let own = [2, 2, 16];
    sides(call, &own, &[4, 1, 16]);
    nothing(call, 2);
    [2, 4].into_iter().for_each(|end| call.ints(&[end]));
    if is_infer {
        nothing(call, 2);
        // Compressed blocks do not overlap, and selected ones are all there are: their order is that of clear sums.
        [2, 1, 16, 1, 16, 16].into_iter().for_each(|value| call.int(value));
        call.push(Argument::Float(4.0));
        text(call, "TND");
        [16, 0].into_iter().for_each(|value| call.int(value));
    } else {
        nothing(call, 1);
        call.push(Argument::Float(4.0));
        call.int(2);
        text(call, "TND");
        [0, 16, 16, 16, 1].into_iter().for_each(|value| call.int(value));
        call.write(F32, &[2, 2, 8]);
        call.write(F32, &[2, 2, 8]);
    }
    call.write(call.dtype(0), &own);
    call.write(I32, &[2, 1, 1]);
}

fn flagged(call: &mut Call<'_>) {
    let (dtype, is_forward) = (call.dtype(0), call.function() == "flagged_attention");
    let (own, keys, log) = ([1, 2, 4, 16], [1, 1, 4, 16], [1, 2, 4, 1]);
    if !is_forward {
        call.read(dtype, &own, POSITIVE);
    }
    sides(call, &own, &keys);
    if !is_forward {
        call.read(dtype, &own, POSITIVE);
        call.read(F32, &log, POSITIVE);
    }
    call.read_numbers(I8, &[1, 2, 2, 2], &[1, 0, 1, 1, 0, 1, 1, 1]);
    nothing(call, 1);
    call.ints(&[2, 2]);
    nothing(call, 2);
    if is_forward {
        let scales = match call.name() {
            "BlockSparseAttentionV2" => 3,
            "BlockSparseAttentionV3" => 4,
            _ => 0,
        };
        nothing(call, 1 + scales);
    }
    text(call, "BNSD");
    text(call, "BNSD");
    [1, 0].into_iter().for_each(|value| call.int(value));
    call.push(Argument::Float(0.5));
    if is_forward {
        [1, 128].into_iter().for_each(|value| call.int(value));
    }
    [i64::MAX; 2].into_iter().for_each(|value| call.int(value));
    if !is_forward {
        return [&own, &keys, &keys].into_iter().for_each(|dims| call.write(dtype, dims));
    }
    call.int(1);
    if call.name() == "BlockSparseAttentionV3" {
        call.int(0);
        call.push(Argument::Float(0.0));
    }
    call.write(dtype, &own);
    call.write(F32, &log);
}

fn divergence(call: &mut Call<'_>) {
    let (dtype, is_sparse) = (call.dtype(0), call.name().starts_with("Sparse"));
    let (index, key_index, weights, known) = ([1, 2, 8, 16], [1, 5, 1, 16], [1, 2, 8], [1, 1, 2, 2]);
    call.read(dtype, &[1, 2, 2, 16], SMALL);
    call.read(dtype, &[1, 5, 1, 16], SMALL);
    call.read(dtype, &index, SMALL);
    call.read(dtype, &key_index, SMALL);
    call.read(dtype, &weights, POSITIVE);
    if is_sparse {
        chosen(call, &[1, 2, 1, 3]);
    }
    call.read(F32, &known, POSITIVE);
    call.read(F32, &known, POSITIVE);
    if !is_sparse {
        call.read(F32, &[1, 1, 2], POSITIVE);
        call.read(F32, &[1, 1, 2], POSITIVE);
    }
    nothing(call, 4);
    call.push(Argument::Float(0.5));
    text(call, "BSND");
    mode(call, 0);
    if is_sparse {
        call.flag(false);
    }
    for dims in [&index[..], &key_index, &weights] {
        call.write(dtype, dims);
    }
    call.write(F32, &[1]);
}
