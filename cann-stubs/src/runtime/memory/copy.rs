//! Copying memory, at once or in the order of a stream.
//!
//! The direction follows from the pointers; a queued copy is refused where its kind gives another direction. A copy at once
//! does not wait for streams: queued work may not have run, so a program synchronises first. A queued copy checks its memory
//! twice, when it is queued and when it runs; memory that was freed in between is not touched, and the stream fails.

use std::ffi::c_void;

use aclnn_numerics::layout::Walk;
use aclnn_sys::{
    ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
    ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_HOST_TO_HOST, aclrtMemcpyKind,
};
use cann_kernels::Span;

use super::host;
use super::host_access::HostUse;
use super::peer::{self, must_reach};
use super::place::Place;
use crate::check;
use crate::check::tracker::{self, Access, Carried, Purpose, Work};
use crate::entry::{Address, Handle, entry_points, plain_parameters};
use crate::release::Release;
use crate::runtime::stream::{Stream, context, progress};
use crate::runtime::{code, stream};
use crate::settings;
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

/// Whether both sides of a copy may be on the host.
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

    /// The bytes from the first to the last one of a side whose rows are `pitch` bytes apart.
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
        let _used =
            [(destination, self.destination_pitch), (source, self.source_pitch)].map(|(place, pitch)| {
                let Place::Host(host) = place else { return None };
                HostUse::begin(host.addr(), self.span(pitch).ok()?)
            });
        for row in 0..self.height {
            let to = destination.pointer().wrapping_add(row * self.destination_pitch);
            let from = source.pointer().wrapping_add(row * self.source_pitch);
            // SAFETY: device memory was just found to hold every row, and stays accessible even if another thread frees
            // it now; the caller promised host memory for every row. The sides may overlap.
            unsafe { to.copy_from(from, self.width) };
        }
        Ok(())
    }

    /// Refuses host memory that went after the copy was queued, as far as the system can tell.
    fn must_be_mapped(&self) -> Result {
        let sides =
            [("dst", self.destination, self.destination_pitch), ("src", self.source, self.source_pitch)];
        for (name, address, pitch) in sides {
            let len = self.span(pitch)?;
            if let Place::Host(_) = Place::of(address, len).map_err(|status| named(name, status))? {
                host::must_be_mapped(address, len).map_err(|status| named(name, status))?;
            }
        }
        Ok(())
    }

    /// Refuses device memory that `device` does not reach.
    fn must_be_reached(&self, (destination, source): (Place, Place), device: i32) -> Result {
        for (place, address, name) in [(destination, self.destination, "dst"), (source, self.source, "src")] {
            if let Place::Device(_) = place {
                must_reach(device, address).map_err(|status| named(name, status))?;
            }
        }
        Ok(())
    }

    /// Refuses pointers that are not on the side that `kind` names.
    fn must_agree(&self, kind: aclrtMemcpyKind, (destination, source): (Place, Place)) -> Result {
        let (called, to_device, from_device) = match kind {
            ACL_MEMCPY_HOST_TO_DEVICE => ("ACL_MEMCPY_HOST_TO_DEVICE", true, false),
            ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE => ("ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE", true, false),
            ACL_MEMCPY_DEVICE_TO_HOST => ("ACL_MEMCPY_DEVICE_TO_HOST", false, true),
            ACL_MEMCPY_DEVICE_TO_DEVICE => ("ACL_MEMCPY_DEVICE_TO_DEVICE", true, true),
            _ => return Ok(()),
        };
        let side = |device| if device { "device memory" } else { "host memory" };
        for (place, address, wanted, name) in
            [(destination, self.destination, to_device, "dst"), (source, self.source, from_device, "src")]
        {
            let lies = matches!(place, Place::Device(_));
            // Registered host memory lies on both sides.
            if lies != wanted && !(wanted && host::is_registered(address, 1)) {
                let (wanted, lies) = (side(wanted), side(lies));
                let message =
                    format!("kind is {called}, which takes {wanted} as {name}, but {address:#x} is {lies}");
                return Err(Status::new(code::PARAM_INVALID, message));
            }
        }
        Ok(())
    }

    /// What the copy does to memory.
    fn judge(
        &self,
        function: &'static str,
        (destination, source): (Place, Place),
        submit: impl FnOnce(&Work<'_>) -> Result,
    ) -> Result {
        let (from_device, to_device) =
            (matches!(source, Place::Device(_)), matches!(destination, Place::Device(_)));
        let access = |name, start, pitch, purpose| Access {
            name,
            span: Span::rows(start, self.width, self.height, pitch),
            purpose,
        };
        let (read, written) = match (from_device, to_device) {
            (true, true) => (Purpose::Carry, Purpose::Receive),
            (true, false) => (Purpose::Fetch, Purpose::Write),
            (false, _) => (Purpose::Read, Purpose::Write),
        };
        let accesses = [
            access("src", self.source, self.source_pitch, read),
            access("dst", self.destination, self.destination_pitch, written),
        ];
        let pitches = [self.source_pitch, self.destination_pitch].map(usize::cast_signed);
        let walk = (from_device && to_device)
            .then(|| Walk::new(&[self.height, self.width], [&[pitches[0], 1], &[pitches[1], 1]]));
        let (from, to) = (self.source, self.destination);
        let carried = walk.as_ref().map(|walk| Carried { walk, from, to, sizes: (1, 1), accesses: (0, 1) });
        let carried = carried.as_slice();
        submit(&Work { function, code: code::PARAM_INVALID, accesses: &accesses, carried })
    }

    /// Copies now.
    pub(super) fn copy_at_once(&self, function: &'static str, host_to_host: HostToHost) -> Result {
        if self.is_empty() {
            return Ok(());
        }
        stream::capture::must_allow_at_once()?;
        let places = self.locate(host_to_host)?;
        if let (Place::Device(_), Place::Device(_)) = places
            && !peer::same_owner(self.destination, self.source)
        {
            self.must_be_reached(places, context::current()?.device_id())?;
        }
        if check::is_tracking() {
            self.judge(function, places, tracker::at_once)?;
        }
        trace::at_once(function, || self.details(), || self.run(host_to_host))
    }

    fn details(&self) -> Details {
        let bytes = self.width * self.height;
        Details { kernels: vec!["copy"], bytes, ..Details::default() }
    }

    pub(super) fn submit(
        self,
        name: &'static str,
        kind: aclrtMemcpyKind,
        handle: usize,
        host_to_host: HostToHost,
    ) -> Result {
        let stream = stream::resolve(handle)?;
        if self.is_empty() {
            return Ok(());
        }
        if stream.is_captured() {
            self.must_suit(kind, &stream, host_to_host)?;
        }
        stream::capture::submit(&stream, name, move |stream| self.queue(name, kind, stream, host_to_host))
    }

    /// Finds both sides for a queued copy.
    fn must_suit(
        &self,
        kind: aclrtMemcpyKind,
        stream: &Stream,
        host_to_host: HostToHost,
    ) -> Result<(Place, Place)> {
        let places = self.locate(host_to_host)?;
        self.must_agree(kind, places)?;
        self.must_be_reached(places, stream.device)?;
        self.must_be_capturable(places, stream)?;
        Ok(places)
    }

    /// Refuses host memory that is not pinned where a graph is captured: a device copies it at once.
    fn must_be_capturable(&self, (destination, source): (Place, Place), stream: &Stream) -> Result {
        let is_pageable = |place, address| matches!(place, Place::Host(_)) && !host::is_known(address);
        if !is_pageable(destination, self.destination) && !is_pageable(source, self.source) {
            return Ok(());
        }
        if stream.is_captured() {
            let message =
                "host memory that is not pinned cannot be copied by a graph; allocate it by aclrtMallocHost";
            return Err(Status::new(code::PARAM_INVALID, message));
        }
        stream::capture::must_allow_pageable()
    }

    fn queue(
        self,
        name: &'static str,
        kind: aclrtMemcpyKind,
        stream: &Stream,
        host_to_host: HostToHost,
    ) -> Result {
        let places = self.must_suit(kind, stream, host_to_host)?;
        stream.must_accept()?;
        if check::is_tracking() {
            self.judge(name, places, |work| tracker::submit(stream.id(), stream.tally(), work))?;
        }
        let pinned = host::shares(&[self.destination, self.source]);
        let run = move || {
            let outcome = self.must_be_mapped().and_then(|()| self.run(host_to_host));
            drop(pinned);
            outcome
        };
        stream.submit(name, || self.details(), Box::new(run))
    }
}

