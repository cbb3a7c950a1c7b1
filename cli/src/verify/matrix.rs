//! The matrix of cases: run on the libraries under test and on the reference, and made a report.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::case::Id;
use super::child::{Task, product};
use super::compare::{Outcome, Release, compare};
use super::explain::Explainer;
use super::journal::{self, Head, Journal};
use super::plan::Selection;
use super::process::{Answer, Libraries, Process};
use super::{cases, plan};
use crate::declared;
use crate::environment::Environment;
use crate::report::{Cell, FailureKind, OperatorReport, Report};

/// What is verified, and how.
pub(super) struct Settings {
    pub(super) task: Task,
    pub(super) timeout: Duration,
    pub(super) journal: Option<PathBuf>,
    pub(super) resume: Option<PathBuf>,
    /// The command line, for the report.
    pub(super) command: String,
    pub(super) shows_progress: bool,
}

/// How many failures of one kind a cell keeps.
const KEPT: usize = 3;

/// The version of the report's structure.
const FORMAT: u32 = 1;

/// Runs the cases.
///
/// # Errors
/// Nothing serves, the reference does not run, or the journal is of other cases.
pub(super) fn run(settings: &Settings) -> anyhow::Result<Report> {
    let started = Instant::now();
    let mut found = Process::new(Libraries::UnderTest, settings.task.clone(), settings.timeout);
    let hello = found.start(0).context("the libraries under test")?;
    if let Some(error) = &hello.environment.error {
        bail!("no library can be used: {error}");
    }
    ensure!(!hello.soc.is_empty(), "there is no device {}", settings.task.device);
    let product = product(&hello.soc);
    let cases = plan::cases(&settings.task.selection, product);
    ensure!(
        !cases.is_empty(),
        "no case is named {}; --list shows the names",
        settings.task.selection.filters.join(" or ")
    );
    let fingerprint = plan::fingerprint(&cases, settings.task.seed);
    ensure!(hello.cases == fingerprint, "the child makes other cases");

    let reference = Libraries::Reference { soc: hello.soc.clone() };
    let mut explainer = Explainer::new(reference.clone(), settings.task.clone(), settings.timeout);
    let mut expected = Process::new(reference, settings.task.clone(), settings.timeout);
    let head = Head { aclnn: hello.environment.aclnn.clone(), soc: hello.soc.clone(), cases: fingerprint };
    let known =
        settings.resume.as_deref().map(|path| journal::read(path, &head)).transpose()?.unwrap_or_default();
    let mut journal = match &settings.journal {
        Some(path) => Journal::create(path, &head, &known)?,
        None => Journal::none(),
    };
    let first = known.last().map_or(0, |(number, _)| number + 1);
    if first > 0 {
        found.start(first)?;
    }
    let other = expected.start(first).context("the reference")?;
    ensure!(other.cases == fingerprint, "the reference makes other cases");

    let versions = &hello.environment.versions;
    let release = ["cann", "runtime"].iter().find_map(|name| Release::of(versions.get(*name)?));
    let mut table = Table { parameters: cases::parameters(&cases, product), ..Table::default() };
    let mut patience = Patience::default();
    let mut known = known.into_iter().peekable();
    let progress = progress(settings, cases.len());
    for (number, id) in &cases {
        let outcome = match known.next_if(|(known, _)| known == number) {
            Some((_, outcome)) => outcome,
            None => {
                let operator = declared::of(id.info).context("a declared operator has a signature")?;
                let found = match patience.is_at_its_end(id) {
                    Some(kind) => Answer::GivenUp(kind),
                    None => found.answer(*number)?,
                };
                patience.note(id, &found);
                let expected = expected.answer(*number)?;
                let arguments = cases::arguments(&operator, id, product, settings.task.seed);
                let mut outcome = compare(&operator, id, &arguments, &found, &expected, release);
                if let Outcome::Failed(failure) = &mut outcome
                    && failure.kind == FailureKind::Wrong
                    && failure.cause.is_none()
                {
                    failure.cause = explainer.cause(&operator, id, &arguments, [&found, &expected]);
                }
                journal.add(*number, &outcome)?;
                outcome
            }
        };
        table.add(id, outcome);
        if progress.position() as usize + 256 <= table.count || table.count == cases.len() {
            progress.set_position(table.count as u64);
            progress.set_message(format!("{} {}", id.info.name(), table.failures()));
        }
    }
    progress.finish_and_clear();
    Ok(table.report(settings, hello.environment, &other.environment, started))
}

