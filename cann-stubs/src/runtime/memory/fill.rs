//! Setting memory to one value, at once or in the order of a stream; checked as copies are.

use std::ffi::c_void;

use cann_kernels::Span;

use super::copy::{must_be_some, must_fit, named};
use super::host;
use super::peer::must_reach;
use super::place::Place;
use crate::check;
use crate::check::tracker::{self, Access, Purpose, Work};
use crate::entry::{Address, Handle, entry_points};
use crate::runtime::stream::Stream;
use crate::runtime::stream::context;
use crate::runtime::{code, stream};
use crate::status::{Result, Status};
use crate::trace::{self, Details};

/// Elements to set to one value.
#[derive(Debug, Clone, Copy)]
struct Fill<T> {
    address: usize,
    value: T,
    count: usize,
}

impl<T: std::marker::Copy + Send + Sync + 'static> Fill<T> {
    fn new(address: Address<*mut c_void>, room: usize, value: T, count: usize) -> Result<Self> {
        let address = address.required("devPtr", code::INVALID_PARAM)?;
        let bytes = count.checked_mul(size_of::<T>());
        let endless = || {
            let message = format!("{count} elements reach past the end of all addresses");
            Status::new(code::PARAM_INVALID, message)
        };
        must_fit("maxCount", room, bytes.ok_or_else(endless)?)?;
        must_be_some(count)?;
        Ok(Fill { address, value, count })
    }

    fn locate(&self) -> Result<Place> {
        Place::of(self.address, self.count * size_of::<T>()).map_err(|status| named("devPtr", status))
    }

    fn run(&self) -> Result {
        if self.count == 0 {
            return Ok(());
        }
        let start = self.locate()?.pointer().cast::<T>();
        for index in 0..self.count {
            // SAFETY: as for a copy; the address need not be aligned for a `T`.
            unsafe { start.wrapping_add(index).write_unaligned(self.value) };
        }
        Ok(())
    }

    fn judge(&self, function: &'static str, submit: impl FnOnce(&Work<'_>) -> Result) -> Result {
        if !check::is_tracking() {
            return Ok(());
        }
        let span = Span::dense(self.address, self.count * size_of::<T>());
        let accesses = [Access { name: "devPtr", span, purpose: Purpose::Write }];
        submit(&Work { function, code: code::PARAM_INVALID, accesses: &accesses, carried: &[] })
    }

    /// Fills now.
    fn fill_at_once(&self, function: &'static str) -> Result {
        stream::capture::must_allow_at_once()?;
        if self.count > 0 {
            self.locate()?;
            self.judge(function, tracker::at_once)?;
        }
        trace::at_once(function, || self.details(), || self.run())
    }

    fn details(&self) -> Details {
        let bytes = self.count * size_of::<T>();
        Details { kernels: vec!["fill"], bytes, ..Details::default() }
    }

    fn submit(self, name: &'static str, handle: usize) -> Result {
        let stream = stream::resolve(handle)?;
        if self.count == 0 {
            return Ok(());
        }
        if stream.is_captured() {
            self.must_be_reached(&stream)?;
        }
        stream::capture::submit(&stream, name, move |stream| self.queue(name, stream))
    }

    fn must_be_reached(&self, stream: &Stream) -> Result {
        match self.locate()? {
            Place::Device(_) => {
                must_reach(stream.device, self.address).map_err(|status| named("devPtr", status))
            }
            Place::Host(_) => Ok(()),
        }
    }

    fn queue(self, name: &'static str, stream: &Stream) -> Result {
        self.must_be_reached(stream)?;
        stream.must_accept()?;
        self.judge(name, |work| tracker::submit(stream.id(), stream.tally(), work))?;
        let pinned = host::shares(&[self.address]);
        let run = move || {
            let outcome = self.run();
            drop(pinned);
            outcome
        };
        stream.submit(name, || self.details(), Box::new(run))
    }
}

entry_points! { SYMBOLS:
    fn aclrtMemset(address: Address<*mut c_void>, room: usize, value: i32, count: usize) -> i32 {
        // The low byte counts, as for C's memset.
        let fill = Fill::new(address, room, value as u8, count)?;
        context::current()?;
        fill.fill_at_once("aclrtMemset")
    }

    fn aclrtMemsetD32(address: Address<*mut c_void>, room: usize, value: u32, count: usize) -> i32 {
        let fill = Fill::new(address, room, value, count)?;
        context::current()?;
        fill.fill_at_once("aclrtMemsetD32")
    }

    fn aclrtMemsetAsync(
        address: Address<*mut c_void>,
        room: usize,
        value: i32,
        count: usize,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        Fill::new(address, room, value as u8, count)?.submit("aclrtMemsetAsync", stream.0)
    }

    fn aclrtMemsetD32Async(
        address: Address<*mut c_void>,
        room: usize,
        value: u32,
        count: usize,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        Fill::new(address, room, value, count)?.submit("aclrtMemsetD32Async", stream.0)
    }
}
