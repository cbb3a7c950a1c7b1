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

            /// Regions of images, pooled to one size by means of interpolated samples, as ONNX's operator of this name; only the mode
            /// "avg" is computed
            roi_align (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                RoiAlign = "aclnnRoiAlign"(
                    self_: tensor, rois: tensor, batchIndices: tensor, mode: str, outputHeight: int, outputWidth: int,
                    samplingRatio: int, spatialScale: f32, out: out
                );
            }

            /// Regions of images, pooled to one size by means of interpolated samples, as in torchvision; boxes begin with the number
            /// of their image
            roi_align_v2 (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                RoiAlignV2 = "aclnnRoiAlignV2"(
                    self_: tensor, boxes: tensor, pooledHeight: i64, pooledWidth: i64, spatialScale: f32,
                    samplingRatio: i64, aligned: bool, out: out
                );
            }

            /// The gradient of roi_align_v2
            roi_align_v2_backward (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                RoiAlignV2Backward = "aclnnRoiAlignV2Backward"(
                    gradOutput: tensor, boxes: tensor, inputShape: ints, pooledHeight: i64, pooledWidth: i64,
                    spatialScale: f32, samplingRatio: i64, aligned: bool, gradInput: out
                );
            }

            /// Attention to interpolated points of maps in several sizes, as Deformable DETR has it
            multi_scale_deformable_attention (takes: types("float@910B,950"), output: Own) {
                MultiScaleDeformableAttnFunction = "aclnnMultiScaleDeformableAttnFunction"(
                    value: tensor, spatialShape: tensor, levelStartIndex: tensor, location: tensor, attnWeight: tensor,
                    output: out
                );
            }

            /// The gradients of multi_scale_deformable_attention
            multi_scale_deformable_attention_grad (takes: types("f32@910B,950"), output: Own) {
                MultiScaleDeformableAttentionGrad = "aclnnMultiScaleDeformableAttentionGrad"(
                    value: tensor, spatialShape: tensor, levelStartIndex: tensor, location: tensor, attnWeight: tensor,
                    gradOutput: tensor, gradValue: out, gradLocation: out, gradAttnWeight: out
                );
            }

            /// The means of neighbours, weighted by normal distributions of columns and rows, as OpenCV has them for images whose
            /// channels stand last, if there are some. Its types of borders are 0 for zeros, 1 for the last element, and 2 and 4 for
            /// a mirror with and without it
            gaussian_blur (takes: types("f32@910B f16@910B"), output: Own) {
                GaussianBlur = "aclnnGaussianBlur"(
                    src: tensor, ksize: ints, sigmaX: f64, sigmaY: f64, borderType: i64, dst: out_const
                );
            }

            /// The boxes of each class of each image with the best scores, of which none covers another one by more than a part
            /// of both, as ONNX chooses them; the result gets as many rows as boxes are kept
            non_max_suppression (takes: types("f32@910B f16@910B"), output: Own) {
                NonMaxSuppression = "aclnnNonMaxSuppression"(
                    boxes: tensor, scores: tensor, maxOutputBoxesPerClass: ints_mut, iouThreshold: floats_mut,
                    scoreThreshold: floats_mut, centerPointBox: i32, selectedIndices: out
                );
            }

            /// A convolution whose window takes interpolated samples at places that are moved by offsets, and weighted by masks
            deformable_conv2d (takes: types("float@910B,950"), output: Own) {
                DeformableConv2d = "aclnnDeformableConv2d"(
                    x: tensor, weight: tensor, offset: tensor, biasOptional: tensor_or_null, kernelSize: ints, stride: ints,
                    padding: ints, dilation: ints, groups: i64, deformableGroups: i64, modulated: bool, out: out,
                    deformOutOptional: out_or_null
                );
            }

            /// The gradients of deformable_conv2d, from the samples `offsetOut` that it wrote
            deformable_conv2d_backward (takes: types("float@950"), output: Own) {
                DeformableConv2dBackward = "aclnnDeformableConv2dBackward"(
                    input: tensor, gradOutput: tensor, offsetOut: tensor, weight: tensor, offset: tensor,
                    kernelSize: ints, stride: ints, padding: ints, dilation: ints, groups: i64,
                    deformableGroups: i64, modulated: bool, gradInput: out, gradWeight: out, gradOffset: out,
                    gradBias: out_or_null
                );
            }

            /// The greatest elements of the cells of regions, whose borders are rounded to elements, and their numbers in the plane;
            /// 0 and −1 for a cell without elements
            roi_pooling_with_arg_max (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                RoiPoolingWithArgMax = "aclnnRoiPoolingWithArgMax"(
                    x: tensor, rois: tensor, pooled_h: i64, pooled_w: i64, spatial_scale_h: f32, spatial_scale_w: f32,
                    y: out, argmax: out
                );
            }

            /// The gradient of `roi_pooling_with_arg_max`, added to `gradInputRef`: each gradient goes to the greatest element of
            /// its cell; −1 stands for none
            roi_pooling_grad_with_arg_max (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                RoiPoolingGradWithArgMax = "aclnnRoiPoolingGradWithArgMax"(
                    gradOutput: tensor, gradInputRef: inout_const, rois: tensor, argmax: tensor, pooledH: i64,
                    pooledW: i64, spatialScale: f64
                );
            }

            /// The area that two boxes have in common, over what they cover together (`mode` "iou") or over what the box of `gtBoxes`
            /// covers ("iof"): of each pair, a row for each box of `gtBoxes`, or of boxes side by side if `aligned`
            ///
            /// Boxes are left, top, right and bottom. `eps` belongs to each width and height, where 1 counts the last pixel.
            iou (takes: types("float@910B,950"), output: Own) {
                Iou = "aclnnIou"(
                    bBoxes: tensor, gtBoxes: tensor, mode: str, eps: f32, aligned: bool, overlap: out
                );
            }

            /// The measure of `iou`, less what the distance of the centres and the difference of the shapes cost
            ///
            /// Boxes are columns: left, top, right and bottom, or the centre, width and height if `trans`. `isCross` asks for a row
            /// of each box of `gtBoxes`, and otherwise there is one row of the boxes side by side. `atanSub` is the difference of the
            /// arctangents of width over height, that of the box from `gtBoxes` first. Divisors get 10⁻⁹ more.
            ciou (takes: types("float@950"), output: Own) {
                CIoU = "aclnnCIoU"(
                    bBoxes: tensor, gtBoxes: tensor, trans: bool, isCross: bool, mode: str, overlap: out, atanSub: out
                );
            }

            /// The gradient of the squares of the distances between points and the nearest ones of another set
            chamfer_distance_backward (takes: types("f32@910B,950 f16@910B,950"), output: Own) {
                ChamferDistanceBackward = "aclnnChamferDistanceBackward"(
                    xyz1: tensor, xyz2: tensor, idx1: tensor, idx2: tensor, gradDist1: tensor, gradDist2: tensor,
                    gradXyz1: out, gradXyz2: out
                );
            }
        }
    };
}

sampling_operators!(super::info::family);
