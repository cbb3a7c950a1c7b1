//! Comparisons, truth values, and choices by them.

use aclnn::{DType, Tensor, ops};

use super::elements::{alike, in_order};
use super::operator::Operator;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::elements::{Pair, broadcast_places, each, pairs, truths};
use crate::run::{Call, Prepared, Values};
use aclnn_numerics::layout::broadcast;

/// Expands to a comparison of two numbers on the host, the same for integers and for floats.
macro_rules! comparison {
    ($a:ident, $b:ident, $is:expr) => {
        Pair {
            ints: |$a, $b| Some(i128::from($is)),
            floats: |$a, $b| f64::from($is),
            result: Some(DType::Bool),
        }
    };
}

/// Expands to a function of two truth values on the host.
macro_rules! truth {
    ($operator:tt) => {
        Pair { ints: |a, b| Some(a $operator b), floats: |_, _| f64::NAN, result: Some(DType::Bool) }
    };
}

pub(super) const OPERATORS: &[Operator] = &[
    Operator::binary("And", 1, |a, b| a.logical_and(b), truth!(&)),
    Operator::binary("Or", 1, |a, b| a.logical_or(b), truth!(|)),
    Operator::binary("Xor", 1, |a, b| a.logical_xor(b), truth!(^)),
    Operator::node("Not", 1, not),
    Operator::node("Equal", 1, equal),
    Operator::node("Greater", 1, |_| compare(|a, b| a.gt(b), comparison!(a, b, a > b))),
    Operator::node("GreaterOrEqual", 12, |_| compare(|a, b| a.ge(b), comparison!(a, b, a >= b))),
    Operator::node("Less", 1, |_| compare(|a, b| a.lt(b), comparison!(a, b, a < b))),
    Operator::node("LessOrEqual", 12, |_| compare(|a, b| a.le(b), comparison!(a, b, a <= b))),
    Operator::node("IsInf", 10, is_inf),
    Operator::node("IsNaN", 9, is_nan),
    Operator::node("Where", 9, where_),
    Operator::node("BitCast", 26, bit_cast),
];

const EQUAL: Pair = comparison!(a, b, a == b);

fn compare(device: fn(&Tensor, &Tensor) -> Result<Tensor, aclnn::Error>, host: Pair) -> NodeResult<Prepared> {
    Ok(Prepared::device(move |call| {
        let [a, b] = alike(call)?;
        in_order(call, [&a, &b], |[a, b]| device(a, b))
    })
    .or_host(move |call| pairs(&host, &call.array(0)?, &call.array(1)?)))
}

fn not(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| call.widened([&call.tensor(0)?], |[x]| x.logical_not()))
        .or_host(|call| each(&call.array(0)?, |x| 1 - x, |x| x)))
}

fn equal(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let [a, b] = alike(call)?;
        call.widened([&a, &b], |[a, b]| a.eq(b))
    })
    .or_host(|call| {
        let (a, b) = (call.array(0)?, call.array(1)?);
        if a.dtype() == DType::String { equal_strings(&a, &b) } else { pairs(&EQUAL, &a, &b) }
    }))
}

fn equal_strings(a: &Array, b: &Array) -> NodeResult<Array> {
    let (Some(left), Some(right)) = (a.strings(), b.strings()) else {
        return Reason::text(format!("it compares {a:?} with {b:?}"));
    };
    let Ok(shape) = broadcast(a.shape(), b.shape()) else {
        return Reason::text(format!("its operands are {a:?} and {b:?}, which do not broadcast"));
    };
    let (a, b) = (broadcast_places(a, &shape)?, broadcast_places(b, &shape)?);
    truths(a.iter().zip(&b).map(|(&a, &b)| left.get(a) == right.get(b)), &shape)
}

fn is_inf(node: &Node) -> NodeResult<Prepared> {
    let positive = node.flag("detect_positive", true)?;
    let negative = node.flag("detect_negative", true)?;
    let on_device = move |x: &Tensor| match (positive, negative) {
        (true, true) => x.abs()?.eq(f64::INFINITY),
        (true, false) => x.eq(f64::INFINITY),
        (false, true) => x.eq(f64::NEG_INFINITY),
        (false, false) => Tensor::zeros(x.stream(), x.shape(), DType::Bool),
    };
    Ok(Prepared::device(move |call| call.widened([&call.tensor(0)?], |[x]| on_device(x))).or_host(
        move |call| {
            let array = call.array(0)?;
            let found = |x: f64| x.is_infinite() && if x > 0.0 { positive } else { negative };
            truths(array.to_f64s()?.into_iter().map(found), array.shape())
        },
    ))
}

fn is_nan(_: &Node) -> NodeResult<Prepared> {
    let on_host = |call: &Call<'_>| {
        let array = call.array(0)?;
        truths(array.to_f64s()?.into_iter().map(f64::is_nan), array.shape())
    };
    Ok(Prepared::device(move |call| match call.dtype(0)? {
        DType::F32 | DType::F16 | DType::BF16 | DType::F64 => {
            Ok(Values::from(call.widened([&call.tensor(0)?], |[x]| x.is_nan())?))
        }
        // The device compares no floats of eight bits.
        _ => Ok(on_host(call)?.into()),
    })
    .or_host(on_host))
}

fn where_(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        if call.dtype(1)? == DType::String {
            return Ok(Values::from(chosen(call)?));
        }
        let (condition, a, b) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
        if a.dtype() != b.dtype() {
            return Reason::text(format!("it chooses between {} and {}", a.dtype(), b.dtype()));
        }
        Ok(call.widened([&a, &b], |[a, b]| ops::where_(&condition, a, b).run())?.into())
    })
    .or_host(chosen))
}

/// Chooses elements on the host.
fn chosen(call: &Call<'_>) -> NodeResult<Array> {
    let (condition, a, b) = (call.array(0)?, call.array(1)?, call.array(2)?);
    let shape = broadcast(a.shape(), b.shape()).and_then(|shape| broadcast(&shape, condition.shape()));
    let (Ok(shape), true) = (shape, a.dtype() == b.dtype()) else {
        return Reason::text(format!("it chooses by {condition:?} between {a:?} and {b:?}"));
    };
    let truths = condition.to_i64s()?;
    let from_condition = broadcast_places(&condition, &shape)?;
    let (from_a, from_b) = (broadcast_places(&a, &shape)?, broadcast_places(&b, &shape)?);
    let all = Array::joined(&[a.reshape([a.numel()])?, b.reshape([b.numel()])?])?;
    let places = from_condition.iter().zip(from_a.iter().zip(&from_b)).map(|(place, (&in_a, &in_b))| {
        match truths.get(*place) {
            Some(1) => in_a,
            _ => a.numel() + in_b,
        }
    });
    Ok(all.take(places, shape)?)
}

fn bit_cast(node: &Node) -> NodeResult<Prepared> {
    let Some(to) = node.dtype("to")? else { return Reason::text("its attribute `to` is missing") };
    Ok(Prepared::host("elements get another type as they are", move |call| {
        let array = call.array(0)?;
        if array.dtype().bits() != to.bits() || array.dtype() == DType::String {
            return Reason::text(format!("{array:?} has elements of another size than {to}"));
        }
        Ok(Array::new(to, array.shape().clone(), array.bytes().to_vec())?)
    }))
}
