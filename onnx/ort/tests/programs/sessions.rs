//! Sessions: from files and from memory, what they tell about their models, and their options.

use ort::session::Session;
use ort::session::builder::{GraphOptimizationLevel, PrepackedWeights};
use ort::value::{Tensor, TensorElementType, ValueType};
use ort::{ep, inputs};

use crate::support::*;

fn sized() -> Vec<u8> {
    binary("Mul", F32, &["batch", "?", "2"])
}

#[test]
fn a_model_of_a_file_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mul.onnx");
    std::fs::write(&path, binary("Mul", F32, &["2"])).unwrap();
    for weights in [None, Some(PrepackedWeights::new())] {
        let mut builder = Session::builder(environment()).unwrap();
        if let Some(weights) = &weights {
            builder = builder.with_prepacked_weights(weights).unwrap();
        }
        let mut session = builder.commit_from_file(&path).unwrap();
        let (a, b) =
            (Tensor::from_array(([2], vec![2.0f32, 3.0])), Tensor::from_array(([2], vec![5.0f32, 7.0])));
        let outputs = session.run(inputs![a.unwrap(), b.unwrap()]).unwrap();
        assert_eq!(outputs["y"].try_extract_tensor::<f32>().unwrap().1, [10.0, 21.0]);
    }
}

