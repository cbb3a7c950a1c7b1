//! Failures, as `ort` reports them.

use ort::ep::ExecutionProvider;
use ort::session::Session;
use ort::value::{Map, Tensor};
use ort::{ErrorCode, ep, inputs};

use crate::support::*;

fn load(model: &[u8]) -> ort::Error {
    Session::builder(environment()).unwrap().commit_from_memory(model).unwrap_err()
}

#[test]
fn a_file_that_is_missing_is_named() {
    let error = Session::builder(environment()).unwrap().commit_from_file("no/such.onnx").unwrap_err();
    assert_eq!(error.code(), ErrorCode::NoSuchFile);
    assert!(error.message().contains("no/such.onnx"), "{error}");
}

#[test]
fn a_file_that_is_no_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.onnx");
    std::fs::write(&path, "this is not a model").unwrap();
    let error = Session::builder(environment()).unwrap().commit_from_file(&path).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidProtobuf);
    assert!(error.message().contains("text.onnx: file: it is not an ONNX model"), "{error}");
}

#[test]
fn a_model_of_onnx_runtime_is_refused() {
    let error = load(b"\x14\0\0\0ORTM and more");
    assert_eq!(error.code(), ErrorCode::NotImplemented);
    assert!(error.message().contains("(.ort), which ort-aclnn does not read"), "{error}");
}

#[test]
fn a_graph_that_is_wrong_is_refused() {
    let model = model(&Graph {
        nodes: vec![node("Relu", &["nowhere"], &["y"])],
        outputs: vec![value("y", F32, &["2"])],
        ..Graph::default()
    });
    let error = load(&model);
    assert_eq!(error.code(), ErrorCode::InvalidGraph);
    assert!(error.message().contains("`nowhere`, is computed nowhere"), "{error}");
}

#[test]
fn an_operator_that_is_not_there_is_named() {
    let error = load(&unary("Imaginary", F32, &["2"]));
    assert_eq!(error.code(), ErrorCode::NotImplemented);
    assert!(error.message().contains("Imaginary (node 0) is not supported"), "{error}");
}

#[test]
fn inputs_are_checked() {
    let mut session = session(&binary("Add", F32, &["2"]));
    let good = || Tensor::from_array(([2], vec![1.0f32, 2.0])).unwrap();
    let shape = Tensor::from_array(([3], vec![1.0f32, 2.0, 3.0])).unwrap();
    let dtype = Tensor::from_array(([2], vec![1i32, 2])).unwrap();
    let cases = [
        (inputs!["a" => good(), "b" => shape], "input `b`: it is f32[3], and the model takes f32[2]"),
        (
            inputs!["a" => good(), "b" => dtype],
            "input `b`: it is i32[2], and the model takes f32[2]; cast it first",
        ),
        (inputs!["a" => good()], "input `b`: it is missing; the model takes f32[2]"),
        (
            inputs!["a" => good(), "b" => good(), "c" => good()],
            "input `c`: the model has no such input; it takes a, b",
        ),
    ];
    for (inputs, message) in cases {
        let error = session.run(inputs).unwrap_err();
        assert_eq!((error.code(), error.message()), (ErrorCode::InvalidArgument, message));
    }
    // The session is as good as before.
    assert!(session.run(inputs![good(), good()]).is_ok());
}

#[test]
fn nodes_that_fail_are_named() {
    let mut session = session(&binary("Add", F32, &["?"]));
    let tensor = |count: usize| Tensor::from_array(([count], vec![1.0f32; count])).unwrap();
    let error = session.run(inputs![tensor(2), tensor(3)]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::RuntimeException);
    assert!(error.message().starts_with("Add (node 0) of f32[2], f32[3]: "), "{error}");
}

#[test]
fn functions_that_are_not_served_are_named() {
    let builder = || Session::builder(environment()).unwrap();
    let message = |result: Result<_, ort::Error<_>>| {
        result.map(|_: ort::session::builder::SessionBuilder| ()).unwrap_err()
    };
    let error = message(builder().with_optimized_model_path("model.onnx"));
    assert_eq!(error.code(), ErrorCode::NotImplemented);
    assert_eq!(error.message(), "ort-aclnn does not serve SetOptimizedModelFilePath");
    let error = message(builder().with_profiling("profile"));
    assert_eq!(error.message(), "ort-aclnn does not serve EnableProfiling");
    let error = message(builder().with_extensions());
    assert_eq!(error.message(), "ort-aclnn does not serve EnableOrtCustomOps");
    let error = Map::<i64, f32>::new([(1, 2.0)]).unwrap_err();
    assert_eq!(error.message(), "ort-aclnn has no maps");
    assert!(environment().devices().next().is_none());
    assert!(session(&unary("Relu", F32, &[])).opset_for_domain("").is_none());
}

#[test]
fn execution_providers_of_other_devices_are_not_there() {
    let with = |provider: ep::ExecutionProviderDispatch| {
        let builder = Session::builder(environment()).unwrap();
        builder
            .with_execution_providers([provider.error_on_failure()])
            .map(drop)
            .map_err(|error| error.to_string())
    };
    let error = with(ep::CUDA::default().build()).unwrap_err();
    assert_eq!(error, "ort-aclnn does not serve CreateCUDAProviderOptions");
    assert_eq!(with(ep::CANN::default().with_device_id(0).build()), Ok(()));
    assert!(ep::CANN::is_available().unwrap());
    assert!(!ep::CUDA::is_available().unwrap());
}

#[test]
fn a_device_is_chosen_by_its_ordinal() {
    let load = |device: &str| {
        let builder = Session::builder(environment()).unwrap();
        let mut builder = builder.with_config_entry("session.aclnn.device", device).unwrap();
        builder.commit_from_memory(&unary("Relu", F32, &["2"]))
    };
    let error = load("first").unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    assert!(error.message().contains("is `first`; it chooses a device by its ordinal"), "{error}");
    assert_eq!(load("999").unwrap_err().code(), ErrorCode::ExecutionProviderFailure);
}
