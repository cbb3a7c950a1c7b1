//! The page, and the counts in both READMEs.

use std::fmt::Write;

use aclnn_numerics::DType;
use anyhow::{Context, Result};

use super::not_computed::{Called, NotComputed};
use super::row::Row;

const HEAD: &str = "\
# Operators

What is known of each operator that is declared here: whether the emulator computes it, whether the safe layer offers it, with
which element types of the first operand tests call it, how many golden calls there are (+ those that must be refused), and what
made their expectations. Every call is made twice: with contiguous tensors, and through views with gaps and the axes in another
order.

*Raw*: a typed pair of functions in `aclnn_sys::operators`; every other operator of CANN is one line of `aclnn::operator!` away.
*Safe*: a function or method of `aclnn` launches it; a form in place is that function with the result in its operand.

The operators that the emulator refuses stand in the [last chapter](#not-computed), with the reasons.

Written by `cargo xtask coverage` from the declarations, the sources of the safe layer and the golden cases.

";

/// The page.
pub(super) fn page(rows: &[Row], published: usize) -> Result<String> {
    let mut text = String::from(HEAD);
    writeln!(text, "{}.\n", counts(rows, published))?;
    let mut family = "";
    for row in rows {
        let operator = row.operator;
        if operator.family() != family {
            family = operator.family();
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
            operator.name(),
            operator.function(),
            yes(row.is_emulated),
            yes(row.is_safe),
        )?;
    }
    Ok(text)
}

/// The chapter about the operators that the emulator refuses.
pub(super) fn not_computed(all: &[NotComputed], called: &Called) -> Result<String> {
    let [[on_910b, computed_on_910b], [anywhere, computed]] = [called.on_910b, called.anywhere];
    let mut text = format!(
        "\n## Not computed\n\n\
         Known programs call {on_910b} operators that the 910B has, and the emulator computes {computed_on_910b} of them. \
         On all products they call {anywhere}, and it computes {computed}.\n\n\
         The functions of these {} operators are there and refuse with 561003. *910B*: whether CANN's documentation lists \
         that product; empty where this is not known. *Called by*: programs whose public sources name the operator, or a \
         function of torch_npu that ends in it.\n\n\
         | operator | 910B | called by | why it is not computed |\n|---|---|---|---|\n",
        all.len(),
    );
    for operator in all {
        let on_910b = match operator.is_on_910b {
            Some(true) => "yes",
            Some(false) => "no",
            None => "",
        };
        let programs = operator.programs.join(", ");
        writeln!(text, "| {} | {on_910b} | {programs} | {} |", operator.name, operator.reason)?;
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

/// A row of the table of the READMEs: its operators in English and in Chinese, their families, and some of the names.
type Group = ([&'static str; 2], &'static [&'static str], &'static str);

const GROUPS: &[Group] = &[
    (
        ["arithmetic, comparisons, bits, logic", "算术、比较、位运算、逻辑运算"],
        &["arithmetic", "binary", "comparison", "pairwise", "n_ary"],
        "`add` `div` `pow` `maximum` `eq` `where_` `lerp`",
    ),
    (
        ["elementwise functions, activations, their gradients", "逐元素函数、激活函数及其梯度"],
        &["unary", "parametric", "activation"],
        "`exp` `erf` `round` `clamp` `gelu` `swiglu`",
    ),
    (
        ["reductions, cumulative sums, softmax, histograms", "归约、累积运算、softmax、直方图"],
        &["reduction", "scan", "histogram"],
        "`sum` `var` `argmax` `cumsum` `softmax` `bincount`",
    ),
    (["sorting", "排序"], &["sorting"], "`sort` `topk` `median` `unique`"),
    (["indices and masks", "索引与掩码"], &["index"], "`gather` `scatter` `masked_select` `embedding`"),
    (["data movement", "数据搬移"], &["movement"], "`cat` `stack` `pad` `roll` `repeat`"),
    (
        ["casts, fills, ranges", "类型转换、填充、序列"],
        &["conversion", "fill", "range"],
        "`cast` `full` `arange`",
    ),
    (
        ["matrix products, linear algebra", "矩阵乘法、线性代数"],
        &["matrix", "fused", "joint", "linalg"],
        "`matmul` `einsum` `quant_matmul` `qr` `svd`",
    ),
    (
        ["convolutions, pooling, images", "卷积、池化、图像"],
        &["convolution", "pooling", "resize", "sampling"],
        "`conv2d` `max_pool2d` `interpolate` `grid_sample`",
    ),
    (
        ["norms, losses", "归一化、损失函数"],
        &["normalization", "loss"],
        "`layer_norm` `rms_norm` `cross_entropy` `ctc_loss`",
    ),
    (
        ["attention, LSTM cells", "注意力、LSTM 单元"],
        &["attention", "attention_steps", "sparse", "caches", "experts", "models", "recurrent"],
        "`attention` `rotary_embedding` `lstm_cell`",
    ),
    (["quantisation", "量化"], &["quantisation"], "`quantize` `fake_quantize`"),
    (["random numbers, dropout", "随机数、dropout"], &["random"], "`randn` `bernoulli` `dropout`"),
    (
        ["optimizer steps, lists of tensors", "优化器更新、张量列表"],
        &["optimizer", "foreach"],
        "`adam_w` `foreach::add` `foreach::norm`",
    ),
];

/// Returns the rows of the table with the number of the operators that are computed, in one of the languages.
fn table(rows: &[Row], language: usize) -> Result<String> {
    let lost = rows
        .iter()
        .find(|row| !GROUPS.iter().any(|(_, families, _)| families.contains(&row.operator.family())));
    if let Some(lost) = lost {
        anyhow::bail!("the family {} is in no group of the READMEs", lost.operator.family());
    }
    let lines = GROUPS.iter().map(|(names, families, examples)| {
        let computed = |row: &&Row| row.is_emulated && families.contains(&row.operator.family());
        let count = rows.iter().filter(computed).count();
        format!("| {} | {count} | {examples} |\n", names.get(language).copied().unwrap_or_default())
    });
    Ok(lines.collect())
}

/// The README with the counts between their marks.
pub(super) fn with_counts(readme: &str, rows: &[Row], published: usize) -> Result<String> {
    let sentence = filled(&format!("{}: [the list](docs/coverage.md).", counts(rows, published)));
    let table = table(rows, 0)?;
    between_marks(
        readme,
        &format!("{sentence}\n\n| operators | computed | such as |\n|---|---|---|\n{table}"),
    )
}

/// The Chinese README with the counts between their marks.
pub(super) fn with_chinese_counts(readme: &str, rows: &[Row], published: usize) -> Result<String> {
    let [declared, emulated, safe, calls] = numbers(rows);
    let text = format!(
        "CANN 公布的 {published} 个算子中，已声明 {declared} 个，模拟器可计算 {emulated} 个，安全（safe）接口提供 {safe} 个；\
         用 {calls} 个带参考结果的调用检验它们，算术运算、类型转换和序列生成另有测试向量：[完整列表](docs/coverage.md)。"
    );
    let table = table(rows, 1)?;
    between_marks(readme, &format!("{text}\n\n| 算子 | 可计算 | 例如 |\n|---|---|---|\n{table}"))
}

/// The text with another one between its marks.
fn between_marks(readme: &str, text: &str) -> Result<String> {
    const MARKS: [&str; 2] = ["<!-- counts of operators -->", "<!-- end of the counts -->"];
    let (before, rest) = readme.split_once(MARKS[0]).context("a README has no mark for the counts")?;
    let (_, after) = rest.split_once(MARKS[1]).context("a README has no mark for the end of the counts")?;
    Ok(format!("{before}{}\n{}\n{}{after}", MARKS[0], text.trim_end(), MARKS[1]))
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
