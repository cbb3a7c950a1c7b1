//! The processors that a process runs on. The emulator uses as many threads.

#[cfg(target_os = "linux")]
use std::mem;

/// Binds this process to one processor. Returns those that it could run on before, if it is bound.
pub(crate) fn stay_on_one() -> Option<Vec<usize>> {
    let before = allowed();
    let first = *before.first()?;
    stay_on(&[first]).then_some(before)
}

/// Binds this process to these processors. Returns whether it is.
#[cfg(target_os = "linux")]
pub(crate) fn stay_on(processors: &[usize]) -> bool {
    // SAFETY: a set of processors is plain data, and the calls read and write it alone.
    unsafe {
        let mut set: libc::cpu_set_t = mem::zeroed();
        processors.iter().for_each(|&processor| libc::CPU_SET(processor, &mut set));
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set) == 0
    }
}

#[cfg(target_os = "linux")]
fn allowed() -> Vec<usize> {
    // SAFETY: as above.
    unsafe {
        let mut set: libc::cpu_set_t = mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
            return Vec::new();
        }
        (0..libc::CPU_SETSIZE as usize).filter(|&processor| libc::CPU_ISSET(processor, &set)).collect()
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn stay_on(_: &[usize]) -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Vec<usize> {
    Vec::new()
}
