//! Elements selected by their indices, or by a mask.

/// Calls `$callback!` with the operators of indices and masks.
#[macro_export]
macro_rules! index_operators {
    ($callback:path) => {
        $callback! {
            index, Indexed:

            /// The slices of `self` along `dim` whose numbers are in `index`
            index_select (takes: types("float f64 int uint bool complex"), ..INDEXED) {
                IndexSelect = "aclnnIndexSelect"(self_: tensor, dim: i64, index: tensor, out: out);
            }

            /// The slices of `self` along `dim` whose numbers are in `index`, in the shape of `index`
            gather_v2 (takes: types("float f64 int bool complex u16@950"), ..INDEXED) {
                GatherV2 = "aclnnGatherV2"(self_: tensor, dim: i64, index: tensor, out: out);
            }

            /// The slices of `self` along `dim` whose numbers are in `index`; the first `batch_dims` axes of both are batches
            gather_v3 (takes: types("f32 f16 f64 bf16 int bool complex"), ..INDEXED) {
                GatherV3 = "aclnnGatherV3"(self_: tensor, dim: i64, index: tensor, batch_dims: i64, mode: i64, out: out);
            }

            /// The elements or slices of `self` at the coordinates in the last axis of `indices`
            gather_nd (takes: types("float i32 i64 i8 u8 bool f64@950 i16@950 uint@950"), ..INDEXED) {
                GatherNd = "aclnnGatherNd"(self_: tensor, indices: tensor, negative_index_support: bool, out: out);
            }

            /// The elements of the flattened `self` whose numbers are in `index`
            take (takes: types("float f64 int uint bool complex"), ..INDEXED) {
                Take = "aclnnTake"(self_: tensor, index: tensor, out: out);
            }

            /// The rows of `weight` whose numbers are in `indices`
            embedding (takes: types("float f64 int bool complex"), ..INDEXED) {
                Embedding = "aclnnEmbedding"(weight: tensor, indices: tensor, out: out_const);
            }

            /// The rows of `weight` whose numbers are in `indices`, combined by bags as in `EmbeddingBag`: sums, means, or the greatest elements
            embedding_bag (takes: types("float"), ..INDEXED) {
                EmbeddingBag = "aclnnEmbeddingBag"(
                    weight: tensor, indices: tensor, offsets: tensor, scaleGradByFreq: bool, mode: i64, sparse: bool,
                    perSampleWeights: tensor_or_null, includeLastOffset: bool, paddingIdx: i64, output: out, offset2bag: out,
                    bagSize: out, maxIndices: out
                );
            }

            /// The gradient of the rows of an embedding: sums of the rows of `grad` that belong to one index
            embedding_dense_backward (
                takes: types("float"), indices: types("f16 f32 f64 int bool"), output: Some(types("float"))
            ) {
                EmbeddingDenseBackward = "aclnnEmbeddingDenseBackward"(
                    grad: tensor, indices: tensor, num_weights: u64, padding_idx: u64, scale_grad_by_freq: bool, out: out_const
                );
            }

            /// The elements of `self` whose position along `dim` is the element of `index` at the same place
            gather (takes: types("float f64 int uint bool f8e5m2@950 f8e4m3fn@950 f8e8m0@950"), ..INDEXED) {
                Gather = "aclnnGather"(self_: tensor, dim: i64, index: tensor, out: out);
            }

            /// The elements of `self` at the positions that a tensor of indices, or a mask, gives for each axis
            index (
                takes: types("f32 f16 f64 bf16@310P,910B,950 int bool c64@950"), indices: types("i32 i64 bool"), output: None
            ) {
                Index = "aclnnIndex"(self_: tensor, indices: tensors, out: out);
            }

            /// `values` at the positions that a tensor of indices, or a mask, gives for each axis; written, or added
            index_put (takes: types("f32 f16 f64 bf16@310P,910B,950 int bool"), indices: types("i32 i64 bool"), output: None) {
                IndexPutImpl = "aclnnIndexPutImpl"(
                    self_: inout, indices: tensors, values: tensor, accumulate: bool, unsafe_: bool
                );
            }

            /// `self` with `alpha` times the slices of `source` added along `dim` at the positions in `index`
            index_add (takes: types("float f64 int bool"), ..INDEXED) {
                IndexAdd = "aclnnIndexAdd"(
                    self_: tensor, dim: i64, index: tensor, source: tensor, alpha: scalar, out: out
                );
            }

            /// `self` with the slices of `source` added along `dim` at the positions in `index`; `mode` selects the way
            index_add_v2 (takes: types("f32 f16 f64 bf16 int bool"), ..INDEXED) {
                IndexAddV2 = "aclnnIndexAddV2"(
                    self_: tensor, dim: i64, index: tensor, source: tensor, alpha: scalar, mode: i64, out: out
                );
            }

            /// `self` with the slices of `source` written along `dim` at the positions in `index`
            index_copy (takes: types("float f64 int bool complex u32@950 u64@950"), ..INDEXED) {
                IndexCopy = "aclnnIndexCopy"(self_: tensor_mut, dim: i64, index: tensor, source: tensor, out: out);
                InplaceIndexCopy = "aclnnInplaceIndexCopy"(self_: inout, dim: i64, index: tensor, source: tensor);
            }

            /// `self` with `value` in the slices along `dim` whose numbers are in `index`
            index_fill (
                takes: types("f32@910B,950 f16@910B,950 bf16@910B,950 i32@910B,950 i64@910B,950 bool@910B,950 f64@950 i8@950 u8@950 i16@950"),
                ..INDEXED
            ) {
                IndexFill = "aclnnIndexFill"(self_: tensor, dim: i64, index: tensor, value: scalar, out: out);
                InplaceIndexFill = "aclnnInplaceIndexFill"(self_: inout, dim: i64, index: tensor, value: scalar);
            }

            /// `self` with `value` in the slices along `dim` whose numbers are in an array on the host
            index_fill_at (takes: types("float i32 i64 bool f64@950 i8@950 u8@950 i16@950"), ..INDEXED) {
                IndexFillTensor = "aclnnIndexFillTensor"(self_: tensor, dim: i64, index: ints, value: scalar, out: out);
                InplaceIndexFillTensor = "aclnnInplaceIndexFillTensor"(self_: inout, dim: i64, index: ints, value: scalar);
            }

            /// `self` with the elements of `src` at the positions along `dim` in the same elements of `index`; written, or combined by `reduce`
            scatter (takes: types("float f64 int bool complex"), ..INDEXED) {
                Scatter = "aclnnScatter"(self_: tensor, dim: i64, index: tensor, src: tensor, reduce: i64, out: out);
                InplaceScatter = "aclnnInplaceScatter"(self_: inout, dim: i64, index: tensor, src: tensor, reduce: i64);
            }

            /// `self` with `value` at the positions along `dim` in the elements of `index`; written, or combined by `reduce`
            scatter_value (takes: types("float f64 int bool complex"), ..INDEXED) {
                ScatterValue = "aclnnScatterValue"(
                    self_: tensor, dim: i64, index: tensor, value: scalar, reduce: i64, out: out
                );
                InplaceScatterValue = "aclnnInplaceScatterValue"(
                    self_: inout, dim: i64, index: tensor, value: scalar, reduce: i64
                );
            }

            /// `self` with the elements of `src` added at the positions along `dim` in the same elements of `index`
            scatter_add (takes: types("float f64 int bool complex"), ..INDEXED) {
                ScatterAdd = "aclnnScatterAdd"(self_: tensor, dim: i64, index: tensor, src: tensor, out: out);
            }

            /// `self` with the elements of `src` at the positions along `dim` in the elements of `index`, combined by `reduce`, with or without the element of `self`
            scatter_reduce (takes: types("float@910,310P,950 f32@910B f64@910,310P,950 int@910,310P,950 bool@910,310P,950 complex@910,310P,950"), ..INDEXED) {
                ScatterReduce = "aclnnScatterReduce"(
                    self_: tensor, dim: i64, index: tensor, src: tensor, reduce: i64, include_self: bool, out: out
                );
                InplaceScatterReduce = "aclnnInplaceScatterReduce"(
                    self_: inout, dim: i64, index: tensor, src: tensor, reduce: i64, include_self: bool
                );
            }

            /// `data` with the elements or slices of `updates` at the coordinates in the last axis of `indices`
            scatter_nd (takes: types("float bool"), ..INDEXED) {
                ScatterNd = "aclnnScatterNd"(data: tensor, indices: tensor, updates: tensor, out: out);
            }

            /// `updates` at the coordinates in the last axis of `indices`, written to `var`
            scatter_nd_update (
                takes: types("float bool i8@910B,950 i16@910B i32@910B i64@910B,950 u8@950 f8e5m2@950 f8e4m3fn@950 hif8@950"), ..INDEXED
            ) {
                ScatterNdUpdate = "aclnnScatterNdUpdate"(var: inout, indices: tensor, updates: tensor);
            }

            /// The one-hot form of `self`: `on_value` where the index along a new axis of `num_classes` indices, inserted at `axis`, is the index in `self`, and `off_value` elsewhere. CANN's description has only the parameters: as in TensorFlow, an index out of range has no `on_value`
            one_hot (takes: types("float f64 int"), ..INDEXED) {
                OneHot = "aclnnOneHot"(
                    self_: tensor, num_classes: int, on_value: tensor, off_value: tensor, axis: i64, out: out
                );
            }

            /// `updates` added to the slices of `var` along its first axis whose numbers are in `indices`. CANN's description has only the parameters: the rule is TensorFlow's, and the types are those of IndexAdd without bool
            scatter_add_slices (takes: types("float f64 int"), ..INDEXED) {
                TfScatterAdd = "aclnnTfScatterAdd"(var: inout, indices: tensor, updates: tensor);
            }

            /// The slices of `varRef` along its first axis whose numbers are in `indices`, combined with `updates`: multiplied, or the
            /// greater or the smaller of both. The rule is TensorFlow's
            scatter_slices (takes: types("float@910B,950 i32@910B,950 i8@910B,950 u8@910B,950"), ..INDEXED) {
                ScatterMul = "aclnnScatterMul"(varRef: inout, indices: tensor, updates: tensor, useLocking: bool);
                ScatterMax = "aclnnScatterMax"(varRef: inout, indices: tensor, updates: tensor, useLocking: bool);
                ScatterMin = "aclnnScatterMin"(varRef: inout, indices: tensor, updates: tensor, useLocking: bool);
            }

            /// The slices of `varRef` along its first axis whose numbers are in `indices`, divided by `updates`
            scatter_div (takes: types("float@910B,950"), ..INDEXED) {
                ScatterDiv = "aclnnScatterDiv"(varRef: inout, indices: tensor, updates: tensor, useLocking: bool);
            }

            /// `data` with `updates` along `axis`, from the position in `indices` on, for each entry of the first axis
            scatter_update (takes: types("float i8 i32 u8@950 f8e5m2@950 f8e4m3fn@950 hif8@950"), ..INDEXED) {
                InplaceScatterUpdate = "aclnnInplaceScatterUpdate"(data: inout, indices: tensor, updates: tensor, axis: i64);
            }

            /// Each entry of `updates` along `axis`, which counts the axes of `updates`, of the tensor of the list that has its number,
            /// from the position in `indice` on; nothing where `maskOptional` is 0, and no position that the tensor does not have.
            /// CANN's description has only the parameters
            scatter_list (
                takes: types("float@910B,950 i8@910B,950 u8@910B,950 i16@910B,950 u16@910B,950 i32@910B,950 u32@910B,950"), ..INDEXED
            ) {
                ScatterList = "aclnnScatterList"(
                    varRef: tensors_inout, indice: tensor, updates: tensor, maskOptional: tensor_or_null,
                    reduceOptional: str_mut, axis: i64
                );
            }

            /// The elements of `source` at the positions of the flattened `self` that are in `index`; written, or added
            put (takes: types("float f64 int bool complex"), ..INDEXED) {
                InplacePut = "aclnnInplacePut"(self_: inout, index: tensor, source: tensor, accumulate: bool);
            }

            /// The elements where `mask` is true, one after the other
            masked_select (
                takes: types("float f64 int bool uint@950"), indices: types("bool u8"), output: Some(types("float f64 int bool uint@950"))
            ) {
                MaskedSelect = "aclnnMaskedSelect"(self_: tensor, mask: tensor, out: out);
            }

            /// `value` where `mask` is true
            masked_fill (takes: types("float i8 i32 i64 bool"), indices: types("bool"), output: None) {
                InplaceMaskedFillScalar = "aclnnInplaceMaskedFillScalar"(self_: inout, mask: tensor, value: scalar);
                InplaceMaskedFillTensor = "aclnnInplaceMaskedFillTensor"(self_: inout, mask: tensor, value: tensor);
            }

            /// The elements of `source`, one after the other, where `mask` is true
            masked_scatter (takes: types("float f64 int bool"), indices: types("bool u8"), output: None) {
                InplaceMaskedScatter = "aclnnInplaceMaskedScatter"(self_: inout, mask: tensor, source: tensor);
            }

            /// The coordinates of the elements that are not zero, one in each row
            nonzero (takes: types("float f64 int bool uint@950"), ..INDEXED) {
                Nonzero = "aclnnNonzero"(self_: tensor, out: out);
            }

            /// The coordinates of the elements that are not zero, one in each column
            nonzero_v2 (takes: types("float f64 int bool uint"), ..INDEXED) {
                NonzeroV2 = "aclnnNonzeroV2"(self_: tensor, out: out);
            }
        }
    };
}

index_operators!(super::info::family);
