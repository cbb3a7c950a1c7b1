//! Changes between two reports.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Behaviour, Outcome, Report};

/// What changed since an earlier report: names as `--filter` takes them, `Add/f16,f32` or `behaviour/memory-is-given-back`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Changes {
    /// Failing now and not before.
    pub(crate) newly_failing: Vec<String>,
    /// Failing before, and tried without a failure now.
    pub(crate) newly_right: Vec<String>,
    /// Tried now and not before, without a failure.
    pub(crate) added: Vec<String>,
    /// Tried before and not now.
    pub(crate) removed: Vec<String>,
}

impl Changes {
    /// Compares two reports.
    pub(crate) fn between(earlier: &Report, now: &Report) -> Self {
        let (before, after) = (failing(earlier), failing(now));
        let mut changes = Self::default();
        for (name, &fails) in &after {
            let list = match (before.get(name), fails) {
                (Some(false) | None, true) => &mut changes.newly_failing,
                (Some(true), false) => &mut changes.newly_right,
                (None, false) => &mut changes.added,
                (Some(false), false) | (Some(true), true) => continue,
            };
            list.push(name.clone());
        }
        changes.removed = before.into_keys().filter(|name| !after.contains_key(name)).collect();
        changes
    }
}

/// Returns what a report tried, by name, and whether it failed.
fn failing(report: &Report) -> BTreeMap<String, bool> {
    let cells = report.operators.iter().flat_map(|operator| {
        let name = |types: &[String]| format!("{}/{}", operator.name, types.join(","));
        operator.cells.iter().map(move |cell| (name(&cell.types), cell.counts.failed > 0))
    });
    let misbehaves = |one: &Behaviour| !matches!(one.outcome, Outcome::Right | Outcome::Skipped);
    let behaviour = report.behaviour.iter().map(|one| (one.name.clone(), misbehaves(one)));
    cells.chain(behaviour).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Cell, Counts, OperatorReport};

    fn report(cells: &[(&str, u64)], outcome: Outcome) -> Report {
        let cells = cells.iter().map(|&(types, failed)| Cell {
            types: types.split(',').map(str::to_owned).collect(),
            counts: Counts { right: 3, failed, ..Counts::default() },
            ..Cell::default()
        });
        let operator =
            OperatorReport { name: "Add".into(), cells: cells.collect(), ..OperatorReport::default() };
        let behaviour = vec![Behaviour { name: "behaviour/x".into(), outcome, ..Behaviour::default() }];
        Report { operators: vec![operator], behaviour, ..Report::default() }
    }

    #[test]
    fn changes_are_named() {
        let earlier =
            report(&[("f16,f32", 1), ("f32,f32", 0), ("s8,s8", 2), ("bool,bool", 0)], Outcome::Right);
        let now = report(&[("f16,f32", 0), ("f32,f32", 4), ("s8,s8", 1), ("u8,u8", 0)], Outcome::Hung);
        let changes = Changes::between(&earlier, &now);
        assert_eq!(changes.newly_failing, ["Add/f32,f32", "behaviour/x"]);
        assert_eq!(changes.newly_right, ["Add/f16,f32"]);
        assert_eq!(changes.added, ["Add/u8,u8"]);
        assert_eq!(changes.removed, ["Add/bool,bool"]);
    }

    #[test]
    fn an_infinite_distance_is_read_back() {
        let cell = Cell { ulps: f64::INFINITY, ..Cell::default() };
        let read: Cell = serde_json::from_str(&serde_json::to_string(&cell).unwrap()).unwrap();
        assert_eq!(read.ulps, f64::INFINITY);
    }

    #[test]
    fn a_report_does_not_differ_from_itself() {
        let one = report(&[("f16,f32", 1), ("f32,f32", 0)], Outcome::Died);
        assert_eq!(Changes::between(&one, &one), Changes::default());
    }
}
