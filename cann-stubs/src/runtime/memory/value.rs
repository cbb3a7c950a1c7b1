//! Single values in device memory, which streams write and wait for.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_STREAM_WAIT_VALUE_AND, ACL_STREAM_WAIT_VALUE_EQ, ACL_STREAM_WAIT_VALUE_GEQ, ACL_STREAM_WAIT_VALUE_NOR,
};
use cann_kernels::Span;

use super::peer::must_reach;
use super::place::device_bytes;
use crate::check::tracker::{self, Access, Purpose, Work};
use crate::entry::{Address, Handle, entry_points};
use crate::runtime::code;
use crate::runtime::stream::{self, Condition, Stream, Task};
use crate::status::{Result, Status};
use crate::trace::Details;

/// The place of a value.
fn place(address: usize) -> Result<*mut u64> {
    let named = |status: Status| Status::new(status.code, format_args!("devAddr: {}", status.message));
    device_bytes(address, size_of::<u64>()).map(<*mut u8>::cast).map_err(named)
}

/// A stream waits until `compare` holds for the value at an address.
struct Wait {
    address: usize,
    compare: fn(u64, u64) -> bool,
    with: u64,
}

impl Condition for Wait {
    fn pass(&self) -> Option<Result> {
        match place(self.address) {
            // SAFETY: the place was just found to be eight bytes of live device memory.
            Ok(place) => (self.compare)(unsafe { place.read_unaligned() }, self.with).then_some(Ok(())),
            Err(status) => Some(Err(status)),
        }
    }
}

fn comparison(flag: u32) -> Result<fn(u64, u64) -> bool> {
    Ok(match flag {
        ACL_STREAM_WAIT_VALUE_GEQ => |value, with| value >= with,
        ACL_STREAM_WAIT_VALUE_EQ => |value, with| value == with,
        ACL_STREAM_WAIT_VALUE_AND => |value, with| value & with != 0,
        ACL_STREAM_WAIT_VALUE_NOR => |value, with| !(value | with) != 0,
        _ => return Err(Status::new(code::PARAM_INVALID, format_args!("flag is {flag}; known are 0 to 3"))),
    })
}

/// Keeps that work on `stream` uses the value at `address`.
fn submit(function: &'static str, address: usize, purpose: Purpose, stream: &Stream) -> Result {
    must_reach(stream.device, address)?;
    stream.must_accept()?;
    let accesses = [Access { name: "devAddr", span: Span::dense(address, size_of::<u64>()), purpose }];
    let work = Work { function, code: code::PARAM_INVALID, accesses: &accesses, carried: &[] };
    tracker::submit(stream.id(), stream.tally(), &work)
}

entry_points! { SYMBOLS:
    fn aclrtValueWrite(
        address: Address<*mut c_void>,
        value: u64,
        flag: u32,
        stream: Handle<*mut c_void>,
    ) -> i32 {
        let address = address.required("devAddr", code::INVALID_PARAM)?;
        if flag != 0 {
            return Err(Status::new(code::PARAM_INVALID, format_args!("flag is {flag}; it must be 0")));
        }
        place(address)?;
        let write = move || {
            // SAFETY: the place was just found to be eight bytes of live device memory.
            unsafe { place(address)?.write_unaligned(value) };
            Ok(())
        };
        stream::capture::submit(&*stream::resolve(stream.0)?, "aclrtValueWrite", move |stream| {
            submit("aclrtValueWrite", address, Purpose::Write, stream)?;
            stream.submit("aclrtValueWrite", Details::default, Box::new(write))
        })
    }

    fn aclrtValueWait(address: Address<*mut c_void>, value: u64, flag: u32, stream: Handle<*mut c_void>) -> i32 {
        let address = address.required("devAddr", code::INVALID_PARAM)?;
        let compare = comparison(flag)?;
        place(address)?;
        stream::capture::submit(&*stream::resolve(stream.0)?, "aclrtValueWait", move |stream| {
            submit("aclrtValueWait", address, Purpose::Watch, stream)?;
            tracker::trust(stream.id(), stream.tally());
            let wait = Wait { address, compare, with: value };
            stream.push(|_| Task::Condition(Box::new(Box::new(wait))))
        })
    }
}
