//! Conversions, mixed arithmetic, ranges and the cost of a call, beside the limit of memory and loops written by hand.
//!
//! `cargo bench --bench peers -- [--json FILE | --serve] [--quick] [ELEMENTS...]`, such as `1e5 1.6e7`. `cargo xtask bench`
//! runs it together with other libraries.

#[path = "mod.rs"]
mod peers;

fn main() -> peers::Result<()> {
    peers::main(&[])
}
