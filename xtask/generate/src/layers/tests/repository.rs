//! The crates of this repository, copied so that something can be planted in them.

use super::super::{crates, house::House};
use crate::workspace;
use std::{fs, path::Path};
use tempfile::TempDir;

/// Copies the manifests and the sources of all crates.
fn copy() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = workspace::root();
    let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap().iter();
    for folder in members.map(|member| member.as_str().unwrap()).chain([""]) {
        let (from, to) = (root.join(folder), directory.path().join(folder));
        fs::create_dir_all(&to).unwrap();
        fs::copy(from.join("Cargo.toml"), to.join("Cargo.toml")).unwrap();
        copy_tree(&from.join("src"), &to.join("src"));
    }
    directory
}

fn copy_tree(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else { return };
    fs::create_dir_all(to).unwrap();
    for entry in entries {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Adds a line at the end of a file, and returns its number.
fn plant(root: &Path, path: &str, line: &str) -> usize {
    let path = root.join(path);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}{line}\n")).unwrap();
    text.lines().count() + 1
}

#[test]
fn an_upward_use_and_a_circle_planted_in_these_crates_are_found() {
    let directory = copy();
    let root = directory.path();
    let mut expected = Vec::new();
    for (path, room, line, used, other) in [
        ("numerics/src/dtype.rs", "dtype", "use crate::range::Number;", "crate::range::Number", "range"),
        (
            "numerics/src/element.rs",
            "element",
            "fn f() { crate::convert::round::f() }",
            "crate::convert::round::f",
            "convert",
        ),
        ("src/error/mod.rs", "error", "use crate::Tensor;", "crate::Tensor", "tensor"),
        ("cli/src/output.rs", "output", "use crate::info::run;", "crate::info::run", "info"),
    ] {
        let number = plant(root, path, line);
        let start = format!("{path}:{number}: `{room}` on floor ");
        expected.push([start, format!(" uses `{used}` of `{other}` ("), "which is above it".to_owned()]);
    }
    let number =
        plant(root, "src/limits.rs", "use crate::__call::load as _; fn f() { crate::new_in_root() }");
    let start = format!("src/limits.rs:{number}: `limits` on floor 1 uses ");
    expected.push([start.clone(), "`crate::__call::load` of `call`".to_owned(), String::new()]);
    expected.push([start, "`crate::new_in_root` of src/lib.rs, which is the roof".to_owned(), String::new()]);
    let path = "numerics/src/layout/shape.rs";
    let number = plant(root, path, "use super::Layout;");
    let arrow = format!("{path}:{number}: `super::Layout` of numerics/src/layout/view.rs");
    expected.push([
        "2 files of `aclnn-numerics` use each other in a circle".to_owned(),
        arrow,
        String::new(),
    ]);

    let problems = House::read(root).unwrap().problems;
    for [start, middle, end] in &expected {
        let is_it = |problem: &&String| {
            problem.starts_with(start) && problem.contains(middle) && problem.contains(end)
        };
        assert_eq!(problems.iter().filter(is_it).count(), 1, "{start} {middle} {end}: {problems:#?}");
    }
    // Without what was planted there is none.
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
}

#[test]
fn the_crates_stand_as_the_readme_says() {
    let crates = crates::read(&workspace::root()).unwrap();
    let published = crates.iter().filter(|one| one.is_published);
    let levels: Vec<(&str, usize)> = published.map(|one| (one.name.as_str(), one.level)).collect();
    let expected = [
        ("aclnn-numerics", 0),
        ("aclnn-sys", 0),
        ("cann-kernels", 1),
        ("cann-stubs", 2),
        ("aclnn", 3),
        ("aclnn-onnx", 4),
        ("aclnn-cli", 5),
        ("ort-aclnn", 5),
    ];
    assert_eq!(levels, expected);
}
