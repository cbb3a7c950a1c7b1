//! What the checks tell about whole programs: `levels` holds what is told when, and a program without any misuse, about which
//! nothing is said; in `peers` devices use each other's memory; in `host_access` the host touches device memory.

mod host_access;
mod levels;
mod peers;
