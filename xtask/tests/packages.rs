//! The contents and the metadata of the packages.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Returns what cargo prints: results and messages.
fn cargo_with_messages(arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{messages}");
    (String::from_utf8(output.stdout).unwrap(), messages)
}

fn cargo(arguments: &[&str]) -> String {
    cargo_with_messages(arguments).0
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
    assert_eq!(names.len(), 8, "{names:?}");
    for name in names {
        let list = cargo(&["package", "--list", "--allow-dirty", "--package", name]);
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(list.lines().any(|line| line == file), "{name} has no {file}: {list}");
        }
        // Vectors of tests would be most of a package.
        let unwanted = [".ci", "tests/"].map(|start| list.lines().find(|line| line.starts_with(start)));
        assert_eq!(unwanted, [None, None], "{name}");
    }
}

#[test]
fn packages_can_be_searched_for() {
    for package in published() {
        let name = package["name"].as_str().unwrap();
        let words = |field: &str| package[field].as_array().unwrap().len();
        // The registry takes at most five of each.
        assert!((1..=5).contains(&words("keywords")) && (1..=5).contains(&words("categories")), "{name}");
        for field in ["description", "license", "rust_version", "readme", "repository"] {
            assert!(package[field].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {field}");
        }
    }
}

/// The documentation is built by docs.rs for every package that is a library, which cannot ask back.
#[test]
fn libraries_say_how_their_documentation_is_built() {
    for package in published() {
        let kinds = package["targets"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|target| target["kind"].as_array().unwrap());
        if kinds.into_iter().any(|kind| kind == "lib") {
            let told = &package["metadata"]["docs"]["rs"];
            assert!(told["all-features"].is_boolean() || told["targets"].is_array(), "{}", package["name"]);
        }
    }
}

/// The README's first command runs an example, its second one all tests: where both want the same features of a package,
/// the second one does not build it again.
#[test]
fn what_the_first_example_builds_serves_the_tests() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let tree = |whose: &[&str]| -> BTreeSet<String> {
        let how = ["--edges", "normal,build,dev", "--prefix", "none", "--no-dedupe", "--format", "{p} {f}"];
        let arguments = [&["tree", "--locked", "--manifest-path", manifest][..], &how, whose].concat();
        cargo(&arguments).lines().map(str::to_owned).collect()
    };
    let (first, all) = (tree(&["--package", "aclnn"]), tree(&["--workspace"]));
    let again: Vec<&String> = first.difference(&all).collect();
    // The library itself is small, and its optional dependencies would make the first build longer.
    assert!(
        matches!(again[..], [library] if library.starts_with("aclnn v")),
        "the tests build these again, with other features; add those to the [dev-dependencies] of the root, and where `syn` 3 \
         is among them, hold `clap` and `serde` at releases that use `syn` 2 (cargo update -p serde --precise 1.0.228): {again:?}"
    );
}

/// The folders and files whose functions a program compiles only where it calls them. Most programs call few operators, and a
/// function that is `#[inline]` is compiled with its callers alone.
const LEFT_TO_CALLERS: [&str; 12] = [
    "numerics/src/convert",
    "numerics/src/range",
    "src/collective",
    "src/display.rs",
    "src/exact_range.rs",
    "src/graph.rs",
    "src/histogram.rs",
    "src/interop",
    "src/onnx",
    "src/openvino.rs",
    "src/ops",
    "src/statistics.rs",
];

/// Returns the first lines of functions that are compiled even where nothing calls them: neither generic themselves, nor
/// `#[inline]`, nor cold. Methods of generic types are asked for the attribute too.
fn compiled_at_once(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines: Vec<&str> = code.lines().collect();
    let is_compiled = |at: usize| {
        let Some((words, signature)) = lines[at].trim_start().split_once("fn ") else { return false };
        let words = words
            .split_once("pub(")
            .and_then(|(_, rest)| rest.split_once(')'))
            .map_or(words, |(_, rest)| rest);
        let begins = words.split_whitespace().all(|word| ["pub", "const", "unsafe"].contains(&word));
        let rest = lines[at..].join("\n").replace("; ", " ");
        let Some((head, _)) = rest.split_once('{') else { return false };
        let named = signature.trim_start_matches(|sign: char| sign.is_alphanumeric() || "_$".contains(sign));
        let generics = named.strip_prefix('<').and_then(|rest| rest.split('>').next()).unwrap_or("'");
        let takes = head.split("->").next().unwrap_or_default();
        let is_generic =
            generics.split(',').any(|one| !one.trim_start().starts_with('\'')) || takes.contains("impl ");
        let mut attributes =
            lines[..at].iter().rev().map(|line| line.trim()).take_while(|line| line.starts_with("#["));
        let is_left = attributes.any(|line| line.starts_with("#[inline") || line == "#[cold]");
        begins && !is_generic && !head.contains(';') && !is_left
    };
    (0..lines.len()).filter(|at| is_compiled(*at)).map(|at| lines[at]).collect()
}