#[test]
fn inputs_and_outputs_have_names_types_and_shapes() {
    let session = session(&sized());
    let names: Vec<&str> = session.inputs().iter().map(|input| input.name()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(session.outputs().len(), 1);
    for port in session.inputs().iter().chain(session.outputs()) {
        let ValueType::Tensor { ty, shape, dimension_symbols } = port.dtype() else { panic!("{port:?}") };
        assert_eq!(*ty, TensorElementType::Float32);
        assert_eq!(shape[..], [-1, -1, 2]);
        assert_eq!(dimension_symbols[..], ["batch", "", ""]);
    }
}

#[test]
fn axes_without_a_size_take_any() {
    let mut session = session(&sized());
    for (batch, rows) in [(1usize, 3usize), (4, 1), (1, 3), (2, 0)] {
        let count = batch * rows * 2;
        let numbers: Vec<f32> = (0..count).map(|number| number as f32).collect();
        let tensor = || Tensor::from_array(([batch, rows, 2], numbers.clone())).unwrap();
        let outputs = session.run(inputs!["b" => tensor(), "a" => tensor()]).unwrap();
        let (shape, squares) = outputs[0].try_extract_tensor::<f32>().unwrap();
        assert_eq!(shape[..], [batch as i64, rows as i64, 2]);
        assert_eq!(squares, numbers.iter().map(|number| number * number).collect::<Vec<f32>>());
    }
}

#[test]
fn a_session_fixes_axes_by_their_names() {
    let builder = Session::builder(environment()).unwrap();
    let mut builder = builder.with_dimension_override("batch", 3).unwrap();
    let mut session = builder.commit_from_memory(&sized()).unwrap();
    assert_eq!(session.inputs()[0].dtype().tensor_shape().unwrap()[..], [3, -1, 2]);
    let tensor = |batch: usize| Tensor::from_array(([batch, 1, 2], vec![1.0f32; batch * 2])).unwrap();
    assert!(session.run(inputs![tensor(3), tensor(3)]).is_ok());
    let error = session.run(inputs![tensor(2), tensor(2)]).unwrap_err();
    assert_eq!(error.message(), "input `a`: its axis `batch` is 2, and the session fixes it to 3");
}

#[test]
fn a_model_tells_about_itself() {
    let entry = |key: &str, value: &str| field(14, [field(1, key), field(2, value)].concat());
    let further = [
        field(2, "tester"),
        field(4, "example.domain"),
        number(5, 42),
        field(6, "a model of a test"),
        entry("classes", "cat,dog"),
        entry("größe", "groß"),
    ];
    let graph = Graph {
        nodes: vec![node("Relu", &["x"], &["y"])],
        inputs: vec![value("x", F32, &[])],
        outputs: vec![value("y", F32, &[])],
        ..Graph::default()
    };
    let session = session(&model_with(&graph, &further));
    let about = session.metadata().unwrap();
    assert_eq!(about.producer().as_deref(), Some("tester"));
    assert_eq!(about.name().as_deref(), Some("graph"));
    assert_eq!(about.graph_description().as_deref(), Some("a graph of a test"));
    assert_eq!(about.description().as_deref(), Some("a model of a test"));
    assert_eq!(about.domain().as_deref(), Some("example.domain"));
    assert_eq!(about.version(), Some(42));
    assert_eq!(about.custom_keys().unwrap(), ["classes", "größe"]);
    assert_eq!(about.custom("größe").as_deref(), Some("groß"));
    assert_eq!(about.custom("absent"), None);
    // A model that says nothing has empty texts.
    let silent = unary("Relu", F32, &[]);
    let silent = crate::support::session(&silent);
    let about = silent.metadata().unwrap();
    assert_eq!((about.producer().as_deref(), about.version()), (Some(""), Some(0)));
    assert!(about.custom_keys().unwrap().is_empty());
}

#[test]
fn initializers_that_are_inputs_can_be_overridden() {
    let model = model(&Graph {
        nodes: vec![node("Add", &["x", "bias"], &["y"])],
        initializers: vec![floats("bias", &[1.0, 2.0])],
        inputs: vec![value("x", F32, &["2"]), value("bias", F32, &["2"])],
        outputs: vec![value("y", F32, &["2"])],
    });
    let mut session = session(&model);
    assert_eq!(session.inputs().len(), 1);
    let overridable = session.overridable_initializers();
    assert_eq!((overridable.len(), overridable[0].name()), (1, "bias"));
    assert_eq!(overridable[0].dtype().to_string(), "Tensor<f32>(2)");
    let tensor = |numbers: [f32; 2]| Tensor::from_array(([2], numbers.to_vec())).unwrap();
    let outputs = session.run(inputs!["x" => tensor([10.0, 10.0])]).unwrap();
    assert_eq!(outputs["y"].try_extract_tensor::<f32>().unwrap().1, [11.0, 12.0]);
    drop(outputs);
    let outputs = session.run(inputs!["x" => tensor([10.0, 10.0]), "bias" => tensor([5.0, 6.0])]).unwrap();
    assert_eq!(outputs["y"].try_extract_tensor::<f32>().unwrap().1, [15.0, 16.0]);
}

#[test]
fn options_that_change_nothing_here_are_accepted() {
    let builder = Session::builder(environment()).unwrap();
    let builder = builder.with_optimization_level(GraphOptimizationLevel::Disable).unwrap();
    let builder = builder.with_intra_threads(2).unwrap().with_inter_threads(2).unwrap();
    let builder = builder.with_parallel_execution(true).unwrap().with_memory_pattern(false).unwrap();
    let builder = builder.with_deterministic_compute(true).unwrap().with_log_id("name").unwrap();
    let builder = builder.with_log_level(ort::logging::LogLevel::Error).unwrap();
    let builder = builder.with_config_entry("session.aclnn.device", "0").unwrap();
    let mut builder =
        builder.with_execution_providers([ep::CPU::default().build().error_on_failure()]).unwrap();
    let mut session = builder.commit_from_memory(&unary("Relu", F32, &["3"])).unwrap();
    let outputs = session.run(inputs![Tensor::from_array(([3], vec![-1.0f32, 0.0, 2.0])).unwrap()]).unwrap();
    assert_eq!(outputs["y"].try_extract_tensor::<f32>().unwrap().1, [0.0, 0.0, 2.0]);
}

#[test]
fn the_build_names_this_crate() {
    environment();
    assert!(ort::info().starts_with("ort-aclnn "), "{}", ort::info());
}

#[test]
fn a_load_that_was_canceled_fails() {
    let mut builder = Session::builder(environment()).unwrap();
    builder.canceler().cancel().unwrap();
    let error = builder.commit_from_memory(&unary("Relu", F32, &[])).unwrap_err();
    assert_eq!(error.code(), ort::ErrorCode::ModelLoadCanceled);
}
