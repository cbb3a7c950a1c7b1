//! Addresses that a program may hold but not touch, and the memory behind them.
//!
//! A window is two reservations of the same length. Addresses are handed out from the first, which stays inaccessible
//! for ever: a program that reads device memory on the host faults, as it does on hardware. The bytes of address `p` lie
//! at `p + distance`, in the second. Neither is ever unmapped, so an address that was handed out once never becomes
//! other memory of the process.

use std::ffi::c_void;
use std::io;
use std::os::fd::BorrowedFd;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use rustix::mm::{self, Advice, MapFlags, MprotectFlags, ProtFlags};

/// Both reservations start at a multiple of this, so that large pages can serve them.
pub(crate) const LARGE_PAGE: usize = 2 << 20;

/// How much more of the backing becomes accessible at a time.
const GROWTH: usize = 64 << 20;

/// A range of addresses with memory behind it.
#[derive(Debug)]
pub(crate) struct Window {
    start: usize,
    len: usize,
    backing: usize,
    /// Bytes of the backing, from its start, that can be read and written.
    accessible: Mutex<usize>,
}

impl Window {
    /// Reserves `len` bytes of addresses and as many behind them. No memory is taken yet.
    pub(crate) fn reserve(len: usize) -> io::Result<Self> {
        let len = len.next_multiple_of(LARGE_PAGE);
        // The bytes before the first address belong to the window too: `free` of the host reads there, and must fault.
        let start = reserve(LARGE_PAGE + len)? + LARGE_PAGE;
        Ok(Window { start, len, backing: reserve(len)?, accessible: Mutex::new(0) })
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The first address handed out.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// How far into the window `address` lies.
    pub(crate) fn offset(&self, address: usize) -> Option<usize> {
        address.checked_sub(self.start).filter(|&offset| offset < self.len)
    }

    /// Where the bytes at `offset` are.
    pub(crate) fn bytes(&self, offset: usize) -> *mut u8 {
        ptr::with_exposed_provenance_mut(self.backing + offset)
    }

    /// How far behind an address its byte is.
    pub(crate) fn distance(&self) -> isize {
        self.backing.wrapping_sub(self.start).cast_signed()
    }

    /// Makes the backing accessible from its start to `end`.
    pub(crate) fn grow(&self, end: usize) -> io::Result<()> {
        let mut accessible = self.accessible.lock().unwrap_or_else(PoisonError::into_inner);
        if end <= *accessible {
            return Ok(());
        }
        let target = end.next_multiple_of(GROWTH).min(self.len);
        let start = self.bytes(*accessible).cast::<c_void>();
        let len = target - *accessible;
        // SAFETY: the range lies in the backing, which this window owns; allowing more breaks no reference.
        unsafe { mm::mprotect(start, len, MprotectFlags::READ | MprotectFlags::WRITE)? };
        advise_large_pages(start.cast(), len);
        *accessible = target;
        Ok(())
    }

    /// Returns the memory of a range to the system; it reads as zeros when it is used again.
    ///
    /// Nothing lives there any more: the caller has just freed it.
    pub(crate) fn release(&self, offset: usize, len: usize) {
        self.advise(offset, len, Advice::LinuxDontNeed);
    }

    /// Lets the system take the memory of a range while it is short of memory. What is not taken stays as it is, and can be
    /// used at once.
    ///
    /// Nothing lives there any more, as for `release`.
    pub(crate) fn lend(&self, offset: usize, len: usize) {
        self.advise(offset, len, Advice::LinuxFree);
    }

    /// Advises the system of the whole large pages in a range.
    fn advise(&self, offset: usize, len: usize, advice: Advice) {
        let accessible = *self.accessible.lock().unwrap_or_else(PoisonError::into_inner);
        let start = offset.next_multiple_of(LARGE_PAGE);
        let end = (offset.saturating_add(len)).min(accessible) & !(LARGE_PAGE - 1);
        if start < end {
            // SAFETY: the range lies in the accessible backing, to which no Rust reference exists. Should the system
            // refuse, the pages merely stay.
            let _ = unsafe { mm::madvise(self.bytes(start).cast(), end - start, advice) };
        }
    }

    /// Puts the memory behind `file` at a range of the backing. The range lies in the window.
    pub(crate) fn map(&self, offset: usize, len: usize, file: BorrowedFd<'_>) -> io::Result<()> {
        debug_assert!(offset + len <= self.len);
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::FIXED);
        // SAFETY: the range lies in the backing, which this window owns and to which no Rust reference exists.
        unsafe { mm::mmap(self.bytes(offset).cast(), len, protection, flags, file, 0)? };
        Ok(())
    }

