//! `aclnn verify` before it meets hardware: drop-in libraries with planted defects, each of which is found and named.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::libraries;
use crate::shell::Shell;

/// The names of what failed, each with the ways in which it did.
fn failures(report: &Value) -> BTreeSet<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let operators = report["operators"].as_array().unwrap().iter().flat_map(|operator| {
        let cells = operator["cells"].as_array().unwrap().iter();
        let failures = cells.flat_map(|cell| cell["failures"].as_array().unwrap());
        failures.map(|failure| (text(&operator["name"]), text(&failure["kind"])))
    });
    let checks = report["behaviour"].as_array().unwrap().iter();
    let failing = checks.filter(|check| !["right", "skipped"].contains(&check["outcome"].as_str().unwrap()));
    operators.chain(failing.map(|check| (text(&check["name"]), text(&check["outcome"])))).collect()
}

fn named(expected: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    expected.iter().map(|(name, kind)| ((*name).to_owned(), (*kind).to_owned())).collect()
}

/// Counts the cases of an operator that ended so.
fn count(report: &Value, operator: &str, how: &str) -> u64 {
    let operators = report["operators"].as_array().unwrap();
    let operator = operators.iter().find(|one| one["name"] == operator).unwrap();
    let cells = operator["cells"].as_array().unwrap().iter();
    cells.map(|cell| cell["counts"][how].as_u64().unwrap()).sum()
}

const DEFECTS: &str = "promotion:aclnnAdd,rounding:aclnnCast,nan:aclnnExp,strides:aclnnSub,past:aclnnNeg,leak:aclnnMul,\
                       code:aclnnMaximum,crash:aclnnDiv,hang:aclnnSqrt,events";

const CASES: [&str; 17] = [
    "Add/f16,f32/contiguous",
    "Cast/f32,bf16/contiguous",
    "Exp/f32,f32/contiguous",
    "Sub/f32,f32/strided",
    "Sub/f32,f32/transposed",
    "Neg/f32,f32/strided",
    "Maximum/f32,c64/contiguous",
    "Div/f32,f32/contiguous",
    "Div/f32,f32/empty",
    "Sqrt/f32,f32/contiguous",
    "Sqrt/f32,f32/empty",
    "Mul/f32,f32/strided",
    "Abs/f32,f32/strided",
    "behaviour/events-order-streams",
    "behaviour/pageable-copies",
    "behaviour/memory-of-Mul",
    "behaviour/memory-of-Abs",
];

#[test]
fn every_planted_defect_is_found_and_named_and_nothing_else() {
    let toolkit = libraries::toolkit().to_str().unwrap();
    let line = format!("aclnn verify --json --timeout 3 --filter {}", CASES.join(" --filter "));
    let right = Shell::new().with("ACLNN_BACKEND", toolkit).run(&line);
    assert_eq!((failures(&right.json()), right.code), (BTreeSet::new(), Some(0)));

    let shell = Shell::new().with("ACLNN_BACKEND", toolkit).with("CANN_STUBS_DEFECT", DEFECTS);
    let wrong = shell.run(&line);
    let (report, code) = (wrong.json(), wrong.code);
    let expected = named(&[
        ("Add", "wrong"),
        ("Cast", "wrong"),
        ("Exp", "wrong"),
        ("Sub", "outside"),
        ("Neg", "outside"),
        ("Maximum", "code"),
        ("Div", "died"),
        ("Sqrt", "hung"),
        ("behaviour/events-order-streams", "wrong"),
        ("behaviour/memory-of-Mul", "wrong"),
    ]);
    assert_eq!((failures(&report), code), (expected, Some(1)));
    // What dies or hangs costs its case, and not the next one, which launches nothing.
    for operator in ["Div", "Sqrt", "Mul", "Abs"] {
        assert_eq!(count(&report, operator, "right"), 1, "{operator}");
    }
}

