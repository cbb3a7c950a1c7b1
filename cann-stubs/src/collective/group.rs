//! Joining a group, and leaving it.

use std::fmt::Display;
use std::os::fd::OwnedFd;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::time::{Duration, Instant};

use aclnn_sys::{HCCL_E_PARA, HCCL_E_REMOTE, HCCL_E_TIMEOUT};

use super::communicator::{COMMUNICATORS, Communicator, JOINING, THERE, notify, wait_for_change};
use super::outcome::{Result, failed};
use super::process;
use super::root_info::{self, Root};
use super::segment::{self, Segment};
use crate::check::live_objects::Live;
use crate::check::notice;
use crate::misuse::Check;
use crate::runtime::stream::context;
use crate::status::Status;

/// The settings of a communicator.
pub(super) struct Options {
    pub(super) name: Option<String>,
    pub(super) timeout: Duration,
}

/// Adds the live communicators.
pub(crate) fn live(all: &mut Vec<Live>) {
    let live = COMMUNICATORS.live();
    all.extend(live.into_iter().map(|(handle, _)| Live::new("communicator", handle).located()));
}

/// Joins a group as one of its ranks, and waits until every rank has joined.
pub(super) fn join(ranks: usize, root: &Root, rank: usize, device: i32, options: Options) -> Result<usize> {
    // Before anything is written where the other ranks see it.
    segment::must_be_size(ranks)?;
    let file = root.open()?;
    if rank >= ranks {
        let message = format_args!("rank is {rank}, but nRanks is {ranks}, and ranks count from 0");
        return Err(turned_away(&file, message));
    }
    let name = options.name.unwrap_or_else(|| format!("{:016x}", root.secret[0]));
    let comm = sit_down(&file, ranks, rank, device, name, options.timeout)?;
    let joined = wait_for_all(&comm, root);
    root.close();
    joined?;
    Ok(COMMUNICATORS.insert(comm))
}

/// Waits until every rank has joined, or one is known not to.
fn wait_for_all(comm: &Communicator, root: &Root) -> Result {
    let (end, rank, ranks) = (Instant::now() + comm.timeout, comm.rank, comm.segment.ranks());
    let lacking = || comm.lacking(|desk| desk.state.load(Acquire) >= THERE);
    loop {
        let changes = comm.segment.head().changes.load(Acquire);
        let Some(missing) = lacking() else { return Ok(()) };
        if let Some(failure) = comm.failure() {
            return Err(failure);
        }
        let has_joined = |rank: &usize| comm.segment.desk(*rank).state.load(Acquire) == THERE;
        let gone = (0..ranks).filter(has_joined).find_map(|rank| comm.gone(rank)).or_else(|| root.gone());
        // Meanwhile all may have joined, and the first have left.
        if let Some(gone) = gone
            && lacking().is_some()
        {
            let message = format_args!(
                "rank {rank} waits for rank {missing} of {ranks} to join the group {}, and {}; make a new group",
                comm.name, gone.message
            );
            return Err(comm.fail(failed(HCCL_E_REMOTE, message)));
        }
        if Instant::now() >= end {
            let message = format_args!(
                "rank {rank} waited {:?} for rank {missing} of {ranks} to join the group {}; every rank, in a thread or process \
                 of its own, calls this function with the root information that one of them got from HcclGetRootInfo",
                comm.timeout, comm.name
            );
            return Err(comm.fail(failed(HCCL_E_TIMEOUT, message)));
        }
        wait_for_change(&comm.segment, changes, Duration::from_millis(50));
    }
}

/// Makes a group of devices of this process.
pub(super) fn make_all(devices: &[i32], timeout: Duration) -> Result<Vec<usize>> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let file = root_info::file()?;
    let name = format!("all {} of process {}", NEXT.fetch_add(1, Relaxed), std::process::id());
    let of_rank =
        |(rank, device): (usize, &i32)| sit_down(&file, devices.len(), rank, *device, name.clone(), timeout);
    let comms = devices.iter().enumerate().map(of_rank).collect::<Result<Vec<_>>>()?;
    Ok(comms.into_iter().map(|comm| COMMUNICATORS.insert(comm)).collect())
}

