//! The promotion tables by name, and where they differ.

use aclnn::DType;
use aclnn::promote::{self, Edition};
use serde::Serialize;

/// A promotion table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Table {
    /// The older page of CANN, with its misprint corrected; this project uses it
    Published,
    /// The older page of CANN as it is printed
    Printed,
    /// The current page of CANN
    Revised,
    /// The table that the library of CANN uses
    Library,
    /// A tensor and a scalar, by the current page of CANN
    #[value(skip)]
    Scalar,
}

impl Table {
    /// The tables for two tensors.
    pub(super) const TENSORS: [Table; 4] = [Table::Published, Table::Printed, Table::Revised, Table::Library];

    /// Returns the type in which two operands are computed, or why there is none.
    pub(super) fn promote(self, a: DType, b: DType) -> Result<DType, String> {
        let edition = |edition: Edition| edition.promote(a, b).map_err(|error| error.to_string());
        match self {
            Table::Published => edition(Edition::Published),
            Table::Revised => edition(Edition::Revised),
            Table::Library => edition(Edition::Library),
            Table::Printed => match promote::as_printed(a, b) {
                Some(dtype) => Ok(dtype),
                None => edition(Edition::Published),
            },
            Table::Scalar => promote::promote_scalar(a, b).map_err(|error| error.to_string()),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Table::Published => "published",
            Table::Printed => "printed",
            Table::Revised => "revised",
            Table::Library => "library",
            Table::Scalar => "tensor and scalar",
        }
    }

    /// Returns what the table is, in one sentence.
    pub(super) fn about(self) -> &'static str {
        match self {
            Table::Published => {
                "The older page of CANN, with bf16 and f16 put right. This project uses it unless told otherwise."
            }
            Table::Printed => {
                "The older page of CANN as it is printed: bf16 with f16 contradicts f16 with bf16."
            }
            Table::Revised => "The current page of CANN.",
            Table::Library => "What the library of CANN computes.",
            Table::Scalar => "A tensor and a scalar, by the current page of CANN.",
        }
    }

    /// Returns what rows and columns stand for.
    pub(super) fn operands(self) -> (&'static str, &'static str) {
        match self {
            Table::Scalar => ("the tensor", "the scalar"),
            _ => ("the first operand", "the second operand"),
        }
    }

    /// Returns the other tables about the same operands.
    pub(super) fn others(self) -> impl Iterator<Item = Table> {
        Self::TENSORS.into_iter().filter(move |other| self != Table::Scalar && *other != self)
    }

    /// Returns whether another table gives another type.
    pub(super) fn differs(self, a: DType, b: DType) -> bool {
        let own = self.promote(a, b).ok();
        self.others().any(|other| other.promote(a, b).ok() != own)
    }

    /// Returns the pairs for which another table gives another type, with what each of the other tables gives. Pairs that
    /// agree in all of it are together.
    pub(super) fn differences(self) -> Vec<Difference> {
        let mut found: Vec<Difference> = Vec::new();
        for (a, b) in pairs().filter(|&(a, b)| self.differs(a, b)) {
            let gives = self.promote(a, b).ok();
            let others: Vec<(Table, Option<DType>)> = self
                .others()
                .map(|other| (other, other.promote(a, b).ok()))
                .filter(|(_, other)| *other != gives)
                .collect();
            match found.iter_mut().find(|one| one.gives == gives && one.others == others) {
                Some(one) => one.pairs.push((a, b)),
                None => found.push(Difference { pairs: vec![(a, b)], gives, others }),
            }
        }
        found
    }
}

/// Pairs for which tables differ in the same way.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Difference {
    pub(super) pairs: Vec<(DType, DType)>,
    pub(super) gives: Option<DType>,
    /// The tables that give something else.
    pub(super) others: Vec<(Table, Option<DType>)>,
}

/// Returns every pair of the table, by row.
fn pairs() -> impl Iterator<Item = (DType, DType)> {
    DType::TABLE.into_iter().flat_map(|a| DType::TABLE.into_iter().map(move |b| (a, b)))
}

/// Returns the short name of a type, or a dash for none.
pub(super) fn name(dtype: Option<DType>) -> &'static str {
    dtype.map_or("—", DType::short_name)
}

/// Returns what all tables give for a pair, in one line.
pub(super) fn every_table(table: Table, a: DType, b: DType) -> String {
    let tables: Vec<Table> = match table {
        Table::Scalar => vec![table],
        _ => Table::TENSORS.to_vec(),
    };
    let gives =
        tables.into_iter().map(|table| format!("{} {}", table.name(), name(table.promote(a, b).ok())));
    format!("{a} with {b}: {}", gives.collect::<Vec<_>>().join(", "))
}
