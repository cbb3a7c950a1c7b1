//! Sessions in every mode of the streams, with operators that are waited for, and on every product: the same results.

use aclnn_onnx::cases::{Outcome, Tolerance};

use crate::child::{self, this_test};
use crate::support::{Example, MODELS, NODES, device, unpacked};

/// Runs every model in this process.
fn all_models(tolerance: Option<Tolerance>) {
    let device = device();
    let mut wrong = Vec::new();
    for mut example in Example::all(MODELS, |_| true) {
        example.tolerance = tolerance.unwrap_or(example.tolerance);
        wrong.extend(match example.model.session(&device) {
            Ok(session) => example.failure(&session),
            Err(error) => Some(error.to_string()),
        });
    }
    assert!(wrong.is_empty(), "{} models:\n{}", wrong.len(), wrong.join("\n"));
    device.close().unwrap();
}

/// Makes a test for each setting.
macro_rules! settings {
    ($($test:ident: $($name:literal = $value:literal)+, $tolerance:expr;)*) => {
        $(
            #[test]
            fn $test() {
                child::with(this_test!(), &[$(($name, $value)),+], || all_models($tolerance));
            }
        )*
    };
}

/// Of products that multiply f16 alone.
const HALF: Tolerance = Tolerance { relative: 0.01, absolute: 0.01 };

settings! {
    lazy_streams: "CANN_STUBS_STREAMS" = "lazy" "CANN_STUBS_CHECK" = "abort", None;
    deferred_streams: "CANN_STUBS_STREAMS" = "deferred" "CANN_STUBS_CHECK" = "abort", None;
    streams_with_workers: "CANN_STUBS_STREAMS" = "worker" "CANN_STUBS_CHECK" = "abort", None;
    inline_streams: "CANN_STUBS_STREAMS" = "inline" "CANN_STUBS_CHECK" = "abort", None;
    operators_that_are_waited_for: "ACLNN_SYNC" = "1", None;
    executors_that_are_not_kept: "ACLNN_REUSE" = "0", None;
    on_a_910b: "CANN_STUBS_SOC" = "Ascend910B1", None;
    on_a_910: "CANN_STUBS_SOC" = "Ascend910A", Some(HALF);
    on_a_310p: "CANN_STUBS_SOC" = "Ascend310P3", Some(HALF);
    on_a_950: "CANN_STUBS_SOC" = "Ascend950PR", None;
}

/// Runs the cases of operators in this process: each passes, or its types are not those of the device.
fn all_nodes(tolerance: Option<Tolerance>) {
    let device = device();
    let (_folder, cases) = unpacked(NODES, |_| true);
    let (count, mut passed, mut wrong) = (cases.len(), 0, Vec::new());
    for case in cases {
        let tolerance = tolerance.unwrap_or(case.tolerance());
        let case = case.with_tolerance(tolerance);
        match case.run(&device) {
            Outcome::Passed { .. } => passed += 1,
            Outcome::NotSupported { .. } => {}
            other => wrong.push(format!("{}: {other}", case.name())),
        }
    }
    assert!(wrong.is_empty(), "{passed} of {count} passed; {}:\n{}", wrong.len(), wrong.join("\n"));
    println!("{passed} of {count} passed");
    assert!(passed * 20 > count * 19, "only {passed} of {count} passed");
}

/// Makes a test for each product.
macro_rules! products {
    ($($test:ident: $name:literal, $tolerance:expr;)*) => {
        $(
            #[test]
            fn $test() {
                child::with(this_test!(), &[("CANN_STUBS_SOC", $name)], || all_nodes($tolerance));
            }
        )*
    };
}

products! {
    operators_on_a_910: "Ascend910A", Some(HALF);
    operators_on_a_310p: "Ascend310P3", Some(HALF);
    operators_on_a_950: "Ascend950PR", None;
}