#[test]
fn what_few_programs_call_is_compiled_with_its_callers() {
    let sources = "#[inline]\nfn a() {}\npub const fn b(x: [u8; 2]) {\n}\nfn c(x: [u8; 2]);\nfn d<'a, T>() {}\n\
                   pub(in crate::x) fn e() {}\nfn f(g: impl Fn()) {}\nfn h() -> impl Fn() {}\n";
    let at_once = ["pub const fn b(x: [u8; 2]) {", "pub(in crate::x) fn e() {}", "fn h() -> impl Fn() {}"];
    assert_eq!(compiled_at_once(sources), at_once);
    for place in LEFT_TO_CALLERS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(place);
        let sources = if path.is_dir() { files(&path) } else { vec![path] };
        assert!(!sources.is_empty(), "{place}");
        // Its module is for tests alone.
        let of_tests = Path::new("convert/levels.rs");
        let sources = sources.iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
        for source in sources.filter(|path| !path.ends_with(of_tests)) {
            let text = fs::read_to_string(source).unwrap();
            let at_once = compiled_at_once(&text);
            assert!(
                at_once.is_empty(),
                "{}: these functions need `#[inline]`: {at_once:#?}",
                source.display()
            );
        }
    }
}

/// Returns every file below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A path that leads out of the package exists in the repository alone. The next test builds them; this one takes no time.
#[test]
fn sources_include_files_of_their_own_package() {
    let mut count = 0;
    for package in published() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap()).to_owned();
        let root = manifest.parent().unwrap().canonicalize().unwrap();
        let name = package["name"].as_str().unwrap();
        let list = cargo(&["package", "--list", "--allow-dirty", "--package", name]);
        let packed: BTreeSet<PathBuf> = list.lines().map(|line| root.join(line)).collect();
        let sources = files(&root.join("src"))
            .into_iter()
            .filter(|path| path.extension().is_some_and(|end| end == "rs"));
        for source in sources {
            let text = fs::read_to_string(&source).unwrap();
            for start in ["include_str!(\"", "include_bytes!(\"", "#[path = \""] {
                for rest in text.split(start).skip(1) {
                    let included = source.parent().unwrap().join(rest.split('"').next().unwrap());
                    let included = included.canonicalize().unwrap_or(included);
                    assert!(packed.contains(&included), "{}: {}", source.display(), included.display());
                    count += 1;
                }
            }
        }
    }
    assert!(count > 15, "{count}");
}

