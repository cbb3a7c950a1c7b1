//! Products of matrices. Elements are whole and small, so that every sum is exact in every type.

use aclnn_numerics::DType::{self, Bool, F32};
use aclnn_numerics::product::Product;
use aclnn_numerics::promote::Edition;

use super::call::{Call, Cell, LAYOUTS, LAYOUTS_IN_PLACE, is_in_place, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

const SMALL: Domain = Domain::Whole(-4, 4);

/// Pairs of types for the factors that take some, and otherwise one type.
pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let classes: Vec<Class> = match is_in_place(operator) {
        true => LAYOUTS_IN_PLACE.to_vec(),
        false => {
            LAYOUTS.into_iter().filter(|class| *class != Class::Broadcast).chain([Class::Empty]).collect()
        }
    };
    let plain = &classes[..1];
    let mixes = matches!(
        operator.info.function(),
        "matmul" | "mm" | "batch_mat_mul" | "addmm" | "baddbmm" | "addbmm"
    );
    let types = pool(takes);
    if operator.info.function() == "einsum" {
        let cell = |dtype: &DType| match takes.contains(*dtype) {
            true => Cell::with_variants(&[*dtype], &classes, &["vectors", "outer"]),
            false => Cell::new(&[*dtype], plain),
        };
        return types.iter().map(cell).collect();
    }
    let mut cells = Vec::new();
    for left in &types {
        let taken = |dtype: &DType| if takes.contains(*dtype) { &classes[..] } else { plain };
        cells.push(Cell::new(&[*left, *left], taken(left)));
        let others = types.iter().filter(|right| mixes && *right != left && takes.contains(*left));
        cells.extend(others.map(|right| {
            Cell::new(&[*left, *right], if takes.contains(*right) { taken(left) } else { plain })
        }));
    }
    cells
}

pub(super) fn make(call: &mut Call<'_>) {
    let (left, right) = (call.dtype(0), call.dtype(1));
    let out = Edition::Library.promote(left, right).unwrap_or(F32);
    let k = if call.class == Class::Empty { 0 } else { 3 };
    let (batch, m, n) = (2, 4, 5);
    let has_sign = |dtype: DType| !matches!(dtype, Bool | DType::U8 | DType::U16 | DType::U32 | DType::U64);
    let domain = if has_sign(left) && has_sign(right) { SMALL } else { Domain::Whole(0, 4) };
    let one = if out == Bool {
        (Bool, 1.0)
    } else if out.is_integer() {
        (out, 2.0)
    } else {
        (F32, 2.0)
    };
    let factors = |call: &mut Call<'_>, a: &[i64], b: &[i64]| {
        call.read(left, a, domain);
        call.read(right, b, domain);
    };
    let scalars = |call: &mut Call<'_>| {
        call.scalar(one.0, one.1);
        call.scalar(one.0, one.1);
    };
    match call.function() {
        "matmul" | "mm" => {
            factors(call, &[m, k], &[k, n]);
            call.write(out, &[m, n]);
            call.int(0);
        }
        "batch_mat_mul" => {
            factors(call, &[batch, m, k], &[batch, k, n]);
            call.write(out, &[batch, m, n]);
            call.int(0);
        }
        "mv" => {
            factors(call, &[m, k], &[k]);
            call.write(out, &[m]);
            call.int(0);
        }
        "dot" => {
            factors(call, &[k], &[k]);
            call.write(out, &[]);
        }
        "ger" => {
            factors(call, &[m], &[k]);
            call.write(out, &[m, k]);
        }
        "addmm" | "addbmm" | "baddbmm" => {
            let outer: &[i64] = if call.function() == "addmm" { &[] } else { &[batch] };
            let sizes = if call.function() == "baddbmm" { vec![batch, m, n] } else { vec![m, n] };
            call.own(out, &sizes, domain);
            factors(call, &[outer, &[m, k]].concat(), &[outer, &[k, n]].concat());
            scalars(call);
            call.out(out, &sizes);
            call.int(0);
        }
        "einsum" => {
            let sizes: [&[i64]; 3] = match call.variant {
                "outer" => [&[k], &[n], &[k, n]],
                // An axis without elements is refused.
                _ => [&[batch, 2, m, 3], &[batch, 2, m, n, 3], &[batch, 2, m, n]],
            };
            let operands = [sizes[0], sizes[1]].map(|dims| call.tensor(left, dims, domain));
            call.push(Argument::Tensors(operands.into()));
            let equation = if call.variant == "outer" { c"a,b->ab" } else { c"abcd,abced->abce" };
            call.push(Argument::Text(equation.to_owned()));
            call.write(left, sizes[2]);
        }
        "addmv" => {
            call.read(left, &[m], domain);
            factors(call, &[m, k], &[k]);
            scalars(call);
            call.write(out, &[m]);
            call.int(0);
        }
        "addr" => {
            call.own(left, &[m, k], domain);
            factors(call, &[m], &[k]);
            scalars(call);
            call.out(out, &[m, k]);
        }
        "gemm" => {
            factors(call, &[m, k], &[n, k]);
            call.read(left, &[m, n], domain);
            [2.0, 0.5].into_iter().for_each(|factor| call.push(Argument::Float(factor)));
            call.int(0);
            call.int(1);
            call.write(out, &[m, n]);
            call.int(0);
        }
        // In place.
        "trans_matmul_weight" => call.update(left, &[16, 16], domain),
        _ => call.unserved(),
    }
}
