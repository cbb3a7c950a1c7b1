//! The end of the runtime: everything of it that lives ends, and what begins next begins from the beginning.

use crate::runtime::device::{options, reset, resources};
use crate::runtime::memory;
use crate::runtime::product::devices;
use crate::runtime::stream::{capture, context, drain, event, registry};
use crate::status::Result;

/// Runs what is queued, which may still release something.
pub(crate) fn settle() {
    for (_, stream) in registry::all() {
        drain::settle(&stream);
    }
}

/// Ends everything that lives. Returns the first failure of a task that was not reported yet.
pub(crate) fn tear_down() -> Result {
    context::set_default(None);
    let told = &mut Vec::new();
    let mut outcome = context::destroy_made(told);
    for device in devices::all() {
        if context::has_primary(device) {
            outcome = outcome.and(reset::reset(device, true, told));
        }
        reset::release_if_unused(device, told);
    }
    event::forget_all();
    capture::forget_all();
    memory::forget_all();
    resources::forget_all();
    options::forget_all();
    outcome
}
