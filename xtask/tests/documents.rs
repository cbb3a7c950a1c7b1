//! The documents: pages in English and Chinese say the same, links lead somewhere, and commands that are shown exist.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

const READMES: [&str; 2] = ["README.md", "README.zh-CN.md"];

/// The pages that are there in English and in Chinese.
const PAIRS: [[&str; 2]; 2] = [READMES, ["docs/lab.md", "docs/lab.zh-CN.md"]];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the code blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let start = format!("```{language}\n");
    text.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// Returns the lines outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").step_by(2).flat_map(str::lines)
}

/// Returns the targets of the links and images of a page.
fn links(text: &str) -> Vec<&str> {
    prose(text)
        .flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()))
        .map(|target| target.split_once(' ').map_or(target, |(target, _)| target))
        .collect()
}

/// What code does is in one language; its comments are in that of the page.
#[test]
fn pages_in_two_languages_have_the_same_code() {
    let code = |text: &str| -> Vec<String> {
        let blocks = blocks(text, "rust");
        blocks
            .iter()
            .flat_map(|block| block.lines())
            .map(|line| line.split("//").next().unwrap().trim_end().to_owned())
            .collect()
    };
    for pair in PAIRS {
        let [english, chinese] = pair.map(read);
        assert_eq!(code(&english), code(&chinese));
        assert_eq!(blocks(&english, "sh"), blocks(&chinese, "sh"));
        assert!(!blocks(&english, "sh").is_empty());
    }
    assert!(code(&read(READMES[0])).len() > 10);
}

#[test]
fn pages_in_two_languages_have_the_same_sections_tables_and_links() {
    let levels = |text: &str| -> Vec<usize> {
        let headings = prose(text).filter(|line| line.starts_with('#'));
        headings.map(|line| line.split(' ').next().unwrap().len()).collect()
    };
    // What is code in a table: names, variables and their values.
    let tables = |text: &str| -> Vec<Vec<String>> {
        let rows = prose(text).filter(|line| line.starts_with('|'));
        rows.map(|row| row.split('`').skip(1).step_by(2).map(str::to_owned).collect()).collect()
    };
    for pair in PAIRS {
        let names = pair.map(|page| page.rsplit('/').next().unwrap());
        let [english, chinese] = pair.map(read);
        assert_eq!(levels(&english), levels(&chinese));
        assert_eq!(tables(&english), tables(&chinese));
        // A page in Chinese leads to others in Chinese.
        let of_both = |text: &str| -> Vec<String> {
            let others =
                links(text).into_iter().filter(|link| !names.contains(link) && !link.starts_with('#'));
            others.map(|link| link.replace(".zh-CN.md", ".md")).collect()
        };
        assert_eq!(of_both(&english), of_both(&chinese));
        let first = |text: &str| text.lines().nth(2).unwrap().to_owned();
        assert_eq!(first(&english), format!("English | [简体中文]({})", names[1]));
        assert_eq!(first(&chinese), format!("[English]({}) | 简体中文", names[0]));
    }
    let counts = |text: &str| -> BTreeSet<u32> {
        let counts =
            text.split("counts of operators").nth(1).unwrap().split("<!--").next().unwrap().to_owned();
        counts
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .collect()
    };
    let [english, chinese] = READMES.map(read);
    assert_eq!(counts(&english), counts(&chinese));
}

fn is_chinese(letter: char) -> bool {
    ('一'..='龥').contains(&letter)
}

