//! The library that the drop-in libraries of tests jump to.

pub use cann_stubs::*;
