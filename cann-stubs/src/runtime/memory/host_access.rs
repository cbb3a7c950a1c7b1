//! The message when the host touches device memory, which ends a program with SIGSEGV as on hardware; and when a copy touches
//! host memory that is gone.
//!
//! While memory of a device is allocated, a signal handler runs before the one that was installed. It writes what was
//! accessed and passes the signal on, so the process dies, or continues, as it would have without it. Everything that it
//! does is allowed in a signal handler: it allocates nothing, waits for no lock, and writes with one system call.

use std::fmt::{self, Write};
use std::mem::{self, MaybeUninit};
use std::os::fd::BorrowedFd;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use aclnn_sys::language::Language;
use libc::{SA_SIGINFO, SIG_DFL, SIG_IGN, SIGSEGV, c_int, c_void};

use crate::settings;
use crate::sync::number_of_owner;

/// The kind of device memory that the host accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    Allocation {
        start: usize,
        bytes: usize,
    },
    Freed {
        start: usize,
    },
    /// The place where an allocator of the host keeps its header of the memory at `start`.
    Before {
        start: usize,
    },
    /// Addresses for virtual memory, mapped or not.
    Virtual,
    Nothing,
    /// Unknown: memory is being allocated or freed at this moment.
    Unknown,
}

/// Says which device an address belongs to and what is there, by means that a signal handler may use.
pub(super) type Find = fn(usize) -> Option<(i32, Hit)>;

/// The devices that need the handler, and the handler that was installed before.
struct Watchers {
    /// How many devices have allocated memory.
    devices: usize,
    before: Option<libc::sigaction>,
}

static WATCHERS: Mutex<Watchers> = Mutex::new(Watchers { devices: 0, before: None });

fn watchers() -> MutexGuard<'static, Watchers> {
    WATCHERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handler that was there before and its flags, for the handler.
static HANDLER: AtomicUsize = AtomicUsize::new(SIG_DFL);
static FLAGS: AtomicI32 = AtomicI32::new(0);
/// The function that the handler asks which allocation an address is in.
static FIND: OnceLock<Find> = OnceLock::new();

/// The use of the handler by a device: from its first allocation until all its memory is released.
#[derive(Debug)]
pub(super) struct Watch {
    used: AtomicBool,
    find: Find,
}

impl Watch {
    pub(super) fn new(find: Find) -> Self {
        Watch { used: AtomicBool::new(false), find }
    }

    pub(super) fn begin(&self) {
        if self.used.load(Ordering::Acquire) || !settings::get().explain_host_access {
            return;
        }
        let mut watchers = watchers();
        if !self.used.swap(true, Ordering::AcqRel) {
            watchers.devices += 1;
            if watchers.before.is_none() {
                FIND.get_or_init(|| self.find);
                // The handler asks again, and must not read the environment.
                let _ = Language::get();
                watchers.before = install();
            }
        }
    }

    pub(super) fn end(&self) {
        let mut watchers = watchers();
        if self.used.swap(false, Ordering::AcqRel) {
            watchers.devices -= 1;
            // A handler that was installed later may call this one, which then stays.
            if watchers.devices == 0
                && current().is_some_and(|action| action.sa_sigaction == own())
                && let Some(before) = watchers.before.take()
            {
                replace(&before);
            }
        }
    }
}

fn own() -> usize {
    handle as *const () as usize
}

/// The action of the process for SIGSEGV.
fn current() -> Option<libc::sigaction> {
    let mut action = MaybeUninit::uninit();
    // SAFETY: asking changes nothing, and `action` has room for the answer.
    let answer = unsafe { libc::sigaction(SIGSEGV, ptr::null(), action.as_mut_ptr()) };
    // SAFETY: the call succeeded, so it wrote the answer.
    (answer == 0).then(|| unsafe { action.assume_init() })
}

/// Makes `action` the action of the process for SIGSEGV; whether the system took it.
fn replace(action: &libc::sigaction) -> bool {
    // SAFETY: the action is what the system gave for this signal, or `handle` or the default, which are good for it.
    unsafe { libc::sigaction(SIGSEGV, action, ptr::null_mut()) == 0 }
}

