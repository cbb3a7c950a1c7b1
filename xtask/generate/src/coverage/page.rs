//! The page, and the counts in both READMEs.

use std::fmt::Write;

use aclnn_numerics::DType;
use anyhow::{Context, Result};

use super::row::Row;

const HEAD: &str = "\
# Operators

What is known of each operator that is declared here: whether the emulator computes it, whether the safe layer offers it, with
which element types of the first operand tests call it, how many golden calls there are (+ those that must be refused), and what
made their expectations. Every call is made twice: with contiguous tensors, and through views with gaps and the axes in another
order.

*Raw*: a typed pair of functions in `aclnn_sys::operators`; every other operator of CANN is one line of `aclnn::operator!` away.
*Safe*: a function or method of `aclnn` launches it; a form in place is that function with the result in its operand.

Written by `cargo xtask coverage` from the declarations, the sources of the safe layer and the golden cases.

";

/// The page.
pub(super) fn page(rows: &[Row], published: usize) -> Result<String> {
    let mut text = String::from(HEAD);
    writeln!(text, "{}.\n", counts(rows, published))?;
    let mut family = "";
    for row in rows {
        let operator = row.operator;
        if operator.family != family {
            family = operator.family;
            writeln!(
                text,
                "\n## {family}\n\n| operator | function | emulated | safe | types | calls | by |"
            )?;
            writeln!(text, "|---|---|---|---|---|---|---|")?;
        }
        let (types, calls, by) = match &row.tested {
            None => (String::new(), String::new(), String::new()),
            Some(tested) if tested.dtypes.is_empty() => {
                (tested.told.to_owned(), String::new(), tested.references.clone())
            }
            Some(tested) => {
                let [done, refused] = tested.calls;
                (types(&tested.dtypes), format!("{done} + {refused}"), tested.references.clone())
            }
        };
        let yes = |is: bool| if is { "yes" } else { "" };
        writeln!(
            text,
            "| {} | `{}` | {} | {} | {types} | {calls} | {by} |",
            operator.name,
            operator.function,
            yes(row.is_emulated),
            yes(row.is_safe),
        )?;
    }
    Ok(text)
}

fn types(dtypes: &[DType]) -> String {
    dtypes.iter().map(DType::to_string).collect::<Vec<_>>().join(" ")
}

fn counts(rows: &[Row], published: usize) -> String {
    let [declared, emulated, safe, calls] = numbers(rows);
    format!(
        "Of the {published} operators that CANN publishes, {declared} are declared, {emulated} computed by the emulator and \
         {safe} offered by the safe layer; {calls} golden calls check them, beside the vectors of arithmetic, casts and ranges",
    )
}

/// How many operators are declared, emulated and offered by the safe layer, and how many golden calls there are.
fn numbers(rows: &[Row]) -> [usize; 4] {
    let count = |is: fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    let calls = rows.iter().filter_map(|row| row.tested.as_ref()).map(|tested| tested.calls[0]).sum();
    [rows.len(), count(|row| row.is_emulated), count(|row| row.is_safe), calls]
}

/// The README with the counts between their marks.
pub(super) fn with_counts(readme: &str, rows: &[Row], published: usize) -> Result<String> {
    between_marks(readme, &filled(&format!("{}: [the table](docs/coverage.md).", counts(rows, published))))
}

/// The Chinese README with the counts between their marks.
pub(super) fn with_chinese_counts(readme: &str, rows: &[Row], published: usize) -> Result<String> {
    let [declared, emulated, safe, calls] = numbers(rows);
    let text = format!(
        "CANN 公布的 {published} 个算子中，已声明 {declared} 个，模拟器可计算 {emulated} 个，安全层提供 {safe} 个；\
         除算术运算、类型转换和序列生成的测试向量外，另有 {calls} 个带标准答案的调用用于检验：[详细列表](docs/coverage.md)。"
    );
    between_marks(readme, &text)
}

/// The text with another one between its marks.
fn between_marks(readme: &str, text: &str) -> Result<String> {
    const MARKS: [&str; 2] = ["<!-- counts of operators -->", "<!-- end of the counts -->"];
    let (before, rest) = readme.split_once(MARKS[0]).context("a README has no mark for the counts")?;
    let (_, after) = rest.split_once(MARKS[1]).context("a README has no mark for the end of the counts")?;
    Ok(format!("{before}{}\n{text}\n{}{after}", MARKS[0], MARKS[1]))
}

/// Breaks a text into lines of at most 120 columns.
fn filled(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        if column > 0 && column + 1 + word.len() > 120 {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += word.len();
    }
    lines
}
