//! Copying and setting memory, at once or in the order of a stream.
//!
//! The direction follows from the pointers. A copy at once does not wait for streams: what they have queued may not have
//! run, so a program synchronises first. A queued one checks its device memory twice, when it is queued and when it runs;
//! what was freed in between fails the stream instead of being read.

use std::ffi::c_void;

use aclnn_numerics::layout::Walk;
use aclnn_sys::{ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, ACL_MEMCPY_HOST_TO_HOST, aclrtMemcpyKind};
use smallvec::SmallVec;

use super::Place;
use crate::check;
use crate::check::span::Span;
use crate::check::tracker::{self, Access, Carried, Purpose, Work};
use crate::entry::{Address, Handle, entry_points, plain_parameters};
use crate::release::Release;
use crate::runtime::{code, context, progress, stream};
use crate::status::{Result, Status};
use crate::trace::{self, Details};

/// Rows of bytes to copy; a plain copy is one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Copy {
    destination: usize,
    source: usize,
    width: usize,
    height: usize,
    destination_pitch: usize,
    source_pitch: usize,
}

/// Whether both sides of a copy may be the host's.
#[derive(Debug, Clone, Copy)]
pub(super) enum HostToHost {
    Allowed,
    /// Refused with this code.
    Refused(i32),
}

impl Copy {
    fn plain(
        destination: Address<*mut c_void>,
        room: usize,
        source: Address<*const c_void>,
        count: usize,
        kind: aclrtMemcpyKind,
    ) -> Result<Self> {
        let destination = destination.required("dst", code::INVALID_PARAM)?;
        let source = source.required("src", code::INVALID_PARAM)?;
        must_be_known(kind)?;
        Self::region(destination, room, source, count)
    }

    /// One row of bytes.
    pub(super) fn region(destination: usize, room: usize, source: usize, count: usize) -> Result<Self> {
        must_fit("destMax", room, count)?;
        must_be_some(count)?;
        Ok(Copy {
            destination,
            source,
            width: count,
            height: 1,
            destination_pitch: count,
            source_pitch: count,
        })
    }

    fn rectangle(
        (destination, destination_pitch): (Address<*mut c_void>, usize),
        (source, source_pitch): (Address<*const c_void>, usize),
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
    ) -> Result<Self> {
        let destination = destination.required("dst", code::INVALID_PARAM)?;
        let source = source.required("src", code::INVALID_PARAM)?;
        must_be_known(kind)?;
        if width > destination_pitch || width > source_pitch {
            let message = format!(
                "width is {width}, more than a pitch (dpitch {destination_pitch}, spitch {source_pitch})"
            );
            return Err(Status::new(code::INVALID_PARAM, message));
        }
        if kind == ACL_MEMCPY_HOST_TO_HOST {
            return Err(Status::new(code::INVALID_PARAM, "a rectangle cannot be copied from host to host"));
        }
        Ok(Copy { destination, source, width, height, destination_pitch, source_pitch })
    }

    /// Bytes from the first to behind the last one, on a side with rows of `pitch`.
    fn span(&self, pitch: usize) -> Result<usize> {
        let rows =
            self.height.saturating_sub(1).checked_mul(pitch).and_then(|bytes| bytes.checked_add(self.width));
        rows.ok_or_else(|| Status::new(code::PARAM_INVALID, "the rows reach past the end of all addresses"))
    }

    fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Finds both sides.
    pub(super) fn locate(&self, host_to_host: HostToHost) -> Result<(Place, Place)> {
        let destination = Place::of(self.destination, self.span(self.destination_pitch)?)
            .map_err(|status| named("dst", status))?;
        let source =
            Place::of(self.source, self.span(self.source_pitch)?).map_err(|status| named("src", status))?;
        match (destination, source, host_to_host) {
            (Place::Host(_), Place::Host(_), HostToHost::Refused(code)) => Err(Status::new(
                code,
                "both sides are host memory; only aclrtMemcpy copies from host to host",
            )),
            _ => Ok((destination, source)),
        }
    }

