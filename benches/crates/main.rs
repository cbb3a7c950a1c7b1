//! The bench `peers` with candle and ndarray beside the others, in one process. `cargo xtask bench --crates` runs it.
//!
//! A package of its own, so that nobody else fetches or builds what they depend on.

mod candle;
mod nd;
#[path = "../peers/mod.rs"]
mod peers;

fn main() -> peers::Result<()> {
    // candle takes as many threads; the processor is one.
    // SAFETY: this is the only thread.
    unsafe { std::env::set_var("RAYON_NUM_THREADS", "1") };
    peers::main(&[candle::peer(), nd::peer()])
}

/// Returns the version of a crate that is built into this program.
fn version(name: &str) -> String {
    let packages = include_str!("Cargo.lock").split("[[package]]");
    let package =
        packages.filter_map(|package| package.trim_start().strip_prefix(&format!("name = \"{name}\"\n")));
    package.filter_map(|rest| rest.split('"').nth(1)).next().unwrap_or_default().to_owned()
}
