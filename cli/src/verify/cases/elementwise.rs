//! Functions of the elements of one to three operands at one position, with attributes.

use std::ffi::CString;

use aclnn_numerics::DType::{self, Bool, C32, C64, C128, F16, F32, F64, I32, I64, U8};
use aclnn_numerics::product::Product;
use aclnn_numerics::promote::Edition;
use aclnn_numerics::signature::{Operands, Scalars, Shapes};
use aclnn_sys::operators::{Parameter, ParameterKind};

use super::call::{Call, Cell, is_in_place, pool, unique};
use crate::declared::{Operator, Signature};
use crate::verify::borders::Format;
use crate::verify::case::{Argument, Class, Layout, Role, Tensor};
use crate::verify::draw::{Domain, is_unsigned};
use crate::verify::elements::encode;
use crate::verify::tolerance;

/// What a parameter is to a case.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// A tensor or scalar of a type of the case.
    Operand,
    /// Several tensors of the type of the case.
    List,
    Attribute,
    Output,
}

fn part(operator: &Operator, parameter: &Parameter) -> Part {
    use ParameterKind::*;
    match parameter.kind {
        Tensor | TensorMut | TensorOrNull | InOut | InOutConst if parameter.name != "buffer" => Part::Operand,
        Out | OutConst => Part::Output,
        Tensors => Part::List,
        Scalar if matches!(operator.signature, Signature::Promote(_)) => match parameter.name {
            "alpha" | "value" | "weight" => Part::Attribute,
            _ => Part::Operand,
        },
        _ => Part::Attribute,
    }
}

fn count(operator: &Operator, wanted: Part) -> usize {
    operator.info.parameters.iter().filter(|parameter| part(operator, parameter) == wanted).count()
}

/// The types of one operand are listed with those of the output; several operands by all pairs, or each type beside f32
/// where there are three. Types that are not taken are tried, too, in few cases.
pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let pool = pool(takes);
    let few = |own: DType| !takes.contains(own);
    let types: Vec<Vec<DType>> = match count(operator, Part::Operand) {
        0 | 1 if is_in_place(operator) => pool.iter().map(|own| vec![*own]).collect(),
        0 | 1 => pool
            .iter()
            .flat_map(|own| {
                if few(*own) { vec![*own] } else { DType::TABLE.to_vec() }
                    .into_iter()
                    .map(|out| vec![*own, out])
            })
            .collect(),
        2 => pool
            .iter()
            .flat_map(|a| pool.iter().map(|b| vec![*a, *b]))
            // A type that is refused is tried beside itself and beside f32.
            .filter(|pair| !pair.iter().any(|own| few(*own)) || pair[0] == pair[1] || pair.contains(&F32))
            .collect(),
        _ => pool.iter().flat_map(|own| triples(operator, *own)).collect(),
    };
    let has_output = count(operator, Part::Output) > 0;
    unique(types)
        .into_iter()
        .map(|types| {
            let has_out_type = count(operator, Part::Operand) <= 1 && types.len() == 2;
            let natural = result(operator, &types, product);
            let is_taken = match types.as_slice() {
                [own, out] if has_out_type => takes.contains(*own) && natural == *out,
                _ => types.iter().all(|dtype| takes.contains(*dtype)) && promoted(operator, &types).is_some(),
            };
            if !is_taken && !is_where_with_a_mask(operator, &types) {
                return Cell::new(&types, &[plain(operator)]);
            }
            let mut cell = Cell::new(&types, &classes(operator, &types, natural));
            if has_output && !has_out_type {
                let to = DType::TABLE
                    [types.iter().map(|dtype| *dtype as usize).sum::<usize>() % DType::TABLE.len()];
                if to != natural {
                    cell.cases.push((Class::Contiguous, format!("to-{to}")));
                }
            }
            cell
        })
        .collect()
}

/// The condition of `SWhere` is no number, and its types are not on the list of the operands.
fn is_where_with_a_mask(operator: &Operator, types: &[DType]) -> bool {
    operator.info.function() == "where_" && matches!(types, [Bool | U8, a, b] if a == b)
}

fn triples(operator: &Operator, own: DType) -> Vec<Vec<DType>> {
    if operator.info.function() == "where_" {
        return vec![vec![Bool, own, own], vec![U8, own, own], vec![Bool, own, F32], vec![Bool, F32, own]];
    }
    let mut all = vec![vec![own; 3]];
    if own != F32 {
        all.extend([vec![own, F32, F32], vec![F32, own, F32], vec![F32, F32, own]]);
    }
    all
}

fn plain(operator: &Operator) -> Class {
    if is_in_place(operator) { Class::InPlace } else { Class::Contiguous }
}

