//! Models, written byte by byte in the format of ONNX; the environment; a waiting loop for futures.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use ort::environment::Environment;
use ort::session::Session;

pub(crate) const F32: u64 = 1;
pub(crate) const I64: u64 = 7;
pub(crate) const STRING: u64 = 8;

/// The environment of the process, which may have only one.
pub(crate) fn environment() -> &'static Environment {
    static ENVIRONMENT: OnceLock<Environment> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        assert!(ort::set_api(ort_aclnn::api()));
        ort::init().with_name("test").build().unwrap()
    })
}

pub(crate) fn session(model: &[u8]) -> Session {
    Session::builder(environment()).unwrap().commit_from_memory(model).unwrap()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A field with a number.
pub(crate) fn number(tag: u64, value: u64) -> Vec<u8> {
    [varint(tag << 3), varint(value)].concat()
}

/// A field with bytes: a text, or a message of fields.
pub(crate) fn field(tag: u64, bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let bytes = bytes.as_ref();
    [varint(tag << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

/// The type of a tensor. A name of letters is an axis without a fixed size, `?` one without a name.
fn tensor_type(element: u64, shape: &[&str]) -> Vec<u8> {
    let dimension = |size: &&str| match (size.parse(), *size) {
        (Ok(size), _) => field(1, number(1, size)),
        (_, "?") => field(1, []),
        (_, name) => field(1, field(2, name)),
    };
    let shape: Vec<u8> = shape.iter().flat_map(dimension).collect();
    field(1, [number(1, element), field(2, shape)].concat())
}

/// A `ValueInfoProto`.
pub(crate) fn value(name: &str, element: u64, shape: &[&str]) -> Vec<u8> {
    [field(1, name), field(2, tensor_type(element, shape))].concat()
}

/// A `ValueInfoProto` of a sequence of tensors.
pub(crate) fn sequence(name: &str, element: u64, shape: &[&str]) -> Vec<u8> {
    [field(1, name), field(2, field(4, field(1, tensor_type(element, shape))))].concat()
}

pub(crate) fn node(operator: &str, inputs: &[&str], outputs: &[&str]) -> Vec<u8> {
    let inputs = inputs.iter().flat_map(|name| field(1, name));
    let outputs = outputs.iter().flat_map(|name| field(2, name));
    inputs.chain(outputs).chain(field(4, operator)).collect()
}

/// A `TensorProto` of 32-bit floats.
pub(crate) fn floats(name: &str, values: &[f32]) -> Vec<u8> {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    [number(1, values.len() as u64), number(2, F32), field(8, name), field(9, raw)].concat()
}

/// The parts of a graph.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Vec<u8>>,
    pub(crate) initializers: Vec<Vec<u8>>,
    pub(crate) inputs: Vec<Vec<u8>>,
    pub(crate) outputs: Vec<Vec<u8>>,
}

/// A model of version 8 of the format and version 17 of the operators, with further fields of a `ModelProto`.
pub(crate) fn model_with(graph: &Graph, further: &[Vec<u8>]) -> Vec<u8> {
    let parts = [(1, &graph.nodes), (5, &graph.initializers), (11, &graph.inputs), (12, &graph.outputs)];
    let parts =
        parts.into_iter().flat_map(|(tag, parts)| parts.iter().flat_map(move |part| field(tag, part)));
    let graph: Vec<u8> = parts.chain(field(2, "graph")).chain(field(10, "a graph of a test")).collect();
    [number(1, 8), field(8, number(2, 17)), field(7, graph), further.concat()].concat()
}

pub(crate) fn model(graph: &Graph) -> Vec<u8> {
    model_with(graph, &[])
}

/// `y = operator(x)` for tensors of one type and shape.
pub(crate) fn unary(operator: &str, element: u64, shape: &[&str]) -> Vec<u8> {
    model(&Graph {
        nodes: vec![node(operator, &["x"], &["y"])],
        inputs: vec![value("x", element, shape)],
        outputs: vec![value("y", element, shape)],
        ..Graph::default()
    })
}

/// `y = operator(a, b)` for tensors of one type and shape.
pub(crate) fn binary(operator: &str, element: u64, shape: &[&str]) -> Vec<u8> {
    model(&Graph {
        nodes: vec![node(operator, &["a", "b"], &["y"])],
        inputs: vec![value("a", element, shape), value("b", element, shape)],
        outputs: vec![value("y", element, shape)],
        ..Graph::default()
    })
}

/// Waits for a future.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
