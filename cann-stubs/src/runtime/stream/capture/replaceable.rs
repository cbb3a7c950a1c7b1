//! [`Replaceable`]: an operator of a graph whose arguments may be replaced; and groups of these.

use std::sync::{Arc, PoisonError};

use crate::handle::{Kind, Registry};
use crate::runtime::stream::queue::Stream;
use crate::runtime::stream::work::{Places, Planned};
use crate::status::Result;
use crate::sync::{Mutex, MutexGuard};

/// A planned operator with the addresses of one launch.
pub(crate) trait OperatorTask: Send + Sync {
    /// The C name of the operator.
    fn name(&self) -> &'static str;

    /// Queues it on a stream. Where `instead` is given, the operator runs that is there then.
    fn submit(&self, stream: &Stream, instead: Option<Arc<Replaceable>>) -> Result;

    /// Runs it now.
    fn run(&self) -> Result;
}

/// The place of an operator in a graph, whose arguments may be replaced between the replays and in them.
pub(crate) struct Replaceable(Mutex<Arc<dyn OperatorTask>>);

impl Replaceable {
    pub(super) fn new(task: Arc<dyn OperatorTask>) -> Arc<Self> {
        Arc::new(Replaceable(Mutex::new(task)))
    }

    fn place(&self) -> MutexGuard<'_, Arc<dyn OperatorTask>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The operator that is in it now.
    pub(super) fn current(&self) -> Arc<dyn OperatorTask> {
        Arc::clone(&self.place())
    }

    /// Puts another operator into it.
    pub(super) fn replace(&self, task: Arc<dyn OperatorTask>) {
        let before = std::mem::replace(&mut *self.place(), task);
        // Outside the lock.
        drop(before);
    }
}

impl Planned for Replaceable {
    fn run_brief(&self, _: &Places) -> Option<Result> {
        None
    }

    fn run(&self, _: &Places) -> Result {
        self.current().run()
    }

    fn recycle(self: Arc<Self>) {}
}

/// A group of operators of a graph.
pub(super) struct Group {
    pub(super) operators: Vec<Arc<Replaceable>>,
    /// Whether a stream replaces it now.
    pub(super) is_in_use: Mutex<bool>,
}

pub(super) static GROUPS: Registry<Group> = Registry::new(Kind::TaskGroup);

/// The handles of the groups of a graph, which end with it.
#[derive(Default)]
pub(super) struct Groups(Vec<usize>);

impl Groups {
    /// Adds a group of operators, and returns its handle.
    pub(super) fn add(&mut self, operators: Vec<Arc<Replaceable>>) -> usize {
        let handle = GROUPS.insert(Group { operators, is_in_use: Mutex::new(false) });
        self.0.push(handle);
        handle
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        for handle in &self.0 {
            let _ = GROUPS.remove(*handle);
        }
    }
}
