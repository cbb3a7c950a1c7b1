//! The file format: its messages, the bytes behind them, tensors and types.

pub(crate) mod proto;
pub(crate) mod source;
pub(crate) mod tensor;
pub(crate) mod types;

use prost::DecodeError;

/// Returns why a message cannot be read. Of the fields around a place that lies deep in it, only the nearest are named.
pub(crate) fn why(error: &DecodeError) -> String {
    const NAMED: usize = 6;
    let text = error.to_string();
    let parts: Vec<&str> = text.split(": ").collect();
    match parts.len().checked_sub(NAMED) {
        Some(left_out) if left_out > 0 => {
            let ends = (
                parts.get(..NAMED / 2).unwrap_or_default(),
                parts.get(left_out + NAMED / 2..).unwrap_or_default(),
            );
            format!("{}: …: {}", ends.0.join(": "), ends.1.join(": "))
        }
        _ => text,
    }
}
