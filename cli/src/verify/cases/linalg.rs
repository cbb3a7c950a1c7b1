//! Linear algebra. Matrices are far from singular, so that results depend little on the order of sums.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, LAYOUTS, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class, Role, Tensor};
use crate::verify::draw::Domain;
use crate::verify::elements::encode;

/// Which result of several ways is asked for.
fn variants(function: &str) -> &'static [&'static str] {
    match function {
        "qr" => &["reduced", "complete"],
        "cholesky" => &["lower", "upper"],
        "triangular_solve" => &["lower", "upper", "lower-transposed", "upper-transposed"],
        "cdist" | "cdist_backward" | "pdist" => &["p0", "p1", "p2", "p3", "infinity"],
        _ => &[""],
    }
}

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let mut classes = LAYOUTS.to_vec();
    // A view that repeats a row is singular.
    let is_factored =
        !matches!(operator.info.function(), "cross" | "trace" | "cdist" | "cdist_backward" | "pdist");
    classes.retain(|class| *class != Class::Broadcast || !is_factored);
    classes.push(Class::Empty);
    let variants = variants(operator.info.function());
    let cell = |dtype: DType| match takes.contains(dtype) {
        true => Cell::with_variants(&[dtype], &classes, variants),
        false => Cell::with_variants(&[dtype], &classes[..1], &variants[..1]),
    };
    pool(takes).into_iter().map(cell).collect()
}

/// Adds square matrices: small numbers, and larger ones on the diagonal. Half of them mirror the other half if they are
/// symmetric.
fn squares(call: &mut Call<'_>, dtype: DType, batch: i64, n: i64, is_symmetric: bool) {
    let mut elements = Vec::new();
    for _ in 0..batch {
        let numbers: Vec<i64> = (0..n * n).map(|_| call.draw.between(-2, 2)).collect();
        for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let at = if is_symmetric && row < column { column * n + row } else { row * n + column };
            let diagonal = if row == column { 4 * n } else { 0 };
            elements.extend(encode(dtype, (numbers[at as usize] + diagonal) as f64));
        }
    }
    let layout = call.class.layout();
    call.push(Argument::Tensor(Tensor::new(Role::Read, dtype, &[batch, n, n], layout, elements)));
}

pub(super) fn make(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    let (batch, n) = if call.class == Class::Empty { (0, 3) } else { (2, 4) };
    let (is_upper, is_second) = (call.variant.starts_with("upper"), call.variant == "complete");
    let p = match call.variant {
        "p0" => 0.0,
        "p1" => 1.0,
        "p3" => 3.0,
        "infinity" => f64::INFINITY,
        _ => 2.0,
    };
    let has_sign = !matches!(dtype, DType::Bool | DType::U8);
    let small = if has_sign { Domain::Whole(-2, 2) } else { Domain::Whole(0, 2) };
    match call.name() {
        "Inverse" => {
            squares(call, dtype, batch, n, false);
            call.write(dtype, &[batch, n, n]);
        }
        "LinalgQr" | "Qr" => {
            call.read(dtype, &[batch, n, 2], small);
            if call.name() == "Qr" {
                call.flag(!is_second)
            } else {
                call.int(is_second.into())
            }
            let k = if is_second { n } else { 2 };
            call.write(dtype, &[batch, n, k]);
            call.write(dtype, &[batch, k, 2]);
        }
        "Slogdet" | "Logdet" => {
            squares(call, dtype, batch, n, false);
            call.write(dtype, &[batch]);
            if call.name() == "Slogdet" {
                call.write(dtype, &[batch]);
            }
        }
        "LinalgCholesky" => {
            squares(call, dtype, batch, n, true);
            call.flag(is_upper);
            call.write(dtype, &[batch, n, n]);
        }
        // Vectors have free signs.
        "Svd" => {
            call.read(dtype, &[batch, n, 3], small);
            call.flag(false);
            call.flag(false);
            call.write(dtype, &[batch, 3]);
            call.write(dtype, &[0]);
            call.write(dtype, &[0]);
        }
        "TriangularSolve" => {
            call.read(dtype, &[batch, n, 2], small);
            squares(call, dtype, batch, n, false);
            call.flag(is_upper);
            call.flag(call.variant.ends_with("transposed"));
            call.flag(false);
            call.write(dtype, &[batch, n, 2]);
            call.write(dtype, &[batch, n, n]);
        }
        "LinalgCross" => {
            let sizes = [n, 3, batch];
            call.read(dtype, &sizes, small);
            call.read(dtype, &sizes, small);
            call.int(1);
            call.write(dtype, &sizes);
        }
        "Trace" => {
            call.read(dtype, &[n, batch], small);
            let is_counted = dtype.is_integer() || dtype == DType::Bool;
            call.write(if is_counted { DType::I64 } else { dtype }, &[]);
        }
        "Cdist" | "CdistBackward" => {
            if call.name() == "CdistBackward" {
                call.read(dtype, &[batch, n, 5], small);
            }
            call.read(dtype, &[batch, n, 3], small);
            call.read(dtype, &[batch, 5, 3], small);
            if call.name() == "CdistBackward" {
                call.read(dtype, &[batch, n, 5], Domain::Whole(1, 4));
            }
            call.push(Argument::Float(p));
            match call.name() {
                "Cdist" => {
                    call.int(2);
                    call.write(dtype, &[batch, n, 5]);
                }
                _ => call.write(dtype, &[batch, n, 3]),
            }
        }
        "Pdist" | "PdistForward" => {
            let rows = if call.class == Class::Empty { 0 } else { n };
            call.read(dtype, &[rows, 3], small);
            match call.name() {
                "Pdist" => call.push(Argument::Float(p)),
                _ => call.scalar(F32, p),
            }
            call.write(dtype, &[rows * (rows - 1) / 2]);
        }
        _ => call.unserved(),
    }
}
