//! Work that the emulator cannot do, which a function was asked to queue.
//!
//! A program that queues work from a thread of its own may end this thread at the first code of a call, and go on with results
//! that nobody computed. All programs look at the codes of synchronisations, so the work fails there.

use std::ffi::c_void;

use crate::entry::Handle;
use crate::runtime::code;
use crate::runtime::stream::context;
use crate::settings::{self, RefusedWork};
use crate::status::{Result, Status};
use crate::trace::Details;

/// Refuses work that `function` was asked to queue: its run fails with `why`, or the call does, as the settings say.
pub(crate) fn refuse(function: &'static str, stream: &Handle<*mut c_void>, why: Status) -> Result {
    match settings::get().refused_work {
        RefusedWork::AtCall => Err(why),
        RefusedWork::OnStream => {
            let failure = why.with_code(code::AICPU_EXCEPTION);
            context::resolve(stream.0)?.submit(function, Details::default, Box::new(move || Err(failure)))
        }
    }
}
