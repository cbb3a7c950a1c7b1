//! Ids of events, of which products have different numbers.

use std::ptr::null_mut;

use aclnn_sys::*;

use crate::support::child::{self, this_test};
use crate::support::runtime::*;

/// The numbers are the documented ones.
#[test]
fn events_run_out_of_hardware_ids_until_their_work_is_done() {
    /// The code of a call that is refused, and whether the message tells why.
    macro_rules! refused {
        ($name:ident($($argument:expr),* $(,)?)) => {
            (call!($name($($argument),*)), message().contains("event ids of device 0 are taken"))
        };
    }
    const NONE_LEFT: (i32, bool) = (ACL_ERROR_RT_NO_EVENT_RESOURCE, true);
    for (product, limit) in [("Ascend310P", 1_023), ("Ascend910B", 65_536)] {
        // Work is over when somebody waits, and at no other time.
        let settings = [("CANN_STUBS_SOC", product), ("CANN_STUBS_STREAMS", "deferred")];
        child::with(this_test!(), &settings, || {
            let _device = Device::set();
            let (mut first, mut second, mut event, mut extended) =
                (null_mut(), null_mut(), null_mut(), null_mut());
            ok!(aclrtCreateStream(&mut first));
            ok!(aclrtCreateStream(&mut second));
            let left = || {
                let mut left = 0;
                ok!(aclrtGetEventAvailNum(&mut left));
                left
            };
            assert_eq!(left(), limit);
            // Dependencies between streams, each with an event of its own that is destroyed at once.
            for made in 0..limit {
                match made % 2 {
                    0 => ok!(aclrtCreateEventWithFlag(&mut event, ACL_EVENT_SYNC)),
                    _ => ok!(aclrtCreateEvent(&mut event)),
                }
                ok!(aclrtRecordEvent(event, first));
                ok!(aclrtStreamWaitEvent(second, event));
                ok!(aclrtDestroyEvent(event));
            }
            assert_eq!(left(), 0, "destroying gives nothing back");
            assert_eq!(refused!(aclrtCreateEvent(&mut event)), NONE_LEFT);
            assert_eq!(refused!(aclrtCreateEventWithFlag(&mut event, ACL_EVENT_SYNC)), NONE_LEFT);
            // An extended one can be made, and not recorded.
            ok!(aclrtCreateEventExWithFlag(&mut extended, ACL_EVENT_SYNC));
            assert_eq!(refused!(aclrtRecordEvent(extended, first)), NONE_LEFT);
            ok!(aclrtSynchronizeStream(first));
            assert_eq!(left(), limit, "the recorded work is done");

            // Extended events take one at each record, and none before.
            let many: Vec<_> = (0..limit + 100)
                .map(|_| {
                    ok!(aclrtCreateEventExWithFlag(&mut event, ACL_EVENT_SYNC));
                    event
                })
                .collect();
            assert_eq!(left(), limit);
            for event in &many[..limit as usize] {
                ok!(aclrtRecordEvent(*event, second));
            }
            assert_eq!(refused!(aclrtRecordEvent(extended, second)), NONE_LEFT);
            assert_eq!(refused!(aclrtCreateEvent(&mut event)), NONE_LEFT);
            for event in many {
                ok!(aclrtDestroyEvent(event));
            }
            assert_eq!(left(), 0);
            ok!(aclrtSynchronizeStream(second));
            assert_eq!(left(), limit);
            ok!(aclrtRecordEvent(extended, first));
            ok!(aclrtRecordEvent(extended, first));
            assert_eq!(left(), limit - 2);
            ok!(aclrtSynchronizeStream(first));

            // Plain ones have one from the making on, whether recorded once or often.
            ok!(aclrtCreateEvent(&mut event));
            assert_eq!(left(), limit - 1);
            ok!(aclrtDestroyEvent(event));
            assert_eq!(left(), limit, "nothing was recorded");
            ok!(aclrtCreateEvent(&mut event));
            for _ in 0..2 {
                for _ in 0..2_000 {
                    ok!(aclrtRecordEvent(event, first));
                }
                assert_eq!(left(), limit - 1);
                ok!(aclrtSynchronizeEvent(event));
                assert_eq!(left(), limit);
            }
            // Work that is thrown away is over, too.
            ok!(aclrtRecordEvent(event, first));
            ok!(aclrtRecordEvent(extended, first));
            assert_eq!(left(), limit - 2);
            ok!(aclrtStreamAbort(first));
            assert_eq!(left(), limit);
            ok!(aclrtRecordEvent(extended, second));
            ok!(aclrtDestroyStreamForce(second));
            assert_eq!(left(), limit);
        });
    }
}
