//! Faults on demand: calls that fail or are late although nothing is wrong with them.
//!
//! Every entry point asks here before its body runs, so a call that fails this way has no effect. Work that is queued
//! fails on its stream, and the next synchronisation reports the failure. The rules come from the environment, or from a
//! program that arms them.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::fault_rule::{Blow, CALL, RUN, Rule, names};
use crate::settings;
use crate::status::Status;

static PROCESS: Mutex<Vec<Arc<Rule>>> = Mutex::new(Vec::new());
thread_local!(static THREAD: RefCell<Vec<Arc<Rule>>> = const { RefCell::new(Vec::new()) });

/// The number of rules, or more: those that a program made, and one until the environment was found to have none.
static RULES: AtomicUsize = AtomicUsize::new(1);

static ENVIRONMENT: LazyLock<&'static [Arc<Rule>]> = LazyLock::new(|| {
    let rules = &settings::get().faults;
    if rules.is_empty() {
        RULES.fetch_sub(1, Ordering::Release);
    }
    rules
});

fn process() -> MutexGuard<'static, Vec<Arc<Rule>>> {
    PROCESS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whose calls a rule concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Thread,
    Process,
}

pub(crate) fn arm(rule: &Arc<Rule>, scope: Scope) {
    match scope {
        Scope::Thread => THREAD.with_borrow_mut(|rules| rules.push(Arc::clone(rule))),
        Scope::Process => process().push(Arc::clone(rule)),
    }
    RULES.fetch_add(1, Ordering::Release);
}

pub(crate) fn disarm(rule: &Arc<Rule>, scope: Scope) {
    RULES.fetch_sub(1, Ordering::Release);
    let forget = |rules: &mut Vec<Arc<Rule>>| {
        if let Some(at) = rules.iter().position(|other| Arc::ptr_eq(other, rule)) {
            rules.remove(at);
        }
    };
    match scope {
        // Refused only while the thread ends, and its rules with it.
        Scope::Thread => drop(THREAD.try_with(|rules| forget(&mut rules.borrow_mut()))),
        Scope::Process => forget(&mut process()),
    }
}

/// The failure of this call of `function`, if a rule wants one. Returns later where a rule wants that.
pub(crate) fn of_call(function: &str) -> Option<Status> {
    match strike(CALL, function)? {
        Blow::Fails(failure) => Some(failure),
        Blow::Delays(time) => {
            thread::sleep(time);
            None
        }
        Blow::Loses => None,
    }
}

/// What happens to the work that `function` queues now.
pub(crate) fn of_run(function: &str) -> Option<Blow> {
    strike(RUN, function)
}

/// Returns whether there may be a rule.
#[inline]
pub(crate) fn may_strike() -> bool {
    RULES.load(Ordering::Acquire) > 0
}

#[inline]
fn strike(stage: &str, function: &str) -> Option<Blow> {
    if may_strike() { strike_by_rules(stage, function) } else { None }
}

#[cold]
fn strike_by_rules(stage: &str, function: &str) -> Option<Blow> {
    debug_assert!(
        stage != RUN || names::queues(function),
        "{function} queues work and is not among the names"
    );
    let mut first = None;
    // Every rule counts the call, also after one has struck.
    let mut strike = |rules: &[Arc<Rule>]| {
        for rule in rules {
            let blow = rule.strike(stage, function);
            first = first.take().or(blow);
        }
    };
    strike(&ENVIRONMENT);
    strike(&process());
    let _ = THREAD.try_with(|own| strike(&own.borrow()));
    first
}
