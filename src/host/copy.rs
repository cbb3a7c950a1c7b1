//! Copies of elements between host and device. All of them wait: no borrow of host memory outlives its call.

use aclnn_numerics::{DType, Element, Shape};

use crate::argument_checks::copies;
use crate::error::{Error, OperandInfo, Operands, Result};
use crate::memory::host_zeros;
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Copies a slice to a device, or to the device of a stream, as a contiguous tensor. The copy is complete on
    /// return.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1.5f32, 2.5, 3.5, 4.5], [2, 2])?;
    /// assert_eq!(grid.to_vec::<f32>()?, [1.5, 2.5, 3.5, 4.5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if the slice does not have as many elements as the shape, [`Error::OutOfMemory`], or what the
    /// library returned.
    #[doc(alias = "aclrtMemcpy")]
    #[doc(alias = "tensor")]
    #[doc(alias = "from_data")]
    #[doc(alias = "from_floats")]
    pub fn from_slice<T: Element>(
        on: impl Into<Stream>,
        elements: &[T],
        shape: impl Into<Shape>,
    ) -> Result<Tensor> {
        Self::of_elements("from_slice", &on.into(), elements, shape.into())
    }

    /// Copies a vector to a device, as [`Tensor::from_slice`] copies a slice.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_vec(&device, (0..6).collect(), (2, 3))?;
    /// assert_eq!(grid.dims(), [2, 3]);
    /// assert_eq!(grid.to_vec::<i32>()?, [0, 1, 2, 3, 4, 5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::from_slice`].
    #[doc(alias = "from_iter")]
    pub fn from_vec<T: Element>(
        on: impl Into<Stream>,
        elements: Vec<T>,
        shape: impl Into<Shape>,
    ) -> Result<Tensor> {
        Self::of_elements("from_vec", &on.into(), &elements, shape.into())
    }

    fn of_elements<T: Element>(
        operator: &'static str,
        stream: &Stream,
        elements: &[T],
        shape: Shape,
    ) -> Result<Tensor> {
        let operands = || Operands::new([OperandInfo::of_host("elements", T::DTYPE, elements.len())]);
        if shape.numel() != Some(elements.len()) {
            let (operands, given) = (operands(), elements.len());
            return Err(Error::Length { operator, operands, given, shape: Box::new(shape) });
        }
        let bound = stream.device().bind()?;
        let tensor = Tensor::empty_in(stream, &bound, &shape, T::DTYPE);
        let tensor = tensor.map_err(|error| error.during(operator, operands))?;
        tensor.buffer().upload(&bound, 0, T::as_bytes(elements))?;
        Ok(tensor)
    }

    /// Copies elements of any type to a device, or to the device of a stream, as a contiguous tensor. The elements lie
    /// one after the other in row-major order; elements smaller than a byte are packed, the first one in the low bits.
    /// For bool, every byte but 0 becomes 1, as a device computes with the byte. The copy is complete on return.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let bytes = [1i16, -2].map(i16::to_ne_bytes).concat();
    /// let line = Tensor::from_bytes(&device, DType::I16, &bytes, [2])?;
    /// assert_eq!(line.to_vec::<i16>()?, [1, -2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Bytes`] if there are not as many bytes as the elements take, [`Error::Tensor`] for strings,
    /// [`Error::OutOfMemory`], or what the library returned.
    pub fn from_bytes(
        on: impl Into<Stream>,
        dtype: DType,
        bytes: &[u8],
        shape: impl Into<Shape>,
    ) -> Result<Tensor> {
        let (stream, shape) = (on.into(), shape.into());
        let needed = shape.numel().and_then(|count| dtype.storage_bytes(count));
        let (operator, given) = ("from_bytes", bytes.len());
        let operands = || Operands::new([OperandInfo::of_host("bytes", DType::U8, given)]);
        if dtype.bits() > 0 && needed != Some(given) {
            return Err(Error::Bytes {
                operator,
                operands: operands(),
                given,
                dtype,
                shape: Box::new(shape),
            });
        }
        let bound = stream.device().bind()?;
        let tensor = Tensor::empty_in(&stream, &bound, &shape, dtype);
        let tensor = tensor.map_err(|error| error.during(operator, operands))?;
        if dtype == DType::Bool && bytes.iter().any(|&byte| byte > 1) {
            let mut truths = host_zeros(bytes.len())?;
            truths.iter_mut().zip(bytes).for_each(|(to, &byte)| *to = u8::from(byte != 0));
            tensor.buffer().upload(&bound, 0, &truths)?;
        } else {
            tensor.buffer().upload(&bound, 0, bytes)?;
        }
        Ok(tensor)
    }

    /// Returns the elements in row-major order. Waits for the work that computes them.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.transpose(0, 1)?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ElementType`] if the tensor holds other elements than `T`, and those of [`Tensor::to_bytes`].
    #[doc(alias = "aclrtMemcpy", alias = "to_vec1", alias = "tolist")]
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.read_as("to_vec")
    }

    /// Returns a copy of the elements of a tensor of two axes, row by row. Waits for the work that computes them.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.to_vec2::<i32>()?, [[1, 2, 3], [4, 5, 6]]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::dims2`] and [`Tensor::to_vec`].
    #[doc(alias = "aclrtMemcpy")]
    pub fn to_vec2<T: Element>(&self) -> Result<Vec<Vec<T>>> {
        let (rows, columns) = self.dims2()?;
        let mut elements = self.read_as("to_vec2")?.into_iter();
        Ok((0..rows).map(|_| elements.by_ref().take(columns).collect()).collect())
    }

    /// Returns a copy of the elements of a tensor of three axes, as [`Tensor::to_vec2`] does of two.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let cube = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 1, 2])?;
    /// assert_eq!(cube.to_vec3::<i32>()?, [[[1, 2]], [[3, 4]]]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::dims3`] and [`Tensor::to_vec`].
    #[doc(alias = "aclrtMemcpy")]
    pub fn to_vec3<T: Element>(&self) -> Result<Vec<Vec<Vec<T>>>> {
        let (planes, rows, columns) = self.dims3()?;
        let mut elements = self.read_as("to_vec3")?.into_iter();
        let mut row = || elements.by_ref().take(columns).collect();
        Ok((0..planes).map(|_| (0..rows).map(|_| row()).collect()).collect())
    }

    fn read_as<T: Element>(&self, operator: &'static str) -> Result<Vec<T>> {
        if T::DTYPE != self.dtype() {
            let (operands, dtype) = (self.operands(), self.dtype());
            return Err(Error::ElementType { operator, operands, dtype, asked: T::DTYPE });
        }
        Ok(T::from_bytes(&self.to_bytes()?))
    }

    /// Returns the element of a tensor that has exactly one, whatever its shape. Waits for the work that computes it.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1.5f32, 2.5, 3.5, 4.5], [2, 2])?;
    /// assert_eq!(grid.select(0, 1)?.select(0, 0)?.item::<f32>()?, 3.5);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotSingle`] if there are more elements, or none, and those of [`Tensor::to_vec`].
    #[doc(alias = "to_scalar", alias = "to_vec0")]
    #[doc(alias = "into_scalar")]
    pub fn item<T: Element>(&self) -> Result<T> {
        if self.numel() != 1 {
            let (operands, shape) = (self.operands(), Box::new(self.shape().clone()));
            return Err(Error::NotSingle { operator: "item", operands, shape });
        }
        self.read_as("item")?
            .first()
            .copied()
            .ok_or(Error::Internal { what: "an element outside its buffer" })
    }

    /// Returns the bytes of the elements in row-major order; elements smaller than a byte are packed, the first one in
    /// the low bits. Waits for the work that computes them.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1i16, -2], [2])?;
    /// assert_eq!(line.to_bytes()?, [1i16, -2].map(i16::to_ne_bytes).concat());
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::StreamFailed`] if the work failed, [`Error::HostMemory`] or [`Error::Tensor`] if the elements do not
    /// fit into memory, or what the library returned.
    #[doc(alias = "into_data")]
    #[doc(alias = "to_data")]
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        if !self.is_contiguous() && copies(self) {
            return self.copy()?.to_bytes();
        }
        self.gathered()
    }

    /// Copies a slice to the elements in row-major order. Waits for the work that uses them.
    ///
    /// The device writes the elements of a view that is not contiguous, with the limits of [`Tensor::copy_from`]. Such
    /// a view must not be of c32 or have more than eight axes.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::zeros(&device, [3], DType::I32)?;
    /// line.copy_from_slice(&[1, 2, 3])?;
    /// assert_eq!(line.to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ElementType`] or [`Error::Length`] if the slice does not fit the tensor; for a view that is not
    /// contiguous those of [`Tensor::copy_from`]; [`Error::StreamFailed`] if work that uses the elements failed;
    /// [`Error::Capture`] while a graph is captured from the stream of the tensor, whose replays would not copy; or what the
    /// library returned.
    #[doc(alias = "aclrtMemcpy")]
    pub fn copy_from_slice<T: Element>(&mut self, elements: &[T]) -> Result<()> {
        self.suits::<T>("copy_from_slice", elements.len())?;
        self.stream().core().must_not_be_captured("copying a slice")?;
        if !self.is_contiguous() {
            return self.copy_from(&Tensor::from_slice(self.stream(), elements, self.shape())?);
        }
        let offset = self.layout().offset().saturating_mul(size_of::<T>());
        self.buffer().upload(&self.device().bind()?, offset, T::as_bytes(elements))
    }

    /// Copies the elements in row-major order to a slice. Waits for the work that computes them.
    ///
    /// If the tensor is contiguous, nothing is allocated; [`Tensor::to_vec`] makes a new vector.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::arange(&device, 0, 3, 1, DType::I32)?;
    /// let mut numbers = [0; 3];
    /// line.copy_to_slice(&mut numbers)?;
    /// assert_eq!(numbers, [0, 1, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ElementType`] or [`Error::Length`] if the slice does not fit the tensor, and those of
    /// [`Tensor::to_bytes`]. If the library fails during the copy, the slice may hold some of the elements.
    #[doc(alias = "aclrtMemcpy")]
    pub fn copy_to_slice<T: Element>(&self, elements: &mut [T]) -> Result<()> {
        self.suits::<T>("copy_to_slice", elements.len())?;
        match T::as_bytes_mut(elements) {
            Some(bytes) if self.is_contiguous() => {
                let offset = self.layout().offset().saturating_mul(size_of::<T>());
                self.buffer().download_to(&self.device().bind()?, offset, bytes)
            }
            _ => {
                let values = T::from_bytes(&self.to_bytes()?);
                elements.iter_mut().zip(values).for_each(|(element, value)| *element = value);
                Ok(())
            }
        }
    }

    /// Checks that the host has elements of the type of the tensor, and as many.
    fn suits<T: Element>(&self, operator: &'static str, given: usize) -> Result<()> {
        let operands =
            || Operands::new([self.info("self"), OperandInfo::of_host("elements", T::DTYPE, given)]);
        if T::DTYPE != self.dtype() {
            let (operands, dtype) = (operands(), self.dtype());
            return Err(Error::ElementType { operator, operands, dtype, asked: T::DTYPE });
        }
        if self.numel() != given {
            let (operands, shape) = (operands(), Box::new(self.shape().clone()));
            return Err(Error::Length { operator, operands, given, shape });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use crate::ops;

    #[test]
    fn elements_of_less_than_a_byte_are_copied_on_the_host() -> Result<()> {
        let device = Device::of_unknown_product()?;
        let grid = Tensor::from_bytes(&device, DType::I4, &[0x21, 0x43, 0x65], [2, 3])?;
        assert_eq!(grid.transpose(0, 1)?.to_bytes()?, [0x41, 0x52, 0x63]);
        assert_eq!(grid.transpose(0, 1)?.copy()?.to_bytes()?, [0x41, 0x52, 0x63]);
        assert_eq!(grid.select(0, 1)?.copy()?.to_bytes()?, [0x54, 0x06]);
        Ok(())
    }

    #[test]
    fn a_part_of_a_byte_is_not_written() -> Result<()> {
        let device = Device::of_unknown_product()?;
        let all = Tensor::from_bytes(&device, DType::I4, &[0x21, 0x43], [4])?;
        let source = Tensor::from_bytes(&device, DType::I4, &[0x76, 0x08], [3])?;
        let mut prefix = all.slice(0, 0..3)?;
        let small = Tensor::from_slice(&device, &[1i32, 2, 3], [3])?;
        for refused in
            [prefix.copy_from(&source), prefix.fill_in_place(1), ops::add(&small, 1).run_into(&mut prefix)]
        {
            let error = refused.unwrap_err();
            assert!(matches!(error, Error::SharedBytes { dtype: DType::I4, .. }), "{error}");
        }
        assert_eq!(all.to_bytes()?, [0x21, 0x43]);
        Ok(())
    }

    #[test]
    fn types_without_a_code_are_refused() -> Result<()> {
        let device = Device::of_unknown_product()?;
        let a = Tensor::from_slice(&device, &[1.0f32], [1])?;
        let cast = a.cast(DType::F8E4M3FNUZ);
        assert!(matches!(cast, Err(Error::NoCast { .. })), "{cast:?}");
        let filled = Tensor::full(&device, [2], 1, DType::F8E4M3FNUZ);
        assert!(filled.is_err(), "{filled:?}");
        let sum = a.add(aclnn_numerics::element::F8E4M3FNUZ(1));
        assert!(sum.is_err(), "{sum:?}");
        // The host copies them.
        let grid = Tensor::from_bytes(&device, DType::F8E4M3FNUZ, &[1, 2, 3, 4], [2, 2])?;
        assert_eq!(grid.transpose(0, 1)?.copy()?.to_bytes()?, [1, 3, 2, 4]);
        Ok(())
    }
}
