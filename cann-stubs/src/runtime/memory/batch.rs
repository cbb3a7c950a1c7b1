//! Copies of many regions in one call.

use std::ffi::c_void;

use aclnn_sys::{
    ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_HOST_NUMA,
    ACL_MEMCPY_DEFAULT, aclrtMemLocation, aclrtMemcpyBatchAttr,
};

use super::copy::{Copy, HostToHost};
use super::place::Place;
use crate::entry::{Array, Handle, Out, entry_points};
use crate::runtime::stream::{context, progress};
use crate::runtime::{code, stream};
use crate::status::{Result, Status};

/// The arrays of a call, as C passes them.
struct Batch {
    destinations: Out<*mut c_void>,
    rooms: Out<usize>,
    sources: Out<*mut c_void>,
    sizes: Out<usize>,
    count: usize,
    sides: Out<aclrtMemcpyBatchAttr>,
    firsts: Out<usize>,
    entries: usize,
}

/// A region that cannot be copied, and why.
type Failed = (usize, Status);

fn invalid(message: impl std::fmt::Display) -> Status {
    Status::new(code::INVALID_PARAM, message)
}

fn read<T: std::marker::Copy>(array: Out<T>, name: &str, count: usize) -> Result<Vec<T>> {
    let array: Array<T> = array.into_array();
    let values = array.read(count as u64).ok_or_else(|| invalid(format_args!("{name} is null")))?;
    if values.is_empty() { Err(invalid(format_args!("the number of {name} is 0"))) } else { Ok(values) }
}

fn lies_there(place: Place, location: &aclrtMemLocation) -> bool {
    match place {
        Place::Device(_) => location.type_ == ACL_MEM_LOCATION_TYPE_DEVICE,
        Place::Host(_) => {
            [ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_HOST_NUMA].contains(&location.type_)
        }
    }
}

impl Batch {
    /// Checks every region. A failure of the arrays themselves counts as one of the first region.
    fn copies(self) -> std::result::Result<Vec<Copy>, Failed> {
        let first = |status| (0, status);
        let destinations = read(self.destinations, "dsts", self.count).map_err(first)?;
        let rooms = read(self.rooms, "destMaxs", self.count).map_err(first)?;
        let sources = read(self.sources, "srcs", self.count).map_err(first)?;
        let sizes = read(self.sizes, "sizes", self.count).map_err(first)?;
        let sides = read(self.sides, "attrs", self.entries).map_err(first)?;
        let firsts = read(self.firsts, "attrsIndexes", self.entries).map_err(first)?;
        if firsts[0] != 0 || !firsts.is_sorted_by(|a, b| a < b) || firsts[firsts.len() - 1] >= self.count {
            return Err(first(invalid(format_args!(
                "attrsIndexes is {firsts:?}; it must begin with 0, grow, and end before {}",
                self.count
            ))));
        }
        let regions = destinations.iter().zip(rooms).zip(sources.iter().zip(sizes));
        let regions = regions.enumerate().map(|(index, ((destination, room), (source, size)))| {
            let side = &sides[firsts.partition_point(|first| *first <= index) - 1];
            let (destination, source) = (destination.expose_provenance(), source.expose_provenance());
            region(destination, room, source, size, side).map_err(|status| (index, status))
        });
        regions.collect()
    }
}

fn region(
    destination: usize,
    room: usize,
    source: usize,
    size: usize,
    side: &aclrtMemcpyBatchAttr,
) -> Result<Copy> {
    if destination == 0 || source == 0 {
        return Err(invalid("an address is null"));
    }
    let copy = Copy::region(destination, room, source, size)?;
    let (to, from) = copy.locate(BETWEEN)?;
    if !lies_there(to, &side.dstLoc) || !lies_there(from, &side.srcLoc) {
        return Err(invalid("an address lies on another side than attrs says"));
    }
    Ok(copy)
}

/// Writes the index of the region that failed, or `usize::MAX` when none failed, where the caller wants it.
fn tell<T>(fail_index: Out<usize>, outcome: std::result::Result<T, Failed>) -> Result<T> {
    let (index, outcome) = match outcome {
        Ok(value) => (usize::MAX, Ok(value)),
        Err((index, status)) => {
            let message = format!("region {index}: {}", status.message);
            (index, Err(status.with_message(message)))
        }
    };
    if let Some(place) = fail_index.optional() {
        place.write(index);
    }
    outcome
}

const BETWEEN: HostToHost = HostToHost::Refused(code::INVALID_PARAM);

fn run(name: &'static str, copies: &[Copy]) -> Result {
    copies.iter().try_for_each(|copy| copy.copy_at_once(name, BETWEEN))?;
    progress::announce();
    Ok(())
}

fn submit(name: &'static str, copies: Vec<Copy>, stream: &Handle<*mut c_void>) -> Result {
    stream::resolve(stream.0)?.must_accept()?;
    // The sides that the attributes name were compared with the pointers before.
    copies.into_iter().try_for_each(|copy| copy.submit(name, ACL_MEMCPY_DEFAULT, stream.0, BETWEEN))
}

/// The four functions, which differ in what comes behind the arrays.
macro_rules! batches {
    ($list:ident: $(
        fn $name:ident(.. $(, $parameter:ident: $type:ty)*) => |$copies:ident| $body:expr, $failed:expr;
    )*) => {
        entry_points! { $list: $(
            fn $name(
                destinations: Out<*mut c_void>,
                rooms: Out<usize>,
                sources: Out<*mut c_void>,
                sizes: Out<usize>,
                count: usize,
                sides: Out<aclrtMemcpyBatchAttr>,
                firsts: Out<usize>,
                entries: usize,
                $($parameter: $type,)*
            ) -> i32 {
                context::current()?;
                let batch = Batch { destinations, rooms, sources, sizes, count, sides, firsts, entries };
                let $copies = tell($failed, batch.copies())?;
                $body
            }
        )* }
    };
}

/// Nobody wants to know which region failed; the message says it.
fn untold() -> Out<usize> {
    Out::null()
}

batches! { SYMBOLS:
    fn aclrtMemcpyBatch(.., failed: Out<usize>) => |copies| run("aclrtMemcpyBatch", &copies), failed;
    fn aclrtMemcpyBatchAsync(.., failed: Out<usize>, stream: Handle<*mut c_void>) =>
        |copies| submit("aclrtMemcpyBatchAsync", copies, &stream), failed;
    fn aclrtMemcpyBatchV2(..) => |copies| run("aclrtMemcpyBatchV2", &copies), untold();
    fn aclrtMemcpyBatchAsyncV2(.., stream: Handle<*mut c_void>) =>
        |copies| submit("aclrtMemcpyBatchAsyncV2", copies, &stream), untold();
}
