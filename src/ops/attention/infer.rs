//! The launch of the device's operator of attention for inference.

use std::ffi::CStr;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::tensor::Tensor;

/// Every key, before and after the diagonal.
pub(super) const UNLIMITED: i64 = i32::MAX as i64;

/// Attention without gradients, with what this crate uses of the operator's parameters.
pub(super) struct Inference<'a> {
    /// Queries, keys and values.
    pub(super) operands: [&'a Tensor; 3],
    pub(super) bias: Option<&'a Tensor>,
    pub(super) mask: Option<&'a Tensor>,
    /// The numbers of queries and of keys that count.
    pub(super) lengths: [Option<&'a [i64]>; 2],
    /// The blocks of each sequence, of so many tokens.
    pub(super) table: Option<(&'a Tensor, usize)>,
    /// Heads of queries and of keys.
    pub(super) heads: [usize; 2],
    pub(super) scale: f64,
    pub(super) layout: &'static CStr,
    /// The way in which the mask hides keys.
    pub(super) sparse_mode: i64,
    /// What becomes of queries that see nothing.
    pub(super) inner_precise: i64,
    pub(super) out: &'a Tensor,
    pub(super) log_sum: Option<&'a Tensor>,
    pub(super) wants_log_sum: bool,
}

impl Inference<'_> {
    /// Queues the operator.
    #[inline]
    pub(super) fn launch(&self, operation: &Operation<'_>) -> Result<()> {
        let [query, key, value] = self.operands;
        let [queries, keys] = self.lengths;
        let [heads, shared] = self.heads.map(|heads| heads as i64);
        let (table, block_size) = self.table.unzip();
        launch::FusedInferAttentionScoreV2(
            operation.stream.into(),
            query,
            &[key],
            &[value],
            self.bias,
            self.mask,
            queries,
            keys,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            table,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            heads,
            self.scale,
            UNLIMITED,
            UNLIMITED,
            self.layout,
            shared,
            self.sparse_mode,
            self.inner_precise,
            block_size.unwrap_or(0) as i64,
            0,
            self.wants_log_sum,
            0,
            0,
            self.out,
            self.log_sum,
        )
    }
}
