//! Convolutions, poolings, and images in another size or at other places. Elements are whole and small, so that sums are exact in every type.

use aclnn_numerics::DType::{self, I8, I32, I64};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, LAYOUTS, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const SMALL: Domain = Domain::Whole(-3, 3);
const POSITIVE: Domain = Domain::Whole(0, 9);

/// One type for all operands: those that are taken, and one that is not.
pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let layouts = LAYOUTS.into_iter().filter(|class| *class != Class::Broadcast);
    let classes: Vec<Class> = layouts.chain([Class::Empty]).collect();
    let plain = &classes[..1];
    let classes_of = |dtype| if takes.contains(dtype) { &classes[..] } else { plain };
    let refused = pool(takes).into_iter().find(|dtype| !takes.contains(*dtype));
    let types = pool(takes).into_iter().filter(|dtype| takes.contains(*dtype) || Some(*dtype) == refused);
    types.map(|dtype| Cell::new(&[dtype], classes_of(dtype))).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    match call.operator.info.family() {
        "convolution" => convolution(call),
        "pooling" => pooling(call),
        "sampling" => sampling(call),
        "resize" if call.function().starts_with("upsample_") => resize(call),
        _ => call.unserved(),
    }
}

fn all(call: &mut Call<'_>, attributes: &[&[i64]]) {
    attributes.iter().for_each(|numbers| call.ints(numbers));
}

/// How many images there are.
fn batches(call: &Call<'_>) -> i64 {
    if call.class == Class::Empty { 0 } else { 2 }
}

/// Small numbers that the type has.
fn small(dtype: DType) -> Domain {
    if matches!(dtype, DType::U8 | DType::U16 | DType::U32 | DType::U64 | DType::Bool) {
        Domain::Whole(0, 1)
    } else {
        SMALL
    }
}

fn convolution(call: &mut Call<'_>) {
    let (dtype, n, domain) = (call.dtype(0), batches(call), small(call.dtype(0)));
    // Only transposed convolutions take this type.
    let transposed = dtype == DType::F8E4M3FN;
    let result = [n, 4, 5, if transposed { 8 } else { 4 }];
    match call.function() {
        "convolution" => {
            call.read(dtype, &[n, 4, 5, 6], domain);
            call.read(dtype, &[4, 2, 3, 2], domain);
            call.push(Argument::Null);
            all(call, &[&[1, 1], &[1, 0], &[1, 2]]);
            call.flag(transposed);
            call.ints(&[0, 0]);
            call.int(2);
            call.write(dtype, &result);
            call.int(0);
        }
        "convolution_backward" => {
            call.read(dtype, &result, domain);
            call.read(dtype, &[n, 4, 5, 6], domain);
            call.read(dtype, &[4, 2, 3, 2], domain);
            call.ints(&[4]);
            all(call, &[&[1, 1], &[1, 0], &[1, 2]]);
            call.flag(transposed);
            call.ints(&[0, 0]);
            call.int(2);
            call.push(Argument::Bools(vec![true; 3]));
            call.int(0);
            call.write(dtype, &[n, 4, 5, 6]);
            call.write(dtype, &[4, 2, 3, 2]);
            call.write(dtype, &[4]);
        }
        "conv_depthwise2d" => {
            call.read(dtype, &[n, 3, 5, 6], domain);
            call.read(dtype, &[6, 1, 3, 2], domain);
            call.ints(&[3, 2]);
            call.read(dtype, &[6], domain);
            all(call, &[&[2, 1], &[1, 0], &[1, 1]]);
            call.write(dtype, &[n, 6, 3, 5]);
            call.int(0);
        }
        "conv_tbc_backward" => {
            call.read(dtype, &[5, n, 4], domain);
            call.read(dtype, &[5, n, 3], domain);
            call.read(dtype, &[3, 3, 4], domain);
            call.read(dtype, &[4], domain);
            call.int(1);
            call.int(0);
            call.write(dtype, &[5, n, 3]);
            call.write(dtype, &[3, 3, 4]);
            call.write(dtype, &[4]);
        }
        "conv_tbc" => {
            call.read(dtype, &[5, n, 3], domain);
            call.read(dtype, &[3, 3, 4], domain);
            call.read(dtype, &[4], domain);
            call.int(1);
            call.write(dtype, &[5, n, 4]);
            call.int(0);
        }
        "im2col_backward" => {
            call.read(dtype, &[n, 12, 12], domain);
            all(call, &[&[5, 4], &[2, 3], &[1, 1], &[1, 1], &[2, 1]]);
            call.write(dtype, &[n, 2, 5, 4]);
        }
        _ => call.unserved(),
    }
}

