//! The bytes of operands: [`view`] is a layout, [`bound`] a layout with the addresses of its memory, [`block`] a buffer and its
//! conversions; `arrays` fills small arrays; `runs`, `transpose` and `past_caches` move bytes, `instructions` says with which
//! instructions.

pub mod allocation;
pub(crate) mod arrays;
pub(crate) mod block;
pub(crate) mod bound;
pub(crate) mod buffer_cache;
pub(crate) mod failure;
pub(crate) mod instructions;
pub(crate) mod memory;
pub(crate) mod order_by;
pub(crate) mod past_caches;
pub(crate) mod runs;
pub(crate) mod span;
pub(crate) mod transpose;
pub(crate) mod view;