    fn run(&self, host_to_host: HostToHost) -> Result {
        if self.is_empty() {
            return Ok(());
        }
        let (destination, source) = self.locate(host_to_host)?;
        for row in 0..self.height {
            let to = destination.pointer().wrapping_add(row * self.destination_pitch);
            let from = source.pointer().wrapping_add(row * self.source_pitch);
            // SAFETY: device memory was just found to hold every row, and stays accessible even if another thread frees
            // it now; the caller promised host memory for every row. The sides may overlap.
            unsafe { to.copy_from(from, self.width) };
        }
        Ok(())
    }

    /// What the copy does to device memory.
    fn judge(
        &self,
        function: &'static str,
        (destination, source): (Place, Place),
        submit: impl FnOnce(&Work<'_>) -> Result,
    ) -> Result {
        let (from_device, to_device) =
            (matches!(source, Place::Device(_)), matches!(destination, Place::Device(_)));
        let side = |name, start, pitch, purpose| Access {
            name,
            span: Span::rows(start, self.width, self.height, pitch),
            purpose,
        };
        let mut accesses: SmallVec<[Access; 2]> = SmallVec::new();
        if from_device {
            let purpose = if to_device { Purpose::Carry } else { Purpose::Fetch };
            accesses.push(side("src", self.source, self.source_pitch, purpose));
        }
        if to_device {
            let purpose = if from_device { Purpose::Receive } else { Purpose::Write };
            accesses.push(side("dst", self.destination, self.destination_pitch, purpose));
        }
        let pitches = [self.source_pitch, self.destination_pitch].map(usize::cast_signed);
        let walk = (from_device && to_device)
            .then(|| Walk::new(&[self.height, self.width], [&[pitches[0], 1], &[pitches[1], 1]]));
        let (from, to) = (self.source, self.destination);
        let carried = walk.as_ref().map(|walk| Carried { walk, from, to, sizes: (1, 1) });
        submit(&Work { function, code: code::PARAM_INVALID, accesses: &accesses, carried })
    }

    /// Copies now.
    pub(super) fn copy_at_once(&self, function: &'static str, host_to_host: HostToHost) -> Result {
        if self.is_empty() {
            return Ok(());
        }
        if check::is_tracking() {
            self.judge(function, self.locate(host_to_host)?, tracker::at_once)?;
        }
        trace::at_once(function, || self.details(), || self.run(host_to_host))
    }

    fn details(&self) -> Details {
        let bytes = self.width * self.height;
        Details { kernels: vec!["copy"], operands: Vec::new(), bytes }
    }

    pub(super) fn submit(self, name: &'static str, handle: usize, host_to_host: HostToHost) -> Result {
        let stream = stream::resolve(handle)?;
        if self.is_empty() {
            return Ok(());
        }
        let places = self.locate(host_to_host)?;
        stream.must_accept()?;
        if check::is_tracking() {
            self.judge(name, places, |work| tracker::submit(stream.id(), work))?;
        }
        stream.submit(name, || self.details(), Box::new(move || self.run(host_to_host)))
    }
}

/// Elements to set to one value.
#[derive(Debug, Clone, Copy)]
struct Fill<T> {
    address: usize,
    value: T,
    count: usize,
}

impl<T: std::marker::Copy + Send + 'static> Fill<T> {
    fn new(address: Address<*mut c_void>, room: usize, value: T, count: usize) -> Result<Self> {
        let address = address.required("devPtr", code::INVALID_PARAM)?;
        must_fit("maxCount", room, count.saturating_mul(size_of::<T>()))?;
        must_be_some(count)?;
        Ok(Fill { address, value, count })
    }

    fn locate(&self) -> Result<*mut u8> {
        let place = Place::of(self.address, self.count * size_of::<T>());
        place.map(Place::pointer).map_err(|status| named("devPtr", status))
    }

    fn run(&self) -> Result {
        if self.count == 0 {
            return Ok(());
        }
        let start = self.locate()?.cast::<T>();
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
        submit(&Work { function, code: code::PARAM_INVALID, accesses: &accesses, carried: None })
    }

    /// Fills now.
    fn fill_at_once(&self, function: &'static str) -> Result {
        if self.count > 0 {
            self.locate()?;
            self.judge(function, tracker::at_once)?;
        }
        trace::at_once(function, || self.details(), || self.run())
    }

