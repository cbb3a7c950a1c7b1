//! Work that the emulator cannot do, which a function was asked to queue.
//!
//! A program that queues work from a thread of its own may end this thread at the first code of a call, and go on with results
//! that nobody computed. All programs look at the codes of synchronisations, so the work fails there.

use std::cell::RefCell;
use std::ffi::c_void;

use crate::entry::Handle;
use crate::runtime::code;
use crate::runtime::stream::context;
use crate::settings::{self, RefusedWork};
use crate::status::{Result, Status};
use crate::trace::Details;

thread_local! {
    /// Why the phase one that this thread called last had to refuse, and the function that is called next.
    static POSTPONED: RefCell<Option<(&'static str, Status)>> = const { RefCell::new(None) };
}

/// Refuses phase one of an operator, or leaves that to phase two, `launch`, as the settings say.
///
/// A program that calls both on one thread passes phase two what phase one left of its places: no executor.
pub(crate) fn postpone(launch: &'static str, why: Status) -> Result {
    match settings::get().refused_plans {
        RefusedWork::AtCall => Err(why),
        // Lost only while the thread ends.
        RefusedWork::OnStream => POSTPONED
            .try_with(|postponed| drop(postponed.borrow_mut().replace((launch, why.clone()))))
            .map_err(|_| why),
    }
}

/// Takes the refusal that phase one has left to `launch`.
pub(crate) fn postponed(launch: &str) -> Option<Status> {
    POSTPONED
        .try_with(|postponed| postponed.borrow_mut().take_if(|(of, _)| *of == launch))
        .ok()
        .flatten()
        .map(|(_, why)| why)
}

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
