//! The storage formats of tensors.

use crate::bindings::types::{ACL_FORMAT_NCDHW, ACL_FORMAT_NCHW, ACL_FORMAT_NCL, ACL_FORMAT_ND, aclFormat};

impl aclFormat {
    /// Returns the format that tensors with so many axes have by convention: `NCL`, `NCHW` and `NCDHW` for three, four and
    /// five, and `ND` for others.
    ///
    /// Operators for images ask for these formats; others take them as they take `ND`, with the axes as they are.
    ///
    /// ```
    /// use aclnn_sys::{ACL_FORMAT_NCHW, ACL_FORMAT_ND, aclFormat};
    ///
    /// assert_eq!(aclFormat::of_rank(4), ACL_FORMAT_NCHW);
    /// assert_eq!(aclFormat::of_rank(2), ACL_FORMAT_ND);
    /// ```
    pub const fn of_rank(rank: usize) -> Self {
        match rank {
            3 => ACL_FORMAT_NCL,
            4 => ACL_FORMAT_NCHW,
            5 => ACL_FORMAT_NCDHW,
            _ => ACL_FORMAT_ND,
        }
    }
}
