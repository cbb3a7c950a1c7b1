//! Attention over chosen keys, and the scores that choose them.
//!
//! CANN publishes the parameters of these operators, but not always what they mean: of native and block-sparse attention and the
//! losses of an indexer the formulas are those of the papers. Queries that see no key have 0 for a result, a greatest score of −∞
//! and a sum of 0, the logarithm of which is −∞. Where sequences follow each other, lengths say where each ends; keys in pages are
//! counted for each sequence.

/// Calls `$callback!` with these operators.
#[macro_export]
macro_rules! sparse_operators {
    ($callback:path) => {
        $callback! {
            sparse, Wide:

            /// Attention over blocks of latent keys that lists choose for each query
            chosen_attention (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                SparseFlashAttention = "aclnnSparseFlashAttention"(
                    query: tensor, key: tensor, value: tensor, sparseIndices: tensor,
                    blockTableOptional: tensor_or_null, actualSeqLengthsQueryOptional: tensor_or_null,
                    actualSeqLengthsKvOptional: tensor_or_null, queryRopeOptional: tensor_or_null,
                    keyRopeOptional: tensor_or_null, scaleValue: f64, sparseBlockSizeOptional: i64,
                    layoutQueryOptional: str_mut, layoutKvOptional: str_mut, sparseMode: i64, preTokens: i64,
                    nextTokens: i64, attentionMode: i64, returnSoftmaxLse: bool, attentionOut: out_const,
                    softmaxMax: out_const_or_null, softmaxSum: out_const_or_null
                );
                SparseFlashAttentionV2 = "aclnnSparseFlashAttentionV2"(
                    query: tensor, key: tensor, value: tensor, sparseIndices: tensor,
                    blockTableOptional: tensor_or_null, actualSeqLengthsQueryOptional: tensor_or_null,
                    actualSeqLengthsKvOptional: tensor_or_null, queryRopeOptional: tensor_or_null,
                    keyRopeOptional: tensor_or_null, sinksOptional: tensor_or_null, scaleValue: f64,
                    sparseBlockSizeOptional: i64, layoutQueryOptional: str_mut, layoutKvOptional: str_mut,
                    sparseMode: i64, preTokens: i64, nextTokens: i64, attentionMode: i64, returnSoftmaxLse: bool,
                    attentionOut: out_const, softmaxMax: out_const_or_null, softmaxSum: out_const_or_null
                );
            }

            /// The gradients of attention over chosen keys
            chosen_attention_backward (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                SparseFlashAttentionGrad = "aclnnSparseFlashAttentionGrad"(
                    query: tensor, key: tensor, value: tensor, sparseIndices: tensor, dOut: tensor, out: tensor,
                    softmaxMax: tensor, softmaxSum: tensor, actualSeqLengthsQueryOptional: tensor_or_null,
                    actualSeqLengthsKvOptional: tensor_or_null, queryRopeOptional: tensor_or_null,
                    keyRopeOptional: tensor_or_null, scaleValue: f64, sparseBlockSize: i64, layoutOptional: str_mut,
                    sparseMode: i64, preTokens: i64, nextTokens: i64, deterministic: bool, dQueryOut: out_const,
                    dKeyOut: out_const, dValueOut: out_const, dQueryRopeOutOptional: out_const_or_null,
                    dKeyRopeOutOptional: out_const_or_null
                );
            }

            /// Attention over blocks of keys that lists choose for each query, of sequences that follow each other
            selected_attention (takes: types("f16@910B bf16@910B"), output: Own) {
                NsaSelectedAttention = "aclnnNsaSelectedAttention"(
                    query: tensor, key: tensor, value: tensor, topkIndices: tensor, attenMaskOptional: tensor_or_null,
                    actualSeqQLenOptional: ints_or_null, actualSeqKvLenOptional: ints_or_null, scaleValue: f64,
                    headNum: i64, inputLayout: str_mut, sparseMode: i64, selectedBlockSize: i64,
                    selectedBlockCount: i64, softmaxMaxOut: out_const, softmaxSumOut: out_const, attentionOut: out_const
                );
            }

            /// Attention over selected blocks of keys where a model answers: keys may lie in pages of a cache
            selected_attention_infer (takes: types("f16@910B bf16@910B"), output: Own) {
                NsaSelectedAttentionInfer = "aclnnNsaSelectedAttentionInfer"(
                    query: tensor, key: tensor, value: tensor, topkIndices: tensor, attenMaskOptional: tensor_or_null,
                    blockTableOptional: tensor_or_null, actualQSeqLenOptional: ints_or_null,
                    actualKvSeqLenOptional: ints_or_null, layoutOptional: str_mut, numHeads: i64,
                    numKeyValueHeads: i64, selectBlockSize: i64, selectBlockCount: i64, pageBlockSize: i64,
                    scaleValue: f64, sparseMode: i64, output: out
                );
            }

            /// Attention over compressed blocks of keys, and the blocks with the greatest weights, as the paper on native sparse
            /// attention selects them: the weight of a compressed block counts once for each of its strides in a selected one.
            /// What is not 0 in a mask hides a compressed block, or one that could be selected; −1 stands where there are no more.
            /// Blocks have up to 65,536 tokens on the emulator
            compress_attention (takes: types("f16@910B bf16@910B"), output: Own) {
                NsaCompressAttention = "aclnnNsaCompressAttention"(
                    query: tensor, key: tensor, value: tensor, attenMaskOptional: tensor_or_null,
                    topkMaskOptional: tensor_or_null, actualSeqQLenOptional: ints_or_null,
                    actualCmpSeqKvLenOptional: ints_or_null, actualSelSeqKvLenOptional: ints_or_null, scaleValue: f64,
                    headNum: i64, inputLayout: str_mut, sparseMode: i64, compressBlockSize: i64, compressStride: i64,
                    selectBlockSize: i64, selectBlockCount: i64, softmaxMaxOut: out_const, softmaxSumOut: out_const,
                    attentionOutOut: out_const, topkIndicesOut: out_const
                );
            }

            /// Attention over compressed blocks where a model answers, as compress_attention: keys may lie in pages of a cache
            compress_attention_infer (takes: types("f16@910B bf16@910B"), output: Own) {
                NsaCompressAttentionInfer = "aclnnNsaCompressAttentionInfer"(
                    query: tensor, key: tensor, value: tensor, attentionMaskOptional: tensor_or_null,
                    blockTableOptional: tensor_or_null, actualQSeqLenOptional: ints_or_null,
                    actualCmpKvSeqLenOptional: ints_or_null, actualSelKvSeqLenOptional: ints_or_null,
                    topKMaskOptional: tensor_or_null, numHeads: i64, numKeyValueHeads: i64, selectBlockSize: i64,
                    selectBlockCount: i64, compressBlockSize: i64, compressBlockStride: i64, scaleValue: f64,
                    layoutOptional: str_mut, pageBlockSize: i64, sparseMode: i64, output: out_const,
                    topKOutput: out_const
                );
            }

            /// Attention over blocks of queries and keys that flags choose for each head; 0 leaves a block out. `preTokens` and
            /// `nextTokens` are the largest number, and what quantises is left to a device
            flagged_attention (takes: types("f16@910B bf16@910B"), output: Own) {
                BlockSparseAttention = "aclnnBlockSparseAttention"(
                    query: tensor, key: tensor, value: tensor, blockSparseMaskOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, blockShapeOptional: ints_or_null,
                    actualSeqLengthsOptional: ints_or_null, actualSeqLengthsKvOptional: ints_or_null,
                    blockTableOptional: tensor_or_null, qInputLayout: str_mut, kvInputLayout: str_mut,
                    numKeyValueHeads: i64, maskType: i64, scaleValue: f64, innerPrecise: i64, blockSize: i64,
                    preTokens: i64, nextTokens: i64, softmaxLseFlag: i64, attentionOut: out,
                    softmaxLseOptional: out_or_null
                );
                BlockSparseAttentionV2 = "aclnnBlockSparseAttentionV2"(
                    query: tensor, key: tensor, value: tensor, blockSparseMaskOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, blockShapeOptional: ints_or_null,
                    actualSeqLengthsOptional: ints_or_null, actualSeqLengthsKvOptional: ints_or_null,
                    blockTableOptional: tensor_or_null, qDequantScaleOptional: tensor_or_null,
                    kDequantScaleOptional: tensor_or_null, vDequantScaleOptional: tensor_or_null,
                    qInputLayout: str_mut, kvInputLayout: str_mut, numKeyValueHeads: i64, maskType: i64,
                    scaleValue: f64, innerPrecise: i64, blockSize: i64, preTokens: i64, nextTokens: i64,
                    softmaxLseFlag: i64, attentionOut: out, softmaxLseOptional: out_or_null
                );
                BlockSparseAttentionV3 = "aclnnBlockSparseAttentionV3"(
                    query: tensor, key: tensor, value: tensor, blockSparseMaskOptional: tensor_or_null,
                    attenMaskOptional: tensor_or_null, blockShapeOptional: ints_or_null,
                    actualSeqLengthsOptional: ints_or_null, actualSeqLengthsKvOptional: ints_or_null,
                    blockTableOptional: tensor_or_null, qDequantScaleOptional: tensor_or_null,
                    kDequantScaleOptional: tensor_or_null, vDequantScaleOptional: tensor_or_null,
                    pQuantScaleOptional: tensor_or_null, qInputLayout: str_mut, kvInputLayout: str_mut,
                    numKeyValueHeads: i64, maskType: i64, scaleValue: f64, innerPrecise: i64, blockSize: i64,
                    preTokens: i64, nextTokens: i64, softmaxLseFlag: i64, quantMode: i64, dstTypeMax: f64,
                    attentionOut: out, softmaxLseOptional: out_or_null
                );
            }

            /// The gradients of attention over flagged blocks, from the logarithms of the sums of exponentials
            flagged_attention_backward (takes: types("f16@910B bf16@910B"), output: Own) {
                BlockSparseAttentionGrad = "aclnnBlockSparseAttentionGrad"(
                    dout: tensor, query: tensor, key: tensor, value: tensor, attentionOut: tensor, softmaxLse: tensor,
                    blockSparseMaskOptional: tensor_or_null, attenMaskOptional: tensor_or_null,
                    blockShapeOptional: ints_or_null, actualSeqLengthsOptional: ints_or_null,
                    actualSeqLengthsKvOptional: ints_or_null, qInputLayout: str_mut, kvInputLayout: str_mut,
                    numKeyValueHeads: i64, maskType: i64, scaleValue: f64, preTokens: i64, nextTokens: i64, dq: out,
                    dk: out, dv: out
                );
            }

            /// The gradients of attention over selected blocks of keys
            selected_attention_backward (takes: types("f16@910B bf16@910B"), output: Own) {
                NsaSelectedAttentionGrad = "aclnnNsaSelectedAttentionGrad"(
                    query: tensor, key: tensor, value: tensor, attentionOut: tensor, attentionOutGrad: tensor,
                    softmaxMax: tensor, softmaxSum: tensor, topkIndices: tensor, actualSeqQLenOptional: ints_or_null,
                    actualSeqKvLenOptional: ints_or_null, attenMaskOptional: tensor_or_null, scaleValue: f64,
                    selectedBlockSize: i64, selectedBlockCount: i64, headNum: i64, inputLayout: str_mut,
                    sparseMode: i64, dqOut: out_const, dkOut: out_const, dvOut: out_const
                );
            }

            /// The keys with the greatest scores for each query: sums of positive products, times a weight of each head
            choose_keys (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                LightningIndexer = "aclnnLightningIndexer"(
                    query: tensor, key: tensor, weights: tensor, actualSeqLengthsQueryOptional: tensor_or_null,
                    actualSeqLengthsKeyOptional: tensor_or_null, blockTableOptional: tensor_or_null,
                    layoutQueryOptional: str_mut, layoutKeyOptional: str_mut, sparseCount: i64, sparseMode: i64,
                    preTokens: i64, nextTokens: i64, returnValues: bool, sparseIndicesOut: out_const,
                    sparseValuesOut: out_const_or_null
                );
            }

            /// The keys with the greatest scores for each query, both of integers with scales
            choose_quantised_keys (takes: types("i8@910B,950"), output: Own) {
                QuantLightningIndexer = "aclnnQuantLightningIndexer"(
                    query: tensor, key: tensor, weights: tensor, queryDequantScale: tensor, keyDequantScale: tensor,
                    actualSeqLengthsQueryOptional: tensor_or_null, actualSeqLengthsKeyOptional: tensor_or_null,
                    blockTableOptional: tensor_or_null, queryQuantMode: i64, keyQuantMode: i64,
                    layoutQueryOptional: str_mut, layoutKeyOptional: str_mut, sparseCount: i64, sparseMode: i64,
                    preTokens: i64, nextTokens: i64, out: out_const
                );
            }

            /// The gradients of the scores of chosen keys
            choose_keys_backward (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                LightningIndexerGrad = "aclnnLightningIndexerGrad"(
                    query: tensor, key: tensor, dy: tensor, sparseIndices: tensor, weights: tensor,
                    actualSeqQLenOptional: tensor_or_null, actualSeqKvLenOptional: tensor_or_null, headNum: i64,
                    inputLayout: str_mut, sparseMode: i64, preTokens: i64, nextTokens: i64, deterministic: bool,
                    dqOut: out_const, dkOut: out_const, dweightsOut: out_const
                );
            }

            /// The greatest score of each query that chooses keys, and the sum of exponentials of what the others are less
            scores_log_sum (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                DenseLightningIndexerSoftmaxLse = "aclnnDenseLightningIndexerSoftmaxLse"(
                    queryIndex: tensor, keyIndex: tensor, weight: tensor, actualSeqLengthsQueryOptional: ints_or_null,
                    actualSeqLengthsKeyOptional: ints_or_null, layoutOptional: str_mut, sparseMode: i64,
                    preTokens: i64, nextTokens: i64, softmaxMaxOut: out_const, softmaxSumOut: out_const
                );
            }

            /// The divergence of the softmax of the scores that choose keys from the mean weights of the heads of attention, summed
            /// over queries, and its gradients for the queries, keys and weights of scores, as DeepSeek trains an indexer
            divergence (takes: types("f16@910B bf16@910B"), output: Own) {
                DenseLightningIndexerGradKLLoss = "aclnnDenseLightningIndexerGradKLLoss"(
                    query: tensor, key: tensor, queryIndex: tensor, keyIndex: tensor, weights: tensor,
                    softmaxMax: tensor, softmaxSum: tensor, softmaxMaxIndex: tensor, softmaxSumIndex: tensor,
                    queryRope: tensor_or_null, keyRope: tensor_or_null, actualSeqLengthsQuery: ints_or_null,
                    actualSeqLengthsKey: ints_or_null, scaleValue: f64, layout: str_mut, sparseMode: i64,
                    preTokens: i64, nextTokens: i64, dQueryIndex: out_const, dKeyIndex: out_const,
                    dWeights: out_const, loss: out_const
                );
                SparseLightningIndexerGradKLLoss = "aclnnSparseLightningIndexerGradKLLoss"(
                    query: tensor, key: tensor, queryIndex: tensor, keyIndex: tensor, weights: tensor,
                    sparseIndices: tensor, softmaxMax: tensor, softmaxSum: tensor, queryRope: tensor_or_null,
                    keyRope: tensor_or_null, actualSeqLengthsQuery: ints_or_null, actualSeqLengthsKey: ints_or_null,
                    scaleValue: f64, layout: str_mut, sparseMode: i64, pre_tokens: i64, next_tokens: i64,
                    deterministic: bool, dQueryIndex: out_const, dKeyIndex: out_const, dWeights: out_const,
                    loss: out_const
                );
            }

            /// Blocks of tokens that overlap, each summed up with a weight for each of its places and heads
            compress_blocks (takes: types("f16@910B bf16@910B"), output: Own) {
                NsaCompress = "aclnnNsaCompress"(
                    input: tensor, weight: tensor, actSeqLenOptional: ints_or_null, layoutOptional: str_mut,
                    compressBlockSize: i64, compressStride: i64, actSeqLenType: i64, output: out
                );
            }

            /// The sums of the last blocks of sequences that have just reached the end of one, written to slots of a cache; a slot
            /// that does not exist is not written
            compress_last_blocks (takes: types("f16@910B bf16@910B"), output: Own) {
                NsaCompressWithCache = "aclnnNsaCompressWithCache"(
                    input: tensor, weight: tensor, slotMapping: tensor, actSeqLenOptional: ints_or_null,
                    blockTableOptional: tensor_or_null, layoutOptional: str_mut, compressBlockSize: i64,
                    compressStride: i64, actSeqLenType: i64, pageBlockSize: i64, outputCache: inout
                );
            }

            /// The gradients of sums of blocks of tokens
            compress_blocks_backward (takes: types("f16@910B bf16@910B"), output: Own) {
                NsaCompressGrad = "aclnnNsaCompressGrad"(
                    outputGrad: tensor, input: tensor, weight: tensor, actSeqLenOptionalOptional: ints_or_null,
                    compressBlockSize: i64, compressStride: i64, actSeqLenType: i64, layoutOptionalOptional: str_mut,
                    inputGradOut: out_const, weightGradOut: out_const
                );
            }
        }
    };
}

sparse_operators!(super::info::family);
