//! Losses: of two tensors of any shape, of rows with a class each, and of sequences.

use std::ffi::CString;

use aclnn_numerics::DType::{F32, I64, U8};
use aclnn_numerics::product::Product;

use super::call::{Call, Cell, LAYOUTS, SHAPES, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class};
use crate::verify::draw::Domain;

/// How losses are combined, as the variant of a case, in the order of their numbers.
const REDUCTIONS: [&str; 4] = ["none", "mean", "sum", "batchmean"];

const ROWS: [Class; 5] =
    [Class::Contiguous, Class::Broadcast, Class::Strided, Class::Transposed, Class::Empty];

fn has(operator: &Operator, name: &str) -> bool {
    operator.info.parameters.iter().any(|parameter| parameter.name == name)
}

/// Returns whether operands have a shape of their own.
fn has_rows(operator: &Operator) -> bool {
    let function = operator.info.function();
    ["nll_loss", "multilabel_margin_loss", "cross_entropy_loss", "softmax_cross_entropy", "ctc_loss"]
        .iter()
        .any(|prefix| function.starts_with(prefix))
}

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let all: Vec<Class> = match operator.info.function() {
        "mse_loss_out" => SHAPES.into_iter().filter(|class| *class != Class::NoAxes).collect(),
        "ctc_loss_backward" | "linear_max_sum" | "loss_with_max_sum" | "linear_cross_entropy_grad" => {
            LAYOUTS.to_vec()
        }
        _ if has_rows(operator) => ROWS.to_vec(),
        _ => SHAPES.to_vec(),
    };
    let reductions = match operator.info.function() {
        name if name.starts_with("kl_div") => &REDUCTIONS[..],
        _ if has(operator, "reduction") || has(operator, "reductionOptional") => &REDUCTIONS[..3],
        _ => &[""],
    };
    let cells = pool(takes).into_iter().map(|dtype| match takes.contains(dtype) {
        true => Cell::with_variants(&[dtype], &all, reductions),
        false => Cell::with_variants(&[dtype], &[Class::Contiguous], &reductions[..1]),
    });
    cells.collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    match call.function() {
        "ctc_loss" | "ctc_loss_backward" => sequences(call),
        "linear_max_sum" | "loss_with_max_sum" | "linear_cross_entropy_grad" => vocabulary(call),
        _ if has_rows(call.operator) => rows(call),
        _ => elements(call),
    }
}

fn reduction(call: &Call<'_>) -> usize {
    REDUCTIONS.iter().position(|name| *name == call.variant).unwrap_or(0)
}

/// Where the elements of an operand lie, for losses of probabilities and their logarithms.
fn domain(call: &Call<'_>, name: &str) -> Domain {
    match (call.function(), name) {
        ("binary_cross_entropy" | "binary_cross_entropy_backward", "self") => Domain::Between(0.0625, 0.9375),
        (function, "target") if function.starts_with("kl_div") => Domain::Between(0.0625, 1.0),
        (function, "target") if function.starts_with("binary") => Domain::Between(0.0, 1.0),
        (_, "weight" | "weightOptional" | "posWeightOptional") => Domain::Between(0.5, 2.0),
        _ => Domain::Between(-3.0, 3.0),
    }
}

fn elements(call: &mut Call<'_>) {
    let (dtype, dims, number) = (call.dtype(0), call.class.dims(), reduction(call));
    let is_gradient = call.function().ends_with("backward");
    let result = match call.function() {
        _ if is_gradient || number == 0 => dims.clone(),
        "mse_loss_out" => dims.get(1..).unwrap_or_default().to_vec(),
        _ => vec![],
    };
    for parameter in call.operator.info.parameters {
        match (parameter.name, parameter.kind.name()) {
            ("gradOutput" | "gradOut", _) if number > 0 => call.read(dtype, &[], Domain::Between(-3.0, 3.0)),
            // Weights that are left out.
            ("posWeightOptional", _) if number == 1 => call.push(Argument::Null),
            (name, "tensor" | "tensor_or_null") => {
                let domain = domain(call, name);
                call.read(dtype, &dims, domain);
            }
            (_, "out") => call.write(dtype, &result),
            (_, "f32") => call.push(Argument::Float(0.75)),
            (_, "bool") => call.flag(false),
            (_, "i64" | "i32" | "u64") => call.int(number as i64),
            _ => {}
        }
    }
}

