//! Runs ONNX models with `aclnn-onnx` or with tract, as lines of the standard input say. `cargo xtask bench --onnx` starts
//! a process for each, which takes turns with ONNX Runtime.
//!
//! ```text
//! load FOLDER    reads the model of a test case, runs it, and compares the outputs with those of the first data set
//! run COUNT      runs it, and tells the nanoseconds
//! direct COUNT   runs the chain of nodes as calls of the safe layer
//! ```
//!
//! Each line is answered by a line of JSON; one with `error` says why not.
//!
//! A package of its own, so that nobody else fetches or builds what tract depends on.

mod case;
mod ours;
mod tract;

use std::error::Error;
use std::io::{self, BufRead as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use case::Case;
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What runs models.
trait Engine {
    /// Makes the model of a case ready to run, runs it, and returns its outputs and facts about it.
    fn load(&mut self, case: &Case) -> Result<(Vec<aclnn_onnx::Value>, Value)>;

    /// Runs it, and waits for the outputs.
    fn run(&mut self) -> Result<()>;

    /// Calls the operators of the chain of nodes.
    fn direct(&mut self) -> Result<()> {
        Err("it has no calls beside those of models".into())
    }
}

fn main() -> Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let mut engine: Box<dyn Engine> = match name.as_str() {
        "ours" => Box::new(ours::Ours::new()?),
        "tract" => Box::new(tract::Tract::default()),
        _ => return Err("usage: aclnn-bench-models ours|tract".into()),
    };
    // A panic is an answer; its text goes there.
    std::panic::set_hook(Box::new(|_| {}));
    let version = if name == "ours" { "aclnn-onnx" } else { "tract-onnx" };
    println!("{}", json!({"version": version_of(version)}));
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = catch_unwind(AssertUnwindSafe(|| answer(&mut *engine, &line)));
        let answer = match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => json!({"error": error.to_string()}),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why");
                json!({"error": format!("panic: {text}")})
            }
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

fn answer(engine: &mut dyn Engine, line: &str) -> Result<Value> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "load" => {
            let case = Case::read(Path::new(rest))?;
            let (outputs, facts) = engine.load(&case)?;
            case.compare(&outputs)?;
            Ok(facts)
        }
        "run" | "direct" => {
            let count: u32 = rest.parse()?;
            let start = Instant::now();
            for _ in 0..count {
                if word == "run" { engine.run()? } else { engine.direct()? }
            }
            Ok(json!({"ns": start.elapsed().as_nanos() as u64}))
        }
        _ => Err(format!("{line:?} is none of load, run, direct").into()),
    }
}

/// Returns the version of a crate that is built into this program.
fn version_of(name: &str) -> String {
    let packages = include_str!("Cargo.lock").split("[[package]]");
    let package =
        packages.filter_map(|package| package.trim_start().strip_prefix(&format!("name = \"{name}\"\n")));
    package.filter_map(|rest| rest.split('"').nth(1)).next().unwrap_or_default().to_owned()
}