fn classes(operator: &Operator, types: &[DType], natural: DType) -> Vec<Class> {
    let may_alias = types.first() == Some(&natural) && has_first_tensor(operator) && shape_is_kept(operator);
    Class::ALL
        .into_iter()
        .filter(|class| match class {
            Class::Contiguous => !is_in_place(operator),
            Class::InPlace => is_in_place(operator) || may_alias,
            Class::Broadcast => !is_in_place(operator) || count(operator, Part::Operand) > 1,
            _ => true,
        })
        .collect()
}

fn has_first_tensor(operator: &Operator) -> bool {
    operator.info.parameters.first().is_some_and(|first| first.kind == ParameterKind::Tensor)
}

/// Returns whether the result has a place for each element.
fn shape_is_kept(operator: &Operator) -> bool {
    !matches!(operator.info.function(), "equal" | "is_in_scalar_tensor")
}

/// The type to which operands are promoted, if they are.
fn promoted(operator: &Operator, types: &[DType]) -> Option<DType> {
    let operands: Vec<Parameter> = operator
        .info
        .parameters
        .iter()
        .filter(|parameter| part(operator, parameter) == Part::Operand)
        .collect();
    let types = if operator.info.function() == "where_" { types.get(1..)? } else { types };
    let first = *types.first()?;
    let is_scalar = |parameter: &Parameter| parameter.kind == ParameterKind::Scalar;
    match (types, operands.as_slice()) {
        // A scalar counts less than a tensor, unless its class is higher.
        ([a, b], [x, y]) if is_scalar(x) != is_scalar(y) => {
            let (tensor, scalar) = if is_scalar(x) { (*b, *a) } else { (*a, *b) };
            if rank(scalar) > rank(tensor) {
                Edition::Library.promote(tensor, scalar).ok()
            } else {
                Some(tensor)
            }
        }
        _ => types.iter().skip(1).try_fold(first, |a, b| Edition::Library.promote(a, *b).ok()),
    }
}

/// The order of the classes of types in a promotion.
fn rank(dtype: DType) -> u8 {
    match dtype {
        Bool => 0,
        dtype if dtype.is_integer() => 1,
        dtype if dtype.is_float() => 2,
        _ => 3,
    }
}

/// The type of the output that an operator has by itself for operands of these types.
fn result(operator: &Operator, types: &[DType], product: Product) -> DType {
    let own = types.first().copied().unwrap_or(F32);
    let promoted = promoted(operator, types).unwrap_or(own);
    match operator.signature {
        Signature::Promote(_) if matches!(operator.info.function(), "complex" | "polar") => match own {
            F64 => C128,
            F16 => C32,
            _ => C64,
        },
        Signature::Promote(_) if count(operator, Part::Operand) <= 1 => own,
        Signature::Promote(rule) => {
            let result = rule.result(promoted);
            match rule.output {
                Some(listed) if !listed.on(product).contains(result) => F32,
                _ => result,
            }
        }
        Signature::Unary(rule) => {
            let result = rule.result(own);
            if rule.refuses_output(product, own, result).is_some() { F32 } else { result }
        }
        Signature::Parametric(rule) => match rule.operands {
            Operands::Promoting | Operands::PromotingTo => promoted,
            Operands::Widened if types.iter().any(|other| *other != own) || own == F64 => F32,
            _ => own,
        },
        _ => own,
    }
}

/// Adds the arguments in the order of the parameters.
pub(super) fn make(call: &mut Call<'_>) {
    let (operator, types) = (call.operator, call.types);
    let has_out_type = count(operator, Part::Operand) <= 1 && types.len() == 2;
    let natural = result(operator, types, call.product);
    let out = match call.variant.strip_prefix("to-") {
        Some(name) => DType::TABLE.into_iter().find(|dtype| dtype.short_name() == name).unwrap_or(natural),
        None if has_out_type => types[1],
        None => natural,
    };
    let mut operands = 0;
    let mut dims: Vec<Vec<i64>> = Vec::new();
    for parameter in operator.info.parameters {
        match part(operator, &parameter) {
            Part::Operand => {
                let dtype = call.dtype(operands);
                let domain = domain(call, operands, out);
                if matches!(parameter.kind, ParameterKind::Scalar | ParameterKind::ScalarOrNull) {
                    let element = call.draw.elements(dtype, 3, domain);
                    let size = dtype.bits() / 8;
                    call.push(Argument::Scalar(dtype, element[..size].to_vec()));
                } else {
                    let shape = shape(call, operands, &dims);
                    operand(call, &parameter, dtype, &shape, domain);
                    dims.push(shape);
                }
                operands += 1;
            }
            Part::List => {
                let shape = call.class.dims();
                let shapes = match call.class {
                    Class::Broadcast => vec![vec![4, 1], vec![9], vec![4, 9]],
                    _ => vec![shape; 3],
                };
                let (dtype, domain) = (call.dtype(0), domain(call, 0, out));
                let list = shapes
                    .iter()
                    .map(|shape| {
                        let layout = call.class.layout();
                        let elements = call.elements(dtype, shape, layout, domain);
                        Tensor::new(Role::Read, dtype, shape, layout, elements)
                    })
                    .collect();
                call.push(Argument::Tensors(list));
                dims.extend(shapes);
            }
            Part::Attribute => {
                let argument = attribute(call, &parameter, natural);
                call.push(argument);
            }
            Part::Output => {
                let shape = match operator.info.function() {
                    "equal" => vec![1],
                    "is_in_scalar_tensor" => vec![],
                    _ => dims.iter().fold(Vec::new(), |all: Vec<i64>, one| broadcast(&all, one)),
                };
                let is_first_operand =
                    matches!(call.arguments.first(), Some(Argument::Tensor(first)) if first.dims == shape);
                if call.class == Class::InPlace && is_first_operand {
                    if let Some(Argument::Tensor(first)) = call.arguments.first_mut() {
                        first.role = Role::ReadAndWritten;
                    }
                    call.push(Argument::Same(0));
                } else {
                    call.write(out, &shape);
                }
            }
        }
    }
}

