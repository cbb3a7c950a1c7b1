//! Attention, and rotary embeddings of its operands.

/// Calls `$callback!` with these operators.
#[macro_export]
macro_rules! attention_operators {
    ($callback:path) => {
        $callback! {
            attention, Wide:

            /// The rotary embedding: pairs of elements along the last axis, rotated by angles that depend on their positions
            rotary_embedding (takes: types("float"), output: Own) {
                RotaryPositionEmbedding = "aclnnRotaryPositionEmbedding"(
                    x: tensor, cos: tensor, sin: tensor, mode: i64, out: out
                );
                RotaryPositionEmbeddingV2 = "aclnnRotaryPositionEmbeddingV2"(
                    x: tensor, cos: tensor, sin: tensor, mode: i64, rotate: tensor_or_null, out: out
                );
            }

            /// The rotary embedding of a slice of the last axis, in place: elements from the first number of `partialSlice` to the
            /// second one, without this
            partial_rotary (takes: types("float@910B,950"), output: Own) {
                InplacePartialRotaryMul = "aclnnInplacePartialRotaryMul"(
                    xRef: inout_const, cos: tensor, sin: tensor, rotary_mode: i64, partialSlice: ints
                );
            }

            /// The rotary embedding of neighbours, whose first elements come before all second ones in the result
            deinterleaved_rotary_embedding (takes: types("f16@910B bf16@910B float@950"), output: Own) {
                InterleaveRope = "aclnnInterleaveRope"(x: tensor, cos: tensor, sin: tensor, out: out);
            }

            /// The rotary embedding of queries and keys, by angles that positions find in a table
            rotary_embedding_by_positions (takes: types("float@910B,950"), output: Own) {
                RopeWithSinCosCache = "aclnnRopeWithSinCosCache"(
                    positions: tensor, queryIn: tensor, keyIn: tensor, cosSinCache: tensor, mropeSection: ints_or_null,
                    headSize: i64, isNeoxStyle: bool, queryOut: out, keyOut: out
                );
                RopeWithSinCosCacheV2 = "aclnnRopeWithSinCosCacheV2"(
                    positions: tensor, queryIn: tensor, keyIn: tensor, cosSinCache: tensor, mropeSection: ints_or_null,
                    headSize: i64, isNeoxStyle: bool, cacheMode: i64, queryOut: out, keyOut: out
                );
            }

            /// Keys and values written to slots of a cache
            write_to_cache (takes: types("f16@910B,950 bf16@910B,950 i8@910B,950"), output: Own) {
                ScatterPaKvCache = "aclnnScatterPaKvCache"(
                    key: tensor, keyCacheRef: inout, slotMapping: tensor, value: tensor_or_null,
                    valueCacheRef: out_or_null, compressLensOptional: tensor_or_null,
                    compressSeqOffsetOptional: tensor_or_null, seqLensOptional: tensor_or_null,
                    cacheModeOptional: str_mut, scatterModeOptional: str_mut, stridesOptional: ints_or_null,
                    offsetsOptional: ints_or_null
                );
            }

            /// Keys written to slots of a cache
            write_keys_to_cache (takes: types("f16@950 bf16@950 i8@950"), output: Own) {
                ScatterPaCache = "aclnnScatterPaCache"(
                    key: tensor, keyCacheRef: inout, slotMapping: tensor, compressLensOptional: tensor_or_null,
                    compressSeqOffsetOptional: tensor_or_null, seqLensOptional: tensor_or_null, cacheMode: str_mut
                );
            }

            /// Keys and values of sequences, read from the blocks of a cache
            read_from_cache (
                takes: types("f16@910B,950 f32@910B,950 bf16@910B,950 i8@910B,950 u8@910B,950 i16@910B,950 u16@910B,950 i32@910B,950 u32@910B,950"),
                output: Own
            ) {
                GatherPaKvCache = "aclnnGatherPaKvCache"(
                    keyCache: tensor, valueCache: tensor, blockTables: tensor, seqLens: tensor, keyRef: inout,
                    valueRef: inout, seqOffsetOptional: tensor_or_null, cacheMode: str_mut, isSeqLensCumsum: bool
                );
            }

            /// The gradients of a rotary embedding
            rotary_embedding_backward (takes: types("float"), output: Own) {
                RotaryPositionEmbeddingGrad = "aclnnRotaryPositionEmbeddingGrad"(
                    dy: tensor, cos: tensor, sin: tensor, xOptional: tensor_or_null, mode: i64, dxOut: out,
                    dcosOut: out_or_null, dsinOut: out_or_null
                );
            }

            /// The rotary embedding of queries and keys: pairs of elements, rotated by angles that depend on their positions
            apply_rotary_embedding (takes: types("float"), output: Own) {
                ApplyRotaryPosEmb = "aclnnApplyRotaryPosEmb"(
                    queryRef: inout, keyRef: inout, cos: tensor, sin: tensor, layout: i64
                );
                ApplyRotaryPosEmbV2 = "aclnnApplyRotaryPosEmbV2"(
                    queryRef: inout, keyRef: inout, cos: tensor, sin: tensor, layout: i64, rotaryMode: str_mut
                );
            }

            /// Attention: the values, weighted by how well their keys match each query
            infer_attention (takes: types("f16@310P,910B bf16@910B"), output: Own) {
                FusedInferAttentionScore = "aclnnFusedInferAttentionScore"(
                    query: tensor, key: tensors, value: tensors, pseShift: tensor_or_null, attenMask: tensor_or_null,
                    actualSeqLengths: ints_or_null, actualSeqLengthsKv: ints_or_null, deqScale1: tensor_or_null,
                    quantScale1: tensor_or_null, deqScale2: tensor_or_null, quantScale2: tensor_or_null,
                    quantOffset2: tensor_or_null, antiquantScale: tensor_or_null, antiquantOffset: tensor_or_null,
                    blockTable: tensor_or_null, queryPaddingSize: tensor_or_null, kvPaddingSize: tensor_or_null,
                    numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: str_mut,
                    numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64, blockSize: i64, antiquantMode: i64,
                    softmaxLseFlag: bool, attentionOut: out_const, softmaxLse: out_const_or_null
                );
                FusedInferAttentionScoreV2 = "aclnnFusedInferAttentionScoreV2"(
                    query: tensor, key: tensors, value: tensors, pseShiftOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, actualSeqLengthsOptional: ints_or_null,
                    actualSeqLengthsKvOptional: ints_or_null, deqScale1Optional: tensor_or_null,
                    quantScale1Optional: tensor_or_null, deqScale2Optional: tensor_or_null,
                    quantScale2Optional: tensor_or_null, quantOffset2Optional: tensor_or_null,
                    antiquantScaleOptional: tensor_or_null, antiquantOffsetOptional: tensor_or_null,
                    blockTableOptional: tensor_or_null, queryPaddingSizeOptional: tensor_or_null,
                    kvPaddingSizeOptional: tensor_or_null, keyAntiquantScaleOptional: tensor_or_null,
                    keyAntiquantOffsetOptional: tensor_or_null, valueAntiquantScaleOptional: tensor_or_null,
                    valueAntiquantOffsetOptional: tensor_or_null, keySharedPrefixOptional: tensor_or_null,
                    valueSharedPrefixOptional: tensor_or_null, actualSharedPrefixLenOptional: ints_or_null, numHeads: i64,
                    scaleValue: f64, preTokens: i64, nextTokens: i64, inputLayout: str_mut, numKeyValueHeads: i64,
                    sparseMode: i64, innerPrecise: i64, blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool,
                    keyAntiquantMode: i64, valueAntiquantMode: i64, attentionOut: out_const, softmaxLse: out_const_or_null
                );
                FusedInferAttentionScoreV3 = "aclnnFusedInferAttentionScoreV3"(
                    query: tensor, key: tensors, value: tensors, pseShiftOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, actualSeqLengthsOptional: ints_or_null,
                    actualSeqLengthsKvOptional: ints_or_null, deqScale1Optional: tensor_or_null,
                    quantScale1Optional: tensor_or_null, deqScale2Optional: tensor_or_null,
                    quantScale2Optional: tensor_or_null, quantOffset2Optional: tensor_or_null,
                    antiquantScaleOptional: tensor_or_null, antiquantOffsetOptional: tensor_or_null,
                    blockTableOptional: tensor_or_null, queryPaddingSizeOptional: tensor_or_null,
                    kvPaddingSizeOptional: tensor_or_null, keyAntiquantScaleOptional: tensor_or_null,
                    keyAntiquantOffsetOptional: tensor_or_null, valueAntiquantScaleOptional: tensor_or_null,
                    valueAntiquantOffsetOptional: tensor_or_null, keySharedPrefixOptional: tensor_or_null,
                    valueSharedPrefixOptional: tensor_or_null, actualSharedPrefixLenOptional: ints_or_null,
                    queryRopeOptional: tensor_or_null, keyRopeOptional: tensor_or_null,
                    keyRopeAntiquantScaleOptional: tensor_or_null, numHeads: i64, scaleValue: f64, preTokens: i64,
                    nextTokens: i64, inputLayout: str_mut, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64,
                    blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool, keyAntiquantMode: i64,
                    valueAntiquantMode: i64, attentionOut: out_const, softmaxLse: out_const_or_null
                );
                FusedInferAttentionScoreV4 = "aclnnFusedInferAttentionScoreV4"(
                    query: tensor, key: tensors, value: tensors, pseShiftOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, actualSeqLengthsOptional: ints_or_null,
                    actualSeqLengthsKvOptional: ints_or_null, deqScale1Optional: tensor_or_null,
                    quantScale1Optional: tensor_or_null, deqScale2Optional: tensor_or_null,
                    quantScale2Optional: tensor_or_null, quantOffset2Optional: tensor_or_null,
                    antiquantScaleOptional: tensor_or_null, antiquantOffsetOptional: tensor_or_null,
                    blockTableOptional: tensor_or_null, queryPaddingSizeOptional: tensor_or_null,
                    kvPaddingSizeOptional: tensor_or_null, keyAntiquantScaleOptional: tensor_or_null,
                    keyAntiquantOffsetOptional: tensor_or_null, valueAntiquantScaleOptional: tensor_or_null,
                    valueAntiquantOffsetOptional: tensor_or_null, keySharedPrefixOptional: tensor_or_null,
                    valueSharedPrefixOptional: tensor_or_null, actualSharedPrefixLenOptional: ints_or_null,
                    queryRopeOptional: tensor_or_null, keyRopeOptional: tensor_or_null,
                    keyRopeAntiquantScaleOptional: tensor_or_null, dequantScaleQueryOptional: tensor_or_null,
                    learnableSinkOptional: tensor_or_null, numHeads: i64, scaleValue: f64, preTokens: i64,
                    nextTokens: i64, inputLayout: str_mut, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64,
                    blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool, keyAntiquantMode: i64,
                    valueAntiquantMode: i64, queryQuantMode: i64, attentionOut: out_const, softmaxLse: out_const_or_null
                );
                FusedInferAttentionScoreV5 = "aclnnFusedInferAttentionScoreV5"(
                    query: tensor, key: tensors, value: tensors, pseShiftOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, actualSeqLengthsOptional: ints_or_null,
                    actualSeqLengthsKvOptional: ints_or_null, deqScale1Optional: tensor_or_null,
                    quantScale1Optional: tensor_or_null, deqScale2Optional: tensor_or_null,
                    quantScale2Optional: tensor_or_null, quantOffset2Optional: tensor_or_null,
                    antiquantScaleOptional: tensor_or_null, antiquantOffsetOptional: tensor_or_null,
                    blockTableOptional: tensor_or_null, queryPaddingSizeOptional: tensor_or_null,
                    kvPaddingSizeOptional: tensor_or_null, keyAntiquantScaleOptional: tensor_or_null,
                    keyAntiquantOffsetOptional: tensor_or_null, valueAntiquantScaleOptional: tensor_or_null,
                    valueAntiquantOffsetOptional: tensor_or_null, keySharedPrefixOptional: tensor_or_null,
                    valueSharedPrefixOptional: tensor_or_null, actualSharedPrefixLenOptional: ints_or_null,
                    queryRopeOptional: tensor_or_null, keyRopeOptional: tensor_or_null,
                    keyRopeAntiquantScaleOptional: tensor_or_null, dequantScaleQueryOptional: tensor_or_null,
                    learnableSinkOptional: tensor_or_null, qStartIdxOptional: ints_or_null,
                    kvStartIdxOptional: ints_or_null, numHeads: i64, scaleValue: f64, preTokens: i64,
                    nextTokens: i64, inputLayout: str_mut, numKeyValueHeads: i64, sparseMode: i64,
                    innerPrecise: i64, blockSize: i64, antiquantMode: i64, softmaxLseFlag: bool,
                    keyAntiquantMode: i64, valueAntiquantMode: i64, queryQuantMode: i64, pseType: i64,
                    attentionOut: out_const, softmaxLse: out_const_or_null
                );
            }

            /// Attention of whole prompts, or of one token after the other: the values, weighted by how well their keys match each query
            stepwise_attention (takes: types("f16@310P,910B,950 bf16@910B,950"), output: Own) {
                PromptFlashAttention = "aclnnPromptFlashAttention"(
                    query: tensor, key: tensor, value: tensor, pseShift: tensor_or_null, attenMask: tensor_or_null,
                    actualSeqLengths: ints_or_null, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64,
                    inputLayout: str_mut, numKeyValueHeads: i64, attentionOut: out_const
                );
                PromptFlashAttentionV2 = "aclnnPromptFlashAttentionV2"(
                    query: tensor, key: tensor, value: tensor, pseShift: tensor_or_null, attenMask: tensor_or_null,
                    actualSeqLengths: ints_or_null, actualSeqLengthsKv: ints_or_null, deqScale1: tensor_or_null,
                    quantScale1: tensor_or_null, deqScale2: tensor_or_null, quantScale2: tensor_or_null,
                    quantOffset2: tensor_or_null, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64,
                    inputLayout: str_mut, numKeyValueHeads: i64, sparseMode: i64, attentionOut: out_const
                );
                PromptFlashAttentionV3 = "aclnnPromptFlashAttentionV3"(
                    query: tensor, key: tensor, value: tensor, pseShift: tensor_or_null, attenMask: tensor_or_null,
                    actualSeqLengths: ints_or_null, actualSeqLengthsKv: ints_or_null, deqScale1: tensor_or_null,
                    quantScale1: tensor_or_null, deqScale2: tensor_or_null, quantScale2: tensor_or_null,
                    quantOffset2: tensor_or_null, numHeads: i64, scaleValue: f64, preTokens: i64, nextTokens: i64,
                    inputLayout: str_mut, numKeyValueHeads: i64, sparseMode: i64, innerPrecise: i64, attentionOut: out_const
                );
                IncreFlashAttention = "aclnnIncreFlashAttention"(
                    query: tensor, key: tensors, value: tensors, pseShift: tensor_or_null, attenMask: tensor_or_null,
                    actualSeqLengths: ints_or_null, numHeads: i64, scaleValue: f64, inputLayout: str_mut,
                    numKeyValueHeads: i64, attentionOut: out_const
                );
                IncreFlashAttentionV2 = "aclnnIncreFlashAttentionV2"(
                    query: tensor, key: tensors, value: tensors, pseShift: tensor_or_null, attenMask: tensor_or_null,
                    actualSeqLengths: ints_or_null, dequantScale1: tensor_or_null, quantScale1: tensor_or_null,
                    dequantScale2: tensor_or_null, quantScale2: tensor_or_null, quantOffset2: tensor_or_null, numHeads: i64,
                    scaleValue: f64, inputLayout: str_mut, numKeyValueHeads: i64, attentionOut: out_const
                );
                IncreFlashAttentionV3 = "aclnnIncreFlashAttentionV3"(
                    query: tensor, key: tensors, value: tensors, pseShift: tensor_or_null, attenMask: tensor_or_null,
                    actualSeqLengths: ints_or_null, dequantScale1: tensor_or_null, quantScale1: tensor_or_null,
                    dequantScale2: tensor_or_null, quantScale2: tensor_or_null, quantOffset2: tensor_or_null,
                    antiquantScale: tensor_or_null, antiquantOffset: tensor_or_null, blocktable: tensor_or_null,
                    numHeads: i64, scaleValue: f64, inputLayout: str_mut, numKeyValueHeads: i64, blockSize: i64,
                    innerPrecise: i64, attentionOut: out_const
                );
                IncreFlashAttentionV4 = "aclnnIncreFlashAttentionV4"(
                    query: tensor, key: tensors, value: tensors, pseShift: tensor_or_null, attenMask: tensor_or_null,
                    actualSeqLengths: ints_or_null, dequantScale1: tensor_or_null, quantScale1: tensor_or_null,
                    dequantScale2: tensor_or_null, quantScale2: tensor_or_null, quantOffset2: tensor_or_null,
                    antiquantScale: tensor_or_null, antiquantOffset: tensor_or_null, blocktable: tensor_or_null,
                    kvPaddingSize: tensor_or_null, numHeads: i64, scaleValue: f64, inputLayout: str_mut,
                    numKeyValueHeads: i64, blockSize: i64, innerPrecise: i64, attentionOut: out_const
                );
            }

            /// Attention with the statistics that its gradients need: the values, weighted by how well their keys match each query
            attention (takes: types("float"), output: Own) {
                FlashAttentionScore = "aclnnFlashAttentionScore"(
                    query: tensor, key: tensor, value: tensor, realShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    prefixOptional: ints_or_null, scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64,
                    headNum: i64, inputLayout: str_mut, innerPrecise: i64, sparseMode: i64, softmaxMaxOut: out_const,
                    softmaxSumOut: out_const, softmaxOutOut: tensor_or_null, attentionOutOut: out_const
                );
                FlashAttentionScoreV2 = "aclnnFlashAttentionScoreV2"(
                    query: tensor, key: tensor, value: tensor, realShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    prefixOptional: ints_or_null, qStartIdxOptional: ints_or_null, kvStartIdxOptional: ints_or_null,
                    scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut,
                    innerPrecise: i64, sparseMode: i64, pseType: i64, softmaxMaxOut: out_const, softmaxSumOut: out_const,
                    softmaxOutOut: tensor_or_null, attentionOutOut: out_const
                );
                FlashAttentionScoreV3 = "aclnnFlashAttentionScoreV3"(
                    query: tensor, key: tensor, value: tensor, realShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, sinkOptional: tensor_or_null, prefixOptional: ints_or_null,
                    qStartIdxOptional: ints_or_null, kvStartIdxOptional: ints_or_null, scaleValue: f64,
                    keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut,
                    innerPrecise: i64, sparseMode: i64, pseType: i64, softmaxMaxOut: out_const,
                    softmaxSumOut: out_const, softmaxOutOut: tensor_or_null, attentionOutOut: out_const
                );
                FlashAttentionVarLenScore = "aclnnFlashAttentionVarLenScore"(
                    query: tensor, key: tensor, value: tensor, realShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    prefixOptional: ints_or_null, actualSeqQLenOptional: ints_or_null, actualSeqKvLenOptional: ints_or_null,
                    scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut,
                    innerPrecise: i64, sparseMode: i64, softmaxMaxOut: out_const, softmaxSumOut: out_const,
                    softmaxOutOut: tensor_or_null, attentionOutOut: out_const
                );
                FlashAttentionVarLenScoreV2 = "aclnnFlashAttentionVarLenScoreV2"(
                    query: tensor, key: tensor, value: tensor, realShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    prefixOptional: ints_or_null, actualSeqQLenOptional: ints_or_null, actualSeqKvLenOptional: ints_or_null,
                    qStartIdxOptional: ints_or_null, kvStartIdxOptional: ints_or_null, scaleValue: f64, keepProb: f64,
                    preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut, innerPrecise: i64,
                    sparseMode: i64, pseType: i64, softmaxMaxOut: out_const, softmaxSumOut: out_const,
                    softmaxOutOut: tensor_or_null, attentionOutOut: out_const
                );
                FlashAttentionVarLenScoreV3 = "aclnnFlashAttentionVarLenScoreV3"(
                    query: tensor, queryRope: tensor_or_null, key: tensor, keyRope: tensor_or_null, value: tensor,
                    realShiftOptional: tensor_or_null, dropMaskOptional: tensor_or_null,
                    paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    prefixOptional: ints_or_null, actualSeqQLenOptional: ints_or_null,
                    actualSeqKvLenOptional: ints_or_null, qStartIdxOptional: ints_or_null,
                    kvStartIdxOptional: ints_or_null, scaleValue: f64, keepProb: f64, preTokens: i64,
                    nextTokens: i64, headNum: i64, inputLayout: str_mut, innerPrecise: i64, sparseMode: i64,
                    pseType: i64, softmaxMaxOut: out_const, softmaxSumOut: out_const,
                    softmaxOutOut: tensor_or_null, attentionOutOut: out_const
                );
                FlashAttentionVarLenScoreV4 = "aclnnFlashAttentionVarLenScoreV4"(
                    query: tensor, key: tensor, value: tensor, realShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, prefixOptional: ints_or_null,
                    actualSeqQLenOptional: ints_or_null, actualSeqKvLenOptional: ints_or_null, scaleValue: f64,
                    keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut,
                    innerPrecise: i64, sparseMode: i64, softmaxOutLayout: str_mut, softmaxMaxOut: out_const,
                    softmaxSumOut: out_const, softmaxOutOut: tensor_or_null, attentionOutOut: out_const
                );
                FlashAttentionVarLenScoreV5 = "aclnnFlashAttentionVarLenScoreV5"(
                    query: tensor, queryRope: tensor_or_null, key: tensor, keyRope: tensor_or_null, value: tensor,
                    realShiftOptional: tensor_or_null, dropMaskOptional: tensor_or_null,
                    paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    sinkOptional: tensor_or_null, prefixOptional: ints_or_null, actualSeqQLenOptional: ints_or_null,
                    actualSeqKvLenOptional: ints_or_null, qStartIdxOptional: ints_or_null,
                    kvStartIdxOptional: ints_or_null, scaleValue: f64, keepProb: f64, preTokens: i64,
                    nextTokens: i64, headNum: i64, inputLayout: str_mut, innerPrecise: i64, sparseMode: i64,
                    pseType: i64, softmaxOutLayout: str_mut, softmaxMaxOut: out_const, softmaxSumOut: out_const,
                    softmaxOutOut: tensor_or_null, attentionOutOut: out_const
                );
            }

            /// The gradients of attention
            attention_backward (takes: types("float"), output: Own) {
                FlashAttentionScoreGrad = "aclnnFlashAttentionScoreGrad"(
                    query: tensor, keyIn: tensor, value: tensor, dy: tensor, pseShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    softmaxMaxOptional: tensor_or_null, softmaxSumOptional: tensor_or_null,
                    softmaxInOptional: tensor_or_null, attentionInOptional: tensor_or_null, prefixOptional: ints_or_null,
                    scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut,
                    innerPrecise: i64, sparseMode: i64, dqOut: out_const, dkOut: out_const, dvOut: out_const,
                    dpseOut: out_const_or_null
                );
                FlashAttentionScoreGradV2 = "aclnnFlashAttentionScoreGradV2"(
                    query: tensor, keyIn: tensor, value: tensor, dy: tensor, pseShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    softmaxMaxOptional: tensor_or_null, softmaxSumOptional: tensor_or_null,
                    softmaxInOptional: tensor_or_null, attentionInOptional: tensor_or_null, prefixOptional: ints_or_null,
                    qStartIdxOptional: ints_or_null, kvStartIdxOptional: ints_or_null, scaleValue: f64, keepProb: f64,
                    preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut, innerPrecise: i64,
                    sparseMode: i64, pseType: i64, dqOut: out_const, dkOut: out_const, dvOut: out_const,
                    dpseOut: out_const_or_null
                );
                FlashAttentionScoreGradV3 = "aclnnFlashAttentionScoreGradV3"(
                    query: tensor, keyIn: tensor, value: tensor, dy: tensor, pseShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, softmaxMaxOptional: tensor_or_null,
                    softmaxSumOptional: tensor_or_null, softmaxInOptional: tensor_or_null,
                    attentionInOptional: tensor_or_null, sinkInOptional: tensor_or_null,
                    prefixOptional: ints_or_null, qStartIdxOptional: ints_or_null, kvStartIdxOptional: ints_or_null,
                    scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64,
                    inputLayout: str_mut, innerPrecise: i64, sparseMode: i64, pseType: i64, dqOut: out_const,
                    dkOut: out_const, dvOut: out_const, dpseOut: out_const_or_null, dsinkOut: out_const_or_null
                );
                FlashAttentionUnpaddingScoreGrad = "aclnnFlashAttentionUnpaddingScoreGrad"(
                    query: tensor, keyIn: tensor, value: tensor, dy: tensor, pseShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    softmaxMaxOptional: tensor_or_null, softmaxSumOptional: tensor_or_null,
                    softmaxInOptional: tensor_or_null, attentionInOptional: tensor_or_null, prefixOptional: ints_or_null,
                    actualSeqQLenOptional: ints_or_null, actualSeqKvLenOptional: ints_or_null, scaleValue: f64,
                    keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut,
                    innerPrecise: i64, sparseMode: i64, dqOut: out_const, dkOut: out_const, dvOut: out_const,
                    dpseOut: out_const_or_null
                );
                FlashAttentionUnpaddingScoreGradV2 = "aclnnFlashAttentionUnpaddingScoreGradV2"(
                    query: tensor, keyIn: tensor, value: tensor, dy: tensor, pseShiftOptional: tensor_or_null,
                    dropMaskOptional: tensor_or_null, paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    softmaxMaxOptional: tensor_or_null, softmaxSumOptional: tensor_or_null,
                    softmaxInOptional: tensor_or_null, attentionInOptional: tensor_or_null, prefixOptional: ints_or_null,
                    actualSeqQLenOptional: ints_or_null, actualSeqKvLenOptional: ints_or_null,
                    qStartIdxOptional: ints_or_null, kvStartIdxOptional: ints_or_null, scaleValue: f64, keepProb: f64,
                    preTokens: i64, nextTokens: i64, headNum: i64, inputLayout: str_mut, innerPrecise: i64,
                    sparseMode: i64, pseType: i64, dqOut: out_const, dkOut: out_const, dvOut: out_const,
                    dpseOut: out_const_or_null
                );
                FlashAttentionUnpaddingScoreGradV3 = "aclnnFlashAttentionUnpaddingScoreGradV3"(
                    query: tensor, queryRope: tensor_or_null, keyIn: tensor, keyInRope: tensor_or_null, value: tensor, dy: tensor,
                    pseShiftOptional: tensor_or_null, dropMaskOptional: tensor_or_null,
                    paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    softmaxMaxOptional: tensor_or_null, softmaxSumOptional: tensor_or_null,
                    softmaxInOptional: tensor_or_null, attentionInOptional: tensor_or_null,
                    prefixOptional: ints_or_null, actualSeqQLenOptional: ints_or_null,
                    actualSeqKvLenOptional: ints_or_null, qStartIdxOptional: ints_or_null, kvStartIdxOptional: ints_or_null,
                    scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64,
                    inputLayout: str_mut, innerPrecise: i64, sparseMode: i64, pseType: i64,
                    dqOut: out_const, dqRopeOut: out_const_or_null, dkOut: out_const, dkRopeOut: out_const_or_null,
                    dvOut: out_const, dpseOut: out_const_or_null
                );
                FlashAttentionUnpaddingScoreGradV4 = "aclnnFlashAttentionUnpaddingScoreGradV4"(
                    query: tensor, keyIn: tensor, value: tensor, dy: tensor,
                    pseShiftOptional: tensor_or_null, dropMaskOptional: tensor_or_null,
                    paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    softmaxMaxOptional: tensor_or_null, softmaxSumOptional: tensor_or_null,
                    softmaxInOptional: tensor_or_null, attentionInOptional: tensor_or_null,
                    prefixOptional: ints_or_null, actualSeqQLenOptional: ints_or_null,
                    actualSeqKvLenOptional: ints_or_null,
                    scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64,
                    inputLayout: str_mut, innerPrecise: i64, sparseMode: i64,
                    dqOut: out_const, dkOut: out_const, dvOut: out_const, dpseOut: out_const_or_null, softmaxInLayout: str_mut
                );
                FlashAttentionUnpaddingScoreGradV5 = "aclnnFlashAttentionUnpaddingScoreGradV5"(
                    query: tensor, queryRope: tensor_or_null, keyIn: tensor, keyInRope: tensor_or_null, value: tensor, dy: tensor,
                    pseShiftOptional: tensor_or_null, dropMaskOptional: tensor_or_null,
                    paddingMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    softmaxMaxOptional: tensor_or_null, softmaxSumOptional: tensor_or_null,
                    softmaxInOptional: tensor_or_null, attentionInOptional: tensor_or_null, sinkInOptional: tensor_or_null,
                    prefixOptional: ints_or_null, actualSeqQLenOptional: ints_or_null,
                    actualSeqKvLenOptional: ints_or_null, qStartIdxOptional: ints_or_null, kvStartIdxOptional: ints_or_null,
                    scaleValue: f64, keepProb: f64, preTokens: i64, nextTokens: i64, headNum: i64,
                    inputLayout: str_mut, innerPrecise: i64, sparseMode: i64, pseType: i64, softmaxInLayout: str_mut,
                    dqOut: out_const, dqRopeOut: out_const_or_null, dkOut: out_const, dkRopeOut: out_const_or_null,
                    dvOut: out_const, dpseOut: out_const_or_null, dsinkOut: out_const_or_null
                );
            }
        }
    };
}

attention_operators!(super::info::family);
