//! Device memory in the hands of the host: the program dies of the same signal as on hardware, and says why.

use std::ffi::c_void;
use std::mem::{self, MaybeUninit};
use std::os::unix::process::ExitStatusExt;
use std::process::Output;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use aclnn_sys::{ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE};
use libc::{SA_NODEFER, SA_ONSTACK, SA_RESETHAND, SA_SIGINFO, SIGABRT, SIGSEGV, c_int, sigaction};

use crate::support::child::{self, this_test};
use crate::support::program::*;
use crate::support::*;

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The address that the child printed.
fn told_address(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    stdout.split("at ").nth(1).and_then(|rest| rest.split('.').next()).unwrap().to_owned()
}

/// Reads a byte as a program does that takes the pointer for one of the host.
fn touch(memory: *mut c_void) {
    // SAFETY: none: this is the mistake. The address is reserved and inaccessible, so the process gets SIGSEGV.
    let value = unsafe { memory.cast::<u8>().read_volatile() };
    println!("read {value}");
}

fn allocated(bytes: usize) -> *mut c_void {
    device();
    malloc(bytes)
}

/// The action of this process for SIGSEGV: its handler and its flags.
fn action() -> (usize, c_int) {
    let mut action = MaybeUninit::<sigaction>::uninit();
    // SAFETY: asking changes nothing, and writes the answer.
    let action = unsafe {
        assert_eq!(libc::sigaction(SIGSEGV, ptr::null(), action.as_mut_ptr()), 0);
        action.assume_init()
    };
    (action.sa_sigaction, action.sa_flags)
}

fn install(handler: usize, flags: c_int) {
    // SAFETY: zeros are an action; the handler has the parameters that its flags tell.
    unsafe {
        let mut action = mem::zeroed::<sigaction>();
        (action.sa_sigaction, action.sa_flags) = (handler, flags);
        assert_eq!(libc::sigaction(SIGSEGV, &action, ptr::null_mut()), 0);
    }
}

unsafe extern "C" fn leave_with_42(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    assert!(signal == SIGSEGV && !info.is_null() && !context.is_null());
    // SAFETY: ends the process at once, as a handler may.
    unsafe { libc::_exit(42) }
}

unsafe extern "C" fn leave_with_43(signal: c_int) {
    // SAFETY: as above.
    unsafe { libc::_exit(if signal == SIGSEGV { 43 } else { 1 }) }
}

