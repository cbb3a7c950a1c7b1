//! Checks of what is asked for, and of what serves.

use std::path::Path;

use aclnn::Backend;

use super::finding::Finding;
use super::machine::Machine;
use crate::suggest;

const WORDS: [&str; 3] = ["auto", "cann", "emulator"];

/// Checks whether `ACLNN_BACKEND` asks for something that can be.
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
        "correct ACLNN_BACKEND, or unset it",
    ))
}

/// Checks whether nothing but CANN may serve.
pub(super) fn asks_for_cann(machine: &Machine) -> bool {
    machine.variable("ACLNN_BACKEND").is_some_and(|value| value.eq_ignore_ascii_case("cann"))
}

/// Returns the finding about the library in use; `is_explained` is true if a problem was found before.
pub(super) fn serves(is_explained: bool) -> Finding {
    match Backend::get() {
        Ok(backend) => Finding::good("in use", backend.describe()),
        Err(error) => {
            let text = error.to_string();
            Finding::problem(
                "in use",
                format!(
                    "no library: {}",
                    text.lines().next().unwrap_or_default().trim_end_matches(" Tried:")
                ),
                match is_explained {
                    true => "solve the problems above",
                    false => {
                        "no check above explains it: `aclnn info` shows the error of each library that was tried"
                    }
                },
            )
        }
    }
}
