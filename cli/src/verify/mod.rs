//! `aclnn verify`: the operators of the libraries that serve, compared with the emulator case by case.

// Two processes run the same cases, one on the libraries under test, the other on the embedded emulator; their parent
// compares what each did, and starts another one where one died.
//
// `case` is a case as data, `elements`, `borders` and `draw` are what cases are made of, `tolerance` says how far a result
// may be off; `cases` makes the cases of every operator, and `plan` chooses among them. `call` runs one, `child` all of them,
// telling by `frame`s; `process` is a child as the parent sees it, `compare` judges, and `journal` keeps what is known. Why a
// result is wrong, `cause` tells by its elements, and `explain` by calls of the reference that break a rule by a `change`.
// `matrix` does all of it, and `summary` tells about a report.
//
// What is no result of an operator has a name: `behaviour` checks what the libraries promise, and `probes` asks what only
// hardware answers. Both are functions that use a device through `raw` and return an `answer`, as does `leaks` for each
// operator; `named` finds them, and `alone` runs them in children.

mod alone;
mod answer;
mod behaviour;
mod borders;
mod call;
mod case;
mod cases;
mod cause;
mod change;
mod child;
mod compare;
mod draw;
mod elements;
mod explain;
mod frame;
mod interrupt;
mod journal;
mod leaks;
mod matrix;
mod named;
mod plan;
mod probes;
mod process;
mod raw;
mod summary;
mod tolerance;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde::de::DeserializeOwned;

use crate::output::Format;
use crate::report::bench::BenchReport;
use crate::report::compare::Changes;
use crate::report::{Report, html, junit};
use child::Task;
use plan::Selection;

/// Verifies the libraries that are in use
///
/// Calls every operator with many types, shapes and layouts on the libraries that ACLNN_BACKEND selects, and compares
/// codes and results with the emulator of the same product. Then it checks other behaviour of the libraries: the order
/// of streams, copies, codes for bad input, release of memory. Everything runs in child processes: a crash or a hang
/// costs one case. With --probes, it asks questions that only hardware can answer instead.
///
/// The exit status is 0 if nothing failed, 1 if something failed, and 2 if the verification could not run.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  aclnn verify                                         few cases of every operator
  aclnn verify --full --out report                     all cases; report.json, report.html, junit.xml
  aclnn verify --filter Add --filter softmax           all cases of two operators
  aclnn verify --quick --filter unary                  few cases of the operators of a family
  aclnn verify --filter Add/f16,f32/transposed         the case of a failure, alone
  aclnn verify --filter behaviour/                     no operators, only the other checks
  aclnn verify --probes --out report                   questions about hardware; please send us probes.json
  aclnn verify --full --out report --resume report/journal.jsonl
  aclnn verify --full --baseline last/report.json      new failures since the last report
  aclnn verify --out report --bench aclnn-bench.json   a page with charts of what `aclnn bench` measured")]
