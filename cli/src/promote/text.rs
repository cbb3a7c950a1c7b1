//! A promotion table in a terminal.

use std::fmt::Write as _;

use aclnn::{Class, DType};
use anstyle::{AnsiColor, Style};

use super::table::{Table, name};
use crate::output::{FAINT, NOTED, STRONG};

/// Returns the colour of the results of a kind.
pub(super) fn style(dtype: DType) -> Style {
    match dtype.class() {
        Class::Float => AnsiColor::Cyan.on_default(),
        Class::Complex => AnsiColor::Magenta.on_default(),
        Class::Bool => AnsiColor::Yellow.on_default(),
        _ => AnsiColor::Green.on_default(),
    }
}

/// Returns the table as a grid, with what other tables say below it.
pub(super) fn grid(table: Table) -> String {
    let (rows, columns) = table.operands();
    let mut text = format!("{}\nRows: {rows}; columns: {columns}.\n\n     ", table.about());
    DType::TABLE.iter().for_each(|column| _ = write!(text, " {STRONG}{column:<4}{STRONG:#} "));
    text = text.trim_end().to_owned() + "\n";
    for row in DType::TABLE {
        let mut line = format!("{STRONG}{row:<5}{STRONG:#}");
        for column in DType::TABLE {
            let mark = if table.differs(row, column) { "*" } else { "" };
            let (style, shown) = match table.promote(row, column) {
                Ok(dtype) => (style(dtype), dtype.short_name()),
                Err(_) => (FAINT, "·"),
            };
            let blank = " ".repeat(5 - shown.chars().count() - mark.len());
            _ = write!(line, " {style}{shown}{style:#}{NOTED}{mark}{NOTED:#}{blank}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text += &format!("\n{FAINT}·{FAINT:#}  no common type: cast one operand first\n");
    let differences = table.differences();
    if !differences.is_empty() {
        _ = writeln!(text, "{NOTED}*{NOTED:#}  another table has another type:");
    }
    for one in differences {
        let pairs: Vec<String> = one.pairs.iter().map(|(a, b)| format!("{a} with {b}")).collect();
        let others: Vec<String> =
            one.others.iter().map(|(table, dtype)| format!("{} {}", table.name(), name(*dtype))).collect();
        _ = writeln!(text, "   {}: {}; {}", pairs.join(", "), name(one.gives), others.join(", "));
    }
    text
}