/// Each package is unpacked, and all are checked with each other, without the repository around them.
#[test]
#[ignore = "it compiles every package; .ci/run starts it"]
fn packages_build_from_their_own_files() {
    let names: Vec<String> =
        published().iter().map(|package| package["name"].as_str().unwrap().to_owned()).collect();
    let packages = names.iter().flat_map(|name| ["--package", name]);
    let (_, messages) = cargo_with_messages(
        &["package", "--no-verify", "--allow-dirty", "--locked"]
            .into_iter()
            .chain(packages)
            .collect::<Vec<_>>(),
    );
    // Tests, benches and the library of tests are left out on purpose, and cargo says of each that it is.
    let left_out = |line: &&str| {
        ["test `", "benchmark `", "example `drop_in`"]
            .iter()
            .any(|target| line.strip_prefix("ignoring ").is_some_and(|rest| rest.starts_with(target)))
    };
    let warnings: Vec<&str> = messages.lines().filter_map(|line| line.strip_prefix("warning: ")).collect();
    assert!(warnings.iter().any(left_out), "{messages}");
    assert!(warnings.iter().all(left_out), "{messages}");
    let workspace = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let version = env!("CARGO_PKG_VERSION");
    let (mut members, mut patches) = (String::new(), String::new());
    for name in &names {
        let folder = format!("{name}-{version}");
        let packed = target.join("package").join(format!("{folder}.crate"));
        let unpacked =
            Command::new("tar").arg("xzf").arg(packed).arg("-C").arg(workspace.path()).status().unwrap();
        assert!(unpacked.success(), "{name}");
        // The lock file is that of the repository, so that nothing new is fetched.
        _ = fs::remove_file(workspace.path().join(&folder).join("Cargo.lock"));
        members += &format!("\"{folder}\", ");
        patches += &format!("{name} = {{ path = \"{folder}\" }}\n");
    }
    // The profile is that of the repository, so that dependencies are not compiled again.
    let manifest = format!(
        "[workspace]\nmembers = [{members}]\nresolver = \"3\"\n\n[patch.crates-io]\n{patches}\n\
         [profile.dev]\nincremental = false\n\n[profile.dev.package.\"*\"]\ndebug = false\n"
    );
    fs::write(workspace.path().join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), workspace.path().join("Cargo.lock")).unwrap();
    let checked = Command::new(env!("CARGO"))
        .args(["check", "--workspace", "--quiet"])
        .env("CARGO_TARGET_DIR", target.canonicalize().unwrap())
        .current_dir(workspace.path())
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

/// Whether a licence expression can be fulfilled with the allowed licences: alternatives by `OR`, or `/` in old packages, and
/// parts by `AND`, one level of parentheses deep.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    if let (Some(open), Some(close)) = (expression.find('('), expression.find(')')) {
        // What stands in parentheses is replaced by a licence that is allowed, or by one that is not.
        let inner = if is_allowed(&expression[open + 1..close], allowed) { allowed[0] } else { "none" };
        return is_allowed(&format!("{}{inner}{}", &expression[..open], &expression[close + 1..]), allowed);
    }
    let expression = expression.replace('/', " OR ");
    expression.split(" OR ").any(|part| part.split(" AND ").all(|licence| allowed.contains(&licence.trim())))
}

#[test]
fn a_licence_expression_is_read_as_spdx_defines_it() {
    let allowed = ["MIT", "Unicode-3.0"];
    for expression in [
        "MIT",
        "Apache-2.0 OR MIT",
        "MIT/Apache-2.0",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "GPL-3.0 OR (MIT AND Unicode-3.0)",
    ] {
        assert!(is_allowed(expression, &allowed), "{expression}");
    }
    for expression in
        ["Apache-2.0", "MIT AND Apache-2.0", "(MIT OR Zlib) AND ISC", "Apache-2.0 WITH LLVM-exception"]
    {
        assert!(!is_allowed(expression, &allowed), "{expression}");
    }
}

/// Checks what `cargo deny` does, where that is not installed: licences and sources of every dependency.
#[test]
fn dependencies_follow_the_policy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let policy: toml::Table = fs::read_to_string(root.join("deny.toml")).unwrap().parse().unwrap();
    let list = |section: &str, key: &str| -> Vec<String> {
        let values = policy[section][key].as_array().unwrap().iter();
        values.map(|value| value.as_str().unwrap().to_owned()).collect()
    };
    let licences = list("licenses", "allow");
    let allowed: Vec<&str> = licences.iter().map(String::as_str).collect();
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
        .output()
        .unwrap();
    if !metadata.status.success() {
        // Those of other platforms and features are not built here, so they may be neither here nor within reach.
        println!("skipped: {}", String::from_utf8_lossy(&metadata.stderr));
        return;
    }
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let (mut named, mut registries) = (String::new(), BTreeSet::new());
    for package in metadata["packages"].as_array().unwrap() {
        let (name, source) = (&package["name"], package["source"].as_str());
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name} names no licence"));
        assert!(is_allowed(licence, &allowed), "{name}: {licence} is not among {allowed:?} of deny.toml");
        // All are of one registry, none of a repository.
        assert!(source.is_none_or(|source| source.starts_with("registry+")), "{name} is of {source:?}");
        registries.extend(source);
        named += licence;
    }
    assert_eq!(registries.len(), 1, "{registries:?}");
    for licence in allowed {
        assert!(named.contains(licence), "no dependency has {licence}, which deny.toml allows");
    }
}
