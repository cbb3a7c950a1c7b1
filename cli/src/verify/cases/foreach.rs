//! Functions of lists of tensors: two tensors in each list, of the sizes of the class and of others.

use aclnn_numerics::DType::{self, F16, F32, F64, I8, I32, I64};
use aclnn_numerics::product::Product;
use aclnn_sys::operators::ParameterKind;

use super::call::{Call, Cell, SHAPES, SHAPES_IN_PLACE, pool};
use crate::declared::Operator;
use crate::verify::case::{Argument, Class, Role, Tensor};
use crate::verify::draw::Domain;
use crate::verify::elements::encode;

/// Returns whether the list that is read first is the one that is written.
fn is_in_place(operator: &Operator) -> bool {
    operator.info.parameters.iter().any(|parameter| parameter.kind == ParameterKind::TensorsInOutConst)
}

pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let mut classes = match is_in_place(operator) {
        true => SHAPES_IN_PLACE.to_vec(),
        false => SHAPES.into_iter().filter(|class| *class != Class::Broadcast).collect(),
    };
    let plain = classes[0];
    if !is_in_place(operator) && !matches!(operator.info.function(), "foreach_norm" | "foreach_copy") {
        classes.push(Class::InPlace);
    }
    let classes = |dtype: &DType| if takes.contains(*dtype) { classes.clone() } else { vec![plain] };
    let variants: &[&str] = match operator.info.function() {
        "foreach_norm" => &["1", "2"],
        "foreach_round_off_number" => &["1", "2", "3", "5"],
        _ => &[""],
    };
    pool(takes).iter().map(|dtype| Cell::with_variants(&[*dtype], &classes(dtype), variants)).collect()
}

/// Numbers of which no function makes what depends on more than their digits.
fn domain(call: &Call<'_>, number: usize) -> Domain {
    match call.function() {
        "foreach_pow_list" if number > 0 => Domain::Whole(0, 4),
        function if function.starts_with("foreach_pow") => Domain::Between(1.0, 2.0),
        "foreach_acos" | "foreach_asin" => Domain::Between(-1.0, 1.0),
        function if function.starts_with("foreach_log") || function == "foreach_sqrt" => {
            Domain::Between(0.5, 4.0)
        }
        "foreach_div_list" | "foreach_reciprocal" => Domain::Divisor,
        "foreach_addcdiv" | "foreach_addcmul" | "foreach_norm" => Domain::Between(0.5, 4.0),
        "foreach_abs" | "foreach_neg" | "foreach_sign" | "foreach_copy" | "foreach_zero" => Domain::Any,
        _ => Domain::Between(-3.0, 3.0),
    }
}

pub(super) fn make(call: &mut Call<'_>) {
    let dtype = call.dtype(0);
    let shapes = [call.class.dims(), vec![5]];
    let (mut lists, mode) = (0, call.variant.parse().unwrap_or(2.0));
    for parameter in call.operator.info.parameters {
        let is_norm = call.function() == "foreach_norm";
        match parameter.kind {
            ParameterKind::TensorsOut if call.class == Class::InPlace => {
                call.push(Argument::Same(first_list(call)))
            }
            ParameterKind::TensorsOut if is_norm => {
                list(call, dtype, &[vec![], vec![1]], Role::Written, Domain::Any)
            }
            ParameterKind::TensorsOut => list(call, dtype, &shapes, Role::Written, Domain::Any),
            ParameterKind::Tensors | ParameterKind::TensorsInOutConst => {
                let is_written = lists == 0 && (call.class == Class::InPlace || is_in_place(call.operator));
                let role = if is_written { Role::ReadAndWritten } else { Role::Read };
                let domain = domain(call, lists);
                list(call, dtype, &shapes, role, domain);
                lists += 1;
            }
            ParameterKind::InOutConst => call.update(F32, &[1], Domain::Whole(0, 1)),
            ParameterKind::Tensor => {
                let count = if parameter.name == "scalars" { 2 } else { 1 };
                let of = match (parameter.name, dtype) {
                    ("roundMode", _) => I8,
                    ("invScale", _) => F32,
                    (_, F16) => F16,
                    (_, dtype) if dtype.is_float() => F32,
                    _ => I32,
                };
                call.read_numbers(of, &[count], &[mode as i64, 3][..count as usize]);
            }
            ParameterKind::Scalar if parameter.name == "roundMode" => call.scalar(I8, mode),
            ParameterKind::Scalar if parameter.name == "weight" || is_norm => {
                call.scalar(F32, if is_norm { mode } else { 0.25 });
            }
            ParameterKind::Scalar => call.scalar(if dtype.is_float() { F64 } else { I64 }, mode),
            ParameterKind::Scalars => {
                let of = if dtype.is_float() { F32 } else { I64 };
                call.push(Argument::Scalars(vec![(of, encode(of, 2.0)), (of, encode(of, 3.0))]));
            }
            _ => {}
        }
    }
}

/// The number of the first list among the arguments.
fn first_list(call: &Call<'_>) -> usize {
    call.arguments.iter().position(|argument| matches!(argument, Argument::Tensors(_))).unwrap_or(0)
}

pub(super) fn list(call: &mut Call<'_>, dtype: DType, shapes: &[Vec<i64>], role: Role, domain: Domain) {
    let layout = call.class.layout();
    let mut tensors = Vec::new();
    for dims in shapes {
        let elements = match role {
            Role::Written => Vec::new(),
            _ => call.elements(dtype, dims, layout, domain),
        };
        tensors.push(Tensor::new(role, dtype, dims, layout, elements));
    }
    call.push(Argument::Tensors(tensors));
}
