//! The crates of the workspace, from their manifests.

use anyhow::{Context, Result, bail};
use std::{collections::BTreeMap, fs, path::Path};
use toml::{Table, Value};

/// A crate of the workspace.
pub(crate) struct Crate {
    pub(crate) name: String,
    /// What the manifest says about it.
    pub(crate) description: String,
    /// The file of its root, from the root of the workspace on.
    pub(crate) entry: String,
    /// Whether users get it, so that it is a part of the house: developer commands and tests are not.
    pub(crate) is_published: bool,
    /// The crates of the workspace that it uses, tests left out.
    pub(crate) uses: Vec<String>,
    /// The number of crates in the longest chain below it.
    pub(crate) level: usize,
}

/// Returns the crates of the workspace in the directory `root`, from the ground up.
pub(crate) fn read(root: &Path) -> Result<Vec<Crate>> {
    let top = manifest(root, "")?;
    let members =
        value(&top, &["workspace", "members"]).and_then(Value::as_array).cloned().unwrap_or_default();
    let members = members.iter().filter_map(Value::as_str).map(|member| format!("{member}/"));
    let mut crates = Vec::new();
    for folder in [String::new()].into_iter().chain(members) {
        if folder.contains('*') {
            bail!("Cargo.toml: the members of the workspace are read by name, not by the pattern {folder}");
        }
        let manifest = manifest(root, &folder)?;
        let Some(name) = value(&manifest, &["package", "name"]).and_then(Value::as_str) else { continue };
        let description = value(&manifest, &["package", "description"]).and_then(Value::as_str);
        let library = value(&manifest, &["lib", "path"]).and_then(Value::as_str).unwrap_or("src/lib.rs");
        let is_library = root.join(&folder).join(library).is_file();
        let entry = folder.clone() + if is_library { library } else { "src/main.rs" };
        if root.join(&entry).is_file() {
            crates.push(Crate {
                name: name.to_owned(),
                description: description.unwrap_or_default().to_owned(),
                entry,
                is_published: value(&manifest, &["package", "publish"])
                    .is_none_or(|is| is.as_bool() != Some(false)),
                uses: dependencies(&manifest),
                level: 0,
            });
        }
    }
    rank(&mut crates)?;
    Ok(crates)
}

fn manifest(root: &Path, folder: &str) -> Result<Table> {
    let path = root.join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    text.parse().with_context(|| format!("parsing {}", path.display()))
}

fn value<'a>(table: &'a Table, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(table.get(*first)?, |value, key| value.get(key))
}

/// Returns the names of all dependencies that a user of the crate needs.
fn dependencies(manifest: &Table) -> Vec<String> {
    let platforms = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let tables = platforms.filter_map(|platform| platform.get("dependencies"));
    let tables = tables.chain(manifest.get("dependencies")).filter_map(Value::as_table);
    tables.flat_map(Table::keys).cloned().collect()
}

/// Keeps the dependencies that are crates of the workspace, and orders the crates from the ground up.
fn rank(crates: &mut [Crate]) -> Result<()> {
    let names: Vec<String> = crates.iter().map(|one| one.name.clone()).collect();
    for one in &mut *crates {
        one.uses.retain(|name| names.contains(name));
    }
    // A chain has no more crates than there are, unless it is a circle.
    for _ in 0..crates.len() {
        let levels: BTreeMap<String, usize> =
            crates.iter().map(|one| (one.name.clone(), one.level)).collect();
        for one in &mut *crates {
            one.level =
                one.uses.iter().filter_map(|name| levels.get(name)).map(|level| level + 1).max().unwrap_or(0);
        }
    }
    if crates.iter().any(|one| one.level >= names.len()) {
        bail!("the crates depend on each other in a circle");
    }
    crates.sort_by_key(|one| (one.level, names.iter().position(|name| *name == one.name)));
    Ok(())
}
