//! Models, written field by field, by the numbers of the published format.

// The wire format of protocol buffers.

pub(crate) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A field with a number.
pub(crate) fn int(field: u64, number: i64) -> Vec<u8> {
    [varint(field << 3), varint(number as u64)].concat()
}

/// A field with bytes, a text or a message, which claims another length.
pub(crate) fn claiming(field: u64, length: u64, content: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(length), content.to_vec()].concat()
}

/// A field with bytes, a text or a message.
pub(crate) fn bytes(field: u64, content: impl AsRef<[u8]>) -> Vec<u8> {
    claiming(field, content.as_ref().len() as u64, content.as_ref())
}

// The messages of ONNX.

pub(crate) fn attribute(name: &str, kind: i64, content: Vec<u8>) -> Vec<u8> {
    bytes(5, [bytes(1, name), content, int(20, kind)].concat())
}

/// The content of a node.
pub(crate) fn node_content(operator: &str, inputs: &[&str], outputs: &[&str], rest: Vec<u8>) -> Vec<u8> {
    let inputs = inputs.iter().flat_map(|name| bytes(1, name));
    let outputs = outputs.iter().flat_map(|name| bytes(2, name));
    [inputs.chain(outputs).collect(), bytes(4, operator), rest].concat()
}

/// A node of a graph.
pub(crate) fn node(operator: &str, inputs: &[&str], outputs: &[&str], rest: Vec<u8>) -> Vec<u8> {
    bytes(1, node_content(operator, inputs, outputs, rest))
}

/// An input (field 11) or output (12) of a graph, with elements of a type.
pub(crate) fn port(field: u64, name: &str, elements: i64, dims: &[i64]) -> Vec<u8> {
    let dims: Vec<u8> = dims.iter().flat_map(|size| bytes(1, int(1, *size))).collect();
    let tensor = [int(1, elements), bytes(2, dims)].concat();
    bytes(field, [bytes(1, name), bytes(2, bytes(1, tensor))].concat())
}

/// The content of a tensor.
pub(crate) fn tensor(name: &str, elements: i64, dims: &[i64], data: Vec<u8>) -> Vec<u8> {
    let dims: Vec<u8> = dims.iter().flat_map(|size| int(1, *size)).collect();
    [dims, int(2, elements), bytes(8, name), data].concat()
}

pub(crate) fn weight(name: &str, elements: i64, dims: &[i64], data: Vec<u8>) -> Vec<u8> {
    bytes(5, tensor(name, elements, dims, data))
}

pub(crate) fn opset(version: i64) -> Vec<u8> {
    bytes(8, [bytes(1, ""), int(2, version)].concat())
}

/// A model: the graph comes last, so that no beginning of the file is a model.
pub(crate) fn model_with(opsets: Vec<u8>, graph: &[Vec<u8>]) -> Vec<u8> {
    [int(1, 10), opsets, bytes(7, graph.concat())].concat()
}

pub(crate) fn model(graph: &[Vec<u8>]) -> Vec<u8> {
    model_with(opset(21), graph)
}

/// The number of the element type.
pub(crate) const F32: i64 = 1;

/// The number of the element type of integers with 64 bits.
pub(crate) const I64: i64 = 7;

/// An input (field 11) or output (12) of a graph, whose axes have any size.
pub(crate) fn open_port(field: u64, name: &str, elements: i64, rank: usize) -> Vec<u8> {
    let dims: Vec<u8> = (0..rank).flat_map(|axis| bytes(1, bytes(2, format!("n{axis}")))).collect();
    let tensor = [int(1, elements), bytes(2, dims)].concat();
    bytes(field, [bytes(1, name), bytes(2, bytes(1, tensor))].concat())
}

/// A weight of floats.
pub(crate) fn floats(name: &str, dims: &[i64], values: &[f32]) -> Vec<u8> {
    weight(
        name,
        F32,
        dims,
        bytes(9, values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>()),
    )
}

/// A weight of integers.
pub(crate) fn integers(name: &str, values: &[i64]) -> Vec<u8> {
    let elements: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    weight(name, I64, &[values.len() as i64], bytes(9, elements))
}
