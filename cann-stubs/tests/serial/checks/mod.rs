//! Misuse of every kind, planted on purpose: `misuse` has most kinds, `phases` those of the two phases of a call,
//! `never_written` those of memory without values, `lent` those of memory that work still uses, and `many_streams` those
//! that a crowd of streams could hide. What the checks tell about whole programs stands in `../../own_process/checks`.

mod lent;
mod many_streams;
mod misuse;
mod never_written;
mod phases;
