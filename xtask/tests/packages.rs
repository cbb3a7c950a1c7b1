//! The contents and the metadata of the packages.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::process::Command;

use serde_json::Value;

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the packages that others may depend on.
fn published() -> Vec<Value> {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"]))
            .unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages.filter(|package| package["publish"].is_null()).cloned().collect()
}

#[test]
fn packages_have_a_readme_and_their_licences() {
    let packages = published();
    let names: Vec<&str> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    for name in names {
        let list = cargo(&["package", "--list", "--allow-dirty", "--package", name]);
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "src/lib.rs"] {
            assert!(list.lines().any(|line| line == file), "{name} has no {file}: {list}");
        }
        assert!(!list.lines().any(|line| line.starts_with(".ci")), "{name}: {list}");
    }
}

#[test]
fn packages_can_be_searched_for() {
    for package in published() {
        let name = package["name"].as_str().unwrap();
        let words = |field: &str| package[field].as_array().unwrap().len();
        // The registry takes at most five of each.
        assert!((1..=5).contains(&words("keywords")) && (1..=5).contains(&words("categories")), "{name}");
        for field in ["description", "license", "rust_version", "readme"] {
            assert!(package[field].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {field}");
        }
    }
}
