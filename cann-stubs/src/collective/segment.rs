//! Memory that all ranks of a group share: who is there, how far each is, and the data on its way.
//!
//! It is a file without a name, so that nothing of it remains when the last process of the group is gone, however it ends.
//! A rank writes its own desk and its own slots, and reads those of the others once their counters say that it may.

use std::hint;
use std::mem::size_of;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, fence};

use aclnn_sys::HCCL_E_MEMORY;
use rustix::fs::{self, MemfdFlags};
use rustix::mm::{self, MapFlags, ProtFlags};

use super::outcome::{Result, code_of, failed, refused};
use crate::status::Status;

/// Bytes of a slot.
pub(super) const SLOT: usize = 256 << 10;
/// Bytes of a part of a message.
pub(super) const PART: usize = 64 << 10;
/// Ranks of a group.
pub(super) const MOST_RANKS: usize = 256;
/// Bytes of the text of a failure.
pub(super) const TEXT: usize = 1024;

const PAGE: usize = 4096;

/// The state of the group as a whole.
#[repr(C)]
pub(super) struct Head {
    /// Known to those alone who have the root information.
    pub(super) secret: [AtomicU64; 2],
    /// How many ranks there are; 0 until the first one joins.
    pub(super) ranks: AtomicU32,
    /// Counts what changes, and is what processes wait for.
    pub(super) changes: AtomicU32,
    /// How many threads wait for a change.
    pub(super) watchers: AtomicU32,
    /// 0 without a failure, 1 while it is written, 2 when it is there.
    pub(super) failed: AtomicU32,
    pub(super) code: AtomicU32,
    pub(super) length: AtomicU32,
    pub(super) text: [AtomicU8; TEXT],
}

impl Head {
    /// Makes `why` the failure of the group, unless there is one. Returns whether it is.
    pub(super) fn fail(&self, why: &Status) -> bool {
        if self.failed.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            return false;
        }
        self.length.store(put(&why.message, &self.text), Relaxed);
        self.code.store(code_of(why).0, Relaxed);
        self.failed.store(2, Release);
        true
    }
}

/// The place where a rank tells of itself.
#[repr(C, align(256))]
pub(super) struct Desk {
    /// 0 before the rank joins, 1 while it does, 2 as long as it is there, 3 when it has left.
    pub(super) state: AtomicU32,
    pub(super) process: AtomicU32,
    /// When the process began, as the system counts.
    pub(super) started: AtomicU64,
    /// The thread that last worked for the rank.
    pub(super) thread: AtomicU64,
    /// Collectives that the rank has begun.
    pub(super) begun: AtomicU64,
    /// The last two of them.
    pub(super) calls: [SharedCall; 2],
    /// Rounds in which the rank has put its elements into its slot.
    pub(super) published: AtomicU64,
    /// Rounds in which it has combined its share.
    pub(super) reduced: AtomicU64,
    /// Rounds that it has ended.
    pub(super) gathered: AtomicU64,
    /// Calls that were queued: collectives and messages.
    pub(super) queued: AtomicU64,
    /// One more than `queued` was when a call of the rank was last refused, or 0; and which call that was, and why.
    pub(super) refused_at: AtomicU64,
    pub(super) refusal: Note,
    /// Describes what the rank waits for in this group or in another one, once it has waited for a while.
    pub(super) waits: Note,
}

/// Writes as much of a text as there is room for. Returns how many bytes that is.
fn put(text: &str, places: &[AtomicU8]) -> u32 {
    let mut length = text.len().min(places.len());
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    text.bytes().take(length).zip(places).for_each(|(byte, place)| place.store(byte, Relaxed));
    length as u32
}

/// A short text of one rank that the others read.
#[repr(C)]
pub(super) struct Note {
    /// Odd while the text changes, and another one afterwards.
    version: AtomicU32,
    length: AtomicU32,
    text: [AtomicU8; 248],
}

