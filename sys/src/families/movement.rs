//! Elements copied to other places: joined, split, cut, repeated, reordered, padded; and the gradients of some of
//! these.

/// Calls `$callback!` with the operators that move elements.
#[macro_export]
macro_rules! movement_operators {
    ($callback:path) => {
        $callback! {
            movement, Movement:

            /// The tensors joined along the axis `dim`
            cat (
                takes: types("float f64 int bool c64 uint@950 f8e4m3fn@950 f8e5m2@950 hif8@950 f8e8m0@950 f4e1m2@950 f4e2m1@950"),
                output: CastableTo(types("float f64 int bool c64 uint@950 f8e4m3fn@950 f8e5m2@950 hif8@950 f8e8m0@950 f4e1m2@950 f4e2m1@950"))
            ) {
                Cat = "aclnnCat"(tensors: tensors, dim: i64, out: out);
            }

            /// The tensors joined along a new axis `dim`
            stack (takes: types("float f64 int uint bool complex"), output: CastableTo(types("float f64 int uint bool complex"))) {
                Stack = "aclnnStack"(tensors: tensors, dim: i64, out: out);
            }

            /// The tensors in as many chunks along `dim`, filled up with zeros; chunks of one number are one after the other
            chunk_cat (takes: types("float f64 int uint bool complex"), output: CastableTo(types("float f64 int uint bool complex"))) {
                ChunkCat = "aclnnChunkCat"(tensors: tensors, dim: i64, numChunks: i64, out: out);
            }

            /// Pieces of `self` of `splitSections` indices each along the axis `dim`; the last may be smaller
            split_tensor (
                takes: types("f32 f16 f64 bf16 int bool complex uint@950"), output: Any(types("f32 f16 f64 bf16 int bool complex uint@950"))
            ) {
                SplitTensor = "aclnnSplitTensor"(self_: tensor, split_sections: u64, dim: i64, out: tensors_out);
            }

            /// Pieces of `self` of the given sizes along the axis `dim`
            split_with_size (
                takes: types("f32 f16 f64 bf16 int bool complex uint@950"), output: Any(types("f32 f16 f64 bf16 int bool complex uint@950"))
            ) {
                SplitWithSize = "aclnnSplitWithSize"(self_: tensor, split_size: ints, dim: i64, out: tensors_out);
            }

            /// `self` with the axes in the order `dims`
            permute (takes: types("float f64 int uint bool complex hif8 f8e5m2 f8e4m3fn"), output: Own) {
                Permute = "aclnnPermute"(self_: tensor, dims: ints, out: out);
            }

            /// The elements of `srcTensor` in the order of another storage format, which `dstTensor` has
            npu_format_cast (
                takes: types("i8@910B,950 u8@910B,950 f32@910B,950 f16@910B,950 bf16@910B,950 i32@910B,950 u32@910B,950"), output: Own
            ) {
                NpuFormatCast = "aclnnNpuFormatCast"(srcTensor: tensor, dstTensor: out);
            }

            /// Integers from −8 to 7 as codes of four bits, of which each byte holds two, the first one in its lower half. The first
            /// of both functions does it at once, and leaves its places as they are
            convert_weight_to_int4_pack (takes: types("i32@910B,950 f32@950"), output: Any(types("i4@910B,950 i32@910B,950"))) {
                ConvertWeightToINT4Pack = "aclnnConvertWeightToINT4Pack"(weight: tensor, weightInt4Pack: out);
            }

            /// Every `step`-th index from `start` to `end` of the axis `dim`
            slice (takes: types("float i8 u8 i32 i64 bool"), output: Own) {
                Slice = "aclnnSlice"(self_: tensor, dim: i64, start: i64, end: i64, step: i64, out: out);
            }

            /// Every `steps`-th index from `starts` to `ends` of each of the axes
            slice_v2 (takes: types("float i8 u8 i32 i64 bool"), output: Own) {
                SliceV2 = "aclnnSliceV2"(self_: tensor, starts: ints, ends: ints, axes: ints, steps: ints, out: out);
            }

            /// Indices from `begin` to `end` of each axis, with masks as in TensorFlow
            strided_slice (
                takes: types("f32@950 f16@950 bf16@950 int@950 uint@950 bool@950 c32@950 c64@950 hif8@950 f8e5m2@950 f8e4m3fn@950"), output: Own
            ) {
                StridedSlice = "aclnnStridedSlice"(
                    self_: tensor, begin: ints, end: ints, strides: ints, begin_mask: i64, end_mask: i64, ellipsis_mask: i64,
                    new_axis_mask: i64, shrink_axis_mask: i64, out: out
                );
            }

            /// `varRef` with `inputValue` in a part: the indices from `begin` to `end` in steps, of the axes that are named or of all
            strided_slice_assign (
                takes: types("float@910B,950 i32@910B,950 i64@910B,950 f64@910B,950 i8@910B,950"), output: Own
            ) {
                StridedSliceAssignV2 = "aclnnStridedSliceAssignV2"(
                    varRef: inout, inputValue: tensor, begin: ints, end: ints, strides: ints, axesOptional: ints_or_null
                );
            }

            /// `self` repeated along each axis, as many times as `repeats` gives
            repeat (
                takes: types("f32 f16 f64 bf16 int bool complex u32 u64 u16@310P,910B,950 hif8@950 f8e5m2@950 f8e4m3fn@950"), output: Own
            ) {
                Repeat = "aclnnRepeat"(self_: tensor, repeats: ints, out: out);
            }

            /// Every element of `self` repeated in a row along one axis, as many times as `repeats` gives
            repeat_interleave (takes: types("float int bool uint@950"), output: Own) {
                RepeatInterleave = "aclnnRepeatInterleave"(self_: tensor, repeats: tensor, output_size: i64, out: out);
                RepeatInterleaveInt = "aclnnRepeatInterleaveInt"(self_: tensor, repeats: i64, output_size: i64, out: out);
            }

            /// Every index of the axis `dim` repeated in a row, as many times as `repeats` gives
            repeat_interleave_with_dim (takes: types("float int bool uint@950"), output: Own) {
                RepeatInterleaveWithDim = "aclnnRepeatInterleaveWithDim"(
                    self_: tensor, repeats: tensor, dim: i64, output_size: i64, out: out
                );
                RepeatInterleaveIntWithDim = "aclnnRepeatInterleaveIntWithDim"(
                    self_: tensor, repeats: i64, dim: i64, output_size: i64, out: out
                );
            }

            /// Every index repeated in a row, as many times as `repeats` gives
            repeat_interleave_tensor (takes: types("i32 i64"), output: Own) {
                RepeatInterleaveTensor = "aclnnRepeatInterleaveTensor"(repeats: tensor, output_size: i64, out: out);
            }

            /// `self`, broadcast to `size`
            expand (takes: types("float i8 u8 i32 i64 bool"), output: Own) {
                Expand = "aclnnExpand"(self_: tensor, size: ints, out: out);
            }

            /// `x` with its indices moved along the axes `dims` by `shifts`; those that leave an axis come back at its start
            roll (takes: types("float i8 u8 i32 u32 i64 bool bf16@910B,950 i16@910B,950 c64@950"), output: Own) {
                Roll = "aclnnRoll"(x: tensor, shifts: ints, dims: ints, out: out);
            }

            /// `self` with the order of indices reversed on the axes `dims`
            flip (takes: types("float f64 int bool complex uint@950"), output: Own) {
                Flip = "aclnnFlip"(self_: tensor, dims: ints, out: out);
            }

            /// `self` as a matrix: the axes before `axis` are its rows, the others its columns
            flatten (takes: types("float int uint bool"), output: Own) {
                Flatten = "aclnnFlatten"(self_: tensor, axis: i64, out: out);
            }

            /// `self` with the channels of the groups interleaved
            channel_shuffle (takes: types("f32 f16 f64 bf16 int bool complex"), output: Own) {
                ChannelShuffle = "aclnnChannelShuffle"(self_: tensor, groups: i64, out: out);
            }

            /// The elements up to the diagonal of each matrix, and 0 above it
            tril (takes: types("float f64 int uint bool c32@950 c64@950"), output: Own) {
                Tril = "aclnnTril"(self_: tensor, diagonal: i64, out: out);
                InplaceTril = "aclnnInplaceTril"(self_: inout_const, diagonal: i64);
            }

            /// The elements from the diagonal of each matrix on, and 0 below it
            triu (takes: types("float f64 int uint bool c32@950 c64@950"), output: Own) {
                Triu = "aclnnTriu"(self_: tensor, diagonal: i64, out: out);
                InplaceTriu = "aclnnInplaceTriu"(self_: inout, diagonal: i64);
            }

            /// 1 on the diagonal of a matrix, and 0 elsewhere
            eye (takes: types("float int bool"), output: Own) {
                Eye = "aclnnEye"(n: i64, m: i64, out: out);
            }

            /// A matrix with `self` on a diagonal, or a diagonal of the matrix `self`
            diag (takes: types("float f64 int bool c64"), output: Own) {
                Diag = "aclnnDiag"(self_: tensor, diagonal: i64, out: out);
            }

            /// A matrix with the elements of `self` on a diagonal
            diag_flat (takes: types("float f64 int bool c64"), output: Any(types("float f64 int bool c64"))) {
                DiagFlat = "aclnnDiagFlat"(self_: tensor, diagonal: i64, out: out);
            }

            /// `fillValue` on the diagonal
            fill_diagonal (takes: types("float f64 int bool"), output: Own) {
                InplaceFillDiagonal = "aclnnInplaceFillDiagonal"(self_: inout, fill_value: scalar, wrap: bool);
            }

            /// `value`, converted to the type of `self`, in every element
            fill_tensor (takes: types("float f64 int bool complex"), output: Own) {
                InplaceFillTensor = "aclnnInplaceFillTensor"(self_: inout, value: tensor);
            }

            /// `self` padded with `value`
            constant_pad_nd (
                takes: types("float f64 int uint bool complex hif8@950 f8e5m2@950 f8e4m3fn@950 f8e8m0@950 f4e1m2@950 f4e2m1@950"), output: Own
            ) {
                ConstantPadNd = "aclnnConstantPadNd"(self_: tensor, pad: ints, value: scalar, out: out);
            }

            /// `self` padded with its mirror image; the elements at the border are not repeated
            reflection_pad (
                takes: types("float f64 int bool complex@910B,950 uint@950 hif8@950 f8e5m2@950 f8e4m3fn@950 f8e8m0@950"), output: Own
            ) {
                ReflectionPad1d = "aclnnReflectionPad1d"(self_: tensor, padding: ints, out: out);
                ReflectionPad2d = "aclnnReflectionPad2d"(self_: tensor, padding: ints, out: out);
                ReflectionPad3d = "aclnnReflectionPad3d"(self_: tensor, padding: ints, out: out);
            }

            /// `self` padded with copies of the elements at its border
            replication_pad (
                takes: types("f32 f16 f64 bf16 int complex bool@950 uint@950 hif8@950 f8e5m2@950 f8e4m3fn@950 f8e8m0@950"), output: Own
            ) {
                ReplicationPad1d = "aclnnReplicationPad1d"(self_: tensor, padding: ints, out: out);
                ReplicationPad2d = "aclnnReplicationPad2d"(self_: tensor, padding: ints, out: out);
                ReplicationPad3d = "aclnnReplicationPad3d"(self_: tensor, padding: ints, out: out);
            }

            /// `self` padded with the elements of the opposite border
            circular_pad (takes: types("f32 f16 bf16 i32 i8"), output: Own) {
                CircularPad2d = "aclnnCircularPad2d"(self_: tensor, padding: ints, out: out);
                CircularPad3d = "aclnnCircularPad3d"(self_: tensor, padding: ints, out: out);
            }

            /// The gradient of padding with a mirror image
            reflection_pad_backward (takes: types("float f64"), output: Own) {
                ReflectionPad1dBackward = "aclnnReflectionPad1dBackward"(gradOutput: tensor, self_: tensor, padding: ints, gradInput: out);
                ReflectionPad2dBackward = "aclnnReflectionPad2dBackward"(gradOutput: tensor, self_: tensor, padding: ints, gradInput: out);
                ReflectionPad3dBackward = "aclnnReflectionPad3dBackward"(gradOutput: tensor, self_: tensor, padding: ints, gradInput: out);
            }

            /// The gradient of padding with copies of the elements at the border
            replication_pad_backward (takes: types("float f64"), output: Own) {
                ReplicationPad1dBackward = "aclnnReplicationPad1dBackward"(gradOutput: tensor, self_: tensor, padding: ints, gradInput: out);
                ReplicationPad2dBackward = "aclnnReplicationPad2dBackward"(gradOutput: tensor, self_: tensor, padding: ints, gradInput: out);
                ReplicationPad3dBackward = "aclnnReplicationPad3dBackward"(gradOutput: tensor, self_: tensor, padding: ints, gradInput: out);
            }

            /// The gradient of padding with the elements of the opposite border
            circular_pad_backward (takes: types("float"), output: Own) {
                CircularPad2dBackward = "aclnnCircularPad2dBackward"(gradOutput: tensor, self_: tensor, padding: ints, gradInput: out);
                CircularPad3dBackward = "aclnnCircularPad3dBackward"(gradOutput: tensor, self_: tensor, padding: ints, gradInput: out);
            }

            /// The gradient of the windows of a tensor at each of their positions along an axis
            unfold_grad (takes: types("float"), output: Own) {
                UnfoldGrad = "aclnnUnfoldGrad"(
                    gradOut: tensor, inputSizes: ints, dim: i64, size: i64, step: i64, gradIn: out_const
                );
            }

            /// The columns of an image (`im2col`): the elements under a window at each of its positions, one column for each position
            im2col (
                takes: types("f32 f16 bf16 int@950 uint@950 f64@950 bool@950 c32@950 c64@950"),
                output: Cast(types("f32 f16 f64 bf16 int uint bool complex c32@950 hif8@950 f8e5m2@950 f8e4m3fn@950"))
            ) {
                Im2col = "aclnnIm2col"(self_: tensor, kernel_size: ints, dilation: ints, padding: ints, stride: ints, out: out_const);
            }
        }
    };
}

movement_operators!(super::info::family);
