//! Operands as heads of tokens, in whatever order their axes are.

use std::ops::Range;

use aclnn_numerics::DType;
use aclnn_sys::ACLNN_ERR_INNER_TILING_ERROR;
use cann_kernels::View;

use crate::operators::axes::{invalid, picked};
use crate::operators::call::Operand;
use crate::operators::check;
use crate::status::{Result, Status};

/// The failure as one that a device finds out when it divides the work.
pub(super) fn when_tiled(status: Status) -> Status {
    status.with_code(ACLNN_ERR_INNER_TILING_ERROR)
}

/// Refuses what the emulator leaves to a device.
pub(super) fn not_emulated<T>(what: impl std::fmt::Display) -> Result<T> {
    check::not_emulated(format_args!("attention with {what}"))
}

/// The order of axes: batch B, token S, head N, element D, the last two as one axis H, and the tokens T of all batches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    Bsh,
    Sbh,
    Bsnd,
    Bnsd,
    Nbsd,
    Tnd,
    Ntd,
}

impl Layout {
    /// The layouts of queries and of the result, by their name.
    pub(super) fn named(name: &str) -> Option<[Self; 2]> {
        Some(match name {
            "BSH" => [Self::Bsh; 2],
            "SBH" => [Self::Sbh; 2],
            "BSND" => [Self::Bsnd; 2],
            "BNSD" => [Self::Bnsd; 2],
            "BNSD_BSND" => [Self::Bnsd, Self::Bsnd],
            "BSH_NBSD" => [Self::Bsh, Self::Nbsd],
            "BSND_NBSD" => [Self::Bsnd, Self::Nbsd],
            "BNSD_NBSD" => [Self::Bnsd, Self::Nbsd],
            "TND" => [Self::Tnd; 2],
            "TND_NTD" => [Self::Tnd, Self::Ntd],
            "NTD_TND" => [Self::Ntd, Self::Tnd],
            _ => return None,
        })
    }

    /// Returns whether heads and elements are one axis.
    pub(super) fn is_flat(self) -> bool {
        matches!(self, Self::Bsh | Self::Sbh)
    }

    /// Returns whether the tokens of all batches are one axis.
    pub(super) fn is_joined(self) -> bool {
        matches!(self, Self::Tnd | Self::Ntd)
    }

    fn rank(self) -> usize {
        if matches!(self, Self::Bsnd | Self::Bnsd | Self::Nbsd) { 4 } else { 3 }
    }
}

/// An operand as tokens of heads.
pub(super) struct Heads<'a> {
    pub(super) operand: &'a Operand<'a>,
    pub(super) dtype: DType,
    pub(super) batches: usize,
    pub(super) heads: usize,
    pub(super) tokens: usize,
    /// Elements of a token of a head.
    pub(super) size: usize,
    /// From batch to batch, head to head, token to token and element to element.
    pub(super) strides: [isize; 4],
}

impl<'a> Heads<'a> {
    /// An operand in a layout; `heads` says how many there are where they are one axis with the elements.
    pub(super) fn of(operand: &'a Operand, dtype: DType, layout: Layout, heads: usize) -> Result<Self> {
        let name = operand.name;
        let sizes = operand.shape()?;
        let strides = operand.strides();
        if sizes.rank() != layout.rank() || strides.len() != layout.rank() {
            return invalid(format_args!(
                "{name} has {} axes, but the layout {layout:?} has {}",
                sizes.rank(),
                layout.rank()
            ));
        }
        let order = match layout {
            Layout::Bsh => [0, 2, 1, 2],
            Layout::Sbh => [1, 2, 0, 2],
            Layout::Bsnd => [0, 2, 1, 3],
            Layout::Bnsd => [0, 1, 2, 3],
            Layout::Nbsd => [1, 0, 2, 3],
            Layout::Tnd => [0, 1, 0, 2],
            Layout::Ntd => [0, 0, 1, 2],
        };
        let [batches, count, tokens, size] = picked(sizes, order);
        let mut strides = picked(&strides, order);
        if layout.is_flat() {
            if heads == 0 || size % heads != 0 {
                return invalid(format_args!(
                    "{name} has {size} elements of a token, which are not those of {heads} heads"
                ));
            }
            // A stride that cannot be counted leads out of any memory, and so does the largest; one head needs none.
            strides[1] = strides[1].saturating_mul((size / heads) as isize);
            return Ok(Self { operand, dtype, batches, heads, tokens, size: size / heads, strides });
        }
        let batches = if layout.is_joined() { 1 } else { batches };
        Ok(Self { operand, dtype, batches, heads: count, tokens, size, strides })
    }

    /// The sizes, for comparisons.
    pub(super) fn sizes(&self) -> [usize; 4] {
        [self.batches, self.heads, self.tokens, self.size]
    }

    /// Some tokens of some batches. Heads are seen as groups: those of the operand, or each of its heads as often as there
    /// are in a group.
    pub(super) fn view(
        &self,
        batches: &Range<usize>,
        tokens: &Range<usize>,
        [groups, each]: [usize; 2],
    ) -> Result<View> {
        let [batch, head, token, element] = self.strides;
        let repeats = self.heads == groups && each != 1;
        let strides = [
            batch,
            if repeats { head } else { head.saturating_mul(each as isize) },
            if repeats { 0 } else { head },
            token,
            element,
        ];
        let sizes = [batches.len(), groups, each, tokens.len(), self.size];
        let [batch, token] = [(batches, batch), (tokens, token)]
            .map(|(range, stride)| (range.start as i64).saturating_mul(stride as i64));
        let offset = self.operand.offset().saturating_add(batch).saturating_add(token);
        self.operand.view_of(self.dtype, &sizes, &strides, offset)
    }
}

/// The separate rotary parts of queries and keys, for the same heads and tokens.
pub(super) fn beside<'a>(
    [of_query, of_key]: [Heads<'a>; 2],
    query: &Heads<'_>,
    key: &Heads<'_>,
) -> Result<[Heads<'a>; 2]> {
    let are_same = of_query.sizes()[..3] == query.sizes()[..3] && of_key.sizes()[..3] == key.sizes()[..3];
    if !are_same || of_query.size != of_key.size || of_query.size == 0 {
        return invalid(format_args!(
            "queryRope has {:?} batches, heads, tokens and elements and keyRope {:?}, but query has {:?} and key {:?}",
            of_query.sizes(),
            of_key.sizes(),
            query.sizes(),
            key.sizes()
        ));
    }
    Ok([of_query, of_key])
}

/// Checks an operand with one score for each head, of one of some types.
pub(super) fn one_for_each(sinks: &Operand, dtypes: &[DType], heads: usize) -> Result {
    let is_known = sinks.known_dtype().is_some_and(|dtype| dtypes.contains(&dtype));
    match is_known && sinks.shape()?[..] == [heads] {
        true => Ok(()),
        false => invalid(format_args!("{} must have a score of f32 for each of {heads} heads", sinks.name)),
    }
}
