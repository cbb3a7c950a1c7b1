//! Memory of the device: what the plan says is enough, and nothing is left of a session.

use aclnn_onnx::{Array, Device, Model, Tensor, Value};

use crate::child::{self, this_test};
use crate::support::format::*;
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

#[test]
fn a_weight_that_several_graphs_use_is_on_the_device_once() {
    child::with(this_test!(), &[], || {
        const COUNT: usize = 1 << 18;
        let branch = |name, operator| {
            let graph = [node(operator, &["x", "w"], &["sum"], Vec::new()), open_port(12, "sum", F32, 1)];
            attribute(name, 5, bytes(6, graph.concat()))
        };
        let branches = [branch("then_branch", "Add"), branch("else_branch", "Sub")].concat();
        let graph = [
            node("If", &["is_sum"], &["y"], branches),
            floats("w", &[COUNT as i64], &[0.5; COUNT]),
            port(11, "is_sum", 9, &[]),
            open_port(11, "x", F32, 1),
            open_port(12, "y", F32, 1),
        ];
        let device = device();
        let before = in_use(&device);
        let session = Model::from_bytes(model(&graph)).unwrap().session(&device).unwrap();
        for (is_sum, expected) in [(true, 2.5), (false, 1.5), (true, 2.5)] {
            let x = Tensor::from_slice(&device, &[2.0f32; COUNT], COUNT).unwrap();
            let is_sum = Array::from_slice(&[is_sum], []).unwrap();
            let outputs = session.run([("is_sum", Value::from(is_sum)), ("x", x.into())]).unwrap();
            assert_eq!(outputs.array("y").unwrap().to_vec::<f32>().unwrap(), [expected; COUNT]);
        }
        device.synchronize().unwrap();
        assert!(in_use(&device) - before < 2 * COUNT * size_of::<f32>(), "{}", in_use(&device) - before);
    });
}
