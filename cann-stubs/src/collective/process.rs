//! Whether another process of this host still lives.

use std::fs;

/// When a process began, as the system counts; `None` where it has ended.
fn start(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may hold anything. Behind it come the state and, at the 20th place, the start.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    let has_ended = match fields.next()? {
        // The first thread has ended. Others may go on.
        "Z" => fs::read_dir(format!("/proc/{process}/task")).is_ok_and(|threads| threads.count() <= 1),
        state => matches!(state, "X" | "x"),
    };
    if has_ended { None } else { fields.nth(18)?.parse().ok() }
}

/// When this process began.
pub(super) fn own_start() -> u64 {
    start(std::process::id()).unwrap_or(0)
}

/// Whether the process that began at a time lives. A number may be given to another process later.
pub(super) fn lives(process: u32, started: u64) -> bool {
    process == std::process::id() || start(process) == Some(started)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_lives_until_it_ends_and_its_number_is_not_enough() {
        let own = own_start();
        assert!(own > 0 && lives(std::process::id(), own));
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let began = start(child.id()).unwrap();
        assert!(lives(child.id(), began) && !lives(child.id(), began + 1));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!lives(child.id(), began));
    }
    #[test]
    fn a_process_lives_as_long_as_any_of_its_threads() {
        // SAFETY: the new process has one thread and makes another, which waits until it is killed.
        let child = unsafe { libc::fork() };
        if child == 0 {
            std::thread::spawn(|| {
                loop {
                    std::thread::park();
                }
            });
            // SAFETY: ends this thread alone, which owns nothing that the other uses.
            unsafe { libc::syscall(libc::SYS_exit, 0) };
        }
        let number = child.cast_unsigned();
        let state = || {
            let text = fs::read_to_string(format!("/proc/{number}/stat")).unwrap();
            text.rsplit_once(") ").unwrap().1.chars().next().unwrap()
        };
        while state() != 'Z' {
            std::thread::yield_now();
        }
        let began = start(number).unwrap();
        assert!(lives(number, began));
        // SAFETY: of the process that was just made, which is waited for.
        unsafe {
            libc::kill(child, libc::SIGKILL);
            libc::waitpid(child, std::ptr::null_mut(), 0);
        }
        assert!(!lives(number, began));
    }
}
