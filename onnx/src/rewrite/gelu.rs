//! GELU and SiLU, as exporters write them.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

use super::pattern::Pattern;
use crate::graph::{FUSED, ValueId};

/// Returns whether a constant of a model is a number, which it holds in a shorter type.
fn is(given: f64, wanted: f64) -> bool {
    (given - wanted).abs() <= wanted.abs() * 1e-3
}

pub(super) fn rewrite(pattern: &mut Pattern, place: usize) -> Option<()> {
    let node = pattern.node(place)?;
    (node.domain.is_empty() && node.operator == "Mul").then_some(())?;
    let (values, number) = pattern.factors((*node.outputs.first()?)?);
    let &[a, b] = values.as_slice() else { return None };
    for (x, gate) in [(a, b), (b, a)] {
        let operator = if number == 1.0 && is_sigmoid(pattern, gate, x) {
            "Silu"
        } else if !is(number, 0.5) {
            continue;
        } else if is_one_and(pattern, gate, |inner| is_erf(pattern, inner, x)) {
            "Gelu"
        } else if is_one_and(pattern, gate, |inner| is_tanh(pattern, inner, x)) {
            "GeluTanh"
        } else {
            continue;
        };
        return pattern.replace(place, FUSED, operator, vec![Some(x)], Vec::new());
    }
    None
}

fn is_sigmoid(pattern: &Pattern, gate: ValueId, x: ValueId) -> bool {
    let node = pattern.made_by(gate, "Sigmoid");
    node.and_then(|node| pattern.input(&node, 0)) == Some(x)
}

/// Returns whether a value is 1 and another one.
fn is_one_and(pattern: &Pattern, id: ValueId, is_other: impl Fn(ValueId) -> bool) -> bool {
    let is_one = |id| pattern.number(id) == Some(1.0);
    let sum = pattern.made_by(id, "Add").and_then(|sum| pattern.either(&sum, is_one));
    sum.is_some_and(|[_, other]| is_other(other))
}

/// Returns whether a value is `erf(x / √2)`.
fn is_erf(pattern: &Pattern, id: ValueId, x: ValueId) -> bool {
    let argument = pattern.made_by(id, "Erf").and_then(|node| pattern.input(&node, 0));
    argument.is_some_and(|argument| {
        let (values, number) = pattern.factors(argument);
        values == [x] && is(number, FRAC_1_SQRT_2)
    })
}

/// Returns whether a value is `tanh(√(2 / π) · (x + 0.044715 · x³))`, in this form or with `x` before the parentheses.
fn is_tanh(pattern: &Pattern, id: ValueId, x: ValueId) -> bool {
    let argument = pattern.made_by(id, "Tanh").and_then(|node| pattern.input(&node, 0));
    let Some(argument) = argument else { return false };
    let (values, number) = pattern.factors(argument);
    if !is(number, FRAC_2_PI.sqrt()) {
        return false;
    }
    let sum_of = |id, is_first: &dyn Fn(ValueId) -> bool| {
        pattern.made_by(id, "Add").and_then(|sum| pattern.either(&sum, is_first))
    };
    match *values.as_slice() {
        [sum] => sum_of(sum, &|id| id == x).is_some_and(|[_, cube]| is_power(pattern, cube, x, 3)),
        [a, b] => [(a, b), (b, a)].into_iter().any(|(first, sum)| {
            first == x
                && sum_of(sum, &|id| pattern.number(id) == Some(1.0))
                    .is_some_and(|[_, square]| is_power(pattern, square, x, 2))
        }),
        _ => false,
    }
}

/// Returns whether a value is `0.044715` times a power of `x`.
fn is_power(pattern: &Pattern, id: ValueId, x: ValueId, exponent: usize) -> bool {
    let (values, number) = pattern.factors(id);
    let mut found = 0;
    for value in values {
        if value == x {
            found += 1;
            continue;
        }
        let power = pattern.made_by(value, "Pow").and_then(|node| pattern.two(&node));
        match power.map(|[base, power]| (base == x, pattern.number(power))) {
            Some((true, Some(power))) if power == 2.0 || power == 3.0 => found += power as usize,
            _ => return false,
        }
    }
    found == exponent && is(number, 0.044715)
}
