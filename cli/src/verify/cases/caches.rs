//! Rows on their way to a cache.

use std::ffi::CString;

use aclnn_numerics::DType::{F16, F32, I8, I32, I64};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const SMALL: Domain = Domain::Between(0.5, 1.0);
const SCALES: Domain = Domain::Between(4.0, 8.0);

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

pub(super) fn make(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    match call.function() {
        "norm_rope_cache" => {
            call.read(dtype, &[2, 1, 2, 576], SMALL);
            call.read(dtype, &[512], SMALL);
            call.read(dtype, &[2, 1, 2, 64], SMALL);
            call.read(dtype, &[2, 1, 2, 64], SMALL);
            call.read_numbers(I64, &[4], &[5, 0, -1, 3]);
            call.update(dtype, &[2, 16, 1, 64], SMALL);
            call.update(dtype, &[2, 16, 1, 512], SMALL);
            let is_second = call.name() == "KvRmsNormRopeCacheV2";
            nothing(call, if is_second { 5 } else { 4 });
            call.push(Argument::Float(1e-5));
            text(call, "PA_BNSD");
            call.flag(true);
            call.write(dtype, &[2, 1, 2, 64]);
            call.write(dtype, &[2, 1, 2, 512]);
        }
        "norm_rope_heads_cache" => {
            call.read(dtype, &[4, 512], SMALL);
            call.read(dtype, &[128], SMALL);
            call.read(dtype, &[128], SMALL);
            call.read(dtype, &[4, 128], SMALL);
            call.read(dtype, &[4, 128], SMALL);
            call.read_numbers(I64, &[4], &[5, 0, -1, 3]);
            call.write(dtype, &[4, 256]);
            call.update(dtype, &[2, 8, 32, 16], SMALL);
            call.update(dtype, &[2, 8, 32, 16], SMALL);
            nothing(call, 4);
            call.ints(&[2, 2, 4, 128]);
            call.ints(&[2, 1, 1]);
            call.push(Argument::Float(1e-6));
            text(call, "PA_NZ");
            nothing(call, 3);
        }
        "dequantised_rope_cache" => {
            let own = if dtype == I32 { F16 } else { dtype };
            call.read(dtype, &[2, 2, 512], if dtype == I32 { Domain::Whole(-90, 90) } else { SMALL });
            call.read(own, &[2, 2, 1, 128], SMALL);
            call.read(own, &[2, 2, 1, 128], SMALL);
            call.update(I8, &[2, 8, 1, 128], Domain::Whole(-9, 9));
            call.update(I8, &[2, 8, 1, 128], Domain::Whole(-9, 9));
            call.read_numbers(I32, &[2], &[3, 0]);
            call.read(F32, &[1, 128], SCALES);
            call.read(F32, &[1, 128], SCALES);
            nothing(call, 2);
            match dtype {
                I32 => call.read(F32, &[512], SMALL),
                _ => nothing(call, 1),
            }
            nothing(call, 2);
            call.ints(&[256, 128, 128]);
            text(call, "static");
            text(call, "BSND");
            call.flag(true);
            text(call, "contiguous");
            call.write(own, &[2, 2, 2, 128]);
            call.write(own, &[2, 2, 1, 128]);
            call.write(own, &[2, 2, 1, 128]);
        }
        "quantised_scatter" => {
            call.update(I8, &[2, 3, 8, 32], Domain::Whole(-9, 9));
            call.read_numbers(I32, &[2], &[4, 0]);
            call.read(dtype, &[2, 3, 2, 32], SMALL);
            call.read(F32, &[32], SCALES);
            call.push(Argument::Null);
            call.int(-2);
            call.int(-1);
            call.int(1);
            if call.name() == "InplaceQuantScatterV2" {
                text(call, "rint");
            }
        }
        "latent_queries" => latent(call),
        _ => call.unserved(),
    }
}

/// One token of one head. The kernel has one size of weights, of megabytes, so that smaller ones compare codes alone.
fn latent(call: &mut Call<'_>) {
    let (dtype, name) = (call.dtype(0), call.name());
    let is_third = name.starts_with("MlaPrologV3");
    call.read(dtype, &[1, 16], SMALL);
    for dims in [&[16, 32][..], &[32, 192], &[1, 128, 8], &[16, 72]] {
        call.read(dtype, dims, SMALL);
    }
    for dims in [&[32][..], &[8], &[1, 64], &[1, 64]] {
        call.read(dtype, dims, SMALL);
    }
    if !is_third {
        call.read_numbers(I64, &[1], &[5]);
    }
    call.update(dtype, &[1, 16, 1, 8], SMALL);
    call.update(dtype, &[1, 16, 1, 64], SMALL);
    if is_third {
        call.read_numbers(I64, &[1], &[5]);
    }
    nothing(call, if is_third { 8 } else { 7 });
    if name == "MlaPrologV3WeightNz" {
        nothing(call, 1);
    }
    call.push(Argument::Float(1e-5));
    call.push(Argument::Float(1e-5));
    text(call, "PA_BSND");
    if is_third {
        if name == "MlaPrologV3" {
            call.flag(false);
        }
        [0, 0, 0, 0, 0, 128].into_iter().for_each(|value| call.int(value));
        (0..if name == "MlaPrologV3" { 3 } else { 2 }).for_each(|_| call.push(Argument::Float(1.0)));
    }
    call.write(dtype, &[1, 1, 8]);
    call.write(dtype, &[1, 1, 64]);
    nothing(call, if is_third { 3 } else { usize::from(name != "MlaProlog") });
}
