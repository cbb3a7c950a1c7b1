//! Each call of CANN that a session makes fails once, in turn: the session tells it or computes the right result, nothing
//! crashes, nothing leaks, and the same session works afterwards, or a new one on the same device.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use aclnn_onnx::Device;
use cann_stubs::Support;
use cann_stubs::control::{self, Leaks, When};

use crate::child::{self, this_test};
use crate::support::{Example, NODES};

/// Any failure of a call, and one of a kernel.
const CODES: [(&str, i32); 2] = [("", 507_899), ("run:", 507_015)];

/// Returns the models: a convolution, attention, one with most operators, and one whose shapes depend on elements.
fn examples() -> Vec<Example> {
    let models = ["conv_with_bias_and_norm", "attention_with_its_weights", "decoder_dynamo"].map(Example::of);
    models.into_iter().chain(Example::all(NODES, |name| name == "test_nonzero_example")).collect()
}

/// Calls that release something, and one without which nobody knows that work has ended. What they do not release stays.
const RELEASES: [&str; 6] = [
    "aclrtFree",
    "aclrtDestroy",
    "aclDestroy",
    "aclrtResetDevice",
    "aclrtSetCurrentContext",
    "aclrtSynchronizeDevice",
];

/// Makes a session, runs it twice, and gives everything back. Returns what differs.
fn whole(example: &Example) -> aclnn_onnx::Result<Option<String>> {
    let run = || -> aclnn_onnx::Result<Option<String>> {
        let device = Device::open(0)?;
        let session = example.model.session(&device)?;
        for _ in 0..2 {
            if let Some(wrong) = example.try_set(&session, 0)? {
                return Ok(Some(wrong));
            }
        }
        Ok(None)
    };
    let wrong = run();
    // It tells a failure of the last drops.
    let ended = Device::open(0).and_then(|device| Ok(device.close()?));
    let wrong = wrong?;
    ended?;
    Ok(wrong)
}

/// Returns what lives in the emulator.
fn live() -> BTreeSet<(&'static str, usize)> {
    control::live().into_iter().map(|one| (one.kind, one.handle)).collect()
}

/// Returns how often a session calls each function, and how often one queues work, under the name of a fault.
fn calls(example: &Example) -> Vec<(String, i32, u64)> {
    let names = cann_stubs::entry_points().filter(|entry| !matches!(entry.support(), Support::Refuses(_)));
    let faults =
        names.flat_map(|entry| CODES.map(|(start, code)| (format!("{start}{}", entry.name()), code)));
    let counters: Vec<_> =
        faults.map(|(name, code)| (control::fail(&name, When::Nth(u64::MAX), code), name, code)).collect();
    assert_eq!(whole(example).unwrap(), None);
    let made = counters.into_iter().map(|(counter, name, code)| (name, code, counter.calls()));
    made.filter(|(.., calls)| *calls > 0).collect()
}

fn sweep(mode: &str, test: &str) {
    child::with(test, &[("CANN_STUBS_STREAMS", mode)], || {
        // What one run leaves in the cache would change the calls that the next one makes.
        let _cache = control::executor_cache(0);
        let _leaks = control::leaks_everywhere(Leaks::Off);
        let (mut wrong, mut injected, mut told) = (Vec::new(), 0, 0);
        for example in examples() {
            let name = &example.name;
            for (function, code, calls) in calls(&example) {
                // Those at the ends, and some between.
                let step = (calls / 3).max(1);
                let struck = (1..=calls).filter(|call| *call <= 2 || *call == calls || call % step == 0);
                for (number, call) in struck.enumerate() {
                    let before = live();
                    let fault = control::fail(&function, When::Nth(call), code);
                    let result = catch_unwind(AssertUnwindSafe(|| whole(&example)));
                    let count = fault.struck();
                    drop(fault);
                    injected += 1;
                    let mut add = |reason: String| wrong.push(format!("{name}, {function} {call}: {reason}"));
                    // A process begins once.
                    if count != 1 && function != "aclInit" {
                        add(format!("the fault struck {count} times"));
                    }
                    match result {
                        Err(_) => add("it panicked".to_owned()),
                        Ok(Ok(Some(differs))) => add(differs),
                        Ok(Ok(None)) => {}
                        Ok(Err(error)) if error.to_string().is_empty() => {
                            add("the error is empty".to_owned())
                        }
                        Ok(Err(_)) => told += 1,
                    }
                    // What follows from a failure may be told in turn, but comes to an end.
                    _ = Device::open(0).map(Device::close);
                    // After some: up to its own failure, the next run shows most of what this one has broken.
                    if number % 3 == 2 || call == calls {
                        match whole(&example) {
                            Ok(None) => {}
                            other => add(format!("afterwards: {other:?}")),
                        }
                    }
                    let left: Vec<_> = live().difference(&before).copied().collect();
                    if !left.is_empty() && !RELEASES.iter().any(|start| function.starts_with(start)) {
                        add(format!("left: {left:?}"));
                    }
                }
            }
        }
        println!("{injected} faults, {told} of them told");
        assert!(wrong.is_empty(), "{} of {injected} faults:\n{}", wrong.len(), wrong.join("\n"));
        assert!(injected > 100 && told * 2 > injected, "{told} of {injected} told");
    });
}

#[test]
fn calls_fail_as_work_is_queued() {
    sweep("inline", this_test!());
}

#[test]
fn calls_fail_with_lazy_streams() {
    sweep("lazy", this_test!());
}

#[test]
fn calls_fail_with_deferred_work() {
    sweep("deferred", this_test!());
}
