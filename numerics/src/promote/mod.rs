//! The type in which an operator computes, from the types of its operands: [`promote`] for two tensors, and
//! [`promote_scalar`] for a tensor and a scalar.
//!
//! CANN has four editions of the table, and they disagree: [`Edition`] names the three for two tensors, and
//! [`RevisedScalar`] is the one for a tensor with a scalar. [`as_printed`] gives the cells of the published page as they
//! are. [`output`] says which results do not become the type of the output.

pub mod output;
// With the type names that the pages print: `s8` to `s64` for `i8` to `i64`.
mod tables;

#[doc(hidden)]
pub use output as result;

use std::fmt;

use crate::dtype::DType;
use tables::Grid;

/// A table for two tensors; the first operand is the row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Edition {
    /// The older CANN operator documentation page. One of its cells is a contradiction: bf16 with f16 is printed as
    /// f64, where the mirrored cell and every other source have f32. The cell is resolved to f32; [`as_printed`] has
    /// the original. This edition alone gives c64 for f64 with c32 or c64.
    #[default]
    Published,
    /// The current CANN documentation page: as the older one, but f64 with c32 or c64 gives c128.
    Revised,
    /// The table that the CANN library uses: as the current page, but bf16 with c32 gives c64; u16, u32 and u64 as the
    /// *first* operand promote with c64 and c128; and every type of CANN promotes with itself.
    Library,
}

/// The table of the current CANN documentation page for a tensor and a scalar.
///
/// The printed table has the scalar as the row; the methods here take the tensor first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RevisedScalar;

/// The table that has no type for a pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Table {
    /// A table for two tensors.
    Tensors(Edition),
    /// The table for a tensor and a scalar.
    TensorScalar(RevisedScalar),
}

/// Returns the promotion of two tensors by the default edition, [`Edition::Published`].
///
/// # Errors
/// The table has no type for the pair.
pub fn promote(a: DType, b: DType) -> Result<DType, NotPromotable> {
    Edition::default().promote(a, b)
}

/// Returns the promotion of a tensor and a scalar, by [`RevisedScalar`].
///
/// # Errors
/// The table has no type for the pair.
pub fn promote_scalar(tensor: DType, scalar: DType) -> Result<DType, NotPromotable> {
    RevisedScalar.promote(tensor, scalar)
}

/// Returns what the older page prints for row `a` and column `b`, including its misprint. The page writes `s8` for
/// [`DType::I8`], and so on for the signed integers.
pub fn as_printed(a: DType, b: DType) -> Option<DType> {
    look_up(&tables::PUBLISHED, a, b)
}

fn look_up(grid: &Grid, row: DType, column: DType) -> Option<DType> {
    *grid.get(row.table_index()?)?.get(column.table_index()?)?
}

impl Edition {
    /// Every edition.
    pub const ALL: [Edition; 3] = [Edition::Published, Edition::Revised, Edition::Library];

    /// Returns the type in which `a` and `b`, in this order, are computed.
    ///
    /// # Errors
    /// The table has no type for the pair.
    pub fn promote(self, a: DType, b: DType) -> Result<DType, NotPromotable> {
        self.look_up(a, b).ok_or(NotPromotable { a, b, edition: Table::Tensors(self) })
    }

    fn look_up(self, a: DType, b: DType) -> Option<DType> {
        match self {
            Edition::Published if (a, b) == (DType::BF16, DType::F16) => Some(DType::F32),
            Edition::Published => look_up(&tables::PUBLISHED, a, b),
            Edition::Revised => look_up(&tables::REVISED, a, b),
            Edition::Library if a == b && a.acl_code().is_some() => Some(a),
            Edition::Library => look_up(&tables::LIBRARY, a, b),
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Edition::Published => "published",
            Edition::Revised => "revised",
            Edition::Library => "library",
        })
    }
}

impl RevisedScalar {
    /// Returns the type in which a tensor and a scalar of these types are computed.
    ///
    /// # Errors
    /// The table has no type for the pair.
    pub fn promote(self, tensor: DType, scalar: DType) -> Result<DType, NotPromotable> {
        look_up(&tables::REVISED_SCALAR, scalar, tensor).ok_or(NotPromotable {
            a: tensor,
            b: scalar,
            edition: Table::TensorScalar(self),
        })
    }
}

impl Table {
    fn promotes(self, a: DType, b: DType) -> bool {
        match self {
            Table::Tensors(edition) => edition.promote(a, b).is_ok(),
            Table::TensorScalar(table) => table.promote(a, b).is_ok(),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Table::Tensors(edition) => write!(f, "{edition} promotion table"),
            Table::TensorScalar(RevisedScalar) => f.write_str("revised tensor-scalar promotion table"),
        }
    }
}

/// An error: two types have no common type in a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NotPromotable {
    /// The first operand, or the tensor if the other operand is a scalar.
    pub a: DType,
    /// The second operand, or the scalar if there is one.
    pub b: DType,
    /// The table that has no type for the pair.
    pub edition: Table,
}

impl fmt::Display for NotPromotable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotPromotable { a, b, edition: table } = *self;
        let (first, second) = match table {
            Table::Tensors(_) => ("", ""),
            Table::TensorScalar(_) => ("tensor ", "scalar "),
        };
        write!(f, "{first}{a} and {second}{b} do not promote to a common type: ")?;
        if let Some(outside) = [a, b].into_iter().find(|dtype| dtype.table_index().is_none()) {
            write!(f, "{outside} is not in the {table}")?;
        } else {
            // The operand that promotes with fewer types is named as the reason.
            let partners_of_a: Vec<_> = DType::TABLE.into_iter().filter(|&t| table.promotes(a, t)).collect();
            let partners_of_b: Vec<_> = DType::TABLE.into_iter().filter(|&t| table.promotes(t, b)).collect();
            let (culprit, role, partners) = if partners_of_b.len() < partners_of_a.len() {
                (b, second, partners_of_b)
            } else {
                (a, first, partners_of_a)
            };
            let place = match table {
                Table::Tensors(_) if table.promotes(b, a) => " in this order of operands",
                _ => "",
            };
            write!(f, "{role}{culprit} promotes only with ")?;
            for (i, &partner) in partners.iter().enumerate() {
                f.write_str(match i {
                    0 => "",
                    _ if i + 1 == partners.len() => " and ",
                    _ => ", ",
                })?;
                if partner == culprit { f.write_str("itself")? } else { write!(f, "{partner}")? }
            }
            write!(f, "{place} ({table})")?;
        }
        f.write_str("; cast one operand first")
    }
}

impl std::error::Error for NotPromotable {}
