//! `cargo xtask set-repository`: writes the address of the repository into the manifests.
//!
//! Every published package takes it from `[workspace.package]`, so one line changes.

use anyhow::{Context, Result, bail};
use std::{fs, path::Path};

/// Writes the address into the manifest in `root`, and prints what it changed.
pub(crate) fn run(root: &Path, url: &str) -> Result<()> {
    check(url)?;
    let path = root.join("Cargo.toml");
    let manifest = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let (old, written) = set(&manifest, url).with_context(|| {
        format!("{} has no line `repository = \"…\"` in [workspace.package]", path.display())
    })?;
    if old == url {
        println!("Cargo.toml has {url} already");
        return Ok(());
    }
    fs::write(&path, written).with_context(|| format!("writing {}", path.display()))?;
    println!("Cargo.toml: {old} became {url}");
    Ok(())
}

/// Fails for an address that a registry would not take, or that browsers could not open.
fn check(url: &str) -> Result<()> {
    let Some(rest) = url.strip_prefix("https://") else {
        bail!("\"{url}\" does not begin with https://");
    };
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-._~%:/".contains(letter);
    if let Some(letter) = rest.chars().find(|letter| !is_allowed(*letter)) {
        bail!(
            "\"{url}\" contains {letter:?}: give the address alone, without spaces, quotes, user names and queries"
        );
    }
    match rest.split_once('/') {
        Some((host, path)) if !host.is_empty() && !path.is_empty() && !path.ends_with('/') => Ok(()),
        _ => bail!("\"{url}\" is no repository: give https://HOST/PATH, without a slash at the end"),
    }
}

/// Returns the address in a manifest, and the manifest with another one.
fn set(manifest: &str, url: &str) -> Option<(String, String)> {
    let section = manifest.find("\n[workspace.package]\n")? + 1;
    let end = manifest[section..].find("\n[").map_or(manifest.len(), |length| section + length);
    let key = "\nrepository = \"";
    let start = section + manifest[section..end].find(key)? + key.len();
    let length = manifest[start..end].find('"')?;
    let (before, after) = (&manifest[..start], &manifest[start + length..]);
    Some((manifest[start..start + length].to_owned(), format!("{before}{url}{after}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(path: &Path) -> toml::Table {
        fs::read_to_string(path).unwrap().parse().unwrap()
    }

    /// The parser of TOML tells what the manifest holds.
    #[test]
    fn the_address_is_replaced_again_and_again_and_nothing_else() {
        let temporary = tempfile::tempdir().unwrap();
        let manifest = temporary.path().join("Cargo.toml");
        fs::copy(crate::workspace::root().join("Cargo.toml"), &manifest).unwrap();
        let mut expected = parsed(&manifest);
        for url in
            ["https://example.org/first/aclnn", "https://example.org/second/aclnn.git", "https://a.b:8443/c"]
        {
            for _ in 0..2 {
                run(temporary.path(), url).unwrap();
                expected["workspace"]["package"]["repository"] = url.into();
                assert_eq!(parsed(&manifest), expected);
            }
        }
    }

    #[test]
    fn what_is_no_address_changes_nothing() {
        let temporary = tempfile::tempdir().unwrap();
        let manifest = temporary.path().join("Cargo.toml");
        fs::copy(crate::workspace::root().join("Cargo.toml"), &manifest).unwrap();
        let before = parsed(&manifest);
        for (url, reason) in [
            ("", "https://"),
            ("example.org/aclnn", "https://"),
            ("http://example.org/aclnn", "https://"),
            ("git@example.org:aclnn.git", "https://"),
            (" https://example.org/aclnn", "https://"),
            ("https://example.org/aclnn ", "' '"),
            ("https://example.org/aclnn\n", "'\\n'"),
            ("https://example.org/\"aclnn", "'\"'"),
            ("https://user@example.org/aclnn", "'@'"),
            ("https://example.org/aclnn?tab=readme", "'?'"),
            ("https://example.org", "HOST/PATH"),
            ("https://example.org/aclnn/", "slash"),
            ("https:///aclnn", "HOST/PATH"),
        ] {
            let error = run(temporary.path(), url).unwrap_err().to_string();
            assert!(error.contains(reason), "{url:?}: {error}");
        }
        assert_eq!(parsed(&manifest), before);
    }

    /// Another table may have a key of the same name.
    #[test]
    fn only_the_table_of_the_workspace_counts() {
        let url = "https://example.org/aclnn";
        assert_eq!(
            set("\n[workspace.package]\nversion = \"1\"\n\n[package]\nrepository = \"x\"\n", url),
            None
        );
        let (old, written) =
            set("[package]\nrepository = \"x\"\n\n[workspace.package]\nrepository = \"y\"\n", url).unwrap();
        assert_eq!(old, "y");
        let table: toml::Table = written.parse().unwrap();
        assert_eq!(table["package"]["repository"].as_str(), Some("x"));
        assert_eq!(table["workspace"]["package"]["repository"].as_str(), Some(url));
    }
}
