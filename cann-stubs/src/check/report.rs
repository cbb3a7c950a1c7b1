//! Reports of misuse: kept, written to standard error, or the last words of the program.

use std::cell::RefCell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use super::abort::abort_program;
use super::level::level;
use crate::messages::localised;
use crate::misuse::{Check, Level};
use crate::status::Status;

/// A report of misuse that a check found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The kind of misuse.
    pub check: Check,
    /// The C function that found the misuse.
    pub function: String,
    /// A sentence that says what is wrong and what to do.
    pub message: String,
    /// The code that the function returned; 0 when the function did not fail.
    pub code: i32,
    /// The thread that called the function.
    pub thread: ThreadId,
}

thread_local! {
    /// Reports of this thread since [`collect`] was called.
    static COLLECTED: RefCell<Option<Vec<Report>>> = const { RefCell::new(None) };
}

/// How many reports of the process are kept; later ones are dropped.
const KEPT: usize = 10_000;

static REPORTS: Mutex<Vec<Report>> = Mutex::new(Vec::new());

fn reports() -> MutexGuard<'static, Vec<Report>> {
    REPORTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every failure of a call comes here on its way to C.
pub(crate) fn report_failure(function: &str, status: &Status) {
    if let Some(check) = status.check {
        report(check, function, &status.message, status.code);
    }
}

/// Keeps a report, or stops the program with it.
fn report(check: Check, function: &str, message: &str, code: i32) {
    match level() {
        Level::Off => {}
        Level::Error => keep(check, function, message, code),
        Level::Abort => {
            eprintln!("cann-stubs: {}: {function}: {} [code {code}]", check.name(), localised(message));
            abort_program();
        }
    }
}

/// Reports misuse that makes no call fail: on standard error, and as a report.
pub(crate) fn notice(check: Check, function: &str, message: &str) {
    if level() != Level::Off {
        eprintln!("cann-stubs: {}: {function}: {}", check.name(), localised(message));
        keep(check, function, message, 0);
    }
}

pub(super) fn keep(check: Check, function: &str, message: &str, code: i32) {
    let report = Report {
        check,
        function: function.to_owned(),
        message: message.to_owned(),
        code,
        thread: thread::current().id(),
    };
    let _ = COLLECTED.try_with(|own| {
        if let Some(own) = own.borrow_mut().as_mut() {
            own.push(report.clone());
        }
    });
    let mut reports = reports();
    if reports.len() < KEPT {
        reports.push(report);
    }
}

/// Returns all reports of the process so far.
pub(crate) fn all_reports() -> Vec<Report> {
    reports().clone()
}

/// Runs `body` and returns its result with the reports of this thread in the meantime.
pub(crate) fn collect<T>(body: impl FnOnce() -> T) -> (T, Vec<Report>) {
    let outer = COLLECTED.replace(Some(Vec::new()));
    let result = body();
    let found = COLLECTED.replace(outer).unwrap_or_default();
    COLLECTED.with_borrow_mut(|outer| {
        if let Some(outer) = outer {
            outer.extend(found.iter().cloned());
        }
    });
    (result, found)
}
