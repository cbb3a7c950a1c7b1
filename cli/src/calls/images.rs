//! Convolutions, poolings, and images in another size or at other places.

use aclnn::ops::{self, Convolution, ConvolutionGradients};
use aclnn::{DType, Tensor};

use super::function::functions;
use super::operation::{Direct, Results};

functions! {
    conv1d(input: tensor, weight: tensor, bias: optional_tensor, stride: single = "1", padding: single = "0", dilation: single = "1",
        groups: size = "1", precision: precision = "keep", dtype: optional_dtype)[] =>
        convolved(ops::conv1d(input, weight).stride(stride).padding(padding).dilation(dilation).groups(groups).precision(precision),
            bias, dtype);
    conv2d(input: tensor, weight: tensor, bias: optional_tensor, stride: pair = "1,1", padding: pair = "0,0", dilation: pair = "1,1",
        groups: size = "1", precision: precision = "keep", dtype: optional_dtype)[Convolution] =>
        convolved(ops::conv2d(input, weight).stride(stride).padding(padding).dilation(dilation).groups(groups).precision(precision),
            bias, dtype);
    conv3d(input: tensor, weight: tensor, bias: optional_tensor, stride: triple = "1,1,1", padding: triple = "0,0,0",
        dilation: triple = "1,1,1", groups: size = "1", precision: precision = "keep", dtype: optional_dtype)[] =>
        convolved(ops::conv3d(input, weight).stride(stride).padding(padding).dilation(dilation).groups(groups).precision(precision),
            bias, dtype);
    conv_transpose1d(input: tensor, weight: tensor, bias: optional_tensor, stride: single = "1", padding: single = "0",
        output_padding: single = "0", dilation: single = "1", groups: size = "1", precision: precision = "keep",
        dtype: optional_dtype)[] =>
        convolved(ops::conv_transpose1d(input, weight).stride(stride).padding(padding).output_padding(output_padding)
            .dilation(dilation).groups(groups).precision(precision), bias, dtype);
    conv_transpose2d(input: tensor, weight: tensor, bias: optional_tensor, stride: pair = "1,1", padding: pair = "0,0",
        output_padding: pair = "0,0", dilation: pair = "1,1", groups: size = "1", precision: precision = "keep",
        dtype: optional_dtype)[] =>
        convolved(ops::conv_transpose2d(input, weight).stride(stride).padding(padding).output_padding(output_padding)
            .dilation(dilation).groups(groups).precision(precision), bias, dtype);
    conv_transpose3d(input: tensor, weight: tensor, bias: optional_tensor, stride: triple = "1,1,1", padding: triple = "0,0,0",
        output_padding: triple = "0,0,0", dilation: triple = "1,1,1", groups: size = "1", precision: precision = "keep",
        dtype: optional_dtype)[] =>
        convolved(ops::conv_transpose3d(input, weight).stride(stride).padding(padding).output_padding(output_padding)
            .dilation(dilation).groups(groups).precision(precision), bias, dtype);
    conv2d_backward(grad: tensor, input: tensor, weight: tensor, stride: pair = "1,1", padding: pair = "0,0", dilation: pair = "1,1",
        groups: size = "1", precision: precision = "keep")[ConvolutionBackward] => {
        let convolution = ops::conv2d(input, weight).stride(stride).padding(padding).dilation(dilation).groups(groups);
        Direct(move || convolution.precision(precision).backward(grad))
    };
    col2im(own: tensor, size: pair, kernel: pair, dilation: pair = "1,1", padding: pair = "0,0", stride: pair = "1,1")
        [Im2colBackward] => {
        let image = ops::col2im(own, size, kernel).dilation(dilation).padding(padding).stride(stride);
        Direct(move || image.run())
    };
    avg_pool2d(own: tensor, kernel: pair, stride: pair, padding: pair = "0,0", ceil: bool = "false", count_include_pad: bool = "true",
        divisor: i64 = "0")[AvgPool2d] => {
        let pool = ops::avg_pool2d(own, kernel).stride(stride).padding(padding).count_include_pad(count_include_pad);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.divisor(divisor).run())
    };
    avg_pool2d_backward(grad: tensor, own: tensor, kernel: pair, stride: pair, padding: pair = "0,0", ceil: bool = "false",
        count_include_pad: bool = "true", divisor: i64 = "0")[AvgPool2dBackward] => {
        let pool = ops::avg_pool2d(own, kernel).stride(stride).padding(padding).count_include_pad(count_include_pad);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.divisor(divisor).backward(grad))
    };
    avg_pool3d(own: tensor, kernel: triple, stride: triple, padding: triple = "0,0,0", ceil: bool = "false",
        count_include_pad: bool = "true", divisor: i64 = "0")[AvgPool3d] => {
        let pool = ops::avg_pool3d(own, kernel).stride(stride).padding(padding).count_include_pad(count_include_pad);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.divisor(divisor).run())
    };
    avg_pool3d_backward(grad: tensor, own: tensor, kernel: triple, stride: triple, padding: triple = "0,0,0", ceil: bool = "false",
        count_include_pad: bool = "true", divisor: i64 = "0")[AvgPool3dBackward] => {
        let pool = ops::avg_pool3d(own, kernel).stride(stride).padding(padding).count_include_pad(count_include_pad);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.divisor(divisor).backward(grad))
    };
    max_pool2d(own: tensor, kernel: pair, stride: pair, padding: pair = "0,0", ceil: bool = "false")[MaxPool] => {
        let pool = ops::max_pool2d(own, kernel).stride(stride).padding(padding);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.run())
    };
    max_pool2d_with_indices(own: tensor, kernel: pair, stride: pair, padding: pair = "0,0", ceil: bool = "false")
        [MaxPool2dWithIndices] => {
        let pool = ops::max_pool2d(own, kernel).stride(stride).padding(padding);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.run_with_indices())
    };
    max_pool2d_backward(grad: tensor, own: tensor, indices: tensor, kernel: pair, stride: pair, padding: pair = "0,0",
        ceil: bool = "false")[MaxPool2dWithIndicesBackward] => {
        let pool = ops::max_pool2d(own, kernel).stride(stride).padding(padding);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.backward(grad, indices))
    };
    max_pool3d(own: tensor, kernel: triple, stride: triple, padding: triple = "0,0,0", ceil: bool = "false")
        [MaxPool3dWithArgmax] => {
        let pool = ops::max_pool3d(own, kernel).stride(stride).padding(padding);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.run_with_indices())
    };
    max_pool3d_backward(grad: tensor, own: tensor, indices: tensor, kernel: triple, stride: triple, padding: triple = "0,0,0",
        ceil: bool = "false")[MaxPool3dWithArgmaxBackward] => {
        let pool = ops::max_pool3d(own, kernel).stride(stride).padding(padding);
        Direct(move || if ceil { pool.ceil_mode() } else { pool }.backward(grad, indices))
    };
    adaptive_avg_pool2d(own: tensor, size: pair)[AdaptiveAvgPool2d] => Direct(|| ops::adaptive_avg_pool2d(own, size));
    adaptive_avg_pool2d_backward(grad: tensor, own: tensor)[AdaptiveAvgPool2dBackward] =>
        Direct(|| ops::adaptive_avg_pool2d_backward(grad, own));
    adaptive_avg_pool3d(own: tensor, size: triple)[AdaptiveAvgPool3d] => Direct(|| ops::adaptive_avg_pool3d(own, size));
    adaptive_avg_pool3d_backward(grad: tensor, own: tensor)[AdaptiveAvgPool3dBackward] =>
        Direct(|| ops::adaptive_avg_pool3d_backward(grad, own));
    adaptive_max_pool2d(own: tensor, size: pair)[AdaptiveMaxPool2d] => Direct(|| ops::adaptive_max_pool2d(own, size));
    adaptive_max_pool2d_backward(grad: tensor, own: tensor, indices: tensor)[AdaptiveMaxPool2dBackward] =>
        Direct(|| ops::adaptive_max_pool2d_backward(grad, own, indices));
    adaptive_max_pool3d(own: tensor, size: triple)[AdaptiveMaxPool3d] => Direct(|| ops::adaptive_max_pool3d(own, size));
    adaptive_max_pool3d_backward(grad: tensor, own: tensor, indices: tensor)[AdaptiveMaxPool3dBackward] =>
        Direct(|| ops::adaptive_max_pool3d_backward(grad, own, indices));
    max_unpool2d(own: tensor, indices: tensor, size: pair)[MaxUnpool2d] => Direct(|| ops::max_unpool2d(own, indices, size));
    max_unpool2d_backward(grad: tensor, own: tensor, indices: tensor)[MaxUnpool2dBackward] =>
        Direct(|| ops::max_unpool2d_backward(grad, own, indices));
    max_unpool3d(own: tensor, indices: tensor, size: triple)[MaxUnpool3d] => Direct(|| ops::max_unpool3d(own, indices, size));
    max_unpool3d_backward(grad: tensor, own: tensor, indices: tensor)[MaxUnpool3dBackward] =>
        Direct(|| ops::max_unpool3d_backward(grad, own, indices));
    interpolate(own: tensor, size: sizes, mode: interpolation = "nearest")
        [UpsampleNearest1d UpsampleNearest2d UpsampleNearest3d UpsampleNearestExact1d UpsampleNearestExact2d UpsampleNearestExact3d
            UpsampleLinear1d UpsampleBilinear2d UpsampleTrilinear3d UpsampleBicubic2d UpsampleBilinear2dAA UpsampleBicubic2dAA] =>
        Direct(|| ops::interpolate(own, &size, mode));
    interpolate_backward(grad: tensor, shape: sizes, mode: interpolation = "nearest")
        [UpsampleNearest1dBackward UpsampleNearest2dBackward UpsampleNearest3dBackward UpsampleNearestExact1dBackward
            UpsampleNearestExact2dBackward UpsampleNearestExact3dBackward UpsampleLinear1dBackward UpsampleBilinear2dBackward
            UpsampleTrilinear3dBackward UpsampleBicubic2dBackward UpsampleBilinear2dAABackward UpsampleBicubic2dAAGrad] =>
        Direct(|| ops::interpolate_backward(grad, &shape, mode));
    grid_sample(own: tensor, grid: tensor, mode: sample_mode = "linear", padding: sample_padding = "zeros",
        align_corners: bool = "false")[GridSampler2D GridSampler3D] => {
        let sample = ops::grid_sample(own, grid).mode(mode).padding(padding);
        Direct(move || if align_corners { sample.align_corners() } else { sample }.run())
    };
    grid_sample_backward(grad: tensor, own: tensor, grid: tensor, mode: sample_mode = "linear", padding: sample_padding = "zeros",
        align_corners: bool = "false")[GridSampler2DBackward GridSampler3DBackward] => {
        let sample = ops::grid_sample(own, grid).mode(mode).padding(padding);
        Direct(move || if align_corners { sample.align_corners() } else { sample }.backward(grad))
    };
    affine_grid(own: tensor, size: sizes, align_corners: bool = "false")[AffineGrid] =>
        Direct(|| ops::affine_grid(own, &size, align_corners));
}

/// A convolution with what a call may leave out.
fn convolved<'a, const N: usize>(
    convolution: Convolution<'a, N>,
    bias: Option<&'a Tensor>,
    dtype: Option<DType>,
) -> Direct<impl FnOnce() -> aclnn::Result<Tensor> + use<'a, N>> {
    let convolution = match bias {
        Some(bias) => convolution.bias(bias),
        None => convolution,
    };
    let convolution = match dtype {
        Some(dtype) => convolution.dtype(dtype),
        None => convolution,
    };
    Direct(move || convolution.run())
}

impl Results for ConvolutionGradients {
    fn into_tensors(self) -> Vec<Tensor> {
        vec![self.input, self.weight, self.bias]
    }
}
