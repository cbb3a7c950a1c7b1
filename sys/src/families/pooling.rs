//! Averages and greatest elements of windows, and their gradients.

/// Calls `$callback!` with the poolings.
#[macro_export]
macro_rules! pooling_operators {
    ($callback:path) => {
        $callback! {
            pooling, Wide:

            /// The average of the elements under a window with rows and columns, for each of its positions
            avg_pool2d (takes: types("float hif8@950"), output: Own) {
                AvgPool2d = "aclnnAvgPool2d"(
                    self_: tensor, kernelSize: ints, strides: ints, paddings: ints, ceilMode: bool, countIncludePad: bool,
                    divisorOverride: i64, cubeMathType: i8, out: out
                );
            }

            /// The gradient of `avg_pool2d`
            avg_pool2d_backward (takes: types("float hif8@950"), output: Own) {
                AvgPool2dBackward = "aclnnAvgPool2dBackward"(
                    gradOutput: tensor, self_: tensor, kernelSize: ints, stride: ints_or_null, padding: ints, ceilMode: bool,
                    countIncludePad: bool, divisorOverride: i64, cubeMathType: i8, gradInput: out
                );
            }

            /// The average of the elements under a window with planes, rows and columns, for each of its positions
            avg_pool3d (takes: types("float"), output: Own) {
                AvgPool3d = "aclnnAvgPool3d"(
                    self_: tensor, kernelSize: ints, stride: ints, padding: ints, ceilMode: bool, countIncludePad: bool,
                    divisorOverride: i64, out: out
                );
            }

            /// The gradient of `avg_pool3d`
            avg_pool3d_backward (takes: types("float"), output: Own) {
                AvgPool3dBackward = "aclnnAvgPool3dBackward"(
                    gradOutput: tensor, self_: tensor, kernelSize: ints, stride: ints, padding: ints, ceilMode: bool,
                    countIncludePad: bool, divisorOverride: i64, output: out
                );
            }

            /// The greatest element under a window, for each of its positions; without strides it moves by 1
            max_pool (
                takes: types("f16 f32@910B,950 bf16@950 i32@950 i64@950 u8@950 i16@950 i8@950 u16@950"), output: Own
            ) {
                MaxPool = "aclnnMaxPool"(
                    self_: tensor, kernelShape: ints, strides: ints, autoPad: i64, pads: ints, dilations: ints, ceilMode: i64, out: out
                );
            }

            /// The greatest element under a window with rows and columns, as max_pool; numbers of windows may stand behind two of 1
            max_pool_v3 (takes: types("f16@910B f32@910B"), output: Own) {
                MaxPoolV3 = "aclnnMaxPoolV3"(
                    x: tensor, ksize: ints, strides: ints, pads: ints, ceilMode: scalar, out: out
                );
            }

            /// The greatest element under a window with planes, rows and columns, with the padding of TensorFlow
            max_pool3d (takes: types("f32@910B f16@910B bf16@910B"), output: Own) {
                MaxPool3D = "aclnnMaxPool3D"(
                    x: tensor, ksize: ints, strides: ints, padding: str, padsOptional: ints_or_null,
                    dilationOptional: ints_or_null, ceilMode: i64, dataFormatOptional: str, out: out
                );
            }

            /// The greatest element under a window with rows and columns, and its number in the plane
            max_pool2d_with_indices (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                MaxPool2dWithIndices = "aclnnMaxPool2dWithIndices"(
                    self_: tensor, kernelSize: ints, stride: ints, padding: ints, dilation: ints, ceilMode: bool, out: out, indices: out
                );
            }

            /// The gradient of `max_pool2d_with_indices`
            max_pool2d_with_indices_backward (takes: types("f32@910B,950 f16@950 bf16@950"), output: Own) {
                MaxPool2dWithIndicesBackward = "aclnnMaxPool2dWithIndicesBackward"(
                    gradOutput: tensor, self_: tensor, indices: tensor, kernelSize: ints, stride: ints, padding: ints, dilation: ints,
                    ceilMode: bool, gradInput: out
                );
            }

            /// The greatest element under a window with rows and columns, and a mask from which its gradient finds the position
            max_pool2d_with_mask (takes: types("f32@910,310P,910B f16@910,910B bf16@910B"), output: Own) {
                MaxPool2dWithMask = "aclnnMaxPool2dWithMask"(
                    self_: tensor, kernelSize: ints, stride: ints, padding: ints, dilation: ints, ceilMode: bool, out: out, indices: out
                );
            }

            /// The gradient of `max_pool2d_with_mask`
            max_pool2d_with_mask_backward (takes: types("f32@910,910B f16@910,910B bf16@910B"), output: Own) {
                MaxPool2dWithMaskBackward = "aclnnMaxPool2dWithMaskBackward"(
                    gradOutput: tensor, self_: tensor, indices: tensor, kernelSize: ints, stride: ints, padding: ints, dilation: ints,
                    ceilMode: bool, gradInput: out
                );
            }

            /// The greatest element under a window with planes, rows and columns, and its number in the volume
            max_pool3d_with_argmax (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                MaxPool3dWithArgmax = "aclnnMaxPool3dWithArgmax"(
                    self_: tensor, kernelSize: ints, stride: ints, padding: ints, dilation: ints, ceilMode: bool, out: out, indices: out
                );
            }

            /// The gradient of `max_pool3d_with_argmax`
            max_pool3d_with_argmax_backward (takes: types("f32@910B,950 f16@910B,950 bf16@910B,950"), output: Own) {
                MaxPool3dWithArgmaxBackward = "aclnnMaxPool3dWithArgmaxBackward"(
                    gradOutput: tensor, self_: tensor, indices: tensor, kernelSize: ints, stride: ints, padding: ints, dilation: ints,
                    ceilMode: bool, gradInput: out
                );
            }

            /// The averages of rows and columns divided into as many parts as the result has
            adaptive_avg_pool2d (takes: types("float"), output: Own) {
                AdaptiveAvgPool2d = "aclnnAdaptiveAvgPool2d"(self_: tensor, outputSize: ints, out: out);
            }

            /// The gradient of `adaptive_avg_pool2d`
            adaptive_avg_pool2d_backward (takes: types("float"), output: Own) {
                AdaptiveAvgPool2dBackward = "aclnnAdaptiveAvgPool2dBackward"(gradOutput: tensor, self_: tensor, out: out);
            }

            /// The averages of planes, rows and columns divided into as many parts as the result has
            adaptive_avg_pool3d (takes: types("float"), output: Own) {
                AdaptiveAvgPool3d = "aclnnAdaptiveAvgPool3d"(self_: tensor, outputSize: ints, out: out);
            }

            /// The gradient of `adaptive_avg_pool3d`
            adaptive_avg_pool3d_backward (takes: types("float"), output: Own) {
                AdaptiveAvgPool3dBackward = "aclnnAdaptiveAvgPool3dBackward"(gradOutput: tensor, self_: tensor, out: out);
            }

            /// The average of each image
            global_average_pool (takes: types("float"), output: Own) {
                GlobalAveragePool = "aclnnGlobalAveragePool"(self_: tensor, out: out);
            }

            /// The greatest element of each image
            global_max_pool (takes: types("float f64"), output: Own) {
                GlobalMaxPool = "aclnnGlobalMaxPool"(self_: tensor, out: out);
            }

            /// The greatest elements of rows and columns divided into as many parts as the result has, and their numbers in the plane
            adaptive_max_pool2d (takes: types("float f64"), output: Own) {
                AdaptiveMaxPool2d = "aclnnAdaptiveMaxPool2d"(self_: tensor, outputSize: ints, outputOut: out, indicesOut: out);
            }

            /// The gradient of `adaptive_max_pool2d`
            adaptive_max_pool2d_backward (takes: types("float f64"), output: Own) {
                AdaptiveMaxPool2dBackward = "aclnnAdaptiveMaxPool2dBackward"(
                    gradOutput: tensor, self_: tensor, indices: tensor, gradInput: out
                );
            }

            /// The greatest elements of planes, rows and columns divided into as many parts as the result has, and their numbers in the volume
            adaptive_max_pool3d (takes: types("float f64"), output: Own) {
                AdaptiveMaxPool3d = "aclnnAdaptiveMaxPool3d"(self_: tensor, outputSize: ints, outputOut: out, indicesOut: out);
            }

            /// The gradient of `adaptive_max_pool3d`
            adaptive_max_pool3d_backward (takes: types("float f64"), output: Own) {
                AdaptiveMaxPool3dBackward = "aclnnAdaptiveMaxPool3dBackward"(
                    gradOutput: tensor, self_: tensor, indices: tensor, gradInput: out
                );
            }

            /// Elements at their numbers in a larger plane, which is 0 elsewhere
            max_unpool2d (takes: types("float f64"), output: Own) {
                MaxUnpool2d = "aclnnMaxUnpool2d"(self_: tensor, indices: tensor, outputSize: ints, out: out);
            }

            /// The gradient of `max_unpool2d`
            max_unpool2d_backward (takes: types("float f64"), output: Own) {
                MaxUnpool2dBackward = "aclnnMaxUnpool2dBackward"(
                    gradOutput: tensor, self_: tensor, indices: tensor, outputSize: ints, out: out
                );
            }

            /// Elements at their numbers in a larger volume, which is 0 elsewhere
            max_unpool3d (takes: types("float f64"), output: Own) {
                MaxUnpool3d = "aclnnMaxUnpool3d"(
                    self_: tensor, indices: tensor, outputSize: ints, stride: ints, padding: ints, outRef: out
                );
            }

            /// The gradient of `max_unpool3d`
            max_unpool3d_backward (takes: types("float f64"), output: Own) {
                MaxUnpool3dBackward = "aclnnMaxUnpool3dBackward"(
                    gradOutput: tensor, self_: tensor, indices: tensor, outputSize: ints, stride: ints, padding: ints, out: out
                );
            }
        }
    };
}

pooling_operators!(super::info::family);