impl Note {
    pub(super) fn write(&self, text: &str) {
        let changing = self.version.load(Relaxed).wrapping_add(1) | 1;
        self.version.store(changing, Relaxed);
        fence(Release);
        self.length.store(put(text, &self.text), Relaxed);
        self.version.store(changing.wrapping_add(1), Release);
    }

    /// The text. There is none if it changes all the time, or if the process that wrote it has died meanwhile.
    pub(super) fn read(&self) -> String {
        const TRIES: usize = 10_000;
        for _ in 0..TRIES {
            let version = self.version.load(Acquire);
            if version.is_multiple_of(2) {
                let text = self.text.iter().take(self.length.load(Relaxed) as usize);
                let text: Vec<u8> = text.map(|byte| byte.load(Relaxed)).collect();
                fence(Acquire);
                if self.version.load(Relaxed) == version {
                    return String::from_utf8_lossy(&text).into_owned();
                }
            }
            hint::spin_loop();
        }
        String::new()
    }
}

/// A collective, as the ranks compare it.
#[repr(C)]
pub(super) struct SharedCall {
    pub(super) kind: AtomicU32,
    pub(super) dtype: AtomicU32,
    pub(super) op: AtomicU32,
    pub(super) root: AtomicU32,
    pub(super) count: AtomicU64,
}

/// Messages of one rank to another.
#[repr(C, align(128))]
pub(super) struct Mailbox {
    /// Parts that were put there, and parts that were taken.
    pub(super) sent: AtomicU64,
    pub(super) taken: AtomicU64,
    /// The message that each of the last two parts belongs to.
    pub(super) messages: [SharedMessage; 2],
}

#[repr(C)]
pub(super) struct SharedMessage {
    pub(super) dtype: AtomicU32,
    pub(super) count: AtomicU64,
}

const _: () = assert!(size_of::<Head>() <= PAGE);

/// A place for data.
#[derive(Clone, Copy)]
pub(super) enum Area {
    /// The elements that a rank put there, by the parity of the round.
    Published(usize, u64),
    /// The elements that a rank combined.
    Reduced(usize, u64),
    /// A part of a message from one rank to another, by its parity.
    Part(usize, usize, u64),
}

/// The shared memory, mapped.
pub(super) struct Segment {
    base: *mut u8,
    ranks: usize,
}

// SAFETY: what is shared is atomic, or is data whose owner the counters tell.
unsafe impl Send for Segment {}
// SAFETY: as above.
unsafe impl Sync for Segment {}

fn full(error: rustix::io::Errno) -> Status {
    failed(HCCL_E_MEMORY, format_args!("the host gives no memory that the ranks can share: {error}"))
}

/// Makes the file of a group, whose size follows when the number of ranks is known.
pub(super) fn file() -> Result<OwnedFd> {
    let file = fs::memfd_create(c"cann-stubs group", MemfdFlags::CLOEXEC).map_err(full)?;
    fs::ftruncate(&file, PAGE as u64).map_err(full)?;
    Ok(file)
}

fn map(file: BorrowedFd<'_>, bytes: usize) -> Result<*mut u8> {
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new mapping, where the system likes.
    unsafe { mm::mmap(ptr::null_mut(), bytes, protection, MapFlags::SHARED, file, 0) }
        .map(<*mut _>::cast)
        .map_err(full)
}

/// Does something with the head of a file that was just made, or that another process made.
pub(super) fn with_head<R>(file: &OwnedFd, look: impl FnOnce(&Head) -> R) -> Result<R> {
    let base = map(file.as_fd(), PAGE)?;
    // SAFETY: a mapping of a page, which a head fits into; any bytes are a head, as it is made of atomic numbers.
    let found = look(unsafe { &*base.cast::<Head>() });
    // SAFETY: mapped above, and no reference remains.
    let _ = unsafe { mm::munmap(base.cast(), PAGE) };
    Ok(found)
}

/// Refuses a number of ranks that no group has.
pub(super) fn must_be_size(ranks: usize) -> Result {
    match (1..=MOST_RANKS).contains(&ranks) {
        true => Ok(()),
        false => {
            refused(format_args!("a group has 1 to {MOST_RANKS} ranks in the emulator, and not {ranks}"))
        }
    }
}

