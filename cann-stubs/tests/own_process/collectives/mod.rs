//! Collectives of devices: threads of one process, and processes of one host.

mod failures;
mod rank;
mod results;
