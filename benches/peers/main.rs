//! Conversions, mixed arithmetic, ranges and the cost of a call, beside the limit of memory and loops written by hand.
//!
//! `cargo run --release -p aclnn-peers -- [--json FILE | --serve] [--only TEXT] [--quick] [ELEMENTS...]`, such as `--only 'f16 + f32'
//! 1e5 1.6e7`. `cargo xtask bench` runs it together with other libraries.

#[path = "mod.rs"]
mod peers;

fn main() -> peers::Result<()> {
    peers::main(&[])
}