impl Segment {
    /// Maps the file of a group of `ranks`.
    pub(super) fn map(file: &OwnedFd, ranks: usize) -> Result<Self> {
        must_be_size(ranks)?;
        let bytes = Self::bytes(ranks);
        fs::ftruncate(file, bytes as u64).map_err(full)?;
        Ok(Segment { base: map(file.as_fd(), bytes)?, ranks })
    }

    fn mailboxes(ranks: usize) -> usize {
        PAGE + ranks * size_of::<Desk>()
    }

    fn slots(ranks: usize) -> usize {
        (Self::mailboxes(ranks) + ranks * ranks * size_of::<Mailbox>()).next_multiple_of(PAGE)
    }

    fn parts(ranks: usize) -> usize {
        Self::slots(ranks) + ranks * 4 * SLOT
    }

    fn bytes(ranks: usize) -> usize {
        Self::parts(ranks) + ranks * ranks * 2 * PART
    }

    pub(super) fn ranks(&self) -> usize {
        self.ranks
    }

    pub(super) fn head(&self) -> &Head {
        // SAFETY: the mapping begins with it, and any bytes are a head.
        unsafe { &*self.base.cast() }
    }

    pub(super) fn desk(&self, rank: usize) -> &Desk {
        assert!(rank < self.ranks);
        // SAFETY: inside the mapping; any bytes are a desk.
        unsafe { &*self.base.add(PAGE + rank * size_of::<Desk>()).cast() }
    }

    pub(super) fn desks(&self) -> impl Iterator<Item = &Desk> {
        (0..self.ranks).map(|rank| self.desk(rank))
    }

    pub(super) fn mailbox(&self, from: usize, to: usize) -> &Mailbox {
        assert!(from < self.ranks && to < self.ranks);
        let offset = Self::mailboxes(self.ranks) + (from * self.ranks + to) * size_of::<Mailbox>();
        // SAFETY: inside the mapping; any bytes are a mailbox.
        unsafe { &*self.base.add(offset).cast() }
    }

    /// Where `len` bytes are, `offset` bytes behind the beginning of an area.
    pub(super) fn place(&self, area: Area, offset: usize, len: usize) -> *mut u8 {
        let (start, room) = match area {
            Area::Published(rank, round) => {
                (Self::slots(self.ranks) + (rank * 4 + (round % 2) as usize) * SLOT, SLOT)
            }
            Area::Reduced(rank, round) => {
                (Self::slots(self.ranks) + (rank * 4 + 2 + (round % 2) as usize) * SLOT, SLOT)
            }
            Area::Part(from, to, part) => {
                let box_of = from * self.ranks + to;
                (Self::parts(self.ranks) + (box_of * 2 + (part % 2) as usize) * PART, PART)
            }
        };
        assert!(offset <= room && len <= room - offset && start + room <= Self::bytes(self.ranks));
        self.base.wrapping_add(start + offset)
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: mapped when it was made; who has a reference to the segment keeps it alive.
        let _ = unsafe { mm::munmap(self.base.cast(), Self::bytes(self.ranks)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    #[test]
    fn a_note_that_changes_is_read_as_a_whole() {
        let (version, length) = (AtomicU32::new(0), AtomicU32::new(0));
        let note = Note { version, length, text: [const { AtomicU8::new(0) }; 248] };
        let texts = ["", "rank 0 waits", "rank 1 waits for a rank that never comes"];
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..30_000 {
                    note.write(texts[number % texts.len()]);
                }
                is_over.store(true, Release);
            });
            while !is_over.load(Acquire) {
                let text = note.read();
                assert!(texts.contains(&text.as_str()), "{text}");
            }
        });
        assert_eq!(note.read(), texts[29_999 % texts.len()]);
        note.write(&"ö".repeat(200));
        assert_eq!(note.read(), "ö".repeat(124));
    }
}
