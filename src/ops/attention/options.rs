//! The operands of attention, the masks that hide keys, and the checks before anything is launched.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;

use super::layout::{HeadLayout, Sizes};
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::ops::prepared::prepared;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// Attention, with options.
///
/// Queries, keys and values have one type: f32, f16, or bf16 (not on the 910 and the 310P). The emulator computes in f32 and
/// rounds the result once; it adds up each element in one order, whatever the number of threads is.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Attention<'a> {
    pub(super) query: &'a Tensor,
    pub(super) key: &'a Tensor,
    pub(super) value: &'a Tensor,
    pub(super) layout: HeadLayout,
    scale: Option<f64>,
    pub(super) bias: Option<&'a Tensor>,
    mask: Option<&'a Tensor>,
    is_causal: bool,
    pub(super) dropout: Option<(&'a Tensor, f64)>,
    pub(super) lengths: Option<[&'a [i64]; 2]>,
    stream: Option<&'a Stream>,
}

/// Prepares attention: for each query, the values weighted by the softmax of how well their keys match it, `softmax(scale ·
/// query · keyᵀ + bias) · value`.
///
/// The axes are `[batch, head, token, element]` unless [`layout`](Attention::layout) says otherwise. Keys and values have as
/// many heads as queries, or fewer that queries share: with 8 heads of queries and 2 of keys, the first 4 use the first. A
/// value may have fewer elements than a key, and a query has at most 768.
///
/// Nothing is launched before [`Attention::run`].
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let query = Tensor::ones(&device, [1, 1, 2, 16], DType::F32)?;
/// let value = Tensor::from_slice(&device, &[1.0f32, 3.0], [1, 1, 2, 1])?;
/// // Both keys match alike, so that each query has the mean of the values that it sees.
/// let key = Tensor::ones(&device, [1, 1, 2, 16], DType::F32)?;
/// let attention = ops::attention(&query, &key, &value);
/// assert_eq!(attention.run()?.to_vec::<f32>()?, [2.0, 2.0]);
/// assert_eq!(attention.causal().run()?.to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "scaled_dot_product_attention")]
#[doc(alias = "aclnnFlashAttentionScore")]
#[doc(alias = "aclnnFlashAttentionScoreV2")]
#[inline]
pub fn attention<'a>(query: &'a Tensor, key: &'a Tensor, value: &'a Tensor) -> Attention<'a> {
    Attention {
        query,
        key,
        value,
        layout: HeadLayout::default(),
        scale: None,
        bias: None,
        mask: None,
        is_causal: false,
        dropout: None,
        lengths: None,
        stream: None,
    }
}

