//! Why an operator that is declared cannot be called.

/// Operators without a function in the safe layer, and the function that does their work.
const REFUSED: &[(&str, &str)] = &[
    ("AddLayerNorm", "layer_norm, of a sum"),
    ("AddV3", "add, with the operands exchanged"),
    ("AddmmWeightNz", "addmm"),
    ("BatchMatMulWeightNz", "matmul"),
    ("BatchNormElemt", "batch_norm_inference, with a variance"),
    ("BatchNormReduce", "sum, along all axes but one"),
    ("BatchNormStats", "batch_norm, which returns statistics too"),
    ("BitwiseAndTensorOut", "bitwise_and"),
    ("DeepNorm", "layer_norm, of a sum"),
    ("FastBatchNormBackward", "batch_norm_backward"),
    ("GatherV3", "take_axis, for no axes that belong together"),
    ("Gemm", "addmm, of transposed views"),
    ("GemmaRmsNorm", "rms_norm, with a weight to which 1 is added"),
    ("GroupNormSilu", "silu, of group_norm"),
    ("GroupNormSiluV2", "silu, of group_norm"),
    ("IndexAddV2", "index_add"),
    ("InplaceAddRmsNorm", "add_rms_norm"),
    ("InplaceAddV3", "add_in_place, with the operands exchanged"),
    ("InplaceAddbmm", "addbmm"),
    ("InplaceAddmm", "addmm"),
    ("InplaceAddr", "addr"),
    ("InplaceBaddbmm", "baddbmm"),
    ("InplaceBitwiseAndTensorOut", "bitwise_and_in_place"),
    ("InplaceOne", "ones"),
    ("InplaceZero", "zeros"),
    ("InstanceNorm", "instance_norm, which works on every product"),
    ("LogSigmoidForward", "log_sigmoid"),
    ("LogSpace", "linspace, and rpow of it"),
    ("MatmulWeightNz", "matmul"),
    ("OneHot", "scatter_value, of zeros"),
    ("Polar", "complex, of products with cos and sin"),
    ("TfScatterAdd", "index_add"),
    ("TransMatmulWeight", "matmul, which takes a weight as it is"),
];

/// Returns the reason why an operator cannot be called, by its C name without the prefix.
pub(crate) fn reason(form: &str) -> Option<String> {
    let (_, instead) = REFUSED.iter().find(|(refused, _)| *refused == form)?;
    Some(format!("the safe layer has no function for aclnn{form}; there is {instead}"))
}
