//! The functions that the libraries lack.

use std::collections::BTreeMap;

use aclnn::Backend;
use aclnn::sys::{MissingSymbol, error_code, operators};
use serde::{Deserialize, Serialize};

/// Functions that one library lacks, all of one release.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Missing {
    /// Whose functions they are: `runtime`, `descriptors` or `operators`.
    pub(crate) library: String,
    /// The oldest release known to have them; absent where every release should, or where nothing is known.
    pub(crate) since: Option<String>,
    pub(crate) symbols: Vec<String>,
}

/// How many of the operators that this project declares the libraries have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OperatorCounts {
    pub(crate) declared: usize,
    pub(crate) present: usize,
}

/// Returns the sentence about a function that is not there.
pub(super) fn absent(missing: &MissingSymbol) -> String {
    match missing.since {
        Some(since) => format!("`{}` is missing; CANN {since} and later have it", missing.symbol),
        None => format!("`{}` is missing", missing.symbol),
    }
}

/// Returns the meaning of a code, behind the code.
pub(super) fn code(code: i32) -> String {
    match error_code::find(code) {
        Some(known) => format!("code {code}: {}", known.meaning),
        None => format!("code {code}"),
    }
}

/// The starts of the names of functions of dumps, of the profiler, of queues and of channels, which CANN has in libraries
/// that are not opened here.
const ELSEWHERE: &[&str] = &["acldump", "aclopStartDumpArgs", "aclopStopDumpArgs", "aclprof", "acltdt"];

pub(super) fn of(backend: &Backend) -> (OperatorCounts, Vec<Missing>) {
    let mut found: BTreeMap<(&str, Option<&str>), Vec<String>> = BTreeMap::new();
    let is_elsewhere = |one: &MissingSymbol| ELSEWHERE.iter().any(|start| one.symbol.starts_with(start));
    let runtime = backend.runtime().missing().filter(|one| !is_elsewhere(one));
    let tables = runtime.map(|one| ("runtime", one));
    for (library, one) in tables.chain(backend.meta().missing().map(|one| ("descriptors", one))) {
        found.entry((library, one.since)).or_default().push(one.symbol.to_owned());
    }
    let source = backend.operator_source();
    let mut counts = OperatorCounts::default();
    for operator in operators::all() {
        counts.declared += 1;
        let name = format!("aclnn{}", operator.name());
        if source.symbol(&name).is_some() && source.symbol(&format!("{name}GetWorkspaceSize")).is_some() {
            counts.present += 1;
        } else {
            found.entry(("operators", operator.since)).or_default().push(name);
        }
    }
    let missing = found.into_iter().map(|((library, since), symbols)| Missing {
        library: library.to_owned(),
        since: since.map(str::to_owned),
        symbols,
    });
    (counts, missing.collect())
}
