//! What the checks know of more streams than a history keeps apart. An order that the program made is no misuse, however many
//! streams it has; what it did not order is found among them.

use std::ffi::c_void;
use std::ptr;

use aclnn_sys::*;
use cann_stubs::control::{self, Check, Mode};
use serial_test::serial;

use super::misuse::found;
use crate::support::program::*;
use crate::support::*;

/// More than a clock, and than the uses of an allocation, hold before they drop what adds nothing.
const CROWD: usize = 300;

/// Streams, and memory of eight floats that each has been told to fill.
fn crowd() -> Vec<(aclrtStream, *mut c_void)> {
    let begun = || {
        let (stream, memory) = (stream(), floats(8));
        good(rt!(aclrtMemsetAsync(memory, 32, 0, 32, stream)));
        (stream, memory)
    };
    (0..CROWD).map(|_| begun()).collect()
}

/// Makes `later` wait for what `earlier` has so far.
fn order(earlier: aclrtStream, later: aclrtStream) {
    let event = event();
    good(rt!(aclrtRecordEvent(event, earlier)));
    good(rt!(aclrtStreamWaitEvent(later, event)));
    good(rt!(aclrtDestroyEvent(event)));
}

/// Reads what each stream has filled.
fn read_all(crowd: &[(aclrtStream, *mut c_void)], stream: aclrtStream) -> i32 {
    let out = floats(8);
    crowd.iter().map(|(_, memory)| add(*memory, *memory, out, 8, stream)).find(|code| *code != 0).unwrap_or(0)
}

fn end(crowd: &[(aclrtStream, *mut c_void)]) {
    crowd.iter().for_each(|(stream, _)| good(rt!(aclrtDestroyStream(*stream))));
}

/// Does nothing: that it is queued orders streams.
unsafe extern "C" fn nothing(_: *mut c_void) {}

/// Nothing may be found in `body`, in any mode.
#[track_caller]
fn clean(body: impl Fn()) {
    for mode in Mode::ALL {
        let _mode = control::streams_everywhere(mode);
        let _device = Device::set();
        let ((), reports) = control::reports_of(&body);
        assert!(reports.is_empty(), "{mode:?}: {reports:?}");
    }
}

#[test]
#[serial]
fn a_stream_that_waited_for_all_of_them_may_use_what_they_wrote() {
    clean(|| {
        let (crowd, reader) = (crowd(), stream());
        // The host knows some of them to be done, which nobody needs to wait for.
        let (known, waited) = crowd.split_at(CROWD / 3);
        known.iter().for_each(|(stream, _)| good(rt!(aclrtSynchronizeStream(*stream))));
        waited.iter().for_each(|(stream, _)| order(*stream, reader));
        good(read_all(&crowd, reader));
        end(&crowd);
    });
}

#[test]
#[serial]
fn a_stream_that_waited_for_all_but_one_of_them_is_found() {
    found(Check::Race, &["reads self where aclrtMemsetAsync on stream", "writes devPtr"], || {
        let (crowd, reader) = (crowd(), stream());
        let waited = crowd.iter().enumerate().filter(|(number, _)| *number != CROWD / 2);
        waited.for_each(|(_, (stream, _))| order(*stream, reader));
        let code = read_all(&crowd, reader);
        end(&crowd);
        code
    });
}

/// Host functions may tell each other, so those of all streams are ordered.
#[test]
#[serial]
fn host_functions_order_all_of_them() {
    clean(|| {
        let (crowd, reader) = (crowd(), stream());
        for stream in crowd.iter().map(|(stream, _)| *stream).chain([reader]) {
            good(rt!(aclrtLaunchHostFunc(stream, Some(nothing), ptr::null_mut())));
        }
        good(read_all(&crowd, reader));
        end(&crowd);
    });
}

/// The memory that all of them read is written and freed only when the last of them is done.
#[test]
#[serial]
fn memory_that_all_of_them_use_is_busy_until_the_last_is_done() {
    let reads = |body: fn(&[(aclrtStream, *mut c_void)], *mut c_void) -> i32| {
        move || {
            let (crowd, shared) = (crowd(), floats(8));
            crowd.iter().for_each(|(stream, memory)| good(add(shared, shared, *memory, 8, *stream)));
            let code = body(&crowd, shared);
            end(&crowd);
            code
        }
    };
    found(
        Check::FreedInUse,
        &["memory of aclnnAdd"],
        reads(|crowd, shared| {
            crowd[1..].iter().for_each(|(stream, _)| good(rt!(aclrtSynchronizeStream(*stream))));
            let code = rt!(aclrtFree(shared));
            good(rt!(aclrtSynchronizeStream(crowd[0].0)));
            good(rt!(aclrtFree(shared)));
            code
        }),
    );
    found(
        Check::Race,
        &["writes devPtr where aclnnAdd on stream"],
        reads(|crowd, shared| {
            let writer = stream();
            crowd[1..].iter().for_each(|(stream, _)| order(*stream, writer));
            let code = rt!(aclrtMemsetAsync(shared, 32, 0, 32, writer));
            order(crowd[0].0, writer);
            good(rt!(aclrtMemsetAsync(shared, 32, 0, 32, writer)));
            code
        }),
    );
}
