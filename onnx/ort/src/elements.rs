//! Element types, as `ort` numbers them.

use aclnn::DType;
use ort_sys::ONNXTensorElementDataType as Code;

use crate::entry::{Answer, Refusal};

const TYPES: [(DType, Code); 26] = [
    (DType::F32, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT),
    (DType::U8, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8),
    (DType::I8, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8),
    (DType::U16, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16),
    (DType::I16, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16),
    (DType::I32, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32),
    (DType::I64, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64),
    (DType::String, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING),
    (DType::Bool, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL),
    (DType::F16, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16),
    (DType::F64, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE),
    (DType::U32, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32),
    (DType::U64, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64),
    (DType::C64, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64),
    (DType::C128, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128),
    (DType::BF16, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16),
    (DType::F8E4M3FN, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN),
    (DType::F8E4M3FNUZ, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ),
    (DType::F8E5M2, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2),
    (DType::F8E5M2FNUZ, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ),
    (DType::U4, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4),
    (DType::I4, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4),
    (DType::F4E2M1, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1),
    (DType::U2, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2),
    (DType::I2, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2),
    (DType::F8E8M0, Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0),
];

/// Returns the number of a type; that of no type for those that `ort` lacks.
pub(crate) fn code(dtype: DType) -> Code {
    let known = TYPES.iter().find(|(own, _)| *own == dtype);
    known.map_or(Code::ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED, |(_, code)| *code)
}

/// Returns the type of a number.
pub(crate) fn dtype(code: Code) -> Answer<DType> {
    let known = TYPES.iter().find(|(_, own)| *own == code);
    known.map(|(dtype, _)| *dtype).ok_or_else(|| Refusal::argument("a tensor needs an element type"))
}
