//! Memory of the device: what the plan says is enough, and nothing is left of a session.

use aclnn_onnx::Device;

use crate::child::{self, this_test};
use crate::support::{Example, MODELS, device};

fn in_use(device: &Device) -> usize {
    device.memory_statistics().live
}

/// With every model that PyTorch exported, and with work that runs late.
#[test]
fn later_runs_take_no_more_than_the_plan_says() {
    child::with(this_test!(), &[("CANN_STUBS_STREAMS", "deferred")], || {
        let device = device();
        for example in Example::all(MODELS, |name| name.ends_with("_script") || name.ends_with("_dynamo")) {
            let session = example.model.session(&device).unwrap();
            for set in 0..example.sets.len() {
                let inputs = example.inputs(set, &device).unwrap();
                session.run(inputs.iter().cloned()).unwrap();
                device.synchronize().unwrap();
                let plan = session.plan().unwrap();
                for _ in 0..3 {
                    let inputs = inputs.iter().cloned();
                    let (outputs, bytes) = device.memory_peak_of(|| session.run(inputs).unwrap());
                    assert_eq!(example.wrong(set, &outputs).unwrap(), None);
                    assert!(bytes > 0 && bytes <= plan.peak_bytes(), "{}: {bytes}, {plan}", example.name);
                }
            }
        }
    });
}

#[test]
fn a_session_that_goes_leaves_nothing() {
    child::with(this_test!(), &[("CANN_STUBS_CHECK", "abort")], || {
        let device = device();
        let before = in_use(&device);
        for example in Example::all(MODELS, |_| true) {
            let session = example.model.session(&device).unwrap();
            assert_eq!(example.failure(&session), None);
            assert_eq!(example.failure(&session), None);
            device.synchronize().unwrap();
            drop(session);
            drop(example);
            device.synchronize().unwrap();
            assert_eq!(in_use(&device), before);
        }
        device.close().unwrap();
    });
}

/// The weights stay, and what is settled; everything else of a run goes.
#[test]
fn runs_add_up_to_nothing() {
    child::with(this_test!(), &[], || {
        let device = device();
        let example = Example::of("decoder_script");
        let session = example.model.session(&device).unwrap();
        assert_eq!(example.failure(&session), None);
        device.synchronize().unwrap();
        let after_one = in_use(&device);
        for _ in 0..20 {
            assert_eq!(example.failure(&session), None);
        }
        device.synchronize().unwrap();
        assert_eq!(in_use(&device), after_one);
    });
}
