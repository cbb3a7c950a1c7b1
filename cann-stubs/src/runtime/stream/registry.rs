//! Every live stream, and its handle.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::check::tracker;
use crate::handle::{Dangling, Kind, Registry};
use crate::runtime::code;
use crate::runtime::stream::queue::Stream;
use crate::status::{Result, Status};

/// Streams that may live at a time.
const LIMIT: usize = 2048;

static STREAMS: Registry<Stream> = Registry::new(Kind::Stream);
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The flag of streams that no program made, beside those that `aclrtCreateStreamWithConfig` takes.
const INNER: u32 = 1 << 31;

/// Makes a stream that the program does not see, for a graph.
pub(crate) fn create_inner(device: i32, context: u64, priority: u32) -> Result<(usize, Arc<Stream>)> {
    create(device, context, priority, INNER)
}

/// Returns whether the program does not see a stream.
pub(crate) fn is_inner(stream: &Stream) -> bool {
    stream.flags & INNER != 0
}

/// Makes a stream and its handle.
pub(crate) fn create(device: i32, context: u64, priority: u32, flags: u32) -> Result<(usize, Arc<Stream>)> {
    if LIVE.fetch_add(1, Ordering::Relaxed) >= LIMIT {
        LIVE.fetch_sub(1, Ordering::Relaxed);
        let message = format!("{LIMIT} streams are live; destroy those that are not needed");
        return Err(Status::new(code::NO_STREAM_RESOURCE, message));
    }
    let stream = Stream::new(device, context, priority, flags);
    Ok((STREAMS.insert_shared(Arc::clone(&stream)), stream))
}

/// The live stream behind `handle`, whatever its context.
pub(crate) fn find(handle: usize) -> Result<Arc<Stream>> {
    STREAMS.get(handle).map_err(dangling)
}

fn dangling(why: Dangling) -> Status {
    why.status(code::PARAM_INVALID, "stream")
}

/// Ends a stream: its handle is dead afterwards, and work left in it is thrown away.
pub(crate) fn destroy(handle: usize) -> Result {
    let stream = STREAMS.remove(handle).map_err(dangling)?;
    stream.end_handle();
    stream.close();
    // Here and not when the last reference goes, which a worker may hold for a moment longer.
    LIVE.fetch_sub(1, Ordering::Relaxed);
    tracker::ended(stream.id());
    Ok(())
}

/// Every live stream with its handle.
pub(crate) fn all() -> Vec<(usize, Arc<Stream>)> {
    STREAMS.live()
}

/// How many streams can still be made.
pub(crate) fn available() -> usize {
    LIMIT.saturating_sub(LIVE.load(Ordering::Relaxed))
}
