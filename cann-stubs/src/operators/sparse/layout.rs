//! The sequences of queries and keys: layouts, lengths and tables.

use aclnn_numerics::DType::{F32, I32};
use cann_kernels::View;
use cann_kernels::networks::attention::{Causal, Lengths, Sequences, Tokens};

use crate::mapped::mapped;
use crate::operators::axes::invalid;
use crate::operators::call::Operand;
use crate::operators::check;
use crate::operators::stage_planner::{StagePlanner, Used, sizes};
use crate::status::Result;

/// The most tokens of a block of a paged cache, whose number is a multiple of the other one.
const LARGEST: usize = 1024;
const MULTIPLE: usize = 16;

/// An operand whose last axes are heads and elements, and the others tokens.
#[derive(Clone, Copy)]
pub(super) struct Heads {
    /// Batches, or blocks, and tokens of each; one batch where sequences follow each other.
    pub(super) batches: usize,
    pub(super) tokens: usize,
    pub(super) heads: usize,
    pub(super) size: usize,
    is_joined: bool,
}

impl Heads {
    /// An operand in a layout, which may be paged.
    pub(super) fn of(operand: &Operand, layout: &str) -> Result<Self> {
        let is_joined = layout == "TND";
        let [batches, tokens, heads, size] = match layout {
            "TND" => {
                let [tokens, heads, size] = sizes::<3>(operand)?;
                [1, tokens, heads, size]
            }
            "BSND" | "PA_BSND" => sizes::<4>(operand)?,
            _ => {
                return invalid(format_args!(
                    "{} has the layout {layout:?}, which is not known",
                    operand.name
                ));
            }
        };
        Ok(Self { batches, tokens, heads, size, is_joined })
    }

    /// An operand whose tokens stand behind heads.
    pub(super) fn of_heads(operand: &Operand) -> Result<Self> {
        let [batches, heads, tokens, size] = sizes::<4>(operand)?;
        Ok(Self { batches, tokens, heads, size, is_joined: false })
    }

    /// Blocks of paged keys, whose heads may share an axis with their elements.
    pub(super) fn of_blocks(operand: &Operand, heads: usize) -> Result<Self> {
        if operand.rank() != 3 {
            return Self::of(operand, "PA_BSND");
        }
        let [batches, tokens, elements] = sizes::<3>(operand)?;
        fit(operand, heads > 0 && elements.is_multiple_of(heads))?;
        Ok(Self { batches, tokens, heads, size: elements / heads, is_joined: false })
    }

    /// The number of tokens of all batches.
    pub(super) fn count(&self) -> usize {
        self.batches.saturating_mul(self.tokens)
    }

    /// Checks an operand with the same tokens and so many heads of so many elements.
    pub(super) fn like(&self, operand: &Operand, [heads, size]: [usize; 2]) -> Result {
        let shape = operand.shape()?;
        let fits = match self.is_joined {
            true => shape[..] == [self.tokens, heads, size],
            false => shape[..] == [self.batches, self.tokens, heads, size],
        };
        fit(operand, fits)
    }

    /// Checks an operand with the same tokens and so many elements of each.
    pub(super) fn list(&self, operand: &Operand, len: usize) -> Result {
        let shape = operand.shape()?;
        let fits = match self.is_joined {
            true => shape[..] == [self.tokens, len],
            false => shape[..] == [self.batches, self.tokens, len],
        };
        fit(operand, fits)
    }
}

/// Refuses an operand whose shape does not fit those of others.
pub(super) fn fit(operand: &Operand, fits: bool) -> Result {
    match fits {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has shape {}, which does not fit the other operands and attributes",
            operand.name,
            operand.shape()?
        )),
    }
}

/// Returns the layout of keys, which is that of queries unless keys are paged. Queries are never paged.
pub(super) fn of_keys<'a>(query: &str, key: &'a str) -> Result<&'a str> {
    match query != "PA_BSND" && (key == "PA_BSND" || key == query) {
        true => Ok(key),
        false => invalid(format_args!("keys have the layout {key:?}, but queries {query:?}")),
    }
}

/// Checks the blocks of paged keys.
pub(super) fn paged(layout: &str, key: &Heads) -> Result {
    let is_block = key.tokens.is_multiple_of(MULTIPLE) && (1..=LARGEST).contains(&key.tokens);
    match layout != "PA_BSND" || is_block {
        true => Ok(()),
        false => invalid(format_args!(
            "blocks have {} tokens, but must have a multiple of {MULTIPLE}, up to {LARGEST}",
            key.tokens
        )),
    }
}

/// Lengths of sequences on the host: where each ends, if they follow each other, or how many tokens each has.
pub(super) type Numbers = Option<Vec<i64>>;

/// The tokens of each sequence.
pub(super) fn counts(lengths: &[i64], is_joined: bool) -> Vec<usize> {
    let mut begin = 0;
    let count = |end: &i64| {
        let count = end.saturating_sub(begin);
        begin = if is_joined { *end } else { 0 };
        usize::try_from(count).unwrap_or(0)
    };
    mapped(lengths, count)
}

