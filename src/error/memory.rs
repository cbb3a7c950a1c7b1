//! The message for a lack of memory.

use super::Failure;
use crate::statistics::MemoryStatistics;

pub(super) fn exhausted(
    device: i32,
    requested: usize,
    free: usize,
    total: usize,
    pool: &MemoryStatistics,
    cause: Option<&Failure>,
) -> String {
    let MemoryStatistics { live, cached, largest_cached, reserved, limit, .. } = pool;
    let left = match total {
        0 => "the library does not tell how much is free".to_owned(),
        _ => format!("{free} of {total} bytes are free"),
    };
    let held = format!(
        "{left}, tensors have {live}, and {cached} are cached between them, at most {largest_cached} in a piece"
    );
    let advice = "drop tensors, or work on less at a time";
    match (cause, limit) {
        (Some(cause), _) => {
            format!("device {device} has no {requested} bytes left: {held}; {advice} ({cause})")
        }
        (None, Some(limit)) => format!(
            "{requested} bytes and their padding on device {device}, beside {reserved} held, would exceed the limit of {limit}: {held}; {advice}, or raise \
             the limit (Device::set_memory_limit)"
        ),
        (None, None) => format!("device {device} has no {requested} bytes left: {held}; {advice}"),
    }
}
