//! The C headers compile, each alone, in both languages and from each directory that programs put on their path.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::published;
use crate::support::{self, LANGUAGES, headers, include, succeed};
use aclnn_sys::{Collectives, Meta, Runtime, operators};
use std::collections::BTreeSet;

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

/// Returns whether a header was written from the table of operators, by one pattern for all.
fn is_generated(header: &str) -> bool {
    header.starts_with("aclnnop/") && header != "aclnnop/aclnn_util.h"
}

/// Those written by hand, and some of the others: they follow one pattern, and the next test compiles them all.
fn headers_that_stand_for_all() -> impl Iterator<Item = String> {
    let some = ["aclnn_add.h", "aclnn_ones.h", "aclnn_trans_matmul_weight.h", "level2/aclnn_add.h"];
    headers().into_iter().filter(move |header| {
        !is_generated(header) || some.iter().any(|name| header.ends_with(&format!("aclnnop/{name}")))
    })
}

#[test]
fn each_header_compiles_alone() {
    let headers: Vec<String> = headers_that_stand_for_all().collect();
    assert!(headers.len() > 25, "{headers:?}");
    headers.iter().for_each(|header| compiles(header, &["."]));
}

#[test]
fn each_header_compiles_from_its_own_directory() {
    for header in headers_that_stand_for_all() {
        let (directory, name) = header.rsplit_once('/').unwrap_or((".", &header));
        compiles(name, &[".", directory]);
    }
}

/// Generated headers include what they need, so that each compiles alone if all compile together.
#[test]
fn a_program_that_includes_every_header_compiles() {
    let headers = headers();
    let generated = headers.iter().filter(|header| is_generated(header));
    let mut declaring = 0;
    for header in generated {
        let text = std::fs::read_to_string(include().join(header)).unwrap();
        let forwards = text.lines().count() == 1 && header.starts_with("aclnnop/level2/");
        let aggregates = header.starts_with("aclnnop/aclnn_ops_");
        let begins =
            text.contains("#include \"aclnn/aclnn_base.h\"\n#include \"aclnn_util.h\"\n\n#ifdef __cplusplus");
        assert!(forwards || aggregates || begins, "{header}");
        declaring += usize::from(begins);
    }
    assert!(declaring > 950, "{declaring}");

    let source: String = headers.iter().map(|header| format!("#include \"{header}\"\n")).collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, source + "int used(void);\nint used(void) { return 0; }\n").unwrap();
    for language in LANGUAGES {
        succeed(language.compiler().arg("-I").arg(include()).arg("-fsyntax-only").arg(file.path()));
    }
}

