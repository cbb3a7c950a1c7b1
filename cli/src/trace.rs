//! `aclnn trace`: what a program spends its time on, by operator, as the emulator traces it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

use crate::columns::Columns;
use crate::output::Format;

const EXAMPLES: &str = "\
Examples:
  aclnn trace -- ./program --its --options
  aclnn trace --out trace.json -- aclnn run softmax a.npy
  ACLNN_BACKEND=toolkit/lib64 aclnn trace -- ./c_program

Open the file of --out in https://ui.perfetto.dev. If the program starts other processes, the last
one writes the trace: run the process that computes directly.";

/// Runs a program on the emulator and shows the time of each operator
///
/// The emulator traces each operator, copy and fill with its stream, operands, bytes and time. When the program ends, a
/// table shows the sums by function. The exit status is that of the program. If ACLNN_BACKEND is a directory of
/// libraries, it becomes the first entry of the program's LD_LIBRARY_PATH, for programs that are linked with CANN.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Write the trace to this file, for trace viewers
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    program: Vec<OsString>,
}

/// What a program did.
#[derive(Debug, Serialize)]
struct Trace {
    program: String,
    /// The exit code; `None` if a signal ended the program.
    exit: Option<i32>,
    /// The file for trace viewers, if it is kept.
    file: Option<PathBuf>,
    /// By function, that which took most time first.
    functions: Vec<Row>,
}

/// All calls of one function.
#[derive(Debug, Default, Serialize)]
struct Row {
    function: String,
    calls: u64,
    /// The calls whose work failed.
    failed: u64,
    /// The time of the work itself, in seconds.
    seconds: f64,
    /// The bytes that the work read and wrote.
    bytes: u64,
}

/// An event of the file; times are in microseconds.
#[derive(Debug, Deserialize)]
struct Event {
    ph: String,
    name: String,
    #[serde(default)]
    dur: f64,
    args: Details,
}

#[derive(Debug, Deserialize)]
struct Details {
    #[serde(default)]
    bytes: u64,
    #[serde(default = "yes")]
    succeeded: bool,
}

fn yes() -> bool {
    true
}

/// A file that is removed at the end unless it is kept.
struct TraceFile {
    path: PathBuf,
    is_kept: bool,
}

impl TraceFile {
    fn new(kept: Option<&PathBuf>) -> Result<TraceFile> {
        let path = match kept {
            // The program may change its directory.
            Some(path) => std::path::absolute(path)?,
            None => std::env::temp_dir().join(format!("aclnn-trace-{}.json", std::process::id())),
        };
        // What is found there later is of this run.
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} cannot be replaced", path.display()))
            }
            _ => Ok(TraceFile { path, is_kept: kept.is_some() }),
        }
    }
}

impl Drop for TraceFile {
    fn drop(&mut self) {
        if !self.is_kept {
            _ = std::fs::remove_file(&self.path);
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (name, rest) = arguments.program.split_first().context("there is no program")?;
    let file = TraceFile::new(arguments.out.as_ref())?;
    let mut command = Command::new(name);
    command.args(rest).env("CANN_STUBS_TRACE", &file.path);
    if let Some(path) =
        path_of_libraries(std::env::var_os("ACLNN_BACKEND"), std::env::var_os("LD_LIBRARY_PATH"))
    {
        command.env("LD_LIBRARY_PATH", path);
    }
    if arguments.format.json {
        // The standard output is for the report.
        command.stdout(Stdio::from(io::stderr()));
    }
    let program = name.to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{program} cannot be started"))?;
    if !file.path.exists() {
        bail!("{program} ended ({status}) and left no trace: it did not use the emulator.\n{ELSEWHERE}");
    }
    let functions = read(&file.path).with_context(|| format!("{} is no whole trace", file.path.display()))?;
    let trace =
        Trace { program, exit: status.code(), file: file.is_kept.then(|| file.path.clone()), functions };
    arguments.format.print(&trace, text)?;
    Ok(exit(status))
}

/// The path on which a program that is linked with CANN finds the libraries that `ACLNN_BACKEND` names; `None` where that
/// names no directory.
fn path_of_libraries(backend: Option<OsString>, path: Option<OsString>) -> Option<OsString> {
    let named = std::path::absolute(backend?).ok()?;
    let directory = [named.join("lib64"), named].into_iter().find(|one| one.is_dir())?;
    let others = path.iter().flat_map(std::env::split_paths);
    std::env::join_paths(std::iter::once(directory).chain(others)).ok()
}

/// What to use where the emulator does not serve.
const ELSEWHERE: &str = "\
On an NPU, CANN's own profiler measures: its functions `aclprof…` are in libmsprofiler.so.
Anywhere, a program that is built with the feature `tracing` of aclnn prints the host time of each operator, with
ACLNN_LOG=aclnn::operator=debug.
To run on the emulator, set ACLNN_BACKEND=emulator, or a directory of drop-in libraries.";

/// Adds up the events of a trace by function.
fn read(path: &Path) -> Result<Vec<Row>> {
    let events: Vec<Event> = serde_json::from_slice(&std::fs::read(path)?)?;
    let mut functions: BTreeMap<String, Row> = BTreeMap::new();
    for event in events.into_iter().filter(|event| event.ph == "X") {
        let row = functions.entry(event.name.clone()).or_default();
        row.function = event.name;
        row.calls += 1;
        row.failed += u64::from(!event.args.succeeded);
        row.seconds += event.dur / 1e6;
        row.bytes += event.args.bytes;
    }
    let mut rows: Vec<Row> = functions.into_values().collect();
    rows.sort_by(|a, b| b.seconds.total_cmp(&a.seconds).then_with(|| a.function.cmp(&b.function)));
    Ok(rows)
}

/// The exit code of the program; as a shell does, 128 and the number of the signal that ended it.
fn exit(status: ExitStatus) -> ExitCode {
    let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

const TITLES: [&str; 8] = ["function", "calls", "time", "share", "each", "MB", "GB/s", "failed"];

fn text(trace: &Trace) -> String {
    let total: f64 = trace.functions.iter().map(|row| row.seconds).sum();
    let mut columns = Columns::new(TITLES.map(str::to_owned).to_vec());
    for Row { function, calls, failed, seconds, bytes } in &trace.functions {
        let (bytes, count) = (*bytes as f64, *calls as f64);
        columns.row(vec![
            function.clone(),
            calls.to_string(),
            format!("{:.3} ms", seconds * 1e3),
            format!("{:.1} %", if total > 0.0 { 100.0 * seconds / total } else { 0.0 }),
            format!("{:.2} µs", seconds / count * 1e6),
            format!("{:.3}", bytes / 1e6),
            if *seconds > 0.0 { format!("{:.2}", bytes / seconds / 1e9) } else { "-".to_owned() },
            if *failed > 0 { failed.to_string() } else { String::new() },
        ]);
    }
    let mut text = columns.to_string();
    let calls: u64 = trace.functions.iter().map(|row| row.calls).sum();
    _ = writeln!(text, "{calls} calls worked for {:.3} ms", total * 1e3);
    if let Some(file) = &trace.file {
        _ = writeln!(text, "trace in {}: open it in https://ui.perfetto.dev", file.display());
    }
    text
}
