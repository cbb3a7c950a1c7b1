//! Reductions, scans and histograms: functions of the elements along axes.

use aclnn_numerics::DType::{self, Bool, C32, C64, C128, F32, F64, I32, I64, U8};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, SHAPES, SHAPES_IN_PLACE, is_in_place, pool};
use crate::declared::{Operator, Signature};
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

/// The axes that are reduced, as the variant of a case.
const AXES: [&str; 3] = ["", "first-axis", "all-axes"];

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let has_axes = operator.info.parameters.iter().any(|parameter| {
        ["dim", "dims", "axes"].contains(&parameter.name) && parameter.kind.c_type().contains("IntArray")
    });
    let mut cells = Vec::new();
    for own in pool(takes) {
        for out in outputs(operator, product, own) {
            let types = if is_in_place(operator) { vec![own] } else { vec![own, out] };
            let is_natural = out == natural(operator, own);
            let classes: &[Class] = match (takes.contains(own) && is_natural, is_in_place(operator)) {
                (true, true) => &SHAPES_IN_PLACE,
                (true, false) => &SHAPES,
                (false, true) => &[Class::InPlace],
                (false, false) => &[Class::Contiguous],
            };
            let variants = if has_axes { &AXES[..] } else { &AXES[..1] };
            cells.push(Cell::with_variants(&types, classes, variants));
            if is_in_place(operator) {
                break;
            }
        }
    }
    cells
}

/// The types of the output that are tried: the one of the operator itself, and two others.
fn outputs(operator: &Operator, product: Product, own: DType) -> Vec<DType> {
    let natural = natural(operator, own);
    let mut outputs = vec![natural];
    let listed = match operator.signature {
        Signature::AlongAxes(rule) => pool(rule.takes.on(product)),
        _ => Vec::new(),
    };
    outputs
        .extend(listed.into_iter().filter(|out| *out != natural && [F32, F64, I64, Bool, C64].contains(out)));
    outputs
}

/// The type of the result by itself.
fn natural(operator: &Operator, own: DType) -> DType {
    match operator.info.function() {
        "argmax" | "argmin" => I64,
        "all" | "any" => Bool,
        "bincount" => I64,
        "mean" if !own.is_float() && !own.is_complex() => F32,
        "logsumexp" if !own.is_float() => F32,
        "norm" | "vector_norm" => match own {
            C32 => DType::F16,
            C64 => F32,
            C128 => F64,
            own if own.is_float() => own,
            _ => F32,
        },
        _ => own,
    }
}

pub(super) fn make(call: &mut Call<'_>) {
    let (own, out) = (call.dtype(0), call.types.get(1).copied().unwrap_or(call.dtype(0)));
    match call.function() {
        "bincount" => return bincount(call, own, out),
        "histc" => return histc(call, own, out),
        _ if call.operator.info.family() == "histogram" => return call.unserved(),
        _ => {}
    }
    let dims = call.class.dims();
    let rank = dims.len() as i64;
    let domain = domain(call, own, out);
    let axis = match call.variant {
        "first-axis" => 0,
        _ => (rank - 1).max(0),
    };
    let axes = match call.variant {
        "all-axes" => (0..rank).collect(),
        _ if rank == 0 => vec![],
        _ => vec![axis],
    };
    // Of the forms with both, one keeps the axis and one does not.
    let keeps = call.variant == "first-axis";
    let is_scan = call.operator.info.family() == "scan";
    let mut reduced: Vec<usize> = if is_scan { vec![] } else { (0..dims.len()).collect() };
    let mut keeps_axes = false;
    for parameter in call.operator.info.parameters {
        match (parameter.name, parameter.kind.name()) {
            ("self" | "input" | "data", _) => call.own(own, &dims, domain),
            ("gradOutput" | "output", "tensor") => call.read(own, &dims, domain),
            (_, "ints" | "ints_or_null") => {
                reduced = axes.iter().map(|axis| *axis as usize).collect();
                if axes.is_empty() {
                    reduced = (0..dims.len()).collect();
                }
                call.ints(&axes);
            }
            ("dim", "i64") => {
                if !is_scan {
                    reduced = if rank == 0 { vec![] } else { vec![axis as usize] };
                }
                call.int(if rank == 0 { 0 } else { axis - rank });
            }
            ("dim", "scalar") => call.scalar(I64, axis as f64),
            ("keepdim" | "keepDim" | "keepDims", _) => {
                keeps_axes = keeps;
                call.flag(keeps);
            }
            ("correction", _) => call.int(1),
            ("dtype", _) => call.push(Argument::DType(out)),
            ("pScalar" | "ord", _) => {
                let power = if call.class == Class::Strided { 3.0 } else { 2.0 };
                call.scalar(F32, power);
            }
            (_, "bool") => call.flag(parameter.name == "unbiased" || parameter.name == "reverse"),
            ("indices" | "indicesOut", _) => call.write(I64, &left(&dims, &reduced, keeps_axes)),
            (_, "out") => call.write(out, &left(&dims, &reduced, keeps_axes)),
            _ => call.absent(&parameter),
        }
    }
}

/// The sizes that are left when axes are reduced.
fn left(dims: &[i64], reduced: &[usize], keeps: bool) -> Vec<i64> {
    dims.iter()
        .enumerate()
        .filter(|(axis, _)| keeps || !reduced.contains(axis))
        .map(|(axis, size)| if reduced.contains(&axis) { 1 } else { *size })
        .collect()
}

fn domain(call: &Call<'_>, own: DType, out: DType) -> Domain {
    let converts = own.is_float() && (out.is_integer() || own == F64 && out != F64);
    match call.function() {
        // Few factors, so that no product is infinite.
        "prod" | "cumprod" if own.is_integer() || out.is_integer() => Domain::Whole(1, 2),
        "prod" | "cumprod" => Domain::Between(0.5, 1.5),
        // The logarithm of a sum.
        "log_sum" => Domain::Between(0.5, 4.0),
        "norm" | "vector_norm" | "sum" | "cumsum" | "mean" if converts => Domain::Whole(0, 8),
        "sum"
        | "nansum"
        | "mean"
        | "mean_v2"
        | "cumsum"
        | "cumsum_v2"
        | "var"
        | "var_mean"
        | "std"
        | "std_mean"
        | "norm"
        | "vector_norm"
        | "logsumexp"
        | "softmax"
        | "log_softmax"
        | "softmax_backward"
        | "log_softmax_backward" => match own {
            U8 => Domain::Whole(0, 8),
            own if own.is_integer() => Domain::Finite,
            _ => Domain::Between(-4.0, 4.0),
        },
        _ if converts => Domain::Whole(0, 8),
        _ => Domain::Any,
    }
}

fn bincount(call: &mut Call<'_>, own: DType, out: DType) {
    let count = if call.class == Class::Empty { 0 } else { 24 };
    let dims: &[i64] = if call.class == Class::NoAxes { &[] } else { &[count] };
    call.read(own, dims, Domain::Whole(0, 9));
    let weight = if out == F64 { F64 } else { F32 };
    if out.is_float() {
        call.read(weight, dims, Domain::Whole(0, 4))
    } else {
        call.push(Argument::Null)
    }
    call.int(12);
    call.write(out, &[12]);
}

fn histc(call: &mut Call<'_>, own: DType, out: DType) {
    let dims = call.class.dims();
    call.read(own, &dims, Domain::Whole(0, 9));
    call.int(5);
    // The bounds have a type of the host, and no element lies between two of them.
    let bound = if own.is_float() { F32 } else { I32 };
    call.scalar(bound, 0.0);
    call.scalar(bound, 10.0);
    call.write(out, &[5]);
}