    /// Takes back `map`. The range stays accessible, with no memory in it: a copy that runs at this moment on another
    /// thread reads zeros instead of crashing the process.
    pub(crate) fn unmap(&self, offset: usize, len: usize) -> io::Result<()> {
        debug_assert!(offset + len <= self.len);
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        // SAFETY: as for `map`.
        unsafe {
            mm::mmap_anonymous(self.bytes(offset).cast(), len, ProtFlags::READ | ProtFlags::WRITE, flags)?
        };
        Ok(())
    }
}

/// Lets large pages serve those of a range that lie in it whole. They are cheaper to touch for the first time, and their
/// addresses are found faster.
pub(super) fn advise_large_pages(start: *mut u8, len: usize) {
    let before = start.addr().next_multiple_of(LARGE_PAGE) - start.addr();
    let len = len.saturating_sub(before) & !(LARGE_PAGE - 1);
    if len > 0 {
        // SAFETY: the advice changes neither bytes nor who may access them. A refusal does not matter.
        let _ = unsafe { mm::madvise(start.wrapping_add(before).cast(), len, Advice::LinuxHugepage) };
    }
}

/// Reserves addresses that nothing can be read from or written to.
fn reserve(len: usize) -> io::Result<usize> {
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
    let start = unsafe { mm::mmap_anonymous(ptr::null_mut(), len + LARGE_PAGE, ProtFlags::empty(), flags)? };
    Ok(start.expose_provenance().next_multiple_of(LARGE_PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_growth_and_vanish_when_released() {
        let window = Window::reserve(GROWTH * 2).unwrap();
        window.grow(1).unwrap();
        // SAFETY: the first byte was just made accessible.
        unsafe { window.bytes(0).write(7) };
        window.grow(GROWTH + 1).unwrap();
        // SAFETY: both bytes are accessible.
        unsafe {
            assert_eq!(window.bytes(0).read(), 7);
            window.bytes(GROWTH).write(9);
        }
        window.release(1, GROWTH * 2);
        // SAFETY: as above. The page of the first byte is only partly in the range, so it stays.
        unsafe { assert_eq!((window.bytes(0).read(), window.bytes(GROWTH).read()), (7, 0)) };
    }

    #[test]
    fn offsets_end_with_the_window() {
        let window = Window::reserve(1).unwrap();
        assert_eq!(window.len(), LARGE_PAGE);
        assert_eq!(window.offset(window.start()), Some(0));
        assert_eq!(window.offset(window.start() - 1), None);
        assert_eq!(window.offset(window.start() + LARGE_PAGE), None);
    }

    #[test]
    fn what_is_lent_can_be_used_again() {
        let window = Window::reserve(GROWTH).unwrap();
        window.grow(GROWTH).unwrap();
        assert!(
            window.start().is_multiple_of(LARGE_PAGE) && window.bytes(0).addr().is_multiple_of(LARGE_PAGE)
        );
        // SAFETY: the range is accessible.
        unsafe { window.bytes(0).write_bytes(7, GROWTH) };
        window.lend(1, GROWTH - 1);
        // SAFETY: as above. A byte that was lent is 7, or 0 where the system was short of memory.
        unsafe {
            assert_eq!(window.bytes(LARGE_PAGE - 1).read(), 7, "the first page is only partly in the range");
            assert!([0, 7].contains(&window.bytes(LARGE_PAGE).read()));
            window.bytes(LARGE_PAGE).write(9);
            assert_eq!(window.bytes(LARGE_PAGE).read(), 9);
        }
    }

    #[test]
    fn a_mapping_the_system_refuses_is_an_error() {
        assert!(Window::reserve(1 << 60).is_err());
    }
}