fn operand(call: &mut Call<'_>, parameter: &Parameter, dtype: DType, shape: &[i64], domain: Domain) {
    let repeats = call.class == Class::Broadcast && !broadcasts(call.operator) && call.arguments.is_empty();
    match parameter.kind {
        ParameterKind::InOut | ParameterKind::InOutConst => call.update(dtype, shape, domain),
        _ if repeats => call.read(dtype, shape, domain),
        _ => {
            let layout = call.class.layout();
            let elements = call.elements(dtype, shape, layout, domain);
            call.push(Argument::Tensor(Tensor::new(Role::Read, dtype, shape, layout, elements)));
        }
    }
}

/// Returns whether operands of different shapes are broadcast to one.
fn broadcasts(operator: &Operator) -> bool {
    let several = operator.info.parameters.iter().filter(|parameter| {
        use ParameterKind::*;
        matches!(parameter.kind, Tensor | TensorMut | TensorOrNull | InOut | InOutConst | Tensors)
    });
    match operator.signature {
        Signature::Promote(_) => {
            several.count() > 1 && !matches!(operator.info.function(), "equal" | "complex")
        }
        Signature::Parametric(rule) => matches!(rule.shapes, Shapes::Broadcasting | Shapes::Counted),
        _ => false,
    }
}

/// The shape of an operand.
fn shape(call: &Call<'_>, number: usize, before: &[Vec<i64>]) -> Vec<i64> {
    let dims = call.class.dims();
    if let Signature::Parametric(rule) = call.operator.signature
        && rule.shapes == Shapes::Channels
        && number == 1
    {
        return vec![if call.class == Class::Contiguous { 1 } else { dims.get(1).copied().unwrap_or(1) }];
    }
    if call.class != Class::Broadcast || !broadcasts(call.operator) {
        return dims;
    }
    match (call.is_in_place(), before.len()) {
        (true, 0) => vec![4, 9],
        (false, 0) => vec![4, 1],
        (_, 1) => vec![9],
        _ => vec![1, 9],
    }
}

fn broadcast(a: &[i64], b: &[i64]) -> Vec<i64> {
    let rank = a.len().max(b.len());
    let size = |dims: &[i64], axis: usize| (axis + dims.len()).checked_sub(rank).map_or(1, |axis| dims[axis]);
    (0..rank).map(|axis| if size(a, axis) == 1 { size(b, axis) } else { size(a, axis) }).collect()
}

/// The numbers of an operand: none for which the result is not described.
fn domain(call: &Call<'_>, number: usize, out: DType) -> Domain {
    let dtype = call.dtype(number);
    let whole = !call.types.iter().any(|dtype| dtype.is_float() || dtype.is_complex());
    let is_scalar_first =
        call.operator.info.parameters.first().is_some_and(|first| first.kind == ParameterKind::Scalar);
    match (call.function(), number) {
        // What a division of integers by zero makes is not described.
        ("floor_divide" | "fmod" | "remainder" | "div_mod", 1) | ("addcdiv", 2) if whole => Domain::Divisor,
        ("floor_divide" | "fmod" | "remainder" | "div_mod", _) => Domain::Finite,
        ("left_shift" | "right_shift", 1) => Domain::Whole(0, dtype.bits() as i64 + 1),
        // The magnitude of the least integer has no place in its type.
        ("gcd", _) => Domain::Finite,
        ("pow", 1) if whole => Domain::Whole(if is_unsigned(dtype) { 0 } else { -2 }, 5),
        ("pow", _) => Domain::Finite,
        // Most numbers from −4 to 4 would be moved to a bound.
        ("logit", _) => Domain::Between(-0.25, 1.25),
        // A number is the same in the type of every element.
        _ if is_scalar_first && number == 0 => Domain::Finite,
        // Which integer a float becomes that it does not hold depends on the unit that converts.
        _ if (call.types.iter().any(|dtype| dtype.is_float())) && out.is_integer() => Domain::Whole(0, 8),
        _ => match (rounded_to(call, number, out), tolerance::of(call.operator).is_exact()) {
            (Some(to), true) => Domain::Converted(to),
            (None, true) => Domain::Any,
            (Some(to), false) if tolerance::of(call.operator).once => Domain::Narrowed(to),
            (_, false) => Domain::Moderate,
        },
    }
}