    fn details(&self) -> Details {
        let bytes = self.count * size_of::<T>();
        Details { kernels: vec!["fill"], operands: Vec::new(), bytes }
    }

    fn submit(self, name: &'static str, handle: usize) -> Result {
        let stream = stream::resolve(handle)?;
        if self.count == 0 {
            return Ok(());
        }
        self.locate()?;
        stream.must_accept()?;
        self.judge(name, |work| tracker::submit(stream.id(), work))?;
        stream.submit(name, || self.details(), Box::new(move || self.run()))
    }
}

fn named(parameter: &str, status: Status) -> Status {
    let message = format!("{parameter}: {}", status.message);
    status.told_as(message)
}

fn must_be_known(kind: aclrtMemcpyKind) -> Result {
    if kind.0 > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE.0 {
        return Err(Status::new(code::INVALID_PARAM, format_args!("kind is {}; known are 0 to 5", kind.0)));
    }
    Ok(())
}

fn must_fit(name: &str, room: usize, count: usize) -> Result {
    if count > room {
        return Err(Status::new(
            code::PARAM_INVALID,
            format_args!("{count} bytes do not fit: {name} is {room}"),
        ));
    }
    Ok(())
}

fn must_be_some(count: usize) -> Result {
    if count == 0 && Release::emulated() < Release::ZERO_LENGTHS {
        let message = format!(
            "count is 0, which CANN takes from {} on; a program for older ones leaves such calls out",
            Release::ZERO_LENGTHS
        );
        return Err(Status::new(code::PARAM_INVALID, message));
    }
    Ok(())
}

/// A queued copy from host to host has a code of its own.
const QUEUED: HostToHost = HostToHost::Refused(code::FEATURE_NOT_SUPPORT);
const RECTANGLE: HostToHost = HostToHost::Refused(code::INVALID_PARAM);

plain_parameters! { aclrtMemcpyKind }

entry_points! { SYMBOLS:
    fn aclrtMemcpy(
        destination: Address<*mut c_void>,
        room: usize,
        source: Address<*const c_void>,
        count: usize,
        kind: aclrtMemcpyKind,
    ) -> i32 {
        let copy = Copy::plain(destination, room, source, count, kind)?;
        context::current()?;
        copy.copy_at_once("aclrtMemcpy", HostToHost::Allowed)?;
        // A stream may wait for a value there.
        progress::announce();
        Ok(())
    }

    fn aclrtMemcpy2d(
        destination: Address<*mut c_void>,
        destination_pitch: usize,
        source: Address<*const c_void>,
        source_pitch: usize,
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
    ) -> i32 {
        let copy = Copy::rectangle((destination, destination_pitch), (source, source_pitch), width, height, kind)?;
        context::current()?;
        copy.copy_at_once("aclrtMemcpy2d", RECTANGLE)
    }

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
}

entry_points! { ASYNC_SYMBOLS:
    /// The condition concerns host memory that is not pinned, which is copied like any other here.
    fn aclrtMemcpyAsyncWithCondition(
        destination: Address<*mut c_void>,
        room: usize,
        source: Address<*const c_void>,
        count: usize,
        kind: aclrtMemcpyKind,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        let copy = Copy::plain(destination, room, source, count, kind)?;
        copy.submit("aclrtMemcpyAsyncWithCondition", stream.0, QUEUED)
    }

    fn aclrtMemcpyAsync(
        destination: Address<*mut c_void>,
        room: usize,
        source: Address<*const c_void>,
        count: usize,
        kind: aclrtMemcpyKind,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        let copy = Copy::plain(destination, room, source, count, kind)?;
        if kind == ACL_MEMCPY_HOST_TO_HOST {
            let message = "kind is ACL_MEMCPY_HOST_TO_HOST; only aclrtMemcpy copies from host to host";
            return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
        }
        copy.submit("aclrtMemcpyAsync", stream.0, QUEUED)
    }

    fn aclrtMemcpy2dAsync(
        destination: Address<*mut c_void>,
        destination_pitch: usize,
        source: Address<*const c_void>,
        source_pitch: usize,
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        let copy = Copy::rectangle((destination, destination_pitch), (source, source_pitch), width, height, kind)?;
        copy.submit("aclrtMemcpy2dAsync", stream.0, RECTANGLE)
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
