//! The checks of arguments before anything is launched. Each failure names the operator and its operands.

use std::fmt::Display;

use aclnn_numerics::convert::cann::has_cast;
use aclnn_numerics::layout::broadcast;
use aclnn_numerics::product::Product;
use aclnn_numerics::types_by_product::Types;
use aclnn_numerics::{DType, Shape};
use smallvec::SmallVec;

use crate::device::Device;
use crate::error::{Error, Operands, Result};
use crate::limits::MAX_RANK;
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Overlap, Tensor, axis_of};

/// An operator and its arguments, before the launch.
pub(crate) struct Operation<'a> {
    pub(crate) operator: &'static str,
    pub(crate) stream: &'a Stream,
    tensors: SmallVec<[(&'static str, &'a Tensor); 3]>,
    scalars: SmallVec<[(&'static str, Scalar); 3]>,
}

impl<'a> Operation<'a> {
    pub(crate) fn new(operator: &'static str, stream: &'a Stream) -> Self {
        Self { operator, stream, tensors: SmallVec::new(), scalars: SmallVec::new() }
    }

    pub(crate) fn tensor(mut self, name: &'static str, tensor: &'a Tensor) -> Self {
        self.tensors.push((name, tensor));
        self
    }

    pub(crate) fn scalar(mut self, name: &'static str, scalar: Scalar) -> Self {
        self.scalars.push((name, scalar));
        self
    }

    pub(crate) fn operands(&self) -> Operands {
        let tensors = self.tensors.iter().map(|(name, tensor)| tensor.info(name));
        Operands::new(tensors.chain(self.scalars.iter().map(|(name, scalar)| scalar.info(name))))
    }

    /// Makes a tensor for the result.
    pub(crate) fn empty(&self, shape: impl Into<Shape>, dtype: DType) -> Result<Tensor> {
        Tensor::empty(self.stream, shape, dtype).map_err(|error| self.explain(error))
    }

    /// Returns the error under the name of the operation.
    pub(crate) fn explain(&self, error: Error) -> Error {
        error.during(self.operator, || self.operands())
    }

    fn device(&self) -> &'a Device {
        self.stream.device()
    }

    pub(crate) fn product(&self) -> Option<Product> {
        self.device().product()
    }

    /// Checks that all operands are on the device of the stream, and that none has more axes than operators take.
    pub(crate) fn placed(&self) -> Result<()> {
        for (name, tensor) in &self.tensors {
            if tensor.device() != self.device() {
                return Err(Error::Devices {
                    operator: self.operator,
                    operands: self.operands(),
                    first: self.device().id(),
                    second: tensor.device().id(),
                });
            }
            if tensor.rank() > MAX_RANK {
                let (operator, operands) = (self.operator, self.operands());
                return Err(Error::Rank { operator, operands, name, rank: tensor.rank() });
            }
        }
        Ok(())
    }

    /// Checks that an operand has a type and a shape.
    pub(crate) fn must_be(
        &self,
        name: impl Display,
        tensor: &Tensor,
        (dtype, dims): (DType, &[usize]),
    ) -> Result<()> {
        if tensor.dtype() == dtype && tensor.dims() == dims {
            return Ok(());
        }
        let (own, shape) = (tensor.dtype(), tensor.shape());
        Err(self.refused(format!("{name} is {own} {shape}, but must be {dtype} {dims:?}")))
    }

    /// Returns the sizes of an operand that must have so many axes, which `of` names.
    pub(crate) fn axes<const N: usize>(&self, name: &str, tensor: &Tensor, of: &str) -> Result<[usize; N]> {
        <[usize; N]>::try_from(tensor.dims()).map_err(|_| {
            let (own, shape) = (tensor.dtype(), tensor.shape());
            self.refused(format!("{name} is {own} {shape}, but must have the axes {of}"))
        })
    }

    /// Returns the shape that two operands broadcast to.
    pub(crate) fn broadcast(&self, a: &Shape, b: &Shape) -> Result<Shape> {
        if a == b {
            return Ok(a.clone());
        }
        broadcast(a, b).map_err(|cause| Error::Broadcast {
            operator: self.operator,
            operands: self.operands(),
            cause,
        })
    }

    /// Checks that `output` has exactly the shape of the result, that no two of its elements share memory, and that it
    /// overlaps no operand partly.
    pub(crate) fn writable(&self, name: &'static str, output: &Tensor, shape: &Shape) -> Result<()> {
        if output.shape() != shape {
            return Err(Error::OutputShape {
                operator: self.operator,
                operands: self.operands(),
                name,
                expected: Box::new(shape.clone()),
                given: Box::new(output.shape().clone()),
            });
        }
        if output.has_shared_elements() {
            return Err(Error::SharedElements {
                operator: self.operator,
                operands: self.operands(),
                output: name,
            });
        }
        // The other bits of the last byte would have to be read first.
        if output.dtype().bits() < 8 && output.numel() != output.capacity() {
            return Err(Error::SharedBytes {
                operator: self.operator,
                operands: self.operands(),
                output: name,
                dtype: output.dtype(),
            });
        }
        for (other, tensor) in &self.tensors {
            if output.overlap(tensor) == Overlap::Partial {
                let (operator, operands) = (self.operator, self.operands());
                return Err(Error::Overlap { operator, operands, output: name, name: other });
            }
        }
        Ok(())
    }

    /// Checks that the library's operator `by` takes the type on this product. If the product is not known, the library
    /// decides.
    pub(crate) fn takes(&self, by: &'static str, list: Types, dtype: DType) -> Result<()> {
        match self.product() {
            Some(product) if !list.on(product).contains(dtype) => Err(Error::Unsupported {
                operator: self.operator,
                operands: self.operands(),
                by,
                dtype,
                product: self.device().soc_name().to_owned(),
                accepted: list.on(product),
            }),
            _ => Ok(()),
        }
    }

    /// Checks that the library casts from one type to the other on this product.
    pub(crate) fn castable(&self, from: DType, to: DType) -> Result<()> {
        self.takes("Cast", signatures::cast.takes, from)?;
        self.takes("Cast", signatures::cast.takes, to)?;
        if has_cast(from, to) {
            return Ok(());
        }
        Err(Error::NoCast {
            operator: self.operator,
            operands: self.operands(),
            from,
            to,
            product: self.device().soc_name().to_owned(),
        })
    }

    /// Returns the axis that a number names, counted from the start. A tensor without axes has one for this purpose, as the
    /// library sees it.
    pub(crate) fn axis(&self, tensor: &Tensor, axis: impl Index) -> Result<usize> {
        axis_of(axis, tensor.rank().max(1), tensor.rank()).map_err(|cause| Error::View {
            view: self.operator,
            tensor: self.operands(),
            cause,
        })
    }

    /// Returns the error for an argument that does not fit the operands.
    pub(crate) fn refused(&self, reason: String) -> Error {
        Error::Argument { operator: self.operator, operands: self.operands(), reason }
    }

    /// Returns the error for a scalar that is refused.
    pub(crate) fn bad_scalar(&self, reason: String) -> Error {
        Error::Scalar { operator: self.operator, operands: self.operands(), reason }
    }
}

/// Returns whether the device copies the tensor, as far as known: not through views of elements smaller than a byte.
pub(crate) fn copies(tensor: &Tensor) -> bool {
    tensor.dtype().bits() >= 8
        && tensor.rank() <= MAX_RANK
        && accepts(tensor.device(), signatures::copy.takes, tensor.dtype())
}

/// Returns the type of the same width in which the elements of a view are written, if the device cannot write their own
/// type. Except on the 950, a processor that lacks unsigned integers of more than a byte writes results through views
/// that are not contiguous. If the product is not known this type is used too, as it is right everywhere.
pub(crate) fn written_as(tensor: &Tensor) -> Option<DType> {
    let signed = match tensor.dtype() {
        DType::U16 => DType::I16,
        DType::U32 => DType::I32,
        DType::U64 => DType::I64,
        _ => return None,
    };
    let direct = tensor.is_contiguous() || tensor.device().product() == Some(Product::Ascend950);
    (!direct).then_some(signed)
}

/// Returns whether an operator takes the type on the product of the device, as far as known.
pub(crate) fn accepts(device: &Device, list: Types, dtype: DType) -> bool {
    dtype.acl_code().is_some() && device.product().is_none_or(|product| list.on(product).contains(dtype))
}
