//! Named checks and questions, by the processes that answer them.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use indicatif::ProgressBar;

use super::alone;
use super::answer::Answer;
use super::behaviour::{self, Check};
use super::leaks::Calls;
use super::probes;
use super::raw::{Setting, is_missing};
use crate::declared::{self, Operator};
use crate::report::{Behaviour, OF_CHECKS, OF_MEMORY, Outcome, Probe};

/// Which checks are asked, of which device, and how long each may take.
pub(super) struct Choice<'a> {
    pub(super) filters: &'a [String],
    pub(super) device: i32,
    pub(super) patience: Duration,
    pub(super) shows_progress: bool,
}

impl Choice<'_> {
    /// Returns whether checks are all that is chosen.
    pub(super) fn is_of_checks_alone(&self) -> bool {
        !self.filters.is_empty() && self.filters.iter().all(|filter| filter.starts_with(OF_CHECKS))
    }

    /// Asks about each name that is chosen, and makes a result of its `T` and the answer.
    fn ask<'t, T: 't, R>(
        &self,
        all: impl Iterator<Item = (String, bool, &'t T)>,
        result: impl Fn(&str, &'t T, Answer) -> R,
    ) -> Result<Vec<R>> {
        let chosen = chosen(self.filters, all.collect(), |(name, ..)| name);
        // It hides itself where standard error is no terminal.
        let progress = match self.shows_progress {
            true => ProgressBar::new(chosen.len() as u64),
            false => ProgressBar::hidden(),
        };
        let names = chosen.iter().map(|(name, is_alone, _)| (name.as_str(), *is_alone));
        let mut results = Vec::new();
        let told = |name: &str, answer| {
            progress.inc(1);
            let of = chosen.iter().find(|(other, ..)| other == name);
            results.extend(of.map(|(name, _, of)| result(name, of, answer)));
        };
        alone::ask(names, self.patience, |names| self.child(names), told)?;
        progress.finish_and_clear();
        Ok(results)
    }

    /// The command that answers some checks.
    fn child(&self, names: &[&str]) -> Result<Command> {
        let mut command = Command::new(std::env::current_exe().context("finding this program")?);
        command.args(["verify", "--device", &self.device.to_string(), "--answer"]).args(names);
        Ok(command)
    }
}

/// What some filters choose: what is called so, or what begins so if the filter is no whole name.
fn chosen<T>(filters: &[String], all: Vec<T>, name: impl Fn(&T) -> &String) -> Vec<T> {
    let is_whole: Vec<bool> =
        filters.iter().map(|filter| all.iter().any(|one| name(one) == filter)).collect();
    let takes = |name: &String| {
        let mut filters = filters.iter().zip(&is_whole);
        filters.any(|(filter, is_whole)| name == filter || !is_whole && name.starts_with(filter.as_str()))
    };
    all.into_iter().filter(|one| filters.is_empty() || takes(name(one))).collect()
}

fn name_of_check(check: &Check) -> String {
    format!("{OF_CHECKS}{}", check.name)
}

fn name_of_memory(operator: &Operator) -> String {
    format!("{OF_MEMORY}{}", operator.info.name())
}

fn name_of_probe(probe: &probes::Probe) -> String {
    format!("probe/{}", probe.name)
}

/// The names of the checks that some filters choose.
pub(super) fn names(filters: &[String]) -> Vec<String> {
    let memory = declared::all().map(|operator| name_of_memory(&operator));
    chosen(filters, behaviour::all().map(name_of_check).chain(memory).collect(), |name| name)
}

/// Checks what the libraries promise beside the results of operators.
pub(super) fn behaviour(choice: &Choice<'_>) -> Result<Vec<Behaviour>> {
    let all = behaviour::all().map(|check| (name_of_check(check), check.is_alone, check));
    let result = |name: &str, check: &Check, answer: Answer| behaviour_of(name, check.about, answer);
    let mut found = choice.ask(all, result)?;
    found.extend(memory(choice)?);
    Ok(found)
}

fn behaviour_of(name: &str, about: &str, Answer { outcome, text }: Answer) -> Behaviour {
    Behaviour { name: name.to_owned(), about: about.to_owned(), outcome, text }
}

/// Checks whether operators give memory back. The operators that do are one result, and each that does not is one.
fn memory(choice: &Choice<'_>) -> Result<Vec<Behaviour>> {
    const ABOUT: &str = "After many calls of an operator, as much memory of the device is free as before.";
    let operators: Vec<Operator> = declared::all().collect();
    let all = operators.iter().map(|operator| (name_of_memory(operator), false, operator));
    let found = choice.ask(all, |name, _, answer| behaviour_of(name, ABOUT, answer))?;
    let count = |wanted| found.iter().filter(|one| one.outcome == wanted).count();
    let (right, skipped) = (count(Outcome::Right), count(Outcome::Skipped));
    let text = format!("{right} operators keep nothing; {skipped} were not called");
    let all =
        (right > 0).then(|| behaviour_of(OF_MEMORY.trim_end_matches("-of-"), ABOUT, Answer::right(text)));
    Ok(all.into_iter().chain(found.into_iter().filter(|one| one.outcome.is_failure())).collect())
}

/// Asks what only hardware answers.
pub(super) fn probes(choice: &Choice<'_>) -> Result<Vec<Probe>> {
    let all = probes::all().map(|probe| (name_of_probe(probe), probe.is_dangerous, probe));
    let result = |name: &str, probe: &probes::Probe, answer: Answer| Probe {
        name: name.to_owned(),
        question: probe.question.to_owned(),
        assumed: probe.assumed.to_owned(),
        is_dangerous: probe.is_dangerous,
        outcome: answer.outcome,
        answer: answer.text,
    };
    let answered = choice.ask(all, result)?;
    ensure!(
        !answered.is_empty(),
        "no question is named {}; without --filter all are asked",
        choice.filters.join(" or ")
    );
    Ok(answered)
}

/// Answers checks in this process, which is a child.
pub(super) fn answer(names: &[String], device: i32) -> Result<()> {
    let calls = Calls::default();
    alone::answer(names, |name| {
        let answered = Setting::open(device).and_then(|setting| {
            let check = behaviour::all().find(|check| name_of_check(check) == name).map(|check| check.run);
            let probe = || probes::all().find(|probe| name_of_probe(probe) == name).map(|probe| probe.run);
            if let Some(run) = check.or_else(probe) {
                return run(&setting);
            }
            match declared::all().find(|operator| name_of_memory(operator) == name) {
                Some(operator) => calls.answer(&setting, &operator),
                None => Ok(Answer::wrong("there is no such check")),
            }
        });
        match answered {
            Ok(answer) => answer,
            Err(error) if is_missing(&error) => Answer::skipped(format!("{error:#}")),
            Err(error) => Answer::wrong(format!("{error:#}")),
        }
    })
}
