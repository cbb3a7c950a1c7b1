//! Values: tensors in memory of the caller, of this crate or still on the device; strings; sequences.

use std::ffi::{c_char, c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use aclnn::{DType, Shape, Stream, Tensor};
use aclnn_onnx::{Array, Value};
use ort_sys::*;

use crate::elements;
use crate::entry::{Answer, Object, Refusal, entries, releases};
use crate::memory::{self, Buffer};
use crate::types::{TensorInfo, TypeInfo};

/// Integers up to this size stay on the host until an operator needs them on the device: shapes, axes and indices are
/// read there.
const SMALL: usize = 1024;

/// The value that a pointer stands for. Copies share the value.
#[derive(Clone)]
pub(crate) struct Handle(Arc<Datum>);

impl Object for OrtValue {
    type Here = Handle;
}

enum Datum {
    Numbers(Numbers),
    Strings {
        sizes: Vec<i64>,
        strings: Mutex<Vec<String>>,
    },
    Sequence {
        element: TypeInfo,
        values: Vec<Handle>,
    },
    /// An optional without a value.
    Absent(TypeInfo),
}

struct Numbers {
    dtype: DType,
    sizes: Vec<i64>,
    bytes: usize,
    place: Place,
}

enum Place {
    /// In memory of the caller.
    Given(Given),
    Host(Buffer),
    /// An output: on the host as soon as somebody asks for its elements, and from then on.
    Output {
        value: Value,
        host: OnceLock<Buffer>,
    },
}

/// Memory of the caller.
struct Given(*mut c_void);

// SAFETY: the caller keeps the memory until the value ends, and orders its own accesses with those of runs.
unsafe impl Send for Given {}
// SAFETY: as above.
unsafe impl Sync for Given {}

/// Returns the sizes of a shape as C has them.
fn sizes(shape: &Shape) -> Vec<i64> {
    shape.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect()
}

/// Returns the shape of sizes.
fn shape(sizes: &[i64]) -> Answer<Shape> {
    let shape: Option<Vec<usize>> = sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
    shape.map(Shape::from).ok_or_else(|| Refusal::argument(format!("{sizes:?} is not the shape of a tensor")))
}

/// Returns the number of elements of a shape.
fn count(sizes: &[i64]) -> Answer<usize> {
    let large = || Refusal::argument(format!("{sizes:?} has more elements than memory can hold"));
    shape(sizes)?.numel().ok_or_else(large)
}

fn bytes(dtype: DType, sizes: &[i64]) -> Answer<usize> {
    let large = || Refusal::argument(format!("{dtype}{sizes:?} is larger than memory can hold"));
    dtype.storage_bytes(count(sizes)?).ok_or_else(large)
}

impl Numbers {
    /// Returns where the elements are on the host. Copies an output there.
    fn start(&self) -> Answer<*mut c_void> {
        let (value, host) = match &self.place {
            Place::Given(Given(start)) => return Ok(*start),
            Place::Host(buffer) => return Ok(buffer.start()),
            Place::Output { value, host } => (value, host),
        };
        if let Some(buffer) = host.get() {
            return Ok(buffer.start());
        }
        let buffer = match value {
            Value::Tensor(tensor) => Buffer::of(tensor.to_bytes()?)?,
            value => Buffer::copy(value.to_array()?.bytes())?,
        };
        Ok(host.get_or_init(|| buffer).start())
    }

    /// Returns the tensor for a run.
    fn to_value(&self, stream: &Stream) -> Answer<Value> {
        if let Place::Output { value, host } = &self.place
            && host.get().is_none()
        {
            return Ok(value.clone());
        }
        let start = self.start()?.cast_const().cast::<u8>();
        let bytes = match self.bytes {
            0 => &[],
            // SAFETY: so many bytes belong to the value, and nobody writes to them while it is an input of a run.
            size => unsafe { std::slice::from_raw_parts(start, size) },
        };
        let shape = shape(&self.sizes)?;
        let steers = !self.dtype.is_float() && self.bytes <= SMALL;
        let stays = steers || self.dtype.bits() < 8 || self.dtype.acl_code().is_none();
        Ok(match stays {
            true => Array::new(self.dtype, shape, bytes.to_vec())?.into(),
            false => Tensor::from_bytes(stream, self.dtype, bytes, shape)?.into(),
        })
    }
}

fn lock(strings: &Mutex<Vec<String>>) -> MutexGuard<'_, Vec<String>> {
    strings.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Handle {
    fn new(datum: Datum) -> Handle {
        Handle(Arc::new(datum))
    }

    /// Returns an output of a run. `declared` is its type in the model.
    pub(crate) fn output(value: &Value, declared: &TypeInfo) -> Handle {
        let (dtype, shape) = match (value, value.dtype(), value.shape()) {
            (_, Some(dtype), Some(shape)) => (dtype, shape),
            (Value::Optional(Some(content)), ..) => {
                let declared = match declared {
                    TypeInfo::Optional(content) => content,
                    declared => declared,
                };
                return Handle::output(content, declared);
            }
            (Value::Sequence(values), ..) => {
                let known = match declared {
                    TypeInfo::Sequence(element) => Some(element),
                    TypeInfo::Optional(content) => match &**content {
                        TypeInfo::Sequence(element) => Some(element),
                        _ => None,
                    },
                    _ => None,
                };
                let known =
                    known.map_or_else(|| TypeInfo::declared(None, &[]), |element| (**element).clone());
                let values: Vec<Handle> = values.iter().map(|value| Handle::output(value, &known)).collect();
                return Handle::new(Datum::Sequence { element: known, values });
            }
            _ => return Handle::new(Datum::Absent(declared.clone())),
        };
        let sizes = sizes(shape);
        if let Value::Known(known) = value
            && let Some(strings) = known.array().strings()
        {
            return Handle::new(Datum::Strings { sizes, strings: Mutex::new(strings.to_vec()) });
        }
        let bytes = shape.numel().and_then(|count| dtype.storage_bytes(count)).unwrap_or(0);
        let place = Place::Output { value: value.clone(), host: OnceLock::new() };
        Handle::new(Datum::Numbers(Numbers { dtype, sizes, bytes, place }))
    }

    /// Returns the value for a run.
    pub(crate) fn to_value(&self, stream: &Stream) -> Answer<Value> {
        match &*self.0 {
            Datum::Numbers(numbers) => numbers.to_value(stream),
            Datum::Strings { sizes, strings } => {
                Ok(Array::from_strings(lock(strings).clone(), shape(sizes)?)?.into())
            }
            Datum::Sequence { values, .. } => {
                let values: Answer<Vec<Value>> = values.iter().map(|value| value.to_value(stream)).collect();
                Ok(Value::Sequence(values?.into()))
            }
            Datum::Absent(_) => Ok(Value::Optional(None)),
        }
    }

    /// Returns the sizes of a tensor.
    pub(crate) fn sizes(&self) -> Option<&[i64]> {
        match &*self.0 {
            Datum::Numbers(Numbers { sizes, .. }) | Datum::Strings { sizes, .. } => Some(sizes),
            _ => None,
        }
    }

    /// Writes an output of a run into a tensor that the caller made for it.
    pub(crate) fn receive(&self, name: &str, output: &Value) -> Answer<()> {
        let own = match &*self.0 {
            Datum::Numbers(numbers) => Some((numbers.dtype, &numbers.sizes)),
            Datum::Strings { sizes, .. } => Some((DType::String, sizes)),
            _ => None,
        };
        let given = own.map_or("no tensor".to_owned(), |(dtype, sizes)| format!("{dtype}{sizes:?}"));
        let is = output.dtype().zip(output.shape().map(sizes));
        if own.is_none() || is.as_ref().map(|(dtype, sizes)| (*dtype, sizes)) != own {
            let reason = format!("output `{name}` is {output}, and what was given for it is {given}");
            return Err(Refusal::argument(reason));
        }
        let array = output.to_array()?;
        match &*self.0 {
            Datum::Numbers(numbers) => {
                let start = numbers.start()?.cast::<u8>();
                // SAFETY: the type and the shape are the same, so the tensor has as many bytes; nobody else has them
                // while it is given for an output.
                unsafe { start.copy_from(array.bytes().as_ptr(), array.bytes().len().min(numbers.bytes)) };
            }
            Datum::Strings { strings, .. } => {
                *lock(strings) = array.strings().unwrap_or_default().to_vec();
            }
            _ => {}
        }
        Ok(())
    }

    fn numbers(&self) -> Answer<&Numbers> {
        match &*self.0 {
            Datum::Numbers(numbers) => Ok(numbers),
            Datum::Strings { .. } => {
                Err(Refusal::argument("the value is a tensor of strings, not of numbers"))
            }
            _ => Err(Refusal::argument("the value is not a tensor")),
        }
    }

    fn strings(&self) -> Answer<MutexGuard<'_, Vec<String>>> {
        match &*self.0 {
            Datum::Strings { strings, .. } => Ok(lock(strings)),
            _ => Err(Refusal::argument("the value is not a tensor of strings")),
        }
    }

    fn tensor_info(&self) -> Answer<TensorInfo> {
        match &*self.0 {
            Datum::Numbers(numbers) => Ok(TensorInfo::of(numbers.dtype, &numbers.sizes)),
            Datum::Strings { sizes, .. } => Ok(TensorInfo::of(DType::String, sizes)),
            _ => Err(Refusal::argument("the value is not a tensor")),
        }
    }

    fn type_info(&self) -> TypeInfo {
        match &*self.0 {
            Datum::Numbers(numbers) => TypeInfo::Tensor(TensorInfo::of(numbers.dtype, &numbers.sizes)),
            Datum::Strings { sizes, .. } => TypeInfo::Tensor(TensorInfo::of(DType::String, sizes)),
            Datum::Sequence { element, .. } => TypeInfo::Sequence(Box::new(element.clone())),
            Datum::Absent(info @ TypeInfo::Optional(_)) => info.clone(),
            Datum::Absent(info) => TypeInfo::Optional(Box::new(info.clone())),
        }
    }

    fn kind(&self) -> ONNXType {
        match &*self.0 {
            Datum::Numbers(_) | Datum::Strings { .. } => ONNXType::ONNX_TYPE_TENSOR,
            Datum::Sequence { .. } => ONNXType::ONNX_TYPE_SEQUENCE,
            Datum::Absent(_) => ONNXType::ONNX_TYPE_OPTIONAL,
        }
    }
}