pub(super) fn named(parameter: &str, status: Status) -> Status {
    let message = format!("{parameter}: {}", status.message);
    status.with_message(message)
}

fn must_be_known(kind: aclrtMemcpyKind) -> Result {
    if kind.0 > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE.0 {
        return Err(Status::new(code::INVALID_PARAM, format_args!("kind is {}; known are 0 to 5", kind.0)));
    }
    Ok(())
}

pub(super) fn must_fit(name: &str, room: usize, count: usize) -> Result {
    if count > room {
        return Err(Status::new(
            code::PARAM_INVALID,
            format_args!("{count} bytes do not fit: {name} is {room}"),
        ));
    }
    Ok(())
}

pub(super) fn must_be_some(count: usize) -> Result {
    if count == 0 && settings::get().release < Release::ZERO_LENGTHS {
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

/// Queues a copy of one row.
fn queue(name: &'static str, copy: Copy, kind: aclrtMemcpyKind, stream: usize) -> Result {
    if kind == ACL_MEMCPY_HOST_TO_HOST {
        let message = "kind is ACL_MEMCPY_HOST_TO_HOST; only aclrtMemcpy copies from host to host";
        return Err(Status::new(code::FEATURE_NOT_SUPPORT, message));
    }
    copy.submit(name, kind, stream, QUEUED)
}

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
        queue("aclrtMemcpyAsyncWithCondition", copy, kind, stream.0)
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
        queue("aclrtMemcpyAsync", copy, kind, stream.0)
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
        copy.submit("aclrtMemcpy2dAsync", kind, stream.0, RECTANGLE)
    }
}
