//! Operators with options, as methods of the tensor that they work on, with the options at their defaults.

use aclnn_numerics::Shape;

use crate::error::Result;
use crate::ops::{self, Interpolation};
use crate::tensor::Tensor;

macro_rules! methods {
    ($(
        $(#[doc = $first:literal])+
        $alias:literal $name:ident($($parameter:ident: $type:ty),*) $example:literal;
    )*) => {
        /// Operators with options at their defaults. The functions of the same names in [`ops`](crate::ops) prepare them with
        /// others.
        impl Tensor {
            $(
                $(#[doc = $first])+
                ///
                #[doc = concat!(
                    "[`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()) has options."
                )]
                ///
                /// ```
                /// use aclnn::{DType, Device, Tensor};
                ///
                /// let device = Device::open(0)?;
                #[doc = $example]
                /// # Ok::<(), aclnn::Error>(())
                /// ```
                ///
                /// # Errors
                /// Those of `run` of what that function prepares.
                #[doc(alias = $alias)]
                #[inline]
                pub fn $name(&self, $($parameter: $type),*) -> Result<Tensor> {
                    ops::$name(self, $($parameter),*).run()
                }
            )*
        }
    };
}

methods! {
    /// Returns a convolution along the last axis of `[batches, channels, length]`, with a weight of
    /// `[channels of the result, channels, size]`.
    "aclnnConvolution" conv1d(weight: &Tensor) "let signal = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0, 8.0], [1, 1, 4])?;
let weight = Tensor::from_slice(&device, &[1.0f32, 10.0], [1, 1, 2])?;
assert_eq!(signal.conv1d(&weight)?.to_vec::<f32>()?, [21.0, 42.0, 84.0]);";

    /// Returns a convolution of images `[batches, channels, rows, columns]`, with a weight of
    /// `[channels of the result, channels, rows, columns]`.
    "aclnnConvolution" conv2d(weight: &Tensor) "let images = Tensor::ones(&device, [8, 3, 32, 32], DType::F32)?;
let weight = Tensor::ones(&device, [16, 3, 3, 3], DType::F32)?;
assert_eq!(images.conv2d(&weight)?.dims(), [8, 16, 30, 30]);";

    /// Returns a convolution of volumes `[batches, channels, planes, rows, columns]`, with a weight of
    /// `[channels of the result, channels, planes, rows, columns]`.
    "aclnnConvolution" conv3d(weight: &Tensor) "let volume = Tensor::ones(&device, [1, 1, 4, 4, 4], DType::F32)?;
let weight = Tensor::ones(&device, [2, 1, 2, 2, 2], DType::F32)?;
assert_eq!(volume.conv3d(&weight)?.dims(), [1, 2, 3, 3, 3]);";

    /// Returns a transposed convolution along the last axis of `[batches, channels, length]`, with a weight of
    /// `[channels, channels of the result, size]`.
    "aclnnConvolution" conv_transpose1d(weight: &Tensor) "let signal = Tensor::ones(&device, [1, 1, 3], DType::F32)?;
let weight = Tensor::from_slice(&device, &[1.0f32, 10.0], [1, 1, 2])?;
assert_eq!(signal.conv_transpose1d(&weight)?.to_vec::<f32>()?, [1.0, 11.0, 11.0, 10.0]);";

    /// Returns a transposed convolution of images `[batches, channels, rows, columns]`, with a weight of
    /// `[channels, channels of the result, rows, columns]`.
    "aclnnConvolution" conv_transpose2d(weight: &Tensor) "let images = Tensor::ones(&device, [8, 16, 8, 8], DType::F32)?;
let weight = Tensor::ones(&device, [16, 3, 3, 3], DType::F32)?;
assert_eq!(images.conv_transpose2d(&weight)?.dims(), [8, 3, 10, 10]);";

    /// Returns a transposed convolution of volumes `[batches, channels, planes, rows, columns]`, with a weight of
    /// `[channels, channels of the result, planes, rows, columns]`.
    "aclnnConvolution" conv_transpose3d(weight: &Tensor) "let volume = Tensor::ones(&device, [1, 1, 3, 3, 3], DType::F32)?;
let weight = Tensor::ones(&device, [1, 2, 2, 2, 2], DType::F32)?;
assert_eq!(volume.conv_transpose3d(&weight)?.dims(), [1, 2, 4, 4, 4]);";

    /// Returns the greatest elements of windows that lie beside each other, with so many rows and columns.
    "aclnnMaxPool" max_pool2d(kernel: [usize; 2]) "let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 6.0], [1, 2, 2])?;
assert_eq!(image.max_pool2d([2, 2])?.to_vec::<f32>()?, [6.0]);";

    /// Returns the greatest elements of windows that lie beside each other, with so many planes, rows and columns.
    "aclnnMaxPool3dWithArgmax" max_pool3d(kernel: [usize; 3]) "let volume = Tensor::ones(&device, [1, 1, 4, 4, 4], DType::F32)?;
assert_eq!(volume.max_pool3d([2, 2, 2])?.dims(), [1, 1, 2, 2, 2]);";

    /// Returns the means of windows that lie beside each other, with so many rows and columns.
    "aclnnAvgPool2d" avg_pool2d(kernel: [usize; 2]) "let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 6.0], [1, 2, 2])?;
assert_eq!(image.avg_pool2d([2, 2])?.to_vec::<f32>()?, [3.0]);";

    /// Returns the means of windows that lie beside each other, with so many planes, rows and columns.
    "aclnnAvgPool3d" avg_pool3d(kernel: [usize; 3]) "let volume = Tensor::ones(&device, [1, 1, 4, 4, 4], DType::F32)?;
assert_eq!(volume.avg_pool3d([2, 2, 2])?.to_vec::<f32>()?, [1.0; 8]);";

    /// Returns the elements with each part of the trailing axes, whose sizes are `shape`, at mean 0 and variance 1.
    "aclnnLayerNorm" layer_norm(shape: impl Into<Shape>) "let x = Tensor::from_slice(&device, &[1.0f32, 3.0, 10.0, 30.0], [2, 2])?;
let expected = Tensor::from_slice(&device, &[-1.0f32, 1.0, -1.0, 1.0], [2, 2])?;
assert!(x.layer_norm(2)?.allclose(&expected, 0.0, 1e-4)?);";

    /// Returns the elements with each of `groups` groups of the channels on axis 1 at mean 0 and variance 1.
    "aclnnGroupNorm" group_norm(groups: usize) "let x = Tensor::from_slice(&device, &[1.0f32, 3.0, 10.0, 30.0], [1, 4])?;
let expected = Tensor::from_slice(&device, &[-1.0f32, 1.0, -1.0, 1.0], [1, 4])?;
assert!(x.group_norm(2)?.allclose(&expected, 0.0, 1e-4)?);";

    /// Returns the elements with each channel of each image at mean 0 and variance 1.
    "aclnnGroupNorm" instance_norm() "let x = Tensor::from_slice(&device, &[1.0f32, 3.0, 10.0, 30.0], [1, 2, 2])?;
let expected = Tensor::from_slice(&device, &[-1.0f32, 1.0, -1.0, 1.0], [1, 2, 2])?;
assert!(x.instance_norm()?.allclose(&expected, 0.0, 1e-4)?);";

    /// Returns the mean of the squared differences from a target.
    "aclnnMseLoss" mse_loss(target: &Tensor) "let x = Tensor::from_slice(&device, &[1.0f32, 4.0], 2)?;
assert_eq!(x.mse_loss(&x.zeros_like()?)?.item::<f32>()?, 8.5);";

    /// Returns the mean of the absolute differences from a target.
    "aclnnL1Loss" l1_loss(target: &Tensor) "let x = Tensor::from_slice(&device, &[1.0f32, -4.0], 2)?;
assert_eq!(x.l1_loss(&x.zeros_like()?)?.item::<f32>()?, 2.5);";

    /// Returns the mean of the differences from a target, squared where they are small (the Huber loss with a slope of 1).
    "aclnnSmoothL1Loss" smooth_l1_loss(target: &Tensor) "let x = Tensor::from_slice(&device, &[0.5f32, 2.0], 2)?;
assert_eq!(x.smooth_l1_loss(&x.zeros_like()?)?.item::<f32>()?, 0.8125);";

    /// Returns the cross-entropy of scores `[rows, classes]` and the right class of each row: the mean over the rows.
    "aclnnCrossEntropyLoss" cross_entropy(target: &Tensor) "let scores = Tensor::from_slice(&device, &[0.0f32, 0.0, 3.0, -3.0], [2, 2])?;
let target = Tensor::from_slice(&device, &[1i64, 0], 2)?;
assert_eq!(scores.cross_entropy(&target)?.item::<f32>()?, 0.34781143);";

    /// Returns the cross-entropy of logarithms of probabilities `[rows, classes]` and the right class of each row: the mean over
    /// the rows.
    "aclnnNLLLoss" nll_loss(target: &Tensor) "let logs = Tensor::from_slice(&device, &[-1.0f32, -2.0, -0.5, -3.0], [2, 2])?;
let target = Tensor::from_slice(&device, &[1i64, 0], 2)?;
assert_eq!(logs.nll_loss(&target)?.item::<f32>()?, 1.25);";

    /// Returns the cross-entropy of probabilities and truths between 0 and 1: the mean of all elements.
    "aclnnBinaryCrossEntropy" binary_cross_entropy(target: &Tensor) "let x = Tensor::full(&device, [4], 0.5, DType::F32)?;
assert_eq!(x.binary_cross_entropy(&x.ones_like()?)?.item::<f32>()?, 2.0f32.ln());";

    /// Returns the cross-entropy of the sigmoid of scores and truths between 0 and 1: the mean of all elements.
    "aclnnBinaryCrossEntropyWithLogits" binary_cross_entropy_with_logits(target: &Tensor) "let x = Tensor::zeros(&device, [4], DType::F32)?;
assert_eq!(x.binary_cross_entropy_with_logits(&x.ones_like()?)?.item::<f32>()?, 2.0f32.ln());";

    /// Returns the divergence of logarithms of probabilities from the probabilities of a target: the mean of all elements.
    "aclnnKlDiv" kl_div(target: &Tensor) "let logs = Tensor::zeros(&device, [4], DType::F32)?;
assert_eq!(logs.kl_div(&logs.ones_like()?)?.item::<f32>()?, 0.0);";

    /// Returns the elements of images at the places of a grid, `[batches, rows, columns, 2]`, whose numbers go from −1 to 1.
    "aclnnGridSampler2D" grid_sample(grid: &Tensor) "let image = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2])?;
let center = Tensor::zeros(&device, [1, 1, 1, 2], DType::F32)?;
assert_eq!(image.grid_sample(&center)?.to_vec::<f32>()?, [2.5]);";
}

