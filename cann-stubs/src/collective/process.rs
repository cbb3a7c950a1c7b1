//! Other processes of this host: the test whether one still lives.

use std::fs;
use std::path::Path;

/// When a process began, as the system counts; `None` where it has ended.
fn start(process: u32) -> Option<u64> {
    start_in(Path::new("/proc"), process)
}

/// The same by a directory as the system has it for processes.
fn start_in(processes: &Path, process: u32) -> Option<u64> {
    let own = processes.join(process.to_string());
    let text = fs::read_to_string(own.join("stat")).ok()?;
    // The name, in parentheses, may hold anything. Behind it come the state and, at the 20th place, the start.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    let has_ended = match fields.next()? {
        // The first thread has ended. Others may go on.
        "Z" => fs::read_dir(own.join("task")).is_ok_and(|threads| threads.count() <= 1),
        state => matches!(state, "X" | "x"),
    };
    if has_ended { None } else { fields.nth(18)?.parse().ok() }
}

/// When this process began.
pub(super) fn own_start() -> u64 {
    start(std::process::id()).unwrap_or(0)
}

/// Returns whether the process that began at a time lives. A number may be given to another process later.
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

    /// The first thread of a process may end before others. The files are those that Linux shows then.
    #[test]
    fn a_process_lives_as_long_as_any_of_its_threads() {
        let processes = std::env::temp_dir().join(format!("processes-{}", std::process::id()));
        let stat = |state: &str| {
            let numbers: String = (4..=52).map(|place| format!(" {place}")).collect();
            format!("77 (a name) of (7) {state}{numbers}\n")
        };
        let threads = |numbers: &[u32]| {
            let task = processes.join("77/task");
            let _ = fs::remove_dir_all(&task);
            numbers.iter().for_each(|number| fs::create_dir_all(task.join(number.to_string())).unwrap());
        };
        threads(&[77, 78]);
        for state in ["R", "S", "Z"] {
            fs::write(processes.join("77/stat"), stat(state)).unwrap();
            // The 22nd field.
            assert_eq!(start_in(&processes, 77), Some(22), "{state}");
        }
        threads(&[77]);
        assert_eq!(start_in(&processes, 77), None);
        fs::write(processes.join("77/stat"), stat("X")).unwrap();
        assert_eq!((start_in(&processes, 77), start_in(&processes, 78)), (None, None));
        fs::remove_dir_all(processes).unwrap();
    }
}
