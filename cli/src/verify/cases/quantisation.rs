//! Numbers in steps. Elements are whole and steps powers of two, so that nothing is rounded but to steps.

use std::ffi::CString;

use aclnn_numerics::DType::{Bool, F32, I8, I32, I64};
use aclnn_numerics::product::Product::{self, Ascend950};

use super::call::{Call, Cell, pool};
use super::fused::in_list;
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    // One product has the newer forms, and not the older one.
    let is_missing = match operator.info.name() {
        "DynamicQuantV3" | "DynamicQuantV4" => product != Ascend950,
        "AscendQuant" => product == Ascend950,
        _ => false,
    };
    let classes = [Class::Contiguous, Class::Strided, Class::Transposed];
    let cell = |dtype| {
        Cell::new(&[dtype], if takes.contains(dtype) && !is_missing { &classes } else { &classes[..1] })
    };
    pool(takes).into_iter().map(cell).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let (own, shape) = (call.dtype(0), [3, 4]);
    match call.function() {
        "dynamic_quant" => return rows(call),
        "ascend_quant" => return scaled(call),
        "dynamic_block_quant" => return blocks(call),
        "grouped_matmul_swiglu_quant" => return products(call),
        "dequant_swiglu_quant" | "swi_glu_quant" | "clipped_swiglu" => return units(call),
        "add_rms_norm_quant" | "add_rms_norm_dynamic_quant" | "rms_norm_quant" | "rms_norm_dynamic_quant" => {
            return norms(call);
        }
        _ => {}
    }
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

/// Rows with scales of their own.
fn rows(call: &mut Call<'_>) {
    let (own, name) = (call.dtype(0), call.name());
    call.read(own, &[3, 32], Domain::Whole(-9, 9));
    call.push(Argument::Null);
    if name != "DynamicQuant" {
        call.push(Argument::Null);
        call.int(2);
    }
    if name.ends_with("V3") || name.ends_with("V4") {
        call.flag(true);
        call.push(Argument::Text(CString::from(c"pertoken")));
    }
    if name.ends_with("V4") {
        call.push(Argument::Float(0.0));
    }
    call.write(I8, &[3, 32]);
    call.write(F32, &[3]);
    if name != "DynamicQuant" {
        call.push(Argument::Null);
    }
}

/// Elements with scales that are given.
fn scaled(call: &mut Call<'_>) {
    let own = call.dtype(0);
    call.read(own, &[3, 4], Domain::Whole(-9, 9));
    call.read(own, &[4], Domain::Whole(1, 3));
    call.read(own, &[4], Domain::Whole(-3, 3));
    call.flag(false);
    call.push(Argument::Text(CString::from(c"round")));
    call.int(2);
    if call.name().ends_with("V3") {
        call.int(-1);
    }
    call.write(I8, &[3, 4]);
}

/// Gated linear units, of which the parts are far from 0, so that an exponential that is off by a bit does not count.
fn units(call: &mut Call<'_>) {
    let (own, name) = (call.dtype(0), call.name());
    let nothing = |call: &mut Call<'_>, count: usize| (0..count).for_each(|_| call.push(Argument::Null));
    call.read(own, &[3, 32], Domain::Whole(20, 60));
    match call.function() {
        "clipped_swiglu" => {
            nothing(call, 1);
            call.int(-1);
            [1.0, 7.0, 1.0].into_iter().for_each(|value| call.push(Argument::Float(value)));
            call.flag(false);
            call.write(own, &[3, 16]);
            return;
        }
        "dequant_swiglu_quant" => {
            match own {
                I32 => call.read(F32, &[32], Domain::Whole(1, 2)),
                _ => nothing(call, 1),
            }
            nothing(call, 5);
        }
        _ => nothing(call, 3),
    }
    call.flag(true);
    call.push(Argument::Text(CString::from(c"dynamic")));
    match name {
        "DequantSwigluQuantV2" => {
            call.int(2);
            nothing(call, 1);
            call.int(-1);
            call.int(0);
            [7.0, 1.0, 0.0].into_iter().for_each(|value| call.push(Argument::Float(value)));
        }
        "SwiGluQuantV2" => {
            call.int(0);
            call.int(2);
        }
        _ => {}
    }
    call.write(I8, &[3, 16]);
    call.write(F32, &[3]);
}