fn element(strings: &[String], index: usize) -> Answer<&String> {
    let beyond =
        || Refusal::argument(format!("there is no element {index}; the tensor has {}", strings.len()));
    strings.get(index).ok_or_else(beyond)
}

entries! {
    fn CreateTensorAsOrtValue(
        _allocator: *mut OrtAllocator,
        sizes: *const i64,
        rank: usize,
        element: ONNXTensorElementDataType,
        out: *mut *mut OrtValue,
    ) {
        let (dtype, sizes) = (elements::dtype(element)?, sizes.list(rank)?.to_vec());
        out.give(Handle::new(match dtype {
            DType::String => Datum::Strings { strings: Mutex::new(vec![String::new(); count(&sizes)?]), sizes },
            dtype => {
                let bytes = bytes(dtype, &sizes)?;
                Datum::Numbers(Numbers { dtype, sizes, bytes, place: Place::Host(Buffer::zeros(bytes)?) })
            }
        }))
    }

    fn CreateTensorWithDataAsOrtValue(
        info: *const OrtMemoryInfo,
        data: *mut c_void,
        length: usize,
        sizes: *const i64,
        rank: usize,
        element: ONNXTensorElementDataType,
        out: *mut *mut OrtValue,
    ) {
        info.here()?.check_host()?;
        let (dtype, sizes) = (elements::dtype(element)?, sizes.list(rank)?.to_vec());
        if dtype == DType::String {
            return Err(Refusal::argument("strings have no memory of their own; fill a tensor with them"));
        }
        let bytes = bytes(dtype, &sizes)?;
        if length < bytes || (data.is_null() && bytes > 0) {
            let reason = format!("{dtype}{sizes:?} takes {bytes} bytes, and {length} are given");
            return Err(Refusal::argument(reason));
        }
        let place = Place::Given(Given(data.raw()));
        out.give(Handle::new(Datum::Numbers(Numbers { dtype, sizes, bytes, place })))
    }

    fn IsTensor(value: *const OrtValue, out: *mut c_int) {
        out.set(c_int::from(value.here()?.kind() == ONNXType::ONNX_TYPE_TENSOR))
    }

    fn IsSparseTensor(value: *const OrtValue, out: *mut c_int) {
        value.here()?;
        out.set(0)
    }

    fn HasValue(value: *const OrtValue, out: *mut c_int) {
        out.set(c_int::from(!matches!(&*value.here()?.0, Datum::Absent(_))))
    }

    fn GetTensorMutableData(value: *mut OrtValue, out: *mut *mut c_void) {
        out.set(value.here()?.numbers()?.start()?)
    }

    fn TensorAt(value: *mut OrtValue, index: *const i64, rank: usize, out: *mut *mut c_void) {
        let numbers = value.here()?.numbers()?;
        let index = index.list(rank)?;
        let wrong = || Refusal::argument(format!("{index:?} is not an index of a tensor of shape {:?}", numbers.sizes));
        let size = numbers.dtype.bits() / 8;
        if rank != numbers.sizes.len() || size == 0 {
            return Err(wrong());
        }
        let mut place = 0;
        for (&index, &length) in index.iter().zip(&numbers.sizes) {
            if !(0..length).contains(&index) {
                return Err(wrong());
            }
            place = place * length.cast_unsigned() as usize + index.cast_unsigned() as usize;
        }
        // SAFETY: the index is within the shape, whose elements are in memory.
        out.set(unsafe { numbers.start()?.byte_add(place * size) })
    }

    fn GetTensorMemoryInfo(value: *const OrtValue, out: *mut *const OrtMemoryInfo) {
        value.here()?;
        out.set(memory::host())
    }

    fn GetTensorTypeAndShape(value: *const OrtValue, out: *mut *mut OrtTensorTypeAndShapeInfo) {
        out.give(value.here()?.tensor_info()?)
    }

    fn GetTypeInfo(value: *const OrtValue, out: *mut *mut OrtTypeInfo) {
        out.give(value.here()?.type_info())
    }

    fn GetValueType(value: *const OrtValue, out: *mut ONNXType) {
        out.set(value.here()?.kind())
    }

    fn FillStringTensor(value: *mut OrtValue, texts: *const *const c_char, count: usize) {
        let mut strings = value.here()?.strings()?;
        if count != strings.len() {
            let reason = format!("{count} strings are given for a tensor of {}", strings.len());
            return Err(Refusal::argument(reason));
        }
        *strings = texts.texts(count)?.into_iter().map(str::to_owned).collect();
        Ok(())
    }

    fn FillStringTensorElement(value: *mut OrtValue, string: *const c_char, index: usize) {
        let mut strings = value.here()?.strings()?;
        element(&strings, index)?;
        if let Some(place) = strings.get_mut(index) {
            string.text()?.clone_into(place);
        }
        Ok(())
    }

    fn GetStringTensorDataLength(value: *const OrtValue, out: *mut usize) {
        out.set(value.here()?.strings()?.iter().map(String::len).sum())
    }

    fn GetStringTensorContent(
        value: *const OrtValue,
        out: *mut c_void,
        length: usize,
        offsets: *mut usize,
        count: usize,
    ) {
        let strings = value.here()?.strings()?;
        let text = strings.concat();
        if length < text.len() || count < strings.len() {
            let reason = format!("{} strings of {} bytes do not fit", strings.len(), text.len());
            return Err(Refusal::argument(reason));
        }
        let starts = strings.iter().scan(0, |start, string| {
            *start += string.len();
            Some(*start - string.len())
        });
        out.set_bytes(text.as_bytes())?;
        offsets.set_all(&starts.collect::<Vec<usize>>())
    }

    fn GetStringTensorElementLength(value: *const OrtValue, index: usize, out: *mut usize) {
        out.set(element(&value.here()?.strings()?, index)?.len())
    }

    fn GetStringTensorElement(value: *const OrtValue, length: usize, index: usize, out: *mut c_void) {
        let strings = value.here()?.strings()?;
        let string = element(&strings, index)?;
        match length >= string.len() {
            true => out.set_bytes(string.as_bytes()),
            false => Err(Refusal::argument(format!("a string of {} bytes does not fit", string.len()))),
        }
    }

    fn CreateValue(values: *const *const OrtValue, count: usize, kind: ONNXType, out: *mut *mut OrtValue) {
        let values: Vec<Handle> = values.objects(count)?.into_iter().cloned().collect();
        match (kind, values.first()) {
            (ONNXType::ONNX_TYPE_SEQUENCE, Some(first)) => {
                out.give(Handle::new(Datum::Sequence { element: first.type_info(), values }))
            }
            (ONNXType::ONNX_TYPE_SEQUENCE, None) => {
                Err(Refusal::argument("a sequence is made of one value at least, which gives it its type"))
            }
            _ => Err(Refusal::new(OrtErrorCode::ORT_NOT_IMPLEMENTED, "ort-aclnn has no maps")),
        }
    }

    fn GetValueCount(value: *const OrtValue, out: *mut usize) {
        match &*value.here()?.0 {
            Datum::Sequence { values, .. } => out.set(values.len()),
            _ => Err(Refusal::argument("the value is not a sequence")),
        }
    }

    fn GetValue(value: *const OrtValue, index: c_int, _allocator: *mut OrtAllocator, out: *mut *mut OrtValue) {
        let Datum::Sequence { values, .. } = &*value.here()?.0 else {
            return Err(Refusal::argument("the value is not a sequence"));
        };
        let element = usize::try_from(index).ok().and_then(|index| values.get(index));
        let beyond = || Refusal::argument(format!("there is no value {index}; the sequence has {}", values.len()));
        out.give(element.ok_or_else(beyond)?.clone())
    }
}

releases!(ReleaseValue OrtValue);

#[cfg(feature = "api-31")]
pub(crate) mod later {
    //! Functions of later levels.

    use super::*;

    entries! {
        fn GetTensorSizeInBytes(value: *const OrtValue, out: *mut usize) {
            out.set(value.here()?.numbers()?.bytes)
        }

        fn GetTensorElementTypeAndShapeDataReference(
            value: *const OrtValue,
            element: *mut ONNXTensorElementDataType,
            sizes: *mut *const i64,
            rank: *mut usize,
        ) {
            let (dtype, own) = match &*value.here()?.0 {
                Datum::Numbers(numbers) => (numbers.dtype, &numbers.sizes),
                Datum::Strings { sizes, .. } => (DType::String, sizes),
                _ => return Err(Refusal::argument("the value is not a tensor")),
            };
            element.set(elements::code(dtype))?;
            sizes.set(own.as_ptr())?;
            rank.set(own.len())
        }
    }
}
