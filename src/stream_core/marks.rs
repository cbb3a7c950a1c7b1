//! Events that put streams in order.
//!
//! A device has few events: 1,023 on the 310P. An event made by the extended call takes a hardware id when it is
//! recorded, and returns the id when the work before it is done, so it may be destroyed at once. Releases without that
//! call assign the id when the event is made. With those, this crate bounds its events in flight, so that the program
//! and other libraries have some left.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::acl::{Bound, RawEvent};
use crate::error::{Error, Result};

/// The most events in flight: half as many as the smallest device has.
const MOST: usize = 512;

/// Recorded events whose work may not be done, in the order in which they were recorded.
#[derive(Debug, Default)]
pub(super) struct Marks(Mutex<VecDeque<RawEvent>>);

impl Marks {
    /// Takes over a recorded event that is not needed any more.
    pub(super) fn retire(&self, event: RawEvent, bound: &Bound<'_>) -> Result<()> {
        if bound.has_extended_events() {
            return bound.destroy_event(event);
        }
        let oldest = {
            let mut marks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            marks.push_back(event);
            if marks.len() > MOST { marks.pop_front() } else { None }
        };
        oldest.map_or(Ok(()), |oldest| {
            // Without the lock, as waiting may take a while. The event's stream tells whether the work succeeded.
            let _ = bound.synchronize_event(&oldest);
            bound.destroy_event(oldest)
        })
    }

    /// Destroys all events, when no work is running; the first failure is reported.
    pub(super) fn end(&self, bound: &Bound<'_>) -> Result<()> {
        let marks = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut result = Ok(());
        for event in marks {
            result = result.and(bound.destroy_event(event));
        }
        result
    }
}

/// Returns whether the error means that the device has no event left.
pub(super) fn is_lack_of_events(error: &Error) -> bool {
    error.code() == Some(aclnn_sys::ACL_ERROR_RT_NO_EVENT_RESOURCE)
}

#[cfg(test)]
mod tests {
    use cann_stubs::control::{self, When};

    use super::MOST;
    use crate::backend::Backend;
    use crate::{DType, Device, Result, Stream, Tensor, ops};

    #[test]
    fn without_extended_events_a_bounded_number_is_in_flight() -> Result<()> {
        let counted = |function| control::fail(function, When::Nth(u64::MAX), 0);
        let (extended, plain) = (counted("aclrtCreateEventExWithFlag"), counted("aclrtCreateEventWithFlag"));
        let (waited, destroyed) = (counted("aclrtSynchronizeEvent"), counted("aclrtDestroyEvent"));
        let most = MOST as u64;

        let device = Device::of(Backend::without("aclrtCreateEventExWithFlag")?)?;
        let streams = [Stream::new(&device)?, Stream::new(&device)?];
        let mut sum = Tensor::zeros(&streams[1], [4], DType::I32)?;
        for (round, stream) in (1..=1300).zip(streams.iter().cycle()) {
            ops::add_in_place(&mut sum, 1).on(stream).run()?;
            let in_flight = plain.calls() - destroyed.calls();
            assert_eq!(
                (plain.calls(), in_flight, waited.calls()),
                (round, round.min(most), destroyed.calls())
            );
        }
        assert_eq!(sum.to_vec::<i32>()?, [1300; 4]);
        drop((sum, streams, device));
        assert_eq!((plain.calls(), destroyed.calls(), extended.calls()), (1300, 1300, 0));
        Ok(())
    }
}