/// A defect, the cases that are run, and the words of the cause that is named for their operator.
type Planted = (&'static str, &'static str, &'static str);

/// Runs cases with defects, of which each operator has one, and looks whether each is named, and by every failed case that is
/// told.
fn are_named(planted: &[Planted]) {
    let defects: Vec<&str> = planted.iter().map(|(defect, ..)| *defect).collect();
    let filters: Vec<&str> = planted.iter().map(|(_, filter, _)| *filter).collect();
    let line = format!("aclnn verify --json --filter {}", filters.join(" --filter "));
    let right = Shell::new().run(&line);
    assert_eq!((failures(&right.json()), right.code), (BTreeSet::new(), Some(0)));
    let report = Shell::new().with("CANN_STUBS_DEFECT", defects.join(",")).run(&line).json();
    let operators = report["operators"].as_array().unwrap();
    for (defect, filter, cause) in planted {
        let name = defect.split_once(":aclnn").unwrap().1;
        let operator = operators.iter().find(|operator| operator["name"] == name).unwrap();
        let cells = operator["cells"].as_array().unwrap().iter();
        let failures: Vec<&Value> = cells.flat_map(|cell| cell["failures"].as_array().unwrap()).collect();
        assert!(!failures.is_empty(), "{defect} is not found by {filter}");
        for failure in failures {
            let named = failure["cause"].as_str().unwrap_or_default();
            assert!(named.contains(cause), "{defect}: {named:?} of {failure}");
        }
    }
}

#[test]
fn every_broken_rule_of_rounding_is_named() {
    are_named(&[
        ("rounding:aclnnCast", "Cast/f32,f16", "rounding: towards zero"),
        ("ties:aclnnInplaceCopy", "InplaceCopy/f16,f32", "rounding: ties away from zero"),
        ("rounding:aclnnAdd", "Add/f32,f16/contiguous/to-f16", "rounding: towards zero"),
        ("rounding:aclnnSub", "Sub/f32,f16/contiguous/to-f16", "rounding: towards zero"),
        ("rounding:aclnnMul", "Mul/f32,f16/contiguous/to-f16", "rounding: towards zero"),
        ("rounding:aclnnDiv", "Div/f32,f16/contiguous/to-f16", "rounding: towards zero"),
    ]);
    are_named(&[
        ("ties:aclnnCast", "Cast/f32,bf16", "rounding: ties away from zero"),
        ("rounding:aclnnInplaceCopy", "InplaceCopy/f16,f64", "rounding: towards zero"),
        ("promotion:aclnnAdd", "Add/bf16,f32/contiguous", "computed in bf16"),
        ("promotion:aclnnMul", "Mul/f16,f32/contiguous", "computed in f16"),
        ("nan:aclnnExp", "Exp/f32,f32/contiguous", "NaN is lost"),
    ]);
}

/// Each pair of floats of which the second is narrower, in bits.
#[test]
fn every_conversion_of_floats_that_rounds_is_found_when_it_rounds_otherwise() {
    const BITS: [(&str, u32); 4] = [("f64", 64), ("f32", 32), ("f16", 16), ("bf16", 16)];
    for (defect, cause) in [("rounding", "rounding: towards zero"), ("ties", "rounding: ties away from zero")]
    {
        let planted = format!("{defect}:aclnnCast");
        let report =
            Shell::new().with("CANN_STUBS_DEFECT", planted).run("aclnn verify --json --filter Cast").json();
        for (from, bits) in BITS {
            for (to, _) in BITS.iter().filter(|(_, less)| *less < bits) {
                let cells = report["operators"][0]["cells"].as_array().unwrap();
                let types = Value::from(vec![from, *to]);
                let cell = cells.iter().find(|cell| cell["types"] == types).unwrap();
                let failures = cell["failures"].as_array().unwrap();
                assert!(!failures.is_empty(), "{defect} of {from} to {to}");
                for failure in failures {
                    assert!(failure["cause"].as_str().unwrap_or_default().contains(cause), "{failure}");
                    let first = &failure["first"];
                    assert_ne!(
                        first["found"], first["expected"],
                        "the first wrong finite element is told: {failure}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_broken_rule_of_saturation_and_clamping_is_named() {
    are_named(&[
        ("saturate:aclnnCast", "Cast/f32,f16", "saturation: the greatest finite number"),
        ("wrap:aclnnInplaceCopy", "InplaceCopy/i32,f32", "no saturation: other bits"),
        ("clamp:aclnnClamp", "Clamp/f32,f32", "wrong bound of a clamp"),
        ("unclamped:aclnnHardtanh", "Hardtanh/f32,f32", "no clamping"),
        ("unclamped:aclnnClampMin", "ClampMin/f32,f32", "no clamping"),
        ("unclamped:aclnnClampMax", "ClampMax/f32,f32", "no clamping"),
        ("unclamped:aclnnClampTensor", "ClampTensor/f32,f32,f32/contiguous", "no clamping"),
        ("unclamped:aclnnRelu", "Relu/f32,f32", "no clamping"),
    ]);
    are_named(&[("saturate:aclnnCast", "Cast/i32,i8", "saturation: a limit of the type")]);
}

#[test]
fn every_broken_rule_of_order_axes_and_indices_is_named() {
    are_named(&[
        ("swap:aclnnSub", "Sub/f32,f32/contiguous", "order of operands"),
        ("swap:aclnnDiv", "Div/f32,f32/contiguous", "order of operands"),
        ("axis:aclnnCumsum", "Cumsum/f32,f32/contiguous", "wrong axis"),
        ("axis:aclnnSoftmax", "Softmax/f32,f32/contiguous", "wrong axis"),
        ("axis:aclnnCummax", "Cummax/f32,f32/contiguous", "wrong axis"),
        ("index:aclnnNeg", "Neg/f32,f32/contiguous", "index off by one"),
        ("index:aclnnGather", "Gather/f32,i64/contiguous", "index off by one"),
        ("index:aclnnIndexSelect", "IndexSelect/f32,i64/contiguous", "index off by one"),
        ("index:aclnnPermute", "Permute/f32/contiguous", "index off by one"),
        ("index:aclnnFlip", "Flip/f32/contiguous", "index off by one"),
        ("stale:aclnnAbs", "Abs/f32,f32/contiguous", "stale memory"),
        ("stale:aclnnInplaceAdd", "InplaceAdd/f32,f32/in-place", "stale memory"),
    ]);
}

#[test]
fn an_operator_that_libraries_lack_is_named() {
    let shell = Shell::new();
    let toolkit = shell.path("lacking");
    let mut make = Command::new(env!("CARGO"));
    make.args(["run", "--quiet", "--package", "xtask", "--", "toolkit", "--debug", "--without", "aclnnMul"]);
    make.arg("--out").arg(&toolkit).current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(make.output().unwrap().status.success(), "the drop-in libraries were not built");
    let shell = shell.with("ACLNN_BACKEND", toolkit.to_str().unwrap());
    let report = shell.run("aclnn verify --json --filter Mul/f32,f32 --filter Abs/f32,f32").json();
    assert_eq!(failures(&report), named(&[("Mul", "missing")]));
}

/// Hides numbers that depend on the time that work takes.
fn without_times(line: &str) -> String {
    match line.split_once("milliseconds count as ") {
        Some((start, rest)) => {
            format!("{start}milliseconds count as N{}", rest.trim_start_matches(char::is_numeric))
        }
        None => line.to_owned(),
    }
}

#[test]
fn what_libraries_promise_is_checked_by_name() {
    let shell = Shell::new().with("CANN_STUBS_DEVICES", "2");
    let printed = shell.run("aclnn verify --filter behaviour/").is("verify/checks");
    assert_eq!(printed.code, Some(0));
    let wrong = shell.with("CANN_STUBS_DEFECT", "leak:aclnnMul,events");
    let printed = wrong.run("aclnn verify --filter behaviour/memory-of-Mul --filter behaviour/events-order");
    assert_eq!(printed.is("verify/leak").code, Some(1));
}

#[test]
fn questions_are_answered_and_written_to_a_file() {
    let shell = Shell::new().with("CANN_STUBS_DEVICES", "2");
    let line = "aclnn verify --probes --filter probe/alignment --filter probe/unit-of-timestamps --filter probe/shape --out report";
    let printed = shell.run(line).changing(without_times).is("verify/probes");
    assert_eq!(printed.code, Some(0));
    let file = std::fs::read_to_string(shell.path("report/probes.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(file["probes"].as_array().unwrap().len(), 3);
    assert!(file["environment"]["backend"].as_str().unwrap().contains("emulator"));

    // The emulator does what is assumed, as it was made by the assumptions.
    let all = shell.run("aclnn verify --probes --json");
    assert_eq!(all.code, Some(0));
    let all = all.json();
    let others: Vec<&Value> =
        all["probes"].as_array().unwrap().iter().filter(|probe| probe["outcome"] != "right").collect();
    assert!(others.is_empty(), "{others:?}");
}

/// A question that ends its process is answered by that, and the others are asked all the same.
#[test]
fn a_question_that_ends_its_process_is_answered_and_fails_nothing() {
    let shell = Shell::new().with("CANN_STUBS_DEFECT", "crash:aclnnNeg,hang:aclnnClamp");
    let line = "aclnn verify --probes --json --timeout 2 --filter probe/nan-in --filter probe/repeatable --filter probe/add";
    let printed = shell.run(line);
    assert_eq!(printed.code, Some(0));
    let report = printed.json();
    let outcome = |name: &str| {
        let probes = report["probes"].as_array().unwrap();
        probes.iter().find(|probe| probe["name"] == name).unwrap()["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!(outcome("probe/addresses-of-ordinary-executors"), "died");
    assert_eq!(outcome("probe/repeatable-executor-destroyed-while-queued"), "died");
    assert_eq!(outcome("probe/nan-in-clamp"), "hung");
    assert_eq!(outcome("probe/nan-in-relu"), "right");
}