#[test]
fn what_programs_include_is_there() {
    let included = include_str!("../data/includes.txt").lines().filter(|line| !line.starts_with('#'));
    let missing: Vec<&str> = included.filter(|header| !include().join(header).is_file()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Where CANN declares what, by the corrections to its published headers: an include of ours finds it there too.
#[test]
fn declarations_are_in_the_headers_of_cann() {
    for (header, names) in [
        (
            "acl/acl.h",
            &["aclInit", "aclFinalize", "aclmdlInitDump", "aclmdlSetDump", "aclmdlFinalizeDump"][..],
        ),
        (
            "acl/acl_rt.h",
            &["aclInit", "aclGetRecentErrMsg", "aclrtGetVersion", "aclsysGetCANNVersion", "aclmdlInitDump"],
        ),
        ("acl/acl_dump.h", &["aclopStartDumpArgs", "aclopStopDumpArgs"]),
        ("acl/acl_rt_allocator.h", &["aclrtAllocatorRegister"]),
        ("acl/acl_rt_memory_soma.h", &["aclrtMemPoolCreate"]),
        ("aclnn/acl_meta.h", &["aclCreateTensor", "aclSetAclOpExecutorRepeatable"]),
        ("aclnn/aclnn_base.h", &["aclnnInit", "aclnnFinalize", "aclCreateTensor"]),
        ("aclnnop/aclnn_ones.h", &["aclnnInplaceOne", "aclnnInplaceOneGetWorkspaceSize"]),
        (
            "aclnnop/aclnn_div.h",
            &["aclnnDiv", "aclnnDivMod", "aclnnDivMods", "aclnnInplaceDivMod", "aclnnInplaceDivMods"],
        ),
        ("aclnnop/aclnn_rms_norm.h", &["aclnnRmsNorm"]),
        ("aclnnop/aclnn_swi_glu.h", &["aclnnSwiGlu"]),
        // Of this one nothing is known but the launch, which is the same for all.
        ("aclnnop/aclnn_recurrent_gated_delta_rule.h", &["aclnnRecurrentGatedDeltaRule"]),
        ("aclnnop/aclnn_ops_math.h", &["aclnnAdd", "aclnnAbs", "aclnnInplaceOne"]),
        ("aclnnop/level2/aclnn_add.h", &["aclnnAdd"]),
    ] {
        // An undeclared name is an error in both languages.
        let uses: String = names.iter().map(|name| format!("    (void)&{name};\n")).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(
            &file,
            format!("#include \"{header}\"\nvoid used(void);\nvoid used(void) {{\n{uses}}}\n"),
        )
        .unwrap();
        for language in LANGUAGES {
            succeed(language.compiler().arg("-I").arg(include()).arg("-fsyntax-only").arg(file.path()));
        }
    }
}

/// C refuses a second declaration of another type, so declaring every function again compares all of them. Those that
/// later releases publish are compared in `published.rs`.
#[test]
fn functions_have_the_prototypes_of_the_facts() {
    let facts: Vec<&str> =
        include_str!("../data/functions.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let named: BTreeSet<&str> = facts
        .iter()
        .map(|prototype| prototype.split('(').next().unwrap().split(' ').next_back().unwrap())
        .chain(published::functions().map(|function| function.name).filter(|name| !name.starts_with("aclnn")))
        .collect();
    let bound: BTreeSet<&str> =
        Runtime::SYMBOLS.iter().chain(Meta::SYMBOLS).chain(Collectives::SYMBOLS).copied().collect();
    assert_eq!(named, bound);

    let headers = headers().into_iter().filter(|header| !is_generated(header));
    let includes: String = headers.map(|header| format!("#include \"{header}\"\n")).collect();
    let again: String = facts.iter().map(|prototype| format!("{prototype};\n")).collect();
    support::run(support::Language::C99, &format!("{includes}{again}int main(void) {{ return 0; }}\n"));
}

/// Each operator is declared by its header in the table of all operators, and nowhere else.
#[test]
fn operators_are_declared_where_the_table_says() {
    let mut declared = BTreeSet::new();
    for header in headers().iter().filter(|header| is_generated(header)) {
        let text = std::fs::read_to_string(include().join(header)).unwrap();
        let functions = text.split("aclnnStatus aclnn").skip(1).map(|rest| rest.split('(').next().unwrap());
        let name = header.strip_prefix("aclnnop/").unwrap().to_owned();
        for function in functions {
            assert!(declared.insert((function.to_owned(), name.clone())), "{function} twice in {header}");
        }
    }
    let table: BTreeSet<(String, String)> = operators::published()
        .filter_map(|operator| Some((operator, operator.header?.to_owned())))
        .flat_map(|(operator, header)| {
            // Without known parameters only the launch is declared, which is the same for all.
            let is_known = operator.parameters().is_some();
            let has_plan = operator.is_pair && is_known;
            let plan = has_plan.then(|| (format!("{}GetWorkspaceSize", operator.name), header.clone()));
            let itself = (operator.is_pair || is_known).then(|| (operator.name.to_owned(), header));
            plan.into_iter().chain(itself)
        })
        .collect();
    assert_eq!(declared, table);
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

/// The compiler converts to and from binary16 itself; the numbers of f4_e2m1 are written out.
#[test]
fn element_types_of_cpp_convert_as_their_formats_say() {
    let source = r#"
        #include "aclnn/opdev/float4_e2m1.h"
        #include "aclnn/opdev/fp16_t.h"
        #include <cmath>
        #include <cstdio>
        #include <cstring>

        int main() {
            for (uint32_t bits = 0; bits < 0x10000; ++bits) {
                op::fp16_t number;
                number.val = static_cast<uint16_t>(bits);
                __extension__ _Float16 same;
                std::memcpy(&same, &number.val, sizeof same);
                const float wide = static_cast<float>(same);
                const float ours = number;
                if (!(ours == wide || (std::isnan(ours) && std::isnan(wide)))) {
                    std::printf("%04x is %a, not %a\n", bits, static_cast<double>(wide), static_cast<double>(ours));
                }
            }
            // Every exponent, and fractions at and beside every tie.
            for (uint64_t bits = 0; bits < 0x100000000; bits += 0xfff + bits % 3) {
                const uint32_t narrow = static_cast<uint32_t>(bits);
                float number;
                std::memcpy(&number, &narrow, sizeof number);
                const op::fp16_t ours(number);
                __extension__ const _Float16 same = static_cast<_Float16>(number);
                uint16_t expected;
                std::memcpy(&expected, &same, sizeof expected);
                if (!std::isnan(number) && ours.val != expected) {
                    std::printf("%a becomes %04x, not %04x\n", static_cast<double>(number), expected, ours.val);
                }
            }
            const float numbers[] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
            for (unsigned bits = 0; bits < 16; ++bits) {
                const float number = bits < 8 ? numbers[bits] : -numbers[bits - 8];
                op::Float4E2M1 ours(number);
                if (ours.value != bits || static_cast<float>(ours) != number) {
                    std::printf("%x\n", bits);
                }
            }
            const float ties[][2] = {{0.25f, 0.0f}, {0.75f, 1.0f}, {1.25f, 1.0f}, {1.75f, 2.0f}, {2.5f, 2.0f},
                                     {3.5f, 4.0f}, {5.0f, 4.0f}, {5.1f, 6.0f}, {1e9f, 6.0f}, {-2.6f, -3.0f}};
            for (const float *tie : ties) {
                if (static_cast<float>(op::Float4E2M1(tie[0])) != tie[1]) {
                    std::printf("%g\n", static_cast<double>(tie[0]));
                }
            }
            return 0;
        }
    "#;
    assert_eq!(support::run(support::Language::Cpp17, source), "");
}