/// Takes the desk of a rank.
pub(super) fn sit_down(
    file: &OwnedFd,
    ranks: usize,
    rank: usize,
    device: i32,
    name: String,
    timeout: Duration,
) -> Result<Communicator> {
    // Before the file gets its size, which depends on it.
    let agreed = segment::with_head(file, |head| {
        head.ranks.compare_exchange(0, ranks as u32, AcqRel, Acquire).unwrap_or_else(|known| known)
    })?;
    if agreed != 0 && agreed as usize != ranks {
        let message = format_args!(
            "rank {rank} joins a group of {ranks} ranks, and another rank one of {agreed}: nRanks must be the same"
        );
        return Err(turned_away(file, message));
    }
    let segment = Segment::map(file, ranks)?;
    let desk = segment.desk(rank);
    if desk.state.compare_exchange(0, JOINING, AcqRel, Acquire).is_err() {
        let first = desk.process.load(Relaxed);
        let message = format_args!(
            "rank {rank} has joined the group {name} already, in process {first}: give each rank from 0 to {} to one \
             thread or process",
            ranks - 1
        );
        return Err(turned_away(file, message));
    }
    desk.process.store(std::process::id(), Relaxed);
    desk.started.store(process::own_start(), Relaxed);
    desk.state.store(THERE, Release);
    notify(&segment);
    Ok(Communicator {
        segment,
        rank,
        device,
        resets: context::resets(device),
        context: context::current()
            .ok()
            .filter(|context| !context.is_primary())
            .map(|context| context.number()),
        name,
        timeout,
        process: std::process::id(),
        queued: AtomicU64::new(0),
        last: Mutex::default(),
        is_misaligned: false.into(),
        turn: AtomicU64::new(0),
        is_ended: false.into(),
    })
}

/// The failure of a rank that cannot join. The ranks that wait for others to join get it too, as theirs will not come.
fn turned_away(file: &OwnedFd, message: impl Display) -> Status {
    let why = failed(HCCL_E_PARA, message);
    let known = segment::with_head(file, |head| head.ranks.load(Acquire));
    // Nobody has joined while there is no number.
    if let Ok(ranks @ 1..) = known
        && let Ok(segment) = Segment::map(file, ranks as usize)
        && segment.desks().any(|desk| desk.state.load(Acquire) == 0)
        && segment.head().fail(&why)
    {
        notify(&segment);
    }
    why
}

/// Reports a communicator that is destroyed while its work may run. What a device does then is not known, so the call succeeds.
pub(super) fn tell_open_work(handle: usize) {
    if let Ok(comm) = COMMUNICATORS.get(handle)
        && let Some((function, stream)) = comm.open_call()
    {
        let message = format!(
            "the communicator of the group {} has {function} on stream {stream}, which may still run: synchronise the stream \
             or an event behind the work first; the call succeeds, and the work goes on",
            comm.name
        );
        notice(Check::DestroyedInUse, "HcclCommDestroy", &message);
    }
}

/// Ends a communicator. When its queued work is over too, the ranks that wait for it learn that it has left.
pub(super) fn leave(handle: usize) -> Result {
    let comm = COMMUNICATORS
        .remove(handle)
        .map_err(|why| why.status(aclnn_sys::HCCL_E_PARA.0.cast_signed(), "comm"))?;
    comm.is_ended.store(true, Release);
    Ok(())
}

/// Ends every communicator of the process, and what leads to groups whose ranks have not all joined.
pub(crate) fn forget_all() {
    for (handle, _) in COMMUNICATORS.live() {
        let _ = leave(handle);
    }
    root_info::forget_all();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rank whose process dies after it has joined, and a process that dies before all have joined: the others need not wait
    /// until their time is up.
    #[test]
    fn a_group_that_cannot_come_together_is_told_at_once() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let patience = Duration::from_secs(600);
        for (joined, told) in [(2, "rank 1 (process "), (1, "which made the root information")] {
            let mut root = root_info::make().unwrap();
            let file = root.open().unwrap();
            let join = |rank| sit_down(&file, 3, rank, 0, "a test".to_owned(), patience).unwrap();
            let ranks: Vec<Communicator> = (0..joined).map(join).collect();
            match ranks.get(1) {
                Some(other) => other.own().process.store(child.id(), Relaxed),
                None => root.process = child.id(),
            }
            let failure = wait_for_all(&ranks[0], &root).unwrap_err();
            assert_eq!(failure.code, HCCL_E_REMOTE.0.cast_signed());
            let message = &failure.message;
            assert!(message.contains("waits for rank") && message.contains(told), "{message}");
            root.close();
        }
    }
}
