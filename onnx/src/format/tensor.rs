//! Tensors of the file format as arrays.

use aclnn::{DType, Shape};
use bytes::Bytes;

use super::proto::{SparseTensorProto, TensorProto};
use super::source::Source;
use crate::array::Array;

/// Returns the element type of a number of the format.
pub(crate) fn dtype(code: i32) -> Result<DType, String> {
    DType::from_onnx_code(code).ok_or_else(|| match code {
        0 => "it has no element type".to_owned(),
        _ => format!("element type {code} is not known"),
    })
}

/// Returns sizes as a shape.
pub(crate) fn shape(dims: &[i64]) -> Result<Shape, String> {
    let sizes: Option<Vec<usize>> = dims.iter().map(|&size| usize::try_from(size).ok()).collect();
    let shape = Shape::from(sizes.ok_or_else(|| format!("its dimensions are {dims:?}"))?);
    match shape.numel() {
        Some(count) if count <= isize::MAX as usize / 16 => Ok(shape),
        _ => Err(format!("its dimensions are {dims:?}, more elements than memory can hold")),
    }
}

/// Reads a tensor. Elements in `raw_data` or in a file beside the model are not copied.
pub(crate) fn read(tensor: &TensorProto, source: &Source) -> Result<Array, String> {
    let (dtype, shape) = (dtype(tensor.data_type)?, shape(&tensor.dims)?);
    if tensor.segment.is_some() {
        return Err("it is a segment of a tensor, which is not supported".to_owned());
    }
    let count = shape.numel().unwrap_or(usize::MAX);
    if dtype == DType::String {
        let strings: Result<Vec<String>, _> =
            tensor.string_data.iter().map(|text| String::from_utf8(text.to_vec())).collect();
        let strings = strings.map_err(|_| "one of its strings is not UTF-8".to_owned())?;
        return Array::from_strings(strings, shape).map_err(|error| error.to_string());
    }
    let bytes = if tensor.data_location == 1 {
        external(tensor, source)?
    } else if let Some(raw) = &tensor.raw_data {
        raw.clone()
    } else {
        typed(tensor, dtype, count)?
    };
    Array::new(dtype, shape, bytes).map_err(|error| error.to_string())
}

/// Returns the elements in a file beside the model.
fn external(tensor: &TensorProto, source: &Source) -> Result<Bytes, String> {
    let entry = |key: &str| {
        tensor.external_data.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str())
    };
    let number = |key: &str| -> Result<Option<usize>, String> {
        let Some(text) = entry(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| format!("`{key}` of its external data is `{text}`"))
    };
    let location = entry("location").ok_or("its external data has no location")?;
    source.beside(location, number("offset")?.unwrap_or(0), number("length")?)
}

/// Returns the elements of the field for their type, packed.
fn typed(tensor: &TensorProto, dtype: DType, count: usize) -> Result<Bytes, String> {
    let numbers = |wanted: usize, given: usize| match wanted == given {
        true => Ok(()),
        false => Err(format!("it has {given} elements where its dimensions ask for {wanted}")),
    };
    let bytes: Vec<u8> = match dtype {
        DType::F32 | DType::C64 => {
            numbers(count * dtype.bits() / 32, tensor.float_data.len())?;
            tensor.float_data.iter().flat_map(|x| x.to_le_bytes()).collect()
        }
        DType::F64 | DType::C128 => {
            numbers(count * dtype.bits() / 64, tensor.double_data.len())?;
            tensor.double_data.iter().flat_map(|x| x.to_le_bytes()).collect()
        }
        DType::I64 => {
            numbers(count, tensor.int64_data.len())?;
            tensor.int64_data.iter().flat_map(|x| x.to_le_bytes()).collect()
        }
        DType::U64 => {
            numbers(count, tensor.uint64_data.len())?;
            tensor.uint64_data.iter().flat_map(|x| x.to_le_bytes()).collect()
        }
        DType::U32 => {
            numbers(count, tensor.uint64_data.len())?;
            tensor.uint64_data.iter().flat_map(|&x| (x as u32).to_le_bytes()).collect()
        }
        // Each number holds one element, or one byte of packed elements.
        _ => {
            let bits = dtype.bits().max(8);
            let wanted = match dtype.bits() {
                0..8 => dtype.storage_bytes(count).unwrap_or(usize::MAX),
                _ => count,
            };
            numbers(wanted, tensor.int32_data.len())?;
            let bytes = tensor.int32_data.iter().flat_map(|x| x.to_le_bytes().into_iter().take(bits / 8));
            bytes.collect()
        }
    };
    Ok(bytes.into())
}

/// The most bytes of a sparse tensor with its zeros. The file says sizes that no bytes of it stand behind.
const MOST_DENSE: usize = 1 << 30;

/// Reads a sparse tensor as a dense one.
pub(crate) fn read_sparse(tensor: &SparseTensorProto, source: &Source) -> Result<Array, String> {
    let (Some(values), Some(indices)) = (&tensor.values, &tensor.indices) else {
        return Err("a sparse tensor has no values or no indices".to_owned());
    };
    let shape = shape(&tensor.dims)?;
    let (values, indices) = (read(values, source)?, read(indices, source)?);
    let text = |error: crate::Error| error.to_string();
    let (count, each) = match indices.dims() {
        [count] => (*count, 1),
        [count, each] if *each == shape.rank() && *each > 0 => (*count, *each),
        dims => return Err(format!("the indices of a sparse tensor have dimensions {dims:?}")),
    };
    if values.numel() != count {
        return Err(format!("a sparse tensor has {} values and {count} indices", values.numel()));
    }
    let dtype = values.dtype();
    if dtype == DType::String || dtype.bits() < 8 {
        return Err(format!("sparse elements of {dtype} are not supported"));
    }
    let needed = shape.numel().and_then(|numel| dtype.storage_bytes(numel));
    let Some(needed) = needed.filter(|needed| *needed <= MOST_DENSE) else {
        return Err(format!(
            "a sparse tensor has dimensions {:?}, and at most {MOST_DENSE} bytes are read",
            &shape[..]
        ));
    };
    let mut dense = vec![0; needed];
    let size = dtype.bits() / 8;
    let indices = indices.to_vec::<i64>().map_err(text)?;
    for (value, index) in values.bytes().chunks_exact(size).zip(indices.chunks_exact(each)) {
        let place = match index {
            // One number counts the elements of all axes.
            [place] => usize::try_from(*place).ok(),
            _ => index.iter().zip(&shape[..]).try_fold(0usize, |place, (&index, &size)| {
                let index = usize::try_from(index).ok().filter(|&index| index < size)?;
                Some(place * size + index)
            }),
        };
        let start = place.and_then(|place| place.checked_mul(size));
        let element = start.and_then(|start| dense.get_mut(start..start.checked_add(size)?));
        element.ok_or_else(|| format!("an index of a sparse tensor is {index:?}"))?.copy_from_slice(value);
    }
    Array::new(dtype, shape, dense).map_err(text)
}
