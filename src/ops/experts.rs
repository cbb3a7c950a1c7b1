//! Mixtures of experts: which experts get a token, tokens in the order of their experts, and the sums of what experts return.

use aclnn_numerics::DType;

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

/// The most choices of a token.
const MOST: usize = 512;

/// Tokens in the order of their experts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ByExpert {
    /// A row for each choice, `[tokens · choices, elements]`: those of the first expert first, in the order of the tokens.
    pub rows: Tensor,
    /// The row of each choice, `[tokens · choices]` of i32: the first token's choices first.
    pub places: Tensor,
}

impl Tensor {
    /// Returns the probabilities of the `count` most likely experts of each token, and which these are, `[tokens, count]` of this
    /// type and of i32. This tensor has the scores of all experts, `[tokens, experts]` of f32, f16 or bf16.
    ///
    /// The probabilities are the softmax over all experts, or with `only_chosen` over those that are chosen, so that they add up
    /// to 1. The 910 and the 310P have no such operator.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let scores = Tensor::from_slice(&device, &[0.0f32, 2.0, 1.0, 2.0], [1, 4])?;
    /// let (weights, experts) = scores.choose_experts(2, true)?;
    /// assert_eq!(experts.to_vec::<i32>()?, [1, 3]);
    /// assert_eq!(weights.to_vec::<f32>()?, [0.5, 0.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnMoeGatingTopKSoftmaxV2")]
    #[inline]
    pub fn choose_experts(&self, count: usize, only_chosen: bool) -> Result<(Tensor, Tensor)> {
        let operation = Operation::new("choose_experts", self.stream()).tensor("self", self);
        operation.placed()?;
        operation.takes("MoeGatingTopKSoftmaxV2", signatures::gating_top_k_softmax_v2.takes, self.dtype())?;
        let [tokens, experts] = *self.dims() else {
            return Err(
                operation.refused("the scores must have two axes, of tokens and of experts".to_owned())
            );
        };
        let most = experts.min(1024);
        if !(1..=most).contains(&count) {
            return Err(
                operation.refused(format!("{count} of {experts} experts cannot be chosen, but 1 to {most}"))
            );
        }
        let weights = operation.empty([tokens, count], self.dtype())?;
        let experts = operation.empty([tokens, count], DType::I32)?;
        if tokens > 0 {
            launch::MoeGatingTopKSoftmaxV2(
                operation.stream.into(),
                self,
                None,
                count as i64,
                i64::from(only_chosen),
                false,
                &weights,
                &experts,
                None,
            )?;
        }
        Ok((weights, experts))
    }

    /// Returns a copy of each token for each of its experts, in the order of the experts, as [`grouped_matmul`] takes them. This
    /// tensor has tokens, `[tokens, elements]` of f32, f16 or bf16, and `experts` the numbers of their experts, `[tokens,
    /// choices]` of i32 or i64.
    ///
    /// [`Tensor::sum_of_experts`] brings the rows back. The 910 and the 310P have no such operator.
    ///
    /// [`grouped_matmul`]: crate::ops::grouped_matmul
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let tokens = Tensor::from_slice(&device, &[1.0f32, 2.0], [2, 1])?;
    /// let experts = Tensor::from_slice(&device, &[1, 0, 1, 2], [2, 2])?;
    /// let sorted = tokens.by_expert(&experts)?;
    /// assert_eq!(sorted.rows.to_vec::<f32>()?, [1.0, 1.0, 2.0, 2.0]);
    /// assert_eq!(sorted.places.to_vec::<i32>()?, [1, 0, 2, 3]);
    /// let halves = Tensor::full(&device, [2, 2], 0.5, aclnn::DType::F32)?;
    /// assert_eq!(sorted.rows.sum_of_experts(&sorted.places, &halves)?.to_vec::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tensor::choose_experts`].
    #[doc(alias = "aclnnMoeTokenPermute")]
    #[inline]
    pub fn by_expert(&self, experts: &Tensor) -> Result<ByExpert> {
        let operation =
            Operation::new("by_expert", self.stream()).tensor("self", self).tensor("experts", experts);
        operation.placed()?;
        operation.takes("MoeTokenPermute", signatures::token_permute.takes, self.dtype())?;
        if !matches!(experts.dtype(), DType::I32 | DType::I64) {
            return Err(operation.refused(format!("experts must be i32 or i64, not {}", experts.dtype())));
        }
        let (choices, elements) = match (self.dims(), experts.dims()) {
            (&[tokens, elements], &[rows, choices]) if tokens == rows && (1..=MOST).contains(&choices) => {
                (choices, elements)
            }
            _ => {
                let reason = format!(
                    "tokens and experts must have two axes and as many rows, with {MOST} experts at most"
                );
                return Err(operation.refused(reason));
            }
        };
        let count = experts.numel();
        let rows = operation.empty([count, elements], self.dtype())?;
        let places = operation.empty([count], DType::I32)?;
        if count > 0 && elements > 0 {
            let on = operation.stream.into();
            launch::MoeTokenPermute(on, self, experts, count as i64, false, &rows, &places)?;
        } else if count > 0 {
            return Err(
                operation.refused(format!("tokens of no elements have no rows for {choices} choices"))
            );
        }
        Ok(ByExpert { rows, places })
    }

    /// Returns for each token the sum of its experts' rows, each times its weight, `[tokens, elements]`. This tensor has the rows
    /// in the order of the experts, `places` the row of each choice, as [`Tensor::by_expert`] gives them, and `weights` is
    /// `[tokens, choices]` of f32, f16 or bf16. Sums are made in f32, in the order of the choices.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let rows = Tensor::from_slice(&device, &[1.0f32, 10.0], [2, 1])?;
    /// let places = Tensor::from_slice(&device, &[1, 0], [2])?;
    /// let weights = Tensor::from_slice(&device, &[0.5f32, 2.0], [1, 2])?;
    /// assert_eq!(rows.sum_of_experts(&places, &weights)?.to_vec::<f32>()?, [7.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tensor::choose_experts`].
    #[doc(alias = "aclnnMoeTokenUnpermute")]
    #[inline]
    pub fn sum_of_experts(&self, places: &Tensor, weights: &Tensor) -> Result<Tensor> {
        let operation = Operation::new("sum_of_experts", self.stream())
            .tensor("self", self)
            .tensor("places", places)
            .tensor("weights", weights);
        operation.placed()?;
        operation.takes("MoeTokenUnpermute", signatures::token_unpermute.takes, self.dtype())?;
        if places.dtype() != DType::I32 || !matches!(weights.dtype(), DType::F32 | DType::F16 | DType::BF16) {
            return Err(operation.refused("places must be i32, and weights f32, f16 or bf16".to_owned()));
        }
        let dims = match (self.dims(), weights.dims()) {
            (&[_, elements], &[tokens, choices])
                if places.rank() == 1
                    && places.numel() == weights.numel()
                    && (1..=MOST).contains(&choices) =>
            {
                [tokens, elements]
            }
            _ => {
                let reason = "rows and weights must have two axes, and places one number for each weight";
                return Err(operation.refused(reason.to_owned()));
            }
        };
        let out = operation.empty(dims, self.dtype())?;
        if out.numel() > 0 {
            let on = operation.stream.into();
            launch::MoeTokenUnpermute(on, self, places, Some(weights), false, None, &out)?;
        }
        Ok(out)
    }
}