#[test]
fn a_read_of_device_memory_by_the_host_is_explained_and_ends_the_process_by_the_same_signal() {
    let body = || {
        let memory = allocated(100);
        println!("at {memory:p}.");
        touch(at(memory, 16));
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    let (stderr, stdout) = (text(&output), String::from_utf8_lossy(&output.stdout));
    assert_eq!(output.status.signal(), Some(SIGSEGV), "{stderr}");
    let start = told_address(&output);
    let touched = usize::from_str_radix(start.trim_start_matches("0x"), 16).unwrap() + 16;
    for part in [
        format!(
            "the host touched {touched:#x}, byte 16 of the allocation of 100 bytes at {start} on device 0"
        ),
        "The host cannot touch device memory: copy it with aclrtMemcpy".to_owned(),
    ] {
        assert!(stderr.contains(&part), "{part}: {stderr}");
    }
    assert!(!stderr.contains("freed") && !stdout.contains("read "), "{stderr}{stdout}");
}

#[test]
fn an_access_to_freed_device_memory_says_that_it_was_freed() {
    let body = || {
        let (memory, _other) = (allocated(100), malloc(8));
        good(rt!(aclrtFree(memory)));
        println!("at {memory:p}.");
        touch(at(memory, 16));
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    let stderr = text(&output);
    assert_eq!(output.status.signal(), Some(SIGSEGV), "{stderr}");
    let part = format!("byte 16 of memory at {} on device 0 that was freed", told_address(&output));
    assert!(stderr.contains(&part) && stderr.contains("aclrtMemcpy"), "{part}: {stderr}");
}

/// Gives the last of `count` allocations to `free` of the host.
fn freed_on_the_host(test: &str, count: usize) {
    let body = || {
        let all: Vec<_> = (0..count).map(|_| allocated(100)).collect();
        let memory = *all.last().unwrap();
        println!("at {memory:p}.");
        // SAFETY: none: this is the mistake. `free` reads before the address, where nothing is accessible.
        unsafe { libc::free(memory) };
    };
    let Some(output) = child::run(test, &[], body) else { return };
    let (stderr, start) = (text(&output), told_address(&output));
    assert_eq!(output.status.signal(), Some(SIGSEGV), "{stderr}");
    for part in [format!("bytes before the allocation at {start} on device 0"), "with aclrtFree".to_owned()] {
        assert!(stderr.contains(&part), "{part}: {stderr}");
    }
}

#[test]
fn device_memory_that_the_host_frees_is_explained() {
    freed_on_the_host(this_test!(), 3);
}

#[test]
fn the_first_device_memory_that_the_host_frees_is_explained() {
    freed_on_the_host(this_test!(), 1);
}

/// Host memory that the program takes away from itself while a copy waits on a stream: of the source, and of the target. Pages
/// that are gone altogether fail the stream; these are there, and only protected.
#[test]
fn host_memory_that_is_protected_when_a_copy_runs_is_explained() {
    for to_host in [false, true] {
        let body = || {
            const BYTES: usize = 1 << 16;
            let memory = allocated(BYTES);
            good(rt!(aclrtMemset(memory, BYTES, 1, BYTES)));
            let (access, flags) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: new memory of the system, where it likes.
            let host = unsafe { libc::mmap(ptr::null_mut(), BYTES, access, flags, -1, 0) };
            println!("at {host:p}.");
            let (to, from, kind) = match to_host {
                true => (host, memory, ACL_MEMCPY_DEVICE_TO_HOST),
                false => (memory, host, ACL_MEMCPY_HOST_TO_DEVICE),
            };
            good(rt!(aclrtMemcpyAsync(to, BYTES, from, BYTES, kind, ptr::null_mut())));
            // SAFETY: none: this is the mistake.
            unsafe { libc::mprotect(host, BYTES, libc::PROT_NONE) };
            rt!(aclrtSynchronizeStream(ptr::null_mut()));
        };
        let settings = [("CANN_STUBS_STREAMS", "lazy"), ("TO_HOST", if to_host { "1" } else { "0" })];
        let Some(output) = child::run(this_test!(), &settings, body) else { continue };
        let stderr = text(&output);
        assert_eq!(output.status.signal(), Some(SIGSEGV), "{stderr}");
        let part =
            format!("of the 65536 bytes of host memory at {} that it was given", told_address(&output));
        assert!(
            stderr.contains(&part) && stderr.contains("until the stream is synchronised"),
            "{part}: {stderr}"
        );
    }
}

#[test]
fn reserved_virtual_memory_is_named() {
    let body = || {
        device();
        let mut start = ptr::null_mut();
        good(rt!(aclrtReserveMemAddress(&mut start, 2 << 20, 0, ptr::null_mut(), 0)));
        touch(start);
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    assert_eq!(output.status.signal(), Some(SIGSEGV));
    assert!(text(&output).contains("in virtual memory of device 0"), "{}", text(&output));
}

#[test]
fn the_explanation_of_a_host_access_can_be_turned_off() {
    let body = || {
        let before = action();
        let memory = allocated(100);
        assert_eq!(action(), before);
        touch(memory);
    };
    let Some(output) = child::run(this_test!(), &[("CANN_STUBS_SEGV", "off")], body) else { return };
    assert_eq!(output.status.signal(), Some(SIGSEGV));
    assert!(!text(&output).contains("SIGSEGV"), "{}", text(&output));
}

#[test]
fn the_handler_that_was_there_gets_the_signal_behind_the_explanation() {
    let with_details: unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = leave_with_42;
    let plain: unsafe extern "C" fn(c_int) = leave_with_43;
    let handlers = [
        (42, with_details as *const () as usize, SA_SIGINFO | SA_ONSTACK),
        (43, plain as *const () as usize, SA_NODEFER | SA_RESETHAND),
    ];
    for (code, handler, flags) in handlers {
        let body = || {
            install(handler, flags);
            touch(allocated(100));
        };
        let Some(output) = child::run(this_test!(), &[("HOST_ACCESS_CODE", &code.to_string())], body) else {
            continue;
        };
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
        assert!(text(&output).contains("the host touched"), "{}", text(&output));
    }
}

/// Returns, so that the program makes the same mistake again; ends it where it comes a second time.
unsafe extern "C" fn return_once(_: c_int) {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    if CALLS.fetch_add(1, Ordering::Relaxed) > 0 {
        // SAFETY: ends the process at once, as a handler may.
        unsafe { libc::_exit(44) }
    }
}

#[test]
fn a_handler_that_asked_for_one_signal_gets_one() {
    let body = || {
        let plain: unsafe extern "C" fn(c_int) = return_once;
        install(plain as *const () as usize, SA_RESETHAND);
        touch(allocated(100));
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    assert_eq!(output.status.signal(), Some(SIGSEGV), "{:?} {}", output.status, text(&output));
    assert_eq!(text(&output).matches("the host touched").count(), 1, "{}", text(&output));
}

#[test]
fn the_handler_runs_on_the_stack_that_the_one_before_asked_for() {
    let body = || {
        let plain: unsafe extern "C" fn(c_int) = leave_with_43;
        for flags in [0, SA_ONSTACK] {
            install(plain as *const () as usize, flags);
            allocated(100);
            assert_eq!(action().1 & (SA_ONSTACK | SA_SIGINFO), flags | SA_SIGINFO);
            good(rt!(aclrtResetDevice(0)));
        }
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), text(&output));
}

#[test]
fn other_faults_and_signals_that_were_sent_end_the_process_as_before() {
    for how in ["null", "raise", "kill"] {
        let body = || {
            if how != "null" {
                // As in a program in C; the handler of Rust ignores the first signal that was sent.
                install(libc::SIG_DFL, 0);
            }
            allocated(100);
            match how {
                "null" => touch(ptr::without_provenance_mut(8)),
                // SAFETY: the process is to die of it.
                "raise" => unsafe { assert_eq!(libc::raise(SIGSEGV), 0) },
                // SAFETY: as above.
                _ => unsafe { assert_eq!(libc::kill(libc::getpid(), SIGSEGV), 0) },
            }
            // A signal to the process may be taken by another thread.
            std::thread::sleep(std::time::Duration::from_secs(60));
        };
        let Some(output) = child::run(this_test!(), &[("HOST_ACCESS_HOW", how)], body) else { continue };
        assert_eq!(output.status.signal(), Some(SIGSEGV), "{how}");
        assert!(!text(&output).contains("touched"), "{how}: {}", text(&output));
    }
}

#[test]
fn an_overflow_of_the_stack_is_still_told_by_rust() {
    fn descend(depth: u64) -> u64 {
        let room = std::hint::black_box([depth; 512]);
        if depth == u64::MAX { 0 } else { descend(depth + 1) + std::hint::black_box(room)[7] }
    }
    let body = || {
        allocated(100);
        println!("{}", std::thread::spawn(|| descend(0)).join().unwrap());
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    let stderr = text(&output);
    assert_eq!(output.status.signal(), Some(SIGABRT), "{stderr}");
    assert!(stderr.contains("has overflowed its stack") && !stderr.contains("touched"), "{stderr}");
}

#[test]
fn the_handler_is_there_only_while_a_device_has_given_out_memory() {
    let body = || {
        let before = action();
        for _ in 0..2 {
            device();
            assert_eq!(action(), before);
            let memory = malloc(100);
            assert_ne!(action().0, before.0);
            // Freed memory is device memory too, until the device is reset.
            good(rt!(aclrtFree(memory)));
            assert_ne!(action().0, before.0);
            good(rt!(aclrtResetDevice(0)));
            assert_eq!(action(), before);
        }
        // Who came later keeps its place.
        allocated(100);
        let plain: unsafe extern "C" fn(c_int) = leave_with_43;
        install(plain as *const () as usize, 0);
        good(rt!(aclrtResetDevice(0)));
        assert_eq!(action().0, plain as *const () as usize);
    };
    let Some(output) = child::run(this_test!(), &[], body) else { return };
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), text(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}
