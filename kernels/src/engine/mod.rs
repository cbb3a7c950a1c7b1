//! Visits to the elements of operands: [`kernel`] has stages; [`elements`] computes one element by element, in the
//! order that `order` chose among blocks, `rows` and `tiles`; [`lanes`] computes one lane by lane; `share` gives threads their
//! parts. What is computed is a body: [`elementwise`] for functions, [`generate`] for numbers that no operand has.

pub(crate) mod elements;
pub(crate) mod elementwise;
pub(crate) mod generate;
pub(crate) mod in_order;
pub(crate) mod kernel;
pub(crate) mod lanes;
pub(crate) mod order;
pub(crate) mod packed;
pub(crate) mod planes;
pub(crate) mod rows;
pub(crate) mod share;
pub(crate) mod staged;
pub(crate) mod tiles;
