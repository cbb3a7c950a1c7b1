//! Named checks and questions, by the processes that answer them.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::alone;
use super::answer::Answer;
use super::behaviour::{self, Check};
use super::probes;
use super::raw::{Setting, is_missing};
use crate::report::{Behaviour, Outcome, Probe};

/// Which checks are asked, of which device, and how long each may take.
pub(super) struct Choice<'a> {
    pub(super) filters: &'a [String],
    pub(super) device: i32,
    pub(super) patience: Duration,
}

impl Choice<'_> {
    fn takes(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter.as_str()))
    }

    /// Asks about each name that is chosen, and makes a result of its `T` and the answer.
    fn ask<'t, T: 't, R>(
        &self,
        all: impl Iterator<Item = (String, bool, &'t T)>,
        result: impl Fn(&str, &'t T, Answer) -> R,
        mut begun: impl FnMut(&str),
    ) -> Result<Vec<R>> {
        let chosen: Vec<_> = all.filter(|(name, ..)| self.takes(name)).collect();
        let names = chosen.iter().map(|(name, is_alone, _)| (name.as_str(), *is_alone));
        let mut results = Vec::new();
        let told = |name: &str, answer| {
            begun(name);
            let of = chosen.iter().find(|(other, ..)| other == name);
            results.extend(of.map(|(name, _, of)| result(name, of, answer)));
        };
        alone::ask(names, self.patience, |names| self.child(names), told)?;
        Ok(results)
    }

    /// The command that answers some checks.
    fn child(&self, names: &[&str]) -> Result<Command> {
        let mut command = Command::new(std::env::current_exe().context("finding this program")?);
        command.args(["verify", "--device", &self.device.to_string(), "--answer"]).args(names);
        Ok(command)
    }
}

fn name_of_check(check: &Check) -> String {
    format!("behaviour/{}", check.name)
}

fn name_of_probe(probe: &probes::Probe) -> String {
    format!("probe/{}", probe.name)
}

/// Checks what the libraries promise beside the results of operators. `begun` is told the name of each check.
pub(super) fn behaviour(choice: &Choice<'_>, begun: impl FnMut(&str)) -> Result<Vec<Behaviour>> {
    let all = behaviour::all().map(|check| (name_of_check(check), check.is_alone, check));
    let result = |name: &str, check: &Check, answer: Answer| Behaviour {
        name: name.to_owned(),
        about: check.about.to_owned(),
        outcome: answer.outcome,
        text: answer.text,
    };
    choice.ask(all, result, begun)
}

/// Asks what only hardware answers.
pub(super) fn probes(choice: &Choice<'_>, begun: impl FnMut(&str)) -> Result<Vec<Probe>> {
    let all = probes::all().map(|probe| (name_of_probe(probe), probe.is_dangerous, probe));
    let result = |name: &str, probe: &probes::Probe, answer: Answer| Probe {
        name: name.to_owned(),
        question: probe.question.to_owned(),
        assumed: probe.assumed.to_owned(),
        outcome: answer.outcome,
        answer: answer.text,
    };
    choice.ask(all, result, begun)
}

/// Answers checks in this process, which is a child.
pub(super) fn answer(names: &[String], device: i32) -> Result<()> {
    alone::answer(names, |name| {
        let check = behaviour::all().find(|check| name_of_check(check) == name).map(|check| check.run);
        let probe = || probes::all().find(|probe| name_of_probe(probe) == name).map(|probe| probe.run);
        let Some(run) = check.or_else(probe) else { return Answer::wrong("there is no such check") };
        match Setting::open(device).and_then(|setting| run(&setting)) {
            Ok(answer) => answer,
            Err(error) if is_missing(&error) => Answer::skipped(format!("{error:#}")),
            Err(error) => Answer::wrong(format!("{error:#}")),
        }
    })
}

/// The answers for people.
pub(super) fn text(probes: &[Probe]) -> String {
    let mut text = String::new();
    for Probe { name, question, assumed, outcome, answer } in probes {
        let found = match outcome {
            Outcome::Right => "as assumed",
            Outcome::Wrong => "otherwise",
            Outcome::Skipped => "does not apply",
            Outcome::Died => "the process died",
            Outcome::Hung => "the process hung",
        };
        text += &format!("{name}: {found}\n  {question}\n  assumed: {assumed}\n  found: {answer}\n\n");
    }
    let count = |wanted| probes.iter().filter(|probe| probe.outcome == wanted).count();
    text += &format!(
        "{} questions: {} answered as assumed, {} otherwise, {} do not apply; {} ended the process, {} hung\n",
        probes.len(),
        count(Outcome::Right),
        count(Outcome::Wrong),
        count(Outcome::Skipped),
        count(Outcome::Died),
        count(Outcome::Hung)
    );
    text
}
