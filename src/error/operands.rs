//! The operands of a call, and other parts of messages.

use std::fmt;

use aclnn_numerics::convert::cann::cast_by_way_of;
use aclnn_numerics::types_by_product::TypeSet;
use aclnn_numerics::{DType, Shape};

/// One operand: `self f16[2, 3]`, `other f64` for a scalar, or `elements f32[6]` for data of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperandInfo {
    /// The name of the parameter.
    pub name: &'static str,
    /// The element type.
    pub dtype: DType,
    /// The shape; `None` for a scalar.
    pub shape: Option<Shape>,
}

impl OperandInfo {
    /// Describes `len` elements of the host.
    pub(crate) fn of_host(name: &'static str, dtype: DType, len: usize) -> OperandInfo {
        OperandInfo { name, dtype, shape: Some(len.into()) }
    }
}

/// The operands of a call, in the order of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operands(Box<[OperandInfo]>);

impl Operands {
    pub(crate) fn new(operands: impl IntoIterator<Item = OperandInfo>) -> Self {
        Self(operands.into_iter().collect())
    }
}

/// A function and its arguments: `zeros(value i32)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallInfo {
    /// The function.
    pub operator: &'static str,
    /// The arguments.
    pub operands: Operands,
}

impl fmt::Display for CallInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.operator, self.operands)
    }
}

impl std::ops::Deref for Operands {
    type Target = [OperandInfo];

    fn deref(&self) -> &[OperandInfo] {
        &self.0
    }
}

impl fmt::Display for OperandInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Some(shape) => write!(f, "{} {}{shape}", self.name, self.dtype),
            None => write!(f, "{} {}", self.name, self.dtype),
        }
    }
}

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, operand) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            operand.fmt(f)?;
        }
        Ok(())
    }
}

/// Returns what to do if there is no Cast.
pub(super) fn around(from: DType, to: DType) -> String {
    match cast_by_way_of(from, to) {
        Some(between) => format!("cast to {between} first, or choose another type"),
        None => "choose another type".to_owned(),
    }
}

/// Formats what was tried, one line each.
pub(super) fn attempts(tried: &[aclnn_sys::Attempt]) -> String {
    tried.iter().fold(String::new(), |all, attempt| format!("{all}\n  {attempt}"))
}

/// The alternative to a missing CANN.
pub(super) const WITHOUT_CANN: &str = if cfg!(not(all(target_os = "linux", target_pointer_width = "64"))) {
    "CANN and the emulator that stands in for it run on 64-bit Linux alone"
} else if cfg!(feature = "emulator") {
    "Without CANN, ACLNN_BACKEND=emulator runs this program on the CPU"
} else {
    "Without CANN, this program runs on the CPU if it is built with the feature `emulator` of aclnn"
};

/// Formats the number of elements.
pub(super) fn count(shape: &Shape) -> String {
    shape.numel().map_or("more than can be counted".to_owned(), |count| count.to_string())
}

/// Formats why values of two devices cannot be used together. Streams and events are not operands.
pub(super) fn apart(operands: &Operands, first: i32, second: i32) -> String {
    if operands.is_empty() {
        return format!(
            "the streams and events belong to devices {first} and {second}, but must belong to one; record an event on a \
             stream of the same device"
        );
    }
    format!(
        "operands and stream lie on devices {first} and {second}; all must lie on one, and `Tensor::to` copies a tensor there"
    )
}

/// Formats why an operator refuses a type.
pub(super) fn unsupported(
    by: &str,
    operands: &Operands,
    dtype: DType,
    product: &str,
    accepted: TypeSet,
) -> String {
    if accepted.is_empty() {
        return format!("{by} is not available on {product}; compute the result by other operators");
    }
    let instead = instead(by, operands, dtype);
    format!("{by} does not take {dtype} on {product}, only {accepted}; {instead}")
}

/// Returns what to do about a type that an operator refuses. A type that no operand has was requested, and before a
/// Cast another Cast would not help.
fn instead(by: &str, operands: &Operands, dtype: DType) -> &'static str {
    if by != "Cast" && operands.iter().any(|operand| operand.dtype == dtype) {
        "cast to one of these first"
    } else if dtype == DType::String {
        "strings stay on the host: `onnx::cast_to_strings` and `onnx::cast_from_strings` convert them"
    } else if by == "Cast" && dtype.onnx_code().is_some() {
        "choose one of these, or `onnx::cast`, which converts on the host"
    } else {
        "choose one of these"
    }
}

/// Formats the number of handles that keep a handle from being closed.
pub(super) fn holders(others: usize) -> String {
    match others {
        1 => "another handle or tensor holds it".to_owned(),
        _ => format!("{others} other handles or tensors hold it"),
    }
}

/// Returns how a value of `ACLNN_BACKEND` was interpreted, as it may be a misspelt word.
pub(super) fn taken_for(requested: &str) -> &'static str {
    match requested {
        "auto" | "cann" | "emulator" => "",
        path if path.contains('/') => "",
        _ => "this is neither auto, cann nor emulator, so it is taken for a path: ",
    }
}
