//! Activations.

use aclnn::{DType, Tensor, ops};
use aclnn_numerics::layout::broadcast;

use super::elements::{InType, alike, of_floats};
use super::operator::Operator;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Celu", 12, celu),
    Operator::node("Elu", 6, elu),
    Operator::node("Gelu", 20, gelu),
    Operator::node("HardSigmoid", 6, hard_sigmoid),
    Operator::node("HardSwish", 14, |_| {
        of_floats(|x| x.hard_swish(), |x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0))
    }),
    Operator::node("LeakyRelu", 6, leaky_relu),
    Operator::node("Mish", 18, |_| of_floats(|x| x.mish(), |x| x * softplus(x).tanh())),
    Operator::node("PRelu", 1, prelu),
    Operator::node("Relu", 6, relu),
    Operator::node("Selu", 6, selu),
    Operator::node("Shrink", 9, shrink),
    Operator::unary("Sigmoid", 6, |x| x.sigmoid()),
    Operator::node("Softplus", 1, |_| of_floats(|x| x.softplus(1.0, 20.0), softplus)),
    Operator::unary("Softsign", 1, |x| x.div(&x.abs()?.add(1)?)),
    Operator::node("Swish", 24, swish),
    Operator::node("SwiGLU", 28, swiglu),
    Operator::node("ThresholdedRelu", 10, thresholded_relu),
];

/// `log(1 + eˣ)`
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

fn celu(node: &Node) -> NodeResult<Prepared> {
    let alpha = node.float("alpha", 1.0)?;
    let wide = f64::from(alpha);
    of_floats(move |x| x.celu(alpha), move |x| if x > 0.0 { x } else { wide * (x / wide).exp_m1() })
}

fn elu(node: &Node) -> NodeResult<Prepared> {
    let alpha = node.float("alpha", 1.0)?;
    Ok(Prepared::device(move |call| call.widened([&call.tensor(0)?], |[x]| x.elu(alpha, 1.0, 1.0))))
}

fn gelu(node: &Node) -> NodeResult<Prepared> {
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};
    match node.text("approximate", "none")?.as_str() {
        "none" => Ok(Prepared::device(|call| {
            let x = call.tensor(0)?;
            match x.dtype() {
                DType::F64 => Ok(x.mul(0.5)?.mul(&x.mul(FRAC_1_SQRT_2)?.erf()?.add(1)?)?),
                _ => call.widened([&x], |[x]| x.gelu_erf()),
            }
        })),
        "tanh" => of_floats(
            |x| x.gelu(),
            |x| 0.5 * x * (1.0 + (FRAC_2_PI.sqrt() * (x + 0.044715 * x * x * x)).tanh()),
        ),
        other => Reason::text(format!("its approximation is {other:?}, neither none nor tanh")),
    }
}

fn hard_sigmoid(node: &Node) -> NodeResult<Prepared> {
    let (alpha, beta) = (node.float("alpha", 0.2)?, node.float("beta", 0.5)?);
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        if alpha == 1.0 / 6.0 && beta == 0.5 && x.dtype() != DType::F64 {
            return call.widened([&x], |[x]| x.hard_sigmoid());
        }
        // Small floats are rounded once.
        let wide = if x.dtype() == DType::F64 { x.clone() } else { x.in_type(DType::F32)? };
        Ok(wide.mul(alpha)?.add(beta)?.clamp(0.0, 1.0)?.in_type(x.dtype())?)
    }))
}

fn leaky_relu(node: &Node) -> NodeResult<Prepared> {
    let alpha = node.float("alpha", 0.01)?;
    Ok(Prepared::device(move |call| call.widened([&call.tensor(0)?], |[x]| x.leaky_relu(alpha))))
}

fn prelu(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let [x, slope] = alike(call)?;
        if broadcast(x.shape(), slope.shape()).ok().as_ref() != Some(x.shape()) {
            return Reason::text(format!(
                "its slope {:?} does not broadcast to {:?}",
                slope.dims(),
                x.dims()
            ));
        }
        prelu_of(call, &x, &slope)
    }))
}

fn prelu_of(call: &Call<'_>, x: &Tensor, slope: &Tensor) -> NodeResult<Tensor> {
    let missing = x.rank().saturating_sub(slope.rank());
    let along_channels = slope
        .dims()
        .iter()
        .enumerate()
        .all(|(axis, &size)| size == 1 || axis + missing == 1 && x.dims().get(1) == Some(&size));
    if x.dtype().is_float() && x.dtype() != DType::F64 && along_channels {
        let weight = slope.contiguous()?.reshape([slope.numel()])?;
        return call.widened([x, &weight], |[x, weight]| x.prelu(weight));
    }
    match x.dtype() {
        // There are none below zero.
        DType::U32 | DType::U64 => Ok(x.clone()),
        _ => call.widened([x, slope], |[x, slope]| ops::where_(&x.lt(0)?, &x.mul(slope)?, x).run()),
    }
}

fn relu(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let x = call.tensor(0)?;
        match x.dtype() {
            DType::F64 => Ok(x.clamp_min(0.0)?),
            _ => call.widened([&x], |[x]| x.relu()),
        }
    }))
}

fn selu(node: &Node) -> NodeResult<Prepared> {
    let (alpha, gamma) = (node.float("alpha", 1.673_263_2)?, node.float("gamma", 1.050_701)?);
    Ok(Prepared::device(move |call| call.widened([&call.tensor(0)?], |[x]| x.elu(alpha, gamma, 1.0))))
}

fn shrink(node: &Node) -> NodeResult<Prepared> {
    let (bias, limit) = (node.float("bias", 0.0)?, node.float("lambd", 0.5)?);
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        // Numbers are compared as they are, and integers lose the fraction of the result.
        let wide = match x.dtype() {
            DType::F32 | DType::F16 | DType::F64 => x.clone(),
            _ => x.in_type(DType::F64)?,
        };
        let (greater, less) = (wide.gt(limit)?, wide.lt(-limit)?);
        let outer = ops::where_(&greater, &wide.sub(bias)?, 0).run()?;
        Ok(ops::where_(&less, &wide.add(bias)?, &outer).run()?.in_type(x.dtype())?)
    }))
}

/// `x · sigmoid(alpha · x)`
fn swish_of(x: &Tensor, alpha: f32) -> Result<Tensor, aclnn::Error> {
    match (x.dtype(), alpha == 1.0) {
        (DType::F64, _) => x.mul(&x.mul(f64::from(alpha))?.sigmoid()?),
        (_, true) => x.silu(),
        (_, false) => x.swish(alpha),
    }
}

fn swish(node: &Node) -> NodeResult<Prepared> {
    let alpha = node.float("alpha", 1.0)?;
    Ok(Prepared::device(move |call| call.widened([&call.tensor(0)?], |[x]| swish_of(x, alpha))))
}

fn swiglu(node: &Node) -> NodeResult<Prepared> {
    let alpha = node.float("alpha", 1.0)?;
    Ok(Prepared::device(move |call| {
        let [a, b] = alike(call)?;
        if a.dims() != b.dims() {
            return Reason::text(format!("its inputs have the shapes {:?} and {:?}", a.dims(), b.dims()));
        }
        call.widened([&a, &b], |[a, b]| swish_of(a, alpha)?.mul(b))
    }))
}

fn thresholded_relu(node: &Node) -> NodeResult<Prepared> {
    let alpha = node.float("alpha", 1.0)?;
    Ok(Prepared::device(move |call| {
        call.widened([&call.tensor(0)?], |[x]| ops::where_(&x.gt(alpha)?, x, 0).run())
    }))
}
