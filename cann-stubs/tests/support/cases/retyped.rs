//! Cases whose outputs have another type than the result.

use std::collections::{BTreeMap, BTreeSet};

use aclnn_numerics::DType;

use super::{Argument, Case, Layout, Passed, destroy, planned_code};

/// A call with one of its outputs of another type than that of the result.
pub(crate) struct Retyped {
    pub(crate) operator: String,
    /// The number of the output among the arguments.
    pub(crate) number: usize,
    /// The type of the result.
    pub(crate) own: DType,
    /// The type of the tensors that are read, if they have one type.
    pub(crate) operands: Option<DType>,
    pub(crate) out: DType,
    /// The code of phase one.
    pub(crate) code: i32,
}

/// The most bytes that a case reads: larger ones take long to make, as often as there are types.
const MOST_BYTES: usize = 1 << 18;

/// Plans cases of a product with each type of CANN for each output: a few cases of every operator that differ in the type
/// of operands or of the result, that have elements, and that are not large.
pub(crate) fn with_outputs_of_each_type(cases: &[Case], product: &str, most: usize) -> Vec<Retyped> {
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut retyped = Vec::new();
    for case in cases {
        if case.product != product || case.code != 0 || case.arguments.iter().any(Argument::is_empty) {
            continue;
        }
        if case.arguments.iter().map(Argument::read_bytes).sum::<usize>() > MOST_BYTES {
            continue;
        }
        let operands = case.operands();
        for number in 0..case.arguments.len() {
            let Some(own) = case.arguments[number].output() else { continue };
            let (output, kind) = (format!("{}.{number}", case.operator), format!("{own} of {operands:?}"));
            let kinds = seen.entry(output).or_default();
            if kinds.len() == most || !kinds.insert(kind) {
                continue;
            }
            let types = DType::ALL.iter().filter(|dtype| dtype.acl_code().is_some());
            for (out, code) in case.planned_codes_of(number, types.copied()) {
                let operator = case.operator.clone();
                retyped.push(Retyped { operator, number, own, operands, out, code });
            }
        }
    }
    retyped
}

impl Case {
    /// Plans the call with an output of each type in turn; the other arguments are made once.
    fn planned_codes_of(&self, number: usize, types: impl Iterator<Item = DType>) -> Vec<(DType, i32)> {
        let mut places = Vec::new();
        let passed = self.pass(Layout::Contiguous, &mut places);
        let is_it = |(other, argument): (usize, &Argument)| {
            other == number || matches!(argument, Argument::Same(same) if *same == number)
        };
        let is_it: Vec<bool> = self.arguments.iter().enumerate().map(is_it).collect();
        let codes = types.map(|dtype| {
            let mut output = self.arguments[number].clone();
            output.retype(dtype);
            let mut own = Vec::new();
            let output = output.pass(Layout::Contiguous, &mut own);
            let all = passed.iter().zip(&is_it);
            let all: Vec<Passed> = all.map(|(one, is_it)| if *is_it { output } else { *one }).collect();
            let code = planned_code(&self.operator, &all);
            destroy(output);
            (dtype, code)
        });
        let codes = codes.collect();
        passed.into_iter().for_each(destroy);
        codes
    }

    /// The type of the tensors that are read, if all have the same one.
    fn operands(&self) -> Option<DType> {
        let types: BTreeSet<DType> = self.arguments.iter().flat_map(Argument::read_types).collect();
        types.first().copied().filter(|_| types.len() == 1)
    }
}

impl Argument {
    /// The type of an output, or of the outputs of a list.
    fn output(&self) -> Option<DType> {
        match self {
            Argument::Out { expected, .. } | Argument::Sized { expected, .. } => Some(expected.dtype),
            Argument::Tensors(list) => list.first().and_then(Argument::output),
            _ => None,
        }
    }

    /// Makes an output, or those of a list, of another type.
    fn retype(&mut self, dtype: DType) {
        match self {
            Argument::Out { expected, .. } | Argument::Sized { expected, .. } => {
                expected.dtype = dtype;
                expected.bytes = Vec::new();
            }
            Argument::Tensors(list) => list.iter_mut().for_each(|output| output.retype(dtype)),
            _ => {}
        }
    }

    fn read_types(&self) -> Vec<DType> {
        match self {
            Argument::Tensor(elements) | Argument::Spread(elements, _) => vec![elements.dtype],
            Argument::Tensors(list) => list.iter().flat_map(Argument::read_types).collect(),
            _ => Vec::new(),
        }
    }

    fn read_bytes(&self) -> usize {
        match self {
            Argument::Tensor(elements) | Argument::Spread(elements, _) => elements.bytes.len(),
            Argument::Tensors(list) => list.iter().map(Argument::read_bytes).sum(),
            _ => 0,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Argument::Tensor(elements)
            | Argument::Spread(elements, _)
            | Argument::Out { expected: elements, .. }
            | Argument::InOut { before: elements, .. }
            | Argument::Sized { expected: elements, .. } => elements.count() == 0,
            Argument::Tensors(list) => list.iter().any(Argument::is_empty),
            _ => false,
        }
    }
}
