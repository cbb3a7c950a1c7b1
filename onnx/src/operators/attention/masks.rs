//! Masks: which keys a query sees, and what is added to its products.

use aclnn::{DType, Tensor, ops};

use super::super::shapes::in_shape;
use crate::error::{NodeResult, Reason};
use crate::run::Call;

/// The keys that queries see by their places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    pub(super) is_causal: bool,
    /// The number of keys before a query and behind it, if that is limited.
    pub(super) left: Option<i64>,
    pub(super) right: Option<i64>,
}

/// The mask that hides keys.
#[derive(Default)]
pub(super) struct Mask {
    /// True for keys that a query sees, in a shape that broadcasts to `[batch, head, query, key]`.
    pub(super) seen: Option<Tensor>,
    /// A tensor that is added to the products, in such a shape.
    pub(super) bias: Option<Tensor>,
    /// Nothing but causality, counted from the first key, hides keys.
    pub(super) is_plainly_causal: bool,
}

/// The sizes of an attention.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub(super) queries: usize,
    pub(super) keys: usize,
    pub(super) past: usize,
}

/// Returns a tensor with at most four axes with four.
fn of_four_axes(tensor: &Tensor) -> NodeResult<Tensor> {
    let rank = tensor.rank();
    if rank > 4 {
        return Reason::text(format!("its mask has {rank} axes"));
    }
    let shape: Vec<usize> = std::iter::repeat_n(1, 4 - rank).chain(tensor.dims().iter().copied()).collect();
    in_shape(tensor, shape.into())
}

impl Mask {
    pub(super) fn of(
        call: &Call<'_>,
        given: Option<&Tensor>,
        lengths: Option<&Tensor>,
        reach: Reach,
        sizes: Sizes,
        dtype: DType,
    ) -> NodeResult<Mask> {
        let mut mask = Mask::default();
        if let Some(given) = given {
            mask.add(call, given, sizes.keys, dtype)?;
        }
        let offset = match lengths {
            // Each batch has keys of its own before its queries.
            Some(lengths) if sizes.past == 0 => {
                let lengths = in_shape(&lengths.cast(DType::I64)?, [lengths.numel(), 1, 1, 1].into())?;
                let keys = line(call, sizes.keys)?;
                mask.also(&keys.lt(&lengths)?)?;
                Some(lengths.sub(sizes.queries as i64)?)
            }
            _ => None,
        };
        if !reach.is_causal && reach.left.is_none() && reach.right.is_none() {
            return Ok(mask);
        }
        mask.is_plainly_causal = mask.seen.is_none()
            && mask.bias.is_none()
            && (reach.left, reach.right, sizes.past) == (None, None, 0);
        let queries = line(call, sizes.queries)?.reshape([sizes.queries, 1])?;
        let queries = match &offset {
            Some(offset) => queries.add(offset)?,
            None => queries.add(sizes.past as i64)?,
        };
        let before = queries.sub(&line(call, sizes.keys)?)?;
        if reach.is_causal {
            mask.also(&before.ge(0)?)?;
        }
        if let Some(left) = reach.left {
            mask.also(&before.le(left)?)?;
        }
        if let Some(right) = reach.right {
            mask.also(&before.ge(-right)?)?;
        }
        Ok(mask)
    }

    /// Adds the mask that is given, whose last keys may be missing.
    fn add(&mut self, call: &Call<'_>, given: &Tensor, keys: usize, dtype: DType) -> NodeResult<()> {
        let last = given.dims().last().copied().unwrap_or(keys);
        let given = of_four_axes(given)?;
        let missing = keys.saturating_sub(last);
        let pads = [(0, missing)];
        if given.dtype() == DType::Bool {
            let given = match missing {
                0 => given,
                _ => given.cast(DType::U8)?.pad(&pads, ops::PadMode::constant(0))?.cast(DType::Bool)?,
            };
            return self.also(&given);
        }
        let given = call.as_type(given, dtype)?;
        self.bias = Some(match missing {
            0 => given,
            _ => given.pad(&pads, ops::PadMode::constant(f64::NEG_INFINITY))?,
        });
        Ok(())
    }

    /// Hides what is false.
    fn also(&mut self, seen: &Tensor) -> NodeResult<()> {
        let seen = of_four_axes(seen)?;
        self.seen = Some(match &self.seen {
            Some(own) => own.logical_and(&seen)?,
            None => seen,
        });
        Ok(())
    }

    /// Returns what is added to the products, with −∞ for what is hidden.
    pub(super) fn summed(&self, dtype: DType) -> NodeResult<Option<Tensor>> {
        Ok(match (&self.seen, &self.bias) {
            (None, bias) => bias.clone(),
            (Some(seen), None) => {
                let zeros = Tensor::zeros(seen.stream(), seen.shape().clone(), dtype)?;
                Some(zeros.masked_fill(&seen.logical_not()?, f64::NEG_INFINITY)?)
            }
            (Some(seen), Some(bias)) => {
                let hidden = Tensor::full(seen.stream(), [], f64::NEG_INFINITY, dtype)?;
                Some(ops::where_(seen, bias, &hidden).run()?)
            }
        })
    }
}

/// Returns the numbers from 0 on.
fn line(call: &Call<'_>, count: usize) -> NodeResult<Tensor> {
    let numbers: Vec<i64> = (0..count as i64).collect();
    Ok(Tensor::from_slice(call.stream(), &numbers, [count])?)
}