/// Installs the handler and returns the previous action.
fn install() -> Option<libc::sigaction> {
    let before = current()?;
    // Before the handler may run.
    HANDLER.store(before.sa_sigaction, Ordering::Release);
    FLAGS.store(before.sa_flags, Ordering::Release);
    let mut action = before;
    action.sa_sigaction = own();
    // The rest stays, so that the handler that was there runs on the stack and as often as it asked for.
    action.sa_flags |= SA_SIGINFO;
    replace(&action).then_some(before)
}

unsafe extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes the description of the signal.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
    // Of a signal that a process sent there is no address.
    let is_fault = code > 0;
    if is_fault {
        tell(address);
    }
    let handler = HANDLER.load(Ordering::Acquire);
    match handler {
        SIG_IGN if !is_fault => {}
        // A fault is never ignored. Having returned, the same instruction faults again, or the signal comes again.
        SIG_DFL | SIG_IGN => {
            // SAFETY: all zeros is an action: the default one, with no flags and an empty mask.
            replace(&unsafe { mem::zeroed::<libc::sigaction>() });
            if !is_fault {
                // SAFETY: the signal waits until this handler returns, and then ends the process.
                unsafe { libc::raise(signal) };
            }
        }
        _ if FLAGS.load(Ordering::Acquire) & SA_SIGINFO != 0 => {
            // SAFETY: the address is of a handler that was installed for this signal with these three parameters.
            let handler = unsafe {
                mem::transmute::<usize, unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void)>(
                    handler,
                )
            };
            // SAFETY: called with what the system passed for it.
            unsafe { handler(signal, info, context) }
        }
        _ => {
            // SAFETY: as above, with one parameter.
            let handler = unsafe { mem::transmute::<usize, unsafe extern "C" fn(c_int)>(handler) };
            // SAFETY: as above.
            unsafe { handler(signal) }
        }
    }
}

/// How many copies at a time the handler knows of.
const COPIES: usize = 16;

/// The host memory of copies that run at this moment.
static HOST_USES: [Used; COPIES] = [const { Used { bounds: [const { AtomicUsize::new(0) }; 2] } }; COPIES];

/// Where host memory begins and ends; both are 0 where there is none. Threads that copy do not share lines of the caches.
#[repr(align(64))]
struct Used {
    bounds: [AtomicUsize; 2],
}

