//! `aclnn promote`: the type in which operands are computed.
//!
//! `table` knows the tables, `text`, `svg` and `html` draw them.

mod html;
mod svg;
mod table;
mod text;

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, fs, process::ExitCode};

use aclnn::DType;
use anyhow::Context as _;
use serde::Serialize;

use crate::element_type;
use crate::output::{self, BAD, FAINT, Format, NOTED, STRONG};
use table::{Difference, Table};

/// Shows the type in which two operands are computed
///
/// Every common name of a type works: f16, float16, half, ACL_FLOAT16, torch.float16. The exit status is 1 if the two
/// types have no common type.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aclnn promote f16 bf16
  aclnn promote f64 complex64 --edition library
  aclnn promote ACL_FLOAT16 f32 --scalar
  aclnn promote --table
  aclnn promote --html tables.html")]
pub(crate) struct Arguments {
    /// The type of the first operand, or of the tensor beside a scalar
    #[arg(value_parser = element_type::parse, required_unless_present_any = ["table", "svg", "html"])]
    a: Option<DType>,
    /// The type of the second operand, or of the scalar
    #[arg(value_parser = element_type::parse, required_unless_present_any = ["table", "svg", "html"])]
    b: Option<DType>,
    /// The table to use
    #[arg(long, value_enum, default_value = "published", hide_possible_values = false)]
    edition: Table,
    /// The second operand is a scalar
    #[arg(long, conflicts_with = "edition")]
    scalar: bool,
    /// Print the whole table
    #[arg(long, conflicts_with_all = ["a", "b"])]
    table: bool,
    /// Draw the whole table into a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["a", "b"])]
    svg: Option<PathBuf>,
    /// Write a page with all tables
    #[arg(long, value_name = "FILE", conflicts_with_all = ["a", "b"])]
    html: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

/// The answer for a pair.
#[derive(Serialize)]
struct Answer {
    a: DType,
    b: DType,
    table: Table,
    result: Option<DType>,
    /// Why there is no result.
    reason: Option<String>,
    /// What other tables give, by their names.
    others: BTreeMap<&'static str, Option<DType>>,
}

/// A whole table.
#[derive(Serialize)]
struct Whole {
    table: Table,
    types: [DType; 16],
    /// By row and column.
    results: Vec<Vec<Option<DType>>>,
    differences: Vec<Difference>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let table = if arguments.scalar { Table::Scalar } else { arguments.edition };
    if let (Some(a), Some(b)) = (arguments.a, arguments.b) {
        let answer = answer(table, a, b);
        arguments.format.print(&answer, sentence)?;
        return Ok(if answer.result.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if let Some(path) = &arguments.svg {
        write(path, &svg::draw(table))?;
    }
    if let Some(path) = &arguments.html {
        write(path, &html::page(table))?;
    }
    if arguments.table {
        arguments.format.print(&whole(table), |_| text::grid(table))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
    output::print(&format!("{}\n", path.display()))
}

fn answer(table: Table, a: DType, b: DType) -> Answer {
    let (result, reason) = match table.promote(a, b) {
        Ok(result) => (Some(result), None),
        Err(reason) => (None, Some(reason)),
    };
    let others = table.others().map(|other| (other.name(), other.promote(a, b).ok())).collect();
    Answer { a, b, table, result, reason, others }
}

fn sentence(answer: &Answer) -> String {
    let Answer { a, b, table, .. } = answer;
    let (first, second) = if *table == Table::Scalar { ("tensor ", "scalar ") } else { ("", "") };
    let mut text = match (answer.result, &answer.reason) {
        (Some(result), _) => {
            let style = text::style(result).bold();
            let table = match table {
                Table::Scalar => "revised table of tensors and scalars".to_owned(),
                table => format!("{} table", table.name()),
            };
            format!("{first}{a} with {second}{b}: {style}{result}{style:#} {FAINT}({table}){FAINT:#}\n")
        }
        (None, reason) => format!("{BAD}{}{BAD:#}\n", reason.as_deref().unwrap_or_default()),
    };
    let differ: Vec<String> = answer
        .others
        .iter()
        .filter(|(_, other)| **other != answer.result)
        .map(|(name, other)| format!("{name} {STRONG}{}{STRONG:#}", table::name(*other)))
        .collect();
    if !differ.is_empty() {
        text += &format!("{NOTED}other tables:{NOTED:#} {}\n", differ.join(", "));
    }
    text
}

fn whole(table: Table) -> Whole {
    let row = |a: DType| DType::TABLE.into_iter().map(|b| table.promote(a, b).ok()).collect();
    let results = DType::TABLE.into_iter().map(row).collect();
    Whole { table, types: DType::TABLE, results, differences: table.differences() }
}
