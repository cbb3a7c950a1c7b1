//! A rank of a group, as messages name it.

use std::fmt;

/// A rank and its group: `rank 1 of 4 in the group "train"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankInfo {
    /// The number of the rank.
    pub rank: usize,
    /// The number of ranks.
    pub size: usize,
    /// The name of the group; empty if it is not known.
    pub group: String,
}

impl fmt::Display for RankInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)?;
        if self.group.is_empty() { Ok(()) } else { write!(f, " in the group {:?}", self.group) }
    }
}
