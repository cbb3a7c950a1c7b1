//! What becomes of the scores of a model.

use aclnn::product::Product;
use aclnn::{DType, Tensor};

use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::Call;
use crate::value::Value;

/// A function of the scores of a row.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Transform {
    None,
    Softmax,
    Logistic,
    SoftmaxZero,
    Probit,
}

impl Transform {
    /// Reads the attribute with its name.
    pub(super) fn named(node: &Node) -> NodeResult<Transform> {
        Ok(match node.text("post_transform", "NONE")?.as_str() {
            "NONE" => Transform::None,
            "SOFTMAX" => Transform::Softmax,
            "LOGISTIC" => Transform::Logistic,
            "SOFTMAX_ZERO" => Transform::SoftmaxZero,
            "PROBIT" => Transform::Probit,
            other => return Reason::text(format!("its `post_transform` is `{other}`")),
        })
    }

    /// Reads the attribute with its number.
    pub(super) fn numbered(node: &Node) -> NodeResult<Transform> {
        Ok(match node.int("post_transform", 0)? {
            0 => Transform::None,
            1 => Transform::Softmax,
            2 => Transform::Logistic,
            3 => Transform::SoftmaxZero,
            4 => Transform::Probit,
            other => return Reason::text(format!("its `post_transform` is {other}")),
        })
    }

    /// Applies the function to rows of scores.
    pub(super) fn apply(self, scores: &Tensor) -> NodeResult<Tensor> {
        Ok(match self {
            Transform::None => scores.clone(),
            Transform::Softmax => scores.softmax(-1)?,
            Transform::Logistic => scores.sigmoid()?,
            Transform::SoftmaxZero => {
                // Scores of zero stay near zero, and do not become 1.
                let most = scores.max(-1)?.unsqueeze(-1)?;
                let powers = scores.sub(&most)?.exp()?;
                let small = scores.mul(&most.neg()?.exp()?)?;
                let powers = scores.abs()?.gt(1e-7)?.where_(&powers, &small)?;
                let sums = powers.sum(-1)?.unsqueeze(-1)?;
                let halves = powers.zeros_like()?.add(0.5)?;
                sums.eq(0)?.where_(&halves, &powers.div(&sums)?)?
            }
            // The inverse of the distribution function of the normal distribution.
            Transform::Probit => scores.mul(2)?.sub(1)?.erfinv()?.mul(std::f64::consts::SQRT_2)?,
        })
    }

    /// Returns the scores of two classes, where there are only those of the second one, `[rows, 1]`. They are opposite,
    /// unless they are probabilities.
    pub(super) fn of_two(self, scores: &Tensor, are_probabilities: bool) -> NodeResult<Tensor> {
        let opposite = match are_probabilities {
            true => scores.neg()?.add(1)?,
            false => scores.neg()?,
        };
        self.apply(&Tensor::cat(&[&opposite, scores], 1)?)
    }
}

/// Multiplies rows with weights, `[targets, features]`.
pub(super) fn product(call: &Call<'_>, rows: &Tensor, weights: &Value) -> NodeResult<Tensor> {
    let weights = call.on_device(weights)?;
    if rows.dims().get(1) != weights.dims().get(1) {
        return Reason::text(format!("rows of {:?} are not weighted by {:?}", rows.dims(), weights.dims()));
    }
    match call.device().product() {
        // Their matrix products would round f32 to f16.
        Some(Product::Ascend910 | Product::Ascend310P) => {
            Ok(rows.unsqueeze(1)?.mul(&weights.unsqueeze(0)?)?.sum(-1)?)
        }
        _ => Ok(rows.matmul(&weights.t()?)?),
    }
}

/// Returns features as rows of f32, or of f64 if `wide` and they are.
pub(super) fn features(call: &Call<'_>, wide: bool) -> NodeResult<Tensor> {
    let tensor = call.tensor(0)?;
    let tensor = match tensor.dtype() {
        DType::F32 => tensor,
        DType::F64 if wide => tensor,
        _ => tensor.cast(DType::F32)?,
    };
    match tensor.rank() {
        1 => Ok(tensor.unsqueeze(0)?),
        2 => Ok(tensor),
        _ => Reason::text(format!("its features have the shape {:?}", tensor.dims())),
    }
}