/// Norms of rows, quantised; the second output is not written.
fn norms(call: &mut Call<'_>) {
    let (own, name, shape) = (call.dtype(0), call.name(), [3, 32]);
    let nothing = |call: &mut Call<'_>, count: usize| (0..count).for_each(|_| call.push(Argument::Null));
    let is_sum = name.starts_with("Add");
    call.read(own, &shape, Domain::Whole(1, 9));
    if is_sum {
        call.read(own, &shape, Domain::Whole(1, 9));
    }
    call.read(own, &[32], Domain::Whole(1, 3));
    match call.function() {
        "rms_norm_quant" => {
            call.read(own, &[32], Domain::Whole(-2, 2));
            call.read_numbers(own, &[1], &[1]);
            call.read_numbers(I8, &[1], &[2]);
            call.push(Argument::Float(1e-5));
            call.write(I8, &shape);
        }
        "rms_norm_dynamic_quant" => {
            nothing(call, 2);
            call.push(Argument::Float(1e-5));
            call.int(2);
            call.write(I8, &shape);
            call.write(F32, &[3]);
        }
        "add_rms_norm_quant" => {
            call.read(F32, &[32], Domain::Whole(1, 2));
            nothing(call, if name.ends_with("V2") { 4 } else { 3 });
            call.int(-1);
            call.push(Argument::Float(1e-5));
            call.flag(true);
            call.write(I8, &shape);
            call.read(I8, &shape, Domain::Whole(0, 1));
            call.write(own, &shape);
            nothing(call, usize::from(name.ends_with("V2")));
        }
        _ => {
            nothing(call, if name.ends_with("V2") { 3 } else { 2 });
            call.push(Argument::Float(1e-5));
            nothing(call, usize::from(name.ends_with("V2")));
            call.write(I8, &shape);
            call.read(I8, &[1], Domain::Whole(0, 1));
            call.write(own, &shape);
            call.write(F32, &[3]);
            call.read(F32, &[1], Domain::Whole(0, 1));
        }
    }
}

/// Blocks of rows, of which each has one scale.
fn blocks(call: &mut Call<'_>) {
    let own = call.dtype(0);
    call.read(own, &[3, 128], Domain::Whole(-9, 9));
    call.push(Argument::Float(0.0));
    call.push(Argument::Text(CString::from(c"rint")));
    [2, 1, 128].into_iter().for_each(|number| call.int(number));
    if call.name().ends_with("V2") {
        call.push(Argument::Float(0.0));
    }
    call.write(I8, &[3, 128]);
    call.write(F32, &[3, 1]);
}

/// Two groups of rows times matrices; gates are far from 0.
fn products(call: &mut Call<'_>) {
    let own = call.dtype(0);
    let nothing = |call: &mut Call<'_>, count: usize| (0..count).for_each(|_| call.push(Argument::Null));
    let has_lists = call.name().ends_with("V2");
    call.read(own, &[4, 8], Domain::Whole(2, 5));
    call.read(own, &[2, 8, 32], Domain::Whole(1, 5));
    match has_lists {
        true => in_list(call),
        false => nothing(call, 2),
    }
    call.read(F32, &[2, 32], Domain::Whole(1, 2));
    if has_lists {
        in_list(call);
        nothing(call, 2);
    }
    call.read(F32, &[4], Domain::Whole(1, 2));
    nothing(call, usize::from(has_lists));
    call.read_numbers(I64, &[2], &[1, 4]);
    if has_lists {
        (0..4).for_each(|_| call.int(0));
        nothing(call, 1);
    }
    call.write(I8, &[4, 16]);
    call.write(F32, &[4]);
    nothing(call, usize::from(!has_lists));
}
