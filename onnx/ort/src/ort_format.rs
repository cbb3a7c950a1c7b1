//! Models in the format of ONNX Runtime, which this crate does not read, but for the one with which `ort` copies tensors.

use crate::elements;
use crate::entry::{Answer, Refusal};
use ort_sys::{ONNXTensorElementDataType as Code, OrtErrorCode};

/// The bytes that files of the format have after the first four.
const IDENTIFIER: &[u8] = b"ORTM";

/// The size of the model with which `ort` copies tensors, and the two places where it puts their element type.
const SIZE: usize = 1032;
const PLACES: [usize; 2] = [544, 604];

/// A field of the format of ONNX, with less than 128 bytes.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    [&[tag << 3 | 2, bytes.len() as u8], bytes].concat()
}

/// Returns the model of ONNX that does the same as the one with which `ort` copies tensors of a type: a single Identity.
fn identity(onnx_code: u8) -> Vec<u8> {
    let port = |name: &[u8]| [field(1, name), field(2, &field(1, &[1 << 3, onnx_code]))].concat();
    let node = [field(1, b"input"), field(2, b"output"), field(4, b"Identity")].concat();
    let graph = [field(1, &node), field(11, &port(b"input")), field(12, &port(b"output"))].concat();
    [vec![1 << 3, 8], field(8, &[2 << 3, 17]), field(7, &graph)].concat()
}

/// Returns the model of ONNX that stands for a model of the other format, or `None` for what is not of that format.
pub(crate) fn replaced(bytes: &[u8]) -> Answer<Option<Vec<u8>>> {
    if bytes.get(4..8) != Some(IDENTIFIER) {
        return Ok(None);
    }
    let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
    let codes = PLACES.map(|place| bytes.get(place).copied());
    if bytes.len() == SIZE && codes[0] == codes[1] && has(b"Identity:12") && has(b"\x05\0\0\0input") {
        let types = (1..=26).filter_map(|onnx| {
            let dtype = aclnn::DType::from_onnx_code(i32::from(onnx))?;
            Some((onnx, elements::code(dtype)))
        });
        let wanted = codes[0].map(i32::from);
        let known = types.into_iter().find(|&(_, code): &(u8, Code)| Some(code as i32) == wanted);
        if let Some((onnx, _)) = known {
            return Ok(Some(identity(onnx)));
        }
    }
    Err(Refusal::new(
        OrtErrorCode::ORT_NOT_IMPLEMENTED,
        "the model is in the format of ONNX Runtime (.ort), which ort-aclnn does not read; load the ONNX file \
         that it was made from",
    ))
}
