//! Rows of keys and values that are normalised, rotated and quantised on their way to a cache.

/// Calls `$callback!` with these operators.
#[macro_export]
macro_rules! caches_operators {
    ($callback:path) => {
        $callback! {
            caches, Wide:

            /// Latent keys, of which a part is normalised and a part rotated by positions, written to two caches
            norm_rope_cache (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                KvRmsNormRopeCache = "aclnnKvRmsNormRopeCache"(
                    kv: tensor, gamma: tensor, cos: tensor, sin: tensor, index: tensor, kCacheRef: inout,
                    ckvCacheRef: inout, kRopeScaleOptional: tensor_or_null, cKvScaleOptional: tensor_or_null,
                    kRopeOffsetOptional: tensor_or_null, cKvOffsetOptional: tensor_or_null, epsilon: f64,
                    cacheModeOptional: str_mut, isOutputKv: bool, kRopeOut: out_const, cKvOut: out_const
                );
                KvRmsNormRopeCacheV2 = "aclnnKvRmsNormRopeCacheV2"(
                    kv: tensor, gamma: tensor, cos: tensor, sin: tensor, index: tensor, kCacheRef: inout,
                    ckvCacheRef: inout, kRopeScaleOptional: tensor_or_null, cKvScaleOptional: tensor_or_null,
                    kRopeOffsetOptional: tensor_or_null, cKvOffsetOptional: tensor_or_null,
                    vOptional: tensor_or_null, epsilon: f64, cacheModeOptional: str_mut, isOutputKv: bool,
                    kRopeOut: out_const, cKvOut: out_const
                );
            }

            /// Queries, keys and values of one row: queries and keys normalised and rotated, keys and values written to caches
            norm_rope_heads_cache (takes: types("f16@910B bf16@910B"), output: Own) {
                QkvRmsNormRopeCache = "aclnnQkvRmsNormRopeCache"(
                    qkv: tensor, qGamma: tensor, kGamma: tensor, cos: tensor, sin: tensor, index: tensor, qOut: out,
                    kCache: inout, vCache: inout, kScaleOptional: tensor_or_null, vScaleOptional: tensor_or_null,
                    kOffsetOptional: tensor_or_null, vOffsetOptional: tensor_or_null, qkvSize: ints, headNums: ints,
                    epsilon: f64, cacheModeOptional: str_mut, qOutBeforeQuant: out_const_or_null,
                    kOutBeforeQuant: out_const_or_null, vOutBeforeQuant: out_const_or_null
                );
            }

            /// Queries, keys and values of one row that may have been quantised: queries and keys rotated, keys and values
            /// quantised and written to caches
            dequantised_rope_cache (takes: types("f16@910B bf16@910B i32@910B"), output: Own) {
                DequantRopeQuantKvcache = "aclnnDequantRopeQuantKvcache"(
                    x: tensor, cos: tensor, sin: tensor, kCacheRef: inout, vCacheRef: inout, indices: tensor,
                    scaleK: tensor, scaleV: tensor, offsetKOptional: tensor_or_null, offsetVOptional: tensor_or_null,
                    weightScaleOptional: tensor_or_null, activationScaleOptional: tensor_or_null,
                    biasOptional: tensor_or_null, sizeSplits: ints, quantModeOptional: str_mut,
                    layoutOptional: str_mut, kvOutput: bool, cacheModeOptional: str_mut, qOut: out_const,
                    kOut: out_const, vOut: out_const
                );
            }

            /// Latent attention before its scores: queries, and compressed keys in caches
            latent_queries (takes: types("bf16@910B,950"), output: Own) {
                MlaProlog = "aclnnMlaProlog"(
                    tokenX: tensor, weightDq: tensor, weightUqQr: tensor, weightUk: tensor, weightDkvKr: tensor,
                    rmsnormGammaCq: tensor, rmsnormGammaCkv: tensor, ropeSin: tensor, ropeCos: tensor,
                    cacheIndex: tensor, kvCacheRef: inout, krCacheRef: inout, dequantScaleXOptional: tensor_or_null,
                    dequantScaleWDqOptional: tensor_or_null, dequantScaleWUqQrOptional: tensor_or_null,
                    dequantScaleWDkvKrOptional: tensor_or_null, quantScaleCkvOptional: tensor_or_null,
                    quantScaleCkrOptional: tensor_or_null, smoothScalesCqOptional: tensor_or_null,
                    rmsnormEpsilonCq: f64, rmsnormEpsilonCkv: f64, cacheModeOptional: str_mut, queryOut: out_const,
                    queryRopeOut: out_const
                );
                MlaPrologV2 = "aclnnMlaPrologV2"(
                    tokenX: tensor, weightDq: tensor, weightUqQr: tensor, weightUk: tensor, weightDkvKr: tensor,
                    rmsnormGammaCq: tensor, rmsnormGammaCkv: tensor, ropeSin: tensor, ropeCos: tensor,
                    cacheIndex: tensor, kvCacheRef: inout, krCacheRef: inout, dequantScaleXOptional: tensor_or_null,
                    dequantScaleWDqOptional: tensor_or_null, dequantScaleWUqQrOptional: tensor_or_null,
                    dequantScaleWDkvKrOptional: tensor_or_null, quantScaleCkvOptional: tensor_or_null,
                    quantScaleCkrOptional: tensor_or_null, smoothScalesCqOptional: tensor_or_null,
                    rmsnormEpsilonCq: f64, rmsnormEpsilonCkv: f64, cacheModeOptional: str_mut, queryOut: out_const,
                    queryRopeOut: out_const, dequantScaleQNopeOutOptional: out_const_or_null
                );
                MlaPrologV2WeightNz = "aclnnMlaPrologV2WeightNz"(
                    tokenX: tensor, weightDq: tensor, weightUqQr: tensor, weightUk: tensor, weightDkvKr: tensor,
                    rmsnormGammaCq: tensor, rmsnormGammaCkv: tensor, ropeSin: tensor, ropeCos: tensor,
                    cacheIndex: tensor, kvCacheRef: inout, krCacheRef: inout, dequantScaleXOptional: tensor_or_null,
                    dequantScaleWDqOptional: tensor_or_null, dequantScaleWUqQrOptional: tensor_or_null,
                    dequantScaleWDkvKrOptional: tensor_or_null, quantScaleCkvOptional: tensor_or_null,
                    quantScaleCkrOptional: tensor_or_null, smoothScalesCqOptional: tensor_or_null,
                    rmsnormEpsilonCq: f64, rmsnormEpsilonCkv: f64, cacheModeOptional: str_mut, queryOut: out_const,
                    queryRopeOut: out_const, dequantScaleQNopeOutOptional: out_const_or_null
                );
                MlaPrologV3 = "aclnnMlaPrologV3"(
                    tokenX: tensor, weightDq: tensor, weightUqQr: tensor, weightUk: tensor, weightDkvKr: tensor,
                    rmsnormGammaCq: tensor, rmsnormGammaCkv: tensor, ropeSin: tensor, ropeCos: tensor,
                    kvCacheRef: inout, krCacheRef: inout, cacheIndexOptional: tensor_or_null,
                    dequantScaleXOptional: tensor_or_null,
                    dequantScaleWDqOptional: tensor_or_null, dequantScaleWUqQrOptional: tensor_or_null,
                    dequantScaleWDkvKrOptional: tensor_or_null, quantScaleCkvOptional: tensor_or_null,
                    quantScaleCkrOptional: tensor_or_null, smoothScalesCqOptional: tensor_or_null,
                    actualSeqLenOptional: tensor_or_null, rmsnormEpsilonCq: f64, rmsnormEpsilonCkv: f64,
                    cacheModeOptional: str_mut, queryNormFlag: bool, weightQuantMode: i64, kvCacheQuantMode: i64,
                    queryQuantMode: i64, ckvkrRepoMode: i64, quantScaleRepoMode: i64, tileSize: i64, kNopeClipAlpha: f64, qcQrScale: f64,
                    kcScale: f64, queryOut: out_const, queryRopeOut: out_const, dequantScaleQNopeOut: out_const_or_null, queryNormOut: out_const_or_null, dequantScaleQNormOut: out_const_or_null
                );
                MlaPrologV3WeightNz = "aclnnMlaPrologV3WeightNz"(
                    tokenX: tensor, weightDq: tensor, weightUqQr: tensor, weightUk: tensor, weightDkvKr: tensor,
                    rmsnormGammaCq: tensor, rmsnormGammaCkv: tensor, ropeSin: tensor, ropeCos: tensor,
                    kvCacheRef: inout, krCacheRef: inout, cacheIndexOptional: tensor_or_null,
                    dequantScaleXOptional: tensor_or_null,
                    dequantScaleWDqOptional: tensor_or_null, dequantScaleWUqQrOptional: tensor_or_null,
                    dequantScaleWDkvKrOptional: tensor_or_null, quantScaleCkvOptional: tensor_or_null,
                    quantScaleCkrOptional: tensor_or_null, smoothScalesCqOptional: tensor_or_null,
                    actualSeqLenOptional: tensor_or_null, kNopeClipAlphaOptional: tensor_or_null, rmsnormEpsilonCq: f64, rmsnormEpsilonCkv: f64,
                    cacheModeOptional: str_mut, weightQuantMode: i64, kvCacheQuantMode: i64,
                    queryQuantMode: i64, ckvkrRepoMode: i64, quantScaleRepoMode: i64, tileSize: i64, qcQrScale: f64,
                    kcScale: f64, queryOut: out_const, queryRopeOut: out_const, dequantScaleQNopeOutOptional: out_const_or_null, queryNormOutOptional: out_const_or_null, dequantScaleQNormOutOptional: out_const_or_null
                );
            }

            /// Elements that are quantised and written along an axis, from given places on
            quantised_scatter (takes: types("f16@910B,950 bf16@910B,950"), output: Own) {
                InplaceQuantScatter = "aclnnInplaceQuantScatter"(
                    selfRef: inout, indices: tensor, updates: tensor, quantScales: tensor,
                    quantZeroPoints: tensor_or_null, axis: i64, quantAxis: i64, reduction: i64
                );
                InplaceQuantScatterV2 = "aclnnInplaceQuantScatterV2"(
                    selfRef: inout, indices: tensor, updates: tensor, quantScales: tensor,
                    quantZeroPoints: tensor_or_null, axis: i64, quantAxis: i64, reduction: i64, roundMode: str
                );
            }
        }
    };
}

caches_operators!(super::info::family);