pub(crate) struct Arguments {
    /// Run few cases of every operator: each class and each type (the default without --filter)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run every case
    #[arg(long)]
    full: bool,
    /// Run only the cases of this operator, function, family or class, and the cases and checks whose name contains
    /// this part; can be repeated
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// The seed for the numbers of operands
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The device under test
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: i32,
    /// The time limit of a case, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// Write report.html, report.json, junit.xml and a journal to a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compare with an earlier report.json
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Draw the measurements of a file of `aclnn bench` in report.html
    #[arg(long, value_name = "FILE", requires = "out")]
    bench: Option<PathBuf>,
    /// Continue an interrupted verification from its journal
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// List the cases instead of running them
    #[arg(long)]
    list: bool,
    /// Run the probes instead: questions that only hardware can answer, and where this project makes an assumption
    #[arg(long, conflicts_with_all = ["full", "quick", "baseline", "resume", "list"])]
    probes: bool,
    #[command(flatten)]
    format: Format,
    /// Run the cases for the parent
    #[arg(long, hide = true)]
    child: bool,
    /// The number of the first case
    #[arg(long, hide = true, default_value_t = 0)]
    from: usize,
    /// Run one case with arguments that break a rule, for the parent
    #[arg(long, hide = true)]
    explain: bool,
    /// Answer checks and questions for the parent
    #[arg(long, hide = true, num_args = 1.., value_name = "NAME")]
    answer: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let selection =
        Selection { full: arguments.full, quick: arguments.quick, filters: arguments.filter.clone() };
    let task = Task {
        selection,
        seed: arguments.seed,
        device: arguments.device,
        from: arguments.from,
        explains: arguments.explain,
    };
    if arguments.child {
        return child::run(&task).map(|()| ExitCode::SUCCESS);
    }
    if !arguments.answer.is_empty() {
        return named::answer(&arguments.answer, arguments.device).map(|()| ExitCode::SUCCESS);
    }
    if arguments.list {
        return list(arguments, &task);
    }
    if let Some(directory) = &arguments.out {
        fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    }
    let choice = named::Choice {
        filters: &arguments.filter,
        device: arguments.device,
        patience: Duration::from_secs(arguments.timeout),
        shows_progress: !arguments.format.json,
    };
    if arguments.probes {
        return ask(arguments, &choice, &task);
    }
    let baseline: Option<Report> = arguments.baseline.as_deref().map(read).transpose()?;
    let bench: Option<BenchReport> = arguments.bench.as_deref().map(read).transpose()?;
    let settings = settings(arguments, &task);
    interrupt::tell(&told_when_stopped(&settings));
    let report = match choice.is_of_checks_alone() {
        true => {
            ensure!(
                !named::names(&arguments.filter).is_empty(),
                "no check is named {}; --list shows the names",
                arguments.filter.join(" or ")
            );
            matrix::empty(&settings)?
        }
        false => matrix::run(&settings)?,
    };
    let report = Report { behaviour: named::behaviour(&choice)?, ..report };
    if let Some(directory) = &arguments.out {
        write(directory, "report.json", &(serde_json::to_string(&report)? + "\n"))?;
        write(directory, "junit.xml", &junit::document(&report))?;
        write(directory, "report.html", &html::page(&report, baseline.as_ref(), bench.as_ref())?)?;
    }
    let changes = baseline.as_ref().map(|earlier| Changes::between(earlier, &report));
    arguments
        .format
        .print(&report, |report| summary::text(report, changes.as_ref(), arguments.out.as_deref()))?;
    Ok(if report.failed() == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Asks what only hardware answers. Any answer is a good one.
fn ask(arguments: &Arguments, choice: &named::Choice<'_>, task: &Task) -> anyhow::Result<ExitCode> {
    let report = Report { probes: named::probes(choice)?, ..matrix::empty(&settings(arguments, task))? };
    if let Some(directory) = &arguments.out {
        write(directory, "probes.json", &(serde_json::to_string_pretty(&report)? + "\n"))?;
    }
    let file = arguments.out.as_ref().map(|directory| directory.join("probes.json"));
    arguments.format.print(&report, |report| summary::probes(report, file.as_deref()))?;
    Ok(ExitCode::SUCCESS)
}

/// What is said when Ctrl-C ends the verification.
fn told_when_stopped(settings: &matrix::Settings) -> String {
    let Some(journal) = &settings.journal else {
        return "\nstopped; with --out DIR a verification goes on later by --resume DIR/journal.jsonl\n"
            .to_owned();
    };
    let resume = journal.display();
    let words = std::env::args().skip(1).collect::<Vec<_>>();
    let is_resumed = words.iter().any(|word| word.starts_with("--resume"));
    match is_resumed {
        true => format!("\nstopped; the results so far are in {resume}, which --resume takes\n"),
        false => format!("\nstopped; the rest is verified by\n  {} --resume {resume}\n", settings.command),
    }
}

fn settings(arguments: &Arguments, task: &Task) -> matrix::Settings {
    matrix::Settings {
        task: task.clone(),
        timeout: Duration::from_secs(arguments.timeout),
        journal: arguments.out.as_ref().map(|directory| directory.join("journal.jsonl")),
        resume: arguments.resume.clone(),
        command: command(),
        shows_progress: !arguments.format.json,
    }
}

/// Prints the names of the cases that would run.
fn list(arguments: &Arguments, task: &Task) -> anyhow::Result<ExitCode> {
    let environment = crate::environment::Environment::of_process();
    let soc = environment
        .devices
        .iter()
        .find(|device| device.ordinal == task.device)
        .map(|device| device.soc.clone());
    let cases = plan::cases(&task.selection, child::product(&soc.unwrap_or_default()));
    let cases = cases.iter().map(|(_, id)| id.to_string());
    let names: Vec<String> = cases.chain(named::names(&arguments.filter)).collect();
    arguments.format.print(&names, |names| names.join("\n") + "\n")?;
    Ok(ExitCode::SUCCESS)
}

/// The command line, as a shell reads it.
fn command() -> String {
    let words = std::env::args().skip(1).map(|word| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,=:".contains(&byte);
        if word.bytes().all(is_plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    });
    std::iter::once("aclnn".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no such report", path.display()))
}

fn write(directory: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let path = directory.join(name);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