/// A report without cases: what serves, and how it was asked.
///
/// # Errors
/// Nothing serves.
pub(super) fn empty(settings: &Settings) -> anyhow::Result<Report> {
    let started = Instant::now();
    // It only says what serves, so it need not list cases.
    let task = Task { selection: Selection::none(), ..settings.task.clone() };
    let mut found = Process::new(Libraries::UnderTest, task, settings.timeout);
    let environment = found.start(0).context("the libraries under test")?.environment;
    if let Some(error) = &environment.error {
        bail!("no library can be used: {error}");
    }
    let report = Table::default().report(settings, environment, &Environment::default(), started);
    Ok(Report { reference: "what is documented".to_owned(), ..report })
}

/// How many cases of an operator may hang, and how many may end their process, until its others are not tried.
const HUNG: usize = 3;
const ENDED: usize = 20;

/// What the cases of an operator cost so far.
#[derive(Default)]
struct Patience {
    operator: &'static str,
    hung: usize,
    /// Those that died, and those whose stream failed, after which a process starts anew.
    ended: usize,
}

impl Patience {
    fn is_at_its_end(&self, id: &Id) -> Option<FailureKind> {
        match self {
            _ if self.operator != id.info.name() => None,
            Patience { hung: HUNG.., .. } => Some(FailureKind::Hung),
            Patience { ended: ENDED.., .. } => Some(FailureKind::Died),
            _ => None,
        }
    }

    fn note(&mut self, id: &Id, answer: &Answer) {
        if self.operator != id.info.name() {
            *self = Patience { operator: id.info.name(), ..Patience::default() };
        }
        match answer {
            Answer::Hung => self.hung += 1,
            Answer::Died(_) => self.ended += 1,
            Answer::Frame(frame) if frame.ends_the_process() => self.ended += 1,
            _ => {}
        }
    }
}

fn progress(settings: &Settings, count: usize) -> ProgressBar {
    // It hides itself where standard error is no terminal.
    let bar = if settings.shows_progress { ProgressBar::new(count as u64) } else { ProgressBar::hidden() };
    match ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The outcomes by operator and types.
#[derive(Default)]
struct Table {
    operators: Vec<OperatorReport>,
    /// Of which parameters of an operator the types of a cell are.
    parameters: BTreeMap<&'static str, Vec<String>>,
    /// The cell of the last operator with some types.
    cells: BTreeMap<Vec<&'static str>, usize>,
    count: usize,
    failed: u64,
}

impl Table {
    fn add(&mut self, id: &Id, outcome: Outcome) {
        self.count += 1;
        if self.operators.last().is_none_or(|last| last.name != id.info.name()) {
            self.cells.clear();
            self.operators.push(OperatorReport {
                name: id.info.name().to_owned(),
                function: id.info.function().to_owned(),
                family: id.info.family().to_owned(),
                parameters: self.parameters.get(id.info.name()).cloned().unwrap_or_default(),
                cells: Vec::new(),
            });
        }
        let Some(operator) = self.operators.last_mut() else { return };
        let types: Vec<&'static str> = id.types.iter().map(|dtype| dtype.short_name()).collect();
        let index = *self.cells.entry(types).or_insert_with_key(|types| {
            let types = types.iter().map(|name| (*name).to_owned()).collect();
            operator.cells.push(Cell { types, ..Cell::default() });
            operator.cells.len() - 1
        });
        let Some(cell) = operator.cells.get_mut(index) else { return };
        match outcome {
            Outcome::Right { ulps } => {
                cell.counts.right += 1;
                cell.ulps = cell.ulps.max(ulps);
            }
            Outcome::Refused => cell.counts.refused += 1,
            Outcome::Absent => cell.counts.absent += 1,
            Outcome::Failed(failure) => {
                cell.counts.failed += 1;
                self.failed += 1;
                let of_kind = cell.failures.iter().filter(|known| known.kind == failure.kind).count();
                if of_kind < KEPT {
                    cell.failures.push(*failure);
                }
            }
        }
    }

    fn failures(&self) -> String {
        if self.failed == 0 { String::new() } else { format!("({} failed)", self.failed) }
    }

    fn report(
        self,
        settings: &Settings,
        environment: Environment,
        reference: &Environment,
        started: Instant,
    ) -> Report {
        let made = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let device = reference.devices.get(settings.task.device as usize);
        let soc = device.map_or("an unknown device", |device| device.soc.as_str());
        Report {
            format: FORMAT,
            made,
            command: settings.command.clone(),
            seed: settings.task.seed,
            seconds: started.elapsed().as_secs_f64(),
            environment,
            reference: format!("the embedded emulator of aclnn {} as {soc}", reference.aclnn),
            operators: self.operators,
            behaviour: Vec::new(),
            probes: Vec::new(),
        }
    }
}
