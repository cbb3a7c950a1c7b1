//! Samples of images at the coordinates of a grid, and the grids of affine maps.

/// Calls `$callback!` with the samplings.
#[macro_export]
macro_rules! sampling_operators {
    ($callback:path) => {
        $callback! {
            sampling, Wide:

            /// Samples of images with rows and columns at the coordinates of a grid
            grid_sampler2d (takes: types("float f64"), output: Own) {
                GridSampler2D = "aclnnGridSampler2D"(
                    input: tensor, grid: tensor, interpolationMode: i64, paddingMode: i64, alignCorners: bool, out: out
                );
            }

            /// The gradients of `grid_sampler2d`: for the images and for the grid
            grid_sampler2d_backward (takes: types("float f64"), output: Own) {
                GridSampler2DBackward = "aclnnGridSampler2DBackward"(
                    gradOutput: tensor, input: tensor, grid: tensor, interpolationMode: i64, paddingMode: i64, alignCorners: bool,
                    outputMask: bools, inputGrad: out_or_null, gridGrad: out_or_null
                );
            }

            /// Samples of images with planes, rows and columns at the coordinates of a grid
            grid_sampler3d (takes: types("float f64"), output: Own) {
                GridSampler3D = "aclnnGridSampler3D"(
                    input: tensor, grid: tensor, interpolationMode: i64, paddingMode: i64, alignCorners: bool, out: out
                );
            }

            /// The gradients of `grid_sampler3d`: for the images and for the grid
            grid_sampler3d_backward (takes: types("float f64"), output: Own) {
                GridSampler3DBackward = "aclnnGridSampler3DBackward"(
                    gradOutput: tensor, input: tensor, grid: tensor, interpolationMode: i64, paddingMode: i64, alignCorners: bool,
                    outputMask: bools, inputGrad: out_or_null, gridGrad: out_or_null
                );
            }

            /// The grid of coordinates of an affine map of images
            affine_grid (takes: types("float f64"), output: Own) {
                AffineGrid = "aclnnAffineGrid"(theta: tensor, size: ints, alignCorners: bool, out: out);
            }
        }
    };
}

sampling_operators!(super::info::family);
