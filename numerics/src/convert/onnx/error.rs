//! The errors of Cast.

use std::fmt;

use crate::dtype::DType;

/// The reason why a Cast is not possible: ONNX does not describe it, or its operands do not allow it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CastError {
    /// The opset's version of Cast lacks a type.
    Type {
        /// The source or the target; if both are missing, the one that ONNX added later.
        dtype: DType,
        /// The opset asked for.
        opset: u32,
        /// The first version that has the type, if any.
        since: Option<u32>,
    },
    /// No version of Cast described here belongs to the opset.
    Opset {
        /// The opset asked for.
        opset: u32,
    },
    /// The opset has no CastLike.
    NoCastLike {
        /// The opset asked for.
        opset: u32,
    },
    /// The attribute `to` has the form that it has in other versions.
    ToForm {
        /// The opset asked for.
        opset: u32,
    },
    /// The attribute `to` is not the name of a type.
    ToName {
        /// The attribute.
        name: String,
    },
    /// The attribute `to` is not the code of a type.
    ToCode {
        /// The attribute.
        code: i64,
    },
    /// The attribute `round_mode` is not one of its three values.
    RoundMode {
        /// The attribute.
        name: String,
    },
    /// The source or the target is string, which has no bytes to convert; strings have functions of their own.
    Strings,
    /// The source slice is too short.
    Source {
        /// The number of bytes that the elements take.
        needed: usize,
        /// The number of bytes of the slice.
        found: usize,
    },
    /// The target slice is too short.
    Target {
        /// The number of bytes that the elements take.
        needed: usize,
        /// The number of bytes of the slice.
        found: usize,
    },
    /// A string is not a number.
    NotANumber {
        /// The index of the string.
        index: usize,
        /// The string.
        text: String,
    },
    /// A string is a number that the integer type cannot hold.
    NotInRange {
        /// The index of the string.
        index: usize,
        /// The string.
        text: String,
        /// The integer type.
        to: DType,
    },
}

/// A text of the user in quotes; only the start of a long one.
struct Shortened<'a>(&'a str);

impl fmt::Display for Shortened<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 60;
        match self.0.char_indices().nth(MOST) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}…", self.0.get(..end).unwrap_or_default()),
        }
    }
}

impl fmt::Display for CastError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { dtype, since: None, .. } => {
                write!(f, "{dtype} is not a type of ONNX Cast in any version")
            }
            Self::Type { dtype, opset, since: Some(since) } => {
                write!(f, "{dtype} is not a type of ONNX Cast at opset {opset}: version {since} first allows it")
            }
            Self::Opset { opset } => {
                write!(f, "opset {opset} is not known: give one from 1 to 27, which have the versions 1 to 25 of ONNX Cast")
            }
            Self::NoCastLike { opset } => {
                write!(f, "opset {opset} has no CastLike: version 15 is the first; use Cast with the type")
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
