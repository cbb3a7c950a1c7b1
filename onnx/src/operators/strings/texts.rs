//! Arrays of strings.

use crate::array::Array;
use crate::error::{NodeResult, Reason};

/// Why the host runs them.
pub(super) const ON_HOST: &str = "strings are on the host";

/// Returns the strings of an array.
pub(super) fn strings(array: &Array) -> NodeResult<&[String]> {
    match array.strings() {
        Some(strings) => Ok(strings),
        None => Reason::text(format!("it takes strings, not {array:?}")),
    }
}