prepared! {
    ['a] Attention<'a>:
    on("the queries")
}

impl<'a> Attention<'a> {
    /// Sets the order of the axes of all operands and of the result.
    #[inline]
    pub fn layout(mut self, layout: HeadLayout) -> Self {
        self.layout = layout;
        self
    }

    /// Sets the factor of the products of queries and keys; the default is one over the square root of the elements of a query.
    #[inline]
    pub fn scale(mut self, scale: f64) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Adds a tensor of the type of the queries to the scaled products. Its axes are `[batch, head, query, key]`, of which the
    /// first three may have one element. Where it is −∞ for every key of a query, the result is 0.
    #[inline]
    pub fn bias(mut self, bias: &'a Tensor) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Hides keys from queries, where an element of a mask of bool or u8 is not 0; PyTorch's masks say the opposite. The axes
    /// are `[query, key]` or `[batch, head, query, key]`, of which the first two may have one element. The result of a query
    /// that sees nothing is 0.
    #[inline]
    pub fn mask(mut self, mask: &'a Tensor) -> Self {
        self.mask = Some(mask);
        self
    }

    /// Hides the keys behind each query: query `i` sees the keys up to `i`.
    #[inline]
    pub fn causal(mut self) -> Self {
        self.is_causal = true;
        self
    }

    /// Multiplies weights by 0, or by `1 / keep` where their bit in `bits` is 1. The bits, u8 and the lowest of each byte
    /// first, are in the order `[batch, head, query, key]`.
    #[inline]
    pub fn dropout(mut self, bits: &'a Tensor, keep: f64) -> Self {
        self.dropout = Some((bits, keep));
        self
    }

    /// Sets how many queries and keys of each batch count, one number for each batch or one for all; f16 and bf16 alone.
    ///
    /// Keys behind them are hidden, and the result of queries behind them is 0. The device's operator for inference does the
    /// work, which has no gradients and no dropout.
    #[inline]
    pub fn lengths(mut self, queries: &'a [i64], keys: &'a [i64]) -> Self {
        self.lengths = Some([queries, keys]);
        self
    }

    #[inline]
    pub(super) fn stream(&self) -> &'a Stream {
        self.stream.unwrap_or(self.query.stream())
    }

    /// Returns the operands under their names, for checks and messages.
    #[inline]
    pub(super) fn operation<'o>(&self) -> Operation<'o>
    where
        'a: 'o,
    {
        let operation = Operation::new("attention", self.stream())
            .tensor("query", self.query)
            .tensor("key", self.key)
            .tensor("value", self.value);
        let others = [("bias", self.bias), ("mask", self.mask), ("bits", self.dropout.map(|(bits, _)| bits))];
        others.into_iter().fold(operation, |operation, (name, tensor)| match tensor {
            Some(tensor) => operation.tensor(name, tensor),
            None => operation,
        })
    }

    /// Checks the operands of the operator `by`, and returns the sizes of queries and of values.
    #[inline]
    pub(super) fn checked(
        &self,
        operation: &Operation<'_>,
        (by, takes): (&'static str, Types),
    ) -> Result<[Sizes; 2]> {
        operation.placed()?;
        let dtype = self.query.dtype();
        operation.takes(by, takes, dtype)?;
        let bias = self.bias.map(|bias| ("bias", bias));
        for (name, tensor) in [("key", self.key), ("value", self.value)].into_iter().chain(bias) {
            if tensor.dtype() != dtype {
                return Err(operation
                    .refused(format!("{name} is {}, but must be {dtype}; cast it first", tensor.dtype())));
            }
        }
        let wrong = |what: &str| operation.refused(format!("{what} in the layout {:?}", self.layout));
        let query = self.layout.sizes(self.query.dims(), 0).ok_or_else(|| wrong("query has other axes"))?;
        let key =
            self.layout.sizes(self.key.dims(), query.elements).ok_or_else(|| wrong("key has other axes"))?;
        let width = match self.layout {
            HeadLayout::Bsh { .. } | HeadLayout::Sbh { .. } => {
                self.value.dims().last().copied().unwrap_or(0).checked_div(key.heads).unwrap_or(0)
            }
            _ => 0,
        };
        let value =
            self.layout.sizes(self.value.dims(), width).ok_or_else(|| wrong("value has other axes"))?;
        let fits = key == Sizes { heads: key.heads, tokens: key.tokens, ..query }
            && value == Sizes { elements: value.elements, ..key }
            && key.heads > 0
            && query.heads % key.heads == 0
            && (1..=768).contains(&query.elements)
            && value.elements <= key.elements;
        if !fits {
            return Err(operation.refused(
                "query, key and value must have the same batches, keys as many elements as queries and at most 768, values not \
                 more, and as many heads and tokens as keys, whose heads divide those of queries"
                    .to_owned(),
            ));
        }
        if let Some(bias) = self.bias.filter(|bias| bias.rank() != 4) {
            return Err(operation.refused(format!("bias has {} axes, but must have four", bias.rank())));
        }
        for (name, tensor) in [("bias", self.bias), ("mask", self.mask)] {
            let full = [query.batch, query.heads, query.tokens, key.tokens];
            let fits = |dims: &[usize]| {
                let missing = full.get(4_usize.saturating_sub(dims.len())..).unwrap_or(&[]);
                dims.len() == missing.len()
                    && dims.last() == missing.last()
                    && dims.iter().zip(missing).all(|(own, full)| own == full || *own == 1)
            };
            if tensor.is_some_and(|tensor| !matches!(tensor.rank(), 2 | 4) || !fits(tensor.dims())) {
                return Err(operation
                    .refused(format!("{name} does not fit {full:?} batches, heads, queries and keys")));
            }
        }
        if let Some(mask) = self.mask.filter(|mask| !matches!(mask.dtype(), DType::Bool | DType::U8)) {
            return Err(operation.refused(format!("mask is {}, but must be bool or u8", mask.dtype())));
        }
        if let Some((bits, keep)) = self.dropout {
            let weights = query
                .batch
                .saturating_mul(query.heads)
                .saturating_mul(query.tokens)
                .saturating_mul(key.tokens);
            if bits.dtype() != DType::U8 || bits.numel() < weights.div_ceil(8) || !(keep > 0.0 && keep <= 1.0)
            {
                return Err(operation.refused(format!(
                    "{weights} weights need a bit of u8 each, and a share of kept ones above 0 and at most 1, which is {keep}"
                )));
            }
        }
        Ok([query, value])
    }

    /// Returns the factor of products.
    #[inline]
    pub(super) fn factor(&self, query: Sizes) -> f64 {
        self.scale.unwrap_or(1.0 / (query.elements as f64).sqrt())
    }

    /// Returns the mask of what is hidden, if anything is.
    #[inline]
    pub(super) fn hidden(&self, query: Sizes, value: Sizes) -> Result<Option<Tensor>> {
        if !self.is_causal {
            return Ok(self.mask.cloned());
        }
        let mut behind = Tensor::ones(self.stream(), [query.tokens, value.tokens], DType::Bool)?;
        behind.triu_in_place(1)?;
        match self.mask {
            Some(mask) => Ok(Some(mask.logical_or(&behind)?)),
            None => Ok(Some(behind)),
        }
    }
}
