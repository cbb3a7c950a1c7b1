//! Whether another process of this host still lives.

use std::fs;

/// When a process began, as the system counts; `None` where it has ended.
fn start(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may hold anything. Behind it come the state and, at the 20th place, the start.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X" | "x") {
        return None;
    }
    fields.nth(18)?.parse().ok()
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
}
