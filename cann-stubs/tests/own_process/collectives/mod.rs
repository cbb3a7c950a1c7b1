//! Collectives of devices: threads of one process, and processes of one host.

mod agreement;
mod ends;
mod failures;
mod graphs;
mod groups;
mod joint;
mod rank;
mod results;
mod streams;
