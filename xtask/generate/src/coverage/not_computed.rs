//! The published operators that the emulator refuses, who calls them, and why they are not computed.

use std::collections::{BTreeMap, BTreeSet};

use aclnn_sys::operators::{self, Published};
use anyhow::{Context, Result, bail, ensure};

const CALLERS: &str = include_str!("callers.tsv");
const REASONS: &str = include_str!("not_computed.tsv");

/// The programs that call an operator.
#[derive(Default)]
struct Use {
    /// Whether the operator exists on the 910B, if that is known.
    is_on_910b: Option<bool>,
    programs: Vec<&'static str>,
}

/// A published operator that the emulator refuses.
pub(super) struct NotComputed {
    pub(super) name: &'static str,
    pub(super) is_on_910b: Option<bool>,
    pub(super) programs: Vec<&'static str>,
    pub(super) reason: &'static str,
}

/// The operators that known programs call, and those of them that the emulator computes.
pub(super) struct Called {
    pub(super) on_910b: [usize; 2],
    pub(super) anywhere: [usize; 2],
}

/// Reads a table whose first column is sorted names of operators.
fn table(text: &'static str, file: &str) -> Result<BTreeMap<&'static str, &'static str>> {
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let rows: Option<Vec<_>> = lines.iter().map(|line| line.split_once('\t')).collect();
    let rows = rows.with_context(|| format!("{file} has a line without a second column"))?;
    let unsorted = rows.windows(2).find(|pair| pair[0].0 >= pair[1].0);
    ensure!(unsorted.is_none(), "{file} is not sorted at {unsorted:?}");
    Ok(rows.into_iter().collect())
}

/// Reads who calls which operators, each of which is published.
fn uses(text: &'static str) -> Result<BTreeMap<&'static str, Use>> {
    let rows = table(text, "callers.tsv")?;
    let published: BTreeSet<_> = operators::published().map(|known| known.name).collect();
    let of_row = |(name, columns): (&'static str, &'static str)| {
        ensure!(published.contains(name), "{name} of callers.tsv is not published");
        let (on, programs) = columns.split_once('\t').with_context(|| format!("callers.tsv: {name}"))?;
        let is_on_910b = match on {
            "-" => None,
            "yes" => Some(true),
            "no" => Some(false),
            _ => bail!("callers.tsv says {on:?} of {name}, and not yes, no or -"),
        };
        let programs = programs.split(' ').filter(|program| *program != "-").collect();
        Ok((name, Use { is_on_910b, programs }))
    };
    rows.into_iter().map(of_row).collect()
}

/// Why an operator is not computed: what is written down, or what the tables say.
fn reason(
    operator: &Published,
    on_910b: Option<bool>,
    written: Option<&'static str>,
) -> Option<&'static str> {
    match written {
        Some(reason) => Some(reason),
        None if on_910b == Some(false) => Some("CANN has it on other products alone"),
        None if operator.parameters().is_none() => Some("only its name is known, and not its parameters"),
        None => None,
    }
}

/// The operators that the emulator refuses, sorted by name. An error names those without a reason, and the reasons that are
/// left of operators which are computed.
pub(super) fn all(computed: &BTreeSet<&str>) -> Result<Vec<NotComputed>> {
    let (mut uses, mut reasons) = (uses(CALLERS)?, table(REASONS, "not_computed.tsv")?);
    let (mut all, mut without) = (Vec::new(), Vec::new());
    for operator in operators::published().filter(|operator| !computed.contains(operator.name)) {
        let Use { is_on_910b, programs } = uses.remove(operator.name).unwrap_or_default();
        let written = reasons.remove(operator.name);
        match reason(&operator, is_on_910b, written) {
            Some(reason) => all.push(NotComputed { name: operator.name, is_on_910b, programs, reason }),
            None => without.push(operator.name),
        }
    }
    ensure!(without.is_empty(), "write into not_computed.tsv why these are not computed: {without:?}");
    let stale: Vec<_> = reasons.into_keys().collect();
    ensure!(stale.is_empty(), "these are computed; take them out of not_computed.tsv: {stale:?}");
    Ok(all)
}

/// How many operators known programs call, and how many of them are computed. Where nobody has looked whether the 910B has an
/// operator, it counts as one that has.
pub(super) fn called(computed: &BTreeSet<&str>) -> Result<Called> {
    let mut called = Called { on_910b: [0; 2], anywhere: [0; 2] };
    for (name, operator) in uses(CALLERS)?.iter().filter(|(_, operator)| !operator.programs.is_empty()) {
        let is_computed = usize::from(computed.contains(name));
        called.anywhere[0] += 1;
        called.anywhere[1] += is_computed;
        if operator.is_on_910b != Some(false) {
            called.on_910b[0] += 1;
            called.on_910b[1] += is_computed;
        }
    }
    Ok(called)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage;

    #[test]
    fn every_operator_is_computed_or_has_a_reason() {
        let computed = coverage::computed();
        all(&computed).unwrap();
        called(&computed).unwrap();
    }

    #[test]
    fn a_lacking_reason_and_one_of_an_operator_that_computes_are_found() {
        let told = |computed: &BTreeSet<&str>| all(computed).err().unwrap().to_string();
        let mut computed = coverage::computed();
        computed.remove("Add");
        assert!(told(&computed).contains(r#"not computed: ["Add"]"#));
        let (first, _) = table(REASONS, "not_computed.tsv").unwrap().pop_first().unwrap();
        computed.extend(["Add", first]);
        assert!(
            told(&computed)
                .contains(&format!("these are computed; take them out of not_computed.tsv: [{first:?}]"))
        );
    }

    #[test]
    fn callers_of_nothing_and_misspelt_answers_are_found() {
        let told = |text| uses(text).err().unwrap().to_string();
        assert!(uses("Abs\t-\t-\nAdd\tyes\ttorch_npu\n").is_ok());
        assert!(told("Abs\tyess\ttorch_npu\n").contains(r#"says "yess" of Abs"#));
        assert!(told("Abs\tno\t-\nAdd2\tno\t-\n").contains("Add2 of callers.tsv is not published"));
    }

    #[test]
    fn a_table_that_is_not_sorted_is_refused() {
        assert!(table("# head\nAdd\ta\nAbs\tb\n", "a table").is_err());
        assert!(table("Abs\ta\nAbs\tb\n", "a table").is_err());
    }
}
