//! Linear layers, made of the product of matrices and of its sum with a bias.

use aclnn_numerics::{DType, Shape};

use super::precision::Precision;
use super::product::matmul;
use super::sum::addmm;
use crate::argument_checks::Operation;
use crate::error::Result;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// A linear layer, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Linear<'a> {
    input: &'a Tensor,
    weight: &'a Tensor,
    bias: Option<&'a Tensor>,
    dtype: Option<DType>,
    precision: Precision,
    stream: Option<&'a Stream>,
}

/// Prepares a linear layer, `input · weightᵀ + bias`: the input is `[..., features]`, the weight `[features of the result,
/// features]` as PyTorch stores it, the bias `[features of the result]`, and the result `[..., features of the result]`.
///
/// CANN has no operator for it: this launches Matmul, or Addmm where there is a bias, and rounds once. Tensors are f32, f16 or
/// bf16, in any mix.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let x = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
/// let weight = Tensor::from_slice(&device, &[1.0f32, 10.0, 0.0, 1.0, 1.0, 1.0], [3, 2])?;
/// let bias = Tensor::from_slice(&device, &[0.5f32, 0.0, 0.0], 3)?;
/// let y = ops::linear(&x, &weight).bias(&bias).run()?;
/// assert_eq!(y.to_vec::<f32>()?, [21.5, 2.0, 3.0, 43.5, 4.0, 7.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "addmm", alias = "dense")]
#[inline]
pub fn linear<'a>(input: &'a Tensor, weight: &'a Tensor) -> Linear<'a> {
    Linear { input, weight, bias: None, dtype: None, precision: Precision::default(), stream: None }
}

impl<'a> Linear<'a> {
    /// Sets the bias that is added to each row of the result.
    #[inline]
    pub fn bias(mut self, bias: &'a Tensor) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Sets the type of the result: f32, f16 or bf16. The default is the one to which the tensors promote.
    #[inline]
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.dtype = Some(dtype);
        self
    }

    /// Sets how precisely f32 is multiplied.
    #[inline]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// Queues the launches on this stream. The default is the stream of the input.
    #[inline]
    pub fn on(mut self, stream: &'a Stream) -> Self {
        self.stream = Some(stream);
        self
    }

    /// Queues the launches and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if shapes do not suit each other, before anything is launched; those of
    /// [`Matmul::run`](crate::ops::Matmul::run) and [`AddMatmul::run`](crate::ops::AddMatmul::run).
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let stream = self.stream.unwrap_or(self.input.stream());
        let operation = Operation::new("linear", stream);
        let operation = operation.tensor("self", self.input).tensor("weight", self.weight);
        let operation = match self.bias {
            Some(bias) => operation.tensor("bias", bias),
            None => operation,
        };
        operation.placed()?;
        let tensors = [Some(self.input), Some(self.weight), self.bias];
        for dtype in tensors.into_iter().flatten().map(Tensor::dtype).chain(self.dtype) {
            match self.bias {
                Some(_) => operation.takes("Addmm", signatures::addmm.takes, dtype)?,
                None => operation.takes("Matmul", signatures::matmul.takes, dtype)?,
            }
        }
        self.precision.suits(&operation, [self.input.dtype(), self.weight.dtype()])?;
        let (Some((features, before)), [outputs, inputs]) =
            (self.input.dims().split_last(), self.weight.dims())
        else {
            let reason = "the input is [..., features], and the weight [features of the result, features]";
            return Err(operation.refused(reason.to_owned()));
        };
        if features != inputs {
            let reason = format!(
                "the weight is for {inputs} features, and the input has {features}; a weight lies as [features of the \
                 result, features], call `t` on one that lies the other way"
            );
            return Err(operation.refused(reason));
        }
        if self.bias.is_some_and(|bias| bias.dims() != [*outputs]) {
            return Err(operation
                .refused(format!("the bias is not [{outputs}], one element for each row of the weight")));
        }
        let rows = before.iter().product();
        let explain = |error| operation.explain(error);
        let rows = match self.input.reshape([rows, *features]) {
            Ok(view) => view,
            Err(_) => {
                let mut copy = operation.empty(self.input.shape(), self.input.dtype())?;
                copy.copy_from(self.input).map_err(explain)?;
                copy.reshape([rows, *features])?
            }
        };
        let weight = self.weight.t()?;
        let result = match self.bias {
            Some(bias) => {
                let sum = addmm(bias, &rows, &weight).precision(self.precision).on(stream);
                match self.dtype {
                    Some(dtype) => sum.dtype(dtype).run(),
                    None => sum.run(),
                }
            }
            None => {
                let product = matmul(&rows, &weight).precision(self.precision).on(stream);
                match self.dtype {
                    Some(dtype) => product.dtype(dtype).run(),
                    None => product.run(),
                }
            }
        };
        let result = result.map_err(explain)?;
        let shape: Shape = before.iter().copied().chain([*outputs]).collect();
        result.reshape(shape)
    }
}

impl Tensor {
    /// Returns a linear layer without a bias, `self · weightᵀ`, for a weight of `[features of the result, features]`, as PyTorch
    /// stores it.
    ///
    /// [`ops::linear`](crate::ops::linear()) has options, the bias among them.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let x = Tensor::ones(&device, [8, 16, 64], DType::F16)?;
    /// let weight = Tensor::ones(&device, [10, 64], DType::F16)?;
    /// assert_eq!(x.linear(&weight)?.dims(), [8, 16, 10]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Linear::run`](crate::ops::Linear::run).
    #[doc(alias = "dense")]
    #[inline]
    pub fn linear(&self, weight: &Tensor) -> Result<Tensor> {
        linear(self, weight).run()
    }
}
