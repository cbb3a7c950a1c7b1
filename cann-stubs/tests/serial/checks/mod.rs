//! Misuse of every kind, planted on purpose: `misuse` has each kind, `lent` those of memory that work still uses. What the
//! checks tell about whole programs stands in `../../own_process/checks`.

mod lent;
mod misuse;
