//! Resized images: each element is interpolated between its neighbours in the image; and the gradients of that.

/// Calls `$callback!` with the interpolations.
#[macro_export]
macro_rules! resize_operators {
    ($callback:path) => {
        $callback! {
            resize, Wide:

            /// The nearest element along one axis
            upsample_nearest1d (takes: types("float f64 u8"), output: Own) {
                UpsampleNearest1d = "aclnnUpsampleNearest1d"(self_: tensor, outputSize: ints, out: out);
                UpsampleNearest1dV2 = "aclnnUpsampleNearest1dV2"(self_: tensor, outputSize: ints, scaleL: f32, out: out);
            }

            /// The gradient of `upsample_nearest1d`
            upsample_nearest1d_backward (takes: types("float"), output: Own) {
                UpsampleNearest1dBackward = "aclnnUpsampleNearest1dBackward"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, scales: f64, out: out
                );
            }

            /// The nearest element along rows and columns
            upsample_nearest2d (takes: types("float f64 u8"), output: Own) {
                UpsampleNearest2d = "aclnnUpsampleNearest2d"(self_: tensor, outputSize: ints, out: out);
                UpsampleNearest2dV2 = "aclnnUpsampleNearest2dV2"(
                    self_: tensor, outputSize: ints, scalesH: f32, scalesW: f32, out: out
                );
            }

            /// The gradient of `upsample_nearest2d`
            upsample_nearest2d_backward (takes: types("float"), output: Own) {
                UpsampleNearest2dBackward = "aclnnUpsampleNearest2dBackward"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, scalesH: f64, scalesW: f64, gradInput: out
                );
            }

            /// The nearest element along planes, rows and columns
            upsample_nearest3d (takes: types("float f64 u8"), output: Own) {
                UpsampleNearest3d = "aclnnUpsampleNearest3d"(
                    self_: tensor, outputSize: ints, scalesD: f64, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The gradient of `upsample_nearest3d`
            upsample_nearest3d_backward (takes: types("float"), output: Own) {
                UpsampleNearest3dBackward = "aclnnUpsampleNearest3dBackward"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, scalesD: f64, scalesH: f64, scalesW: f64, gradInput: out
                );
            }

            /// The element whose middle is nearest along one axis
            upsample_nearest_exact1d (takes: types("f32 f16 bf16 u8@910,310P,910B"), output: Own) {
                UpsampleNearestExact1d = "aclnnUpsampleNearestExact1d"(self_: tensor, outputSize: ints, scales: f64, out: out);
            }

            /// The gradient of `upsample_nearest_exact1d`
            upsample_nearest_exact1d_backward (takes: types("float"), output: Own) {
                UpsampleNearestExact1dBackward = "aclnnUpsampleNearestExact1dBackward"(
                    gradOutput: tensor, outputSize: ints, inputSize: ints, scales: f64, out: out
                );
            }

            /// The element whose middle is nearest along rows and columns
            upsample_nearest_exact2d (takes: types("f32 f16 bf16 u8@910,310P,910B"), output: Own) {
                UpsampleNearestExact2d = "aclnnUpsampleNearestExact2d"(
                    self_: tensor, outputSize: ints, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The gradient of `upsample_nearest_exact2d`
            upsample_nearest_exact2d_backward (takes: types("float"), output: Own) {
                UpsampleNearestExact2dBackward = "aclnnUpsampleNearestExact2dBackward"(
                    gradOutput: tensor, outputSize: ints, inputSize: ints, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The element whose middle is nearest along planes, rows and columns
            upsample_nearest_exact3d (takes: types("f32 f16 bf16 u8@910,310P,910B"), output: Own) {
                UpsampleNearestExact3d = "aclnnUpsampleNearestExact3d"(
                    self_: tensor, outputSize: ints, scalesD: f64, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The gradient of `upsample_nearest_exact3d`
            upsample_nearest_exact3d_backward (takes: types("float"), output: Own) {
                UpsampleNearestExact3dBackward = "aclnnUpsampleNearestExact3dBackward"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, scalesD: f64, scalesH: f64, scalesW: f64, gradInput: out
                );
            }

            /// The linear interpolation between two elements along one axis
            upsample_linear1d (takes: types("float"), output: Own) {
                UpsampleLinear1d = "aclnnUpsampleLinear1d"(
                    self_: tensor, outputSize: ints, alignCorners: bool, scale: f64, out: out
                );
            }

            /// The gradient of `upsample_linear1d`
            upsample_linear1d_backward (takes: types("float"), output: Own) {
                UpsampleLinear1dBackward = "aclnnUpsampleLinear1dBackward"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, alignCorners: bool, scales: f64, out: out
                );
            }

            /// The linear interpolation between four elements along rows and columns
            upsample_bilinear2d (takes: types("f32 f16 f64 bf16"), output: Own) {
                UpsampleBilinear2d = "aclnnUpsampleBilinear2d"(
                    self_: tensor, outputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The gradient of `upsample_bilinear2d`
            upsample_bilinear2d_backward (takes: types("float"), output: Own) {
                UpsampleBilinear2dBackward = "aclnnUpsampleBilinear2dBackward"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, out: out
                );
                UpsampleBilinear2dBackwardV2 = "aclnnUpsampleBilinear2dBackwardV2"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The linear interpolation between eight elements along planes, rows and columns
            upsample_trilinear3d (takes: types("float"), output: Own) {
                UpsampleTrilinear3d = "aclnnUpsampleTrilinear3d"(
                    self_: tensor, outputSize: ints, alignCorners: bool, scalesD: f64, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The gradient of `upsample_trilinear3d`
            upsample_trilinear3d_backward (takes: types("float"), output: Own) {
                UpsampleTrilinear3dBackward = "aclnnUpsampleTrilinear3dBackward"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, alignCorners: bool, scalesD: f64, scalesH: f64, scalesW: f64,
                    gradInput: out
                );
            }

            /// The cubic interpolation of sixteen elements along rows and columns
            upsample_bicubic2d (takes: types("float"), output: Own) {
                UpsampleBicubic2d = "aclnnUpsampleBicubic2d"(
                    self_: tensor, outputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The gradient of `upsample_bicubic2d`
            upsample_bicubic2d_backward (takes: types("float"), output: Own) {
                UpsampleBicubic2dBackward = "aclnnUpsampleBicubic2dBackward"(
                    gradOut: tensor, outputSize: ints, inputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, gradInput: out
                );
            }

            /// Weighted sums of the elements under a window of two elements of the smaller image along rows and columns
            upsample_bilinear2d_aa (takes: types("float"), output: Own) {
                UpsampleBilinear2dAA = "aclnnUpsampleBilinear2dAA"(
                    input: tensor, outputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The gradient of `upsample_bilinear2d_aa`
            upsample_bilinear2d_aa_backward (takes: types("float"), output: Own) {
                UpsampleBilinear2dAABackward = "aclnnUpsampleBilinear2dAABackward"(
                    gradOutput: tensor, outputSize: ints, inputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// Weighted sums of the elements under a window of four elements of the smaller image along rows and columns
            upsample_bicubic2d_aa (takes: types("float"), output: Own) {
                UpsampleBicubic2dAA = "aclnnUpsampleBicubic2dAA"(
                    x: tensor, outputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// The gradient of `upsample_bicubic2d_aa`
            upsample_bicubic2d_aa_backward (takes: types("float"), output: Own) {
                UpsampleBicubic2dAAGrad = "aclnnUpsampleBicubic2dAAGrad"(
                    gradOutput: tensor, outputSize: ints, inputSize: ints, alignCorners: bool, scalesH: f64, scalesW: f64, out: out
                );
            }

            /// Images times scales, of which sizes are rounded down, as PyTorch's `interpolate` computes the modes `nearest` and
            /// `bilinear`, the latter with corners that do not meet
            resize (takes: types("f32@910B f16@910B"), output: Own) {
                Resize = "aclnnResize"(self_: tensor, scales: floats, mode: str, out: out);
            }
        }
    };
}

resize_operators!(super::info::family);
