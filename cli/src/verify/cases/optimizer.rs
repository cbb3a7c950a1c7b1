//! Optimizer steps.

use aclnn_numerics::DType::{self, I32, I64};
use aclnn_numerics::product::Product;
use aclnn_sys::operators::ParameterKind;

use super::call::{Call, Cell, LAYOUTS_IN_PLACE, pool};
use super::foreach::list;
use crate::declared::Operator;
use crate::verify::case::{Argument, Class, Role, Tensor};
use crate::verify::draw::Domain;

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let classes: &[Class] = match operator.info.function() {
        "amp_update_scale" => &[Class::Contiguous],
        _ => &LAYOUTS_IN_PLACE,
    };
    let classes = |dtype: &DType| if takes.contains(*dtype) { classes } else { &classes[..1] };
    pool(takes).iter().map(|dtype| Cell::new(&[*dtype], classes(dtype))).collect()
}

pub(super) fn make(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    let dims = vec![4, 9];
    let shapes = [dims.clone(), vec![5]];
    for parameter in call.operator.info.parameters {
        // Second moments are not negative.
        let domain = match parameter.name {
            "vRef" | "expAvgSqsRef" => Domain::Between(0.25, 2.0),
            _ => Domain::Between(-2.0, 2.0),
        };
        match (parameter.name, parameter.kind) {
            ("currentScale", _) => call.read_numbers(dtype, &[1], &[64]),
            ("growthTracker", _) => call.read_numbers(I32, &[1], &[1]),
            ("foundInf", _) => call.read_numbers(dtype, &[1], &[0]),
            ("updatedScale", _) => call.write(dtype, &[1]),
            ("updatedGrowthTracker", _) => call.write(I32, &[1]),
            ("grad", _) => call.read(dtype, &dims, domain),
            ("step", _) => call.read_numbers(I64, &[1], &[3]),
            ("stateSteps", _) => list(call, I64, &[vec![1], vec![1]], Role::Read, Domain::Whole(1, 9)),
            ("maxExpAvgSqsRef" | "maxGradNormOptionalRef" | "maxGradNormOptional", _) => {
                call.push(Argument::Null)
            }
            ("gradScaleOptional" | "foundInfOptional", _) => call.push(Argument::Null),
            ("grads", _) => list(call, dtype, &shapes, Role::Read, domain),
            (_, ParameterKind::TensorsInOutConst) => list(call, dtype, &shapes, Role::ReadAndWritten, domain),
            (_, ParameterKind::InOut) => call.update(dtype, &dims, domain),
            // Powers of a beta, and the beta.
            (_, ParameterKind::Tensor) => {
                let element = call.elements(dtype, &[1], call.class.layout(), Domain::Between(0.25, 0.75));
                let number = Tensor::new(Role::Read, dtype, &[1], call.class.layout(), element);
                call.push(Argument::Tensor(number));
            }
            ("growthFactor", _) => call.push(Argument::Float(2.0)),
            ("growthInterval", _) => call.int(2),
            ("mode", _) => call.int(1),
            (_, ParameterKind::F32 | ParameterKind::F64) => call.push(Argument::Float(0.5)),
            ("biasCorrection", _) => call.flag(true),
            (_, ParameterKind::Bool) => call.flag(false),
            _ => {}
        }
    }
}