/// Numbers of elements in planes of so many.
fn numbers(call: &mut Call<'_>, dtype: DType, dims: &[i64], elements: usize) {
    let count = dims.iter().product::<i64>();
    let numbers: Vec<i64> = (0..count).map(|_| call.draw.below(elements) as i64).collect();
    call.read_numbers(dtype, dims, &numbers);
}

/// Numbers of elements in planes, of which no two are the same: one of each part of a plane.
fn apart(call: &mut Call<'_>, dims: &[i64], planes: &[i64]) {
    let of_plane = |dims: &[i64]| dims[2..].iter().product::<i64>();
    let part = of_plane(planes) / of_plane(dims);
    let count = dims.iter().product::<i64>();
    let number = |index: i64, below: usize| index % of_plane(dims) * part + below as i64;
    let numbers: Vec<i64> = (0..count).map(|index| number(index, call.draw.below(part as usize))).collect();
    call.read_numbers(I64, dims, &numbers);
}

fn pooling(call: &mut Call<'_>) {
    let (dtype, n) = (call.dtype(0), batches(call));
    let volume: &[i64] = &[n, 3, 4, 4, 6];
    let is_volume = call.function().contains("3d");
    let own = if is_volume { volume } else { &[n, 3, 4, 6] };
    let half: &[i64] = if is_volume { &[n, 3, 2, 2, 3] } else { &[n, 3, 2, 3] };
    let elements = if is_volume { 96 } else { 24 };
    let two: &[i64] = if is_volume { &[2, 2, 2] } else { &[2, 2] };
    let none: &[i64] = if is_volume { &[0, 0, 0] } else { &[0, 0] };
    let one: &[i64] = if is_volume { &[1, 1, 1] } else { &[1, 1] };
    // Averages of four or eight: multiples of it have exact averages.
    let domain = if call.function().contains("avg") { Domain::Whole(0, 2) } else { small(dtype) };
    let number = match call.function() {
        "adaptive_max_pool2d"
        | "adaptive_max_pool2d_backward"
        | "adaptive_max_pool3d"
        | "adaptive_max_pool3d_backward" => I64,
        _ => I32,
    };
    if matches!(call.function(), "global_average_pool" | "global_max_pool") {
        call.read(dtype, own, domain);
        call.write(dtype, &[n, 3, 1, 1]);
        return;
    }
    let is_gradient = call.function().ends_with("backward");
    if call.function().starts_with("max_unpool") {
        call.read(dtype, if is_gradient { own } else { half }, domain);
        if is_gradient {
            call.read(dtype, half, domain);
        }
        apart(call, half, own);
        call.ints(&own[2..]);
        if is_volume {
            all(call, &[two, none]);
        }
        call.write(dtype, if is_gradient { half } else { own });
        return;
    }
    if is_gradient {
        call.read(dtype, half, domain);
    }
    call.read(dtype, own, domain);
    let mask = [n, 3, 4, 64];
    let has_mask = call.function().contains("with_mask");
    if is_gradient && call.function().contains("max") {
        if has_mask {
            // The first element of each plane, whatever its window is.
            call.read_numbers(I8, &mask, &vec![0; mask.iter().product::<i64>() as usize]);
        } else {
            numbers(call, number, half, elements);
        }
    }
    match call.function() {
        "avg_pool2d" | "avg_pool2d_backward" | "avg_pool3d" | "avg_pool3d_backward" => {
            all(call, &[two, two, none]);
            call.flag(false);
            call.flag(true);
            call.int(0);
            if !is_volume {
                call.int(1);
            }
            call.write(dtype, if is_gradient { own } else { half });
        }
        "max_pool_v3" => {
            all(call, &[two, two, none]);
            call.scalar(I64, 0.0);
            call.write(dtype, half);
        }
        "max_pool3d" => {
            all(call, &[two, two]);
            call.push(Argument::Text(c"VALID".into()));
            all(call, &[none, one]);
            call.int(0);
            call.push(Argument::Text(c"NCDHW".into()));
            call.write(dtype, half);
        }
        "max_pool" => {
            all(call, &[two, two]);
            call.int(0);
            all(call, &[none, one]);
            call.int(0);
            call.write(dtype, half);
        }
        function
            if function.starts_with("adaptive_avg_pool") || function.starts_with("adaptive_max_pool") =>
        {
            if !is_gradient {
                call.ints(&half[2..]);
            }
            call.write(dtype, if is_gradient { own } else { half });
            if function.contains("max") && !is_gradient {
                call.write(number, half);
            }
        }
        function if function.starts_with("max_pool2d_with") || function.starts_with("max_pool3d_with") => {
            all(call, &[two, two, none, one]);
            call.flag(false);
            call.write(dtype, if is_gradient { own } else { half });
            if has_mask && !is_gradient {
                call.write(I8, &mask);
            } else if !is_gradient {
                call.write(number, half);
            }
        }
        _ => call.unserved(),
    }
}

