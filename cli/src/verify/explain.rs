//! Why a case is wrong, asked of the reference: what it makes of the same case when one rule is broken.

use std::time::Duration;

use super::case::{Argument, Id};
use super::change::Change;
use super::child::Task;
use super::compare::{is_that_of, perhaps};
use super::plan::Selection;
use super::process::{Answer, Libraries, Process};
use crate::declared::Operator;

/// How many cases of an operator are asked about.
const ASKED: usize = 3;

/// Asks the reference about wrong cases.
pub(super) struct Explainer {
    reference: Libraries,
    task: Task,
    timeout: Duration,
    /// The operator of the last case, and how many of its cases were asked about.
    asked: (&'static str, usize),
}

impl Explainer {
    pub(super) fn new(reference: Libraries, task: Task, timeout: Duration) -> Self {
        Self { reference, task, timeout, asked: ("", 0) }
    }

    /// The broken rule that makes just what was found.
    pub(super) fn cause(
        &mut self,
        operator: &Operator,
        id: &Id,
        arguments: &[Argument],
        [found, expected]: [&Answer; 2],
    ) -> Option<String> {
        if self.asked.0 != id.info.name() {
            self.asked = (id.info.name(), 0);
        }
        self.asked.1 += 1;
        let changed = if self.asked.1 <= ASKED { self.changed(id) } else { Vec::new() };
        let cause = changed
            .iter()
            .find(|(_, frame)| is_that_of(operator, arguments, found, frame))
            .map(|(change, _)| change.cause().to_owned());
        cause.or_else(|| perhaps(operator, arguments, found, expected))
    }

    /// What the reference makes of the case with each change of its arguments; nothing if it does not run.
    fn changed(&self, id: &Id) -> Vec<(Change, super::frame::Frame)> {
        let selection = Selection { filters: vec![id.to_string()], ..Selection::default() };
        let task = Task { selection, explains: true, ..self.task.clone() };
        let mut process = Process::new(self.reference.clone(), task, self.timeout);
        if process.start(0).is_err() {
            return Vec::new();
        }
        let frames = process.frames().into_iter();
        frames.filter_map(|frame| Some((*Change::ALL.get(frame.number)?, frame))).collect()
    }
}
