//! Two products with an activation between them.

use aclnn_numerics::DType::{F32, I64};
use cann_kernels::axis::normalization::{gelu, silu};
use cann_kernels::functions::rows::{add_to_rows, gate_rows};
use cann_kernels::{Cause, Failure, allocation};

use super::batched::multiply;
use super::operands::one_of;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, sizes};
use crate::operators::lane_planner::{Planner, ints};
use crate::operators::signatures;
use crate::status::Result;

/// A function of one element.
type Activation = fn(f64) -> f64;

/// The activation by its name in any letter case, and whether it is that of one half for another.
fn activation(name: &str) -> Result<(Activation, bool)> {
    let gelu_by_tanh: Activation = |x| gelu(x, true);
    let relu: Activation = |x| if x > 0.0 || x.is_nan() { x } else { 0.0 };
    Ok(match name.to_ascii_lowercase().as_str() {
        "gelu" => (gelu_by_tanh, false),
        "fastgelu" => (|x| x / (1.0 + (-1.702 * x).exp()), false),
        "relu" => (relu, false),
        "silu" => (silu, false),
        "geglu" => (gelu_by_tanh, true),
        "swiglu" => (silu, true),
        "reglu" => (relu, true),
        _ => {
            return invalid(format_args!(
                "activation is \"{name}\", but must be gelu, fastgelu, relu, silu, geglu, swiglu or reglu"
            ));
        }
    })
}

/// The experts that rows are shared out among.
enum Experts {
    /// All rows have the same weights.
    None,
    Sizes(Vec<i64>),
    /// A list on the device.
    Later,
}

pub(super) fn feed_forward(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "weight1", "weight2", "y"])?;
    let [x, weight1, weight2, y] = &tensors;
    let all: Vec<&Operand> = tensors.iter().collect();
    let end = if call.has("bias1") { "" } else { "Optional" };
    let optional = |name: &str| call.optional_tensor(&format!("{name}{end}"));
    let (bias1, bias2) = (optional("bias1")?, optional("bias2")?);
    for name in [
        "scale",
        "offset",
        "deqScale1",
        "deqScale2",
        "antiquantScale1",
        "antiquantScale2",
        "antiquantOffset1",
        "antiquantOffset2",
    ] {
        if optional(name)?.is_some() {
            return check::not_emulated("feed-forward networks that are quantised");
        }
    }
    let own = check::alike(&all, signatures::feed_forward.takes)?;
    for bias in [bias1, bias2].iter().flatten() {
        one_of(bias, &[own, F32])?;
    }
    let (function, is_gated) = activation(&call.text("activation")?)?;
    let list =
        if call.has("expertTokensOptional") { call.optional_tensor("expertTokensOptional")? } else { None };
    let is_ends = call.has("tokensIndexFlag") && call.flag("tokensIndexFlag")?;
    let experts = match &list {
        Some(list) => {
            check::exactly(list, I64)?;
            Experts::Later
        }
        None if call.has("expertTokensOptional") => Experts::None,
        None => match call.optional("expertTokens", Call::ints)? {
            Some(list) if !list.is_empty() => Experts::Sizes(list.to_vec()),
            _ => Experts::None,
        },
    };
    check::rank(x)?;
    let Some((len, outer)) = x.shape()?.split_last() else { return invalid("x has no axes") };
    let (len, rows) = (*len, outer.iter().fold(1_usize, |all, size| all.saturating_mul(*size)));
    let (count, [k1, n1], [k2, n2]) = match &experts {
        Experts::None => (1, sizes(weight1)?, sizes(weight2)?),
        _ => {
            let ([count, k1, n1], [own, k2, n2]) = (sizes(weight1)?, sizes(weight2)?);
            if own != count {
                return invalid(format_args!(
                    "weight1 has {count} matrices and weight2 {own}; both must have as many"
                ));
            }
            (count, [k1, n1], [k2, n2])
        }
    };
    let between = if is_gated { n1 / 2 } else { n1 };
    if k1 != len || k2 != between || is_gated && (n1 % 2 != 0 || !matches!(experts, Experts::None)) {
        return invalid(format_args!(
            "x has {len} columns, weight1 {k1} rows and {n1} columns, and weight2 {k2} rows, which do not fit \
             together for this activation"
        ));
    }
    check::have_elements(&[bias1.as_ref()], count.saturating_mul(n1))?;
    check::have_elements(&[bias2.as_ref()], count.saturating_mul(n2))?;
    check::output_shape(y, &[outer, &[n2]].concat())?;
    let listed = match &experts {
        Experts::Sizes(list) => list.len(),
        Experts::Later => list.as_ref().map_or(Ok(0), |list| sizes::<1>(list).map(|[count]| count))?,
        Experts::None => 1,
    };
    if listed != count {
        return invalid(format_args!("expertTokens has {listed} entries, but weight1 {count} matrices"));
    }
    if x.is_empty() || y.is_empty() || weight1.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let matrices =
        |count: usize, rows: usize, columns: usize| count.saturating_mul(rows).saturating_mul(columns);
    let inputs = [
        planner.rows(x, matrices(1, rows, len))?,
        planner.rows(weight1, matrices(count, k1, n1))?,
        planner.rows(weight2, matrices(count, k2, n2))?,
        planner.read_if(bias1.as_ref(), matrices(1, count, n1), &Operand::in_order)?,
        planner.read_if(bias2.as_ref(), matrices(1, count, n2), &Operand::in_order)?,
        match &list {
            Some(list) => planner.numbers(list, count)?,
            None => None,
        },
    ];
    let out = planner.out(y, matrices(1, rows, n2))?;
    let numbers = if let Experts::Sizes(list) = experts { list } else { Vec::new() };
    let has_list = list.is_some();
    planner.try_lanes(
        1,
        inputs,
        [out],
        "feed-forward network",
        move |[x, w1, w2, b1, b2, late], [out]| {
            let number = |expert: usize| match (has_list, numbers.get(expert)) {
                (true, _) => i64::from(ints(late)[expert]),
                (false, Some(number)) => *number,
                (false, None) => rows as i64,
            };
            out.fill(0.0);
            let (mut wide, mut end) = (allocation::zeros::<f32>(rows * n1)?, 0);
            for expert in 0..count {
                let (start, number) = (end, number(expert));
                let size = usize::try_from(number).unwrap_or(usize::MAX);
                end = if is_ends { size } else { start.saturating_add(size) };
                if end < start || end > rows {
                    let message = format_args!(
                        "expertTokens has {number}, but x has {rows} rows and an expert begins at {start}"
                    );
                    return Err(Failure::new(Cause::AiCore, message));
                }
                if start == end {
                    continue;
                }
                let wide = &mut wide[..(end - start) * n1];
                let of =
                    |matrices: &[f32], size: usize| expert * size..(expert * size + size).min(matrices.len());
                multiply(
                    [end - start, len, n1],
                    [false; 2],
                    [&x[start * len..end * len], &w1[of(w1, k1 * n1)]],
                    wide,
                )?;
                let b1 = b1.get(of(b1, n1)).unwrap_or_default();
                add_to_rows(b1, wide);
                // A gated row becomes shorter, in the place where the others begin.
                gate_rows(function, [n1, between], is_gated, wide);
                let to = &mut out[start * n2..end * n2];
                let left = &wide[..(end - start) * between];
                multiply([end - start, between, n2], [false; 2], [left, &w2[of(w2, k2 * n2)]], to)?;
                let b2 = b2.get(of(b2, n2)).unwrap_or_default();
                add_to_rows(b2, to);
            }
            Ok(())
        },
    )?;
    Ok(planner.plan())
}