fn sampling(call: &mut Call<'_>) {
    let (dtype, n) = (call.dtype(0), batches(call));
    if call.function() == "affine_grid" {
        // Its sizes are at least 1.
        let n = n.max(1);
        call.read(dtype, &[n, 2, 3], SMALL);
        call.ints(&[n, 1, 5, 3]);
        call.flag(true);
        call.write(dtype, &[n, 5, 3, 2]);
        return;
    }
    if !call.function().starts_with("grid_sampler") {
        return call.unserved();
    }
    let axes = if call.function().contains("3d") { 3 } else { 2 };
    let own = &[n, 3, 5, 3, 3][..2 + axes];
    let result = &[n, 3, 2, 3, 4][..2 + axes];
    let places = [&[n], &result[2..], &[axes as i64]].concat();
    let is_gradient = call.function().ends_with("backward");
    if is_gradient {
        call.read(dtype, result, SMALL);
    }
    call.read(dtype, own, POSITIVE);
    // The ends and the middle of an axis, which are exact in every type.
    call.read(dtype, &places, Domain::Whole(-1, 1));
    call.int(0);
    call.int(0);
    call.flag(true);
    if is_gradient {
        call.push(Argument::Bools(vec![true; 2]));
        call.write(dtype, own);
        call.write(dtype, &places);
    } else {
        call.write(dtype, result);
    }
}

fn resize(call: &mut Call<'_>) {
    use aclnn_sys::operators::ParameterKind::{Bool, F32, F64};
    let (dtype, n) = (call.dtype(0), batches(call));
    let axes = ["1d", "2d", "3d"].iter().position(|part| call.function().contains(part)).unwrap_or(1) + 1;
    let own = &[n, 3, 2, 3, 4][..2 + axes];
    let large = &[n, 3, 4, 6, 8][..2 + axes];
    let is_gradient = call.function().ends_with("backward");
    call.read(dtype, if is_gradient { large } else { own }, POSITIVE);
    call.ints(&large[2..]);
    if is_gradient {
        call.ints(own);
    }
    for parameter in call.operator.info.parameters {
        match parameter.kind {
            Bool => call.flag(false),
            F32 | F64 => call.push(Argument::Float(0.0)),
            _ => {}
        }
    }
    call.write(dtype, if is_gradient { own } else { large });
}
