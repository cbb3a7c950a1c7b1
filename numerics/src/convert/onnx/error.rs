//! What can be wrong with a Cast.

use std::fmt;

use super::version::CAST_LIKE;
use crate::dtype::DType;

/// A Cast that ONNX does not describe, or that its operands do not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CastError {
    /// The version has no such type.
    Type {
        /// The source or the target; of both the one that came later.
        dtype: DType,
        /// The opset asked for.
        opset: u32,
        /// The first version that has the type, if any.
        since: Option<u32>,
    },
    /// No version described here belongs to the opset.
    Opset {
        /// The opset asked for.
        opset: u32,
    },
    /// The opset has no CastLike yet.
    NoCastLike {
        /// The opset asked for.
        opset: u32,
    },
    /// The attribute `to` has the form of another version.
    ToForm {
        /// The opset asked for.
        opset: u32,
    },
    /// The attribute `to` names no type.
    ToName {
        /// The attribute.
        name: String,
    },
    /// The attribute `to` is the code of no type.
    ToCode {
        /// The attribute.
        code: i64,
    },
    /// The attribute `round_mode` has none of its three values.
    RoundMode {
        /// The attribute.
        name: String,
    },
    /// Strings have no bytes to convert; they have functions of their own.
    Strings,
    /// The source slice is too short.
    Source {
        /// Bytes that the elements take.
        needed: usize,
        /// Bytes of the slice.
        found: usize,
    },
    /// The target slice is too short.
    Target {
        /// Bytes that the elements take.
        needed: usize,
        /// Bytes of the slice.
        found: usize,
    },
    /// A string is not a number.
    NotANumber {
        /// Which of the strings.
        index: usize,
        /// The string.
        text: String,
    },
    /// A string is a number that an integer type does not hold.
    NotInRange {
        /// Which of the strings.
        index: usize,
        /// The string.
        text: String,
        /// The integer type.
        to: DType,
    },
}

/// Text of others in quotes; of a long one how it begins.
struct Shortened<'a>(&'a str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 60;
        match self.0.char_indices().nth(MOST) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}…", self.0.get(..end).unwrap_or_default()),
        }
    }
}

impl fmt::Display for CastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { dtype, since: None, .. } => {
                write!(f, "{dtype} is not a type of ONNX Cast in any version")
            }
            Self::Type { dtype, opset, since: Some(since) } => {
                write!(f, "{dtype} is not a type of ONNX Cast at opset {opset}: version {since} first allows it")
            }
            Self::Opset { opset } => {
                write!(f, "opset {opset} has no version of ONNX Cast that is known: versions 1 to 25 are")
            }
            Self::NoCastLike { opset } => {
                write!(f, "opset {opset} has no CastLike: version {CAST_LIKE} is the first; use Cast with the type")
            }
            Self::ToForm { opset } => {
                let (form, other) = if *opset < 6 { ("name", "code") } else { ("code", "name") };
                write!(f, "ONNX Cast at opset {opset} takes `to` as the {form} of a type, not as its {other}")
            }
            Self::ToName { name } => write!(f, "`to` is {}, which is no name of an ONNX type", Shortened(name)),
            Self::ToCode { code } => write!(f, "`to` is {code}, which is no code of an ONNX type"),
            Self::RoundMode { name } => {
                write!(f, "round_mode is {}; it can be \"up\", \"down\" or \"nearest\"", Shortened(name))
            }
            Self::Strings => f.write_str(
                "strings have no bytes to convert: use cast_from_strings or cast_to_strings, or keep them as they are",
            ),
            Self::Source { needed, found } => {
                write!(f, "the source has {found} bytes, its elements take {needed}")
            }
            Self::Target { needed, found } => {
                write!(f, "the target has {found} bytes, its elements take {needed}")
            }
            Self::NotANumber { index, text } => {
                write!(f, "string {index} is not a number: {}", Shortened(text))
            }
            Self::NotInRange { index, text, to } => {
                write!(f, "string {index} is not in the range of {to}: {}", Shortened(text))
            }
        }
    }
}

impl std::error::Error for CastError {}