/// Operators without options.
impl Tensor {
    /// Returns images in another size, as [`ops::interpolate`](crate::ops::interpolate()) does.
    ///
    /// ```
    /// use aclnn::ops::Interpolation;
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let image = Tensor::from_slice(&device, &[1.0f32, 2.0], [1, 1, 2])?;
    /// assert_eq!(image.interpolate(&[4], Interpolation::Nearest)?.to_vec::<f32>()?, [1.0, 1.0, 2.0, 2.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of that function.
    #[doc(alias = "upsample", alias = "interpolate2d", alias = "upsample_nearest2d")]
    #[doc(alias = "upsample_nearest1d")]
    #[doc(alias = "upsample_bilinear2d")]
    #[inline]
    pub fn interpolate(&self, size: &[usize], mode: Interpolation) -> Result<Tensor> {
        ops::interpolate(self, size, mode)
    }

    /// Returns the averages of the parts that images are divided into, as
    /// [`ops::adaptive_avg_pool2d`](crate::ops::adaptive_avg_pool2d()) does.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let images = Tensor::ones(&device, [8, 3, 7, 5], DType::F32)?;
    /// assert_eq!(images.adaptive_avg_pool2d([1, 1])?.dims(), [8, 3, 1, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of that function.
    #[doc(alias = "aclnnAdaptiveAvgPool2d")]
    #[inline]
    pub fn adaptive_avg_pool2d(&self, size: [usize; 2]) -> Result<Tensor> {
        ops::adaptive_avg_pool2d(self, size)
    }
}
