//! Keys and values in pages: a cache of blocks of tokens, and a table of the blocks that each sequence has.

use aclnn_numerics::DType::I32;
use cann_kernels::indexing::index::Gather;

use super::heads::{Heads, Layout};
use super::lengths::Part;
use crate::operators::call::Operand;
use crate::operators::check;
use crate::operators::index::grid::{Grid, Indices, axis_of};
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::status::Result;

/// Elements of a token of all heads together, at most.
const WIDEST: usize = 65_535;

/// The table of a paged cache.
pub(super) struct Pages<'a> {
    table: &'a Operand<'a>,
    /// Tokens of a block.
    pub(super) size: usize,
}

impl<'a> Pages<'a> {
    /// A table for so many sequences, of blocks of `size` tokens: a multiple of 128, or of 16 up to `fine`.
    pub(super) fn of(table: &'a Operand, batches: usize, size: i64, fine: usize) -> Result<Self> {
        let (name, shape) = (table.name, table.shape()?);
        if table.known_dtype() != Some(I32) || shape.rank() != 2 || shape.first() != Some(&batches) {
            return check::untiled(format_args!(
                "{name} must be i32 with a row of blocks for each of {batches} sequences, but has shape {shape}"
            ));
        }
        let whole = usize::try_from(size).unwrap_or(0);
        let is_known = whole > 0
            && (whole.is_multiple_of(128) && whole <= 512 || whole.is_multiple_of(16) && whole <= fine);
        match is_known {
            true => Ok(Self { table, size: whole }),
            false => check::untiled(format_args!(
                "blockSize is {size}, but must be a multiple of 128 up to 512, or of 16 up to {fine}, tokens"
            )),
        }
    }

    /// A cache as heads: its batches are its blocks. Blocks of three axes have heads and elements as one.
    pub(super) fn cache(
        &self,
        operand: &'a Operand,
        dtype: aclnn_numerics::DType,
        layout: Layout,
        heads: usize,
    ) -> Result<Heads<'a>> {
        let is_flat = operand.rank() == 3;
        if !is_flat && !matches!(layout, Layout::Bnsd | Layout::Tnd | Layout::Ntd) {
            return check::untiled(format_args!(
                "{} is a cache of {} axes, but the layout {layout:?} needs one of three: blocks, tokens, and the elements of \
                 all heads",
                operand.name,
                operand.rank()
            ));
        }
        let width = operand.shape()?.last().copied().unwrap_or(0);
        if is_flat && width > WIDEST {
            return check::untiled(format_args!(
                "{} has {width} elements of a token, but {WIDEST} at most",
                operand.name
            ));
        }
        let cache = Heads::of(operand, dtype, if is_flat { Layout::Bsh } else { Layout::Bnsd }, heads)?;
        match cache.tokens == self.size {
            true => Ok(cache),
            false => check::untiled(format_args!(
                "{} has blocks of {} tokens, but blockSize is {}",
                operand.name, cache.tokens, self.size
            )),
        }
    }

    /// The most tokens of a sequence.
    pub(super) fn most(&self) -> usize {
        self.table.shape().ok().and_then(|shape| shape.last().copied()).unwrap_or(0).saturating_mul(self.size)
    }

    /// The number of tokens of a part that are copied: those of whole blocks.
    pub(super) fn copied(&self, part: &Part) -> usize {
        part.keys.end.next_multiple_of(self.size)
    }

    /// Adds a stage that copies the blocks of a part out of a cache: its heads, each with its tokens.
    pub(super) fn copy(&self, builder: &mut PlanBuilder, cache: &Heads<'_>, part: &Part) -> Result<Place> {
        let Heads { operand, dtype, heads, size, strides: [_, head, token, element], .. } = *cache;
        let strides = self.table.strides();
        let [of_batch, of_page] = strides.first_chunk().copied().unwrap_or_default();
        let first = (part.key_batches.start as i64).saturating_mul(of_batch as i64);
        let pages = part.keys.end.div_ceil(self.size);
        let mut grid = Grid::new(operand);
        let number = grid.add(Indices::of(self.table, false, axis_of(operand, 0)?).further(first));
        grid.across(heads, head);
        grid.along(pages, [(number, of_page)]);
        grid.across(self.size, token);
        grid.across(size, element);
        let mut inputs = vec![builder.look_up(operand, operand.in_order(dtype)?)];
        let (positions, tables) = grid.positions(builder)?;
        inputs.extend(tables);
        let numel = heads.saturating_mul(pages * self.size).saturating_mul(size);
        let to = builder.temporary(dtype, numel)?;
        builder.whole(&inputs, &[to], Gather { positions });
        Ok(to)
    }
}
