//! Conversions, fills and sequences.

use aclnn_numerics::DType::{self, F32, F64, I64};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, SHAPES, SHAPES_IN_PLACE, is_in_place, pool, unique};
use crate::declared::{Operator, Signature};
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let pool = pool(takes);
    let classes: &[Class] = match (operator.signature, is_in_place(operator)) {
        (Signature::Sequence(_), _) => &[Class::Contiguous, Class::Strided, Class::Empty],
        (_, true) => &SHAPES_IN_PLACE,
        (_, false) => &SHAPES,
    };
    let plain = if is_in_place(operator) { Class::InPlace } else { Class::Contiguous };
    let pairs = match operator.info.function() {
        "zero" | "one" => pool.iter().map(|own| vec![*own]).collect(),
        "fill_scalar" => {
            pool.iter().flat_map(|own| [vec![*own, *own], vec![*own, F32], vec![*own, I64]]).collect()
        }
        "arange" | "range" | "linspace" | "logspace" => {
            pool.iter().flat_map(|out| [vec![F64, *out], vec![I64, *out]]).collect()
        }
        _ => pool.iter().flat_map(|from| pool.iter().map(|to| vec![*from, *to])).collect::<Vec<_>>(),
    };
    let is_taken = |types: &[DType]| match operator.signature {
        Signature::Sequence(_) => types.last().is_some_and(|out| takes.contains(*out)),
        _ => types.iter().all(|dtype| takes.contains(*dtype)),
    };
    let mut cells: Vec<Cell> = unique(pairs)
        .into_iter()
        .map(|types| Cell::new(&types, if is_taken(&types) { classes } else { std::slice::from_ref(&plain) }))
        .collect();
    if operator.info.function() == "copy" {
        for cell in &mut cells {
            if cell.cases.len() > 1 {
                cell.cases.push((Class::Broadcast, String::new()));
            }
        }
    }
    cells
}

pub(super) fn make(call: &mut Call<'_>) {
    let (first, second) = (call.dtype(0), call.dtype(1));
    let dims = match (call.name(), call.class) {
        // Room for the numbers beside which a conversion differs.
        ("Cast", Class::Contiguous) | ("InplaceCopy", Class::InPlace) => vec![16, 9],
        (_, class) => class.dims(),
    };
    match call.name() {
        "Cast" => {
            call.read(first, &dims, converted(first, second));
            call.push(Argument::DType(second));
            call.write(second, &dims);
        }
        "InplaceCopy" => {
            let (to, from) = (first, second);
            call.update(to, &dims, Domain::Finite);
            let narrow = if call.class == Class::Broadcast { vec![9] } else { dims };
            let layout = call.class.layout();
            let elements = call.elements(from, &narrow, layout, converted(from, to));
            let source = crate::verify::case::Tensor::new(
                crate::verify::case::Role::Read,
                from,
                &narrow,
                layout,
                elements,
            );
            call.push(Argument::Tensor(source));
        }
        "InplaceFillScalar" => {
            call.update(first, &dims, Domain::Finite);
            call.scalar(second, 3.0);
        }
        "InplaceZero" | "InplaceOne" => call.update(first, &dims, Domain::Finite),
        "Arange" | "Range" | "Linspace" | "LogSpace" => sequence(call, first, second),
        _ => call.unserved(),
    }
}

/// Numbers whose conversion is described: a float that an unsigned integer does not hold has no rule in the open sources,
/// and a complex one that a small integer does not hold neither.
fn converted(from: DType, to: DType) -> Domain {
    let is_number = from.is_float() || from.is_complex();
    match to {
        DType::U8 | DType::U16 | DType::U32 | DType::U64 if is_number => Domain::Between(0.0, 100.0),
        to if to.is_integer() && from.is_complex() => Domain::Between(-100.0, 100.0),
        // Which number of a small float stands for one that it does not hold is not described.
        to if to.bits() == 8 && to.is_float() && is_number => Domain::Between(-4.0, 4.0),
        to => Domain::Converted(to),
    }
}

fn sequence(call: &mut Call<'_>, scalar: DType, out: DType) {
    let is_empty = call.class == Class::Empty;
    let (start, step, count) = (1.0, if scalar.is_float() && !out.is_integer() { 0.5 } else { 2.0 }, 9);
    call.scalar(scalar, start);
    if matches!(call.name(), "Linspace" | "LogSpace") {
        let count = if is_empty { 0 } else { count };
        call.scalar(scalar, start + step * 8.0);
        call.int(count);
        if call.name() == "LogSpace" {
            call.push(Argument::Float(1.5));
        }
        return call.write(out, &[count]);
    }
    let includes_end = call.name() == "Range";
    let elements = match (is_empty, includes_end) {
        (false, _) => count,
        (true, false) => 0,
        (true, true) => 1,
    };
    let steps = elements - i64::from(includes_end);
    call.scalar(scalar, start + step * steps as f64);
    call.scalar(scalar, step);
    call.write(out, &[elements]);
}
