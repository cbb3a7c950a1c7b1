//! Elements on the host: numbers of any type, packed, or strings.

use std::fmt;
use std::sync::Arc;

use aclnn::onnx::CastOptions;
use aclnn::{DType, Element, Layout, Shape};
use aclnn_numerics::convert::onnx as convert;
use aclnn_numerics::convert::pack::Width;
use aclnn_numerics::layout::Walk;
use bytes::Bytes;

use crate::error::{Error, Result};

/// A tensor in host memory.
///
/// It has any element type of ONNX, strings among them. Elements lie in row-major order; those smaller than a byte are
/// packed, the first one in the low bits. Clones share the elements.
///
/// ```
/// use aclnn_onnx::{Array, DType};
///
/// let array = Array::from_slice(&[1.0f32, 2.0], [2])?;
/// assert_eq!(array.dtype(), DType::F32);
/// assert_eq!(array.to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), aclnn_onnx::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Array {
    dtype: DType,
    shape: Shape,
    elements: Elements,
}

#[derive(Clone, PartialEq)]
enum Elements {
    Packed(Bytes),
    Strings(Arc<[String]>),
}

fn refused<T>(reason: impl Into<String>) -> Result<T> {
    Err(Error::Array(reason.into()))
}

/// Returns the number of elements of a shape.
fn count(shape: &Shape) -> Result<usize> {
    match shape.numel() {
        Some(count) => Ok(count),
        None => refused(format!("{:?} has more elements than memory can hold", &shape[..])),
    }
}

impl Array {
    /// Returns the elements that bytes hold. For bool, every byte but 0 becomes 1.
    ///
    /// # Errors
    /// [`Error::Array`] if there are not as many bytes as the elements take, or the type is that of strings.
    pub fn new(dtype: DType, shape: impl Into<Shape>, bytes: impl Into<Bytes>) -> Result<Array> {
        let (shape, mut bytes) = (shape.into(), bytes.into());
        if dtype == DType::String {
            return refused("strings are not bytes; use `Array::from_strings`");
        }
        let needed = dtype.storage_bytes(count(&shape)?);
        if needed != Some(bytes.len()) {
            let needed = needed.map_or("more than memory can hold".to_owned(), |bytes| bytes.to_string());
            return refused(format!(
                "{} bytes are not {dtype}{:?}, which takes {needed} bytes",
                bytes.len(),
                &shape[..]
            ));
        }
        if dtype == DType::Bool && bytes.iter().any(|&byte| byte > 1) {
            bytes = bytes.iter().map(|&byte| u8::from(byte != 0)).collect();
        }
        Ok(Array { dtype, shape, elements: Elements::Packed(bytes) })
    }

    /// Copies elements.
    ///
    /// # Errors
    /// [`Error::Array`] if the shape has another number of elements.
    pub fn from_slice<T: Element>(elements: &[T], shape: impl Into<Shape>) -> Result<Array> {
        Array::new(T::DTYPE, shape, Bytes::copy_from_slice(T::as_bytes(elements)))
    }

    /// Copies elements whose number is that of the shape.
    #[cfg(feature = "ndarray")]
    pub(crate) fn of<T: Element>(elements: &[T], shape: &[usize]) -> Array {
        let bytes = Bytes::copy_from_slice(T::as_bytes(elements));
        Array { dtype: T::DTYPE, shape: shape.into(), elements: Elements::Packed(bytes) }
    }

    /// Returns strings as an array.
    ///
    /// # Errors
    /// [`Error::Array`] if the shape has another number of elements.
    pub fn from_strings(strings: impl Into<Arc<[String]>>, shape: impl Into<Shape>) -> Result<Array> {
        let (strings, shape) = (strings.into(), shape.into());
        if count(&shape)? != strings.len() {
            return refused(format!("{} strings do not fill {:?}", strings.len(), &shape[..]));
        }
        Ok(Array { dtype: DType::String, shape, elements: Elements::Strings(strings) })
    }

    /// Returns integers as elements of a type; what is too large for the type loses its high bits.
    pub(crate) fn from_i64s(dtype: DType, values: &[i64], shape: impl Into<Shape>) -> Result<Array> {
        Array::from_slice(values, shape)?.cast(dtype)
    }

