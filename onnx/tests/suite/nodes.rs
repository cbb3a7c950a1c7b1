//! A part of the node tests of ONNX: for each operator, version of the operator and class of types the smallest ones. The
//! package onnx computed what is expected.

use std::thread;

use aclnn_onnx::cases::Outcome;

use crate::support::{NODES, device, unpacked};

/// Cases of which it is known why they do not pass: the start of their names, and what is missing.
const KNOWN: &[(&str, &str)] = &[];

#[test]
fn the_cases_of_operators_pass() {
    let (_folder, cases) = unpacked(NODES, |_| true);
    assert_eq!(cases.len(), 720);
    let outcomes = thread::scope(|scope| {
        // Two threads, as the cases are independent.
        let parts = cases.chunks(cases.len().div_ceil(2)).map(|part| {
            scope.spawn(|| {
                let device = device();
                part.iter().map(|case| (case.name(), case.run(&device))).collect::<Vec<_>>()
            })
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect::<Vec<(String, Outcome)>>()
    });
    let is_known = |name: &str| KNOWN.iter().any(|(start, _)| name.starts_with(start));
    let failed = outcomes.iter().filter(|(name, outcome)| !outcome.is_passed() && !is_known(name));
    let failed: Vec<String> = failed.map(|(name, outcome)| format!("{name}: {outcome}")).collect();
    assert!(failed.is_empty(), "{} of {} cases:\n{}", failed.len(), outcomes.len(), failed.join("\n"));
    let passed = outcomes.iter().filter(|(name, outcome)| outcome.is_passed() && is_known(name));
    let passed: Vec<&str> = passed.map(|(name, _)| name.as_str()).collect();
    assert!(passed.is_empty(), "these pass, and are no longer known to fail: {}", passed.join(", "));
}
