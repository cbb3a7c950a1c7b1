//! The result of attention, and what its gradients need.

use aclnn_numerics::DType;

use super::infer::{Inference, UNLIMITED};
use super::layout::{HeadLayout, Sizes};
use super::options::Attention;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// The mode in which the mask alone hides keys, and the one in which a query that sees nothing has zeros.
pub(super) const MASK_ALONE: i64 = 1;
pub(super) const CLEARS: i64 = 2;

/// The products are scaled before the bias is added.
pub(super) const SCALED_FIRST: i64 = 0;

/// How often the library writes the numbers of a query.
const COPIES: usize = 8;

/// The result of attention, and the statistics that [`Attention::backward`] needs.
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
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        match self.lengths {
            Some(_) => Ok(self.infer(false)?.0),
            None => Ok(self.run_for_gradients()?.out),
        }
    }

    /// Queues the operation by the device's operator for inference, for f16 and bf16, and returns the result and the logarithm
    /// of the sum of the exponentials of the scores of each query, `[batch, head, query, 1]` in f32; −∞ where a query sees
    /// nothing. With it results for some of the keys each are combined.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let query = Tensor::zeros(&device, [1, 1, 2, 16], DType::F16)?;
    /// let key = Tensor::ones(&device, [1, 1, 4, 16], DType::F16)?;
    /// // One query of two, and three keys of four.
    /// let (out, log_sum) = ops::attention(&query, &key, &key).lengths(&[1], &[3]).run_with_log_sum()?;
    /// assert_eq!(out.select(2, 0)?.cast(DType::F32)?.to_vec::<f32>()?, [1.0; 16]);
    /// assert_eq!(log_sum.to_vec::<f32>()?, [3f32.ln(), f32::NEG_INFINITY]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Attention::run`]; the layout [`Sbh`](crate::ops::HeadLayout::Sbh) is refused, and dropout.
    #[doc(alias = "aclnnFusedInferAttentionScoreV2")]
    #[inline]
    pub fn run_with_log_sum(&self) -> Result<(Tensor, Tensor)> {
        self.infer(true)
    }

    /// Launches the operator for inference.
    #[inline]
    fn infer(&self, wants_log_sum: bool) -> Result<(Tensor, Tensor)> {
        let operation = self.operation();
        let [query, value] =
            self.checked(&operation, ("FusedInferAttentionScoreV2", signatures::infer_attention.takes))?;
        if self.dropout.is_some() || matches!(self.layout, HeadLayout::Sbh { .. }) {
            return Err(
                operation.refused("the operator for inference has no dropout and no layout Sbh".to_owned())
            );
        }
        for (lengths, most) in self.lengths.into_iter().flatten().zip([query.tokens, value.tokens]) {
            let is_count = lengths.len() == 1 || lengths.len() == query.batch;
            if !is_count
                || lengths.iter().any(|length| usize::try_from(*length).map_or(true, |length| length > most))
            {
                let reason =
                    format!("{lengths:?} are no lengths of {} batches of at most {most} tokens", query.batch);
                return Err(operation.refused(reason));
            }
        }
        let dims = self.layout.dims(Sizes { elements: value.elements, ..query });
        let out = operation.empty(&dims[..], self.query.dtype())?;
        let log_sum = operation.empty([query.batch, query.heads, query.tokens, 1], DType::F32)?;
        if out.numel() == 0 {
            zero(&operation, [&log_sum])?;
            return Ok((out, log_sum));
        }
        let hidden = self.hidden(query, value)?;
        let [queries, keys] = self.lengths.map_or([None; 2], |lengths| lengths.map(Some));
        let inference = Inference {
            operands: [self.query, self.key, self.value],
            bias: self.bias,
            mask: hidden.as_ref(),
            lengths: [queries, keys],
            table: None,
            heads: [query.heads, value.heads],
            scale: self.factor(query),
            layout: self.layout.name(),
            sparse_mode: MASK_ALONE,
            inner_precise: CLEARS,
            out: &out,
            log_sum: Some(&log_sum),
            wants_log_sum,
        };
        inference.launch(&operation)?;
        Ok((out, log_sum))
    }

    /// Refuses lengths where gradients are needed.
    #[inline]
    pub(super) fn trains(&self, operation: &Operation<'_>) -> Result<()> {
        match self.lengths {
            Some(_) => {
                Err(operation.refused("there are no gradients with lengths; mask keys instead".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Queues the operation and returns the result, and what [`Attention::backward`] needs beside it.
    ///
    /// # Errors
    /// As [`Attention::run`].
    #[inline]
    pub fn run_for_gradients(&self) -> Result<AttentionOutputs> {
        let operation = self.operation();
        let [query, value] =
            self.checked(&operation, ("FlashAttentionScoreV2", signatures::attention.takes))?;
        self.trains(&operation)?;
        let dims = self.layout.dims(Sizes { elements: value.elements, ..query });
        let out = operation.empty(&dims[..], self.query.dtype())?;
        let known = [query.batch, query.heads, query.tokens, COPIES];
        let (max, sum) = (operation.empty(known, DType::F32)?, operation.empty(known, DType::F32)?);
        if out.numel() == 0 {
            zero(&operation, [&max, &sum])?;
        } else {
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

/// Writes zeros to what belongs to a result without elements.
fn zero<const N: usize>(operation: &Operation<'_>, statistics: [&Tensor; N]) -> Result<()> {
    let with_elements = statistics.into_iter().filter(|statistic| statistic.numel() > 0);
    with_elements
        .into_iter()
        .try_for_each(|statistic| launch::InplaceZero(operation.stream.into(), statistic))
}
