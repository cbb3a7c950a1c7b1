//! Operators that are called by name, as the older interface has them. `table` says which there are; their inputs and outputs
//! are known by their places, which `named` reads. Most become a call of the aclnn operator that does the same; `recurrent`,
//! `elements` and `places` have the others.

mod elements;
mod entry;
mod named;
mod places;
mod recurrent;
mod table;

pub(crate) use entry::SYMBOLS;
