//! Operands that may be absent: PyTorch's plugin passes a tensor with one axis and no elements where C programs pass null.

use std::collections::{BTreeMap, BTreeSet};

use aclnn_numerics::DType::F32;
use aclnn_sys::operators::{self, ParameterKind, Parameters};

use crate::support::cases::{Argument, Case, Elements, Layout, golden_cases};
use crate::support::device;

/// The call with an empty tensor in place of every optional operand that is null; none where no operand is.
fn with_empty_tensors(mut case: Case, parameters: &BTreeMap<&str, Parameters>) -> Option<Case> {
    let parameters = parameters.get(&case.operator[..]).expect("a declared operator");
    let mut count = 0;
    for (parameter, argument) in parameters.iter().zip(&mut case.arguments) {
        if parameter.kind == ParameterKind::TensorOrNull && matches!(argument, Argument::Null) {
            *argument = Argument::Tensor(Elements::of_dims(F32, &[0]));
            count += 1;
        }
    }
    (count > 0).then_some(case)
}

#[test]
fn empty_tensors_in_optional_places_count_as_absent() {
    device();
    // An empty bound is an empty operand there, of which CANN computes nothing.
    let cases = golden_cases().filter(|case| case.operator != "ClampTensor");
    let (mut failed, mut checked) = (Vec::new(), BTreeSet::new());
    let parameters = operators::all().map(|info| (info.name(), info.parameters)).collect();
    for case in cases.filter_map(|case| with_empty_tensors(case, &parameters)) {
        failed.extend(case.check(Layout::Contiguous).err());
        checked.insert(case.operator);
    }
    let some = failed[..failed.len().min(20)].join("\n");
    assert!(failed.is_empty(), "{} calls differ, among them:\n{some}", failed.len());
    assert!(checked.contains("QuantMatmulV5") && checked.len() > 50, "{checked:?}");
}
