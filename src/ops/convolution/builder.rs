//! Convolutions with options, and their gradients.

use aclnn_numerics::DType;
use aclnn_numerics::promote::Edition;
use aclnn_numerics::types_by_product::Types;

use super::super::matrix::Precision;
use super::super::prepared::prepared;
use super::sizes::Window;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// A convolution of images with `N` axes, with options; arrays have a number for each of these axes.
///
/// Along each axis the result has `⌊(size + 2 · padding − dilation · (window − 1) − 1) / stride⌋ + 1` elements: a window of 3 with a
/// padding of 1 keeps the size, and a stride of 2 then halves it. The result of a transposed convolution has
/// `(size − 1) · stride − 2 · padding + dilation · (window − 1) + output_padding + 1`.
///
/// The input and the weight are f32, f16 or bf16 (not on the 910 and the 310P), in any mix. Sums are f32, and are rounded to
/// f16 or bf16 where both have that type. The emulator adds up each element in one order, whatever the number of threads is.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Convolution<'a, const N: usize> {
    name: &'static str,
    input: &'a Tensor,
    weight: &'a Tensor,
    bias: Option<&'a Tensor>,
    stride: [usize; N],
    padding: [usize; N],
    dilation: [usize; N],
    output_padding: [usize; N],
    groups: usize,
    is_transposed: bool,
    dtype: Option<DType>,
    precision: Precision,
    stream: Option<&'a Stream>,
}

/// The gradients of a convolution; see [`Convolution::backward`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ConvolutionGradients {
    /// The gradient for the input, of its shape and type.
    pub input: Tensor,
    /// The gradient for the weight, of its shape and type.
    pub weight: Tensor,
    /// The gradient for the bias: one element for each channel of the result, of the type of the gradient.
    pub bias: Tensor,
}

/// The types that the library takes, but for those of eight bits.
const TYPES: Types = Types::of("float");

macro_rules! functions {
    ($(
        $(#[$doc:meta])*
        $name:ident: $axes:literal, $is_transposed:literal;
    )*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name<'a>(input: &'a Tensor, weight: &'a Tensor) -> Convolution<'a, $axes> {
            Convolution::new(stringify!($name), input, weight, $is_transposed)
        }
    )*};
}

functions! {
    /// Prepares a convolution along one axis: for each position of a window, the sum of the products of the elements under it
    /// and the weight. The input is `[batches, channels, length]`, and the weight
    /// `[channels of the result, channels / groups, size]`; the weight is not turned around.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let signal = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0, 8.0], [1, 1, 4])?;
    /// let weight = Tensor::from_slice(&device, &[1.0f32, 10.0], [1, 1, 2])?;
    /// assert_eq!(ops::conv1d(&signal, &weight).run()?.to_vec::<f32>()?, [21.0, 42.0, 84.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnConvolution", alias = "aclnnConvTbc")]
    conv1d: 1, false;

    /// Prepares a convolution of images. The input is `[batches, channels, rows, columns]`, and the weight
    /// `[channels of the result, channels / groups, rows, columns]`; see [`conv1d`].
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2])?;
    /// let weight = Tensor::ones(&device, [2, 1, 2, 2], DType::F32)?;
    /// let bias = Tensor::from_slice(&device, &[0.0f32, 100.0], [2])?;
    /// let result = ops::conv2d(&image, &weight).bias(&bias).run()?;
    /// assert_eq!((result.dims(), result.to_vec::<f32>()?), (&[1, 2, 1, 1][..], vec![10.0, 110.0]));
    /// let padded = ops::conv2d(&image, &weight).padding([1, 0]).stride([2, 1]);
    /// assert_eq!(padded.run()?.to_vec::<f32>()?, [3.0, 7.0, 3.0, 7.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnConvolution", alias = "aclnnConvDepthwise2d")]
    conv2d: 2, false;

    /// Prepares a convolution of volumes. The input is `[batches, channels, planes, rows, columns]`; see [`conv1d`].
    #[doc(alias = "aclnnConvolution")]
    conv3d: 3, false;

    /// Prepares a transposed convolution along one axis: the gradient of a convolution for its input. The input is
    /// `[batches, channels, length]`, and the weight `[channels, channels of the result / groups, size]`.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let signal = Tensor::from_slice(&device, &[1.0f32, 2.0], [1, 1, 2])?;
    /// let weight = Tensor::from_slice(&device, &[1.0f32, 10.0, 100.0], [1, 1, 3])?;
    /// let result = ops::conv_transpose1d(&signal, &weight).stride([2]).run()?;
    /// assert_eq!(result.to_vec::<f32>()?, [1.0, 10.0, 102.0, 20.0, 200.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    #[doc(alias = "aclnnConvolution")]
    conv_transpose1d: 1, true;

    /// Prepares a transposed convolution of images; see [`conv_transpose1d`].
    #[doc(alias = "aclnnConvolution")]
    conv_transpose2d: 2, true;

    /// Prepares a transposed convolution of volumes; see [`conv_transpose1d`].
    #[doc(alias = "aclnnConvolution")]
    conv_transpose3d: 3, true;
}

