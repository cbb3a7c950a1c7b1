//! `cargo xtask coverage`: writes the page that says which operators are declared, computed by the emulator and offered by
//! the safe layer, and what tests them, and why others are not computed; and the counts in both READMEs.

mod cases;
mod not_computed;
mod page;
mod row;
mod safe;

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use aclnn_sys::operators;
use anyhow::{Context, Result, anyhow};
use cann_stubs::Support;

use crate::output::{Mode, Output};
use crate::workspace;
use row::Row;

/// Writes or checks the page and the counts.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let root = workspace::root();
    let (rows, computed) = (rows()?, computed());
    let published = operators::published().count();
    let mut output = Output::default();
    let rest = page::not_computed(&not_computed::all(&computed)?, &not_computed::called(&computed)?)?;
    output.file(root.join("docs/coverage.md"), page::page(rows, published)? + &rest);
    let mut readme = |name: &str, with_counts: fn(&str, &[Row], usize) -> Result<String>| {
        let path = root.join(name);
        let before = fs::read_to_string(&path).with_context(|| format!("reading {name}"))?;
        output.file(path, with_counts(&before, rows, published)?);
        anyhow::Ok(())
    };
    readme("README.md", page::with_counts)?;
    readme("README.zh-CN.md", page::with_chinese_counts)?;
    output.finish(mode)
}

/// The operators that the emulator computes, and its other functions of that prefix.
fn computed() -> BTreeSet<&'static str> {
    let works = cann_stubs::entry_points().filter(|entry| matches!(entry.support(), Support::Works));
    works.filter_map(|entry| entry.name().strip_prefix("aclnn")).collect()
}

/// Returns the rows, which are read once.
fn rows() -> Result<&'static [Row]> {
    static ROWS: LazyLock<Result<Vec<Row>>> = LazyLock::new(read);
    ROWS.as_deref().map_err(|error| anyhow!("{error:#}"))
}

fn read() -> Result<Vec<Row>> {
    let (root, computed) = (workspace::root(), computed());
    let safe = safe::Safe::read(&root.join("src"))?;
    let mut tested = cases::tested(&root)?;
    let rows = operators::all().map(|operator| Row {
        operator,
        is_emulated: computed.contains(operator.name()),
        is_safe: safe.has(operator),
        tested: tested.remove(operator.name()).or_else(|| cases::tested_elsewhere(operator)),
    });
    let mut rows: Vec<Row> = rows.collect();
    rows.sort_by_key(|row| (row.operator.family(), row.operator.function(), row.operator.name()));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::DType;
    use aclnn_numerics::product::Product;

    use super::*;

    #[test]
    fn the_page_is_that_of_the_code() {
        run(Mode::Check).unwrap();
    }

    /// The families whose vectors have another form, or choose from the types.
    const APART: &[&str] = &[
        "activation",
        "arithmetic",
        "attention",
        "caches",
        "attention_steps",
        "sparse",
        "conversion",
        "convolution",
        "experts",
        "fill",
        "fused",
        "models",
        "normalization",
        "pooling",
        "quantisation",
        "range",
        "recurrent",
        "resize",
        "sampling",
    ];

    /// The types that each function takes, by family.
    mod declared {
        use aclnn_numerics::types_by_product::Types;

        macro_rules! takes {
            ($family:ident, $Rule:ident: $($(#[$doc:meta])* $function:ident $signature:tt { $($form:tt)* })*) => {
                pub(in super::super) fn takes() -> Vec<(&'static str, Types)> {
                    vec![$((stringify!($function), $function.takes)),*]
                }
            };
        }
        macro_rules! families {
            ($($(#[$doc:meta])* $family:ident by $list:ident;)*) => {
                $(
                    mod $family {
                        use super::Types;

                        aclnn_sys::$list!(aclnn_numerics::signatures);
                        aclnn_sys::$list!(takes);
                    }
                )*
                pub(super) const ALL: &[(&str, fn() -> Vec<(&'static str, Types)>)] =
                    &[$((stringify!($family), $family::takes)),*];
            };
        }
        aclnn_sys::operator_families!(families);
    }

    #[test]
    fn every_type_that_is_declared_is_tested() {
        let (rows, mut untested) = (rows().unwrap(), Vec::new());
        for (family, functions) in declared::ALL.iter().filter(|(family, _)| !APART.contains(family)) {
            for (function, takes) in functions() {
                let of_function =
                    |row: &&Row| (row.operator.family(), row.operator.function()) == (*family, function);
                let tested: Vec<_> = rows
                    .iter()
                    .filter(of_function)
                    .filter_map(|row| row.tested.as_ref())
                    .flat_map(|tested| tested.dtypes.clone())
                    .collect();
                // Those that Python's packages do not have.
                let written = |dtype: &DType| !matches!(dtype, DType::HiF8 | DType::C32);
                let listed = takes.on(Product::Ascend910B);
                let missing: Vec<DType> =
                    listed.iter().filter(|dtype| written(dtype) && !tested.contains(dtype)).collect();
                if !missing.is_empty() {
                    untested.push(format!("no golden case of {family} calls {function} with {missing:?}"));
                }
            }
        }
        assert!(untested.is_empty(), "{untested:#?}");
    }

    #[test]
    fn every_declared_operator_is_computed_and_tested() {
        for row in rows().unwrap() {
            assert!(row.is_emulated, "{} is declared and refuses", row.operator.name());
            assert!(row.tested.is_some(), "no golden case calls {}", row.operator.name());
        }
    }
}
