//! Misuse of every kind, planted on purpose: `misuse` has most kinds, `phases` those of the two phases of a call, and `lent`
//! those of memory that work still uses. What the checks tell about whole programs stands in `../../own_process/checks`.

mod lent;
mod misuse;
mod phases;