fn rows(call: &mut Call<'_>) {
    let (dtype, number) = (call.dtype(0), reduction(call));
    let count = if call.class == Class::Empty { 0 } else { 4 };
    let of_images = call.name().contains("2d");
    let own: Vec<i64> = if of_images { vec![count, 5, 2, 3] } else { vec![count, 5] };
    let each: Vec<i64> = if of_images { vec![count, 2, 3] } else { vec![count] };
    // The generated operators give a reduced loss one axis.
    let single = if call.function() == "cross_entropy_loss" { vec![1] } else { vec![] };
    let loss = if number == 0 { each.clone() } else { single };
    let is_gradient = call.function().ends_with("backward") || call.function().ends_with("grad");
    for parameter in call.operator.info.parameters {
        match (parameter.name, parameter.kind.name()) {
            ("gradOutput" | "gradLoss", _) => call.read(dtype, &loss, Domain::Between(-3.0, 3.0)),
            ("self" | "input" | "features" | "logProb", _) => {
                call.read(dtype, &own, Domain::Between(-3.0, 0.0))
            }
            ("labels", _) => call.read(dtype, &own, Domain::Between(0.0, 0.25)),
            ("target", _) if call.function() == "multilabel_margin_loss" => {
                call.read_numbers(I64, &own, &[3, 0, -1, 2, 2].repeat(count as usize));
            }
            ("isTarget", _) => call.write(dtype, &own),
            ("target", _) => call.read(I64, &each, Domain::Whole(0, 4)),
            ("weight", _) => call.read(dtype, &[5], Domain::Between(0.5, 2.0)),
            ("weightOptional", _) => call.read(F32, &[5], Domain::Between(0.5, 2.0)),
            ("totalWeight", _) => call.read(dtype, &[], Domain::Between(1.0, 4.0)),
            ("reductionOptional", _) => {
                let text = CString::new(REDUCTIONS[number]).unwrap_or_default();
                call.push(Argument::Text(text));
            }
            ("ignoreIndex", _) => call.int(2),
            ("out", _) if is_gradient => call.write(dtype, &own),
            ("logProbOut" | "backprop", _) => call.write(dtype, &own),
            ("totalWeightOut", _) => call.write(dtype, &[]),
            ("lseForZlossOut" | "loss", _) => call.write(dtype, &each),
            (_, "out") => call.write(dtype, &loss),
            (_, "f64") => call.push(Argument::Float(0.0)),
            (_, "bool") => call.flag(false),
            (_, "i64") => call.int(number as i64),
            _ => call.absent(&parameter),
        }
    }
}

/// Rows whose classes several devices share; the targets of some are elsewhere.
fn vocabulary(call: &mut Call<'_>) {
    let (dtype, rows, len, classes) = (call.dtype(0), 4, 6, 5);
    for parameter in call.operator.info.parameters {
        match parameter.name {
            "input" => call.read(dtype, &[rows, len], Domain::Between(-1.0, 1.0)),
            "weight" => call.read(dtype, &[classes, len], Domain::Between(-1.0, 1.0)),
            "target" => call.read(I64, &[rows], Domain::Whole(0, 7)),
            "vocabStartIndex" => call.int(1),
            "vocabEndIndex" => call.int(1 + classes),
            "grad" | "logitsMax" | "logitsMaxOptional" => call.read(F32, &[rows], Domain::Between(1.0, 2.0)),
            "sumExpLogits" | "sumExpLogitsOptional" => call.read(F32, &[rows], Domain::Between(2.0, 4.0)),
            "predictedLogits" => call.read(F32, &[rows], Domain::Between(-3.0, -0.5)),
            "targetMask" => call.read_numbers(U8, &[1], &[0b0101]),
            "maskedTarget" => call.read(I64, &[rows], Domain::Whole(0, classes - 1)),
            "labelSmoothing" => call.push(Argument::Float(0.0)),
            "vocabParallelLogitsOptional" => call.read(F32, &[rows, classes], Domain::Between(-3.0, 0.0)),
            "targetMaskOut" => call.write(U8, &[1]),
            "maskedTargetOut" => call.write(I64, &[rows]),
            "vocabParallelLogitsOutOptional" => call.write(dtype, &[rows, classes]),
            "softMaxOutOptional" => call.write(F32, &[rows, classes]),
            "inputGradOut" => call.write(dtype, &[rows, len]),
            "weightGradOut" => call.write(dtype, &[classes, len]),
            "logitsMaxLocalOut" | "sumExpLogitsLocalOut" | "predictedLogitsLocalOut" | "lossOut" => {
                call.write(F32, &[rows]);
            }
            _ => call.absent(&parameter),
        }
    }
}

/// Sequences that are as long as they can be, with as many labels as they have room for, so that no element of a result is
/// without a meaning but for those that the 950 leaves out.
fn sequences(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    let (steps, count, classes, labels) = (6, if call.class == Class::Empty { 0 } else { 2 }, 5, 3);
    let states = if call.product == Product::Ascend950 { 2 * labels + 1 } else { 8 };
    for parameter in call.operator.info.parameters {
        match parameter.name {
            "logProbs" => call.read(dtype, &[steps, count, classes], Domain::Between(-3.0, -0.5)),
            "targets" => call.read(I64, &[count, labels], Domain::Whole(1, classes - 1)),
            "inputLengths" => call.ints(&vec![steps; count as usize]),
            "targetlengths" | "targetLengths" => call.ints(&vec![labels; count as usize]),
            "blank" => call.int(0),
            "zeroInfinity" => call.flag(true),
            "negLogLikelihoodOut" => call.write(dtype, &[count]),
            "gradOut" | "negLogLikelihood" => call.read(dtype, &[count], Domain::Between(0.5, 2.0)),
            "logAlphaOut" => call.write(dtype, &[count, steps, states]),
            "logAlpha" => call.read(dtype, &[count, steps, states], Domain::Between(-4.0, -0.5)),
            "out" => call.write(dtype, &[steps, count, classes]),
            _ => {}
        }
    }
}
