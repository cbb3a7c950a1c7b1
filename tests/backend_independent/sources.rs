//! Rules for the sources that the compiler does not check.

use crate::support;

/// A test that returns at once is taken for passed, unless it says that it was skipped.
#[test]
fn no_test_returns_in_silence_where_it_does_not_apply() -> std::io::Result<()> {
    let (mut silent, mut asked) = (Vec::new(), 0);
    for path in support::sources("tests")? {
        let text = std::fs::read_to_string(&path)?;
        asked +=
            usize::from(text.contains("support::is_embedded()") || text.contains("support::is_emulated()"));
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.starts_with("//")).collect();
        for pair in lines.windows(2) {
            let asks =
                pair[0].contains("kind() == BackendKind::") || pair[0].contains("kind() != BackendKind::");
            if asks && pair[0].starts_with("if ") && (pair[1] == "return Ok(());" || pair[1] == "return;") {
                silent.push(format!("{}: {}", path.display(), pair[0]));
            }
        }
    }
    assert!(asked > 5);
    assert!(
        silent.is_empty(),
        "ask `is_embedded` or `is_emulated` of the module `support` instead: {silent:#?}"
    );
    Ok(())
}

/// The texts of the functions that are tests, with their attributes.
fn tests_in(text: &str) -> impl Iterator<Item = &str> {
    text.split("#[test]").skip(1).map(|rest| {
        let indent = rest.lines().nth(1).map_or(0, |line| line.len() - line.trim_start().len());
        let end = rest.find(&format!("\n{}}}\n", " ".repeat(indent)));
        end.map_or(rest, |end| &rest[..end])
    })
}

/// One that runs beside others fails now and then, or lets them fail.
#[test]
fn a_test_that_runs_alone_is_marked() -> std::io::Result<()> {
    let (mut unmarked, mut count) = (Vec::new(), 0);
    for path in support::sources("tests/serial")? {
        let text = std::fs::read_to_string(&path)?;
        for test in tests_in(&text) {
            count += 1;
            let marks = ["#[serial]", "support::is_alone(", "support::alone("];
            if !marks.iter().any(|mark| test.contains(mark)) {
                let name = test.lines().find(|line| line.contains("fn ")).unwrap_or_default();
                unmarked.push(format!("{}: {}", path.display(), name.trim()));
            }
        }
    }
    assert!(count > 80, "{count}");
    assert!(unmarked.is_empty(), "neither `#[serial]` nor in a process of its own: {unmarked:#?}");
    Ok(())
}

/// Those of macros stand in their templates.
#[test]
fn every_method_of_a_tensor_has_an_example() -> std::io::Result<()> {
    let (mut bare, mut count) = (Vec::new(), 0);
    for path in support::sources("src/ops")?.into_iter().chain(support::sources("src/tensor")?) {
        let text = std::fs::read_to_string(&path)?;
        // How far the open `impl Tensor` is indented.
        let (mut of_tensor, mut has_example) = (None, false);
        for raw in text.lines() {
            let line = raw.trim();
            let indent = raw.len() - line.len();
            match line {
                "impl Tensor {" => of_tensor = Some(indent),
                "}" if of_tensor == Some(indent) => of_tensor = None,
                "/// ```" => has_example = true,
                _ if line.starts_with("pub fn ") && of_tensor.is_some() => {
                    count += 1;
                    if !has_example {
                        bare.push(format!("{}: {line}", path.display()));
                    }
                }
                _ => {}
            }
            let is_above =
                ["//", "#", "$(#", "$($(#", "alias", ")]", ")?"].iter().any(|start| line.starts_with(start));
            if !is_above {
                has_example = false;
            }
        }
    }
    assert!(count > 150, "{count}");
    assert!(bare.is_empty(), "methods without an example: {bare:#?}");
    Ok(())
}

