//! The order of the axes of queries, keys and values.

use std::ffi::CStr;

use smallvec::{SmallVec, smallvec};

/// The order of the axes of queries, keys, values and the result: batch, head, token, and the elements of a token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum HeadLayout {
    /// `[batch, head, token, element]`, as in PyTorch.
    #[default]
    Bnsd,
    /// `[batch, token, head, element]`.
    Bsnd,
    /// `[batch, token, element]`, where the elements of the heads of a token follow each other.
    Bsh {
        /// How many heads queries have.
        heads: usize,
    },
    /// `[token, batch, element]`, where the elements of the heads of a token follow each other.
    Sbh {
        /// How many heads queries have.
        heads: usize,
    },
}

/// The sizes of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) batch: usize,
    pub(super) heads: usize,
    pub(super) tokens: usize,
    /// Elements of a token of a head.
    pub(super) elements: usize,
}

impl HeadLayout {
    /// Returns the name in C.
    #[inline]
    pub(super) fn name(self) -> &'static CStr {
        match self {
            Self::Bnsd => c"BNSD",
            Self::Bsnd => c"BSND",
            Self::Bsh { .. } => c"BSH",
            Self::Sbh { .. } => c"SBH",
        }
    }

    /// Returns the sizes of an operand with these axes; `None` if its axes are others. `elements` says how many a token of a
    /// head has where that is one axis with the heads, and is 0 for queries, whose heads the layout tells.
    #[inline]
    pub(super) fn sizes(self, dims: &[usize], elements: usize) -> Option<Sizes> {
        let flat = |batch, tokens, width: usize, heads: usize| {
            let heads = width.checked_div(elements).unwrap_or(heads);
            let fits = heads > 0 && width.is_multiple_of(heads);
            fits.then(|| Sizes { batch, heads, tokens, elements: width / heads })
        };
        match (self, dims) {
            (Self::Bnsd, &[batch, heads, tokens, elements])
            | (Self::Bsnd, &[batch, tokens, heads, elements]) => {
                Some(Sizes { batch, heads, tokens, elements })
            }
            (Self::Bsh { heads }, &[batch, tokens, width])
            | (Self::Sbh { heads }, &[tokens, batch, width]) => flat(batch, tokens, width, heads),
            _ => None,
        }
    }

    /// Returns the sizes of the axes.
    #[inline]
    pub(super) fn dims(self, sizes: Sizes) -> SmallVec<[usize; 4]> {
        let Sizes { batch, heads, tokens, elements } = sizes;
        match self {
            Self::Bnsd => smallvec![batch, heads, tokens, elements],
            Self::Bsnd => smallvec![batch, tokens, heads, elements],
            Self::Bsh { .. } => smallvec![batch, tokens, heads.saturating_mul(elements)],
            Self::Sbh { .. } => smallvec![tokens, batch, heads.saturating_mul(elements)],
        }
    }
}