/// Names of code stand apart from Chinese words: with a blank or punctuation between them.
#[test]
fn code_in_chinese_pages_stands_apart() {
    let mut count = 0;
    for [_, page] in PAIRS {
        for line in prose(&read(page)) {
            let parts: Vec<&str> = line.split('`').collect();
            for (number, pair) in parts.windows(2).enumerate() {
                // Even parts are words, odd ones are code.
                let (words, is_before) = if number % 2 == 0 { (pair[0], true) } else { (pair[1], false) };
                let near = if is_before { words.chars().next_back() } else { words.chars().next() };
                assert!(!near.is_some_and(is_chinese), "{page}: no blank beside the code: {line}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// Returns the name by which a heading is linked to: its words in lower case with hyphens between them.
fn anchor(heading: &str) -> String {
    let letters = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    letters.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[test]
fn links_within_a_page_lead_to_a_heading() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let headings: Vec<String> = prose(&text).filter(|line| line.starts_with('#')).map(anchor).collect();
        for link in links(&text).into_iter().filter_map(|link| link.strip_prefix('#')) {
            assert!(headings.iter().any(|heading| heading == link), "{page}: #{link} is no heading");
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}

/// They promise that two commands lead to a running example and a passing suite: these are the ones that every change runs.
#[test]
fn the_two_commands_of_the_readme_are_run_for_every_change() {
    let ci = read(".ci/run");
    let english = read("README.md");
    let first = blocks(&english, "sh")[0].clone();
    let commands: Vec<&str> = first.lines().map(|line| line.split('#').next().unwrap().trim()).collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        let is_run = ci.lines().any(|line| line.trim().replace(" --locked", "") == command);
        assert!(is_run, "{command} is not in .ci/run");
    }
}

/// The pages that people read in the repository.
fn pages() -> Vec<String> {
    let fixed = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md"];
    let mut pages: Vec<String> = READMES.iter().chain(&fixed).map(|&page| page.to_owned()).collect();
    for folder in ["docs", "src/topics"] {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        let names = entries.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".md"));
        pages.extend(names.map(|name| format!("{folder}/{name}")));
    }
    pages.extend(
        ["numerics", "sys", "kernels", "cann-stubs", "cli"].map(|folder| format!("{folder}/README.md")),
    );
    pages
}

#[test]
fn links_lead_to_files() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let folder = root().join(&page).parent().unwrap().to_owned();
        for link in links(&text) {
            let file = link.split('#').next().unwrap();
            // Links of the documentation name types.
            if file.is_empty() || file.contains("://") || file.contains("::") {
                continue;
            }
            assert!(folder.join(file).exists(), "{page} links to {link}");
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn the_index_lists_every_page() {
    let index = read("docs/README.md");
    let listed: BTreeSet<PathBuf> = links(&index)
        .into_iter()
        .filter_map(|link| root().join("docs").join(link).canonicalize().ok())
        .collect();
    for page in pages().iter().filter(|page| page.starts_with("docs/") || page.starts_with("src/topics/")) {
        let path = root().join(page).canonicalize().unwrap();
        assert!(page == "docs/README.md" || listed.contains(&path), "docs/README.md does not list {page}");
    }
}

/// Returns every variable that the libraries read: the names that stand in quotes of their own.
fn variables_in_sources(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            variables_in_sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let library = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let starts = ["ACLNN_", "CANN_STUBS_", "ASCEND_", "DISABLE_", "TASK_QUEUE_"];
            let names = library.split('"').filter(|name| starts.iter().any(|start| name.starts_with(start)));
            let is_name = |name: &&str| {
                name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_' || letter == '2')
            };
            found.extend(names.filter(is_name).filter(|name| !name.ends_with('_')).map(str::to_owned));
        }
    }
}

#[test]
fn every_variable_that_is_read_is_on_the_page_of_variables() {
    let mut read_by_code = BTreeSet::new();
    for folder in ["src", "sys/src", "kernels/src", "cann-stubs/src"] {
        variables_in_sources(&root().join(folder), &mut read_by_code);
    }
    // Set by the build script for the library itself.
    read_by_code.remove("ACLNN_RECORDED_CANN");
    let page = read("src/topics/environment_variables.md");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let first_cells = rows.map(|row| row.split('|').nth(1).unwrap());
    let listed: BTreeSet<String> = first_cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .filter(|name| !name.contains('*'))
        .collect();
    assert_eq!(read_by_code, listed);
}

/// Returns the commands of a text: lines without comments, continued lines joined.
fn commands(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.split(" #").next().unwrap().trim());
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

fn all_sources(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all_sources(&path, sources);
        } else if path.extension().is_some_and(|end| end == "rs") {
            sources.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

/// Returns the names of the subcommands of `aclnn`, which are those of its variants.
fn subcommands() -> BTreeSet<String> {
    let source = read("cli/src/arguments.rs");
    let variants = source.split("enum Command {").nth(1).unwrap().split("\n}").next().unwrap().lines();
    let variants = variants.map(str::trim).filter(|line| line.starts_with(char::is_uppercase));
    variants.map(|line| line.split(['(', ' ', ',', '{']).next().unwrap().to_lowercase()).collect()
}

/// Fails if a command of this repository does not exist: a command of xtask, an example, a package, a script.
fn check(place: &str, command: &str) {
    let words: Vec<&str> = command.split_whitespace().collect();
    let after =
        |word: &str| words.iter().position(|other| *other == word).and_then(|at| words.get(at + 1)).copied();
    if words.starts_with(&["cargo", "xtask"]) {
        let usage = read("xtask/src/main.rs");
        let name = words[2];
        assert!(
            usage.contains(&format!("\n  {name} ")),
            "{place}: {command}: there is no `cargo xtask {name}`"
        );
        for flag in words.iter().filter(|word| word.starts_with("--")) {
            assert!(usage.contains(flag), "{place}: {command}: xtask has no {flag}");
        }
    }
    if let Some(example) = after("--example") {
        let folder = root().join("examples");
        let exists = folder.join(format!("{example}.rs")).exists() || folder.join(example).exists();
        assert!(exists, "{place}: {command}");
    }
    if let Some(package) = after("-p").filter(|_| words[0] == "cargo") {
        let manifests = [
            "",
            "numerics/",
            "sys/",
            "cann-stubs/",
            "kernels/",
            "cli/",
            "tests/",
            "xtask/",
            "xtask/generate/",
            "benches/peers/",
            "examples/11_interop/",
            "examples/13_image/",
            "examples/14_train/",
            "examples/15_transformer/",
            "examples/16_data_parallel/",
            "examples/17_cnn/",
            "examples/18_onnx/",
            "examples/19_serving/",
            "onnx/",
            "onnx/ort/",
        ];
        let name = format!("name = \"{package}\"");
        assert!(
            manifests.iter().any(|folder| read(&format!("{folder}Cargo.toml")).contains(&name)),
            "{place}: {command}"
        );
    }
    let arguments = if words[0] == "aclnn" || words[0].ends_with("/aclnn") {
        &words[1..]
    } else if words.contains(&"aclnn-cli") {
        words.splitn(2, |word| *word == "--").nth(1).unwrap_or_default()
    } else {
        &[]
    };
    if let Some(subcommand) = arguments.first().filter(|word| !word.starts_with('-')) {
        let known = subcommands();
        assert!(known.contains(*subcommand), "{place}: {command}: aclnn has {known:?}");
        let mut sources = String::new();
        all_sources(&root().join("cli/src"), &mut sources);
        let own = arguments.iter().take_while(|word| **word != "--");
        for flag in own.filter_map(|word| word.strip_prefix("--")).filter(|flag| *flag != "help") {
            let field = format!("{}:", flag.replace('-', "_"));
            assert!(sources.contains(&field), "{place}: {command}: aclnn has no --{flag}");
        }
    }
    if words[0].starts_with(".ci/") {
        assert!(root().join(words[0]).is_file(), "{place}: {command}");
    }
}

#[test]
fn documents_show_commands_that_exist() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let in_text = prose(&text).flat_map(|line| line.split('`').skip(1).step_by(2));
        let in_text =
            in_text.filter(|code| ["aclnn ", "cargo ", ".ci/"].iter().any(|start| code.starts_with(start)));
        let in_blocks = blocks(&text, "sh");
        let in_blocks = in_blocks.iter().flat_map(|block| commands(block));
        for command in in_blocks.chain(in_text.map(str::to_owned)) {
            check(&page, &command);
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_script_for_labs_calls_commands_that_exist() {
    let script = read(".ci/lab");
    let steps = commands(&script);
    let steps = steps
        .iter()
        .filter_map(|line| line.split("step ").nth(1)?.split_once(' '))
        .map(|(_, command)| command);
    let steps: Vec<&str> = steps.collect();
    assert!(steps.len() > 5, "{steps:?}");
    steps.iter().for_each(|command| check(".ci/lab", command));
}

/// Returns the scripts of the steps of a workflow.
fn scripts(workflow: &Yaml) -> Vec<String> {
    let jobs = workflow["jobs"].as_hash().unwrap().values();
    let steps = jobs.flat_map(|job| job["steps"].as_vec().unwrap());
    steps.filter_map(|step| step["run"].as_str()).map(str::to_owned).collect()
}

#[test]
fn workflows_are_read_and_call_commands_that_exist() {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(root().join(".github/workflows")).unwrap() {
        let name = format!(".github/workflows/{}", entry.unwrap().file_name().to_str().unwrap());
        let documents =
            YamlLoader::load_from_str(&read(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let [workflow] = documents.as_slice() else { panic!("{name} is not one document") };
        assert!(!workflow["on"].is_badvalue(), "{name} is never started");
        let commands: Vec<String> = scripts(workflow).iter().flat_map(|script| commands(script)).collect();
        assert!(!commands.is_empty(), "{name}");
        for command in &commands {
            let known = ["cargo ", ".ci/", "git config ", "rustup component ", "target/release/aclnn "];
            assert!(known.iter().any(|start| command.starts_with(start)), "{name}: {command}");
            check(&name, command);
        }
        names.insert(name);
    }
    let ci = YamlLoader::load_from_str(&read(".github/workflows/ci.yml")).unwrap();
    assert!(scripts(&ci[0]).contains(&".ci/run ${{ matrix.part }}".to_owned()));
    let jobs = ci[0]["jobs"]["emulator"]["strategy"]["matrix"]["part"].as_vec().unwrap();
    let jobs: Vec<&str> = jobs.iter().map(|part| part.as_str().unwrap()).collect();
    let script = read(".ci/run");
    let parts = script.split("\nparts=(").nth(1).unwrap().split(')').next().unwrap();
    assert_eq!(jobs, parts.split(' ').collect::<Vec<_>>());
    let lab = YamlLoader::load_from_str(&read(".github/workflows/lab.yml")).unwrap();
    assert_eq!(lab[0]["jobs"]["device"]["env"]["ACLNN_BACKEND"].as_str(), Some("cann"));
    assert_eq!(names.len(), 2, "{names:?}");
}

/// The section of a version begins with its number and its date; on top is what no release has yet.
#[test]
fn the_changelog_has_a_section_for_each_version() {
    let changelog = read("CHANGELOG.md");
    let mut sections = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    assert_eq!(sections.next(), Some("Unreleased"));
    let releases: Vec<(&str, &str)> = sections.map(|section| section.split_once(" - ").unwrap()).collect();
    assert_eq!(releases[0].0, env!("CARGO_PKG_VERSION"));
    let numbers = |text: &str, separator| -> Vec<u32> {
        text.split(separator).map(|number| number.parse().unwrap()).collect()
    };
    for (version, date) in releases {
        assert_eq!((numbers(version, '.').len(), date.len()), (3, 10), "{version}: {date}");
        assert_eq!(numbers(date, '-').len(), 3, "{date}");
    }
}

/// Returns the first cells of the rows of the tables after a heading.
fn first_cells<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let section = page.split(heading).nth(1).unwrap().split("\n#").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| row.split('|').nth(1).unwrap().trim()).collect()
}

/// Those who look a message up find it as they saw it.
#[test]
fn messages_and_codes_of_the_pages_are_those_of_the_code() {
    let (lab, errors) = (read("docs/lab.md"), read("src/topics/errors.md"));
    let messages = first_cells(&lab, "## What each failure means");
    let cells = messages.iter().chain(&first_cells(&errors, "# Codes of CANN")).copied().collect::<Vec<_>>();
    let numbers = cells.iter().flat_map(|cell| cell.split(|letter: char| !letter.is_ascii_digit()));
    let codes: Vec<i32> =
        numbers.filter(|digits| digits.len() == 6).map(|digits| digits.parse().unwrap()).collect();
    assert!(codes.len() > 15, "{codes:?}");
    for code in codes {
        assert!(aclnn_sys::error_code::find(code).is_some(), "{code} is no code of CANN");
    }
    let mut sources = String::new();
    for folder in ["src", "sys/src", "xtask/src"] {
        all_sources(&root().join(folder), &mut sources);
    }
    let quoted = messages.iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let quoted: Vec<&str> =
        quoted.filter(|text| text.contains(' ') && !text.contains(char::is_numeric)).collect();
    assert!(quoted.len() > 4, "{quoted:?}");
    for message in quoted {
        let words = message.trim_matches(['…', ' ']);
        assert!(sources.contains(words), "nothing says: {message}");
    }
}

/// The steps of a release replace words of pages, which have to be there.
#[test]
fn words_that_a_release_replaces_are_on_the_pages() {
    let page = read("docs/releasing.md");
    let scripts = blocks(&page, "sh").concat().replace("\\\n", " ");
    let mut count = 0;
    for line in scripts.lines().filter(|line| line.starts_with("sed -i '") && line.contains(".md")) {
        let (script, files) = line.trim_start_matches("sed -i '").split_once('\'').unwrap();
        let texts: Vec<String> =
            files.split_whitespace().filter(|file| file.ends_with(".md")).map(read).collect();
        for step in script.split("; ") {
            let words = step.split('|').nth(1).unwrap();
            assert!(texts.iter().any(|text| text.contains(words)), "{words:?} is not in{files}");
            count += 1;
        }
    }
    assert!(count > 2, "{count}");
}

/// A method that was renamed leaves an answer behind that does not exist.
#[test]
fn names_that_stand_for_those_of_other_libraries_exist() {
    let page = read("docs/names.md");
    let mut words = BTreeSet::new();
    for folder in ["src", "sys/src/families"] {
        for file in sources(&root().join(folder)) {
            let text = fs::read_to_string(file).unwrap();
            words.extend(text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').map(str::to_owned));
        }
    }
    let mut named = 0;
    for code in page.split('`').skip(1).step_by(2) {
        for owner in ["x.", "y.", "grad.", "Tensor::", "ops::"] {
            for rest in code.split(owner).skip(1) {
                let name = rest.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap();
                named += 1;
                assert!(words.contains(name), "docs/names.md names {owner}{name}; run `cargo xtask names`");
            }
        }
    }
    assert!(named > 200, "{named}");
    // The goal is that nobody looks for a name in vain.
    for line in page.lines().filter(|line| line.starts_with("| candle") || line.starts_with("| PyTorch")) {
        assert!(line.ends_with("| 0 |"), "{line}");
    }
}

/// Returns the Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(sources(&path)),
            false if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            false => {}
        }
    }
    files
}
