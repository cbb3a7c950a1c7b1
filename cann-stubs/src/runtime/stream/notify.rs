//! Notifies: one signal, which a stream gives and another takes. Unlike the record of an event, the wait may be queued
//! first.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use aclnn_sys::ACL_NOTIFY_DEVICE_USE_ONLY;

use crate::check::tracker;
use crate::entry::{Handle, Out, entry_points};
use crate::handle::{Kind, Registry, to_pointer};
use crate::runtime::code;
use crate::runtime::stream::queue::{Condition, Task};
use crate::runtime::stream::{capture, context};
use crate::status::{Result, Status};
use crate::trace::Details;

static NOTIFIES: Registry<Notify> = Registry::new(Kind::Notify);

#[derive(Debug)]
struct Notify {
    id: u32,
    signalled: AtomicBool,
}

/// The task of a stream that waits for a signal.
struct Wait(Arc<Notify>);

impl Condition for Wait {
    fn pass(&self) -> Option<Result> {
        self.0.signalled.swap(false, Ordering::AcqRel).then_some(Ok(()))
    }
}

fn find(handle: &Handle<*mut c_void>) -> Result<Arc<Notify>> {
    NOTIFIES.get(handle.0).map_err(|why| Status::new(code::PARAM_INVALID, why.explain("notify")))
}

entry_points! { SYMBOLS:
    fn aclrtCreateNotify(notify: Out<*mut c_void>, flag: u64) -> i32 {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let place = notify.required("notify", code::INVALID_PARAM)?;
        if flag & !ACL_NOTIFY_DEVICE_USE_ONLY != 0 {
            return Err(Status::new(code::PARAM_INVALID, format_args!("flag is {flag:#x}; known are 0 and 1")));
        }
        context::current()?;
        let notify = Notify { id: NEXT.fetch_add(1, Ordering::Relaxed), signalled: AtomicBool::new(false) };
        place.write(to_pointer(NOTIFIES.insert(notify)));
        Ok(())
    }

    /// Streams that wait for the signal or are to give it keep it alive.
    fn aclrtDestroyNotify(notify: Handle<*mut c_void>) -> i32 {
        let gone = NOTIFIES.remove(notify.0);
        gone.map(drop).map_err(|why| Status::new(code::PARAM_INVALID, why.explain("notify")))
    }

    fn aclrtRecordNotify(notify: Handle<*mut c_void>, stream: Handle<*mut c_void>) -> i32 {
        let notify = find(&notify)?;
        capture::submit(&*context::resolve(stream.0)?, "aclrtRecordNotify", move |stream| {
            let notify = Arc::clone(&notify);
            let give = move || {
                notify.signalled.store(true, Ordering::Release);
                Ok(())
            };
            stream.submit("aclrtRecordNotify", Details::default, Box::new(give))
        })
    }

    /// The stream waits as long as it takes: the limit is for devices that do not answer.
    fn aclrtWaitAndResetNotify(notify: Handle<*mut c_void>, stream: Handle<*mut c_void>, _timeout: u32) -> i32 {
        let notify = find(&notify)?;
        capture::submit(&*context::resolve(stream.0)?, "aclrtWaitAndResetNotify", move |stream| {
            tracker::trust(stream.id(), stream.tally());
            let wait = Wait(Arc::clone(&notify));
            stream.push(|_| Task::Condition(Box::new(Box::new(wait))))
        })
    }

    fn aclrtGetNotifyId(notify: Handle<*mut c_void>, id: Out<u32>) -> i32 {
        let place = id.required("notifyId", code::INVALID_PARAM)?;
        place.write(find(&notify)?.id);
        Ok(())
    }
}
