//! The gradients of attention.

use aclnn_numerics::{DType, Shape};

use super::forward::{AttentionOutputs, CLEARS, MASK_ALONE, SCALED_FIRST};
use super::infer::UNLIMITED;
use super::options::Attention;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// The gradients of attention, each of the shape and the type of its operand.
#[derive(Debug, Clone)]
pub struct AttentionGradients {
    /// The gradient of the queries.
    pub query: Tensor,
    /// The gradient of the keys.
    pub key: Tensor,
    /// The gradient of the values.
    pub value: Tensor,
    /// The gradient of the bias, if there is one and each batch, head and query has its own.
    pub bias: Option<Tensor>,
}

impl Attention<'_> {
    /// Queues the computation of the gradients, for the gradient `grad` of the result and what
    /// [`run_for_gradients`](Attention::run_for_gradients) returned for the same operands and options.
    ///
    /// The gradient of a bias that batches, heads or queries share is left out: expand the bias to
    /// `[batch, head, query, key]` first, and sum up the gradient.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let query = Tensor::ones(&device, [1, 1, 1, 16], DType::F32)?;
    /// let key = Tensor::ones(&device, [1, 1, 2, 16], DType::F32)?;
    /// let value = Tensor::from_slice(&device, &[1.0f32, 3.0], [1, 1, 2, 1])?;
    /// let attention = ops::attention(&query, &key, &value);
    /// let forward = attention.run_for_gradients()?;
    /// let grads = attention.backward(&forward, &Tensor::ones(&device, [1, 1, 1, 1], DType::F32)?)?;
    /// // Each value counts for half of the result.
    /// assert_eq!(grads.value.to_vec::<f32>()?, [0.5, 0.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Attention::run`].
    #[doc(alias = "aclnnFlashAttentionScoreGrad")]
    #[doc(alias = "aclnnFlashAttentionScoreGradV2")]
    #[inline]
    pub fn backward(&self, forward: &AttentionOutputs, grad: &Tensor) -> Result<AttentionGradients> {
        let AttentionOutputs { out, max, sum } = forward;
        let operation =
            self.operation().tensor("out", out).tensor("max", max).tensor("sum", sum).tensor("grad", grad);
        let [query, value] =
            self.checked(&operation, ("FlashAttentionScoreGradV2", signatures::attention_backward.takes))?;
        self.trains(&operation)?;
        if grad.dtype() != out.dtype() || grad.shape() != out.shape() || out.dtype() != self.query.dtype() {
            return Err(operation.refused("grad must have the type and the shape of the result".to_owned()));
        }
        let expected = Shape::from([query.batch, query.heads, query.tokens, 8]);
        for (name, statistic) in [("max", max), ("sum", sum)] {
            if statistic.dtype() != DType::F32 || *statistic.shape() != expected {
                return Err(operation.refused(format!(
                    "{name} is {} {}, but that of this query is f32 {expected}",
                    statistic.dtype(),
                    statistic.shape()
                )));
            }
        }
        let like = |tensor: &Tensor| operation.empty(tensor.shape().clone(), tensor.dtype());
        let full = [query.batch, query.heads, query.tokens, value.tokens];
        let bias = self.bias.filter(|bias| bias.dims() == full).map(like).transpose()?;
        let gradients = AttentionGradients {
            query: like(self.query)?,
            key: like(self.key)?,
            value: like(self.value)?,
            bias,
        };
        let AttentionGradients { query: dq, key: dk, value: dv, bias } = &gradients;
        if dq.numel() == 0 || dk.numel() == 0 {
            for one in [dq, dk, dv].into_iter().chain(bias).filter(|one| one.numel() > 0) {
                launch::InplaceZero(operation.stream.into(), one)?;
            }
            return Ok(gradients);
        }
        let hidden = self.hidden(query, value)?;
        let (bits, keep) = self.dropout.unzip();
        launch::FlashAttentionScoreGradV2(
            operation.stream.into(),
            self.query,
            self.key,
            self.value,
            grad,
            self.bias,
            bits,
            None,
            hidden.as_ref(),
            Some(max),
            Some(sum),
            None,
            Some(out),
            None,
            None,
            None,
            self.factor(query),
            keep.unwrap_or(1.0),
            UNLIMITED,
            UNLIMITED,
            query.heads as i64,
            self.layout.name(),
            CLEARS,
            MASK_ALONE,
            SCALED_FIRST,
            dq,
            dk,
            dv,
            bias.as_ref(),
        )?;
        Ok(gradients)
    }
}