prepared! {
    ['a, const N: usize] Convolution<'a, N>:
    dtype("Sets the type of the result: f32, f16 or bf16. The default is the one to which input and weight promote."),
    on("the input")
}

impl<'a, const N: usize> Convolution<'a, N> {
    #[inline]
    fn new(name: &'static str, input: &'a Tensor, weight: &'a Tensor, is_transposed: bool) -> Self {
        Self {
            name,
            input,
            weight,
            bias: None,
            stride: [1; N],
            padding: [0; N],
            dilation: [1; N],
            output_padding: [0; N],
            groups: 1,
            is_transposed,
            dtype: None,
            precision: Precision::default(),
            stream: None,
        }
    }

    /// Sets a tensor with a number for each channel of the result, which is added to all its elements: f32, f16 or bf16.
    #[inline]
    pub fn bias(mut self, bias: &'a Tensor) -> Self {
        self.bias = Some(bias);
        self
    }

    /// Sets the distances between the positions of the window, such as `[2, 2]` for every second row and column; the default
    /// is 1.
    #[inline]
    pub fn stride(mut self, stride: [usize; N]) -> Self {
        self.stride = stride;
        self
    }

    /// Sets how many zeros lie on each side of every axis; the default is none. Half of an odd window, rounded down, keeps the
    /// size. [`Tensor::pad`] pads both sides differently, or with other elements. A transposed convolution leaves out so many
    /// elements of the result instead.
    #[inline]
    pub fn padding(mut self, padding: [usize; N]) -> Self {
        self.padding = padding;
        self
    }

    /// Sets the distances between the elements of the window; the default is 1. With 2, a window of 3 reaches over 5 elements.
    #[inline]
    pub fn dilation(mut self, dilation: [usize; N]) -> Self {
        self.dilation = dilation;
        self
    }

    /// Sets how many elements follow the result of a transposed convolution along each axis; the default is none. A convolution
    /// with a stride makes the same size of several sizes; this number chooses among them on the way back.
    #[inline]
    pub fn output_padding(mut self, output_padding: [usize; N]) -> Self {
        self.output_padding = output_padding;
        self
    }

    /// Sets into how many groups the channels are divided, each of which is convolved by itself; the default is 1. As many groups
    /// as channels make a depthwise convolution, whose weight is `[channels of the result, 1, rows, columns]`.
    #[inline]
    pub fn groups(mut self, groups: usize) -> Self {
        self.groups = groups;
        self
    }

    /// Sets how precisely f32 is multiplied.
    #[inline]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    #[inline]
    fn operation(&self, name: &'static str) -> Operation<'a> {
        Operation::new(name, self.stream.unwrap_or(self.input.stream()))
            .tensor("input", self.input)
            .tensor("weight", self.weight)
    }

    /// The shape of the result.
    #[inline]
    fn shape(&self, operation: &Operation<'_>) -> Result<Vec<usize>> {
        operation.placed()?;
        for tensor in [self.input, self.weight] {
            operation.takes("Convolution", TYPES, tensor.dtype())?;
        }
        self.precision.suits(operation, [self.input.dtype(), self.weight.dtype()])?;
        let ([batches, channels, sizes @ ..], [first, second, kernel @ ..]) =
            (self.input.dims(), self.weight.dims())
        else {
            return Err(operation.refused(format!("input and weight must have {} axes each", N + 2)));
        };
        if sizes.len() != N || kernel.len() != N {
            return Err(operation.refused(format!(
                "input and weight must have {} axes each: batches, channels and {N} for an image; `unsqueeze(0)` makes a batch \
                 of a single one",
                N + 2
            )));
        }
        let groups = self.groups;
        let (takes, makes) = match self.is_transposed {
            true => (*first, second.checked_mul(groups)),
            false => (second.saturating_mul(groups), Some(*first)),
        };
        let Some(made) = makes.filter(|_| groups > 0 && first % groups == 0 && takes == *channels) else {
            return Err(operation.refused(format!(
                "the input has {channels} channels, and the weight is for {takes} in {groups} groups of the same size"
            )));
        };
        if *channels == 0 {
            return Err(operation.refused("the input has no channels".to_owned()));
        }
        let mut shape = vec![*batches, made];
        let windows = self.windows(kernel).zip(self.output_padding);
        for (axis, (size, (window, extra))) in sizes.iter().zip(windows).enumerate() {
            let suits =
                if self.is_transposed { extra < window.stride.max(window.dilation) } else { extra == 0 };
            let made = match self.is_transposed {
                true => window.elements(*size, extra),
                false => window.positions(*size),
            };
            let Some(made) = made.filter(|_| suits) else {
                return Err(operation.refused(format!(
                    "a window of {} with stride {}, dilation {}, padding {} and output padding {extra} has no place on the \
                     {size} elements of axis {}; the output padding, of transposed convolutions alone, must be smaller than \
                     the stride or the dilation",
                    window.kernel, window.stride, window.dilation, window.padding, axis + 2
                )));
            };
            shape.push(made);
        }
        if let Some(bias) = self.bias {
            operation.takes("Convolution", TYPES, bias.dtype())?;
            if bias.dims() != [made] {
                let dims = bias.dims();
                return Err(
                    operation.refused(format!("bias has shape {dims:?}, but there are {made} channels"))
                );
            }
        }
        Ok(shape)
    }

    #[inline]
    fn windows(&self, kernel: &[usize]) -> impl Iterator<Item = Window> {
        let all = kernel.iter().zip(self.stride).zip(self.padding).zip(self.dilation);
        let window = |(((kernel, stride), padding), dilation): (((&usize, usize), usize), usize)| Window {
            kernel: *kernel,
            stride,
            padding,
            dilation,
        };
        all.map(window).collect::<Vec<_>>().into_iter()
    }

    /// Queues the convolution and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if shapes and options do not go together, [`Unsupported`](crate::Error::Unsupported)
    /// and [`Devices`](crate::Error::Devices), before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let operation = self.operation(self.name);
        let operation = match self.bias {
            Some(bias) => operation.tensor("bias", bias),
            None => operation,
        };
        let shape = self.shape(&operation)?;
        let promoted = Edition::default().promote(self.input.dtype(), self.weight.dtype());
        let dtype = self.dtype.unwrap_or(promoted.unwrap_or(DType::F32));
        operation.takes("Convolution", TYPES, dtype)?;
        let out = operation.empty(&shape[..], dtype)?;
        if out.numel() == 0 {
            return Ok(out);
        }
        let [stride, padding, dilation, extra] =
            [self.stride, self.padding, self.dilation, self.output_padding].map(integers);
        launch::Convolution(
            operation.stream.into(),
            self.input,
            self.weight,
            self.bias,
            &stride,
            &padding,
            &dilation,
            self.is_transposed,
            self.is_transposed.then_some(&extra[..]),
            self.groups as i64,
            &out,
            self.precision.code(),
        )?;
        Ok(out)
    }

    /// Queues the gradients of this convolution: for its input, its weight and its bias, where `grad`, of the shape of the
    /// result, is the gradient for that. The bias and the type of the result play no part.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor, ops};
    ///
    /// let device = Device::open(0)?;
    /// let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0], [1, 1, 3])?;
    /// let weight = Tensor::from_slice(&device, &[1.0f32, 10.0], [1, 1, 2])?;
    /// let grad = Tensor::from_slice(&device, &[1.0f32, 100.0], [1, 1, 2])?;
    /// let gradients = ops::conv1d(&image, &weight).backward(&grad)?;
    /// assert_eq!(gradients.input.to_vec::<f32>()?, [1.0, 110.0, 1000.0]);
    /// assert_eq!(gradients.weight.to_vec::<f32>()?, [201.0, 402.0]);
    /// assert_eq!(gradients.bias.to_vec::<f32>()?, [101.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Convolution::run`]; `Argument` also if the gradient has another shape than the result, for an empty operand, and for
    /// [`Precision::F32Add`].
    #[doc(alias = "aclnnConvolutionBackward")]
    #[inline]
    pub fn backward(&self, grad: &Tensor) -> Result<ConvolutionGradients> {
        let operation = self.operation("convolution_backward").tensor("grad", grad);
        let shape = self.shape(&operation)?;
        operation.takes("ConvolutionBackward", TYPES, grad.dtype())?;
        if grad.dims() != shape {
            return Err(
                operation.refused(format!("the result has shape {shape:?}, which grad must have too"))
            );
        }
        if self.precision == Precision::F32Add {
            return Err(operation.refused("gradients have no sums in groups".to_owned()));
        }
        if self.input.numel() == 0 || self.weight.numel() == 0 {
            return Err(operation.refused("there is no gradient for nothing".to_owned()));
        }
        let channels = shape.get(1).copied().unwrap_or(0);
        let gradients = ConvolutionGradients {
            input: operation.empty(self.input.dims(), self.input.dtype())?,
            weight: operation.empty(self.weight.dims(), self.weight.dtype())?,
            bias: operation.empty([channels], grad.dtype())?,
        };
        let [stride, padding, dilation, extra] =
            [self.stride, self.padding, self.dilation, self.output_padding].map(integers);
        launch::ConvolutionBackward(
            operation.stream.into(),
            grad,
            self.input,
            self.weight,
            Some(&[channels as i64]),
            &stride,
            &padding,
            &dilation,
            self.is_transposed,
            &extra,
            self.groups as std::ffi::c_int,
            &[true; 3],
            self.precision.code(),
            Some(&gradients.input),
            Some(&gradients.weight),
            Some(&gradients.bias),
        )?;
        Ok(gradients)
    }
}

fn integers<const N: usize>(numbers: [usize; N]) -> [i64; N] {
    numbers.map(|number| number as i64)
}
