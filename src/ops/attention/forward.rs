//! The result of attention, and what its gradients need.

use aclnn_numerics::DType;

use super::layout::Sizes;
use super::options::Attention;
use crate::call::launch;
use crate::error::Result;
use crate::tensor::Tensor;

/// Every key, before and after the diagonal.
pub(super) const UNLIMITED: i64 = i32::MAX as i64;

/// The mode in which the mask alone hides keys, and the one in which a query that sees nothing has zeros.
pub(super) const MASK_ALONE: i64 = 1;
pub(super) const CLEARS: i64 = 2;

/// The products are scaled before the bias is added.
pub(super) const SCALED_FIRST: i64 = 0;

/// How often the library writes the numbers of a query.
const COPIES: usize = 8;

/// What comes of attention: the result, and what [`Attention::backward`] needs to know.
#[derive(Debug, Clone)]
pub struct AttentionOutputs {
    /// The result, of the type and the layout of the queries.
    pub out: Tensor,
    /// The greatest score of each query, `[batch, head, query, 8]` in f32, eight times each.
    pub max: Tensor,
    /// The sum of the exponentials of what the scores of a query are less than the greatest, as `max`.
    pub sum: Tensor,
}

impl Attention<'_> {
    /// Queues the operation and returns the result, a new tensor of the type and the layout of the queries.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    pub fn run(&self) -> Result<Tensor> {
        Ok(self.run_for_gradients()?.out)
    }

    /// Queues the operation and returns the result, and what [`Attention::backward`] needs beside it.
    ///
    /// # Errors
    /// As [`Attention::run`].
    pub fn run_for_gradients(&self) -> Result<AttentionOutputs> {
        let operation = self.operation();
        let [query, value] = self.checked(&operation)?;
        let dims = self.layout.dims(Sizes { elements: value.elements, ..query });
        let out = operation.empty(&dims[..], self.query.dtype())?;
        let known = [query.batch, query.heads, query.tokens, COPIES];
        let (max, sum) = (operation.empty(known, DType::F32)?, operation.empty(known, DType::F32)?);
        if out.numel() > 0 {
            let hidden = self.hidden(query, value)?;
            let (bits, keep) = self.dropout.unzip();
            launch::FlashAttentionScoreV2(
                operation.stream.into(),
                self.query,
                self.key,
                self.value,
                self.bias,
                bits,
                None,
                hidden.as_ref(),
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
                &max,
                &sum,
                None,
                &out,
            )?;
        }
        Ok(AttentionOutputs { out, max, sum })
    }
}
