//! The C headers compile, each alone, in both languages and from each directory that programs put on their path.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use support::{LANGUAGES, headers, include, succeed};

fn compiles(header: &str, directories: &[&str]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        &file,
        format!("#include \"{header}\"\nint used(void);\nint used(void) {{ return 0; }}\n"),
    )
    .unwrap();
    for language in LANGUAGES {
        let mut command = language.compiler();
        command
            .args(directories.iter().map(|directory| format!("-I{}", include().join(directory).display())));
        succeed(command.arg("-fsyntax-only").arg(file.path()));
    }
}

#[test]
fn each_header_compiles_alone() {
    let headers = headers();
    assert!(headers.len() > 30, "{headers:?}");
    headers.iter().for_each(|header| compiles(header, &["."]));
}

#[test]
fn each_header_compiles_from_its_own_directory() {
    for header in headers() {
        let (directory, name) = header.rsplit_once('/').unwrap();
        compiles(name, &[".", directory]);
    }
}

/// A code is a case label in both languages, and qualifies with `::` in C++.
#[test]
fn codes_are_case_labels() {
    let source = r#"
        #include "acl/acl.h"
        #include "aclnn/opdev/op_errno.h"
        int main(void) {
            aclError code = 0;
            switch (code) {
                case ACL_ERROR_INVALID_PARAM: return 1;
                case ACL_ERROR_RT_CONTEXT_NULL: return 2;
                case ACL_ERROR_GE_SHAPE_INVALID: return 3;
                case ACLNN_ERR_PARAM_NULLPTR: return 4;
            }
        #ifdef __cplusplus
            aclError other = code == 0 ? ::ACL_SUCCESS : code;
            return other;
        #else
            return code;
        #endif
        }
    "#;
    for language in LANGUAGES {
        support::run(language, source);
    }
}