    /// Returns numbers as elements of a type, rounded once.
    pub(crate) fn from_f64s(dtype: DType, values: &[f64], shape: impl Into<Shape>) -> Result<Array> {
        Array::from_slice(values, shape)?.cast(dtype)
    }

    /// Returns one number without axes.
    pub(crate) fn from_value<T: Element>(value: T) -> Array {
        let elements = Elements::Packed(Bytes::copy_from_slice(T::as_bytes(&[value])));
        Array { dtype: T::DTYPE, shape: Shape::scalar(), elements }
    }

    /// Returns one integer without axes.
    pub(crate) fn scalar(value: i64) -> Array {
        Array {
            dtype: DType::I64,
            shape: Shape::scalar(),
            elements: Elements::Packed(Bytes::copy_from_slice(&value.to_ne_bytes())),
        }
    }

    /// Returns integers along one axis.
    pub(crate) fn line(values: impl IntoIterator<Item = i64>) -> Array {
        let bytes: Vec<u8> = values.into_iter().flat_map(i64::to_ne_bytes).collect();
        let shape = Shape::from([bytes.len() / 8]);
        Array { dtype: DType::I64, shape, elements: Elements::Packed(bytes.into()) }
    }

    /// Returns the element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns the sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the sizes of the axes as a slice.
    pub fn dims(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the number of axes.
    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// Returns the number of elements.
    pub fn numel(&self) -> usize {
        self.shape.numel().unwrap_or(0)
    }

    /// Returns the packed elements; no bytes for strings.
    pub fn bytes(&self) -> &[u8] {
        match &self.elements {
            Elements::Packed(bytes) => bytes,
            Elements::Strings(_) => &[],
        }
    }

    /// Returns the strings, if this is an array of strings.
    pub fn strings(&self) -> Option<&[String]> {
        match &self.elements {
            Elements::Packed(_) => None,
            Elements::Strings(strings) => Some(strings),
        }
    }

    /// Copies the elements.
    ///
    /// # Errors
    /// [`Error::Array`] if they are of another type.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        if T::DTYPE != self.dtype {
            return refused(format!("the elements are {}, not {}", self.dtype, T::DTYPE));
        }
        Ok(T::from_bytes(self.bytes()))
    }

    /// Converts the elements as ONNX Cast of the latest version does.
    ///
    /// # Errors
    /// [`Error::Array`] if Cast lacks one of the types.
    pub fn cast(&self, dtype: DType) -> Result<Array> {
        self.cast_with(dtype, CastOptions::default())
    }

    /// Converts the elements as ONNX Cast does, strings among them.
    pub(crate) fn cast_with(&self, dtype: DType, options: CastOptions) -> Result<Array> {
        if dtype == self.dtype {
            return Ok(self.clone());
        }
        let numel = self.numel();
        let refuse = |error: convert::CastError| Error::Array(error.to_string());
        if dtype == DType::String {
            let strings =
                convert::cast_to_strings(self.dtype, options, self.bytes(), numel).map_err(refuse)?;
            return Array::from_strings(strings, self.shape.clone());
        }
        let Some(size) = dtype.storage_bytes(numel) else { return refused("too many elements") };
        let mut bytes = vec![0; size];
        match &self.elements {
            Elements::Strings(strings) => {
                convert::cast_from_strings(strings, dtype, options, &mut bytes).map_err(refuse)?;
            }
            Elements::Packed(source) => {
                convert::cast(self.dtype, dtype, options, source, numel, &mut bytes).map_err(refuse)?;
            }
        }
        Ok(Array { dtype, shape: self.shape.clone(), elements: Elements::Packed(bytes.into()) })
    }

    /// Returns the elements as integers of 64 bits; those of u64 keep their bits.
    pub(crate) fn to_i64s(&self) -> Result<Vec<i64>> {
        self.cast(DType::I64)?.to_vec()
    }

    /// Returns the elements as numbers of 64 bits.
    pub(crate) fn to_f64s(&self) -> Result<Vec<f64>> {
        self.cast(DType::F64)?.to_vec()
    }

    /// Returns the same elements in another shape.
    pub(crate) fn reshape(&self, shape: impl Into<Shape>) -> Result<Array> {
        let shape = shape.into();
        if count(&shape)? != self.numel() {
            return refused(format!(
                "{:?} has another number of elements than {:?}",
                &shape[..],
                &self.shape[..]
            ));
        }
        Ok(Array { dtype: self.dtype, shape, elements: self.elements.clone() })
    }

    /// Returns the elements at some places, counted in row-major order, in a shape.
    pub(crate) fn take(
        &self,
        places: impl ExactSizeIterator<Item = usize>,
        shape: impl Into<Shape>,
    ) -> Result<Array> {
        let shape = shape.into();
        if count(&shape)? != places.len() {
            return refused(format!("{} elements do not fill {:?}", places.len(), &shape[..]));
        }
        let beyond = || Error::Array("an index is out of range".to_owned());
        let bytes = match &self.elements {
            Elements::Strings(strings) => {
                let taken: Result<Vec<String>> =
                    places.map(|place| strings.get(place).cloned().ok_or_else(beyond)).collect();
                return Array::from_strings(taken?, shape);
            }
            Elements::Packed(bytes) => bytes,
        };
        let target = match Width::of(self.dtype) {
            Some(width) => {
                let mut codes = vec![0; self.numel()];
                width.unpack(bytes, &mut codes);
                let taken: Result<Vec<u8>> =
                    places.map(|place| codes.get(place).copied().ok_or_else(beyond)).collect();
                let taken = taken?;
                let mut packed = vec![0; self.dtype.storage_bytes(taken.len()).unwrap_or(0)];
                width.pack(&taken, &mut packed);
                packed
            }
            None => {
                let size = self.dtype.bits() / 8;
                let mut target = Vec::with_capacity(size * places.len());
                for place in places {
                    let element = bytes.get(place * size..(place + 1) * size).ok_or_else(beyond)?;
                    target.extend_from_slice(element);
                }
                target
            }
        };
        Ok(Array { dtype: self.dtype, shape, elements: Elements::Packed(target.into()) })
    }

    /// Returns the elements of arrays with one axis and of one type, one after the other.
    pub(crate) fn joined(lines: &[Array]) -> Result<Array> {
        let Some(first) = lines.first() else { return refused("there are no arrays to join") };
        let (dtype, numel) = (first.dtype, lines.iter().map(Array::numel).sum::<usize>());
        if dtype == DType::String {
            let strings: Vec<String> = lines.iter().filter_map(Array::strings).flatten().cloned().collect();
            return Array::from_strings(strings, [numel]);
        }
        if let Some(width) = Width::of(dtype) {
            let mut codes = Vec::with_capacity(numel);
            for line in lines {
                let start = codes.len();
                codes.resize(start + line.numel(), 0);
                if let Some(codes) = codes.get_mut(start..) {
                    width.unpack(line.bytes(), codes);
                }
            }
            let mut packed = vec![0; dtype.storage_bytes(numel).unwrap_or(0)];
            width.pack(&codes, &mut packed);
            return Array::new(dtype, [numel], packed);
        }
        Array::new(dtype, [numel], lines.iter().map(Array::bytes).collect::<Vec<_>>().concat())
    }

    /// Returns a view of the elements, copied.
    pub(crate) fn view(&self, layout: &Layout) -> Result<Array> {
        let mut places = Vec::with_capacity(layout.numel().unwrap_or(0));
        let start = layout.offset() as isize;
        let walk = Walk::new(layout.shape(), [layout.strides()]);
        let [stride] = walk.inner_strides();
        walk.for_each_run(|[offset], length| {
            places.extend((0..length as isize).map(|i| (start + offset + i * stride) as usize));
        });
        self.take(places.into_iter(), layout.shape().clone())
    }

    /// Returns the layout of the elements: contiguous.
    pub(crate) fn layout(&self) -> Layout {
        Layout::contiguous(self.shape.clone())
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.dtype, &self.shape[..])
    }
}
