//! Types of values, as `ort` asks for them.

use std::ffi::{CString, c_char};

use aclnn::DType;
use aclnn_onnx::{Dimension, ValueType};
use ort_sys::*;

use crate::elements;
use crate::entry::{Object, Refusal, entries, releases};

/// The type of a value.
#[derive(Clone)]
pub(crate) enum TypeInfo {
    Tensor(TensorInfo),
    Sequence(Box<TypeInfo>),
    Map(Box<MapInfo>),
    Optional(Box<TypeInfo>),
}

/// The element type and the shape of a tensor.
#[derive(Clone)]
pub(crate) struct TensorInfo {
    element: ONNXTensorElementDataType,
    #[cfg_attr(not(feature = "api-31"), allow(dead_code))]
    has_shape: bool,
    /// -1 for a size that is not fixed.
    sizes: Vec<i64>,
    /// One for each size; empty for those without.
    names: Vec<CString>,
}

/// The type of a map.
#[derive(Clone)]
pub(crate) struct MapInfo {
    key: ONNXTensorElementDataType,
    value: TypeInfo,
}

impl Object for OrtTypeInfo {
    type Here = TypeInfo;
}

impl Object for OrtTensorTypeAndShapeInfo {
    type Here = TensorInfo;
}

impl Object for OrtSequenceTypeInfo {
    type Here = TypeInfo;
}

impl Object for OrtOptionalTypeInfo {
    type Here = TypeInfo;
}

impl Object for OrtMapTypeInfo {
    type Here = MapInfo;
}

impl TensorInfo {
    /// Returns the type of a tensor that is there.
    pub(crate) fn of(dtype: DType, sizes: &[i64]) -> TensorInfo {
        let names = vec![CString::default(); sizes.len()];
        TensorInfo { element: elements::code(dtype), has_shape: true, sizes: sizes.to_vec(), names }
    }

    fn unknown() -> TensorInfo {
        let element = ONNXTensorElementDataType::ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
        TensorInfo { element, has_shape: false, sizes: Vec::new(), names: Vec::new() }
    }

    /// Returns a declared type. `fixed` gives sizes to axes by their names.
    fn declared(dtype: DType, shape: Option<&[Dimension]>, fixed: &[(String, i64)]) -> TensorInfo {
        let mut info = TensorInfo::of(dtype, &[]);
        info.has_shape = shape.is_some();
        for dimension in shape.unwrap_or_default() {
            let (size, name) = match dimension {
                Dimension::Fixed(size) => (i64::try_from(*size).unwrap_or(i64::MAX), ""),
                Dimension::Named(name) => match fixed.iter().find(|(own, _)| own == name) {
                    Some((_, size)) => (*size, ""),
                    None => (-1, name.as_str()),
                },
                _ => (-1, ""),
            };
            info.sizes.push(size);
            info.names.push(CString::new(name).unwrap_or_default());
        }
        info
    }
}

impl TypeInfo {
    /// Returns a declared type; a tensor of no known type if there is none.
    pub(crate) fn declared(declared: Option<&ValueType>, fixed: &[(String, i64)]) -> TypeInfo {
        let inner = |inner: &ValueType| TypeInfo::declared(Some(inner), fixed);
        match declared {
            Some(ValueType::Tensor { dtype, shape }) => {
                TypeInfo::Tensor(TensorInfo::declared(*dtype, shape.as_deref(), fixed))
            }
            Some(ValueType::Sequence(element)) => TypeInfo::Sequence(Box::new(inner(element))),
            Some(ValueType::Optional(content)) => TypeInfo::Optional(Box::new(inner(content))),
            Some(ValueType::Map { key, value }) => {
                TypeInfo::Map(Box::new(MapInfo { key: elements::code(*key), value: inner(value) }))
            }
            _ => TypeInfo::Tensor(TensorInfo::unknown()),
        }
    }

    fn kind(&self) -> ONNXType {
        match self {
            TypeInfo::Tensor(_) => ONNXType::ONNX_TYPE_TENSOR,
            TypeInfo::Sequence(_) => ONNXType::ONNX_TYPE_SEQUENCE,
            TypeInfo::Map(_) => ONNXType::ONNX_TYPE_MAP,
            TypeInfo::Optional(_) => ONNXType::ONNX_TYPE_OPTIONAL,
        }
    }
}

/// Returns a pointer to a part of a type, or null if the type has another kind.
fn part<T: Object>(part: Option<&T::Here>) -> *const T {
    part.map_or(std::ptr::null(), |part| (&raw const *part).cast())
}