/// The methods name the C functions in their aliases.
#[test]
fn every_form_in_place_has_a_method() -> std::io::Result<()> {
    // Of AddV3 there is no method at all, products of matrices have `run_into`, a fill writes zeros and ones, and one is a
    // second name in C. A sum and its `relu` are two methods. Seeds are on the host. Of functions with several results the
    // safe layer returns all.
    let without = [
        "AddV3",
        "Addbmm",
        "Addmm",
        "Addr",
        "Baddbmm",
        "Zero",
        "One",
        "BitwiseAndTensorOut",
        "UniformTensor",
        "NormalTensor",
        "RandomTensor",
        "RandomWithoutFromToTensor",
        "AddRelu",
        "AddRmsNorm",
        "RReluWithNoise",
        "QuantScatter",
        "QuantScatterV2",
        "MatmulAllReduceAddRmsNorm",
        "QuantMatmulAllReduceAddRmsNorm",
        "WeightQuantMatmulAllReduceAddRmsNorm",
        "AddrV2",
        "HardsigmoidV2",
        "PartialRotaryMul",
    ];
    let mut texts = String::new();
    for path in support::sources("src")? {
        texts += &std::fs::read_to_string(path)?;
    }
    let (mut missing, mut count) = (Vec::new(), 0);
    for path in support::sources("sys/src/families")? {
        let text = std::fs::read_to_string(&path)?;
        for name in text.split("= \"aclnnInplace").skip(1).filter_map(|rest| rest.split('"').next()) {
            count += 1;
            if !texts.contains(&format!("\"aclnnInplace{name}\"")) && !without.contains(&name) {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(count > 100, "{count}");
    assert!(missing.is_empty(), "without a method: {missing:?}");
    Ok(())
}

/// Names of the functions of `ops`: those that are written out, re-exported by name, expanded from declarations that have an
/// example, or reductions.
fn functions_of_ops() -> std::io::Result<std::collections::BTreeSet<String>> {
    let is_name = |name: &&str| {
        name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let mut names = std::collections::BTreeSet::new();
    for path in support::sources("src/ops")? {
        if path.components().any(|part| part.as_os_str() == "foreach") {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let written = text.split("\npub fn ").skip(1).filter_map(|rest| rest.split(['<', '(']).next());
        let lists =
            text.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next()?.rsplit("::").next());
        let exported = lists.flat_map(|list| list.split(['{', '}', ',', '\n', ' ']));
        let reductions = text.lines().filter_map(|line| Some(line.trim().split_once(" by ")?.0));
        let reductions = reductions.filter(|_| path.ends_with("reductions.rs"));
        names.extend(written.chain(exported).chain(reductions).filter(is_name).map(str::to_owned));
    }
    for path in support::sources("sys/src/families")? {
        let text = std::fs::read_to_string(&path)?;
        // Other names stand before the example.
        let before = |part: &'_ str| {
            part.rsplit_once("also:").map_or(part, |(before, _)| before).trim_end().to_owned()
        };
        let declared = text.split("example:").map(|part| before(part).strip_suffix('(').map(str::to_owned));
        let declared: Vec<String> = declared.flatten().collect();
        let declared = declared.iter();
        let declared = declared.filter_map(|before| before.trim_end().rsplit([' ', '\n']).next());
        names.extend(declared.filter(is_name).map(str::to_owned));
    }
    Ok(names)
}

/// A reader finds an operator by its family.
#[test]
fn every_function_of_ops_is_in_the_table_of_families() -> std::io::Result<()> {
    let table = std::fs::read_to_string(support::root().join("src/ops/families.md"))?;
    let names = functions_of_ops()?;
    assert!(names.len() > 240 && ["conv2d", "relu", "sum"].iter().all(|name| names.contains(*name)));
    let missing: Vec<&String> = names.iter().filter(|name| !table.contains(&format!("[`{name}`]"))).collect();
    assert!(missing.is_empty(), "not in src/ops/families.md: {missing:?}");
    Ok(())
}

/// The code runs as a test of the documentation.
#[test]
fn the_tables_for_users_of_other_libraries_show_code_that_runs() -> std::io::Result<()> {
    let page = std::fs::read_to_string(support::root().join("src/topics/coming_from.md"))?;
    let code: String = page.split("```").skip(1).step_by(2).collect();
    let (mut missing, mut count) = (Vec::new(), 0);
    for row in page.split("```").step_by(2).flat_map(str::lines).filter(|line| line.starts_with("| `")) {
        let here = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        for snippet in here.split('`').skip(1).step_by(2) {
            count += 1;
            if !code.contains(snippet) {
                missing.push(snippet);
            }
        }
    }
    assert!(count > 120, "{count}");
    assert!(missing.is_empty(), "not in the code below the tables: {missing:#?}");
    Ok(())
}

/// Returns whether a line of source declares a public item, a public field or a variant of an enumeration.
fn is_documented(line: &str) -> bool {
    let rest = line.trim_start_matches(char::is_alphanumeric);
    let is_variant = line.starts_with(char::is_uppercase)
        && (rest.is_empty() || [",", "(", " {", " ="].iter().any(|start| rest.starts_with(start)));
    line.starts_with("pub ") || is_variant
}

/// `Returns whether …` for a function, `The number of …` for a field: a reader finds the subject in the first words.
#[test]
fn documentation_begins_with_its_subject() -> std::io::Result<()> {
    let questions = ["Tells", "What", "Whose", "Whether", "Which", "How", "Where", "When", "Who"];
    let (mut found, mut count) = (Vec::new(), 0);
    for directory in [
        "src",
        "numerics/src",
        "sys/src",
        "cann-stubs/src",
        "kernels/src",
        "cli/src",
        "onnx/src",
        "onnx/ort/src",
    ] {
        for path in support::sources(directory)? {
            let text = std::fs::read_to_string(&path)?;
            // The number and the text of the first line of the documentation above.
            let mut first = None;
            for (number, line) in text.lines().map(str::trim).enumerate() {
                if let Some(documentation) = line.strip_prefix("///") {
                    first = first.or(Some((number + 1, documentation.trim())));
                } else if line.starts_with("#[") || line.starts_with(")]") {
                    // An attribute stands between an item and its documentation.
                } else if let Some((number, documentation)) = first.take().filter(|_| is_documented(line)) {
                    count += 1;
                    let word = documentation.split(' ').next().unwrap_or_default();
                    let is_field = line.split_once(": ").is_some_and(|(start, _)| !start.contains('('));
                    if questions.contains(&word) && !(word == "Whether" && is_field) {
                        found.push(format!("{}:{number}: {documentation}", path.display()));
                    }
                }
            }
        }
    }
    assert!(count > 3000, "{count}");
    assert!(found.is_empty(), "begin with the subject, as in `Returns whether …`: {found:#?}");
    Ok(())
}
