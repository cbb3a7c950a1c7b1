//! A case as a library would compute it that breaks a rule of operands, axes or indices: if the reference makes just what was
//! found when it is called so, that rule is the likely cause.

use super::case::{Argument, Role, Tensor};
use super::elements::{decode, limits};
use crate::declared::Operator;

/// A rule that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Swap,
    AxisBefore,
    AxisBehind,
    IndexBehind,
    IndexBefore,
    Dense,
    Flag,
}

impl Change {
    pub(super) const ALL: [Change; 7] = [
        Change::Swap,
        Change::AxisBefore,
        Change::AxisBehind,
        Change::IndexBehind,
        Change::IndexBefore,
        Change::Dense,
        Change::Flag,
    ];

    pub(super) fn cause(self) -> &'static str {
        match self {
            Change::Swap => "order of operands: the first two are taken for each other",
            Change::AxisBefore => "wrong axis: the one before the axis that is named",
            Change::AxisBehind => "wrong axis: the one behind the axis that is named",
            Change::IndexBehind => "index off by one: the elements behind those that are named",
            Change::IndexBefore => "index off by one: the elements before those that are named",
            Change::Dense => "strides are ignored: operands are read as if they were contiguous",
            Change::Flag => "a flag is taken for its opposite",
        }
    }

    /// The arguments of the call that is tried; `None` where the rule means nothing for the operator.
    pub(super) fn arguments(self, operator: &Operator, arguments: &[Argument]) -> Option<Vec<Argument>> {
        let mut changed = arguments.to_vec();
        let names = operator.info.parameters.iter().map(|parameter| parameter.name);
        let mut is_changed = false;
        match self {
            Change::Swap => {
                let is_read = |argument: &Argument| matches!(argument, Argument::Tensor(tensor) if tensor.role == Role::Read);
                let mut read = arguments.iter().enumerate().filter(|(_, argument)| is_read(argument));
                changed.swap(read.next()?.0, read.next()?.0);
                is_changed = true;
            }
            Change::AxisBefore | Change::AxisBehind => {
                let by = if self == Change::AxisBefore { -1 } else { 1 };
                let rank = first_tensor(arguments)?.dims.len() as i64;
                let turned = |axis: i64| (axis + by).rem_euclid(rank);
                let is_axis = |name: &str| ["dim", "dims", "axis", "axes"].contains(&name);
                for (argument, _) in
                    changed.iter_mut().zip(names).filter(|(_, name)| rank > 1 && is_axis(name))
                {
                    match argument {
                        Argument::Int(axis) => *axis = turned(*axis),
                        Argument::Ints(axes) => axes.iter_mut().for_each(|axis| *axis = turned(*axis)),
                        _ => continue,
                    }
                    is_changed = true;
                }
            }
            Change::IndexBehind | Change::IndexBefore => {
                let by = if self == Change::IndexBehind { 1 } else { -1 };
                let is_index = |name: &str| name.starts_with("ind");
                for (argument, _) in changed.iter_mut().zip(names).filter(|(_, name)| is_index(name)) {
                    let Argument::Tensor(tensor) = argument else { continue };
                    is_changed |= tensor.role == Role::Read && shift(tensor, by);
                }
            }
            Change::Dense => {
                for argument in &mut changed {
                    let Argument::Tensor(tensor) = argument else { continue };
                    is_changed |= tensor.role == Role::Read && make_dense(tensor);
                }
            }
            Change::Flag => {
                let flag = changed.iter_mut().find_map(|argument| match argument {
                    Argument::Bool(flag) => Some(flag),
                    _ => None,
                })?;
                *flag = !*flag;
                is_changed = true;
            }
        }
        is_changed.then_some(changed)
    }
}

fn first_tensor(arguments: &[Argument]) -> Option<&Tensor> {
    arguments.iter().find_map(|argument| match argument {
        Argument::Tensor(tensor) => Some(tensor),
        Argument::Tensors(list) => list.first(),
        _ => None,
    })
}

/// Adds to each index; those at the end begin again.
fn shift(tensor: &mut Tensor, by: i64) -> bool {
    let (dtype, size) = (tensor.dtype, tensor.size());
    if limits(dtype).is_none() {
        return false;
    }
    let numbers: Vec<i64> =
        tensor.elements.chunks(size).map(|element| decode(dtype, element) as i64).collect();
    let count = numbers.iter().max().map_or(1, |greatest| greatest + 1);
    let moved = numbers.iter().map(|number| (number + by).rem_euclid(count));
    tensor.elements = moved.flat_map(|number| number.to_le_bytes().into_iter().take(size)).collect();
    true
}

/// Takes the elements from where they would lie without gaps.
fn make_dense(tensor: &mut Tensor) -> bool {
    let (first, length) = (tensor.offset as usize * tensor.size(), tensor.elements.len());
    let storage = tensor.storage();
    let Some(dense) = storage.get(first..).and_then(|rest| rest.get(..length)) else { return false };
    let is_changed = dense != tensor.elements;
    tensor.elements = dense.to_vec();
    is_changed
}