/// The use of host memory by a copy, while it runs.
pub(super) struct HostUse(&'static [AtomicUsize; 2]);

impl HostUse {
    /// `None` if there are too many at a time: then the handler says nothing of it.
    pub(super) fn begin(start: usize, bytes: usize) -> Option<Self> {
        let is_taken = |place: &&[AtomicUsize; 2]| {
            place[0].compare_exchange(0, start, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        // Each thread begins at a place of its own.
        let own = number_of_owner() as usize % COPIES;
        let places = HOST_USES.iter().cycle().skip(own).take(COPIES);
        let place = places.map(|used| &used.bounds).find(is_taken)?;
        place[1].store(start.saturating_add(bytes), Ordering::Release);
        Some(HostUse(place))
    }
}

impl Drop for HostUse {
    fn drop(&mut self) {
        self.0[1].store(0, Ordering::Release);
        self.0[0].store(0, Ordering::Release);
    }
}

/// Says on standard error what is at `address`, if that is a device's, or what a copy uses.
fn tell(address: usize) {
    for used in &HOST_USES {
        let [start, end] = [0, 1].map(|bound: usize| used.bounds[bound].load(Ordering::Acquire));
        if (start..end).contains(&address) {
            if Language::get() == Language::Chinese {
                let line = format_args!(
                    "cann-stubs: SIGSEGV：拷贝访问了 {address:#x}，即传入的主机内存（起始于 {start:#x}，{} 字节）内偏移 {} 字节处。\
                     在拷贝完成之前，该内存必须一直有效；如果拷贝在流上，则须保留到流同步之后\n",
                    end - start,
                    address - start
                );
                return write_line(|text| text.write_fmt(line));
            }
            let line = format_args!(
                "cann-stubs: SIGSEGV: a copy touched {address:#x}, byte {} of the {} bytes of host memory at {start:#x} that it \
                 was given. The memory must be there until the copy is done; that of a copy on a stream, until the stream is \
                 synchronised\n",
                address - start,
                end - start
            );
            return write_line(|text| text.write_fmt(line));
        }
    }
    if let Some(find) = FIND.get()
        && let Some((device, hit)) = find(address)
    {
        say(address, device, hit);
    }
}

/// Stands apart, so that its text takes no room on the stack while the address is looked up: a handler has little.
fn say(address: usize, device: i32, hit: Hit) {
    write_line(|line| match Language::get() {
        Language::English => describe(line, address, device, hit),
        Language::Chinese => describe_in_chinese(line, address, device, hit),
    });
}

fn write_line(describe: impl FnOnce(&mut Line) -> fmt::Result) {
    let mut line = Line { bytes: [0; 512], len: 0 };
    // A line that is too long is cut off.
    let _ = describe(&mut line);
    // SAFETY: 2 is the standard error; where it is closed, the write fails and nothing is reported.
    let stderr = unsafe { BorrowedFd::borrow_raw(2) };
    let _ = rustix::io::write(stderr, line.bytes.get(..line.len).unwrap_or_default());
}

fn describe(line: &mut Line, address: usize, device: i32, hit: Hit) -> fmt::Result {
    write!(line, "cann-stubs: SIGSEGV: the host touched {address:#x}, ")?;
    match hit {
        Hit::Allocation { start, bytes } => write!(
            line,
            "byte {} of the allocation of {bytes} bytes at {start:#x} on device {device}",
            address - start
        )?,
        Hit::Freed { start } => {
            write!(
                line,
                "byte {} of memory at {start:#x} on device {device} that was freed",
                address - start
            )?;
        }
        Hit::Before { start } => {
            return writeln!(
                line,
                "{} bytes before the allocation at {start:#x} on device {device}, where `free` and `delete` look. They \
                 end memory of the host alone: end device memory with aclrtFree",
                start - address
            );
        }
        Hit::Virtual => write!(line, "in virtual memory of device {device}")?,
        Hit::Nothing => write!(line, "an address of device {device} where nothing is allocated")?,
        Hit::Unknown => write!(line, "in memory of device {device}")?,
    }
    line.write_str(
        ". The host cannot touch device memory: copy it with aclrtMemcpy, to host memory for reading and from host memory \
         for writing",
    )?;
    line.write_str(if matches!(hit, Hit::Freed { .. }) { ", before it is freed\n" } else { "\n" })
}

/// The text in Chinese, written out: a handler looks no translation up.
fn describe_in_chinese(line: &mut Line, address: usize, device: i32, hit: Hit) -> fmt::Result {
    write!(line, "cann-stubs: SIGSEGV：主机访问了 {address:#x}，")?;
    match hit {
        Hit::Allocation { start, bytes } => write!(
            line,
            "即设备 {device} 上起始于 {start:#x} 的 {bytes} 字节内存块内偏移 {} 字节处",
            address - start
        )?,
        Hit::Freed { start } => {
            write!(line, "即设备 {device} 上起始于 {start:#x} 的已释放内存内偏移 {} 字节处", address - start)?
        }
        Hit::Before { start } => {
            return writeln!(
                line,
                "它在设备 {device} 上起始于 {start:#x} 的内存块之前 {} 字节，`free` 和 `delete` 会查看那里。\
                 它们只能释放主机内存：设备内存请用 aclrtFree 释放",
                start - address
            );
        }
        Hit::Virtual => write!(line, "它位于设备 {device} 的虚拟内存中")?,
        Hit::Nothing => write!(line, "设备 {device} 的这个地址没有分配内存")?,
        Hit::Unknown => write!(line, "它位于设备 {device} 的内存中")?,
    }
    line.write_str(
        "。主机不能访问设备内存：请用 aclrtMemcpy 拷贝，读取时拷贝到主机内存，写入时从主机内存拷贝",
    )?;
    line.write_str(if matches!(hit, Hit::Freed { .. }) { "，并且要在释放之前\n" } else { "\n" })
}

/// Text on the stack.
struct Line {
    bytes: [u8; 512],
    len: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}