/// The float type with fewer digits to which an operand is converted before the function, or its result behind it.
fn rounded_to(call: &Call<'_>, number: usize, out: DType) -> Option<DType> {
    let own = call.dtype(number);
    let computed = promoted(call.operator, call.types).unwrap_or(own);
    let digits = |dtype: DType| match Format::of(dtype) {
        Some(format) => format.digits as usize,
        None => dtype.bits() - 1,
    };
    let is_rounded = |from: DType, to: DType| Format::of(to).is_some() && digits(to) < digits(from);
    let is_number = Format::of(own).is_some() || own.is_integer();
    [computed, out]
        .into_iter()
        .filter(|_| is_number)
        .find(|to| is_rounded(own, *to) || is_rounded(computed, *to))
}

/// The value of an attribute, by its name.
fn attribute(call: &Call<'_>, parameter: &Parameter, natural: DType) -> Argument {
    let own = call.dtype(0);
    let number = match (call.function(), parameter.name) {
        // Beside special numbers the factor is 1: whether a product is rounded before it is added is not described.
        ("add" | "add_relu" | "sub" | "rsub" | "add_v3", "alpha") if call.class == Class::Contiguous => 1.0,
        ("add" | "add_relu" | "sub" | "rsub" | "add_v3", "alpha") => {
            if natural == Bool {
                1.0
            } else {
                2.0
            }
        }
        ("addcmul" | "addcdiv", "value") => 2.0,
        ("softplus" | "softplus_backward", "threshold") => 20.0,
        (_, "clipValueMin" | "min") => {
            if is_unsigned(own) {
                1.0
            } else {
                -1.0
            }
        }
        (_, "clipValueMax" | "max") => 3.0,
        (_, "threshold" | "scale" | "decimals") => 1.0,
        (_, "value") => 3.0,
        (_, "alpha" | "beta" | "betaOptional") => 1.5,
        (_, "negativeSlope" | "bias") => 0.25,
        (_, "posinf") => 9.0,
        (_, "neginf") => -9.0,
        (_, "rtol" | "atol" | "eps") => 0.125,
        _ => 0.5,
    };
    let own_scalars = match call.operator.signature {
        Signature::Parametric(rule) => {
            matches!(rule.scalars, Scalars::AsOperands | Scalars::ListedAsOperands)
        }
        Signature::Promote(_) => true,
        _ => false,
    };
    let scalar = |dtype: DType| Argument::Scalar(dtype, encode(dtype, number));
    match parameter.kind {
        ParameterKind::Scalar | ParameterKind::ScalarMut | ParameterKind::ScalarOrNull
            if call.function().starts_with("lerp") =>
        {
            scalar(F32)
        }
        ParameterKind::Scalar | ParameterKind::ScalarMut | ParameterKind::ScalarOrNull if own_scalars => {
            scalar(match natural {
                C32 | C64 | C128 => F32,
                Bool if parameter.name == "alpha" && own != Bool => I32,
                dtype if dtype.is_integer() => I64,
                dtype => dtype,
            })
        }
        ParameterKind::Scalar | ParameterKind::ScalarMut | ParameterKind::ScalarOrNull => scalar(F32),
        ParameterKind::F32 | ParameterKind::F64 => Argument::Float(number),
        ParameterKind::Bool => Argument::Bool(parameter.name == "equal_nan"),
        ParameterKind::Int if call.function() == "div_mod" => {
            Argument::Int(if own.is_float() { 1 } else { 2 } - i64::from(call.class == Class::Strided))
        }
        ParameterKind::I64
        | ParameterKind::U64
        | ParameterKind::I32
        | ParameterKind::I8
        | ParameterKind::Int => Argument::Int(number as i64),
        ParameterKind::Str | ParameterKind::StrMut => Argument::Text(CString::from(c"tanh")),
        // What the library keeps for a gradient and does not read again.
        ParameterKind::Tensor => {
            Argument::Tensor(Tensor::new(Role::Read, own, &[0], Layout::Contiguous, Vec::new()))
        }
        _ => Argument::Null,
    }
}
