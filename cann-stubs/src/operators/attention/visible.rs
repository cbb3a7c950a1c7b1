//! Keys that a query sees: masks, and the bands of the sparse modes.

use std::ops::Range;

use aclnn_numerics::DType::{self, Bool, I8, U8};
use cann_kernels::View;
use cann_kernels::networks::attention::Band;

use super::heads::not_emulated;
use crate::operators::call::Operand;
use crate::operators::check;
use crate::status::Result;

/// Rows and columns of a mask that stands for a triangle of any size.
const COMPRESSED: usize = 2048;

/// An operand with an element for each query and key, which may be the same for all batches, heads or queries.
pub(super) struct Grid<'a> {
    pub(super) operand: &'a Operand<'a>,
    pub(super) dtype: DType,
    /// From batch to batch, head to head, query to query and key to key; 0 where all have the same.
    strides: [isize; 4],
}

impl<'a> Grid<'a> {
    /// An operand of up to four axes, each of them of one element or of the size in `full`. The axes that it lacks are the
    /// first ones, or the middle ones where `by_batch`.
    pub(super) fn of(operand: &'a Operand, dtype: DType, full: [usize; 4], by_batch: bool) -> Result<Self> {
        let (shape, own) = (operand.shape()?, operand.strides());
        let missing = 4_usize.checked_sub(shape.rank());
        let mut strides = [0; 4];
        let place = |axis: usize, missing: usize| match axis {
            0 if by_batch => 0,
            axis => axis + missing,
        };
        let fits = missing.filter(|_| own.len() == shape.rank()).is_some_and(|missing| {
            shape.iter().zip(&own).enumerate().all(|(axis, (size, stride))| {
                let place = place(axis, missing);
                strides[place] = if *size == 1 { 0 } else { *stride };
                *size == 1 || *size == full[place]
            })
        });
        // Keys are never all the same.
        if !fits || shape.last() != Some(&full[3]) {
            return check::untiled(format_args!(
                "{} has shape {shape}, but there are {full:?} batches, heads, queries and keys",
                operand.name
            ));
        }
        Ok(Self { operand, dtype, strides })
    }

    /// The elements for the first queries and keys of some batches, and for heads in groups.
    pub(super) fn view(
        &self,
        batches: &Range<usize>,
        [groups, each]: [usize; 2],
        queries: usize,
        keys: usize,
    ) -> Result<View> {
        let [batch, head, query, key] = self.strides;
        let sizes = [batches.len(), groups, each, queries, keys];
        let offset =
            self.operand.offset().saturating_add((batches.start as i64).saturating_mul(batch as i64));
        self.operand.view_of(
            self.dtype,
            &sizes,
            &[batch, head.saturating_mul(each as isize), head, query, key],
            offset,
        )
    }

    /// Returns whether there is an element of its own for each batch and head.
    pub(super) fn is_whole(&self, [batches, heads, queries, _]: [usize; 4]) -> bool {
        let [batch, head, query, _] = self.strides;
        [(batches, batch), (heads, head), (queries, query)]
            .iter()
            .all(|(size, stride)| *size == 1 || *stride != 0)
    }
}

/// The scores that `sparseMode` leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sparse {
    /// The mask, and so many tokens before and after the diagonal from the first query and key.
    Default([i64; 2]),
    /// The mask alone.
    All,
    /// The keys up to the diagonal from the first query and key.
    Causal,
    /// The keys up to the diagonal to the last query and key.
    CausalFromEnd,
    /// So many tokens before and after the diagonal to the last query and key.
    Band([i64; 2]),
}

impl Sparse {
    /// Without a mask every score stays, whatever the mode and the numbers of tokens are.
    pub(super) fn of_mask(mask: Option<&Operand>, mode: i64, tokens: [i64; 2]) -> Result<Self> {
        match mask {
            Some(_) => Self::of(mode, tokens),
            None => Self::of(0, [i64::MAX; 2]),
        }
    }

    fn of(mode: i64, tokens: [i64; 2]) -> Result<Self> {
        Ok(match mode {
            0 => Self::Default(tokens),
            1 => Self::All,
            2 => Self::Causal,
            3 => Self::CausalFromEnd,
            4 => Self::Band(tokens),
            5..=8 => return not_emulated(format_args!("sparseMode {mode}")),
            _ => return check::untiled(format_args!("sparseMode is {mode}, but must be from 0 to 4")),
        })
    }

    /// Returns whether a mask of the size of a triangle stands for one of any size.
    fn is_compressed(self) -> bool {
        matches!(self, Self::Causal | Self::CausalFromEnd | Self::Band(_))
    }

    fn band(self, queries: usize, keys: usize) -> Band {
        let end = keys as i64 - queries as i64;
        let around = |[before, after]: [i64; 2], at: i64| Band {
            first: at.saturating_sub(before),
            last: at.saturating_add(after),
        };
        match self {
            Self::Default(tokens) => around(tokens, 0),
            Self::All => Band::ALL,
            Self::Causal => around([i64::MAX, 0], 0),
            Self::CausalFromEnd => around([i64::MAX, 0], end),
            Self::Band(tokens) => around(tokens, end),
        }
    }
}

/// The mask of a call, and its band; everything is visible by default.
#[derive(Default)]
pub(super) struct Visible<'a> {
    pub(super) mask: Option<Grid<'a>>,
    sparse: Option<Sparse>,
}

impl<'a> Visible<'a> {
    /// Without a mask everything is visible, whatever the mode is. `full` are the sizes of batches, heads, queries and keys;
    /// where `ignores_one`, the mode says nothing for a single query.
    pub(super) fn of(
        mask: Option<&'a Operand>,
        sparse: Sparse,
        full: [usize; 4],
        ignores_one: bool,
    ) -> Result<Self> {
        let Some(mask) = mask else { return Ok(Self { mask: None, sparse: None }) };
        let Some(dtype) = mask.known_dtype().filter(|dtype| [Bool, U8, I8].contains(dtype)) else {
            return check::untiled(format_args!("{} is no mask of bool, i8 or u8", mask.name));
        };
        let is_single = ignores_one && full[2] == 1;
        let shape = mask.shape()?;
        let is_triangle =
            matches!(&shape[..], [outer @ .., COMPRESSED, COMPRESSED] if outer.iter().all(|size| *size == 1));
        if sparse.is_compressed() && is_triangle {
            return Ok(Self { mask: None, sparse: (!is_single).then_some(sparse) });
        }
        if sparse.is_compressed() && !is_single {
            return check::untiled(format_args!(
                "{} has shape {shape}, but stands for a triangle of any size here, which is [{COMPRESSED}, {COMPRESSED}]",
                mask.name
            ));
        }
        let by_batch = is_single && shape.rank() == 2 || shape.rank() == 3;
        let mask = Grid::of(mask, dtype, full, by_batch)?;
        Ok(Self { mask: Some(mask), sparse: (!is_single).then_some(sparse) })
    }

    /// The band for so many queries and keys.
    pub(super) fn band(&self, queries: usize, keys: usize) -> Band {
        self.sparse.map_or(Band::ALL, |sparse| sparse.band(queries, keys))
    }
}
