//! Plans: the casts to insert, the type in which an operation computes, the type of the result.
//!
//! A [`Plan`] is made and checked before anything is launched, and launching follows it step by step. `binary` plans
//! operators of two operands, `casts` says which casts it inserts, and `auto` which of them the library makes alike. The
//! promotion itself is in [`promote`](crate::promote).

mod auto;
pub(crate) mod binary;
pub(crate) mod casts;

use std::fmt;

use aclnn_numerics::{DType, Shape};
use smallvec::SmallVec;

pub use auto::{Choice, Reason};

/// The choice of who converts operands of different types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Policy {
    /// This crate inserts and launches Casts, by the chosen edition of the promotion table. The type of the result is
    /// then the same with every release of the library.
    #[default]
    Insert,
    /// The library gets the operands as they are, after a check that it accepts them, and converts them by its own
    /// table. This needs fewer launches.
    Delegate,
    /// As `Insert`, bit for bit, but without the Casts of operands that the library makes alike. A plan tells which it
    /// was, and why: see [`Plan::choice`].
    ///
    /// Casts are left to the library if the operator takes the operands as they are, the library's table promotes them
    /// to the type of the chosen edition ([`RevisedScalar`](crate::promote::RevisedScalar) beside a scalar), and the
    /// library is known to convert both operands to that type before it computes. So f16 and f32, f16 and bf16, i32
    /// and f16, u8 and i8, or a tensor of i32 and the scalar 0.5 are delegated. A scalar is sent in the same type as
    /// by `Insert`, and a Cast of the result stays a launch of its own.
    ///
    /// Casts are inserted where the tables differ, as for f64 with c64 by the default edition; where the operator does
    /// not take an operand, as `Rsub` does not take bool; if the product is not known; and where CANN's description
    /// leaves open whether the bits would be the same:
    ///
    /// - before the Ascend 950, the quotient of two different integer types of which one is i32;
    /// - before the 950, a difference in f16 or bf16 with `alpha` and a tensor of i16, i32 or i64;
    /// - before the 950, `Rsubs` with a complex scalar and a real tensor, and `Muls` with a complex scalar and bf16;
    /// - on the 950, the quotient of an integer or bool tensor and a floating-point scalar.
    Auto,
}

/// The launches of an operation. Printed, a plan reads `add: Cast self f16→f32; Add f32 → f32 [2, 3]`, and with
/// [`Policy::Auto`] `add: Add f16, f32 → f32 [2, 3] (auto: delegated, the library casts alike)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub(crate) operator: &'static str,
    pub(crate) steps: SmallVec<[Step; 4]>,
    pub(crate) compute: DType,
    pub(crate) out: DType,
    pub(crate) shape: Shape,
    pub(crate) choice: Option<Choice>,
}

/// The role of a tensor in an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The first operand, `self`.
    Own,
    /// The second operand, `other`.
    Other,
    /// A further operand, by its name.
    Operand(&'static str),
    /// The result of the operator.
    Result,
}

/// The operator that converts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CastBy {
    /// `Cast`.
    Cast,
    /// `InplaceCopy`, for a view that Cast does not take.
    Copy,
}

/// One launch of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A conversion of an operand, or of the result.
    Cast {
        /// The operand that is converted, or the result.
        operand: Role,
        /// The type before the conversion.
        from: DType,
        /// The type after the conversion.
        to: DType,
        /// The operator that converts.
        by: CastBy,
    },
    /// The conversion of a scalar operand to a tensor of one element, where the operator takes tensors only.
    Fill {
        /// The operand that is the scalar.
        operand: Role,
        /// The type of the element.
        dtype: DType,
    },
    /// The computation itself.
    Compute {
        /// The C name without its prefix: `Add`, `Adds`, `InplaceAdd`.
        operator: &'static str,
        /// Whether the operator writes to its first operand.
        in_place: bool,
        /// The types of the tensor operands; a single one if all are the same.
        operands: SmallVec<[DType; 2]>,
        /// The type that the operator writes.
        out: DType,
    },
}

impl Plan {
    /// Returns the name of the operation: `add`, or in place `add_in_place`.
    pub fn operator(&self) -> &'static str {
        self.operator
    }

    /// Returns the launches, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the type in which the operation is computed.
    pub fn compute_dtype(&self) -> DType {
        self.compute
    }

    /// Returns the type of the result.
    pub fn dtype(&self) -> DType {
        self.out
    }

    /// Returns the shape of the result.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns what [`Policy::Auto`] chose and why, or `None` if the policy is another one.
    pub fn choice(&self) -> Option<Choice> {
        self.choice
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.operator)?;
        for (i, step) in self.steps.iter().enumerate() {
            f.write_str(if i == 0 { " " } else { "; " })?;
            step.fmt(f)?;
            if matches!(step, Step::Compute { .. }) {
                write!(f, " {}", self.shape)?;
            }
        }
        if let Some(choice) = self.choice {
            write!(f, " (auto: {choice})")?;
        }
        Ok(())
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Own => "self",
            Role::Other => "other",
            Role::Operand(name) => name,
            Role::Result => "result",
        })
    }
}

impl fmt::Display for CastBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CastBy::Cast => "Cast",
            CastBy::Copy => "InplaceCopy",
        })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Cast { operand, from, to, by } => write!(f, "{by} {operand} {from}→{to}"),
            Step::Fill { operand, dtype } => write!(f, "InplaceFillScalar {operand} {dtype}"),
            Step::Compute { operator, operands, out, .. } => {
                write!(f, "{operator}")?;
                for (i, dtype) in operands.iter().enumerate() {
                    write!(f, "{} {dtype}", if i == 0 { "" } else { "," })?;
                }
                write!(f, " → {out}")
            }
        }
    }
}
