//! Resetting devices: with the last context of a device ends its memory.

use crate::check::leaks;
use crate::check::live_objects::Live;
use crate::runtime::memory;
use crate::runtime::stream::context;
use crate::status::Result;

/// Resets a device for the C function `function`, and reports what still lived.
pub(super) fn reset_by(function: &str, device: i32, force: bool) -> Result {
    let mut left = Vec::new();
    let outcome = reset(device, force, &mut left);
    leaks::tell(function, left);
    outcome
}

/// Reverses one `aclrtSetDevice`, or all of them when `force`. The last one ends the primary context and, if the program has
/// no other context on the device, frees the memory. Returns the first failure of a task that was not reported yet, and
/// adds what still lived.
pub(crate) fn reset(device: i32, force: bool, left: &mut Vec<Live>) -> Result {
    let Some(context) = context::take_primary(device, force)? else { return Ok(()) };
    // No lock is held here: tasks of the program run now.
    let outcome = context::destroy(context, left);
    release_if_unused(device, left);
    outcome
}

/// Frees the memory when no context is left on the device, and adds the allocations that still lived.
pub(crate) fn release_if_unused(device: i32, left: &mut Vec<Live>) {
    context::if_unused(device, || {
        if memory::device::clear(device, left)
            && let Ok(mut peers) = memory::peer::of(device)
        {
            peers.clear();
        }
    });
}
