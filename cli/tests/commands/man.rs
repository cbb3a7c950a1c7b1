//! `aclnn man`.

use crate::shell::Shell;
use std::fs;

#[test]
fn every_command_has_a_manual_page() {
    let shell = Shell::new();
    let printed = shell.run("aclnn man --out man").is("man/pages");
    for path in printed.out.lines() {
        let page = fs::read_to_string(shell.path(path)).unwrap();
        assert!(page.contains(".TH aclnn") && page.contains(".SH SYNOPSIS"), "{path}: {page}");
    }
    let page = shell.run("aclnn man");
    assert_eq!(page.out, fs::read_to_string(shell.path("man/aclnn.1")).unwrap());
}
