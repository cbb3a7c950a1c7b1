//! Convolutions of images in one to three dimensions, their gradients, and the sum of windows.

/// Calls `$callback!` with the convolutions.
#[macro_export]
macro_rules! convolution_operators {
    ($callback:path) => {
        $callback! {
            convolution, Wide:

            /// The sums of the products of a window of weights and the elements under it, for each position of the window; or, transposed, the gradient of that for its input
            convolution (
                takes: types("float hif8@950 f8e4m3fn@950"), output: Any(types("float hif8@950 f8e4m3fn@950"))
            ) {
                Convolution = "aclnnConvolution"(
                    input: tensor, weight: tensor, bias: tensor_or_null, stride: ints, padding: ints, dilation: ints, transposed: bool,
                    outputPadding: ints_or_null, groups: i64, output: out, cubeMathType: i8
                );
            }

            /// A convolution of integers, plus a bias of i32, times a scale of each channel, plus a bias of floats; sums are exact. Of the
            /// operator only the parameters are known
            quant_convolution (takes: types("i8@910B,950"), output: Any(types("f16 bf16 f32"))) {
                QuantConvolution = "aclnnQuantConvolution"(
                    input: tensor, weight: tensor, bias: tensor_or_null, scale: tensor, offset: tensor_or_null,
                    stride: ints, padding: ints, dilation: ints, transposed: bool, outputPadding: ints_or_null,
                    groups: i64, offsetx: i32, roundMode: str, output: out
                );
            }

            /// The gradients of a convolution: for its input, its weight and its bias
            convolution_backward (
                takes: types("float hif8@950 f8e4m3fn@950"), output: Any(types("float hif8@950 f8e4m3fn@950"))
            ) {
                ConvolutionBackward = "aclnnConvolutionBackward"(
                    gradOutput: tensor, input: tensor, weight: tensor, biasSizes: ints_or_null, stride: ints, padding: ints, dilation: ints,
                    transposed: bool, outputPadding: ints, groups: int, outputMask: bools, cubeMathType: i8, gradInput: out_or_null,
                    gradWeight: out_or_null, gradBias: out_or_null
                );
            }

            /// A convolution of each channel by itself
            conv_depthwise2d (takes: types("float"), output: Own) {
                ConvDepthwise2d = "aclnnConvDepthwise2d"(
                    self_: tensor, weight: tensor, kernelSize: ints, bias: tensor_or_null, stride: ints, padding: ints, dilation: ints,
                    out: out, cubeMathType: i8
                );
            }

            /// A convolution along the first axis of a tensor, whose axes are time, batches and channels
            conv_tbc (takes: types("float"), output: Own) {
                ConvTbc = "aclnnConvTbc"(
                    self_: tensor, weight: tensor, bias: tensor, pad: i64, output: out, cubeMathType: i8
                );
            }

            /// The gradients of `conv_tbc`: for its input, its weight and its bias
            conv_tbc_backward (takes: types("float"), output: Own) {
                ConvTbcBackward = "aclnnConvTbcBackward"(
                    self_: tensor, input: tensor, weight: tensor, bias: tensor, pad: i64, cubeMathType: i8, gradInput: out, gradWeight: out,
                    gradBias: out
                );
            }

            /// The image made from columns (`col2im`): for each element, the sum of the column elements that come from it
            im2col_backward (takes: types("float"), output: Own) {
                Im2colBackward = "aclnnIm2colBackward"(
                    gradOutput: tensor, inputSize: ints, kernelSize: ints, dilation: ints, padding: ints, stride: ints, out: out
                );
            }
        }
    };
}

convolution_operators!(super::info::family);