/// The most tokens of a sequence, of those that follow each other or have places each.
pub(super) fn longest(lengths: &Numbers, heads: &Heads, is_joined: bool) -> usize {
    let most = |list: &Vec<i64>| counts(list, is_joined).into_iter().max().unwrap_or(0);
    lengths.as_ref().map_or(heads.tokens, most)
}

/// Refuses a layout of sequences that do not follow each other.
pub(super) fn not_joined<T>(layout: Option<String>) -> Result<T> {
    invalid(format_args!("inputLayout is {}, but must be TND", check::shown(layout.as_deref())))
}

/// Refuses lengths.
pub(super) fn not_there<T>(lengths: impl std::fmt::Debug) -> Result<T> {
    invalid(format_args!("lengths are {lengths:?}, which are not those of sequences that are there"))
}

/// The operands that say which tokens sequences have.
pub(super) struct Given<'a> {
    /// Lengths of queries and of keys; where sequences follow each other, where each ends.
    pub(super) lengths: [Option<&'a Operand<'a>>; 2],
    pub(super) table: Option<&'a Operand<'a>>,
}

impl Given<'_> {
    /// Checks types.
    pub(super) fn typed(&self) -> Result {
        self.lengths.iter().flatten().chain(&self.table).try_for_each(|list| check::exactly(list, I32))
    }

    /// The sequences; adds the lists that say so.
    pub(super) fn sequences(
        &self,
        planner: &mut StagePlanner,
        lists: &mut Vec<Used>,
        (layout, query, key): (&str, &Heads, &Heads),
        causal: Causal,
    ) -> Result<Sequences> {
        let batches = match (query.is_joined, self.lengths[0]) {
            (true, None) => return invalid("the layout TND needs lengths of queries and keys"),
            (true, Some(ends)) => sizes::<1>(ends)?[0],
            (false, _) => query.batches,
        };
        if (query.is_joined || layout == "PA_BSND") && self.lengths[1].is_none() {
            return invalid("the layouts TND and PA_BSND need lengths of keys");
        }
        let mut all = [Lengths::Full, Lengths::Full];
        for (to, operand) in all.iter_mut().zip(self.lengths) {
            if let Some(operand) = operand {
                fit(operand, operand.shape()?[..] == [batches])?;
                *to = Lengths::List(lists.len());
                lists.push(planner.list(operand, Some(I32))?);
            }
        }
        let [of_queries, of_keys] = all;
        let tokens =
            |heads: &Heads| if heads.is_joined { Tokens::Joined } else { Tokens::Each(heads.tokens) };
        let keys = match (layout, self.table) {
            ("PA_BSND", Some(table)) => {
                let [rows, width] = sizes::<2>(table)?;
                fit(table, rows == batches)?;
                Tokens::Paged { block: key.tokens, width }
            }
            ("PA_BSND", None) => return invalid("paged keys need a table of blocks"),
            _ => tokens(key),
        };
        let number = lists.len();
        if let Some(table) = self.table.filter(|_| layout == "PA_BSND") {
            lists.push(planner.list(table, Some(I32))?);
        }
        Ok(Sequences { queries: (tokens(query), of_queries), keys: (keys, of_keys), table: number, causal })
    }
}

/// Numbers of f32 of each head of queries: before tokens there are the heads of keys, and after them those of queries that share
/// one. Elements are those of a token and a head of keys, one token after the other.
fn of_heads(operand: &Operand, query: &Heads, [heads, each]: [usize; 2]) -> Result<View> {
    check::exactly(operand, F32)?;
    let (sizes, order): (&[usize], &[usize]) = match query.is_joined {
        true => (&[heads, query.tokens, each], &[1, 0, 2]),
        false => (&[query.batches, heads, query.tokens, each], &[0, 2, 1, 3]),
    };
    fit(operand, operand.shape()?[..] == *sizes)?;
    operand.permuted(F32, order)
}

/// An output with numbers of each head of queries, whose lanes are those of a token and a head of keys.
pub(super) fn statistics(
    planner: &mut StagePlanner,
    operand: &Operand,
    query: &Heads,
    groups: [usize; 2],
) -> Result<Used> {
    let view = of_heads(operand, query, groups)?;
    planner.write_view(operand, view, groups[1], None)
}

/// The numbers of each head of queries as one list.
pub(super) fn known(
    planner: &mut StagePlanner,
    operand: &Operand,
    query: &Heads,
    groups: [usize; 2],
) -> Result<Used> {
    let view = of_heads(operand, query, groups)?;
    planner.read_view(operand, view, operand.shape()?.numel().unwrap_or(0), None)
}

/// The visible keys by the number of a mode: all, or those up to the diagonal to the last ones.
pub(super) fn causal(mode: i64) -> Result<Causal> {
    match mode {
        0 => Ok(Causal::All),
        3 => Ok(Causal::FromEnd),
        _ => invalid(format_args!("sparseMode is {mode}, but must be 0 or 3")),
    }
}

/// Refuses numbers of tokens that leave any out.
pub(super) fn unbounded(before: i64, after: i64) -> Result {
    match before == i64::MAX && after == i64::MAX {
        true => Ok(()),
        false => invalid("preTokens and nextTokens must be the largest number"),
    }
}
