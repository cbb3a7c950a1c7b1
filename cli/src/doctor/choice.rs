//! Checks of what is asked for, and of what serves.

use std::path::Path;

use aclnn::Backend;

use super::finding::Finding;
use super::machine::Machine;
use crate::suggest;

const WORDS: [&str; 3] = ["auto", "cann", "emulator"];

/// Whether `ACLNN_BACKEND` asks for something that can be.
pub(super) fn backend(machine: &Machine) -> Option<Finding> {
    let value = machine.variable("ACLNN_BACKEND")?;
    if WORDS.contains(&value.to_lowercase().as_str()) {
        return Some(Finding::note("ACLNN_BACKEND", format!("it asks for {value}")));
    }
    if machine.exists(Path::new(value)) {
        return Some(Finding::note("ACLNN_BACKEND", format!("it asks for the libraries in {value}")));
    }
    Some(Finding::problem(
        "ACLNN_BACKEND",
        format!("{value} is none of {}, and no directory{}", WORDS.join(", "), suggest::hint(value, WORDS)),
        "correct ACLNN_BACKEND, or take it out of the environment",
    ))
}

/// Whether nothing but CANN may serve.
pub(super) fn asks_for_cann(machine: &Machine) -> bool {
    machine.variable("ACLNN_BACKEND").is_some_and(|value| value.eq_ignore_ascii_case("cann"))
}

/// What serves in the end; `is_explained` says whether a problem was found before.
pub(super) fn serves(is_explained: bool) -> Finding {
    match Backend::get() {
        Ok(backend) => Finding::good("what serves", backend.describe()),
        Err(error) => {
            let text = error.to_string();
            Finding::problem(
                "what serves",
                format!("nothing: {}", text.lines().next().unwrap_or_default().trim_end_matches(" Tried:")),
                match is_explained {
                    true => "solve what is found above",
                    false => {
                        "nothing above explains it: `aclnn info` tells the error of each library that was tried"
                    }
                },
            )
        }
    }
}