entries! {
    fn CastTypeInfoToTensorInfo(info: *const OrtTypeInfo, out: *mut *const OrtTensorTypeAndShapeInfo) {
        out.set(part(match info.here()? {
            TypeInfo::Tensor(tensor) => Some(tensor),
            _ => None,
        }))
    }

    fn CastTypeInfoToSequenceTypeInfo(info: *const OrtTypeInfo, out: *mut *const OrtSequenceTypeInfo) {
        out.set(part(match info.here()? {
            TypeInfo::Sequence(element) => Some(&**element),
            _ => None,
        }))
    }

    fn CastTypeInfoToOptionalTypeInfo(info: *const OrtTypeInfo, out: *mut *const OrtOptionalTypeInfo) {
        out.set(part(match info.here()? {
            TypeInfo::Optional(content) => Some(&**content),
            _ => None,
        }))
    }

    fn CastTypeInfoToMapTypeInfo(info: *const OrtTypeInfo, out: *mut *const OrtMapTypeInfo) {
        out.set(part(match info.here()? {
            TypeInfo::Map(map) => Some(&**map),
            _ => None,
        }))
    }

    fn GetOnnxTypeFromTypeInfo(info: *const OrtTypeInfo, out: *mut ONNXType) {
        out.set(info.here()?.kind())
    }

    fn GetDenotationFromTypeInfo(info: *const OrtTypeInfo, denotation: *mut *const c_char, length: *mut usize) {
        info.here()?;
        denotation.set(c"".as_ptr())?;
        length.set(0)
    }

    fn GetSequenceElementType(info: *const OrtSequenceTypeInfo, out: *mut *mut OrtTypeInfo) {
        out.give(info.here()?.clone())
    }

    fn GetOptionalContainedTypeInfo(info: *const OrtOptionalTypeInfo, out: *mut *mut OrtTypeInfo) {
        out.give(info.here()?.clone())
    }

    fn GetMapKeyType(info: *const OrtMapTypeInfo, out: *mut ONNXTensorElementDataType) {
        out.set(info.here()?.key)
    }

    fn GetMapValueType(info: *const OrtMapTypeInfo, out: *mut *mut OrtTypeInfo) {
        out.give(info.here()?.value.clone())
    }

    fn CreateTensorTypeAndShapeInfo(out: *mut *mut OrtTensorTypeAndShapeInfo) {
        out.give(TensorInfo::unknown())
    }

    fn SetTensorElementType(info: *mut OrtTensorTypeAndShapeInfo, element: ONNXTensorElementDataType) {
        info.here_mut()?.element = element;
        Ok(())
    }

    fn SetDimensions(info: *mut OrtTensorTypeAndShapeInfo, sizes: *const i64, count: usize) {
        let info = info.here_mut()?;
        info.sizes = sizes.list(count)?.to_vec();
        info.names = vec![CString::default(); count];
        info.has_shape = true;
        Ok(())
    }

    fn SetSymbolicDimensions(info: *mut OrtTensorTypeAndShapeInfo, names: *mut *const c_char, count: usize) {
        let info = info.here_mut()?;
        if count != info.sizes.len() {
            let sizes = info.sizes.len();
            return Err(Refusal::argument(format!("{count} names are given for {sizes} dimensions")));
        }
        info.names = names.reading().texts(count)?.into_iter().map(|name| CString::new(name).unwrap_or_default()).collect();
        Ok(())
    }

    fn GetTensorElementType(info: *const OrtTensorTypeAndShapeInfo, out: *mut ONNXTensorElementDataType) {
        out.set(info.here()?.element)
    }

    fn GetDimensionsCount(info: *const OrtTensorTypeAndShapeInfo, out: *mut usize) {
        out.set(info.here()?.sizes.len())
    }

    fn GetDimensions(info: *const OrtTensorTypeAndShapeInfo, out: *mut i64, count: usize) {
        let sizes = &info.here()?.sizes;
        out.set_all(sizes.get(..count).unwrap_or(sizes))
    }

    fn GetSymbolicDimensions(info: *const OrtTensorTypeAndShapeInfo, out: *mut *const c_char, count: usize) {
        let names: Vec<*const c_char> = info.here()?.names.iter().take(count).map(|name| name.as_ptr()).collect();
        out.set_all(&names)
    }

    fn GetTensorShapeElementCount(info: *const OrtTensorTypeAndShapeInfo, out: *mut usize) {
        let sizes = &info.here()?.sizes;
        let count = sizes.iter().try_fold(1, |count: usize, &size| count.checked_mul(usize::try_from(size).ok()?));
        out.set(count.ok_or_else(|| Refusal::argument(format!("the shape {sizes:?} has no number of elements")))?)
    }
}

releases!(ReleaseTypeInfo OrtTypeInfo, ReleaseTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo);

// They are parts of a type, which ends them.
#[allow(non_snake_case)]
unsafe extern "system" fn ReleaseMapTypeInfo(_: *mut OrtMapTypeInfo) {}

#[allow(non_snake_case)]
unsafe extern "system" fn ReleaseSequenceTypeInfo(_: *mut OrtSequenceTypeInfo) {}

#[cfg(feature = "api-31")]
#[allow(non_snake_case)]
unsafe extern "system" fn TensorTypeAndShape_HasShape(info: *const OrtTensorTypeAndShapeInfo) -> bool {
    // SAFETY: callers of the C interface give an object that `give` made.
    unsafe { info.cast::<TensorInfo>().as_ref() }.is_some_and(|info| info.has_shape)
}

/// Puts the functions that return no status into the table.
pub(crate) fn serve_others(api: &mut OrtApi) {
    api.ReleaseMapTypeInfo = ReleaseMapTypeInfo;
    api.ReleaseSequenceTypeInfo = ReleaseSequenceTypeInfo;
    #[cfg(feature = "api-31")]
    {
        api.TensorTypeAndShape_HasShape = TensorTypeAndShape_HasShape;
    }
}
