//! `docs/command.md`: its prose is written by hand, and each block behind a line `<!-- output: NAME -->` is the snapshot of
//! that name.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::{shell::Shell, snapshot};

const START: &str = "<!-- output: ";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/command.md")
}

/// Tests run in threads.
static PAGE: Mutex<()> = Mutex::new(());

fn read() -> String {
    let _reading = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
    fs::read_to_string(path()).unwrap()
}

/// Returns the names of the snapshots that a page shows.
fn shown(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter_map(|line| line.strip_prefix(START)?.strip_suffix(" -->"))
}

/// Returns the page with current blocks; one whose snapshot is not written yet stays as it is.
fn current(page: &str) -> String {
    let mut text = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        text += &format!("{line}\n");
        let Some(name) = shown(line).next() else { continue };
        assert_eq!(lines.next(), Some("```text"), "a block follows {line}");
        let old: String =
            lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        let new = fs::read_to_string(snapshot::directory().join(name).with_extension("txt"));
        text += &format!("```text\n{}```\n", new.unwrap_or(old));
    }
    text
}

/// Writes current blocks into the page.
pub(crate) fn write() {
    let _writing = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let page = fs::read_to_string(path()).unwrap();
    fs::write(path(), current(&page)).unwrap();
}

/// Returns the commands that `aclnn --help` lists.
fn commands() -> Vec<String> {
    let help = Shell::new().run("aclnn --help").out;
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    // Descriptions that take several lines are indented further.
    let names = names.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    let names = names.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

#[test]
fn the_page_of_the_command_shows_what_its_commands_print() {
    let page = read();
    if snapshot::is_written() {
        return write();
    }
    shown(&page).for_each(|name| _ = snapshot::read(name));
    assert!(current(&page) == page, "docs/command.md is not current: UPDATE_PAGES=1 writes it");
}

/// The page says how many thousands of cases there are, as `--list` lists them.
#[test]
fn the_page_counts_the_cases_of_verify() {
    let page = read();
    for (option, behind) in [("", " thousand in all"), (" --full", " thousand cases")] {
        let (before, _) = page.split_once(behind).unwrap();
        let said: usize = before.rsplit(' ').next().unwrap().parse().unwrap();
        let list = Shell::new().run(&format!("aclnn verify --list{option}")).out;
        let counted = list.lines().filter(|name| !name.starts_with("behaviour/")).count();
        assert_eq!(said, (counted + 500) / 1000, "{counted} cases of --list{option}");
    }
}

#[test]
fn every_command_has_a_section_with_its_options_and_an_example() {
    let page = read();
    for command in commands() {
        let heading = format!("\n## `aclnn {command}`\n");
        let (_, section) =
            page.split_once(&heading).unwrap_or_else(|| panic!("docs/command.md lacks{heading}"));
        let section = section.split("\n## ").next().unwrap();
        let help = format!("help/{command}");
        assert!(shown(section).any(|name| name == help), "the section of {command} lacks {START}{help} -->");
        let line = format!("$ aclnn {command}");
        let is_example = |name: &str| name != help && snapshot::read(name).starts_with(&line);
        assert!(
            snapshot::is_written() || shown(section).any(is_example),
            "the section of {command} has no example"
        );
    }
}

#[test]
fn every_help_says_what_the_command_does_and_gives_examples() {
    Shell::new().run("aclnn --help").is("help/aclnn");
    for command in commands() {
        let help = Shell::new().run(&format!("aclnn {command} --help")).is(&format!("help/{command}"));
        assert!(help.out.contains("Examples:\n  aclnn "), "{}", help.out);
    }
}

/// Those of other commands need files or time.
#[test]
fn the_examples_of_quick_commands_work() {
    for command in ["info", "doctor", "promote", "ops", "completions", "man"] {
        let help = snapshot::read(&format!("help/{command}"));
        let (_, examples) = help.split_once("Examples:\n").unwrap();
        for line in examples.lines().map(str::trim).filter(|line| line.starts_with("aclnn ")) {
            let line = line.split(['|', '>']).next().unwrap().replace("~/", "");
            let printed = Shell::new().run(&line);
            // The doctor may find something on the machine of the tests.
            let worked = printed.code == Some(0) || (command == "doctor" && printed.code == Some(1));
            assert!(worked && printed.err.is_empty(), "{line}: {}", printed.err);
        }
    }
}

/// A snapshot that no test names is compared with nothing.
#[test]
fn every_snapshot_is_that_of_a_test() {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let sources =
        fs::read_dir(tests).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let sources: String = sources.collect();
    for folder in fs::read_dir(snapshot::directory()).unwrap() {
        let folder = folder.unwrap().path();
        for file in fs::read_dir(&folder).unwrap() {
            let file = file.unwrap().path();
            let name = file.with_extension("");
            let name = name.strip_prefix(snapshot::directory()).unwrap().to_str().unwrap();
            let is_named = sources.contains(&format!("\"{name}\"")) || name.starts_with("help/");
            assert!(is_named, "no test names the snapshot {name}; remove {}", file.display());
        }
    }
}
